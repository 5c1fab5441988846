// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/tiles_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/models/workspace.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>

namespace pim::views {
namespace {

QString runsText(const std::vector<IndexRun>& runs) {
    QStringList parts;
    for (const IndexRun& run : runs) {
        if (parts.size() == 3) {
            parts << QStringLiteral("…");
            break;
        }
        const std::int64_t end = run.begin + (run.count - 1) * run.step + 1;
        parts << (run.count == 1   ? QString::number(run.begin)
                  : run.step == 1 ? QStringLiteral("%1:%2").arg(run.begin).arg(end)
                                  : QStringLiteral("%1:%2:%3").arg(run.begin).arg(end).arg(run.step));
    }
    return parts.isEmpty() ? QStringLiteral("∅") : parts.join(QStringLiteral(", "));
}

} // namespace

TilesView::TilesView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("target"))), m_title(new QLabel),
      m_hover(new QLabel) {
    setObjectName(QStringLiteral("TilesView"));
    setAccessibleName(tr("Tiles of the chosen draft"));
    m_title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_hover->setWordWrap(true);
    m_hover->setAccessibleName(tr("What the core under the pointer holds and does"));
    m_hover->setMinimumHeight(m_hover->fontMetrics().lineSpacing() * 2);
    m_hover->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_hover->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    const auto add = [&](Map& map, const QString& label, const QString& accessible) {
        map = makeMap(label, accessible);
        auto* side = new QWidget;
        auto* layout = new QVBoxLayout(side);
        layout->setContentsMargins(0, 0, 0, 0);
        auto* bar = new QHBoxLayout;
        auto* text = new QLabel(label);
        text->setBuddy(map.what);
        bar->addWidget(text);
        bar->addWidget(map.what, 1);
        layout->addLayout(bar);
        layout->addWidget(map.plot, 1);
        splitter->addWidget(side);
        connect(map.what, qOverload<int>(&QComboBox::activated), this, [this] {
            fill(m_data, false);
            fill(m_compute, true);
        });
    };
    add(m_data, tr("Data tile"), tr("Heatmap of the bytes each core holds"));
    add(m_compute, tr("Compute tile"), tr("Heatmap of the work each core does"));

    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addWidget(m_title);
    layout->addWidget(splitter, 1);
    layout->addWidget(m_hover);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(&workspace, &Workspace::planChanged, this, &TilesView::rebuild);
    connect(&workspace, &Workspace::selectionChanged, this, &TilesView::rebuild);
    style();
    rebuild();
}

TilesView::Map TilesView::makeMap(const QString& title, const QString& accessibleName) {
    Map made;
    made.plot = new QCustomPlot;
    made.plot->setAccessibleName(accessibleName);
    made.plot->setMinimumSize(150, 100);
    made.plot->setMouseTracking(true);
    made.plot->installEventFilter(this);
    made.plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    made.map = new QCPColorMap(made.plot->xAxis, made.plot->yAxis);
    made.map->setInterpolate(false);
    made.map->setTightBoundary(true);
    made.scale = new QCPColorScale(made.plot);
    made.scale->setType(QCPAxis::atRight);
    made.scale->setBarWidth(10);
    made.plot->plotLayout()->addElement(0, 1, made.scale);
    made.map->setColorScale(made.scale);
    auto* margins = new QCPMarginGroup(made.plot);
    made.plot->axisRect()->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
    made.scale->setMarginGroup(QCP::msBottom | QCP::msTop, margins);
    made.plot->yAxis->setRangeReversed(true);
    made.plot->xAxis->setLabel(tr("core"));
    made.plot->yAxis->setLabel(tr("group"));
    for (QCPAxis* axis : {made.plot->xAxis, made.plot->yAxis}) {
        auto ticker = QSharedPointer<QCPAxisTicker>::create();
        ticker->setTickCount(3); // panels are narrow
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
    }
    made.what = new QComboBox;
    made.what->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    made.what->setMinimumContentsLength(8);
    made.what->setAccessibleName(tr("%1: what is shown").arg(title));
    installPlotExport(made.plot, title.toLower().replace(' ', '-'));
    return made;
}

void TilesView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void TilesView::style() {
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int i = 0; i <= 16; ++i)
        gradient.setColorStopAt(i / 16.0, sequential(i / 16.0));
    for (const Map& map : {m_data, m_compute}) {
        stylePlot(map.plot);
        QCPAxis* axis = map.scale->axis();
        axis->setTickLabelColor(color(Role::NodeText));
        axis->setLabelColor(color(Role::NodeText));
        axis->setBasePen(QPen(color(Role::GridLine)));
        map.map->setGradient(gradient);
        map.plot->replot(QCustomPlot::rpQueuedReplot);
    }
}

