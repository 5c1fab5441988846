// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/lut_mappings_view.h"

#include "backends/upmem/lut/calibration.h"
#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/upmem/lut_map.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

namespace pim::views {
namespace {

constexpr int kTimesWidth = 300;
constexpr int kLeastForTimes = 860; ///< Pixels of the panel from which the table stands beside the maps.

Figure timeFigure(double seconds, bool isKnown) {
    return isKnown ? Figure{secondsText(seconds), seconds, {}} : Figure{QStringLiteral("–"), {}, {}};
}

QSpinBox* spin(const QString& prefix, const QString& name, int least, int most) {
    auto* box = new QSpinBox;
    box->setPrefix(prefix);
    box->setRange(least, most);
    box->setAccessibleName(name);
    box->setToolTip(name);
    box->setKeyboardTracking(false);
    return box;
}

/// One part of the time of a mapping.
struct TimePart {
    const char* name;
    double (*seconds)(const upmem::LutTimes& times);
};
using upmem::LutTimes;
constexpr TimePart kParts[] = {
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Send indices"),
     [](const LutTimes& t) { return t.sendIndex; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Send table"),
     [](const LutTimes& t) { return t.sendTable; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Fetch output"),
     [](const LutTimes& t) { return t.fetchOutput; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Add rows up"),
     [](const LutTimes& t) { return t.reduce; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Load indices"),
     [](const LutTimes& t) { return t.loadIndex; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Load table"),
     [](const LutTimes& t) { return t.loadTable; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Move output"),
     [](const LutTimes& t) { return t.moveOutput; }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Transfers"),
     [](const LutTimes& t) { return t.transfers(); }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Kernel"),
     [](const LutTimes& t) { return t.kernel(); }},
    {QT_TRANSLATE_NOOP("pim::views::LutMappingsView", "Total"), [](const LutTimes& t) { return t.total(); }},
};

} // namespace

LutMappingsView::LutMappingsView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("table"))),
      m_bar(new QHBoxLayout), m_across(new QSplitter(Qt::Horizontal)), m_ops(new QComboBox),
      m_side(new QComboBox), m_codebooks(new QComboBox),
      m_length(spin(QStringLiteral("V "), tr("Elements of a sub-vector"), 1, 1024)),
      m_centroids(spin(QStringLiteral("CT "), tr("Centroids of a codebook"), 2, 65536)),
      m_dpus(spin(QString(), tr("DPUs the layer is split over"), 1, 1 << 20)),
      m_tasklets(spin(QString(), tr("Tasklets of a DPU"), 1, int(upmem::kMostTasklets))),
      m_fewer(new QPushButton), m_use(new QPushButton(tr("Use This Mapping"))),
      m_copy(toolButton({}, tr("Copy as a row for pimc lut-predict"))), m_title(new LineLabel),
      m_status(new LineLabel), m_tilesTitle(new LineLabel),
      m_splits(new LutMap(tr("Sub-LUTs by tiles"), QStringLiteral("lut_mappings"))),
      m_tiles(new LutMap(tr("Tiles of the sub-LUT"), QStringLiteral("lut_tiles"))), m_times(new TableView) {
    setObjectName(QStringLiteral("LutMappingsView"));
    setAccessibleName(tr("Mappings of look-up tables"));
    setProperty("helpTopic", QStringLiteral("lut#panels"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_across, 1);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(0, 0, 6, 2);
    foot->addWidget(m_status, 1);
    foot->addWidget(m_use);
    foot->addWidget(m_copy);
    column->addLayout(foot);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    buildBar(outer);
    buildMaps();
    buildDetails();
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    outer->addWidget(m_pages, 1);
    setEmptyText(tr("No mappings to show"), tr("Open a model and choose UPMEM modules as its target."));
    setLandscape(nullptr);
}

void LutMappingsView::buildBar(QVBoxLayout* into) {
    m_ops->setAccessibleName(tr("Operator that becomes look-ups"));
    m_ops->setToolTip(tr("Products with constant weights"));
    m_ops->setPlaceholderText(tr("Operator"));
    m_ops->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_ops->setMinimumContentsLength(12);
    m_dpus->setSuffix(tr(" DPUs"));
    m_tasklets->setSuffix(tr(" tasklets"));
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("Best mapping"));
    m_bar->setContentsMargins(8, 4, 8, 2);
    m_bar->setSpacing(6);
    m_bar->addWidget(m_ops);
    for (QSpinBox* box : {m_length, m_centroids, m_dpus, m_tasklets}) {
        m_bar->addWidget(box);
        connect(box, &QSpinBox::valueChanged, this, &LutMappingsView::sizesChanged);
    }
    m_bar->addWidget(m_fewer);
    m_bar->addStretch(1);
    m_title->setContentsMargins(10, 0, 8, 2);
    into->addLayout(m_bar);
    into->addWidget(m_title);
    connect(m_ops, &QComboBox::activated, this,
            [this](int row) { emit opChosen(OpId(m_ops->itemData(row).toInt())); });
    connect(m_fewer, &QPushButton::clicked, this, &LutMappingsView::useFewer);
    connect(m_empty, &EmptyState::actionTriggered, this, &LutMappingsView::useFewer);
}

void LutMappingsView::buildMaps() {
    m_side->setAccessibleName(tr("What tiles are told apart by"));
    for (const TileSide side : {TileSide::Rows, TileSide::Features, TileSide::Codebooks})
        m_side->addItem(name(side));
    m_codebooks->setAccessibleName(tr("Codebooks of the tiles that are shown"));
    m_codebooks->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_codebooks->setToolTip(tr("Codebooks of the tiles (cb_mtile) that are shown"));
    m_tilesTitle->setAccessibleName(tr("Sub-LUT whose tiles are shown"));
    const auto part = [](std::initializer_list<QWidget*> head, QWidget* map) {
        auto* widget = new QWidget;
        auto* column = new QVBoxLayout(widget);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(2);
        auto* line = new QHBoxLayout;
        line->setContentsMargins(8, 2, 6, 0);
        for (QWidget* of : head)
            line->addWidget(of, qobject_cast<QLabel*>(of) ? 1 : 0);
        column->addLayout(line);
        column->addWidget(map, 1);
        return widget;
    };
    auto* splitsTitle = new LineLabel;
    splitsTitle->setText(tr("Sub-LUTs"));
    m_across->setChildrenCollapsible(false);
    m_across->addWidget(part({splitsTitle, m_side}, m_splits));
    m_across->addWidget(part({m_tilesTitle, m_codebooks}, m_tiles));
    m_across->addWidget(m_times);
    m_across->setStretchFactor(0, 1);
    m_across->setStretchFactor(1, 1);
    m_across->setStretchFactor(2, 0);
    m_across->setSizes({500, 400, kTimesWidth});
    m_side->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_side->setMinimumContentsLength(10);
    m_side->setToolTip(tr("What tiles are told apart by"));
    connect(m_side, &QComboBox::activated, this, &LutMappingsView::fillSplits);
    connect(m_codebooks, &QComboBox::activated, this, [this] { fillTiles(m_split); });
    connect(m_splits, &LutMap::chosen, this, [this](std::ptrdiff_t at) {
        const LutCell& cell = m_splits->cells().cells[static_cast<std::size_t>(at)];
        fillTiles(cell.split);
        choose(cell);
    });
    connect(m_tiles, &LutMap::chosen, this,
            [this](std::ptrdiff_t at) { choose(m_tiles->cells().cells[static_cast<std::size_t>(at)]); });
    for (const LutMap* map : {m_splits, m_tiles})
        connect(map, &LutMap::decided, this, &LutMappingsView::decide);
}

void LutMappingsView::buildDetails() {
    m_rows = new FiguresModel(
        {{tr("Part"), QStringLiteral("part"), false, {}},
         {tr("Chosen"), QStringLiteral("chosen (s or B)"), true, tr("The mapping that is clicked")},
         {tr("Best"), QStringLiteral("best (s or B)"), true, tr("The best mapping of all")}},
        this);
    m_times->setModel(m_rows);
    m_times->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_times->verticalHeader()->hide();
    m_times->setAccessibleName(tr("Where the time of the mapping goes"));
    m_times->setExportName(QStringLiteral("lut_mapping"));
    m_status->setContentsMargins(10, 2, 4, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("Chosen mapping"));
    m_copy->setText(tr("Copy for lut-predict"));
    connect(m_copy, &QToolButton::clicked, this, &LutMappingsView::copyRows);
    m_use->setAccessibleName(m_use->text());
    m_use->setToolTip(tr("Decide the mapping that is chosen for the operator"));
    connect(m_use, &QPushButton::clicked, this, &LutMappingsView::decide);
}

LutMappingsView::Sizes LutMappingsView::sizes() const {
    return {m_length->value(), m_centroids->value(), m_dpus->value(), m_tasklets->value()};
}

void LutMappingsView::setSizes(const Sizes& sizes) {
    const QSignalBlocker quiet(this);
    m_length->setValue(static_cast<int>(sizes.length));
    m_centroids->setValue(static_cast<int>(sizes.centroids));
    m_dpus->setValue(static_cast<int>(sizes.dpus));
    m_tasklets->setValue(static_cast<int>(sizes.tasklets));
}

void LutMappingsView::setOps(const std::vector<std::pair<OpId, QString>>& ops) {
    m_ops->clear();
    for (const auto& [id, name] : ops)
        m_ops->addItem(name, id.value);
    for (int i = 0; i < m_bar->count(); ++i)
        if (QWidget* const widget = m_bar->itemAt(i)->widget(); widget && widget != m_fewer)
            widget->setVisible(!ops.empty());
}

void LutMappingsView::setSelectedOp(OpId op) {
    m_ops->setCurrentIndex(op.valid() ? m_ops->findData(op.value) : -1);
}

void LutMappingsView::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
    m_empty->setAction({});
}

QString LutMappingsView::emptyText() const {
    return m_empty->text();
}

void LutMappingsView::setStale(bool stale) {
    m_pages->widget(1)->setEnabled(!stale);
}

void LutMappingsView::setSeen(bool seen) {
    emit seenChanged(seen);
}

void LutMappingsView::setLandscape(std::shared_ptr<const LutLandscape> landscape) {
    m_landscape = std::move(landscape);
    m_chosen = {};
    setStale(false);
    const bool any = m_landscape && !m_landscape->splits.empty();
    m_pages->setCurrentIndex(any ? 1 : 0);
    const bool hasFewer = m_landscape && !m_landscape->best.mapping && m_landscape->usableDpus > 0;
    const QString fewer =
        hasFewer ? tr("Use %1 DPUs").arg(text(exactText(m_landscape->usableDpus))) : QString();
    m_fewer->setText(fewer);
    m_fewer->setAccessibleName(hasFewer ? fewer : tr("Use fewer DPUs"));
    m_fewer->setVisible(any && hasFewer);
    m_copy->setEnabled(false);
    m_use->setEnabled(false);
    m_title->setVisible(any);
    if (!m_landscape)
        return m_title->clear();
    const upmem::LutLayer& layer = m_landscape->layer;
    if (!any) {
        m_title->clear();
        setEmptyText(tr("No mapping on %1 DPUs").arg(layer.dpus), text(m_landscape->best.reason));
        return m_empty->setAction(fewer);
    }
    const QString size = tr("N %1 · CB %2 · CT %3 · F %4")
                             .arg(layer.rows)
                             .arg(layer.codebooks)
                             .arg(layer.centroids)
                             .arg(layer.features);
    m_title->setText(
        m_landscape->best.mapping
            ? tr("<b>%1</b> at best · %2 · %3 of %4 mappings not possible")
                  .arg(secondsText(m_landscape->best.times.total()), size)
                  .arg(text(exactText(m_landscape->rejected())), text(exactText(m_landscape->points())))
            : tr("<b>no mapping</b> · %1 · %2").arg(size, text(m_landscape->best.reason).toHtmlEscaped()));
    m_split = -1;
    fillSplits();
    const std::ptrdiff_t best = m_splits->cells().best();
    m_splits->setCurrent(best);
    const LutCell first =
        m_splits->cells().cells[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, best))];
    fillTiles(first.split);
    choose(first);
}

void LutMappingsView::fillSplits() {
    if (!m_landscape)
        return;
    LutCells cells = splitMap(*m_landscape, static_cast<TileSide>(m_side->currentIndex()));
    const std::ptrdiff_t best = cells.best();
    m_splits->setCells(std::move(cells), best);
}

void LutMappingsView::fillTiles(std::ptrdiff_t split) {
    const std::int64_t wanted = m_codebooks->currentData().toLongLong();
    const QSignalBlocker quiet(m_codebooks);
    m_codebooks->clear();
    m_codebooks->addItem(tr("cb: best"), qint64(0));
    for (const std::int64_t length : codebookTiles(*m_landscape, split))
        m_codebooks->addItem(tr("cb: %1").arg(length), qint64(length));
    m_codebooks->setCurrentIndex(std::max(0, m_codebooks->findData(qint64(wanted))));
    m_split = split;
    const auto& of = m_landscape->splits[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, split))];
    m_tilesTitle->setText(of.points.empty()
                              ? tr("No tiles of %1 x %2").arg(of.split.rows).arg(of.split.features)
                              : tr("Tiles of %1 x %2").arg(of.split.rows).arg(of.split.features));
    LutCells cells = tileMap(*m_landscape, split, m_codebooks->currentData().toLongLong());
    const std::ptrdiff_t best = cells.best();
    const bool isBestOfAll =
        best >= 0 &&
        mappingOf(*m_landscape, cells.cells[static_cast<std::size_t>(best)]) == m_landscape->best.mapping;
    m_tiles->setCells(std::move(cells), isBestOfAll ? best : -1);
}

