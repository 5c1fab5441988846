// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/loop_builder.h"

#include <algorithm>
#include <iterator>

namespace pim::dram {
namespace {

constexpr std::size_t kLongestBody = 48; ///< Of a loop that is found, in items.

using Steps = std::vector<std::int64_t>;

/// Appends what has to be added to the operands of \p a to get \p b; false if they differ in anything else.
bool difference(const ProgramItem& a, const ProgramItem& b, Steps& steps) {
    if (a.body.size() != b.body.size() || a.strides != b.strides)
        return false;
    if (a.body.empty()) {
        if (a.command.opcode != b.command.opcode)
            return false;
        for (std::size_t i = 0; i < a.command.operands.size(); ++i)
            steps.push_back(b.command.operands[i] - a.command.operands[i]);
        return true;
    }
    if (a.repeat != b.repeat)
        return false;
    for (std::size_t i = 0; i < a.body.size(); ++i)
        if (!difference(a.body[i], b.body[i], steps))
            return false;
    return true;
}

bool difference(const ProgramItem* a, const ProgramItem* b, std::size_t count, Steps& steps) {
    steps.clear();
    for (std::size_t i = 0; i < count; ++i)
        if (!difference(a[i], b[i], steps))
            return false;
    return true;
}

/// Every command of \p items moves by its part of \p steps with each turn of a loop at \p depth.
void addStrides(std::vector<ProgramItem>& items, const Steps& steps, std::size_t depth, std::size_t& next) {
    for (ProgramItem& item : items) {
        if (!item.body.empty()) {
            addStrides(item.body, steps, depth, next);
            continue;
        }
        const auto count = std::ptrdiff_t(item.command.operands.size());
        const auto from = steps.begin() + std::ptrdiff_t(next);
        item.strides.insert(item.strides.begin() + std::ptrdiff_t(depth),
                            std::vector<std::int64_t>(from, from + count));
        next += std::size_t(count);
    }
}

ProgramItem loopOf(std::vector<ProgramItem> body, std::int64_t turns, const Steps& steps, std::size_t depth) {
    ProgramItem loop;
    loop.repeat = turns;
    std::size_t next = 0;
    addStrides(body, steps, depth, next);
    loop.body = std::move(body);
    return loop;
}

/// One pass over the list for bodies of \p length items. \returns whether anything was rolled.
bool rollPass(std::vector<ProgramItem>& items, std::size_t length, std::size_t depth) {
    std::vector<ProgramItem> out;
    Steps steps, next;
    bool changed = false;
    for (std::size_t i = 0; i < items.size();) {
        std::size_t turns = 1;
        if (i + 2 * length <= items.size() && difference(&items[i], &items[i + length], length, steps)) {
            turns = 2;
            while (i + (turns + 1) * length <= items.size() &&
                   difference(&items[i + (turns - 1) * length], &items[i + turns * length], length, next) &&
                   next == steps)
                ++turns;
        }
        if ((turns - 1) * length < 2) { // not worth a loop
            out.push_back(std::move(items[i++]));
            continue;
        }
        const auto begin = std::make_move_iterator(items.begin() + std::ptrdiff_t(i));
        out.push_back(loopOf({begin, begin + std::ptrdiff_t(length)}, std::int64_t(turns), steps, depth));
        i += turns * length;
        changed = true;
    }
    items = std::move(out);
    return changed;
}

} // namespace

void LoopBuilder::command(int opcode, std::vector<std::int64_t> operands) {
    ProgramItem item;
    item.command.opcode = static_cast<std::uint16_t>(opcode);
    item.command.operands = std::move(operands);
    m_lists.back().push_back(std::move(item));
}

std::vector<ProgramItem> LoopBuilder::collect(const std::function<void(std::int64_t)>& body,
                                              std::int64_t turn) {
    m_lists.emplace_back();
    body(turn);
    std::vector<ProgramItem> items = std::move(m_lists.back());
    m_lists.pop_back();
    return items;
}

void LoopBuilder::repeat(std::int64_t turns, const std::function<void(std::int64_t)>& body) {
    if (turns == 1)
        body(0);
    if (turns < 2)
        return;
    std::vector<ProgramItem> first = collect(body, 0);
    const std::vector<ProgramItem> second = collect(body, 1);
    if (first.empty())
        return;
    Steps steps;
    const bool alike =
        first.size() == second.size() && difference(first.data(), second.data(), first.size(), steps);
    if (!alike) { // uneven shares of cores: what is alike is found when all is there
        auto& out = m_lists.back();
        out.insert(out.end(), std::make_move_iterator(first.begin()), std::make_move_iterator(first.end()));
        for (std::int64_t turn = 1; turn < turns; ++turn)
            body(turn);
        return;
    }
#ifndef NDEBUG
    const std::vector<ProgramItem> last = collect(body, turns - 1);
    Steps all;
    PIM_ASSERT(last.size() == first.size() && difference(first.data(), last.data(), first.size(), all),
               "so has the last turn");
    for (std::size_t i = 0; i < all.size(); ++i)
        PIM_ASSERT(all[i] == steps[i] * (turns - 1), "operands grow by the same amount every turn");
#endif
    m_lists.back().push_back(loopOf(std::move(first), turns, steps, 0));
}

std::vector<ProgramItem> LoopBuilder::take() {
    PIM_ASSERT(m_lists.size() == 1, "all loops are closed");
    std::vector<ProgramItem> items = std::move(m_lists.front());
    m_lists.front().clear();
    rollLoops(items);
    return items;
}

void rollLoops(std::vector<ProgramItem>& items, std::size_t depth) {
    for (ProgramItem& item : items)
        if (!item.body.empty())
            rollLoops(item.body, depth + 1);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t length = 1; length <= std::min(kLongestBody, items.size() / 2); ++length)
            changed = rollPass(items, length, depth) || changed;
    }
}

} // namespace pim::dram
