// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/machine_use.h"

#include "backends/dual_mode/plan.h"
#include "core/base/number_text.h"
#include "core/drafts/core_memory.h"
#include "views/hardware/crossbar_use.h"

#include <QCoreApplication>

#include <map>

namespace pim::views {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("MachineUse", text);
}
QString bytes(std::int64_t value) {
    return QString::fromStdString(bytesText(static_cast<double>(value)));
}
QString timeOf(double ns) {
    return QString::fromStdString(timeText(ns));
}

const DualModePlan* dualModeOf(const Plan& plan) {
    return dynamic_cast<const DualModePlan*>(plan.detail.get());
}

const CrossbarPlan* crossbarOf(const Plan& plan) {
    return dynamic_cast<const CrossbarPlan*>(plan.detail.get());
}

/// Where the weights of the op lie, and how long each array computes: of one op, or of all if it is invalid.
void crossbarArrays(const CrossbarPlan& plan, OpId op, ColorBy by, CoreFigures& figures) {
    const bool times = by == ColorBy::ComputeMode;
    if (times)
        figures.text = timeOf;
    else
        figures.text = [](double) { return tr("holds weights of this op"); };
    figures.most = times ? 0 : 1;
    if (!times && !op.valid()) {
        figures.note = tr("Select an op to see its arrays");
        return;
    }
    for (const ArrayOfLayer& array : arrayUses(plan)) {
        const bool counts = times ? array.layer >= 0 : isOfLayer(plan, array.layer, op);
        figures.values.push_back(!counts ? -1.0 : times ? array.busyNs : 1.0);
    }
    if (std::ranges::none_of(figures.values, [](double value) { return value >= 0; })) {
        figures.values.clear();
        figures.note = tr("No array holds weights of the selected op: it has none, or the host computes it");
    }
}

bool uses(const DualModePlan& dualMode, const ArrayUse& array, OpId op) {
    const auto isOf = [&](int subOp) {
        return subOp >= 0 &&
               dualMode.workload
                       .ops[static_cast<std::size_t>(dualMode.subOps[static_cast<std::size_t>(subOp)].op)]
                       .op == op;
    };
    return isOf(array.subOp) || isOf(array.reader);
}

/// Does any array of the segment work for the op? Any segment will do for an invalid one.
bool concerns(const DualModePlan& dualMode, const DualModePlacement& segment, OpId op) {
    return !op.valid() || std::any_of(segment.arrays.begin(), segment.arrays.end(),
                                      [&](const ArrayUse& array) { return uses(dualMode, array, op); });
}

/// What the arrays do for the op: 1 compute, 0 memory, -1 nothing.
void arrayModes(const DualModePlan& dualMode, OpId op, CoreFigures& figures) {
    figures.most = 1;
    figures.text = [](double value) {
        return value > 0 ? tr("computes for this op") : tr("memory of this op");
    };
    if (!op.valid()) {
        figures.note = tr("Select an op to see its arrays");
        return;
    }
    bool any = false;
    std::vector<double> values(static_cast<std::size_t>(dualMode.chip.arrays), -1.0);
    for (const DualModePlacement& segment : dualMode.placement)
        for (std::size_t a = 0; a < segment.arrays.size() && a < values.size(); ++a)
            if (segment.arrays[a].mode != ArrayMode::Idle && uses(dualMode, segment.arrays[a], op)) {
                values[a] = std::max(values[a], segment.arrays[a].mode == ArrayMode::Compute ? 1.0 : 0.0);
                any = true;
            }
    if (any)
        figures.values = std::move(values);
    else
        figures.note = tr("The selected op uses no arrays");
}