void LutMappingsView::choose(const LutCell& cell) {
    m_chosen = cell;
    const auto& cells = m_tiles->cells().cells;
    const auto same = std::ranges::find_if(cells, [&](const LutCell& other) {
        return cell.isPossible() && other.split == cell.split && other.point == cell.point;
    });
    if (same != cells.end())
        m_tiles->setCurrent(same - cells.begin());
    showChosen();
    fillTimes();
}

void LutMappingsView::showChosen() {
    const auto mapping = chosen();
    m_copy->setEnabled(mapping.has_value());
    m_use->setEnabled(false);
    m_use->setToolTip(tr("Decide this mapping for the operator; a double click or Enter does it, too"));
    if (!mapping)
        return m_status->setText(m_chosen.reason.isEmpty() ? tr("There is no such tile")
                                                           : tr("Not possible: %1").arg(m_chosen.reason));
    const upmem::LutChoice choice{*mapping, m_landscape->layer.tasklets};
    if (m_inForce == choice)
        return m_status->setText(tr("%1 · in force").arg(text(*mapping)));
    const QString why = m_judge ? m_judge(choice) : tr("There is no plan to decide in.");
    m_status->setText(why.isEmpty() ? text(*mapping) : tr("%1 · %2").arg(text(*mapping), why));
    m_use->setEnabled(why.isEmpty());
    if (!why.isEmpty())
        m_use->setToolTip(why);
}

