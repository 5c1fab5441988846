// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/compat.h"

#include "backends/crossbar/compat_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pim {
namespace {

constexpr std::uint32_t kNoBlock = ~std::uint32_t(0);

/// Runs groups in order; in a group one core until it must wait, then the next, and so on (see run()).
class Evaluation {
public:
    Evaluation(const CompatStream& stream, const CompatHardware& hardware, const TaskContext& task)
        : m_stream(stream), m_hardware(hardware), m_task(task), m_clocks(stream.cores),
          m_groupStart(stream.arrayGroups), m_waiting(stream.transfers, {kNoBlock, 0}) {
        const std::size_t chips = stream.cores == 0 ? 0 : chipOf(stream.cores - 1) + 1;
        m_memory.resize(chips);
        m_bus.resize(chips);
        m_memoryBytes.resize(chips);
        m_busBytes.resize(chips);
        m_result.cores.resize(stream.cores);
    }

    Result<CompatResult> run() {
        for (std::size_t block = 0; block < m_stream.blocks.size();) {
            std::size_t last = block;
            while (last < m_stream.blocks.size() &&
                   m_stream.blocks[last].group == m_stream.blocks[block].group)
                ++last;
            PIM_CHECK(runGroup(block, last));
            block = last;
        }
        finish();
        return std::move(m_result);
    }

private:
    /// Where a core goes on.
    struct Point {
        std::uint32_t block = kNoBlock;
        std::size_t at = 0;
    };

    std::size_t chipOf(std::uint32_t core) const { return core / std::uint32_t(m_hardware.coresPerChip); }
    std::int64_t bytes(std::uint32_t elements) const { return compatBytes(m_hardware, elements); }
    double vectorNs(std::uint32_t elements) const { return compatVectorNs(m_hardware, elements); }

    /// Cores start in their order. One that meets a transfer whose other side has not come yet stops there,
    /// and the next core starts; where the other side has come, that one goes on first, this one when nothing
    /// else is left.
    Result<void> runGroup(std::size_t first, std::size_t last) {
        for (std::size_t block = first; block < last; ++block)
            m_clocks[m_stream.blocks[block].core].fresh = true;
        std::size_t next = first, finished = 0;
        std::vector<Point> stack;
        const auto startNext = [&] {
            if (next < last) {
                stack.push_back({std::uint32_t(next), m_stream.blocks[next].begin});
                ++next;
            }
        };
        startNext();
        while (!stack.empty()) {
            if (m_task.cancelled())
                return TaskContext::cancelledError("the evaluation");
            const Point point = stack.back();
            stack.pop_back();
            const CompatBlock& block = m_stream.blocks[point.block];
            const std::size_t at = runLocal(block, point.at);
            if (at == block.end) {
                m_clocks[block.core].endGroup();
                ++finished;
                startNext();
                continue;
            }
            Point& other = m_waiting[m_stream.instructions[at].id];
            if (other.block == kNoBlock) {
                other = {point.block, at};
                startNext();
                continue;
            }
            transfer(block.core, m_stream.blocks[other.block].core, m_stream.instructions[at].elements);
            stack.push_back({point.block, at + 1});
            stack.push_back({other.block, other.at + 1});
            other.block = kNoBlock;
        }
        if (finished < last - first)
            return deadlock(m_stream.blocks[first].group);
        return {};
    }

    /// Up to the next transfer or the end of the block.
    std::size_t runLocal(const CompatBlock& block, std::size_t at) {
        for (; at < block.end; ++at) {
            const CompatInstruction& instruction = m_stream.instructions[at];
            ++m_result.counts[std::size_t(instruction.op)];
            if (instruction.op == CompatOp::Send || instruction.op == CompatOp::Recv)
                break;
            execute(instruction, block.core);
        }
        return at;
    }

    void execute(const CompatInstruction& instruction, std::uint32_t core) {
        CompatClock& c = m_clocks[core];
        CompatCore& spent = m_result.cores[core];
        switch (instruction.op) {
        case CompatOp::Mvm:
            c.product(m_hardware, m_groupStart[instruction.id]);
            ++spent.products;
            break;
        case CompatOp::GatherAdd:
            c.met = std::int64_t(double(c.met) + vectorNs(instruction.elements));
            [[fallthrough]];
        case CompatOp::Vector:
            c.now += vectorNs(instruction.elements);
            spent.vectorNs += vectorNs(instruction.elements);
            break;
        case CompatOp::InputMove:
        case CompatOp::InputFill:
        case CompatOp::Move:
        case CompatOp::Fill:
            moveLocally(instruction, c, spent);
            break;
        case CompatOp::Load:
        case CompatOp::Store:
            access(instruction, core);
            break;
        default:
            break;
        }
    }

    void moveLocally(const CompatInstruction& instruction, CompatClock& c, CompatCore& spent) {
        const bool copies = instruction.op == CompatOp::InputMove || instruction.op == CompatOp::Move;
        const std::int64_t time = compatLocalNs(m_hardware, instruction.elements, copies ? 2 : 1);
        spent.localNs += double(time);
        if (instruction.op == CompatOp::Move || instruction.op == CompatOp::Fill) {
            c.now += double(time);
            return;
        }
        c.moveInput(time);
    }

    void access(const CompatInstruction& instruction, std::uint32_t core) {
        CompatClock& c = m_clocks[core];
        const std::int64_t size = bytes(instruction.elements);
        const std::int64_t time = compatPassNs(size, m_hardware.globalBytesPerNs);
        BusyTime& memory = m_memory[chipOf(core)];
        m_memoryBytes[chipOf(core)] += size;
        const bool loads = instruction.op == CompatOp::Load;
        (loads ? m_result.loadBytes : m_result.storeBytes) += size;
        const std::int64_t taken = loads ? c.load(memory, time) : c.store(memory, time);
        m_result.cores[core].memoryNs += double(taken);
    }

