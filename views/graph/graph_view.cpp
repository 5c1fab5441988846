// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_view.h"

#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/graph/breadcrumbs.h"
#include "views/graph/graph_side.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pim::views {
namespace {

QToolButton* makeButton(const QString& iconName, const QString& name, const QKeySequence& key = {}) {
    auto* button = new QToolButton;
    button->setIcon(icon(iconName));
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(
        key.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, key.toString(QKeySequence::NativeText)));
    return button;
}

} // namespace

GraphView::GraphView(QWidget* parent)
    : QWidget(parent), m_canvas(new GraphCanvas), m_side(new GraphSide), m_crumbs(new Breadcrumbs),
      m_split(new QSplitter), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("graph"))),
      m_bar(new QWidget), m_search(new QLineEdit), m_count(new QLabel), m_message(new QLabel),
      m_limit(makeButton(QStringLiteral("target"), tr("Limit all views to what was found"))),
      m_badge(new QLabel), m_overlay(new QComboBox), m_log(new QToolButton),
      m_turn(makeButton(QStringLiteral("vertical"), tr("Turn between top-down and left-right"))),
      m_sideButton(makeButton(QStringLiteral("table"), tr("Tree and list of what was found"),
                              QKeySequence(Qt::CTRL | Qt::Key_T))) {
    setObjectName(QStringLiteral("GraphView"));
    setAccessibleName(tr("Model graph with overlay and search"));
    buildFindBar();
    buildToolbar();
    m_empty->setText(tr("No model is open"), tr("Open an ONNX file, or drop one on the window."));
    m_empty->setAction(tr("Open Model…"));
    m_split->addWidget(m_canvas);
    m_split->addWidget(m_side);
    m_split->setStretchFactor(0, 1);
    m_split->setCollapsible(0, false);
    m_side->hide();
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_split);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_message);
    layout->addWidget(m_crumbs);
    layout->addWidget(m_pages, 1);
    m_bar->setEnabled(false);
    m_message->hide();
    m_crumbs->hide();
    setFocusProxy(m_canvas);
    buildSide();

    m_canvas->setTips([this](const PictureNode& node) { return nodeTip(node); },
                      [this](const PictureEdge& edge) { return edgeTip(edge); });
    m_canvas->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_canvas, &QWidget::customContextMenuRequested, this, &GraphView::showContextMenu);
    connect(m_canvas, &GraphCanvas::blockSelected, this, &GraphView::takeCanvasSelection);
    connect(m_canvas, &GraphCanvas::opSelected, this, [this](OpId op) {
        m_wanted = op;
        takeCanvasSelection();
        const QScopedValueRollback taking(m_taking, true); // the answer must not unselect a block
        emit opSelected(op);
    });
    connect(m_canvas, &GraphCanvas::opActivated, this, &GraphView::inspectRequested);
    connect(m_canvas, &GraphCanvas::foldRequested, this, &GraphView::setFolded);
    connect(m_empty, &EmptyState::actionTriggered, this, &GraphView::openRequested);
}

GraphView::~GraphView() {
    m_stop.request_stop();
}

