// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the softmax unit of a channel has to do for an item of attention whose scores are complete in the
/// channel or in parts of it: its own commands, and what goes between its buffer and the host. Flow:
/// KernelWork -> [softmax calls] -> codegen.cpp, which puts them between the products.
#include "backends/attacc/operands.h"

#include <deque>

namespace pim::attacc {

/// A head of every core, and a row of its queries.
struct Item {
    std::int64_t batch = 0, row = 0;
};
struct Call {
    Op op;
    std::vector<std::int64_t> operands;
};

/// First slot of a set of scores; the sets of an item and of the next one take turns.
std::int64_t scoreSlots(const KernelWork& work, std::int64_t set);
/// One softmax for each head on the channel: all slots of its scores, as many elements as the unit takes at
/// once.
std::vector<Call> softmaxCalls(const KernelWork& work, std::int64_t set);
/// Masks to the slots whose scores are padding in part, in some group; only of a partial softmax.
std::vector<Call> maskCalls(const KernelWork& work, Item item, std::int64_t set);
/// Scores to the host, which weighs parts with them; only of a partial softmax.
std::deque<Call> sendCalls(const KernelWork& work, Item item, std::int64_t set);

} // namespace pim::attacc
