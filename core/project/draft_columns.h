// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All drafts of an op as one value: columns, not rows, because there are hundreds of thousands of them.
///
/// Layout (little-endian):
///     4 bytes   "PDC1"
///     u32       drafts N
///     u32       dimension sets S
///     then 3 S + 1 + 5 columns: for each set its groups, cores, mapping; the index strategy
///     (0 expanded range, 1 exact set); input, compute, output, mode switch, host time in nanoseconds.
/// A column is a u8 kind and its values:
///     0  one u64: all N values are the same integer       4  one f64: all N values are the same number
///     1  N u8        2  N u16        3  N u32              5  N f32, rounded to nearest
/// Times lose digits beyond the seventh; the cheapest drafts are stored exactly in run_drafts_top.
#include "core/plan/plan.h"

#include <span>

namespace pim {

std::vector<std::byte> packDrafts(std::span<const Draft> drafts, std::span<const CostSplit> costs, int sets);

struct UnpackedDrafts {
    std::vector<Draft> drafts;
    std::vector<CostSplit> costs;
};
/// Error::Database if the bytes are not as above.
Result<UnpackedDrafts> unpackDrafts(std::span<const std::byte> bytes);

} // namespace pim
