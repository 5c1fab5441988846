// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/headline_bar.h"

#include "core/base/number_text.h"
#include "views/common/core_words.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace pim::studio {
namespace {

QString comparisons(const Plan& plan) {
    QString text;
    for (const Baseline& baseline : plan.baselines)
        text += HeadlineBar::tr("%1 the speed with %2: %3\n")
                    .arg(QString::fromStdString(ratioText(plan.speedupOver(baseline))),
                         views::coreWord(baseline.name), QString::fromStdString(timeText(baseline.totalNs)));
    return text;
}

/// Taking up a style sheet takes longer than all the rest of a refresh.
void useSheet(QLabel* label, const QString& sheet) {
    if (label->styleSheet() != sheet)
        label->setStyleSheet(sheet);
}

} // namespace

HeadlineBar::HeadlineBar(views::Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(new views::LineLabel), m_time(new QLabel),
      m_speedup(new views::LineLabel), m_origin(new QLabel), m_state(new QLabel),
      m_recompute(new QPushButton(tr("Recompute"))) {
    setObjectName(QStringLiteral("HeadlineBar"));
    setAccessibleName(tr("Result"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 3, 8, 3);
    row->setSpacing(14);
    enlargeTime();
    m_speedup->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_speedup->setMinimumWidth(40); // where there is no room for all, the time and what it is stay whole
    row->addWidget(m_model, 1);
    for (QLabel* label : {m_time, m_speedup, m_origin, m_state})
        row->addWidget(label);
    row->addWidget(m_recompute);
    m_recompute->setAccessibleName(tr("Recompute the plan"));
    connect(m_recompute, &QPushButton::clicked, &workspace, &views::Workspace::recompute);
    connect(workspace.tasks(), &views::TaskList::changed, this, &HeadlineBar::refreshSoon);
    connect(workspace.simulations(), &views::SimulationSource::changed, this, &HeadlineBar::refreshSoon);
    for (const auto signal : {&views::Workspace::graphChanged, &views::Workspace::targetChanged,
                              &views::Workspace::planChanged, &views::Workspace::projectChanged})
        connect(&workspace, signal, this, &HeadlineBar::refreshSoon);
    refresh();
}

QString HeadlineBar::text() const {
    QStringList parts;
    for (const QLabel* label : {m_model, m_time, m_speedup, m_origin, m_state})
        if (!label->isHidden() && !label->text().isEmpty())
            parts.append(label->text());
    return parts.join(QStringLiteral(" · "));
}

void HeadlineBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_recompute)
        refresh();
    if (event->type() == QEvent::FontChange && m_time)
        enlargeTime();
}

void HeadlineBar::enlargeTime() {
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.35);
    large.setBold(true);
    m_time->setFont(large);
}

/// A label that appears lays out all of the window at once, where others have yet to hear what happened.
void HeadlineBar::refreshSoon() {
    if (!std::exchange(m_isOld, true))
        QMetaObject::invokeMethod(this, &HeadlineBar::refresh, Qt::QueuedConnection);
}

void HeadlineBar::refresh() {
    m_isOld = false;
    const auto graph = m_workspace.graph();
    const auto target = m_workspace.target();
    const auto plan = m_workspace.plan();
    const bool busy = !m_workspace.tasks()->entries().isEmpty();
    if (!graph) {
        m_model->setText(busy ? tr("Opening…") : tr("No model open"));
    } else {
        QStringList parts{QFileInfo(m_workspace.modelPath()).completeBaseName()};
        QStringList dims;
        for (const DimBinding& binding : graph->bindings)
            dims.append(
                QStringLiteral("%1 = %2").arg(QString::fromStdString(binding.symbol)).arg(binding.value));
        if (!dims.isEmpty())
            parts.append(dims.join(QStringLiteral(", ")));
        if (target)
            parts.append(QString::fromStdString(target->name));
        m_model->setText(parts.join(QStringLiteral(" · ")));
        m_model->setToolTip(m_model->text());
    }
    for (QLabel* label : {m_time, m_speedup, m_origin})
        label->setVisible(plan != nullptr);
    const bool stale = m_workspace.isStale();
    if (plan) {
        const auto simulation = stale ? nullptr : m_workspace.simulations()->simulation();
        // Of samples in flight the plan's own times are simulated.
        const bool showsSimulation =
            simulation && plan->origin != Origin::Simulated && !plan->firstSampleNs();
        const double ns = showsSimulation ? simulation->totalNs : plan->total.totalNs();
        const QString time = QString::fromStdString(timeText(ns)),
                      exact = QString::fromStdString(exactText(static_cast<std::int64_t>(ns)));
        if (const auto first = plan->firstSampleNs()) {
            m_time->setText(tr("one every %1").arg(time));
            m_time->setToolTip(
                tr("%1 ns from one sample to the next, sum over %2 ops; the first is through after %3")
                    .arg(exact)
                    .arg(plan->ops.size())
                    .arg(QString::fromStdString(timeText(*first))));
        } else {
            m_time->setText(time);
            m_time->setToolTip(showsSimulation
                                   ? tr("%1 ns, from a simulation of the plan").arg(exact)
                                   : tr("%1 ns, sum over %2 ops").arg(exact).arg(plan->ops.size()));
        }
        const double ratio = ns > 0 ? plan->hostOnlyNs / ns : 0;
        m_speedup->setText(ratio > 0 ? tr("%1 the speed of %2 alone")
                                           .arg(QString::fromStdString(ratioText(ratio)),
                                                QString::fromStdString(plan->target->host.name))
                                     : tr("no host figure to compare with"));
        if (!plan->baselines.empty()) { // what the machine could do otherwise says more than another machine
            const Baseline& baseline = plan->baselines.front();
            m_speedup->setText(
                (showsSimulation ? tr("predicted %1 the speed with %2") : tr("%1 the speed with %2"))
                    .arg(QString::fromStdString(ratioText(plan->speedupOver(baseline))),
                         views::coreWord(baseline.name)));
        }
        m_speedup->setToolTip(comparisons(*plan) +
                              tr("All ops on %1: %2. Same model, same dimensions, same number type.")
                                  .arg(QString::fromStdString(plan->target->host.name),
                                       QString::fromStdString(timeText(plan->hostOnlyNs))));
        const double predictedNs = plan->total.totalNs();
        m_origin->setText(plan->origin == Origin::Simulated ? tr("simulated")
                          : showsSimulation && predictedNs > 0
                              ? tr("simulated · %1 of %2 predicted")
                                    .arg(QString::fromStdString(ratioText(ns / predictedNs)),
                                         QString::fromStdString(timeText(predictedNs)))
                              : tr("predicted"));
        m_origin->setToolTip(simulation ? QString::fromStdString(simulation->summary)
                             : plan->origin == Origin::Predicted
                                 ? tr("From formulas, not from a simulation of every command")
                                 : tr("From a simulation of every command"));
        useSheet(
            m_origin,
            QStringLiteral("QLabel { border: 1px dashed %1; border-radius: 3px; padding: 0 4px; color: %1; }")
                .arg(views::color(views::Role::Muted).name()));
        for (QLabel* label : {m_time, m_speedup})
            label->setEnabled(!stale);
    }
    m_state->setVisible(graph && stale);
    m_state->setText(busy ? tr("being recomputed") : tr("out of date"));
    useSheet(m_state, QStringLiteral("color: %1").arg(views::color(views::Role::Bad).name()));
    m_recompute->setVisible(graph && stale && !busy);
}

} // namespace pim::studio
