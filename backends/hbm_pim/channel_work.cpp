// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/hbm_pim/channel_work.h"

#include "backends/dram_pim/machine.h"
#include "backends/hbm_pim/compute_stream.h"
#include "backends/hbm_pim/lower_bound.h"
#include "backends/hbm_pim/step_timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pim::hbm {
namespace {

using dram::ceilDiv;
using G = HbmPimGeometry;

Distances distancesOf(const Target& target) {
    const auto clocks = [&target](const char* name, std::int64_t fallback) {
        return std::int64_t(target.numberOr(std::string("timing.") + name, double(fallback)));
    };
    const std::int64_t burst = clocks("nBL", 2), read = clocks("nCL", 20), write = clocks("nCWL", 8) + burst;
    Distances d;
    d.column = clocks("nCCDL", 4);
    d.otherColumn = std::max(burst, clocks("nCCDS", 2));
    d.readToWrite = read + burst + clocks("nRTRS", 2) - clocks("nCWL", 8);
    d.writeToRead = write + clocks("nWTRL", 9);
    d.openToRead = clocks("nRCDRD", 14);
    d.openToWrite = clocks("nRCDWR", 10);
    d.openToClose = clocks("nRAS", 33);
    d.openAgain = clocks("nRC", 47);
    d.readToClose = clocks("nRTPL", 5);
    d.writeToClose = write + clocks("nWR", 16);
    d.closeToOpen = clocks("nRP", 14);
    d.open = clocks("nRRDS", 4);
    d.openInGroup = clocks("nRRDL", 6);
    d.window = clocks("nFAW", 16);
    d.readDone = read + burst;
    d.writeDone = write;
    d.refresh = clocks("nRFC", 350);
    d.refreshInterval = clocks("nREFI", 3900);
    d.allBankWindow = target.isOn("policy.allBankFaw") ? d.window : 0;
    return d;
}

/// Banks of single-bank mode that open a row, are accessed and close it again, blocks in the order in which
/// code_streams.cpp takes them: halves of the channel, ranks, bank groups in turn.
class BankRows {
public:
    BankRows(const Machine& machine, int cores, int banksOfCore) : m_distances(machine.distances) {
        const Distances& d = m_distances;
        const bool spread = machine.passes.spreadBlocks;
        const auto shareOf = [cores](int units) { return int(ceilDiv(cores, units)); };
        const int ranks = spread ? std::min(cores, machine.ranks()) : shareOf(G::kBlocks);
        const int fullest = spread ? shareOf(machine.ranks()) : std::min(cores, G::kBlocks);
        const int ranksOfBus = std::max(1, machine.ranks() / machine.buses());
        const bool groups = spread ? fullest > 1 : cores > 2; // one after the other
        m_openToOpen = std::max<std::int64_t>(groups ? d.open : d.openInGroup, ranks);
        const std::int64_t opened = std::int64_t(fullest) * banksOfCore - 1; // after the first
        m_lastOpen =
            std::max(opened * m_openToOpen, opened / 4 * d.window + opened % 4 * m_openToOpen) + ranks - 1;
        const int onBus =
            (spread ? shareOf(machine.buses()) : std::min(cores, ranksOfBus * G::kBlocks)) * banksOfCore;
        const int inGroup = (spread ? shareOf(machine.ranks() * G::kBankGroups)
                                    : std::min(cores, G::kBlocks / G::kBankGroups)) *
                            banksOfCore;
        m_columnTicks = std::max<std::int64_t>(
            {std::int64_t(cores) * banksOfCore, onBus * d.otherColumn, inGroup * d.column});
    }
    /// \p columns of all banks.
    std::int64_t lastAccess(std::int64_t columns, bool write) const {
        const std::int64_t ready = write ? m_distances.openToWrite : m_distances.openToRead;
        return std::max(std::max(m_lastOpen + 1, ready) + columns * m_columnTicks - m_distances.otherColumn,
                        m_lastOpen + ready);
    }
    std::int64_t close(std::int64_t columns, bool write) const {
        return std::max(lastAccess(columns, write) +
                            (write ? m_distances.writeToClose : m_distances.readToClose),
                        m_lastOpen + m_distances.openToClose);
    }
    /// From one row to the next.
    std::int64_t period(std::int64_t columns, bool write) const {
        return close(columns, write) + m_distances.closeToOpen;
    }

private:
    Distances m_distances;
    std::int64_t m_openToOpen = 0, m_lastOpen = 0, m_columnTicks = 0;
};

/// Rows that the host accesses one after the other, in clocks.
struct HostRows {
    double ticks = 0;    ///< From the first to where another row could open.
    double last = 0;     ///< Of that, the last row.
    double lastDone = 0; ///< Of the last row, from its beginning until it is read and closing.
    /// \p columns of all banks in each.
    void add(std::int64_t rows, const BankRows& banks, std::int64_t columns, bool write, const Distances& d) {
        if (rows <= 0)
            return;
        last = double(banks.period(columns, write));
        lastDone =
            double(std::max(banks.close(columns, write) + 1, banks.lastAccess(columns, write) + d.readDone));
        ticks += double(rows) * last;
    }
};

HostRows inputRows(const CodePlan& plan, int cores) {
    HostRows rows;
    for (const auto& parts : plan.writes(false)) {
        const Segment& place = parts.front().segment;
        std::int64_t columns = 0;
        for (const CodePlan::Part& part : parts)
            columns += part.segment.columns;
        rows.add(place.rows, BankRows(plan.machine(), cores, place.banks), columns, true,
                 plan.machine().distances);
    }
    return rows;
}

HostRows outputRows(const CodePlan& plan, int cores) {
    HostRows rows;
    const Distances& d = plan.machine().distances;
    if (plan.oneRow()) {
        rows.add(1, BankRows(plan.machine(), cores, 1), plan.results(), false, d);
        return rows;
    }
    if (plan.form() == Form::Map) {
        rows.add(plan.units(), BankRows(plan.machine(), cores, 2), plan.machine().registers, false, d);
        return rows;
    }
    const BankRows banks(plan.machine(), cores, 1);
    const std::int64_t perRow = plan.groupsOfRow(), inner = plan.innerResults();
    const std::int64_t outer = plan.batches() * plan.outerResults();
    rows.add(outer * (inner / perRow), banks, perRow * plan.results(), false, d);
    if (inner % perRow > 0)
        rows.add(outer, banks, inner % perRow * plan.results(), false, d);
    return rows;
}

/// Clocks that the products of all sweeps take at least.
double productTicks(const CodePlan& plan) {
    const bool lanes = plan.form() == Form::Lanes;
    const std::int64_t bursts = lanes ? (plan.tiles() - 1) * plan.machine().registers + plan.lastBursts()
                                      : plan.tiles() * CodePlan::kScalars;
    return double(plan.batches() * plan.bufferVectors() * plan.sweeps() * bursts * plan.machine().registers *
                  plan.machine().distances.column);
}

/// All banks of the channel at the row without data, and the four activations that enter all-bank mode, in
/// clocks.
struct ModeRows {
    double park = 0;     ///< To where the next row could open.
    double parkDone = 0; ///< Until the data is read and the rows are closing.
    double enter = 0;
};

ModeRows modeRows(const Machine& machine) {
    const Distances& d = machine.distances;
    if (machine.passes.modeSequence)
        return {0, 0, double(d.enter() + d.openToClose + d.closeToOpen)};
    HostRows parked;
    parked.add(1, BankRows(machine, machine.blocks, 2), 1, false, d);
    return {parked.ticks, parked.lastDone,
            double(2 * d.openInGroup + d.open + d.openToClose + d.closeToOpen)};
}

} // namespace

