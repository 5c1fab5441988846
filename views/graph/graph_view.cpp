// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/graph_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/graph/graph_search.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtConcurrent>

namespace pim::views {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString row(const QString& key, const QString& value) {
    return QStringLiteral("<tr><td style='padding-right:10px'>%1</td><td>%2</td></tr>")
        .arg(key, value.toHtmlEscaped());
}

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
    : QWidget(parent), m_canvas(new GraphCanvas), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("graph"))), m_bar(new QWidget), m_search(new QLineEdit),
      m_count(new QLabel), m_badge(new QLabel), m_overlay(new QComboBox), m_log(new QToolButton),
      m_turn(makeButton(QStringLiteral("vertical"), tr("Turn between top-down and left-right"))) {
    setObjectName(QStringLiteral("GraphView"));
    setAccessibleName(tr("Model graph with overlay and search"));
    buildToolbar();
    m_empty->setText(tr("No model is open"), tr("Open an ONNX file, or drop one on the window."));
    m_empty->setAction(tr("Open Model…"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_canvas);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_pages, 1);
    m_bar->setEnabled(false);
    setFocusProxy(m_canvas);

    m_canvas->setTips([this](const PictureNode& node) { return nodeTip(node); },
                      [this](const PictureEdge& edge) { return edgeTip(edge); });
    m_canvas->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_canvas, &QWidget::customContextMenuRequested, this, &GraphView::showMenu);
    connect(m_canvas, &GraphCanvas::opSelected, this, &GraphView::opSelected);
    connect(m_canvas, &GraphCanvas::opActivated, this, &GraphView::inspectRequested);
    connect(m_empty, &EmptyState::actionTriggered, this, &GraphView::openRequested);
    connect(&m_layout, &QFutureWatcher<LayoutResult>::finished, this, &GraphView::takeLayout);
}

GraphView::~GraphView() {
    m_stop.request_stop();
    m_layout.disconnect(this);
    m_layout.waitForFinished();
}

void GraphView::buildToolbar() {
    m_search->setPlaceholderText(tr("Search: conv1  type:Conv  shape:64x56  on:pim  time:>1ms"));
    m_search->setClearButtonEnabled(true);
    m_search->setAccessibleName(tr("Search the graph"));
    m_search->setToolTip(
        tr("Words for the name or the type, or name: type: class: shape: dtype: on: time: macs: bytes: ai:\n"
           "Ctrl+F to search, F3 and Shift+F3 to go through what was found"));
    m_search->addAction(icon(QStringLiteral("search"), Role::Muted), QLineEdit::LeadingPosition);
    m_search->setMinimumWidth(70);
    m_count->setAccessibleName(tr("Number of ops found"));
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

    auto* previous =
        makeButton(QStringLiteral("previous"), tr("Previous op found"), QKeySequence(Qt::SHIFT | Qt::Key_F3));
    auto* next = makeButton(QStringLiteral("next"), tr("Next op found"), QKeySequence(Qt::Key_F3));
    auto* fit = makeButton(QStringLiteral("zoom-fit"), tr("Fit the whole graph"), QKeySequence(Qt::Key_F));
    auto* zoomSelection = makeButton(QStringLiteral("zoom-selection"), tr("Zoom to the selected op"),
                                     QKeySequence(Qt::SHIFT | Qt::Key_F));

    auto* layout = new QHBoxLayout(m_bar);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(m_search, 1);
    layout->addWidget(m_count);
    layout->addWidget(previous);
    layout->addWidget(next);
    layout->addSpacing(8);
    layout->addWidget(m_overlay);
    layout->addWidget(m_log);
    layout->addWidget(m_badge);
    layout->addSpacing(8);
    layout->addWidget(fit);
    layout->addWidget(zoomSelection);
    layout->addWidget(m_turn);

    connect(m_search, &QLineEdit::textChanged, this, &GraphView::search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] { showHit(1); });
    connect(next, &QToolButton::clicked, this, [this] { showHit(1); });
    connect(previous, &QToolButton::clicked, this, [this] { showHit(-1); });
    connect(fit, &QToolButton::clicked, m_canvas, &GraphCanvas::zoomToFit);
    connect(zoomSelection, &QToolButton::clicked, m_canvas, &GraphCanvas::zoomToSelection);
    connect(m_overlay, &QComboBox::currentIndexChanged, this, &GraphView::refreshLooks);
    connect(m_log, &QToolButton::toggled, this, &GraphView::refreshLooks);
    connect(m_turn, &QToolButton::clicked, this, [this] {
        setDirection(m_direction == LayoutDirection::TopToBottom ? LayoutDirection::LeftToRight
                                                                 : LayoutDirection::TopToBottom);
    });
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
}