void GraphView::buildFindBar() {
    m_search->setPlaceholderText(
        tr("Find: conv1  type:Conv  shape:64x*  attr:strides=2  placement:pim  cost:>1ms"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search the graph"));
    m_search->setToolTip(
        tr("Words for the name or the type (* and ? stand for letters), or\n"
           "name: type: class: block: shape: dtype: attr: placement:\n"
           "cost: energy: moved: bytes: rearranged: error: macs: ai: with > >= < <= and a unit\n"
           "A - in front turns a key round: -type:Add\n"
           "Ctrl+F to search, F3 and Shift+F3 to go through what was found"));
    m_search->addAction(icon(QStringLiteral("search"), Role::Muted), QLineEdit::LeadingPosition)
        ->setText(m_search->accessibleName());
    m_search->setMinimumWidth(70);
    m_count->setAccessibleName(tr("Number of ops found"));
    m_message->setAccessibleName(tr("What is wrong with the search"));
    m_message->setWordWrap(true);
    m_message->setContentsMargins(8, 0, 8, 3);
    m_limit->setObjectName(QStringLiteral("limitViews"));
    m_limit->setEnabled(false);
    connect(m_search, &QLineEdit::textChanged, this, &GraphView::search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { showHit(1); });
    connect(m_limit, &QToolButton::clicked, this, &GraphView::limitViews);
    const auto shortcut = [this](const QKeySequence& key, auto action) {
        auto* made = new QShortcut(key, this);
        made->setContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QShortcut::activated, this, action);
    };
    shortcut(QKeySequence::Find, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    shortcut(Qt::Key_F3, [this] { showHit(1); });
    shortcut(Qt::SHIFT | Qt::Key_F3, [this] { showHit(-1); });
    shortcut(Qt::CTRL | Qt::Key_T, [this] { setSideVisible(!m_side->isVisible()); });
}

void GraphView::buildToolbar() {
    m_badge->setAccessibleName(tr("What the model lacks"));
    // A narrow panel must be possible: these give way before the window grows.
    m_badge->setMinimumWidth(24);
    m_overlay->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_overlay->setMinimumContentsLength(8);
    m_overlay->view()->setAccessibleName(tr("Overlays"));
    for (int i = 0; i < kOverlays; ++i)
        m_overlay->addItem(overlayText(static_cast<Overlay>(i)));
    m_overlay->setAccessibleName(tr("Colour of the ops"));
    m_overlay->setToolTip(tr("What the colour of a box says"));
    m_log->setText(tr("log"));
    m_log->setCheckable(true);
    m_log->setChecked(true);
    m_log->setAutoRaise(true);
    m_log->setAccessibleName(tr("Logarithmic colour scale"));
    m_log->setToolTip(m_log->accessibleName());
    m_log->setEnabled(false);
    m_sideButton->setCheckable(true);

    auto* previous =
        makeButton(QStringLiteral("previous"), tr("Previous op found"), QKeySequence(Qt::SHIFT | Qt::Key_F3));
    auto* next = makeButton(QStringLiteral("next"), tr("Next op found"), QKeySequence(Qt::Key_F3));
    auto* fit = makeButton(QStringLiteral("zoom-fit"), tr("Fit the whole graph"), QKeySequence(Qt::Key_F));
    auto* zoomSelection = makeButton(QStringLiteral("zoom-selection"), tr("Zoom to the selected op"),
                                     QKeySequence(Qt::SHIFT | Qt::Key_F));
    auto* show = makeButton(QStringLiteral("settings"), tr("What is shown of the ops, folding"));
    show->setPopupMode(QToolButton::InstantPopup);
    show->setMenu(showMenu());

    auto* layout = new QHBoxLayout(m_bar);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(m_search, 1);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_count, previous, next, m_limit})
        layout->addWidget(widget);
    layout->addSpacing(6);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_overlay, m_log, m_badge})
        layout->addWidget(widget);
    layout->addSpacing(6);
    for (QWidget* widget : std::initializer_list<QWidget*>{fit, zoomSelection, m_turn, show, m_sideButton})
        layout->addWidget(widget);

    connect(next, &QToolButton::clicked, this, [this] { showHit(1); });
    connect(previous, &QToolButton::clicked, this, [this] { showHit(-1); });
    connect(fit, &QToolButton::clicked, m_canvas, &GraphCanvas::zoomToFit);
    connect(zoomSelection, &QToolButton::clicked, m_canvas, &GraphCanvas::zoomToSelection);
    connect(m_overlay, &QComboBox::currentIndexChanged, this, [this] {
        refreshLooks();
        changed();
    });
    connect(m_log, &QToolButton::toggled, this, [this] {
        refreshLooks();
        changed();
    });
    connect(m_sideButton, &QToolButton::clicked, this, &GraphView::setSideVisible);
    connect(m_turn, &QToolButton::clicked, this, [this] {
        setDirection(m_options.direction == LayoutDirection::TopToBottom ? LayoutDirection::LeftToRight
                                                                         : LayoutDirection::TopToBottom);
    });
}

