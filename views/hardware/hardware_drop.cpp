// SPDX-License-Identifier: GPL-3.0-or-later
// What dropping an op or a dimension somewhere would mean, and doing it.
#include "core/base/number_text.h"
#include "views/common/text.h"
#include "views/hardware/hardware_view.h"
#include "views/models/workspace.h"

#include <algorithm>

namespace pim::views {
namespace {

/// Name of the innermost level: "bank", "PIM block".
QString coreWord(const Target& target) {
    return target.levels.empty() ? QString() : text(target.levels.back().name);
}

/// The draft's price, where the search has it: known before it is dropped.
std::optional<double> priceOf(const Workspace& workspace, OpId op, const Draft& draft) {
    const auto exploration = workspace.exploration();
    if (!exploration || exploration->op != op)
        return std::nullopt;
    constexpr std::size_t kLookedAt = 100'000; // for a verdict while the mouse moves
    const auto end = exploration->drafts.begin() +
                     static_cast<std::ptrdiff_t>(std::min(kLookedAt, exploration->drafts.size()));
    const auto at = std::find(exploration->drafts.begin(), end, draft);
    return at == end
               ? std::nullopt
               : std::optional(exploration->costs[static_cast<std::size_t>(at - exploration->drafts.begin())]
                                   .totalNs());
}

} // namespace

std::optional<Override> HardwareView::decision(const QString& mime, const QString& payload,
                                               const HardwareSpot& spot, QString* problem) const {
    const auto plan = shownPlan();
    const auto target = shownTarget();
    if (!plan || !target || spot.kind == HardwareSpot::Kind::None)
        return std::nullopt;
    if (plan->target->hash != target->hash) {
        *problem = tr("%1 is being planned; wait a moment").arg(text(target->name));
        return std::nullopt;
    }
    const bool onHost = spot.kind == HardwareSpot::Kind::Host;
    if (mime == QLatin1String(kMimeOp))
        return Override{payload.toStdString(), "placement", onHost ? "host" : name(m_device)};
    const OpId selected = m_workspace.selection().op;
    const std::optional<Draft>& draft = m_editor->draft();
    const int set = payload.toInt();
    if (!selected.valid() || selected.index() >= plan->ops.size() || !plan->opPlan(selected).space ||
        !draft || set < 0 || static_cast<std::size_t>(set) >= plan->opPlan(selected).space->sets().size()) {
        *problem = tr("Select the op whose dimension this is");
        return std::nullopt;
    }
    if (onHost) {
        *problem = tr("A dimension can only be split over groups and cores of the device");
        return std::nullopt;
    }
    const TilingSpace& space = *plan->opPlan(selected).space;
    // Over a core: split over cores; over anything larger: over groups.
    const SplitLevel level =
        spot.path.size() == target->levels.size() ? SplitLevel::Cores : SplitLevel::Groups;
    const auto changed = spreadOut(space, *draft, set, level);
    if (!changed) {
        *problem = text(changed.error().text());
        return std::nullopt;
    }
    return Override{plan->graph->op(selected).name, "draft", space.draftText(*changed)};
}

DropVerdict HardwareView::placementVerdict(const Override& wanted) const {
    const auto plan = shownPlan();
    const OpPlan& op = plan->opPlan(plan->graph->findOp(wanted.op));
    const bool toPim = wanted.value != "host";
    DropVerdict verdict{true,
                        {},
                        MachineUse::with(m_workspace.familyOf(*plan), *plan, op.op,
                                         toPim ? DeviceId::first() : DeviceId::host())};
    const bool isThere = op.onHost() != toPim;
    const QString place = text(toPim ? plan->target->name : plan->target->host.name);
    const double ns = toPim ? (op.pimCost ? op.pimCost->totalNs() : 0) : op.hostNs;
    QStringList parts;
    if (isThere)
        parts
            << (op.placementOverridden
                    ? tr("\"%1\" is on %2 by your decision already").arg(text(wanted.op), place)
                    : tr("\"%1\" is on %2 already; dropping it keeps it there").arg(text(wanted.op), place));
    else if (toPim && !op.pimCost)
        parts << tr("Place \"%1\" on %2").arg(text(wanted.op), place);
    else
        parts << tr("Place \"%1\" on %2: %3 instead of %4 (predicted)")
                     .arg(text(wanted.op), place, text(timeText(ns)), text(timeText(op.cost.totalNs())));
    const MemoryUse before = MachineUse(m_workspace.familyOf(*plan), *plan, op.op).of({0, 1}),
                    after = verdict.after->of({0, 1});
    if (after.capacity > 0 && plan->coreBytes > 0) {
        if (toPim)
            parts << tr("takes %1 of each %2, %3 of %4 stay free")
                         .arg(memoryText(after.ofOp), coreWord(*plan->target), memoryText(after.free()),
                              memoryText(after.capacity));
        else if (after.free() > before.free())
            parts << tr("gives back %1 of each %2, %3 of %4 become free")
                         .arg(memoryText(after.free() - before.free()), coreWord(*plan->target),
                              memoryText(after.free()), memoryText(after.capacity));
    }
    verdict.text = parts.join(QStringLiteral("; "));
    return verdict;
}

DropVerdict HardwareView::draftVerdict(const Override& wanted, int set) const {
    const auto plan = shownPlan();
    const OpId id = m_workspace.selection().op;
    const OpPlan& op = plan->opPlan(id);
    const auto changed = op.space->draftFromText(wanted.value);
    if (!changed)
        return {false, text(changed.error().text()), {}};
    const DraftPart &was = m_editor->draft()->parts[static_cast<std::size_t>(set)],
                    &is = changed->parts[static_cast<std::size_t>(set)];
    const TilingResources& machine = op.space->resources();
    const bool groups = is.groups != was.groups;
    QStringList parts;
    parts << tr("Split %1 over %2 of %3 %4 instead of %5")
                 .arg(m_editor->dimensionName(set))
                 .arg(groups ? is.groups : is.cores)
                 .arg(groups ? machine.groups : machine.coresPerGroup)
                 .arg(groups ? tr("groups") : tr("cores of a group"))
                 .arg(groups ? was.groups : was.cores);
    parts << tr("a core gets %1").arg(op.space->tileLength(*changed, set));
    const std::int64_t tiles = op.space->summarize(*changed).bytesPerCore;
    parts << (plan->coreBytes > 0
                  ? tr("%1 of the %2 of a %3")
                        .arg(memoryText(tiles), memoryText(plan->coreBytes), coreWord(*plan->target))
                  : memoryText(tiles));
    if (const auto ns = priceOf(m_workspace, id, *changed); ns && op.pimCost)
        parts << tr("%1 (predicted, the op alone)").arg(text(timeText(*ns)));
    return {true, parts.join(QStringLiteral("; ")), {}};
}

DropVerdict HardwareView::verdict(const QString& mime, const QString& payload,
                                  const HardwareSpot& spot) const {
    QString problem;
    const std::optional<Override> wanted = decision(mime, payload, spot, &problem);
    if (!wanted)
        return {false, problem.isEmpty() ? tr("Nothing to do here") : problem, {}};
    if (const auto legal = m_workspace.check(*wanted); !legal) {
        QString reason = text(legal.error().text());
        const auto plan = shownPlan();
        const MemoryUse now =
            MachineUse(m_workspace.familyOf(*plan), *plan, plan->graph->findOp(wanted->op)).of({0, 1});
        if (wanted->field == "placement" && wanted->value != "host" && now.capacity > 0 &&
            plan->coreBytes > 0)
            reason += tr(" (free now: %1 of %2 in each %3)")
                          .arg(memoryText(now.free()), memoryText(now.capacity), coreWord(*plan->target));
        return {false, reason, {}};
    }
    return wanted->field == "placement" ? placementVerdict(*wanted) : draftVerdict(*wanted, payload.toInt());
}

void HardwareView::drop(const QString& mime, const QString& payload, const HardwareSpot& spot) {
    QString problem;
    if (const std::optional<Override> wanted = decision(mime, payload, spot, &problem))
        decide(*wanted);
}

void HardwareView::decide(const Override& wanted) {
    // From here on the draft in force is what counts, not a candidate that was looked at before.
    Selection selection = m_workspace.selection();
    selection.draft.reset();
    m_workspace.applyOverride(wanted);
    m_workspace.select(selection);
    refresh(); // a refused one leaves the editor with what it was
}

} // namespace pim::views
