// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Results that do not move between two ops: layout propagation. Where the next op on PIM can read what an op
/// leaves where it leaves it (OpwiseBackend::fitsInPlace), neither its way out nor its way back in is paid,
/// nor what changes the mode of the units between them. Both need the same draft, so the ops of a chain get
/// one together: of all drafts that the rules leave, the one with the least price of the whole chain, if that
/// is less than what the ops take with drafts of their own. With CompileOptions::verifyDrafts the cheapest are
/// simulated, all ops in one run, and the fastest is taken. Flow: ops with drafts + placement -> [chains] ->
/// drafts, prices and Residency::InPlace of their ops.
///
/// What simulation found of a chain is kept in the DraftTable, an answer an op (known_chain.cpp).
///
/// A chain needs ops that follow each other on PIM, because ops that keep nothing share rows
/// (memory_layout.h), and results that nobody else wants.
#include "core/drafts/opwise_planner.h"

#include <limits>

namespace pim {

/// What chaining some ops gives; shared by all chains of equal kernels.
struct ChainSearch {
    double separateNs = 0, chainedNs = 0; ///< Prices of all ops, without the host's memory.
    std::vector<std::shared_ptr<const KernelSearch>>
        searches; ///< One an op, with the common draft; empty: not worth it.
};

/// A draft for all ops of a chain, and what each takes.
struct ChainChoice {
    std::vector<ChainedKernel> ops;
    std::vector<KernelPrice> prices;                     ///< One an op.
    double ns = std::numeric_limits<double>::infinity(); ///< Of all: simulated, if that was asked for.
};

/// Ops that hand their results on, in order, and which tensor of its kernel each takes (the first none: -1).
struct OpChain {
    std::vector<std::size_t> ops;
    std::vector<int> taken;
    /// \p op of the chain with what it takes and leaves in place.
    std::vector<Residency> residency(const std::vector<PlannedOp>& planned, std::size_t op) const;
};

/// All that follow each other on PIM and whose results nobody else wants, longest first from every start.
std::vector<OpChain> possibleChains(const std::vector<PlannedOp>& ops, const Dataflow& flow,
                                    const std::vector<DeviceId>& placement);

} // namespace pim
