// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a program must keep before it can run: pairs of transfers, addresses, array groups.
#include "backends/crossbar/operands.h"
#include "backends/crossbar/profile.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::uint32_t kMostLayers = 1'000'000;
constexpr std::uint64_t kMostIds = 100'000'000; // array groups, transfers: lists one an entry are kept

class Check {
public:
    Check(const CrossbarProgram& program, const CrossbarChip& chip)
        : m_program(program), m_chip(chip),
          m_localElements(std::uint64_t(chip.localBytes / std::max(1, chip.activationBytes()))),
          m_globalElements(std::uint64_t(chip.globalBytes / std::max(1, chip.activationBytes()))) {}

    Result<void> run() {
        PIM_CHECK(checkShape());
        for (m_core = 0; m_core < m_program.cores.size(); ++m_core) {
            m_group = 0;
            const auto& instructions = m_program.cores[m_core];
            for (m_at = 0; m_at < instructions.size(); ++m_at) {
                while (m_program.groupEnds[m_core][m_group] <= m_at)
                    ++m_group;
                if (!isRight(instructions[m_at]))
                    return tl::unexpected(std::move(m_error));
            }
        }
        return checkPairs();
    }

private:
    struct Transfer {
        std::uint32_t from = 0, to = 0, group = 0, length = 0;
        std::uint8_t seen = 0, wide = 0;
    };

    /// \returns false.
    bool wrong(std::string what) {
        m_error = fail(ErrorCode::InvalidFile,
                       fmt::format("core {}, instruction {} ({}): {}", m_core, m_at,
                                   name(m_program.cores[m_core][m_at].opcode), std::move(what)))
                      .value();
        return false;
    }