QMenu* GraphView::showMenu() {
    auto* menu = new QMenu(this);
    const auto option = [&](const QString& name, bool on) {
        QAction* action = menu->addAction(name);
        action->setCheckable(true);
        action->setChecked(on);
        connect(action, &QAction::triggered, this, [this] {
            setShown(m_names->isChecked(), m_attributes->isChecked(), m_initialisers->isChecked());
        });
        return action;
    };
    m_names = option(tr("Names"), true);
    m_attributes = option(tr("Attributes"), false);
    m_initialisers = option(tr("Initialisers"), false);
    menu->addSeparator();
    menu->addAction(tr("Fold All Blocks"), this, [this] { setAllFolded(true); });
    menu->addAction(tr("Unfold All Blocks"), this, [this] { setAllFolded(false); });
    return menu;
}

void GraphView::buildSide() {
    connect(m_side, &GraphSide::opActivated, this, &GraphView::inspectRequested);
    connect(m_side, &GraphSide::opSelected, this, [this](OpId op) {
        if (op.valid()) {
            m_wanted = op;
            m_canvas->setSelectedOp(op);
        }
        refreshCrumbs();
        const QScopedValueRollback taking(m_taking, true);
        emit opSelected(op);
    });
    connect(m_side, &GraphSide::blockSelected, this, [this](int block) {
        m_canvas->setSelectedBlock(block);
        refreshCrumbs();
    });
    connect(m_crumbs, &Breadcrumbs::rootClicked, m_canvas, &GraphCanvas::zoomToFit);
    connect(m_crumbs, &Breadcrumbs::blockClicked, this, &GraphView::goToBlock);
}

// --- data
// -------------------------------------------------------------------------------------------------------

void GraphView::setGraph(std::shared_ptr<const Graph> graph) {
    if (graph == m_graph)
        return;
    m_graph = std::move(graph);
    m_blocks = nullptr;
    m_options.folded.clear();
    m_plan = nullptr;
    m_wanted = m_revealed = {};
    m_passing.clear();
    updateBadge();
    m_bar->setEnabled(m_graph != nullptr);
    m_side->setGraph(nullptr, nullptr);
    m_hits.clear();
    if (!m_graph) {
        m_stop.request_stop();
        m_canvas->setPicture(nullptr);
        m_crumbs->hide();
        m_pages->setCurrentWidget(m_empty);
        return;
    }
    startLayout();
}

void GraphView::setPlan(std::shared_ptr<const Plan> plan, bool isStale) {
    if (plan == m_plan && isStale == m_isStale)
        return;
    const bool first = !m_plan && plan;
    m_plan = std::move(plan);
    m_isStale = isStale;
    if (first && overlay() == Overlay::Type) {
        const QSignalBlocker quiet(m_overlay); // placement is what one wants to know once it is known
        setOverlay(Overlay::Placement);
    }
    refreshLooks();
}

void GraphView::setSimulation(std::shared_ptr<const Simulation> simulation, std::shared_ptr<const Plan> plan,
                              const QString& note) {
    m_simulation = std::move(simulation);
    m_simulated = std::move(plan);
    m_simulationNote = note;
    refreshLooks();
}

OverlaySource GraphView::source() const {
    const bool isOfThePlan = m_simulation && m_simulated == m_plan;
    return {m_graph, m_plan, isOfThePlan ? m_simulation : nullptr,
            m_simulation && !isOfThePlan ? tr("the simulation of this plan is not there yet")
                                         : m_simulationNote};
}

void GraphView::setSelectedOp(OpId op) {
    if (m_taking)
        return;
    m_wanted = op;
    m_canvas->setSelectedOp(op);
    m_side->setSelectedOp(op);
    refreshCrumbs();
}

void GraphView::takeCanvasSelection() {
    if (m_canvas->selectedBlock() >= 0)
        m_side->setSelectedBlock(m_canvas->selectedBlock());
    else
        m_side->setSelectedOp(m_canvas->selectedOp());
    refreshCrumbs();
}

void GraphView::refreshCrumbs() {
    m_crumbs->setVisible(m_graph != nullptr && m_blocks != nullptr);
    m_crumbs->show(m_graph.get(), blocks(), m_canvas->selectedOp(), m_canvas->selectedBlock());
}

