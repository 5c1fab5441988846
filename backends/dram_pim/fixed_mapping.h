// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The mappings that makers of DRAM-PIM machines published, as drafts: what a searched draft is compared
/// with. They do not look at sizes, so a core may get a tile far shorter than a command takes; commands pad
/// it, and no pruning rule is asked. Flow: TilingSpace + Target -> [one Draft].
///
/// Which dimension is which is read off the kernel:
/// - *batches or heads*: the leading dimensions that the matrix (the resident operand of the highest rank;
/// without one
///   the first of the highest rank), every streamed input and the results have in common, as far as the
///   matrix keeps one of its own; and leading dimensions of the results that the matrix does not have (rows
///   of a batch that share weights);
/// - *first and second tensor dimension*: the dimensions of the matrix that are left, in their order.
#include "core/hardware/target.h"
#include "core/tiling/tiling.h"

namespace pim::dram {

/// AttAcc's. [DCC §V, comparison points (2) and (4): batches or heads over the 16 channels of a stack, the
/// first tensor dimension over the 16 bank groups of a channel, the second over the 4 banks of a bank group;
/// HBM-PIM is given the same, with its blocks of two banks] The stacks hold different heads [AttAcc simulator
/// c600051]; where there are fewer heads than stacks, different parts of the first tensor dimension. That
/// reading gives the constant times of the element-wise kernels in DCC Fig. 6 and 7 (one padded burst for
/// every bank, whatever the size) and GPU x 1.25 for layers without heads (§V-B). Without a second tensor
/// dimension the first has all banks.
Result<Draft> attAccMapping(const TilingSpace& space, const Target& target);

/// GDDR6-AiM's: rows of the matrix over all banks of all channels, heads over the channels first, nothing of
/// a row split. [Newton, MICRO 2020; aim_simulator: a bank holds whole rows]
Result<Draft> aimMapping(const TilingSpace& space, const Target& target);

} // namespace pim::dram
