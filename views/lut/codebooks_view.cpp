// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/lut/codebooks_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/text.h"
#include "views/common/tool_tips.h"
#include "views/models/lut_calibration.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim::views {
namespace {

constexpr int kShapes = 3;
constexpr int kGroups = kCategories * kShapes; ///< Of sub-vectors that look alike; more centroids share them.
constexpr int kMostLabels = 32;                ///< Centroids that have their numbers beside them.
constexpr double kReach = 12;                  ///< Pixels around a dot that a click takes for it.
constexpr int kLeastAcross = 520;              ///< Pixels from which bars stand beside the plane.

QString figure(double value) {
    return QString::number(value, 'g', 4);
}

/// Bars of one width with their axes named.
QCPBars* addBars(QCustomPlot* plot) {
    auto* bars = new QCPBars(plot->xAxis, plot->yAxis);
    bars->setWidth(0.8);
    bars->setAntialiased(false);
    return bars;
}

void fillBars(QCPBars* bars, const std::vector<double>& values) {
    QVector<double> x, y;
    for (std::size_t i = 0; i < values.size(); ++i) {
        x << double(i);
        y << values[i];
    }
    bars->setData(x, y, true);
    QCustomPlot* const plot = bars->parentPlot();
    const double most = values.empty() ? 0 : *std::ranges::max_element(values);
    plot->xAxis->setRange(-0.7, double(values.size()) - 0.3);
    plot->yAxis->setRange(0, most > 0 ? most * 1.08 : 1);
}

/// Which bar is at a place of the plot, as high as the plot; -1: none.
int barAt(QCustomPlot* plot, const QPointF& position, std::int64_t count) {
    if (!plot->axisRect()->rect().contains(position.toPoint()))
        return -1;
    const auto bar = std::lround(plot->xAxis->pixelToCoord(position.x()));
    return bar >= 0 && bar < count ? static_cast<int>(bar) : -1;
}

} // namespace

CodebooksView::CodebooksView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_calibration(LutCalibration::of(workspace)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("graph"))), m_layers(new QComboBox),
      m_codebooks(new QSpinBox), m_title(new LineLabel), m_status(new LineLabel),
      m_across(new QSplitter(Qt::Horizontal)), m_right(new QSplitter(Qt::Vertical)), m_plane(new Plot),
      m_uses(new Plot), m_errors(new Plot) {
    setObjectName(QStringLiteral("CodebooksView"));
    setAccessibleName(tr("Codebooks"));
    setProperty("helpTopic", QStringLiteral("lut#panels"));
    buildPlots();
    buildBar();
    connect(m_calibration, &LutCalibration::outcomesChanged, this, &CodebooksView::takeLayers);
    connect(m_calibration, &LutCalibration::stateChanged, this, [this] {
        if (!m_picture)
            takeLayer();
    });
    connect(&workspace, &Workspace::selectionChanged, this, &CodebooksView::takeLayer);
    connect(m_layers, &QComboBox::activated, this, [this](int row) {
        const LutOutcome* const outcome = m_calibration->shown();
        const OpId op = m_calibration->opOf(outcome->layers[static_cast<std::size_t>(row)].name);
        m_layer = row; // also where the graph has no such op
        if (op.valid())
            m_workspace.selectOp(op);
        takeLayer();
    });
    connect(m_codebooks, &QSpinBox::valueChanged, this, &CodebooksView::showCodebook);
    style();
    takeLayers();
}

void CodebooksView::buildBar() {
    m_layers->setAccessibleName(tr("Layer whose codebooks are shown"));
    m_layers->setToolTip(tr("Layers that became look-up tables"));
    m_layers->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_layers->setMinimumContentsLength(14);
    m_codebooks->setAccessibleName(tr("Codebook that is shown"));
    m_codebooks->setToolTip(tr("Codebook: the number of a sub-vector in a row of the input"));
    m_codebooks->setPrefix(tr("codebook "));
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("What the codebook is"));
    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("What is marked"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 2);
    bar->setSpacing(6);
    bar->addWidget(m_layers);
    bar->addWidget(m_codebooks);
    bar->addWidget(m_title, 1);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(m_across, 1);
    column->addWidget(m_status);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
}

