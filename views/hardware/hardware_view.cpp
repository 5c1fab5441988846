// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/hardware_view.h"

#include "core/base/number_text.h"
#include "views/models/workspace.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {
namespace {

const OpPlan* selectedPlan(const Workspace& workspace, const Plan* plan) {
    const OpId op = workspace.selection().op;
    return plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
}

} // namespace

HardwareView::HardwareView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_floorplan(new Floorplan), m_editor(new DraftEditor), m_title(new QLabel) {
    setObjectName(QStringLiteral("HardwareView"));
    setAccessibleName(tr("Hardware"));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_title->setContentsMargins(6, 4, 6, 0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_title);
    layout->addWidget(m_floorplan, 1);
    layout->addWidget(m_editor);
    m_floorplan->setVerdict([this](const QString& mime, const QString& payload, const HardwareSpot& spot) { return verdict(mime, payload, spot); });
    connect(m_floorplan, &Floorplan::dropped, this, &HardwareView::drop);
    connect(m_floorplan, &Floorplan::clicked, this, [this](const HardwareSpot& spot) {
        Selection selection = m_workspace.selection();
        const auto target = m_workspace.target();
        selection.group = selection.core = -1;
        if (spot.kind == HardwareSpot::Kind::Machine && target && spot.path.size() + 1 >= target->levels.size()) {
            // Views count groups through the whole machine, not in their device.
            int group = 0;
            for (std::size_t level = 0; level + 1 < target->levels.size(); ++level)
                group = group * target->levels[level].count + spot.path[level];
            selection.group = group;
            if (spot.path.size() == target->levels.size())
                selection.core = spot.path.back();
        }
        m_workspace.select(selection);
    });
    connect(m_editor, &DraftEditor::edited, this, [this](const Draft& draft) {
        const auto plan = m_workspace.plan();
        if (const OpPlan* op = selectedPlan(m_workspace, plan.get()); op && op->space)
            decide({plan->graph->op(op->op).name, "draft", op->space->draftText(draft)});
    });
    for (const auto signal : {&Workspace::targetChanged, &Workspace::planChanged, &Workspace::selectionChanged, &Workspace::graphChanged})
        connect(&workspace, signal, this, &HardwareView::refresh);
    refresh();
}

void HardwareView::refresh() {
    const auto target = m_workspace.target();
    m_floorplan->setTarget(target);
    const auto plan = m_workspace.plan();
    const OpPlan* op = selectedPlan(m_workspace, plan.get());
    const bool ofThisTarget = plan && target && plan->target->hash == target->hash;
    const std::shared_ptr<const TilingSpace> space = op && ofThisTarget ? op->space : nullptr;
    std::optional<Draft> draft = m_workspace.selection().draft;
    if (op && (!draft || !space || !space->check(*draft)))
        draft = op->draft;
    m_editor->setDraft(space, space ? draft : std::nullopt);

    if (!target)
        m_title->setText(tr("No target chosen"));
    else if (op)
        m_title->setText(tr("%1 on %2").arg(QString::fromStdString(plan->graph->op(op->op).name),
                                           op->placement == Placement::Pim ? QString::fromStdString(target->name)
                                                                           : QString::fromStdString(target->host.name)));
    else
        m_title->setText(QString::fromStdString(target->name));
    if (plan && ofThisTarget)
        m_floorplan->setHostNote(tr("%1 ops here")
                                     .arg(std::count_if(plan->ops.begin(), plan->ops.end(), [](const OpPlan& p) { return p.placement == Placement::Host; })));

    const Selection& selection = m_workspace.selection();
    HardwareSpot highlight;
    if (target && selection.group >= 0 && target->levels.size() >= 2) {
        highlight.kind = HardwareSpot::Kind::Machine;
        int rest = selection.group;
        for (std::size_t level = target->levels.size() - 1; level-- > 0;) {
            highlight.path.insert(highlight.path.begin(), rest % target->levels[level].count);
            rest /= target->levels[level].count;
        }
        if (selection.core >= 0)
            highlight.path.push_back(selection.core);
    }
    m_floorplan->setHighlight(highlight);

    if (!space || !draft) {
        m_loadSpace.reset();
        m_floorplan->setLoad({}, {});
        return;
    }
    if (m_loadSpace == space && m_loadDraft == draft)
        return;
    m_loadSpace = space;
    m_loadDraft = draft;
    const TilingResources& resources = space->resources();
    std::vector<float> load;
    float most = 0;
    for (int group = 0; group < resources.groups; ++group)
        for (int core = 0; core < resources.coresPerGroup; ++core) {
            const std::int64_t work = space->tile(*draft, group, core).iterations;
            load.push_back(work > 0 ? static_cast<float>(work) : -1.0F);
            most = std::max(most, load.back());
        }
    for (float& value : load)
        if (value >= 0 && most > 0)
            value /= most;
    m_floorplan->setLoad(std::move(load), tr("work a core, 0 … %1 iterations; grey: idle").arg(QString::fromStdString(exactText(static_cast<std::int64_t>(most)))));
}

