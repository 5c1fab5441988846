// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/schedule.h"

#include <algorithm>
#include <cmath>

namespace pim::attacc {
namespace {

using dram::ceilDiv;

std::vector<bool> residentOnes(const std::vector<Residency>& residency) {
    std::vector<bool> resident;
    for (const Residency r : residency)
        resident.push_back(r == Residency::Resident);
    return resident;
}

bool uses(const TensorAccess& access, int loop) {
    return std::any_of(access.index.begin(), access.index.end(), [loop](const AffineExpr& expr) {
        return std::any_of(expr.terms.begin(), expr.terms.end(),
                           [loop](const AffineTerm& term) { return term.loop == loop; });
    });
}

/// O[h][m][d] += softmax(Q[h][m][d] * K[h][l][d]) * V[h][l][d]: what each loop is.
enum Part { kHeads, kRows, kKeys, kFeatures };
std::vector<int> attentionLoops(const Kernel& kernel, int& query) {
    std::vector<const TensorAccess*> reads; // Q, K, V in this order
    for (const TensorAccess& access : kernel.accesses)
        if (!access.isWrite &&
            kernel.tensors[static_cast<std::size_t>(access.tensor)].role == TensorRole::Input)
            reads.push_back(&access);
    std::vector<int> parts(kernel.loops.size(), kHeads);
    if (reads.size() < 3)
        return parts;
    query = reads[0]->tensor;
    for (std::size_t l = 0; l < parts.size(); ++l) {
        const int loop = static_cast<int>(l);
        const bool q = uses(*reads[0], loop), k = uses(*reads[1], loop);
        const bool last =
            !reads[0]->index.empty() &&
            std::any_of(reads[0]->index.back().terms.begin(), reads[0]->index.back().terms.end(),
                        [loop](const AffineTerm& term) { return term.loop == loop; });
        parts[l] = q && !k ? kRows : !q && k ? kKeys : last ? kFeatures : kHeads;
    }
    return parts;
}

} // namespace

Timing::Timing(const Target& target) {
    const dram::Cycles cycles(target);
    nsPerCycle = cycles.nsPerCycle();
    const double limited = cycles("timing.nCCDAB", 6);
    macGap = target.isOn("policy.powerLimit") ? limited : cycles("timing.nCCDAB.unlimited", limited);
    writeTurn = cycles("timing.nRCDWR", 19) + cycles("timing.nCWL", 6) + cycles("timing.nBL", 2) + cycles("timing.nWTRL", 11) - macGap;
    lastResult = 2 * (cycles("timing.nCL", 19) + cycles("timing.nBL", 2)) + cycles("timing.nCCDL", 4) + cycles("timing.nBL", 2);
    rowClose = cycles("timing.nRTPL", 8) + cycles("timing.nRP", 19);
    // The row must be open nRAS before it closes; short rows wait for that in priced().
    rowFixed = cycles("timing.nRCDRD", 19) + cycles("timing.nRTPL", 8) + cycles("timing.nRP", 19) - macGap;
    if (target.isOn("policy.allBankFaw")) { // ACTAB opens a rank's banks four by four
        const double banksOfRank = cycles("organisation.bankGroups", 4) * cycles("organisation.banks", 4);
        rowFixed += std::max(0.0, std::ceil(banksOfRank / 4) - 1) * cycles("timing.nFAW", 0);
    }
    moveGap = cycles("timing.nCCDS", 2) / std::max(1.0, cycles("organisation.pseudochannels", 2));
    refreshes = target.isOn("policy.refresh");
    const double flopsPerNs = target.number("unit.softmax.flops", "GFLOP/s").value_or(0); // of a stack
    const Level* const group = target.level("group");
    if (flopsPerNs > 0 && group)
        softmaxNsPerElement = target.numberOr("unit.softmax.flopsPerElement", 5) * group->count / flopsPerNs;
}

Scheduler::Scheduler(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                     bool groupCommands, bool broadcast)
    : m_space(space), m_timing(target), m_machine(movementMachine(target)), m_residency(residency),
      m_operands(space.kernel(), residentOnes(residency)), m_padded(groupCommands), m_broadcast(broadcast) {
    const std::int64_t access = m_machine.burstBytes;
    if (const Level* core = target.level("core"))
        if (const Memory* buffer = core->memory("GEMV buffer"))
            m_unit.bufferBursts = std::max<std::int64_t>(1, buffer->bytes / access);
    // A unit collects the results of 16 steps before one MVSB takes them. [AttAcc simulator c600051, trace
    // generator]
    m_unit.accumulators = space.resources().simdLanes;
    m_unit.rowBursts = std::max<std::int64_t>(1, m_machine.rowBytes / access);
    m_banksPerBankGroup =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(target.numberOr("organisation.banks", 4)));
    for (std::size_t t = 0; t < space.kernel().tensors.size(); ++t)
        if (space.kernel().tensors[t].role != TensorRole::Input)
            m_output = static_cast<int>(t);
    if (space.kernel().body == BodyKind::Attention)
        m_attentionLoops = attentionLoops(space.kernel(), m_query);
}

