// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/speed_map/sweep_panel.h"

#include "core/compile/sweep.h"
#include "views/models/workspace.h"
#include "views/speed_map/sweep_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pim::views {
namespace {

/// Lengths are what a network is swept over first, then batches.
QString proposal(const Graph& graph) {
    QStringList lengths, batches;
    for (const DimBinding& binding : graph.bindings) {
        const QString symbol = QString::fromStdString(binding.symbol);
        if (symbol.contains(QStringLiteral("batch"), Qt::CaseInsensitive))
            batches.append(symbol + QStringLiteral("=1,4"));
        else
            lengths.append(symbol + QStringLiteral("=32..512"));
    }
    if (lengths.isEmpty())
        return batches.isEmpty() ? QString() : batches.first().section(u'=', 0, 0) + QStringLiteral("=1..16");
    return batches.isEmpty() ? lengths.first() : lengths.first() + u';' + batches.first();
}

SweepRow rowOf(const SweepPoint& point) {
    SweepRow row;
    for (const std::int64_t value : point.values)
        row.values.push_back(static_cast<double>(value));
    row.error = QString::fromStdString(point.problem);
    row.cycles = point.totalNs;
    row.baselineCycles = point.baselines.empty() ? point.hostOnlyNs : point.baselines.front().totalNs;
    for (const auto& [name, value] : point.figures)
        if (name == "memory_share")
            row.memoryShare = value;
    return row;
}

} // namespace

SweepPanel::SweepPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_over(new QLineEdit), m_run(new QPushButton(tr("&Sweep"))), m_view(new SweepView) {
    setAccessibleName(tr("Sweep"));
    m_over->setAccessibleName(tr("Dimensions and values to sweep over"));
    m_over->setPlaceholderText(tr("seq=32..2048;batch=1,4"));
    m_over->setToolTip(tr("Open dimensions of the model and their values: seq=32,64,128, or seq=32..2048 for doubling; several separated by ;"));
    m_over->setClearButtonEnabled(true);
    auto* label = new QLabel(tr("&Over"));
    label->setBuddy(m_over);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(label);
    row->addWidget(m_over, 1);
    row->addWidget(m_run);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    connect(m_run, &QPushButton::clicked, this, &SweepPanel::run);
    connect(m_over, &QLineEdit::returnPressed, this, &SweepPanel::run);
    connect(&workspace, &Workspace::graphChanged, this, &SweepPanel::modelChanged);
    modelChanged();
}

void SweepPanel::modelChanged() {
    const auto graph = m_workspace.graph();
    m_run->setEnabled(graph && !graph->bindings.empty());
    m_over->setEnabled(m_run->isEnabled());
    if (!graph)
        return m_view->setEmptyText(tr("Nothing to sweep over"), tr("Open a model."));
    if (graph->bindings.empty())
        return m_view->setEmptyText(tr("Nothing to sweep over"), tr("All dimensions of this model are fixed."));
    // A sweep binds dimensions itself; what the user typed stays as long as it is of this model.
    const auto typed = parseSweep(m_over->text().toStdString());
    const bool fits = typed && std::all_of(typed->begin(), typed->end(), [&](const SweepAxis& axis) {
        return std::any_of(graph->bindings.begin(), graph->bindings.end(), [&](const DimBinding& b) { return b.symbol == axis.symbol; });
    });
    if (!fits) {
        m_over->setText(proposal(*graph));
        m_view->setData({});
    }
    m_view->setEmptyText(tr("Not swept yet"), tr("Choose dimensions and values above, then Sweep."));
}

void SweepPanel::run() {
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    const auto model = m_workspace.importedModel();
    const auto axes = parseSweep(m_over->text().toStdString());
    if (!axes)
        return m_view->setEmptyText(tr("This cannot be swept"), QString::fromStdString(axes.error().text())), m_view->setData({});
    if (!model || !m_workspace.target())
        return;
    PlanRequest request{nullptr, m_workspace.target(), m_workspace.overrides(), m_workspace.options()};
    const QString what = tr("%1 on %2").arg(QString::fromStdString(m_workspace.graph()->name), QString::fromStdString(m_workspace.target()->id));
    m_task = m_workspace.tasks()->start(
        tr("Sweeping %1").arg(QString::fromStdString(m_workspace.graph()->name)),
        [this, model, request, axes = *axes, what, &backends = m_workspace.backends(), options = m_workspace.graphOptions()](const TaskContext& task) -> std::function<void()> {
            SweepData swept;
            swept.what = what;
            swept.baseline = tr("the host alone");
            for (const SweepAxis& axis : axes)
                swept.names.push_back(QString::fromStdString(axis.symbol));
            const auto done = sweep(backends, *model, options, request, axes, [&](SweepPoint point) {
                if (!point.baselines.empty())
                    swept.baseline = QString::fromStdString(point.baselines.front().name);
                swept.rows.push_back(rowOf(point));
            }, task);
            const QString problem = done ? QString() : QString::fromStdString(done.error().text());
            return [this, swept, problem] {
                m_task = 0;
                m_view->setEmptyText(tr("This cannot be swept"), problem);
                m_view->setData(problem.isEmpty() ? swept : SweepData{});
            };
        },
        [this] { m_task = 0; });
}

} // namespace pim::views