void GraphView::setPassing(const std::vector<bool>& ops) {
    m_passing = ops;
    m_canvas->setPassing(ops);
    m_side->setPassing(ops);
}

// --- layout and folding
// -----------------------------------------------------------------------------------------

void GraphView::setDirection(LayoutDirection direction) {
    if (direction == m_options.direction)
        return;
    m_options.direction = direction;
    m_turn->setIcon(icon(direction == LayoutDirection::TopToBottom ? QStringLiteral("vertical")
                                                                   : QStringLiteral("horizontal")));
    startLayout();
    changed();
}

void GraphView::setShown(bool names, bool attributes, bool initialisers) {
    m_names->setChecked(names);
    m_attributes->setChecked(attributes);
    m_initialisers->setChecked(initialisers);
    if (std::tuple(names, attributes, initialisers) ==
        std::tuple(m_options.names, m_options.attributes, m_options.initialisers))
        return;
    m_options.names = names;
    m_options.attributes = attributes;
    m_options.initialisers = initialisers;
    startLayout();
    changed();
}

void GraphView::setFolded(std::int32_t block, bool folded) {
    if (block < 0 || static_cast<std::size_t>(block) >= m_options.folded.size())
        return;
    m_options.folded[static_cast<std::size_t>(block)] = folded;
    startLayout();
    changed();
}

void GraphView::setAllFolded(bool folded) {
    m_options.folded.assign(m_options.folded.size(), folded);
    startLayout();
    changed();
}

void GraphView::reveal(OpId op) {
    bool hidden = false;
    if (m_blocks && op.valid() && op.index() < m_blocks->inner.size())
        for (std::int32_t b = m_blocks->inner[op.index()]; b >= 0;
             b = m_blocks->blocks[static_cast<std::size_t>(b)].parent) {
            hidden = hidden || m_options.folded[static_cast<std::size_t>(b)];
            m_options.folded[static_cast<std::size_t>(b)] = false;
        }
    m_revealed = op;
    if (hidden) {
        startLayout();
        changed();
    } else {
        m_canvas->centreOn(op);
    }
}

/// Up the path: shows the block as large as it can be.
void GraphView::goToBlock(std::int32_t block) {
    m_canvas->setSelectedBlock(block);
    takeCanvasSelection();
    m_canvas->showBlock(block);
    const QScopedValueRollback taking(m_taking, true);
    emit opSelected({});
}

std::string GraphView::keyOf(std::int32_t index) const {
    const Block& block = m_blocks->blocks[static_cast<std::size_t>(index)];
    return m_graph->op(m_blocks->order[static_cast<std::size_t>(block.first)]).name + "+" +
           std::to_string(block.count);
}

void GraphView::startLayout() {
    if (!m_graph)
        return;
    m_stop.request_stop(); // of the one before
    m_stop = std::stop_source();
    TaskContext task{.stop = m_stop.get_token(), .onProgress = {}};
    m_isLayingOut = true;
    m_layouts.start([this, number = ++m_lastLayout, graph = m_graph, blocks = m_blocks, options = m_options,
                     task]() mutable {
        if (!blocks) {
            blocks = std::make_shared<const BlockTree>(findBlocks(*graph));
            options.folded = foldedAtFirst(*graph, *blocks);
        }
        QMetaObject::invokeMethod(
            this,
            [this, number, result = buildPicture(graph, blocks, options, task)] {
                takeLayout(number, result);
            },
            Qt::QueuedConnection);
    });
}