/// Time of each array in some modes over the whole network, ns.
void arrayTimes(const DualModePlan& dualMode, std::initializer_list<ArrayMode> modes, CoreFigures& figures) {
    figures.values.assign(static_cast<std::size_t>(dualMode.chip.arrays), -1.0);
    for (std::size_t s = 0; s < dualMode.placement.size(); ++s) {
        const double ns = dualMode.segmentation.segments[s].cycles() * dualMode.chip.cycleNs;
        const auto& arrays = dualMode.placement[s].arrays;
        for (std::size_t a = 0; a < arrays.size() && a < figures.values.size(); ++a)
            if (std::find(modes.begin(), modes.end(), arrays[a].mode) != modes.end())
                figures.values[a] = std::max(0.0, figures.values[a]) + ns;
    }
    figures.text = timeOf;
}

/// Iterations of each core under a draft; sums and products of ranges, no tile is made.
std::vector<double> iterations(const TilingSpace& space, const Draft& draft) {
    const TilingResources& machine = space.resources();
    double rest = 1; // of the loops that no part splits
    std::vector<bool> split(space.kernel().loops.size(), false);
    for (std::size_t s = 0; s < draft.parts.size(); ++s)
        split[static_cast<std::size_t>(
            space.sets()[s].mappings[static_cast<std::size_t>(draft.parts[s].mapping)].loop)] = true;
    for (std::size_t l = 0; l < split.size(); ++l)
        rest *= split[l] ? 1.0 : static_cast<double>(space.kernel().loops[l].extent);
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(machine.groups) *
                   static_cast<std::size_t>(machine.coresPerGroup));
    for (int group = 0; group < machine.groups; ++group)
        for (int core = 0; core < machine.coresPerGroup; ++core) {
            double value = rest;
            for (std::size_t s = 0; s < draft.parts.size() && value > 0; ++s) {
                const auto [begin, end] = space.loopRange(draft, static_cast<int>(s), group, core);
                value *= static_cast<double>(std::max<std::int64_t>(0, end - begin));
            }
            values.push_back(value > 0 ? value : -1.0);
        }
    return values;
}

void dataTiles(const TilingSpace& space, const Draft& draft, CoreFigures& figures) {
    const TilingResources& machine = space.resources();
    for (int group = 0; group < machine.groups; ++group)
        for (int core = 0; core < machine.coresPerGroup; ++core) {
            const CoreTile tile = space.tile(draft, group, core);
            std::int64_t sum = 0;
            for (const std::int64_t part : tile.tensorBytes)
                sum += part;
            figures.values.push_back(tile.iterations > 0 ? static_cast<double>(sum) : -1.0);
        }
    figures.text = [](double value) { return bytes(static_cast<std::int64_t>(value)); };
}

/// Compute time of all ops on PIM, each core as long as its share of the busiest one's work.
void busyTimes(const Plan& plan, const std::vector<bool>& counted, CoreFigures& figures) {
    // equal kernels once
    std::map<std::pair<const TilingSpace*, std::string>, std::pair<const OpPlan*, double>> work;
    for (const OpPlan& op : plan.ops)
        if (op.placement == Placement::Pim && op.space && op.draft &&
            (counted.empty() || counted[op.op.index()])) {
            auto& [first, ns] = work[{op.space.get(), op.space->draftText(*op.draft)}];
            first = &op;
            ns += op.cost.computeNs;
        }
    for (const auto& [key, entry] : work) {
        const auto& [op, ns] = entry;
        const std::vector<double> one = iterations(*op->space, *op->draft);
        const double most = *std::max_element(one.begin(), one.end());
        figures.values.resize(one.size(), -1.0);
        for (std::size_t i = 0; i < one.size(); ++i)
            if (one[i] > 0)
                figures.values[i] = std::max(0.0, figures.values[i]) + ns * one[i] / most;
    }
    figures.text = timeOf;
    if (figures.values.empty())
        figures.note =
            counted.empty() ? tr("No op runs on PIM") : tr("No op that passes the filters runs on PIM");
}

