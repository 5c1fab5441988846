// SPDX-License-Identifier: GPL-3.0-or-later
// Which physical array does what. Arrays are alike, so the allocation only counts them (CMSwitch §4.3.2); the
// numbers follow here. What is left to win: no array switches its mode before it must, and arrays that hold
// an operator's output stay where the next segment reads it.
#include "backends/dual_mode/plan.h"
#include "core/base/result.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace pim {
namespace {

/// What an array is wanted for.
struct Want {
    ArrayUse use;
    bool met = false;
};

std::vector<ArrayUseRun> runsOf(const std::vector<ArrayUse>& uses) {
    std::vector<ArrayUseRun> runs;
    for (const ArrayUse& use : uses) {
        if (!runs.empty()) {
            ArrayUseRun& run = runs.back();
            ArrayUse next = run.use;
            if (next.slot >= 0)
                next.slot += run.arrays;
            if (use == next) {
                ++run.arrays;
                continue;
            }
        }
        runs.push_back({1, use});
    }
    runs.shrink_to_fit();
    return runs;
}

/// Modes and contents of all arrays, segment by segment.
class Placer {
public:
    Placer(const std::vector<DualModeSubOp>& subOps, const DualModeChip& chip,
           const DualModeWorkload& workload)
        : m_subOps(subOps), m_chip(chip), m_workload(workload), m_memory(size(), 0),
          m_weights(size(), {-1, -1}), m_output(size(), -1), m_lastReader(lastReaders()) {}

    DualModePlacement place(const DualModeSegment& segment) {
        m_next = {};
        m_uses.assign(size(), {});
        std::vector<Want> compute = computeWants(segment), memory = memoryWants(segment);
        PIM_ASSERT(compute.size() + memory.size() <= size(), "a segment fits on the chip");
        keepWeights(segment, compute);
        keepData(memory);
        std::vector<char> readLater(size());
        for (std::size_t array = 0; array < size(); ++array) // neighbours often have the same output
            readLater[array] = array > 0 && m_output[array] == m_output[array - 1]
                                   ? readLater[array - 1]
                                   : static_cast<char>(isReadAfter(array, segment.last));
        const auto later = [&](std::size_t array) { return readLater[array] != 0; };
        // Compute arrays gather at low numbers, memory arrays at high ones: ranges stay long. Arrays that are
        // in the mode wanted come first; of the others those whose data nobody reads any more.
        std::vector<std::uint8_t> ranks(size());
        for (std::size_t array = 0; array < size(); ++array)
            ranks[array] = m_memory[array] == 0 ? 0 : later(array) ? 2 : 1;
        take(compute, ranks, false);
        for (std::size_t array = 0; array < size(); ++array)
            ranks[array] = m_memory[array] == 0 ? 2 : later(array) ? 1 : 0;
        take(memory, ranks, true);
        settle();
        m_next.runs = runsOf(m_uses);
        return std::move(m_next);
    }

private:
    std::size_t size() const { return static_cast<std::size_t>(m_chip.arrays); }
    const DualModeSubOp& subOp(int number) const { return m_subOps[static_cast<std::size_t>(number)]; }

    static std::vector<Want> computeWants(const DualModeSegment& segment) {
        std::vector<Want> wants;
        for (int i = segment.first; i <= segment.last; ++i)
            for (int slot = 0; slot < segment.compute[static_cast<std::size_t>(i - segment.first)]; ++slot)
                wants.push_back({{.mode = ArrayMode::Compute, .subOp = i, .slot = slot}});
        return wants;
    }

    std::vector<Want> memoryWants(const DualModeSegment& segment) const {
        std::vector<Want> wants;
        std::vector<int> left = segment.memory;
        const auto want = [&](int arrays, int writer, int reader) {
            for (int i = 0; i < arrays; ++i)
                wants.push_back({{.mode = ArrayMode::Memory, .subOp = writer, .reader = reader}});
        };
        for (const SharedArrays& shared : segment.shared) {
            left[static_cast<std::size_t>(shared.from - segment.first)] -= shared.arrays;
            left[static_cast<std::size_t>(shared.to - segment.first)] -= shared.arrays;
            want(shared.arrays, shared.from, shared.to);
        }
        for (int i = segment.first; i <= segment.last; ++i) {
            const int arrays = left[static_cast<std::size_t>(i - segment.first)];
            const int in = inputArrays(subOp(i), arrays);
            want(in, -1, i);
            want(arrays - in, i, -1);
        }
        return wants;
    }

