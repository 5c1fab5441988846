// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/aim/aim_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pim {
namespace {

using G = AimGeometry;
using Kind = AimCommandKind;

constexpr std::int64_t kChunk = std::int64_t(G::kBurstsPerRow) * G::kLanes;
constexpr std::int64_t kHighest = std::int64_t(1) << 40;
constexpr std::int64_t kMostCommands = 200'000'000; ///< A few seconds.
constexpr int kBankGroups = 4;

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// One channel: commands in order, each at the first clock all rules allow.
class AimChannel {
public:
    AimChannel(const AimTiming& timing, std::vector<AimCommand>* log)
        : m_timing(timing), m_log(log), m_refreshDue(timing.nREFI) {}

    void writeBias() {
        mode(true);
        issue(Kind::WrMac16, m_timing.nCCD);
    }
    void writeBuffer(std::int64_t bursts) {
        mode(true);
        for (std::int64_t i = 0; i < bursts; ++i)
            issue(Kind::WrGb, m_timing.nCCD, -1, static_cast<int>(i));
    }
    void readSums() {
        mode(true);
        issue(Kind::RdMac16, m_timing.readReturn);
        m_done = m_ready;
    }
    void multiplyAccumulate(std::int64_t row, std::int64_t bursts) {
        mode(false);
        open(row, m_timing.nRCDMAC);
        for (std::int64_t i = 0; i < bursts; ++i) {
            issue(Kind::Mac16, m_timing.nCCD, static_cast<int>(row), static_cast<int>(i));
            m_mayClose = std::max(m_mayClose, m_last + m_timing.nRTP);
        }
        m_done = m_last + m_timing.columnDone;
    }
    void multiply(std::int64_t row, std::int64_t bursts) {
        mode(false);
        open(row, m_timing.nRCDEWMUL);
        for (std::int64_t i = 0; i < bursts; ++i) {
            issue(Kind::Ewmul16, m_timing.nCCD, static_cast<int>(row), static_cast<int>(i));
            m_mayClose = std::max(m_mayClose, m_last + m_timing.nCWL + m_timing.nWR);
        }
        m_done = m_last + m_timing.columnDone;
    }
    AimCost cost() const {
        AimCost cost = m_cost;
        cost.cycles = m_done;
        return cost;
    }

private:
    void issue(Kind kind, int busy, int row = -1, int column = -1) {
        m_last = m_ready;
        m_ready = m_last + busy;
        ++m_cost.perChannel[static_cast<std::size_t>(kind)];
        if (m_log != nullptr)
            m_log->push_back({m_last, kind, row, column});
    }
    /// The switch needs no gap of a column command: it follows on the next clock.
    void mode(bool registers) {
        if (registers == m_registers)
            return;
        m_registers = registers;
        m_ready = m_last + 1;
        issue(Kind::ModeChange, m_timing.nMODCH);
        refreshIfDue();
    }
    void close() {
        if (m_row < 0)
            return;
        m_ready = std::max(m_ready, m_mayClose);
        issue(Kind::PreA, m_timing.nRP);
        m_row = -1;
    }
    void refreshIfDue() {
        for (; m_timing.refresh && m_ready >= m_refreshDue; m_refreshDue += m_timing.nREFI) {
            close();
            issue(Kind::RefAb, m_timing.nRFC);
        }
    }
    void open(std::int64_t row, int toColumn) {
        if (m_row == row)
            return;
        close();
        refreshIfDue();
        m_ready = std::max(m_ready, m_mayOpen);
        issue(Kind::Act16, toColumn, static_cast<int>(row));
        m_mayClose = m_last + m_timing.nRAS;
        m_mayOpen = m_last + m_timing.nRC;
        m_row = row;
    }

    AimTiming m_timing;
    std::vector<AimCommand>* m_log;
    AimCost m_cost;
    bool m_registers = false;
    std::int64_t m_row = -1;
    std::int64_t m_last = 0;  ///< Clock of the last command.
    std::int64_t m_ready = 1; ///< Earliest clock of the next one.
    std::int64_t m_done = 0;  ///< Clock at which all is done.
    std::int64_t m_mayClose = 0, m_mayOpen = 0;
    std::int64_t m_refreshDue = 0;
};

void gemv(const AimShape& shape, AimChannel& channel) {
    const std::int64_t tiles = shape.outTiles(), chunks = shape.inChunks();
    const auto bursts = [&](std::int64_t chunk) {
        return ceilDiv(std::min(kChunk, shape.in - chunk * kChunk), std::int64_t(G::kLanes));
    };
    for (std::int64_t vector = 0; vector < shape.batch; ++vector) {
        if (shape.dataflow == AimDataflow::OutputStationary) {
            for (std::int64_t tile = 0; tile < tiles; ++tile) {
                channel.writeBias();
                for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                    channel.writeBuffer(bursts(chunk));
                    channel.multiplyAccumulate(tile * chunks + chunk, bursts(chunk));
                }
                channel.readSums();
            }
        } else {
            for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
                channel.writeBuffer(bursts(chunk));
                for (std::int64_t tile = 0; tile < tiles; ++tile) {
                    channel.writeBias();
                    channel.multiplyAccumulate(tile * chunks + chunk, bursts(chunk));
                    channel.readSums();
                }
            }
        }
    }
}