void memoryOfCores(const Plan& plan, OpId op, CoreFigures& figures) {
    std::int64_t cores = 1;
    for (const Level& level : plan.target->levels)
        cores *= level.count;
    const MemoryUse use = MachineUse(plan, op).of({0, 1});
    figures.values.assign(static_cast<std::size_t>(cores), static_cast<double>(use.others + use.ofOp));
    figures.most = static_cast<double>(use.capacity);
    figures.text = [](double value) { return bytes(static_cast<std::int64_t>(value)); };
}

} // namespace

QString memoryText(const MemoryUse& use) {
    QString text = tr("%1 of %2 used, %3 free")
                       .arg(bytes(use.others + use.ofOp), bytes(use.capacity), bytes(use.free()));
    return use.ofOp > 0 ? tr("%1; %2 by this op").arg(text, bytes(use.ofOp)) : text;
}

MachineUse::MachineUse(const Plan& plan, OpId op) {
    const bool onPim =
        op.valid() && op.index() < plan.ops.size() && plan.opPlan(op).placement == Placement::Pim;
    if (dualModeOf(plan) || crossbarOf(plan))
        countArrays(plan, op);
    else
        *this = with(plan, op, onPim ? Placement::Pim : Placement::Host);
}

MachineUse MachineUse::with(const Plan& plan, OpId op, Placement placement) {
    if (dualModeOf(plan) || crossbarOf(plan))
        return MachineUse(plan, op);
    MachineUse use;
    use.m_coreBytes = plan.coreBytes;
    const bool placed = op.valid() && op.index() < plan.ops.size() && placement == Placement::Pim;
    CoreFill fill;
    for (const OpPlan& other : plan.ops)
        if (other.op == op ? placed : other.placement == Placement::Pim)
            fill.add(other);
    if (placed)
        use.m_opOfCore = plan.opPlan(op).keptCoreBytes + plan.opPlan(op).passingCoreBytes;
    use.m_othersOfCore = fill.bytes() - use.m_opOfCore;
    return use;
}

void MachineUse::countArrays(const Plan& plan, OpId op) {
    std::vector<int> taken; // 1: by others, 2: by the op
    if (const CrossbarPlan* crossbar = crossbarOf(plan)) {
        m_coreBytes = crossbar->chip.weights() / std::max<std::int64_t>(1, crossbar->chip.logicalArrays()) *
                      crossbar->chip.weightBits / 8;
        for (const ArrayOfLayer& array : arrayUses(*crossbar))
            taken.push_back(array.layer < 0 ? 0 : isOfLayer(*crossbar, array.layer, op) ? 2 : 1);
    } else {
        const DualModePlan& dualMode = *dualModeOf(plan);
        m_coreBytes = dualMode.chip.arrayBytes;
        taken.resize(static_cast<std::size_t>(dualMode.chip.arrays));
        for (const DualModePlacement& segment : dualMode.placement) {
            if (!concerns(dualMode, segment, op))
                continue;
            for (std::size_t a = 0; a < segment.arrays.size() && a < taken.size(); ++a)
                if (segment.arrays[a].mode != ArrayMode::Idle)
                    taken[a] =
                        std::max(taken[a], op.valid() && uses(dualMode, segment.arrays[a], op) ? 2 : 1);
        }
    }
    m_otherArrays = m_opArrays = {0};
    for (const int by : taken) {
        m_otherArrays.push_back(m_otherArrays.back() + (by == 1));
        m_opArrays.push_back(m_opArrays.back() + (by == 2));
    }
}

MemoryUse MachineUse::of(const CoreRange& cores) const {
    MemoryUse use{m_coreBytes * cores.count, m_othersOfCore * cores.count, m_opOfCore * cores.count};
    if (m_opArrays.empty())
        return use;
    const auto last = m_opArrays.size() - 1;
    const auto from = std::min(static_cast<std::size_t>(cores.first), last);
    const auto to = std::min(static_cast<std::size_t>(cores.first + cores.count), last);
    use.others = m_coreBytes * (m_otherArrays[to] - m_otherArrays[from]);
    use.ofOp = m_coreBytes * (m_opArrays[to] - m_opArrays[from]);
    return use;
}