    /// Of \p arrays memory arrays those that feed the input; the others collect the output. By the bytes that
    /// pass, but no more of either than it has data to fill.
    int inputArrays(const DualModeSubOp& sub, int arrays) const {
        const double in = static_cast<double>(sub.m) * static_cast<double>(sub.n),
                     out = static_cast<double>(sub.m) * static_cast<double>(sub.k);
        double unique = in * static_cast<double>(sub.g);
        if (const auto op = static_cast<std::size_t>(sub.op);
            op < m_workload.ops.size() && m_workload.ops[op].inBytes > 0)
            unique = std::min(unique, static_cast<double>(m_workload.ops[op].inBytes));
        const double bytes = static_cast<double>(std::max<std::int64_t>(1, m_chip.arrayBytes));
        const double mostIn = std::ceil(unique / bytes),
                     mostOut = std::ceil(out * static_cast<double>(sub.g) / bytes);
        double share = std::min(std::round(arrays * in / std::max(1.0, in + out)), mostIn);
        if (arrays - share > mostOut)
            share = std::min(mostIn, arrays - mostOut);
        return static_cast<int>(std::clamp(share, 0.0, static_cast<double>(arrays)));
    }

    void assign(std::size_t array, Want& want) {
        m_uses[array] = want.use;
        want.met = true;
    }

    /// A sub-operator that comes again finds its weights where they were.
    void keepWeights(const DualModeSegment& segment, std::vector<Want>& wants) {
        for (std::size_t array = 0; array < size(); ++array) {
            const auto [owner, slot] = m_weights[array];
            if (owner < segment.first || owner > segment.last || m_memory[array])
                continue;
            // Wants are ordered by sub-operator and slot.
            const auto same =
                std::ranges::lower_bound(wants, std::pair(owner, slot), {}, [](const Want& want) {
                    return std::pair(want.use.subOp, want.use.slot);
                });
            if (same != wants.end() && same->use.subOp == owner && same->use.slot == slot && !same->met)
                assign(array, *same);
        }
    }

    /// Arrays that collected the output of an operator feed it to the operators that read it.
    void keepData(std::vector<Want>& wants) {
        for (Want& want : wants) {
            if (want.use.subOp >= 0 || want.use.reader < 0)
                continue;
            const int reader = subOp(want.use.reader).op;
            for (std::size_t array = 0; array < size(); ++array)
                if (m_memory[array] && m_output[array] >= 0 && m_uses[array].mode == ArrayMode::Idle &&
                    isRead(subOp(m_output[array]).op, reader)) {
                    assign(array, want);
                    break;
                }
        }
    }

    bool isRead(int writer, int reader) const {
        if (static_cast<std::size_t>(reader) >= m_workload.ops.size())
            return writer + 1 == reader; // nothing known: a chain
        const auto& list = m_workload.ops[static_cast<std::size_t>(reader)].predecessors;
        return std::find(list.begin(), list.end(), writer) != list.end();
    }
    /// Does an operator behind sub-operator \p last read what lies in \p array?
    bool isReadAfter(std::size_t array, int last) const {
        return m_output[array] >= 0 &&
               m_lastReader[static_cast<std::size_t>(subOp(m_output[array]).op)] > last;
    }
    /// [operator] last sub-operator that reads its output, -1 if none; further than kHorizon operators on is not looked at.
    std::vector<int> lastReaders() const {
        const int ops = m_subOps.empty() ? 0 : m_subOps.back().op + 1;
        std::vector<int> lastPiece(static_cast<std::size_t>(ops), -1),
            last(static_cast<std::size_t>(ops), -1);
        for (std::size_t i = 0; i < m_subOps.size(); ++i)
            lastPiece[static_cast<std::size_t>(m_subOps[i].op)] = static_cast<int>(i);
        const auto reads = [&](int reader, int writer) {
            if (writer >= 0 && writer < ops && reader <= writer + kHorizon)
                last[static_cast<std::size_t>(writer)] = std::max(
                    last[static_cast<std::size_t>(writer)], lastPiece[static_cast<std::size_t>(reader)]);
        };
        for (int reader = 0; reader < ops; ++reader)
            if (static_cast<std::size_t>(reader) >= m_workload.ops.size())
                reads(reader, reader - 1); // nothing known: a chain
            else
                for (const int writer : m_workload.ops[static_cast<std::size_t>(reader)].predecessors)
                    reads(reader, writer);
        return last;
    }

