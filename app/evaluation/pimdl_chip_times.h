// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the linear layers of a block take on HBM-PIM and AiM: as look-ups and as products, command by command. For figures 14 and 15.
/// Flow: Encoder, target -> [chipTimes] -> ChipTimes.
#include "app/evaluation/pimdl_parts.h"

#include <array>

namespace pim::evaluation {

constexpr std::int64_t kChipCentroids = 16; ///< CT of all look-ups.

constexpr std::array<std::int64_t, 3> kChipSubVectors{2, 4, 16};
enum SubVector : std::uint8_t { kTwo, kFour, kSixteen }; ///< Positions in kChipSubVectors.

/// Seconds of all linear layers of a block, of one setting of look-ups each.
struct ChipTimes {
    double products = 0; ///< Best draft, simulated; weights lie in the banks.
    /// Row by row with the matrix-vector kernels of the public simulators (PIMSimulator b464dde, aim_simulator 0f28a07), in their clocks.
    double publicProducts = 0;
    std::array<double, 3>
        lookUps{};    ///< With V of kChipSubVectors, CT = 16, simulated; the table lies in the banks.
    double bound = 0; ///< V = 4: every entry once at the full bandwidth of all banks.
    // AiM alone, V = 4.
    double oneSum = 0; ///< With one sum of 16 lanes at a bank in place of 16.
    double oneHot =
        0; ///< As the chip was published: products of the table with vectors that have a one for each index.
};

/// Errors: Unsupported where a layer does not fit; Cancelled.
Result<ChipTimes> chipTimes(const upmem::Encoder& encoder, const std::shared_ptr<const Target>& target,
                            const Backend& backend, const TaskContext& task);

} // namespace pim::evaluation
