// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/limits/limits_view.h"

#include "core/base/number_text.h"
#include "core/plan/roofline.h"
#include "core/plan/simulation.h"
#include "core/timeline/limits.h"
#include "views/common/core_sentences.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/roofs_view.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/limits/what_helps.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>

#include <utility>

namespace pim::views {
namespace {

std::vector<FigureColumn> resourceColumns() {
    return {
        {LimitsView::tr("Resource"), QStringLiteral("resource"), false,
         LimitsView::tr("All units of a kind")},
        {LimitsView::tr("Critical Path"), QStringLiteral("critical path"), true,
         LimitsView::tr("Share of the chain of work that reaches from the beginning of the run to its end")},
        {LimitsView::tr("Busiest"), QStringLiteral("busiest"), false,
         LimitsView::tr("The unit that is busy longest")},
        {LimitsView::tr("Busy"), QStringLiteral("busiest busy"), true,
         LimitsView::tr("Share of the run in which it is busy")},
        {LimitsView::tr("Units"), QStringLiteral("units"), true, {}},
        {LimitsView::tr("All Busy"), QStringLiteral("all busy"), true,
         LimitsView::tr("Busy time of all units, of as many that never rest")}};
}

} // namespace

LimitsView::LimitsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("bars"))), m_page(new QWidget), m_sentence(new QLabel),
      m_resources(new TableView), m_figures(new FiguresModel(resourceColumns(), this)),
      m_helps(new WhatHelps(workspace)), m_tabs(new QTabWidget), m_roofs(new RoofsView) {
    setAccessibleName(tr("What limits the run"));
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(10, 4, 10, 4);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setAccessibleName(tr("What sets the time"));
    m_resources->setModel(m_figures);
    m_resources->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_resources->verticalHeader()->hide();
    m_resources->setAccessibleName(tr("Resources, those with most of the critical path on top"));
    m_resources->setExportName(QStringLiteral("limits"));

    auto* across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(m_resources);
    across->addWidget(m_helps);
    across->setSizes({450, 550});
    auto* page = new QVBoxLayout(m_page);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(m_sentence);
    page->addWidget(across, 1);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Resources and roofline"));
    m_tabs->addTab(m_page, tr("&Resources"));
    m_tabs->addTab(m_roofs, tr("Roof&line"));
    m_tabs->setTabToolTip(1, tr("Every op under what the machine and its host can do at most"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_tabs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
    connect(m_roofs, &RoofsView::opChosen, &m_workspace, &Workspace::selectOp);
    connect(&m_workspace, &Workspace::selectionChanged, this,
            [this] { m_roofs->setSelectedOp(m_workspace.selection().op); });
    connect(m_workspace.simulations(), &SimulationSource::changed, this, &LimitsView::takeSimulation);
    connect(m_workspace.simulations(), &SimulationSource::stretchChanged, this, &LimitsView::takeStretch);
    takeSimulation();
}

void LimitsView::takeSimulation() {
    const SimulationSource& source = *m_workspace.simulations();
    m_roofs->setRoofline(source.plan() ? source.roofline() : nullptr, [plan = source.plan()](OpId op) {
        const Op& of = plan->graph->op(op);
        return RoofsView::OpText{text(of.name), text(of.type)};
    });
    const bool hasRoofs = source.roofline() && !source.roofline()->ops.empty();
    m_backToRoofs = m_backToRoofs || (!hasRoofs && m_tabs->currentIndex() == 1);
    m_tabs->setTabEnabled(1, hasRoofs); // leaves it while the next plan is simulated
    if (hasRoofs && std::exchange(m_backToRoofs, false))
        m_tabs->setCurrentIndex(1);
    if (source.limits())
        return takeStretch();
    m_empty->setText(tr("Nothing simulated yet"),
                     source.simulation()
                         ? tr("The simulation shows nothing in time: all of the network is on the host.")
                         : source.note());
    m_pages->setCurrentWidget(m_empty);
}

void LimitsView::takeStretch() {
    const SimulationSource& source = *m_workspace.simulations();
    if (!source.limits())
        return;
    if (const auto stretch = source.stretch())
        showLimits(
            limitsWithin(source.simulation()->timeline, *source.limits(), stretch->first, stretch->second));
    else
        showLimits(*source.limits());
}

void LimitsView::showLimits(const Limits& limits) {
    QString sentence = coreSentence(limits.sentence);
    sentence[0] = sentence[0].toUpper();
    if (m_workspace.simulations()->stretch())
        sentence = tr("%1 … %2, chosen in the timeline: %3")
                       .arg(text(timeText(double(limits.fromPs) / 1000)),
                            text(timeText(double(limits.fromPs + limits.totalPs) / 1000)),
                            coreSentence(limits.sentence));
    m_sentence->setText(sentence + QLatin1Char('.'));
    std::vector<std::vector<Figure>> rows;
    for (const ResourceUse& use : limits.resources)
        rows.push_back({{coreWord(use.name), {}, {}},
                        shareFigure(limits.totalPs > 0 ? double(use.pathPs) / double(limits.totalPs) : 0),
                        {coreWord(use.busiest), {}, {}},
                        shareFigure(use.busiestShare),
                        countFigure(use.tracks),
                        shareFigure(use.share)});
    m_figures->setRows(std::move(rows));
    m_resources->fitColumns(200);
    m_pages->setCurrentWidget(m_tabs);
}

} // namespace pim::views