void LutMappingsView::setDecisions(Judge judge, std::optional<upmem::LutChoice> inForce, bool isConverted) {
    m_judge = std::move(judge);
    m_inForce = inForce;
    for (QSpinBox* box : {m_length, m_centroids})
        box->setEnabled(!isConverted);
    if (m_landscape && !m_landscape->splits.empty())
        showChosen();
}

void LutMappingsView::decide() {
    if (const auto mapping = m_use->isEnabled() ? chosen() : std::nullopt)
        emit decisionAsked({*mapping, m_landscape->layer.tasklets});
}

void LutMappingsView::fillTimes() {
    const auto mapping = chosen();
    const auto& best = m_landscape->best;
    const LutTimes times = timesOf(*m_landscape, m_chosen);
    std::vector<std::vector<Figure>> rows;
    for (const TimePart& part : kParts)
        rows.push_back({{tr(part.name), {}, {}},
                        timeFigure(part.seconds(times), mapping.has_value()),
                        timeFigure(part.seconds(best.times), best.mapping.has_value())});
    const std::int64_t tasklets = m_landscape->layer.tasklets;
    rows.push_back({{tr("As measured"), {}, {}},
                    timeFigure(upmem::calibrated(times, tasklets).total(), mapping.has_value()),
                    timeFigure(upmem::calibrated(best.times, tasklets).total(), best.mapping.has_value())});
    const auto bytes = [&](const std::optional<upmem::LutMapping>& of, bool wram) {
        if (!of)
            return Figure{QStringLiteral("–"), {}, {}};
        const std::int64_t count = wram ? upmem::wramBytes(m_landscape->layer, *of)
                                        : upmem::mramBytes(m_landscape->layer, of->split);
        return Figure{text(bytesText(double(count))), qint64(count), {}};
    };
    rows.push_back({{tr("WRAM"), {}, {}}, bytes(mapping, true), bytes(best.mapping, true)});
    rows.push_back({{tr("MRAM"), {}, {}}, bytes(mapping, false), bytes(best.mapping, false)});
    m_rows->setRows(std::move(rows));
    m_times->fitColumns(120);
}

void LutMappingsView::useFewer() {
    if (m_landscape && m_landscape->usableDpus > 0)
        m_dpus->setValue(static_cast<int>(m_landscape->usableDpus));
}

void LutMappingsView::copyRows() {
    if (const auto mapping = chosen())
        QGuiApplication::clipboard()->setText(predictRows(m_landscape->layer, *mapping));
}

void LutMappingsView::resizeEvent(QResizeEvent* event) {
    m_times->setVisible(width() >= kLeastForTimes);
    QWidget::resizeEvent(event);
}

} // namespace pim::views
