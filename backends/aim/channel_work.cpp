// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/channel_work.h"

#include <algorithm>

namespace pim::aim {

using dram::ceilDiv;

Timing::Timing(const Target& target) {
    const dram::Cycles cycles(target);
    nsPerCycle = cycles.nsPerCycle();
    macGap = cycles("timing.nCCDAB", 2);
    loadGap = cycles("timing.nBL", 2);
    const double open = cycles("timing.nRCDMAC", 56), mode = cycles("timing.nMODCH", 32);
    rowFixed = cycles("timing.nRTP", 12) + cycles("timing.nRP", 32);
    openFixed = open - macGap;
    const double afterRead =
        cycles("timing.nRegisterRead", 0) + cycles("timing.nBL", 2) + cycles("timing.nRTW", 1);
    constexpr double kBus = 1; // until the bus is free for TMOD
    resultFixed = 2 * (kBus + mode) + afterRead - macGap;
    pieceFixed = 2 * (kBus + mode) - loadGap - macGap;
    sweepFixed = open - mode;
    modeFixed = 2 * mode;
    mulGap = cycles("timing.nCCDS", 2);
    mulRowOpen = cycles("timing.nRCDEWMUL", 25) - mulGap;
    mulRowClose = cycles("timing.nCWL", 6) + cycles("timing.nWR", 33) + cycles("timing.nRP", 32);
    mulElements = std::max<std::int64_t>(1, static_cast<std::int64_t>(cycles("command.EWMUL.elements", 64)));
    refreshes = target.isOn("policy.refresh");
}

ChannelModel::ChannelModel(const TilingSpace& space, const Target& target,
                           const std::vector<Residency>& residency, bool groupCommands, const Passes& passes)
    : m_space(space), m_timing(target), m_machine(movementMachine(target)), m_residency(residency),
      m_operands(space.kernel(), dram::residentOnes(residency)), m_padded(groupCommands), m_passes(passes) {
    m_rowBursts = std::max<std::int64_t>(1, m_machine.rowBytes / m_machine.burstBytes);
    for (std::size_t t = 0; t < space.kernel().tensors.size(); ++t)
        if (space.kernel().tensors[t].role != TensorRole::Input)
            m_output = static_cast<int>(t);
}

dram::DotProducts ChannelModel::work(const DraftSummary& draft) const {
    return m_operands.of(draft, m_space.resources().simdLanes);
}

std::int64_t ChannelModel::bufferSets(const DraftSummary& draft, const dram::DotProducts& work) {
    if (work.bufferTensor < 0)
        return 1;
    const std::int64_t sharing = draft.tensors[static_cast<std::size_t>(work.bufferTensor)].coresPerCopy;
    return ceilDiv(draft.coresUsed, std::max<std::int64_t>(1, sharing));
}

void ChannelModel::products(const DraftSummary& draft, ChannelWork& channel) const {
    const dram::DotProducts work = this->work(draft);
    channel.bufferSets = bufferSets(draft, work);
    channel.dots = dotsOf(work, m_rowBursts, m_timing.costs(), m_passes.stationary);
    const Dots& dots = channel.dots;
    const auto times = [](std::int64_t count, double each) { return static_cast<double>(count) * each; };
    channel.cycles = times(dots.rows(), m_timing.rowFixed) + times(dots.unhiddenRows(), m_timing.openFixed) +
                     times(dots.macs(), m_timing.macGap) + times(dots.results(), m_timing.resultFixed) +
                     times(dots.midPieces(), m_timing.pieceFixed) + times(dots.starts(), m_timing.sweepFixed);
    if (!m_passes.overlap) // nothing hides the opening of any row
        channel.cycles += times(dots.rows() - dots.unhiddenRows() - dots.starts(), m_timing.openFixed);
    // A streamed operand that goes into the buffer once is input rearrangement; loading it again is part of
    // the work, and so is loading what does not come from the host's memory.
    const bool streamed = work.bufferTensor >= 0 &&
                          m_residency[static_cast<std::size_t>(work.bufferTensor)] != Residency::Resident;
    channel.firstLoads = streamed ? dots.sweeps() * dots.vectorBursts() : 0;
    channel.cycles += times(dots.loads() - channel.firstLoads, m_timing.loadGap);
    channel.cycles = m_timing.modeFixed + times(channel.bufferSets, channel.cycles);
    // One word of all banks a result; the time is in the compute phase.
    const TensorShare& share = draft.tensors[static_cast<std::size_t>(m_output)];
    channel.read.busBursts = channel.bufferSets * dots.results();
    const double partial =
        static_cast<double>(share.partialCores * share.partialGroups * dots.resultsOfVector());
    const double results = static_cast<double>(share.groupElements) * static_cast<double>(draft.groupsUsed) /
                           static_cast<double>(std::max<std::int64_t>(1, share.partialGroups));
    if (m_machine.hostAddsPerNs > 0)
        channel.read.ns = results * (partial - 1) / m_machine.hostAddsPerNs;
}

/// bank0 * bank1 -> bank2 in each bank group. [aim_simulator 0f28a07, EWMUL]
void ChannelModel::multiply(const DraftSummary& draft, ChannelWork& channel) const {
    channel.isMultiply = true;
    channel.multiplies = ceilDiv(draft.iterationsPerCore * draft.coresUsed, m_timing.mulElements);
    channel.multiplyRows = ceilDiv(channel.multiplies, m_rowBursts);
    channel.cycles =
        static_cast<double>(channel.multiplies) * m_timing.mulGap +
        static_cast<double>(channel.multiplyRows) * m_timing.mulRowOpen +
        static_cast<double>(std::max<std::int64_t>(0, channel.multiplyRows - 1)) * m_timing.mulRowClose;
    channel.read = readTiles(m_machine, draft, m_output, elementBytes(m_output));
}

ChannelWork ChannelModel::of(const DraftSummary& draft) const {
    ChannelWork channel;
    const Kernel& kernel = m_space.kernel();
    if (kernel.body == BodyKind::Elementwise)
        multiply(draft, channel);
    else
        products(draft, channel);
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        if (kernel.tensors[t].role == TensorRole::Output || m_residency[t] == Residency::Resident)
            continue;
        const int tensor = static_cast<int>(t);
        ChannelWork::Write write{tensor, writeTiles(m_machine, draft, tensor, elementBytes(tensor), m_padded),
                                 false};
        write.toBuffer = !channel.isMultiply && tensor == m_operands.buffer();
        if (write.toBuffer) {
            write.movement.busBursts = channel.bufferSets * channel.firstLoads;
            write.movement.ns =
                static_cast<double>(write.movement.busBursts) * m_timing.loadGap * m_timing.nsPerCycle +
                static_cast<double>(write.movement.blocks) * m_machine.firstAccessNs;
        }
        channel.writes.push_back(write);
    }
    return channel;
}

} // namespace pim::aim