std::optional<Override> HardwareView::decision(const QString& mime, const QString& payload, const HardwareSpot& spot, QString* problem) const {
    const auto plan = m_workspace.plan();
    if (!plan || spot.kind == HardwareSpot::Kind::None)
        return std::nullopt;
    if (mime == QLatin1String(kMimeOp))
        return Override{payload.toStdString(), "placement", spot.kind == HardwareSpot::Kind::Host ? "host" : "pim"};
    const OpPlan* op = selectedPlan(m_workspace, plan.get());
    const std::optional<Draft>& draft = m_editor->draft();
    const int set = payload.toInt();
    if (!op || !op->space || !draft || set < 0 || static_cast<std::size_t>(set) >= op->space->sets().size())
        return std::nullopt;
    if (spot.kind == HardwareSpot::Kind::Host) {
        *problem = tr("A dimension can only be split over groups and cores of the device");
        return std::nullopt;
    }
    const auto target = m_workspace.target();
    // Over a core: split over cores; over anything larger: over groups.
    const SplitLevel level = spot.path.size() == target->levels.size() ? SplitLevel::Cores : SplitLevel::Groups;
    const auto changed = DraftEditor::spread(*op->space, *draft, set, level);
    if (!changed) {
        *problem = QString::fromStdString(changed.error().text());
        return std::nullopt;
    }
    return Override{plan->graph->op(op->op).name, "draft", op->space->draftText(*changed)};
}

DropVerdict HardwareView::verdict(const QString& mime, const QString& payload, const HardwareSpot& spot) const {
    QString problem;
    const std::optional<Override> wanted = decision(mime, payload, spot, &problem);
    if (!wanted)
        return {false, problem.isEmpty() ? tr("Nothing to do here") : problem};
    if (const auto legal = m_workspace.check(*wanted); !legal)
        return {false, QString::fromStdString(legal.error().text())};
    if (wanted->field == "placement") {
        const auto plan = m_workspace.plan();
        const OpId id = plan->graph->findOp(wanted->op);
        QString text = tr("Place \"%1\" on %2").arg(payload, spot.kind == HardwareSpot::Kind::Host ? QString::fromStdString(plan->target->host.name)
                                                                                                  : QString::fromStdString(plan->target->name));
        if (id.valid()) {
            const OpPlan& op = plan->opPlan(id);
            const double ns = spot.kind == HardwareSpot::Kind::Host ? op.hostNs : op.pimCost ? op.pimCost->totalNs() : 0;
            text += tr(": %1 instead of %2 (predicted)").arg(QString::fromStdString(timeText(ns)), QString::fromStdString(timeText(op.cost.totalNs())));
        }
        return {true, text};
    }
    return {true, tr("Draft becomes %1").arg(QString::fromStdString(wanted->value))};
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
}

} // namespace pim::views
