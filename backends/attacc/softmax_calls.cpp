// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/softmax_calls.h"

#include <algorithm>

namespace pim::attacc {
namespace {

std::int64_t slotsOf(const Product& scores) {
    return scores.visitBlocks() * scores.resultCount();
}

/// Keys of the cores with a digit; other groups have no more than the first.
std::int64_t keysOf(const KernelWork& work, int digit) {
    const dram::DotWalk::Cut* const cut = work.keyCut();
    return cut ? cut->ranges[std::size_t(digit)].second - cut->ranges[std::size_t(digit)].first : work.keys;
}

} // namespace

std::int64_t scoreSlots(const KernelWork& work, std::int64_t set) {
    return set * slotsOf(*work.product);
}

std::vector<Call> softmaxCalls(const KernelWork& work, std::int64_t set) {
    const Product& scores = *work.product;
    const std::int64_t step = scores.resultCount(), slots = work.geometry.softmaxElements / kPimLanes;
    const int keyDigits = scores.operandSets().copies;
    std::vector<Call> calls;
    for (int head = 0; head < work.headsAbreast(); ++head) {
        calls.push_back({Op::SETH, {head, 1}});
        for (int digit = 0; digit < keyDigits; ++digit) {
            const std::int64_t keys = keysOf(work, digit);
            for (std::int64_t block = 0; block * kPimLanes < keys; block += slots)
                calls.push_back(
                    {Op::SFM,
                     {scoreSlots(work, set) + block * step + head * keyDigits + digit, step,
                      std::min<std::int64_t>(keys - block * kPimLanes, work.geometry.softmaxElements)}});
        }
    }
    return calls;
}

std::vector<Call> maskCalls(const KernelWork& work, Item item, std::int64_t set) {
    std::vector<Call> calls;
    if (!work.partialSoftmax)
        return calls;
    const Product& scores = *work.product;
    const std::int64_t burst = work.maskBurst(scores.resultBurst(item.batch, item.row, 0));
    for (std::int64_t slot = 0; slot < slotsOf(scores); ++slot)
        if (slot / scores.resultCount() >=
            work.firstMasked(int(slot % scores.resultCount()) % scores.operandSets().copies))
            calls.push_back({Op::WRSB,
                             {work.geometry.busBank(std::ssize(calls)), scoreSlots(work, set) + slot,
                              work.tensors, burst + slot}});
    return calls;
}

std::deque<Call> sendCalls(const KernelWork& work, Item item, std::int64_t set) {
    std::deque<Call> calls;
    if (!work.partialSoftmax)
        return calls;
    const std::int64_t burst = work.product->resultBurst(item.batch, item.row, 0);
    for (std::int64_t slot = 0; slot < slotsOf(*work.product); ++slot)
        calls.push_back(
            {Op::RDSB,
             {work.geometry.busBank(slot), scoreSlots(work, set) + slot, work.tensors, burst + slot}});
    return calls;
}

} // namespace pim::attacc
