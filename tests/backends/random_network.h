// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Legal networks that nobody drew: up to 60 ops of every type that is computed on numbers, with branches that part and join, made
/// from a seed. Small, so that their numbers are computed in no time; magnitudes stay where half precision holds them.
#include <cstdint>
#include <filesystem>

namespace pim::test {

/// Writes it to \p file. \param order of ops that do not depend on each other: another number, another order; 0: as made.
void saveRandomNetwork(std::uint64_t seed, const std::filesystem::path& file, std::uint64_t order = 0);

} // namespace pim::test