void CodebooksView::buildPlots() {
    m_plane->setAccessibleName(tr("Sub-vectors and centroids on the plane in which they spread most"));
    m_plane->setAccessibleDescription(tr("Left and Right go from centroid to centroid, F shows all"));
    m_uses->setAccessibleName(tr("How often each centroid is chosen"));
    m_uses->setAccessibleDescription(tr("Left and Right go from centroid to centroid"));
    m_errors->setAccessibleName(tr("What each codebook loses"));
    m_errors->setAccessibleDescription(tr("Left and Right go from codebook to codebook"));
    for (Plot* plot : {m_plane, m_uses, m_errors}) {
        plot->setMinimumSize(150, 80);
        plot->setFocusPolicy(Qt::StrongFocus);
        plot->installEventFilter(this);
    }
    tellPlots();
    m_plane->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    for (int group = 0; group < kGroups; ++group)
        m_groups.push_back(m_plane->addGraph());
    m_markedPoints = m_plane->addGraph();
    m_unused = m_plane->addGraph();
    m_centroids = m_plane->addGraph();
    m_marked = m_plane->addGraph();
    for (int i = 0; i < m_plane->graphCount(); ++i)
        m_plane->graph(i)->setLineStyle(QCPGraph::lsNone);
    m_useBars = addBars(m_uses);
    m_markedUse = addBars(m_uses);
    m_neverUsed = m_uses->addGraph();
    m_neverUsed->setLineStyle(QCPGraph::lsNone);
    m_errorBars = addBars(m_errors);
    m_markedError = addBars(m_errors);
    m_uses->xAxis->setLabel(tr("centroid"));
    m_uses->yAxis->setLabel(tr("times chosen"));
    m_uses->yAxis->setTicker(
        QSharedPointer<FigureTicker>::create([](double value) { return text(countText(value)); }));
    m_errors->xAxis->setLabel(tr("codebook"));
    m_errors->yAxis->setLabel(tr("error"));
    m_errors->yAxis->setTicker(
        QSharedPointer<FigureTicker>::create([](double value) { return text(percentText(value)); }));
    for (QCustomPlot* plot : {m_uses, m_errors}) {
        plot->xAxis->setSubTicks(false);
        plot->yAxis->setSubTicks(false);
        plot->xAxis->grid()->setVisible(false);
        plot->xAxis->setNumberFormat(QStringLiteral("f"));
        plot->xAxis->setNumberPrecision(0);
        auto ticker = QSharedPointer<QCPAxisTickerFixed>::create(); // whole numbers alone
        ticker->setTickStep(1);
        ticker->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
        plot->xAxis->setTicker(ticker);
    }
    installPlotExport(m_plane, QStringLiteral("codebook"));
    installPlotExport(m_uses, QStringLiteral("centroid_uses"));
    installPlotExport(m_errors, QStringLiteral("codebook_errors"));
    m_right->setChildrenCollapsible(false);
    m_right->addWidget(m_uses);
    m_right->addWidget(m_errors);
    m_across->setChildrenCollapsible(false);
    m_across->addWidget(m_plane);
    m_across->addWidget(m_right);
    m_across->setSizes({600, 400});
}

QCustomPlot* CodebooksView::plane() const {
    return m_plane;
}
QCustomPlot* CodebooksView::uses() const {
    return m_uses;
}
QCustomPlot* CodebooksView::errors() const {
    return m_errors;
}
QString CodebooksView::emptyText() const {
    return m_empty->text();
}
int CodebooksView::codebook() const {
    return m_codebooks->value();
}
void CodebooksView::setCodebook(int codebook) {
    m_codebooks->setValue(codebook);
}

const lut::LutLayer* CodebooksView::books() const {
    const LutOutcome* const outcome = m_calibration->shown();
    return outcome && outcome->evaluation && m_layer >= 0
               ? &outcome->evaluation->conversion.layers.at(
                     outcome->layers[static_cast<std::size_t>(m_layer)].name)
               : nullptr;
}

const lut::LayerUse* CodebooksView::use() const {
    const LutOutcome* const outcome = m_calibration->shown();
    return outcome && outcome->evaluation && m_layer >= 0
               ? &outcome->evaluation->uses.at(outcome->layers[static_cast<std::size_t>(m_layer)].name)
               : nullptr;
}

void CodebooksView::takeLayers() {
    const LutOutcome* const outcome = m_calibration->shown();
    const QSignalBlocker quiet(m_layers);
    m_layers->clear();
    if (outcome)
        for (const LutLayerFigures& layer : outcome->layers)
            m_layers->addItem(text(layer.name));
    m_layer = std::min(m_layer, m_layers->count() - 1);
    takeLayer();
}