    Result<void> checkShape() const {
        if (m_program.cores.size() > std::size_t(m_chip.cores()))
            return fail(ErrorCode::InvalidFile,
                        fmt::format("the program has {} cores, {} has {}", m_program.cores.size(),
                                    m_chip.name, m_chip.cores()));
        if (m_program.groupEnds.size() != m_program.cores.size())
            return fail(ErrorCode::InvalidFile,
                        fmt::format("{} cores have instructions, {} have groups", m_program.cores.size(),
                                    m_program.groupEnds.size()));
        if (m_program.accumulatorElements < 1)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("an accumulator takes {} elements, must be 1 or more",
                                    m_program.accumulatorElements));
        for (std::size_t core = 0; core < m_program.cores.size(); ++core) {
            const auto& ends = m_program.groupEnds[core];
            if (!std::ranges::is_sorted(ends) ||
                (ends.empty() ? 0 : ends.back()) != m_program.cores[core].size() ||
                ends.size() != m_program.groupEnds[0].size())
                return fail(ErrorCode::InvalidFile,
                            fmt::format("core {}: the groups do not divide its {} instructions", core,
                                        m_program.cores[core].size()));
        }
        return {};
    }

    /// Asked for millions: why not is in m_error.
    bool isRight(const CrossbarInstruction& i) {
        if (i.length == 0 || (i.opcode == CrossbarOpcode::Mvm && i.src2 == 0))
            return wrong("touches no element");
        if (i.layer >= kMostLayers)
            return wrong(fmt::format("layer {}, may be at most {}", i.layer, kMostLayers - 1));
        const Operands operands = operandsOf(i, m_program.accumulatorElements);
        if (!isInside(operands.reads[0]) || !isInside(operands.reads[1]) || !isInside(operands.write))
            return false;
        switch (i.opcode) {
        case CrossbarOpcode::Mvm:
            return areItsArrays(i);
        case CrossbarOpcode::Vec:
            return (i.vec != VectorOp::None && i.vec < VectorOp::Count_) || wrong("names no operation");
        case CrossbarOpcode::Copy:
            return i.pieces() == 1 || i.length % i.pieces() == 0 ||
                   wrong(fmt::format("copies {} values in {} pieces of equal length", i.length, i.peer));
        case CrossbarOpcode::Send:
        case CrossbarOpcode::Recv:
            return isOneSide(i);
        default:
            return true;
        }
    }

    bool isInside(const ElementRange& range) {
        const bool global = range.begin >= kGlobalBase;
        const std::uint64_t end = range.end - (global ? kGlobalBase : 0),
                            limit = global ? m_globalElements : m_localElements;
        return range.end <= range.begin || end <= limit ||
               wrong(fmt::format("touches element {} of {} memory, which has {}", end - 1,
                                 global ? "global" : "local", limit));
    }

    bool areItsArrays(const CrossbarInstruction& i) {
        if (i.index >= kMostIds)
            return wrong(fmt::format("array group {}, may be at most {}", i.index, kMostIds - 1));
        if (i.index >= m_groupCore.size())
            m_groupCore.resize(i.index + 1, -1);
        int& core = m_groupCore[i.index];
        if (core >= 0 && core != int(m_core))
            return wrong(fmt::format("array group {} lies in core {}", i.index, core));
        core = int(m_core);
        return true;
    }

    bool isOneSide(const CrossbarInstruction& i) {
        const bool sends = i.opcode == CrossbarOpcode::Send;
        if (i.peer >= m_program.cores.size())
            return wrong(fmt::format("the other core is {}, there are {}", i.peer, m_program.cores.size()));
        if (i.peer == m_core)
            return wrong("a core sends to itself");
        if (i.index >= kMostIds)
            return wrong(fmt::format("transfer {}, may be at most {}", i.index, kMostIds - 1));
        if (i.index >= m_transfers.size())
            m_transfers.resize(std::max<std::size_t>(i.index + 1, m_transfers.size() * 3 / 2));
        Transfer& t = m_transfers[i.index];
        const std::uint8_t side = sends ? 1 : 2;
        if ((t.seen & side) != 0)
            return wrong(fmt::format("transfer {} {} twice", i.index, sends ? "is sent" : "is received"));
        const std::uint32_t from = sends ? std::uint32_t(m_core) : i.peer,
                            to = sends ? i.peer : std::uint32_t(m_core);
        const std::uint8_t wide = (i.flags & CrossbarInstruction::kWideSource) != 0;
        if (t.seen != 0 && (t.from != from || t.to != to))
            return wrong(fmt::format("transfer {} goes from core {} to {}, the other side says from {} to {}",
                                     i.index, from, to, t.from, t.to));
        if (t.seen != 0 && (t.length != i.length || t.wide != wide))
            return wrong(fmt::format("transfer {} has {} values, the other side says {}", i.index, i.length,
                                     t.length));
        if (t.seen != 0 && t.group != m_group)
            return wrong(fmt::format("transfer {} lies in group {}, its other side in group {}", i.index,
                                     m_group, t.group));
        t = {from, to, std::uint32_t(m_group), i.length, std::uint8_t(t.seen | side), wide};
        return true;
    }

    Result<void> checkPairs() const {
        const auto open =
            std::ranges::find_if(m_transfers, [](const Transfer& t) { return t.seen == 1 || t.seen == 2; });
        if (open == m_transfers.end())
            return {};
        return fail(ErrorCode::InvalidFile,
                    fmt::format("transfer {} from core {} to core {} is never {}", open - m_transfers.begin(),
                                open->from, open->to, open->seen == 1 ? "received" : "sent"));
    }

    const CrossbarProgram& m_program;
    const CrossbarChip& m_chip;
    std::uint64_t m_localElements, m_globalElements;
    std::size_t m_core = 0, m_at = 0, m_group = 0;
    std::vector<int> m_groupCore;
    std::vector<Transfer> m_transfers;
    Error m_error;
};

} // namespace

Result<void> checkCrossbarProgram(const CrossbarProgram& program, const CrossbarChip& chip) {
    return Check(program, chip).run();
}

} // namespace pim
