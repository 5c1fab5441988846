// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which rows of the banks the programs of a bundle address, for the check of its layout. Flow: Target, Program -> [rows] ->
/// verifyBundle().
#include "core/hardware/target.h"
#include "core/program/program.h"

namespace pim {

/// More rows than any bank has.
constexpr std::int64_t kMostRows = std::int64_t{1} << 40;

/// What of a target the layout depends on.
struct BankMemory {
    std::int64_t rowBytes = 0, accessBytes = 0;
    std::int64_t rows = kMostRows; ///< What is addressed beyond them is no memory but registers of units.
};

BankMemory memoryOf(const Target& target);

/// One more than the greatest row below \p limit in which \p program accesses data; 0: none.
std::int64_t rowsAddressed(const Program& program, std::int64_t limit);

} // namespace pim