void ewmul(const AimShape& shape, AimChannel& channel) {
    std::int64_t left = shape.columns();
    for (std::int64_t row = 0; left > 0; ++row, left -= G::kBurstsPerRow)
        channel.multiply(row, std::min<std::int64_t>(left, G::kBurstsPerRow));
}

} // namespace

std::string_view name(AimKernelKind kind) {
    return kind == AimKernelKind::Gemv ? "gemv" : "ewmul";
}

std::string_view name(AimDataflow dataflow) {
    return dataflow == AimDataflow::OutputStationary ? "os" : "is";
}

std::string_view name(AimCommandKind kind) {
    static constexpr std::string_view kNames[] = {"ACT16",   "PREA",    "MAC16", "EWMUL16", "WRGB",
                                                  "WRMAC16", "RDMAC16", "TMOD",  "REFab"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::int64_t AimShape::outTiles() const {
    return ceilDiv(out, std::int64_t(G::kBanks) * channels);
}

std::int64_t AimShape::inChunks() const {
    return ceilDiv(in, kChunk);
}

std::int64_t AimShape::columns() const {
    return ceilDiv(length, std::int64_t(kBankGroups) * G::kLanes * channels);
}

Result<void> checkAimShape(const AimShape& shape) {
    const auto bad = [&](std::string message, std::string hint = {}) {
        return fail(ErrorCode::Usage, std::move(message), fmt::format("kernel {}", name(shape.kind)),
                    std::move(hint));
    };
    if (shape.channels < 1 || shape.channels > G::kChannels)
        return bad(fmt::format("{} channels, aim has 1 to {}", shape.channels, int(G::kChannels)));
    const auto inRange = [](std::int64_t value) { return value >= 1 && value <= kHighest; };
    std::int64_t rows = 0;
    if (shape.kind == AimKernelKind::Gemv) {
        if (!inRange(shape.out) || !inRange(shape.in) || !inRange(shape.batch))
            return bad(fmt::format("{} outputs, {} inputs, batch {}: each must be 1 to 2^40", shape.out,
                                   shape.in, shape.batch));
        const std::int64_t tiles = shape.outTiles(), chunks = shape.inChunks();
        rows = tiles > G::kRows || chunks > G::kRows ? std::int64_t(G::kRows) + 1 : tiles * chunks;
        if (rows <= G::kRows && rows * 2 * G::kBurstsPerRow > kMostCommands / shape.batch)
            return bad(fmt::format("batch {} of {} x {} is more than {} commands per channel", shape.batch,
                                   shape.out, shape.in, kMostCommands),
                       "simulate a smaller batch; its cycles scale");
    } else {
        if (!inRange(shape.length))
            return bad(fmt::format("{} elements, allowed are 1 to 2^40", shape.length));
        rows = ceilDiv(shape.columns(), std::int64_t(G::kBurstsPerRow));
    }
    if (rows > G::kRows)
        return bad(fmt::format("the operands need more than the {} rows of a bank on {} channels",
                               int(G::kRows), shape.channels),
                   "use more channels or split the operands");
    return {};
}

Result<AimCost> runAimKernel(const AimShape& shape, const AimTiming& timing, std::vector<AimCommand>* log) {
    PIM_CHECK(checkAimShape(shape));
    AimChannel channel(timing, log);
    if (shape.kind == AimKernelKind::Gemv)
        gemv(shape, channel);
    else
        ewmul(shape, channel);
    return channel.cost();
}

std::string aimLogCsv(const std::vector<AimCommand>& log) {
    std::string text = "cycle,cmd,row,col\n";
    for (const AimCommand& command : log)
        fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", command.cycle, name(command.kind),
                       command.row, command.column);
    return text;
}

} // namespace pim