void CodebooksView::takeLayer() {
    if (const int selected = m_calibration->selectedLayer(); selected >= 0)
        m_layer = selected; // another op leaves the layer that is shown
    if (m_layer < 0 && m_layers->count() > 0)
        m_layer = 0;
    m_layers->setCurrentIndex(m_layer);
    const lut::LutLayer* const layer = books();
    if (!layer) {
        m_picture.reset();
        m_pages->setCurrentIndex(0);
        return m_empty->setText(
            tr("No codebooks to show"),
            m_calibration->shown()
                ? tr("Of this calibration only the figures are kept. Calibrate again in the panel Look-Up "
                     "Tables to see its codebooks.")
            : m_calibration->isRunning() ? tr("The network is being calibrated.")
                                         : tr("Calibrate the network in the panel Look-Up Tables: products "
                                              "with constant weights become "
                                              "codebooks and tables."));
    }
    {
        const QSignalBlocker quiet(m_codebooks);
        m_codebooks->setRange(0, static_cast<int>(layer->books.codebooks) - 1);
        m_codebooks->setSuffix(tr(" of %1").arg(layer->books.codebooks));
    }
    m_pages->setCurrentIndex(1);
    fillErrors();
    showCodebook();
}

void CodebooksView::showCodebook() {
    const lut::LutLayer* const layer = books();
    if (!layer)
        return;
    auto picture = codebookPicture(layer->books, *use(), codebook());
    if (!picture) {
        m_picture.reset();
        m_title->setText(text(picture.error().text()).toHtmlEscaped());
        return;
    }
    m_picture = std::move(*picture);
    m_centroid = -1;
    const auto unused = std::ranges::count(m_picture->chosen, 0);
    m_title->setText(
        tr("<b>%1</b> off · %2 centroids of %3 elements, %4 never chosen · %5 of %6 sub-vectors drawn")
            .arg(text(percentText(use()->codebookError(codebook()))))
            .arg(layer->books.centroids)
            .arg(layer->books.length)
            .arg(unused)
            .arg(m_picture->points.size())
            .arg(text(exactText(m_picture->allChosen()))));
    for (Plot* plot : {m_plane, m_uses, m_errors})
        announceItems(plot);
    fillPlane();
    fillUses();
    fitPlane();
    mark();
}

void CodebooksView::fillPlane() {
    std::vector<QVector<double>> x(m_groups.size()), y(m_groups.size());
    for (std::size_t p = 0; p < m_picture->points.size(); ++p) {
        const auto group = static_cast<std::size_t>(m_picture->nearest[p] % kGroups);
        x[group] << m_picture->points[p][0];
        y[group] << m_picture->points[p][1];
    }
    for (std::size_t group = 0; group < m_groups.size(); ++group)
        m_groups[group]->setData(x[group], y[group]);
    QVector<double> usedX, usedY, unusedX, unusedY;
    m_plane->clearItems();
    for (std::size_t i = 0; i < m_picture->centroids.size(); ++i) {
        const auto& at = m_picture->centroids[i];
        (m_picture->chosen[i] > 0 ? usedX : unusedX) << at[0];
        (m_picture->chosen[i] > 0 ? usedY : unusedY) << at[1];
        if (m_picture->centroids.size() > kMostLabels)
            continue;
        auto* label = new QCPItemText(m_plane);
        label->setText(QString::number(i));
        label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
        label->setPadding(QMargins(5, 0, 0, 3));
        label->setClipToAxisRect(true);
        label->position->setCoords(at[0], at[1]);
    }
    m_centroids->setData(usedX, usedY);
    m_unused->setData(unusedX, unusedY);
    const lut::Plane& plane = m_picture->plane;
    m_plane->xAxis->setLabel(
        tr("first principal component (%1 of the variance)").arg(text(percentText(plane.share(0)))));
    m_plane->yAxis->setLabel(tr("second (%1)").arg(text(percentText(plane.share(1)))));
    style();
}

