// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// State of training in a file, so that it goes on after a kill with the same bytes as without.
/// Layout: "PIMTRAIN1\n", length of the header in digits and a line break, header as JSON, the arrays as little-endian float32 one after
/// the other, SHA-256 of all that as 64 hexadecimal digits.
#include "core/lut/network/conversion.h"

#include <filesystem>

namespace pim::lut {

struct Checkpoint {
    std::string identity;            ///< Of network, samples and options; a state goes with no other.
    int steps = 0;                   ///< Done.
    std::uint64_t random = 0;        ///< State of the generator.
    std::vector<std::int64_t> order; ///< Of the samples in this epoch.
    std::size_t taken = 0;           ///< Of these.
    std::vector<CalibrationStep> curve;
    std::vector<std::vector<float>> arrays;
    std::vector<int> counts;
};

/// Beside the file first, then in its place: a kill leaves the old state or the new one. Errors: Io.
Result<void> writeCheckpoint(const std::filesystem::path& file, const Checkpoint& state);
/// Nothing where there is no such file. Errors: Io; InvalidFile for what is no state or is damaged; Usage for the state of something
/// else than \p identity.
Result<std::optional<Checkpoint>> readCheckpoint(const std::filesystem::path& file,
                                                 const std::string& identity);

} // namespace pim::lut