    /// \p second came later in visiting order; the bus is that of its chip.
    void transfer(std::uint32_t second, std::uint32_t first, std::uint32_t elements) {
        CompatClock &a = m_clocks[second], &b = m_clocks[first];
        const double before = a.now, beforeFirst = b.now, time = CompatClock::meet(a, b);
        m_result.cores[second].waitNs += time - before;
        m_result.cores[first].waitNs += time - beforeFirst;
        const std::int64_t size = bytes(elements);
        const std::size_t chip = chipOf(second);
        std::int64_t taken =
            m_bus[chip].take(std::int64_t(time), compatPassNs(size, m_hardware.busBytesPerNs));
        if (chip != chipOf(first)) {
            taken = std::int64_t(double(taken) + double(size) / m_hardware.offChipBytesPerNs);
            m_result.chipBytes += size;
        }
        a.now += double(taken);
        b.now += double(taken);
        m_busBytes[chip] += size;
        m_result.coreBytes += size;
        m_result.cores[second].transferNs += double(taken);
        m_result.cores[first].transferNs += double(taken);
    }

    tl::unexpected<Error> deadlock(std::uint32_t group) const {
        std::string who;
        int named = 0;
        for (std::size_t transfer = 0; transfer < m_waiting.size() && named < 4; ++transfer)
            if (m_waiting[transfer].block != kNoBlock) {
                who += fmt::format("{}core {} in transfer {}", named == 0 ? "" : ", ",
                                   m_stream.blocks[m_waiting[transfer].block].core, transfer);
                ++named;
            }
        return fail(ErrorCode::InvalidFile,
                    fmt::format("cores wait for each other forever in group {}: {}", group, who), {},
                    "put the transfers of both cores into the same order");
    }

    void finish() {
        for (std::size_t core = 0; core < m_clocks.size(); ++core) {
            m_result.cores[core].clockNs = m_clocks[core].now;
            if (m_clocks[core].now > m_result.periodNs) {
                m_result.periodNs = m_clocks[core].now;
                m_result.criticalCore = int(core);
            }
        }
        for (std::size_t chip = 0; chip < m_memory.size(); ++chip) {
            m_result.memoryBoundNs =
                std::max(m_result.memoryBoundNs, double(m_memoryBytes[chip]) / m_hardware.globalBytesPerNs);
            m_result.busBoundNs =
                std::max(m_result.busBoundNs, double(m_busBytes[chip]) / m_hardware.busBytesPerNs);
        }
        if (m_stream.cores > 0)
            m_result.issueBoundNs = double(m_result.counts[std::size_t(CompatOp::Mvm)]) * m_hardware.issueNs /
                                    double(std::max<std::size_t>(m_stream.cores, chipCores()));
    }
    /// Cores of the chips that are used, idle ones included.
    std::size_t chipCores() const { return m_memory.size() * std::size_t(m_hardware.coresPerChip); }

    const CompatStream& m_stream;
    const CompatHardware& m_hardware;
    const TaskContext& m_task;
    std::vector<CompatClock> m_clocks;
    std::vector<std::int64_t> m_groupStart; ///< A: of the last product of an array group; 0: none yet.
    std::vector<Point> m_waiting;           ///< By transfer.
    std::vector<BusyTime> m_memory, m_bus;  ///< By chip.
    std::vector<std::int64_t> m_memoryBytes, m_busBytes;
    CompatResult m_result;
};

} // namespace

CompatHardware compatHardware(const CrossbarChip& chip) {
    CompatHardware hardware;
    hardware.coresPerChip = chip.coresPerChip();
    hardware.issueNs = chip.mvmIssueNs;
    hardware.vectorBytes = chip.vectorBytes;
    hardware.vectorNs = chip.vectorNs;
    hardware.localBytesPerNs = chip.localBytesPerNs;
    hardware.globalBytesPerNs = chip.globalBytesPerNs;
    if (chip.connection == CrossbarConnection::Bus)
        hardware.busBytesPerNs = chip.connectionBytesPerNs;
    if (chip.offChipBytesPerNs > 0)
        hardware.offChipBytesPerNs = chip.offChipBytesPerNs;
    hardware.elementBits = chip.activationBits;
    return hardware;
}

CrossbarChip chipOfReferee(CrossbarChip chip, CrossbarReferee referee) {
    if (referee == CrossbarReferee::PimcompCompat)
        chip.mvmNs = CompatHardware{}.mvmNs;
    return chip;
}

Result<CompatResult> evaluateCompat(const CompatStream& stream, const CompatHardware& hardware,
                                    const TaskContext& task) {
    return Evaluation(stream, hardware, task).run();
}

Result<CompatResult> compatPeriod(const CrossbarProgram& program, const CompatHardware& hardware) {
    PIM_TRY(const CompatStream stream, compatStream(program));
    return evaluateCompat(stream, hardware);
}

std::string compatTarget(const std::string& letters) {
    constexpr std::array<std::pair<const char*, const char*>, 10> kIds{{{"D", "pimcomp-default"},
                                                                        {"A96", "isaac"},
                                                                        {"A12", "isaac-12"},
                                                                        {"Ap", "isaac-p"},
                                                                        {"B128", "puma"},
                                                                        {"B16", "puma-16"},
                                                                        {"Bp", "puma-p"},
                                                                        {"C8", "arch-c"},
                                                                        {"C1", "arch-c-1"},
                                                                        {"Cp", "arch-c-p"}}};
    for (const auto& [from, to] : kIds)
        if (letters == from)
            return to;
    return letters;
}

} // namespace pim