/// Both axes have one scale, so that distances are true.
void CodebooksView::fitPlane() {
    if (!m_picture)
        return;
    QCPRange x(0, 0), y(0, 0);
    for (const auto* dots : {&m_picture->points, &m_picture->centroids})
        for (const auto& at : *dots) {
            x.expand(at[0]);
            y.expand(at[1]);
        }
    const double margin = 0.06 * std::max({x.size(), y.size(), 1e-9});
    m_plane->xAxis->setRange(x.lower - margin, x.upper + margin);
    m_plane->yAxis->setRange(y.lower - margin, y.upper + margin);
    const QRect rect = m_plane->axisRect()->rect();
    if (rect.width() > 0 && rect.height() > 0) {
        const double perPixelX = m_plane->xAxis->range().size() / rect.width(),
                     perPixelY = m_plane->yAxis->range().size() / rect.height();
        if (perPixelX > perPixelY)
            m_plane->yAxis->setScaleRatio(m_plane->xAxis, 1);
        else
            m_plane->xAxis->setScaleRatio(m_plane->yAxis, 1);
    }
    m_plane->replot(QCustomPlot::rpQueuedReplot);
}

void CodebooksView::fillUses() {
    fillBars(m_useBars, {m_picture->chosen.begin(), m_picture->chosen.end()});
    QVector<double> x, y;
    for (std::size_t i = 0; i < m_picture->chosen.size(); ++i)
        if (m_picture->chosen[i] == 0) {
            x << double(i);
            y << m_uses->yAxis->range().upper * 0.03; // on the axis it would be cut
        }
    m_neverUsed->setData(x, y, true);
}

void CodebooksView::fillErrors() {
    std::vector<double> errors;
    for (std::int64_t book = 0; book < books()->books.codebooks; ++book)
        errors.push_back(use()->codebookError(book));
    fillBars(m_errorBars, errors);
}

void CodebooksView::setCentroid(int centroid) {
    m_centroid = m_picture && centroid < std::ssize(m_picture->centroids) ? centroid : -1;
    mark();
}

/// Draws what is marked, and tells it.
void CodebooksView::mark() {
    for (Plot* plot : {m_plane, m_uses, m_errors})
        announceCurrent(plot);
    QVector<double> x, y;
    if (m_centroid >= 0)
        for (std::size_t p = 0; p < m_picture->points.size(); ++p)
            if (m_picture->nearest[p] == m_centroid) {
                x << m_picture->points[p][0];
                y << m_picture->points[p][1];
            }
    m_markedPoints->setData(x, y);
    const auto at = static_cast<std::size_t>(std::max(m_centroid, 0));
    if (m_centroid >= 0) {
        m_marked->setData({m_picture->centroids[at][0]}, {m_picture->centroids[at][1]});
        m_markedUse->setData({double(m_centroid)}, {double(m_picture->chosen[at])}, true);
        m_status->setText(
            tr("Centroid %1: chosen %2 times, %3 of all · %4 of the drawn sub-vectors")
                .arg(m_centroid)
                .arg(text(exactText(m_picture->chosen[at])),
                     text(percentText(double(m_picture->chosen[at]) /
                                      double(std::max<std::int64_t>(1, m_picture->allChosen())))))
                .arg(x.size()));
    } else {
        m_marked->data()->clear();
        m_markedUse->data()->clear();
        m_status->setText(tr("Colour and shape: closest centroid · ◆ centroid, ◇ never chosen · click one to "
                             "mark it, a codebook to show it · wheel zooms, double click shows all"));
    }
    m_markedError->setData({double(codebook())}, {use() ? use()->codebookError(codebook()) : 0}, true);
    for (Plot* plot : {m_plane, m_uses, m_errors})
        plot->replot(QCustomPlot::rpQueuedReplot);
}

int CodebooksView::pointAt(const QPointF& position) const {
    int found = -1;
    double least = kReach;
    for (std::size_t p = 0; m_picture && p < m_picture->points.size(); ++p) {
        const double off = std::hypot(m_plane->xAxis->coordToPixel(m_picture->points[p][0]) - position.x(),
                                      m_plane->yAxis->coordToPixel(m_picture->points[p][1]) - position.y());
        if (off < least) {
            least = off;
            found = static_cast<int>(p);
        }
    }
    return found;
}

int CodebooksView::centroidAt(const QPointF& position) const {
    int found = -1;
    double least = kReach;
    for (std::size_t i = 0; m_picture && i < m_picture->centroids.size(); ++i) {
        const double off =
            std::hypot(m_plane->xAxis->coordToPixel(m_picture->centroids[i][0]) - position.x(),
                       m_plane->yAxis->coordToPixel(m_picture->centroids[i][1]) - position.y());
        if (off < least) {
            least = off;
            found = static_cast<int>(i);
        }
    }
    return found;
}