std::vector<int> Scheduler::bankTensors() const {
    if (m_attentionLoops.empty())
        return {m_operands.bank()};
    std::vector<int> tensors;
    for (std::size_t t = 0; t < m_residency.size(); ++t)
        if (m_space.kernel().tensors[t].role == TensorRole::Input && static_cast<int>(t) != m_query)
            tensors.push_back(static_cast<int>(t));
    return tensors;
}

/// The accumulator adds the banks of a bank group on the way; one MVSB carries 32 B of results of one bank
/// group.
std::int64_t Scheduler::movesOut(const DraftSummary& draft, std::int64_t results,
                                 std::int64_t partialCores) const {
    const std::int64_t sources =
        ceilDiv(draft.coresUsed, std::clamp<std::int64_t>(partialCores, 1, m_banksPerBankGroup));
    return sources * ceilDiv(results * elementBytes(m_output), m_machine.burstBytes);
}

void Scheduler::product(const DraftSummary& draft, Schedule& schedule) const {
    const dram::DotProducts work = m_operands.of(draft, m_space.resources().simdLanes);
    Sweep sweep;
    sweep.dots = dram::scheduleDots(work, m_unit, {m_timing.moveGap, m_timing.rowFixed, m_timing.moveGap});
    const TensorShare& out = draft.tensors[static_cast<std::size_t>(m_output)];
    sweep.moveOut = movesOut(draft, sweep.dots.allResults(), out.partialCores);
    bool streamed = false;
    if (work.bufferTensor >= 0) {
        const auto buffer = static_cast<std::size_t>(work.bufferTensor);
        sweep.operands = m_broadcast
                             ? ceilDiv(draft.coresUsed, std::max<std::int64_t>(1, draft.tensors[buffer].coresPerCopy))
                             : draft.coresUsed;
        streamed = m_residency[buffer] != Residency::Resident;
    }
    // First loads of a streamed operand are input rearrangement; of a resident one or of ones they are part
    // of the work.
    schedule.reloads = sweep.loads() - (streamed ? sweep.operands * sweep.dots.firstLoads : 0);
    schedule.sweeps.push_back(sweep);
}