    /// Free arrays of low rank (0 to 2) for the wants not met, the lowest numbers first, of rank 2 with \p highLast the highest. They are handed
    /// out in ascending order.
    void take(std::vector<Want>& wants, const std::vector<std::uint8_t>& ranks, bool highLast) {
        auto open = std::ranges::count(wants, false, &Want::met);
        std::vector<char> chosen(size());
        for (const std::uint8_t rank : {0, 1, 2})
            for (std::size_t i = 0; i < size() && open > 0; ++i) {
                const std::size_t array = rank == 2 && highLast ? size() - 1 - i : i;
                if (ranks[array] == rank && m_uses[array].mode == ArrayMode::Idle) {
                    chosen[array] = 1;
                    --open;
                }
            }
        std::size_t next = 0;
        for (Want& want : wants)
            if (!want.met) {
                while (chosen[next] == 0)
                    ++next;
                assign(next++, want);
            }
    }

    void settle() {
        for (std::size_t array = 0; array < size(); ++array) {
            const ArrayUse& use = m_uses[array];
            if (use.mode == ArrayMode::Idle)
                continue;
            const bool memory = use.mode == ArrayMode::Memory;
            if (memory != (m_memory[array] != 0))
                (memory ? m_next.toMemory : m_next.toCompute).push_back(static_cast<int>(array));
            // Feeding leaves the data where they are, collecting replaces them.
            if (!memory)
                m_output[array] = -1;
            else if (use.subOp >= 0 || memory != (m_memory[array] != 0))
                m_output[array] = use.subOp;
            m_weights[array] = memory ? std::pair(-1, -1) : std::pair(use.subOp, use.slot);
            m_memory[array] = memory;
        }
    }

    /// Operators further on are not looked at: long skip connections are written back.
    static constexpr int kHorizon = 64;

    const std::vector<DualModeSubOp>& m_subOps;
    const DualModeChip& m_chip;
    const DualModeWorkload& m_workload;
    std::vector<char> m_memory;                 ///< In memory mode?
    std::vector<std::pair<int, int>> m_weights; ///< Sub-operator and slot in a compute array.
    std::vector<int> m_output;                  ///< Sub-operator whose output a memory array has.
    std::vector<int> m_lastReader;              ///< lastReaders()
    std::vector<ArrayUse> m_uses;               ///< Of the segment at work, [array].
    DualModePlacement m_next;
};

} // namespace

std::vector<ArrayUse> DualModePlacement::arrays() const {
    std::vector<ArrayUse> uses;
    for (const ArrayUseRun& run : runs)
        for (int i = 0; i < run.arrays; ++i) {
            uses.push_back(run.use);
            if (run.use.slot >= 0)
                uses.back().slot += i;
        }
    return uses;
}

std::vector<DualModePlacement> placeArrays(const std::vector<DualModeSubOp>& subOps,
                                           const Segmentation& segmentation, const DualModeChip& chip,
                                           const DualModeWorkload& workload) {
    Placer placer(subOps, chip, workload);
    std::vector<DualModePlacement> placement;
    placement.reserve(segmentation.segments.size());
    for (const DualModeSegment& segment : segmentation.segments)
        placement.push_back(placer.place(segment));
    return placement;
}

} // namespace pim