// --- data
// -------------------------------------------------------------------------------------------------------

void GraphView::setGraph(std::shared_ptr<const Graph> graph) {
    if (graph == m_graph)
        return;
    m_graph = std::move(graph);
    m_plan = nullptr;
    m_wanted = {};
    updateBadge();
    m_bar->setEnabled(m_graph != nullptr);
    if (!m_graph) {
        m_stop.request_stop();
        m_canvas->setPicture(nullptr);
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

void GraphView::setSelectedOp(OpId op) {
    m_wanted = op;
    m_canvas->setSelectedOp(op);
}

void GraphView::setDirection(LayoutDirection direction) {
    if (direction == m_direction)
        return;
    m_direction = direction;
    m_turn->setIcon(icon(direction == LayoutDirection::TopToBottom ? QStringLiteral("vertical")
                                                                   : QStringLiteral("horizontal")));
    m_wanted = m_canvas->selectedOp();
    if (m_graph)
        startLayout();
}

void GraphView::startLayout() {
    m_stop.request_stop(); // of the one before
    m_stop = std::stop_source();
    TaskContext task{.stop = m_stop.get_token(), .onProgress = {}};
    m_layout.setFuture(QtConcurrent::run([graph = m_graph, direction = m_direction, task]() -> LayoutResult {
        return buildPicture(graph, direction, task);
    }));
}

void GraphView::takeLayout() {
    if (m_layout.isCanceled() || !m_layout.future().isResultReadyAt(0))
        return;
    const LayoutResult result = m_layout.result();
    if (!result || (*result)->graph != m_graph || (*result)->direction != m_direction)
        return; // stopped because a newer one was asked for
    m_pages->setCurrentWidget(m_canvas);
    m_canvas->setPicture(*result);
    refreshLooks();
    m_canvas->setSelectedOp(m_wanted);
    search(m_search->text());
    emit layoutFinished();
}

Overlay GraphView::overlay() const {
    return static_cast<Overlay>(m_overlay->currentIndex());
}

void GraphView::setOverlay(Overlay overlay) {
    m_overlay->setCurrentIndex(static_cast<int>(overlay));
}

void GraphView::refreshLooks() {
    m_log->setEnabled(isFigure(overlay()) && overlay() != Overlay::RearrangementShare);
    if (!m_graph || !m_canvas->picture())
        return;
    OverlayLooks looks = overlayLooks(*m_graph, m_plan.get(), overlay(), m_log->isChecked());
    if (needsPlan(overlay()) && !m_plan)
        looks.legend.title = tr("%1: choose a target first").arg(overlayText(overlay()));
    else if (m_isStale && (needsPlan(overlay())))
        looks.legend.title = tr("%1, being recomputed").arg(looks.legend.title);
    m_canvas->setLooks(std::move(looks));
}

void GraphView::updateBadge() {
    QStringList lacks;
    qsizetype unknown = 0;
    if (m_graph) {
        if (const auto missing = m_graph->missingWeightTensors(); missing > 0)
            lacks << tr("%n weight(s) missing", nullptr, static_cast<int>(missing));
        for (const Op& op : m_graph->ops)
            unknown += op.work.known ? 0 : 1;
        if (unknown > 0)
            lacks << tr("%n op(s) of unknown cost", nullptr, static_cast<int>(unknown));
    }
    m_badge->setText(lacks.join(QStringLiteral(", ")));
    m_badge->setVisible(!lacks.isEmpty());
    m_badge->setToolTip(
        tr("Missing weights do not matter to placement and timing; ops of unknown cost run on the host.\n"
           "The boxes concerned carry a sign: ! weights missing, ? cost unknown."));
    m_badge->setStyleSheet(
        QStringLiteral("QLabel { color: %1; padding: 1px 6px; border: 1px solid %1; border-radius: 8px; }")
            .arg(color(Role::Bad).name()));
}

// --- search
// -----------------------------------------------------------------------------------------------------

void GraphView::search(const QString& query) {
    if (m_search->text() != query) {
        m_search->setText(query); // comes back here
        return;
    }
    m_hits.clear();
    m_hit = -1;
    const bool searching = !query.trimmed().isEmpty();
    QPalette inkOf = palette();
    if (searching && m_graph) {
        const auto found =
            searchGraph(*m_graph, m_plan && m_plan->graph == m_graph ? m_plan.get() : nullptr, query);
        if (found) {
            m_hits = *found;
            m_count->setText(m_hits.empty() ? tr("none")
                                            : tr("%n found", nullptr, static_cast<int>(m_hits.size())));
            m_count->setToolTip({});
        } else {
            m_count->setText(tr("?"));
            m_count->setToolTip(text(found.error().text()));
            m_count->setAccessibleDescription(m_count->toolTip());
        }
        inkOf.setColor(QPalette::WindowText, color(m_hits.empty() ? Role::Bad : Role::Muted));
    } else {
        m_count->clear();
    }
    m_count->setPalette(inkOf);
    m_canvas->setHits(m_hits, searching && !m_hits.empty());
}

void GraphView::showHit(int step) {
    if (m_hits.empty())
        return;
    const int count = static_cast<int>(m_hits.size());
    m_hit = m_hit < 0 ? (step > 0 ? 0 : count - 1) : (m_hit + step + count) % count;
    const OpId op = m_hits[static_cast<std::size_t>(m_hit)];
    m_count->setText(tr("%1 of %2").arg(m_hit + 1).arg(count));
    m_canvas->setSelectedOp(op);
    if (m_canvas->viewport().zoom < 0.6)
        m_canvas->setViewport(0.75, {});
    m_canvas->centreOn(op);
    emit opSelected(op);
}

// --- words
// ------------------------------------------------------------------------------------------------------

QString GraphView::nodeTip(const PictureNode& node) const {
    if (node.kind != PictureNode::Kind::Op)
        return QStringLiteral("<b>%1</b> %2<br>%3")
            .arg(node.type, node.name.toHtmlEscaped(), node.shape.toHtmlEscaped());
    const Op& op = m_graph->op(node.op);
    QString tip =
        QStringLiteral("<b>%1</b> %2<table>").arg(node.type.toHtmlEscaped(), node.name.toHtmlEscaped());
    tip += row(tr("Output"), node.shape);
    if (op.work.known) {
        tip += row(tr("Work"), tr("%1 MAC").arg(text(countText(static_cast<double>(op.work.macs)))));
        tip += row(tr("Traffic"), tr("%1 read, %2 written")
                                      .arg(text(bytesText(static_cast<double>(op.work.bytesRead))),
                                           text(bytesText(static_cast<double>(op.work.bytesWritten)))));
        tip += row(tr("Intensity"), tr("%1 FLOP/B").arg(op.work.arithmeticIntensity(), 0, 'g', 4));
    } else {
        tip += row(tr("Work"), tr("not known; runs on the host and is counted as 0"));
    }
    if (m_plan && m_plan->graph == m_graph) {
        const OpPlan& plan = m_plan->opPlan(node.op);
        const bool onPim = plan.placement == Placement::Pim;
        tip += row(tr("Placement"), (onPim ? tr("PIM") : tr("host")) +
                                        (plan.placementOverridden ? tr(", chosen by you") : QString()));
        if (onPim || plan.hostKnown)
            tip += row(tr("Time"), tr("%1 (%2)").arg(text(timeText(plan.cost.totalNs())),
                                                     plan.origin == Origin::Simulated ? tr("simulated")
                                                                                      : tr("predicted")));
        tip += QStringLiteral("</table>") + text(plan.reason).toHtmlEscaped();
        return tip;
    }
    return tip + QStringLiteral("</table>");
}

QString GraphView::edgeTip(const PictureEdge& edge) const {
    const Tensor& tensor = m_graph->tensor(edge.tensor);
    const auto bytes = tensor.bytes();
    return QStringLiteral("<b>%1</b><br>%2<br>%3")
        .arg(text(tensor.name).toHtmlEscaped(), tensorText(tensor).toHtmlEscaped(),
             bytes
                 ? tr("%1 (%2 B)").arg(text(bytesText(static_cast<double>(*bytes))), text(exactText(*bytes)))
                 : tr("size not known"));
}

// --- export
// -----------------------------------------------------------------------------------------------------

QString GraphView::csv() const {
    QString result =
        csvLine({QStringLiteral("name"), QStringLiteral("type"), QStringLiteral("shape"),
                 QStringLiteral("macs"), QStringLiteral("bytes_read"), QStringLiteral("bytes_written"),
                 QStringLiteral("placement"), QStringLiteral("total_ns")}) +
        QLatin1Char('\n');
    const bool planned = m_plan && m_plan->graph == m_graph;
    for (std::size_t i = 0; m_graph && i < m_graph->ops.size(); ++i) {
        const Op& op = m_graph->ops[i];
        const OpPlan* plan = planned ? &m_plan->ops[i] : nullptr;
        result += csvLine({text(op.name), text(op.type),
                           m_canvas->picture() ? m_canvas->picture()->nodes[i].shape : QString(),
                           QString::number(op.work.macs), QString::number(op.work.bytesRead),
                           QString::number(op.work.bytesWritten),
                           !plan                               ? QString()
                           : plan->placement == Placement::Pim ? QStringLiteral("pim")
                                                               : QStringLiteral("host"),
                           plan ? exactNumber(plan->cost.totalNs()) : QString()}) +
                  QLatin1Char('\n');
    }
    return result;
}

ExportSource GraphView::exportSource() const {
    return {m_graph && !m_graph->name.empty() ? text(m_graph->name) : QStringLiteral("graph"),
            [this] { return m_canvas->picture() ? m_canvas->picture()->bounds.size().toSize() : QSize(); },
            [this](QPainter& painter) { m_canvas->paintAll(painter, 1); }, [this] { return csv(); }};
}

void GraphView::showMenu(const QPoint& at) {
    if (!m_canvas->picture())
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const OpId op = m_canvas->selectedOp(); op.valid()) {
        menu->addAction(tr("Inspect"), this, [this, op] { emit inspectRequested(op); });
        menu->addAction(icon(QStringLiteral("zoom-selection")), tr("Zoom to Selection"), m_canvas,
                        &GraphCanvas::zoomToSelection);
    }
    menu->addAction(icon(QStringLiteral("zoom-fit")), tr("Fit Graph"), m_canvas, &GraphCanvas::zoomToFit);
    menu->addSeparator();
    addExportActions(menu, this, exportSource());
    menu->popup(m_canvas->mapToGlobal(at));
}

void GraphView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        refreshLooks();
        updateBadge();
    }
    QWidget::changeEvent(event);
}

} // namespace pim::views