QString CodebooksView::planeTip(const QPointF& position) const {
    if (const int centroid = centroidAt(position); centroid >= 0) {
        const auto values = books()->books.centroid(codebook(), centroid);
        QStringList parts;
        constexpr std::size_t kShown = 16;
        for (std::size_t i = 0; i < std::min(values.size(), kShown); ++i)
            parts << figure(double(values[i]));
        if (values.size() > kShown)
            parts << QStringLiteral("…");
        const std::int64_t chosen = m_picture->chosen[static_cast<std::size_t>(centroid)];
        return tr("centroid %1: (%2)\nchosen %3 times, %4 of all")
            .arg(centroid)
            .arg(parts.join(QStringLiteral(", ")), text(exactText(chosen)),
                 text(percentText(double(chosen) /
                                  double(std::max<std::int64_t>(1, m_picture->allChosen())))));
    }
    if (const int point = pointAt(position); point >= 0)
        return tr("sub-vector of a test sample\nclosest to centroid %1, %2 away")
            .arg(m_picture->nearest[static_cast<std::size_t>(point)])
            .arg(figure(m_picture->distance[static_cast<std::size_t>(point)]));
    return {};
}

QString CodebooksView::useTip(const QPointF& position) const {
    const int bar = m_picture ? barAt(m_uses, position, std::ssize(m_picture->chosen)) : -1;
    if (bar < 0)
        return {};
    const std::int64_t chosen = m_picture->chosen[static_cast<std::size_t>(bar)];
    return chosen == 0
               ? tr("centroid %1: never chosen by a test sample").arg(bar)
               : tr("centroid %1: chosen %2 times, %3 of all")
                     .arg(bar)
                     .arg(text(exactText(chosen)),
                          text(percentText(double(chosen) /
                                           double(std::max<std::int64_t>(1, m_picture->allChosen())))));
}

QString CodebooksView::errorTip(const QPointF& position) const {
    const int bar = books() ? barAt(m_errors, position, books()->books.codebooks) : -1;
    if (bar < 0)
        return {};
    return tr("codebook %1: centroids are %2 off\nroot mean square distance of sub-vectors to their "
              "centroids, "
              "relative to the sub-vectors")
        .arg(bar)
        .arg(text(percentText(use()->codebookError(bar))));
}

/// What is read out: centroids in the plane and where their use is shown, codebooks where their errors are.
void CodebooksView::tellPlots() {
    const auto centroids = [this] { return m_picture ? static_cast<int>(m_picture->centroids.size()) : 0; };
    const auto spokenCentroid = [this](int at, const QRectF& place) {
        const std::int64_t chosen = m_picture->chosen[static_cast<std::size_t>(at)];
        return CanvasItem{tr("centroid %1").arg(at),
                          tr("chosen %1 times, %2")
                              .arg(text(exactText(chosen)),
                                   text(percentText(double(chosen) / double(std::max<std::int64_t>(
                                                                         1, m_picture->allChosen()))))),
                          place, at == m_centroid};
    };
    const auto barOf = [](const Plot* plot, int bar, double value) {
        const QPointF top(plot->xAxis->coordToPixel(bar - 0.5), plot->yAxis->coordToPixel(value)),
            foot(plot->xAxis->coordToPixel(bar + 0.5), plot->yAxis->coordToPixel(0));
        return QRectF(top, foot).normalized();
    };
    const auto choose = [this](int at) { setCentroid(at); };
    const auto current = [this, centroids] { return m_centroid < centroids() ? m_centroid : -1; };
    setCanvasItems(m_plane, this,
                   {centroids,
                    [this, spokenCentroid](int at) {
                        constexpr double kAround = 6; // pixels
                        const auto& where = m_picture->centroids[static_cast<std::size_t>(at)];
                        const QPointF middle(m_plane->xAxis->coordToPixel(where[0]),
                                             m_plane->yAxis->coordToPixel(where[1])),
                            corner(kAround, kAround);
                        return spokenCentroid(at, QRectF(middle - corner, middle + corner));
                    },
                    current, choose, [this](const QPointF& at) { return centroidAt(at); }});
    setCanvasItems(m_uses, this,
                   {centroids,
                    [this, spokenCentroid, barOf](int at) {
                        return spokenCentroid(
                            at, barOf(m_uses, at, double(m_picture->chosen[static_cast<std::size_t>(at)])));
                    },
                    current, choose});
    setCanvasItems(m_errors, this,
                   {[this] { return books() && use() ? static_cast<int>(books()->books.codebooks) : 0; },
                    [this, barOf](int at) {
                        const double error = use()->codebookError(at);
                        return CanvasItem{tr("codebook %1").arg(at),
                                          tr("centroids are %1 off").arg(text(percentText(error))),
                                          barOf(m_errors, at, error), at == codebook()};
                    },
                    [this] { return codebook(); }, [this](int at) { setCodebook(at); }});
}

