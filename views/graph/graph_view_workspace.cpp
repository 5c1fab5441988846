// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where the graph view meets the workspace, and what it keeps with the project.
#include "views/graph/graph_side.h"
#include "views/graph/graph_view.h"
#include "views/models/filter_stack.h"
#include "views/models/simulation_source.h"
#include "views/models/workspace.h"

#include <QJsonArray>
#include <QScopedValueRollback>
#include <QToolButton>

namespace pim::views {

GraphView::GraphView(Workspace& workspace, QWidget* parent) : GraphView(parent) {
    const auto takePlan = [this, &workspace] { setPlan(workspace.plan(), workspace.isStale()); };
    const auto takeSimulation = [this, &workspace] {
        const SimulationSource& simulations = *workspace.simulations();
        setSimulation(simulations.simulation(), simulations.plan(),
                      simulations.isRunning() ? tr("the simulation is running") : simulations.note());
    };
    const auto takeSelection = [this, &workspace] { setSelectedOp(workspace.selection().op); };
    const auto takeFilters = [this, &workspace] {
        std::vector<bool> passing;
        if (const auto graph = workspace.graph(); graph && !workspace.filters()->isEmpty())
            for (std::size_t i = 0; i < graph->ops.size(); ++i)
                passing.push_back(workspace.filters()->passes(OpId(static_cast<std::int64_t>(i))));
        setPassing(passing);
    };
    const auto takeNotes = [this, &workspace] {
        std::map<OpId, QStringList> notes;
        if (const auto graph = workspace.graph())
            for (const Note& note : workspace.notes())
                if (const OpId op = graph->findOp(note.op); op.valid())
                    notes[op] << QString::fromStdString(note.text);
        setNotes(std::move(notes));
    };
    const auto takeState = [this, &workspace] { setState(workspace.viewState(QStringLiteral("graph"))); };
    const auto takeGraph = [this, &workspace, takePlan, takeNotes] {
        setGraph(workspace.graph());
        takePlan();
        takeNotes();
    };
    connect(&workspace, &Workspace::graphChanged, this, takeGraph);
    connect(&workspace, &Workspace::notesChanged, this, takeNotes);
    connect(&workspace, &Workspace::planChanged, this, takePlan);
    connect(&workspace, &Workspace::selectionChanged, this, takeSelection);
    connect(&workspace, &Workspace::viewStatesLoaded, this, takeState);
    connect(workspace.simulations(), &SimulationSource::changed, this, takeSimulation);
    connect(workspace.filters(), &FilterStack::changed, this, takeFilters);
    connect(this, &GraphView::opSelected, &workspace, &Workspace::selectOp);
    connect(this, &GraphView::limitRequested, workspace.filters(), &FilterStack::push);
    connect(this, &GraphView::stateChanged, this,
            [this, &workspace] { workspace.setViewState(QStringLiteral("graph"), state()); });
    takeState();
    takeGraph();
    takeSimulation();
    takeSelection();
    takeFilters();
}

void GraphView::changed() {
    if (!m_taking)
        emit stateChanged();
}

QJsonObject GraphView::state() const {
    QJsonObject state{{QStringLiteral("direction"), m_options.direction == LayoutDirection::TopToBottom
                                                        ? QStringLiteral("down")
                                                        : QStringLiteral("right")},
                      {QStringLiteral("names"), m_options.names},
                      {QStringLiteral("attributes"), m_options.attributes},
                      {QStringLiteral("initialisers"), m_options.initialisers},
                      {QStringLiteral("overlay"), overlayKey(overlay())},
                      {QStringLiteral("log"), m_log->isChecked()},
                      {QStringLiteral("tree"), m_sideButton->isChecked()}};
    if (m_blocks) {
        QJsonArray folded;
        for (std::size_t b = 0; b < m_options.folded.size(); ++b)
            if (m_options.folded[b])
                folded.append(QString::fromStdString(keyOf(static_cast<std::int32_t>(b))));
        state.insert(QStringLiteral("folded"), folded);
    }
    return state;
}

/// What \p state does not say stays as it is, but for the blocks: these are of another model.
void GraphView::setState(const QJsonObject& state) {
    const QScopedValueRollback taking(m_taking, true);
    const auto flag = [&](const char* key, bool now) { return state.value(QLatin1String(key)).toBool(now); };
    m_foldedKeys.reset();
    if (const QJsonValue folded = state.value(QStringLiteral("folded")); folded.isArray()) {
        m_foldedKeys.emplace();
        for (const QJsonValue key : folded.toArray())
            m_foldedKeys->insert(key.toString().toStdString());
    }
    if (m_blocks && m_foldedKeys)
        for (std::size_t b = 0; b < m_options.folded.size(); ++b)
            m_options.folded[b] = m_foldedKeys->contains(keyOf(static_cast<std::int32_t>(b)));
    if (m_blocks)
        m_foldedKeys.reset();
    const QString direction = state.value(QStringLiteral("direction")).toString();
    if (!direction.isEmpty())
        setDirection(direction == QLatin1String("right") ? LayoutDirection::LeftToRight
                                                         : LayoutDirection::TopToBottom);
    setShown(flag("names", m_options.names), flag("attributes", m_options.attributes),
             flag("initialisers", m_options.initialisers));
    m_log->setChecked(flag("log", m_log->isChecked()));
    setSideVisible(flag("tree", m_sideButton->isChecked()));
    const QString key = state.value(QStringLiteral("overlay")).toString();
    for (int i = 0; i < kOverlays; ++i)
        if (overlayKey(static_cast<Overlay>(i)) == key)
            setOverlay(static_cast<Overlay>(i));
    if (m_canvas->picture() && m_canvas->picture()->options != m_options)
        startLayout();
}

} // namespace pim::views