void Scheduler::attention(const DraftSummary& draft, Schedule& schedule) const {
    std::int64_t tile[4] = {1, 1, 1, 1};
    for (std::size_t l = 0; l < m_attentionLoops.size(); ++l)
        tile[m_attentionLoops[l]] *= std::max<std::int64_t>(1, draft.loopTile[l]);
    const std::int64_t lanes = m_space.resources().simdLanes;
    const dram::DotCosts costs{m_timing.moveGap, m_timing.rowFixed, m_timing.moveGap};
    const std::int64_t cores = draft.coresUsed;
    const TensorShare& out = draft.tensors[static_cast<std::size_t>(m_output)];

    dram::DotProducts score; // keys in the bank, queries in the buffer
    score.batches = tile[kHeads];
    score.bankVectors = tile[kKeys];
    score.bufferVectors = tile[kRows];
    score.elements = tile[kFeatures];
    score.bursts = ceilDiv(score.elements, lanes);
    score.bufferTensor = m_query;
    Sweep first;
    first.dots = dram::scheduleDots(score, m_unit, costs);
    first.moveOut = movesOut(draft, first.dots.allResults(), draft.scorePartialCores);

    dram::DotProducts context; // values in the bank, probabilities in the buffer
    context.batches = tile[kHeads];
    context.bufferVectors = tile[kRows];
    context.elements = tile[kKeys];
    context.bufferTensor = score.bufferTensor;
    // Lanes along the keys, or along the features with one probability for all lanes: whatever wastes fewer.
    dram::DotProducts alongFeatures = context;
    context.bankVectors = tile[kFeatures];
    context.bursts = ceilDiv(tile[kKeys], lanes);
    alongFeatures.bankVectors = ceilDiv(tile[kFeatures], lanes);
    alongFeatures.bursts = tile[kKeys];
    const bool features = alongFeatures.macs() < context.macs();
    Sweep second;
    if (features) {
        dram::DotUnit scalars =
            m_unit; // a burst of the buffer holds as many probabilities as there are lanes
        scalars.bufferBursts *= lanes;
        second.dots = dram::scheduleDots(alongFeatures, scalars, costs);
        second.dots.firstLoads = ceilDiv(second.dots.loads, lanes) *
                                 (second.dots.firstLoads / std::max<std::int64_t>(1, second.dots.loads));
        second.dots.loads = ceilDiv(second.dots.loads, lanes);
    } else {
        second.dots = dram::scheduleDots(context, m_unit, costs);
    }
    second.moveOut = movesOut(draft, second.dots.allResults() * (features ? lanes : 1), out.partialCores);
    // Cores with the same keys share a broadcast: as many different pieces as there are splits of the keys
    // and heads.
    const std::int64_t pieces = ceilDiv(cores, std::max<std::int64_t>(1, draft.scorePartialCores));
    second.operands = pieces;
    second.fromSoftmax = true;
    first.operands = ceilDiv(
        cores, std::max<std::int64_t>(1, draft.tensors[static_cast<std::size_t>(m_query)].coresPerCopy));
    schedule.reloads = first.loads() - (m_residency[static_cast<std::size_t>(m_query)] != Residency::Resident
                                            ? first.operands * first.dots.firstLoads
                                            : 0);
    schedule.sweeps = {first, second};

    schedule.softmaxElements = static_cast<double>(score.results() * pieces);
    const std::int64_t headsOfChannel =
        score.batches * score.bufferVectors; // of one core; other cores run beside
    schedule.softmaxHidden = headsOfChannel > 1;
    if (draft.scorePartialGroups > 1) // scores are not complete within a channel
        schedule.scoreRoundTrips =
            2 * pieces * ceilDiv(score.results() * elementBytes(m_output), m_machine.burstBytes);
}

Schedule Scheduler::of(const DraftSummary& draft) const {
    Schedule schedule;
    schedule.outputTensor = m_output;
    const Kernel& kernel = m_space.kernel();
    const bool isAttention = kernel.body == BodyKind::Attention;
    if (isAttention)
        attention(draft, schedule);
    else
        product(draft, schedule);
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        if (kernel.tensors[t].role == TensorRole::Output || m_residency[t] == Residency::Resident)
            continue;
        const int tensor = static_cast<int>(t);
        Write write{tensor, writeTiles(m_machine, draft, tensor, elementBytes(tensor), m_padded), false};
        write.toBuffer = tensor == (isAttention ? m_query : m_operands.buffer());
        if (write.toBuffer) { // SRAM: no rows, and the banks do not slow it down
            write.movement.busBursts =
                schedule.sweeps.front().operands * schedule.sweeps.front().dots.firstLoads;
            write.movement.ns =
                m_machine.withRefreshNs(static_cast<double>(write.movement.busBursts) * m_machine.burstNs) +
                static_cast<double>(write.movement.blocks) * m_machine.firstAccessNs;
        }
        schedule.writes.push_back(write);
    }
    schedule.read = readMerged(m_machine, draft, m_output, elementBytes(m_output));
    return schedule;
}

} // namespace pim::attacc
