// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/machine_use.h"

#include "core/base/number_text.h"
#include "core/drafts/core_memory.h"
#include "views/models/family_panels.h"

#include <QCoreApplication>

#include <map>

namespace pim::views {
namespace {

struct MachineUseWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::MachineUseWords)
};
QString timeOf(double ns) {
    return QString::fromStdString(timeText(ns));
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
    figures.text = [](double value) { return memoryText(static_cast<std::int64_t>(value)); };
}

/// Compute time of all ops on PIM, each core as long as its share of the busiest one's work.
void busyTimes(const Plan& plan, const std::vector<bool>& counted, CoreFigures& figures) {
    // equal kernels once
    std::map<std::pair<const TilingSpace*, std::string>, std::pair<const OpPlan*, double>> work;
    for (const OpPlan& op : plan.ops)
        if (!op.onHost() && op.space && op.draft && (counted.empty() || counted[op.op.index()])) {
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
        figures.note = counted.empty() ? MachineUseWords::tr("No op runs on PIM")
                                       : MachineUseWords::tr("No op that passes the filters runs on PIM");
}

void memoryOfCores(const FamilyPanels& family, const Plan& plan, OpId op, CoreFigures& figures) {
    std::int64_t cores = 1;
    for (const Level& level : plan.target->levels)
        cores *= level.count;
    const MemoryUse use = MachineUse(family, plan, op).of({0, 1});
    figures.values.assign(static_cast<std::size_t>(cores), static_cast<double>(use.others + use.ofOp));
    figures.most = static_cast<double>(use.capacity);
    figures.text = [](double value) { return memoryText(static_cast<std::int64_t>(value)); };
}

/// Of a machine planned op by op.
CoreFigures draftFigures(const FamilyPanels& family, const Plan& plan, OpId op, const Draft* draft, int by,
                         const std::vector<bool>& counted) {
    CoreFigures figures;
    if (by == ColorBy::Memory) {
        memoryOfCores(family, plan, op, figures);
        return figures;
    }
    if (by == ColorBy::BusyTime) {
        busyTimes(plan, counted, figures);
        return figures;
    }
    const TilingSpace* const space =
        op.valid() && op.index() < plan.ops.size() ? plan.opPlan(op).space.get() : nullptr;
    if (!space || !draft) {
        figures.note = op.valid() ? MachineUseWords::tr("PIM cannot run the selected op")
                                  : MachineUseWords::tr("Select an op to see its tiles");
    } else if (by == ColorBy::DataTile) {
        dataTiles(*space, *draft, figures);
    } else {
        figures.values = iterations(*space, *draft);
        figures.text = [](double value) {
            return MachineUseWords::tr("%1 iterations")
                .arg(QString::fromStdString(exactText(static_cast<std::int64_t>(value))));
        };
    }
    return figures;
}

} // namespace

QString memoryText(std::int64_t bytes) {
    return QString::fromStdString(bytesText(static_cast<double>(bytes)));
}

QString memoryText(const MemoryUse& use) {
    QString text =
        MachineUseWords::tr("%1 of %2 used, %3 free")
            .arg(memoryText(use.others + use.ofOp), memoryText(use.capacity), memoryText(use.free()));
    return use.ofOp > 0 ? MachineUseWords::tr("%1; %2 by this op").arg(text, memoryText(use.ofOp)) : text;
}

MachineUse::MachineUse(const FamilyPanels& family, const Plan& plan, OpId op) {
    const bool onPim = op.valid() && op.index() < plan.ops.size() && !plan.opPlan(op).onHost();
    *this = with(family, plan, op, onPim ? DeviceId::first() : DeviceId::host());
}

MachineUse MachineUse::with(const FamilyPanels& family, const Plan& plan, OpId op, DeviceId placement) {
    MachineUse use;
    if (family.arrays) {
        use.countArrays(family.arrays->uses(plan, op));
        return use;
    }
    use.m_coreBytes = plan.coreBytes;
    const bool placed = op.valid() && op.index() < plan.ops.size() && !placement.onHost();
    CoreFill fill;
    for (const OpPlan& other : plan.ops)
        if (other.op == op ? placed : !other.onHost())
            fill.add(other);
    if (placed)
        use.m_opOfCore = plan.opPlan(op).keptCoreBytes + plan.opPlan(op).passingCoreBytes;
    use.m_othersOfCore = fill.bytes() - use.m_opOfCore;
    return use;
}

void MachineUse::countArrays(const ArrayUses& uses) {
    m_coreBytes = uses.arrayBytes;
    m_otherArrays = m_opArrays = {0};
    for (const ArrayUses::By by : uses.takenBy) {
        m_otherArrays.push_back(m_otherArrays.back() + (by == ArrayUses::By::Others));
        m_opArrays.push_back(m_opArrays.back() + (by == ArrayUses::By::Op));
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

std::vector<FigureChoice> colorChoices(const FamilyPanels& family) {
    if (family.arrays)
        return family.arrays->choices;
    return {{ColorBy::ComputeTile, MachineUseWords::tr("Compute tile"),
             MachineUseWords::tr("iterations of the selected op on each core")},
            {ColorBy::DataTile, MachineUseWords::tr("Data tile"),
             MachineUseWords::tr("bytes of the selected op's tensors on each core"), true},
            {ColorBy::Memory, MachineUseWords::tr("Memory used"),
             MachineUseWords::tr("memory of each core that ops on PIM take")},
            {ColorBy::BusyTime, MachineUseWords::tr("Busy time"),
             MachineUseWords::tr("time each one works in one run of the network, predicted"), true}};
}

CoreFigures coreFigures(const FamilyPanels& family, const Plan& plan, OpId op, const Draft* draft, int by,
                        const std::vector<bool>& counted) {
    CoreFigures figures = family.arrays ? family.arrays->figures(plan, op, by)
                                        : draftFigures(family, plan, op, draft, by, counted);
    for (const FigureChoice& choice : colorChoices(family))
        if (choice.id == by)
            figures.choice = choice;
    if (figures.most <= 0 && !figures.values.empty())
        figures.most = std::max(0.0, *std::max_element(figures.values.begin(), figures.values.end()));
    return figures;
}

} // namespace pim::views