Result<Machine> Machine::of(const Target& target, const CodePasses& passes) {
    Machine machine;
    machine.passes = Passes(passes);
    const Level* const core = target.level("core");
    machine.blocks = core ? core->count : 0;
    machine.registers = int(target.numberOr("register.GRF.entries", 8));
    machine.distances = distancesOf(target);
    if (machine.registers != 8 && machine.registers != 16)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("register files of {}, code is made for 8 or 16", machine.registers),
                    "/parameters/register.GRF.entries");
    if (machine.blocks < 8 || machine.blocks % 8 != 0)
        return fail(
            ErrorCode::InvalidTarget,
            fmt::format("{} blocks per pseudo-channel, code is made for a multiple of 8", machine.blocks),
            "/levels/core/count", "two blocks in each of four bank groups, or several such ranks");
    return machine;
}

PhaseTicks phaseTicks(const CodePlan& plan, const MapFunction& function, int cores) {
    StepTimer timer(plan.machine().distances);
    std::vector<PimWord> constants;
    ComputeStream<StepTimer> stream(plan, timer, constants);
    const ModeRows mode = modeRows(plan.machine());
    PhaseTicks ticks;
    stream.begin(function);
    const auto begun = double(timer.phaseDone());
    stream.compute(function);
    const auto computed = double(timer.phaseDone());
    stream.finish();
    ticks.modeOn = mode.park + mode.enter + begun;
    ticks.compute = computed - begun;
    ticks.modeOff = double(timer.phaseDone()) - computed + mode.parkDone;
    const Distances& d = plan.machine().distances;
    const double rows = inputRows(plan, cores).ticks;
    ticks.input = std::max(0.0, rows - double(d.closeToOpen));
    const HostRows results = outputRows(plan, cores);
    ticks.output = plan.keeps() ? 0 : results.ticks - results.last + results.lastDone;
    const auto reopen = double(d.closeToOpen - 1); // after a phase that ends with rows being closed
    if (begun == 0) {                              // the first sweep waits for the rows of the mode
        ticks.modeOn -= reopen;
        ticks.compute += reopen;
    }
    ticks.modeOn += rows > 0 ? reopen : 0;
    if (plan.keeps()) // the mode stays, the result as well
        ticks.modeOff = 0;
    if (plan.staysInMode())
        ticks.modeOn = begun;
    else if (plan.takes()) { // out of the mode for the other operands
        StepTimer leaving(d);
        ComputeStream<StepTimer>(plan, leaving, constants).finish();
        ticks.modeOn += double(leaving.phaseDone());
    }
    if (plan.keeps())
        return ticks;
    ticks.output += plan.machine().passes.modeSequence ? reopen : std::max(0.0, mode.park - mode.parkDone);
    return ticks;
}