bool CodebooksView::keyPressed(QObject* watched, int key) {
    if (key == Qt::Key_F || key == Qt::Key_Home) {
        fitPlane();
        return true;
    }
    if ((key != Qt::Key_Left && key != Qt::Key_Right) || !m_picture)
        return false;
    const int by = key == Qt::Key_Right ? 1 : -1;
    if (watched == m_errors)
        setCodebook(codebook() + by);
    else
        setCentroid(std::clamp(m_centroid + by, 0, static_cast<int>(m_picture->centroids.size()) - 1));
    return true;
}

bool CodebooksView::eventFilter(QObject* watched, QEvent* event) {
    auto* const plot = qobject_cast<QCustomPlot*>(watched);
    if (!plot)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::MouseButtonPress && m_picture &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        const QPointF at = static_cast<QMouseEvent*>(event)->position();
        if (watched == m_plane)
            setCentroid(centroidAt(at));
        else if (watched == m_uses)
            setCentroid(barAt(m_uses, at, std::ssize(m_picture->chosen)));
        else if (const int bar = barAt(m_errors, at, books()->books.codebooks); bar >= 0)
            setCodebook(bar);
    }
    if (event->type() == QEvent::MouseButtonDblClick && watched == m_plane)
        fitPlane();
    if (event->type() == QEvent::KeyPress && keyPressed(watched, static_cast<QKeyEvent*>(event)->key()))
        return true;
    const auto tipAt = [&](const QPoint& at) {
        return watched == m_plane ? planeTip(at) : watched == m_uses ? useTip(at) : errorTip(at);
    };
    return answerToolTip(event, plot, tipAt) || QWidget::eventFilter(watched, event);
}

void CodebooksView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void CodebooksView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_across->setOrientation(width() >= kLeastAcross ? Qt::Horizontal : Qt::Vertical);
    QMetaObject::invokeMethod(this, &CodebooksView::fitPlane, Qt::QueuedConnection); // once it is laid out
}

void CodebooksView::style() {
    static constexpr std::array<QCPScatterStyle::ScatterShape, kShapes> kDots{
        QCPScatterStyle::ssDisc, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle};
    for (Plot* plot : {m_plane, m_uses, m_errors})
        stylePlot(plot);
    const QColor canvas = color(Role::Canvas), ink = color(Role::NodeText), chosen = color(Role::Selection);
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const QColor of = category(static_cast<int>(group) % kCategories);
        m_groups[group]->setScatterStyle(
            QCPScatterStyle(kDots[group / kCategories], of, mix(canvas, of, 0.6), 5));
    }
    m_centroids->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(canvas, 1), ink, 10));
    m_unused->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, QPen(ink, 1.5), canvas, 10));
    m_marked->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(chosen, 2.5), Qt::NoBrush, 17));
    m_markedPoints->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(chosen, 1.2), Qt::NoBrush, 8));
    m_neverUsed->setScatterStyle(
        QCPScatterStyle(QCPScatterStyle::ssCross, QPen(color(Role::Bad), 1.6), Qt::NoBrush, 7));
    for (int i = 0; i < m_plane->itemCount(); ++i)
        if (auto* label = qobject_cast<QCPItemText*>(m_plane->item(i))) {
            label->setColor(ink);
            label->setFont(m_plane->font());
        }
    for (QCPBars* bars : {m_useBars, m_errorBars}) {
        bars->setPen(Qt::NoPen);
        bars->setBrush(color(Role::Compute));
    }
    for (QCPBars* bars : {m_markedUse, m_markedError}) {
        bars->setPen(Qt::NoPen);
        bars->setBrush(chosen);
    }
    for (Plot* plot : {m_plane, m_uses, m_errors})
        plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace pim::views