void GraphView::takeLayout(int number, const LayoutResult& result) {
    if (number != m_lastLayout)
        return;
    m_isLayingOut = false;
    if (!result || (*result)->graph != m_graph)
        return; // stopped because a newer one was asked for
    const GraphPicture& picture = **result;
    const bool isNew = !m_canvas->picture() || m_canvas->picture()->graph != m_graph;
    if (!m_blocks) {
        m_blocks = picture.blocks;
        m_options.folded = picture.options.folded;
        m_side->setGraph(m_graph, m_blocks);
        if (const auto keys = std::exchange(m_foldedKeys, std::nullopt)) {
            for (std::size_t b = 0; b < m_options.folded.size(); ++b)
                m_options.folded[b] = keys->contains(keyOf(static_cast<std::int32_t>(b)));
            if (m_options.folded != picture.options.folded)
                return startLayout();
        }
    }
    if (picture.options != m_options)
        return; // a newer one is on the way
    if (m_pages->currentWidget() != m_split) {
        const bool hadFocus = m_empty->isAncestorOf(QApplication::focusWidget());
        m_pages->setCurrentWidget(m_split);
        if (hadFocus)
            m_canvas->setFocus();
    }
    m_canvas->setPicture(*result);
    refreshLooks();
    m_canvas->setPassing(m_passing);
    if (m_wanted.valid()) {
        m_canvas->setSelectedOp(m_wanted);
        m_side->setSelectedOp(m_wanted);
    }
    if (isNew)
        search(m_search->text());
    if (const OpId op = std::exchange(m_revealed, OpId()); op.valid())
        m_canvas->centreOn(op);
    refreshCrumbs();
    emit layoutFinished();
}

Overlay GraphView::overlay() const {
    return static_cast<Overlay>(m_overlay->currentIndex());
}

void GraphView::setOverlay(Overlay overlay) {
    m_overlay->setCurrentIndex(static_cast<int>(overlay));
}

void GraphView::refreshLooks() {
    m_log->setEnabled(hasLogScale(overlay()));
    if (!m_graph || !m_canvas->picture() || m_canvas->picture()->graph != m_graph)
        return;
    OverlayLooks looks = overlayLooks(*m_canvas->picture(), source(), overlay(), m_log->isChecked());
    for (std::size_t i = 0; !m_notes.empty() && i < looks.nodes.size(); ++i)
        looks.nodes[i].noted = !notesOf(m_canvas->picture()->nodes[i]).isEmpty();
    if (needsPlan(overlay()) && !m_plan)
        looks.legend.title = tr("%1: choose a target first").arg(overlayText(overlay()));
    else if (m_isStale && needsPlan(overlay()))
        looks.legend.title = tr("%1, being recomputed").arg(looks.legend.title);
    m_canvas->setLooks(std::move(looks));
    m_side->setFigures(source(), overlay());
}

void GraphView::setNotes(std::map<OpId, QStringList> notes) {
    if (notes == m_notes)
        return;
    m_notes = std::move(notes);
    refreshLooks();
}

QStringList GraphView::notesOf(const PictureNode& node) const {
    QStringList texts;
    for (const OpId op : m_canvas->picture()->opsOf(node))
        if (const auto found = m_notes.find(op); found != m_notes.end())
            texts += found->second;
    return texts;
}

void GraphView::updateBadge() {
    QStringList lacks;
    qsizetype unknown = 0;
    if (m_graph) {
        const auto missing = m_graph->missingWeightTensors();
        if (missing > 0)
            lacks << (missing == 1 ? tr("1 weight not included")
                                   : tr("%1 weights not included").arg(missing));
        for (const Op& op : m_graph->ops)
            unknown += op.work.known ? 0 : 1;
        if (unknown > 0)
            lacks << (unknown == 1 ? tr("1 op of unknown cost") : tr("%1 ops of unknown cost").arg(unknown));
    }
    m_badge->setText(lacks.join(QStringLiteral(", ")));
    m_badge->setVisible(!lacks.isEmpty());
    m_badge->setToolTip(tr(
        "Placement and timing need no weights, checks of numbers do. Ops of unknown cost run on the host.\n"
        "A sign on a box tells which it is: ! weights not included, ? cost unknown."));
    m_badge->setStyleSheet(
        QStringLiteral("QLabel { color: %1; padding: 1px 6px; border: 1px solid %1; border-radius: 8px; }")
            .arg(color(unknown > 0 ? Role::Bad : Role::Muted).name()));
}

void GraphView::setSideVisible(bool visible) {
    m_side->setVisible(visible);
    m_sideButton->setChecked(visible);
    changed();
}

void GraphView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshLooks();
        updateBadge();
    }
    QWidget::changeEvent(event);
}

} // namespace pim::views