PhaseTicks withRefresh(const PhaseTicks& ticks, const CodePlan& plan, int cores) {
    const Distances& d = plan.machine().distances;
    if (d.refresh <= 0 || d.refreshInterval <= d.refresh)
        return ticks;
    // A refresh that falls due while rows are open for the last time in a phase goes out in the next one.
    double lastOpen = ticks.compute;
    if (plan.oneRow())
        lastOpen = ticks.compute;
    else if (plan.form() == Form::Map)
        lastOpen /= plan.rowsOfUnit() == 1 ? 1 : double(plan.units());
    else // results are stored
        lastOpen = double(d.openToWrite + d.allBankWindow + (plan.results() - 1) * d.column + d.writeToClose);
    const auto park = plan.machine().passes.modeSequence
                          ? 0
                          : double(BankRows(plan.machine(), plan.machine().blocks, 2).close(1, false));
    const std::tuple<double PhaseTicks::*, double> phases[] = {
        {&PhaseTicks::input, inputRows(plan, cores).last},
        {&PhaseTicks::modeOn, 0},
        {&PhaseTicks::compute, lastOpen},
        {&PhaseTicks::modeOff, park},
        {&PhaseTicks::output, outputRows(plan, cores).last}};
    PhaseTicks result = ticks;
    const auto interval = double(d.refreshInterval), refresh = double(d.refresh);
    double now = 0, due = interval;
    // As many refreshes of \p length as fall due, \p every so long, before a phase is over that each of them makes longer.
    const auto addDue = [&](double& phase, double before, double every, double length) {
        const double sure = std::floor((now + phase - before - due) / (every - length)) - 1;
        if (sure > 0) {
            phase += sure * length;
            due += sure * every;
        }
        for (; due < now + phase - before; due += every)
            phase += length;
    };
    for (const auto& [phase, last] : phases) {
        addDue(result.*phase, last, interval, refresh);
        addDue(result.*phase, interval, 2 * interval, 2 * refresh); // put off no longer: rows close for it
        now += result.*phase;
    }
    return result;
}

CodePlan planOf(const DotTask& task, const Machine& machine) {
    if (task.sum)
        return {task, Form::Sum, machine};
    CodePlan lanes(task, Form::Lanes, machine);
    if (task.fill)
        return lanes;
    CodePlan scalars(task, Form::Scalars, machine);
    if (!scalars.fits() || !lanes.fits())
        return scalars.fits() ? scalars : lanes;
    const PhaseTicks byLanes = phaseTicks(lanes, {}, task.cores);
    if (byLanes.compute + byLanes.output <= productTicks(scalars))
        return lanes;
    return byLanes.total() <= phaseTicks(scalars, {}, task.cores).total() ? lanes : scalars;
}

ChannelModel::ChannelModel(const TilingSpace& space, const Target& target,
                           const std::vector<Residency>& residency, const CodePasses& passes)
    : m_space(space), m_machine(Machine::of(target, passes).value_or(Machine{})), m_residency(residency),
      m_operands(space.kernel(), dram::residentOnes(residency)),
      m_hostAddsPerNs(movementMachine(target).hostAddsPerNs), m_refreshes(target.isOn("policy.refresh")) {
    const Kernel& kernel = space.kernel();
    m_map = mapTaskOf(kernel, residency);
    m_output = m_map.outputTensor;
    if (kernel.body == BodyKind::Elementwise)
        m_function = MapFunction::of(kernel, int(m_map.inputs.size())).value_or(MapFunction{});
}