std::vector<ColorBy> colorChoices(const Plan& plan) {
    if (dualModeOf(plan))
        return {ColorBy::ArrayModes, ColorBy::ComputeMode, ColorBy::MemoryMode, ColorBy::BusyTime};
    if (crossbarOf(plan))
        return {ColorBy::ArrayModes, ColorBy::ComputeMode};
    return {ColorBy::ComputeTile, ColorBy::DataTile, ColorBy::Memory, ColorBy::BusyTime};
}

QString name(ColorBy by) {
    switch (by) {
    case ColorBy::ComputeTile:
        return tr("Compute tile");
    case ColorBy::DataTile:
        return tr("Data tile");
    case ColorBy::Memory:
        return tr("Memory used");
    case ColorBy::BusyTime:
        return tr("Busy time");
    case ColorBy::ArrayModes:
        return tr("Arrays of the op");
    case ColorBy::ComputeMode:
        return tr("Time computing");
    case ColorBy::MemoryMode:
        return tr("Time as memory");
    }
    return {};
}

QString meaning(ColorBy by) {
    switch (by) {
    case ColorBy::ComputeTile:
        return tr("iterations of the selected op on each core");
    case ColorBy::DataTile:
        return tr("bytes of the selected op's tensors on each core");
    case ColorBy::Memory:
        return tr("memory of each core that ops on PIM take");
    case ColorBy::BusyTime:
        return tr("time each one works in one run of the network, predicted");
    case ColorBy::ArrayModes:
        return tr("what each array does for the selected op");
    case ColorBy::ComputeMode:
        return tr("time each array computes in one run of the network, predicted");
    case ColorBy::MemoryMode:
        return tr("time each array is memory in one run of the network, predicted");
    }
    return {};
}

CoreFigures coreFigures(const Plan& plan, OpId op, const Draft* draft, ColorBy by,
                        const std::vector<bool>& counted) {
    CoreFigures figures;
    figures.by = by;
    if (const DualModePlan* dualMode = dualModeOf(plan)) {
        if (by == ColorBy::ArrayModes)
            arrayModes(*dualMode, op, figures);
        else if (by == ColorBy::ComputeMode)
            arrayTimes(*dualMode, {ArrayMode::Compute}, figures);
        else if (by == ColorBy::MemoryMode)
            arrayTimes(*dualMode, {ArrayMode::Memory}, figures);
        else
            arrayTimes(*dualMode, {ArrayMode::Compute, ArrayMode::Memory}, figures);
    } else if (const CrossbarPlan* crossbar = crossbarOf(plan)) {
        crossbarArrays(*crossbar, op, by, figures);
    } else if (by == ColorBy::Memory) {
        memoryOfCores(plan, op, figures);
    } else if (by == ColorBy::BusyTime) {
        busyTimes(plan, counted, figures);
    } else {
        const TilingSpace* const space =
            op.valid() && op.index() < plan.ops.size() ? plan.opPlan(op).space.get() : nullptr;
        if (!space || !draft) {
            figures.note =
                op.valid() ? tr("PIM cannot run the selected op") : tr("Select an op to see its tiles");
            return figures;
        }
        if (by == ColorBy::DataTile) {
            dataTiles(*space, *draft, figures);
        } else {
            figures.values = iterations(*space, *draft);
            figures.text = [](double value) {
                return tr("%1 iterations")
                    .arg(QString::fromStdString(exactText(static_cast<std::int64_t>(value))));
            };
        }
    }
    if (figures.most <= 0 && !figures.values.empty())
        figures.most = std::max(0.0, *std::max_element(figures.values.begin(), figures.values.end()));
    return figures;
}

} // namespace pim::views