void TilesView::rebuild() {
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    const OpPlan* opPlan = plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
    std::optional<Draft> draft = m_workspace.selection().draft;
    if (!draft && opPlan)
        draft = opPlan->draft;
    if (!opPlan || !opPlan->space || !draft || !opPlan->space->check(*draft)) {
        m_space.reset();
        m_draft.reset();
        m_tiles.clear();
        m_empty->setText(tr("No tiles to show"),
                         !opPlan                       ? tr("Select an op in the graph to see its tiles")
                         : !opPlan->pimVerdict.empty() ? QString::fromStdString(opPlan->pimVerdict)
                                                       : tr("This op has no draft"));
        m_pages->setCurrentIndex(0);
        return;
    }
    m_pages->setCurrentIndex(1);
    if (m_space == opPlan->space && m_draft == draft)
        return;
    const bool newKernel = m_space != opPlan->space;
    m_space = opPlan->space;
    m_draft = draft;
    const TilingResources& resources = m_space->resources();
    m_tiles.clear();
    m_tiles.reserve(static_cast<std::size_t>(resources.groups) * static_cast<std::size_t>(resources.coresPerGroup));
    for (int group = 0; group < resources.groups; ++group)
        for (int core = 0; core < resources.coresPerGroup; ++core)
            m_tiles.push_back(m_space->tile(*draft, group, core));
    if (newKernel) {
        m_data.what->clear();
        m_data.what->addItem(tr("all tensors, bytes"), -1);
        for (std::size_t t = 0; t < m_space->kernel().tensors.size(); ++t)
            m_data.what->addItem(tr("%1, bytes").arg(QString::fromStdString(m_space->kernel().tensors[t].name)), int(t));
        m_compute.what->clear();
        m_compute.what->addItem(tr("iterations"), -1);
        for (std::size_t l = 0; l < m_space->kernel().loops.size(); ++l)
            m_compute.what->addItem(tr("first value of %1").arg(QString::fromStdString(m_space->kernel().loops[l].name)), int(l));
    }
    m_title->setText(QString::fromStdString(m_space->draftText(*draft)));
    m_title->setToolTip(m_title->text());
    fill(m_data, false);
    fill(m_compute, true);
    const Selection& selection = m_workspace.selection();
    m_hover->setText(describe(std::max(selection.group, 0), std::max(selection.core, 0)));
}

void TilesView::fill(const Map& map, bool compute) {
    if (!m_space)
        return;
    const int groups = m_space->resources().groups, cores = m_space->resources().coresPerGroup;
    const int what = map.what->currentData().toInt();
    map.map->data()->setSize(cores, groups);
    map.map->data()->setRange(QCPRange(0, std::max(cores - 1, 1)), QCPRange(0, std::max(groups - 1, 1)));
    map.map->data()->fillAlpha(255);
    bool first = true;
    double low = 0, high = 0;
    for (int group = 0; group < groups; ++group)
        for (int core = 0; core < cores; ++core) {
            const CoreTile& tile = m_tiles[static_cast<std::size_t>(group * cores + core)];
            double value = 0;
            if (!compute) {
                for (std::size_t t = 0; t < tile.tensorBytes.size(); ++t)
                    if (what < 0 || what == int(t))
                        value += static_cast<double>(tile.tensorBytes[t]);
            } else {
                value = static_cast<double>(what < 0 ? tile.iterations : tile.loops[static_cast<std::size_t>(what)].first);
            }
            map.map->data()->setCell(core, group, value);
            // A core without work is drawn empty, not as a small value.
            if (tile.iterations == 0) {
                map.map->data()->setAlpha(core, group, 0);
                continue;
            }
            low = first ? value : std::min(low, value);
            high = first ? value : std::max(high, value);
            first = false;
        }
    // Equal tiles: a scale from nothing, not one that magnifies a difference that is not there.
    map.map->setDataRange(high > low ? QCPRange(low, high) : QCPRange(0, std::max(high, 1.0)));
    map.scale->axis()->setLabel(!compute ? tr("bytes") : what < 0 ? tr("iterations") : map.what->currentText());
    map.scale->axis()->setNumberFormat(QStringLiteral("gb"));
    map.plot->xAxis->setRange(-0.5, cores - 0.5);
    map.plot->yAxis->setRange(-0.5, groups - 0.5);
    map.plot->replot(QCustomPlot::rpQueuedReplot);
}

QString TilesView::describe(int group, int core) const {
    if (!m_space || group < 0 || core < 0 || group >= m_space->resources().groups || core >= m_space->resources().coresPerGroup)
        return {};
    const CoreTile& tile = m_tiles[static_cast<std::size_t>(group * m_space->resources().coresPerGroup + core)];
    const QString where = tr("Group %1, core %2").arg(group).arg(core);
    if (tile.iterations == 0)
        return tr("%1: idle under this draft").arg(where);
    QStringList loops, held;
    const Kernel& kernel = m_space->kernel();
    for (std::size_t l = 0; l < kernel.loops.size(); ++l)
        loops << QStringLiteral("%1 ∈ [%2, %3)").arg(QString::fromStdString(kernel.loops[l].name)).arg(tile.loops[l].first).arg(tile.loops[l].second);
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        QString text = QString::fromStdString(kernel.tensors[t].name);
        for (const auto& runs : tile.data[t])
            text += QStringLiteral("[%1]").arg(runsText(runs));
        held << QStringLiteral("%1 %2").arg(text, QString::fromStdString(bytesText(static_cast<double>(tile.tensorBytes[t]))));
    }
    return tr("%1: %2 iterations, %3\nHolds %4")
        .arg(where, QString::fromStdString(exactText(tile.iterations)), loops.join(QStringLiteral(", ")), held.join(QStringLiteral(" · ")));
}

void TilesView::hover(const Map& map, const QPoint& position, bool click) {
    if (!m_space)
        return;
    const int core = static_cast<int>(std::lround(map.plot->xAxis->pixelToCoord(position.x())));
    const int group = static_cast<int>(std::lround(map.plot->yAxis->pixelToCoord(position.y())));
    const QString text = describe(group, core);
    if (text.isEmpty())
        return;
    m_hover->setText(text);
    if (click) {
        Selection selection = m_workspace.selection();
        selection.group = group;
        selection.core = core;
        m_workspace.select(selection);
    }
}

bool TilesView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonRelease)
        for (const Map& map : {m_data, m_compute})
            if (watched == map.plot)
                hover(map, static_cast<QMouseEvent*>(event)->pos(), event->type() == QEvent::MouseButtonRelease);
    return QWidget::eventFilter(watched, event);
}

} // namespace pim::views