DotTask ChannelModel::dotTaskOf(const DraftSummary& draft) const {
    DotTask task;
    task.work = m_operands.of(draft, kPimLanes);
    task.sum = m_space.kernel().body == BodyKind::Reduce;
    task.outputTensor = m_output;
    task.cores = int(draft.coresUsed);
    task.bankResident = m_residency[std::size_t(m_operands.bank())] == Residency::Resident;
    if (m_operands.buffer() >= 0) {
        const auto buffer = std::size_t(m_operands.buffer());
        task.bufferResident = m_residency[buffer] == Residency::Resident;
        task.fill = !task.sum &&
                    (draft.tensors[buffer].coresPerCopy < draft.coresUsed || !m_machine.passes.broadcast);
    }
    return task;
}

CodePlan ChannelModel::planOf(const DraftSummary& draft) const {
    if (m_space.kernel().body != BodyKind::Elementwise)
        return hbm::planOf(dotTaskOf(draft), m_machine);
    MapTask task = m_map;
    std::int64_t elements = 1;
    for (const std::int64_t tile : draft.loopTile)
        elements *= std::max<std::int64_t>(1, tile);
    task.bursts = ceilDiv(elements, kPimLanes);
    return {task, m_machine};
}

double ChannelModel::mergeNs(const CodePlan& plan, const DraftSummary& draft) const {
    const double bursts =
        plan.form() == Form::Map && !plan.oneRow()
            ? double(plan.units()) * 2 * m_machine.registers
            : double(plan.batches() * plan.bufferVectors() * plan.sweeps() * plan.results());
    const auto results = elementCount(m_space.kernel().tensors[std::size_t(m_output)].shape).value_or(0);
    const double values = bursts * kPimLanes * double(draft.coresUsed) * double(draft.groupsUsed);
    return m_hostAddsPerNs > 0 ? std::max(0.0, values - double(results)) / m_hostAddsPerNs : 0;
}

double ChannelModel::boundTicks(const DraftSummary& draft, const dram::UnavoidableTraffic& traffic) const {
    const double ofBank = double(m_machine.distances.otherColumn) / m_machine.buses(),
                 ofBlocks = double(m_machine.distances.column);
    const double steps = double(ceilDiv(draft.iterationsPerCore, kPimLanes)) * ofBlocks;
    const auto crossing = [&](bool write, double bursts) {
        return bursts > 0 ? bursts * ofBank + hostRowTicksAtLeast(m_machine, write) : 0;
    };
    if (m_space.kernel().body == BodyKind::Elementwise) { // every operand is read once, every result stored
        const bool stays = m_map.takes && m_map.inputs.size() == 1;
        return modeTicksAtLeast(m_machine, stays, m_map.keeps) + steps * double(m_map.inputs.size() + 1) +
               crossing(true, traffic.inputBursts(draft)) + crossing(false, traffic.outputBursts(draft));
    }
    const DotTask task = dotTaskOf(draft);
    const auto written = [&](int tensor) {
        return traffic.isStreamed(tensor) ? traffic.groupBursts(draft, tensor) : 0;
    };
    const double inBanks = written(m_operands.bank());
    if (m_operands.buffer() < 0) { // sums: results fill whole bursts at best
        const TensorShare& output = draft.tensors[std::size_t(m_output)];
        const double results =
            traffic.isExact() ? double(output.groupElements * output.partialCores) / kPimLanes : 0;
        return modeTicksAtLeast(m_machine, false, false) + steps + crossing(true, inBanks) +
               crossing(false, results);
    }
    return crossing(true, inBanks + (task.fill ? written(m_operands.buffer()) : 0)) +
           productTicksAtLeast(task, m_machine);
}

ChannelWork ChannelModel::of(const DraftSummary& draft) const {
    ChannelWork channel;
    channel.plan = planOf(draft);
    channel.ticks = phaseTicks(channel.plan, m_function, int(draft.coresUsed));
    if (m_refreshes)
        channel.ticks = withRefresh(channel.ticks, channel.plan, int(draft.coresUsed));
    channel.mergeNs = channel.plan.keeps() ? 0 : mergeNs(channel.plan, draft);
    return channel;
}

} // namespace pim::hbm
