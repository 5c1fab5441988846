// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/crossbar/chip_map_view.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text_label.h"
#include "views/crossbar/memory_panel.h"
#include "views/crossbar/search_panel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>

namespace pim::views {
namespace {

QString words(std::string_view s) {
    return QString::fromUtf8(s.data(), qsizetype(s.size()));
}
QString time(double ns) {
    return QString::fromStdString(timeText(ns));
}

} // namespace

ChipMapView::ChipMapView(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("table"))),
      m_headline(new LineLabel), m_measure(new QComboBox), m_canvas(new ChipCanvas), m_tabs(new QTabWidget),
      m_layers(new FiguresModel(
          {{tr("Layer"), tr("layer"), false, tr("First op of the layer")},
           {tr("Replicas"), tr("replicas"), true, tr("Number of copies of its weights on the machine")},
           {tr("Unfolding"), tr("unfolding"), false,
            tr("How weights become matrices: rows, columns, matrices")},
           {tr("Arrays"), tr("arrays"), true, tr("Logical arrays of all replicas")},
           {tr("Groups"), tr("array groups of a replica"), true,
            tr("Array groups of a replica: arrays that share their input")},
           {tr("Windows"), tr("windows"), true,
            tr("Output pixels of a sample; of a transposed convolution those of one phase")},
           {tr("Cores"), tr("cores"), true, tr("Cores that hold part of it")},
           {tr("Each works"), tr("work of an array (ns)"), true,
            tr("How long each of its arrays computes for a sample")},
           {tr("Share"), tr("share of a sample"), true,
            tr("Of the time a sample takes, in high throughput of the time between two: the layer with the "
               "most "
               "keeps samples from coming faster, where arrays do")}},
          this)),
      m_table(new TableView), m_search(new SearchPanel), m_memory(new MemoryPanel), m_layer(new LineLabel),
      m_unfolding(new ChoiceBox), m_replicas(new QSpinBox), m_reset(new QToolButton),
      m_verdict(new TextLabel) {
    setObjectName(QStringLiteral("ChipMapView"));
    setAccessibleName(tr("Map of the chips"));
    m_empty->setText(
        tr("This plan has no crossbar cores"),
        tr("Choose a target of crossbar cores, such as isaac; its chips, cores and arrays appear here."));
    m_headline->setTextFormat(Qt::RichText);
    m_headline->setAccessibleName(tr("Throughput, latency, use"));
    m_measure->setAccessibleName(tr("Colour"));
    for (int i = 0; i < int(ChipMeasure::Count_); ++i)
        m_measure->addItem(title(ChipMeasure(i)));

    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(12, 4, 8, 4);
    bar->setSpacing(8);
    bar->addWidget(m_headline, 1);
    auto* label = new QLabel(tr("Colour"));
    label->setBuddy(m_measure);
    bar->addWidget(label);
    bar->addWidget(m_measure);
    layout->addLayout(bar);

    m_table->setModel(m_layers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAccessibleName(tr("Layers on the chips"));
    m_table->setTextElideMode(Qt::ElideMiddle); // names begin alike
    m_table->setExportName(QStringLiteral("layers"));
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_tabs->addTab(m_table, tr("Layers"));
    m_tabs->addTab(m_search, tr("Search"));
    m_tabs->addTab(m_memory, tr("Memory"));
    m_tabs->setAccessibleName(tr("Layers, search, memory"));
    m_tabs->setDocumentMode(true);
    auto* split = new QSplitter(Qt::Horizontal);
    split->addWidget(m_canvas);
    split->addWidget(m_tabs);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    layout->addWidget(split, 1);
    auto* editor = new QWidget;
    buildEditor(editor);
    layout->addWidget(editor);

    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(m_measure, &QComboBox::currentIndexChanged, this,
            [this](int i) { m_canvas->setMeasure(ChipMeasure(i)); });
    connect(m_canvas, &ChipCanvas::entryChosen, this, &ChipMapView::choose);
    connect(m_canvas, &ChipCanvas::verdictChanged, this, [this] {
        showVerdict(m_canvas->verdictText(), !m_canvas->verdictText().isEmpty() && !m_canvas->isCarrying());
    });
    connect(m_canvas, &ChipCanvas::moveRequested, this, [this](const ChipGroup& group, int core) {
        const QString op = m_facts->layers[std::size_t(group.entry)].opName;
        emit decisionRequested(op, QStringLiteral("cores"), movedTo(pinned(op), group, core));
    });
    m_canvas->setVerdict([this](const ChipGroup& group, int core) {
        const QString op = m_facts->layers[std::size_t(group.entry)].opName;
        return m_check ? m_check(op, QStringLiteral("cores"), movedTo(pinned(op), group, core)) : QString();
    });
    connect(m_canvas, &ChipCanvas::coreChosen, m_memory, &MemoryPanel::setCore);
    connect(m_memory, &MemoryPanel::coreChosen, m_canvas, &ChipCanvas::setCore);
    connect(m_memory, &MemoryPanel::occupancyWanted, this, [this] { emit occupancyWanted(m_plan); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) { choose(row.isValid() ? row.row() : -1); });
}

void ChipMapView::buildEditor(QWidget* into) {
    auto* row = new QHBoxLayout(into);
    row->setContentsMargins(12, 4, 8, 5);
    row->setSpacing(8);
    m_layer->setTextFormat(Qt::RichText);
    m_layer->setAccessibleName(tr("Chosen layer"));
    row->addWidget(m_layer, 3);
    auto* unfolding = new QLabel(tr("Unfolding"));
    unfolding->setBuddy(m_unfolding);
    m_unfolding->setAccessibleName(tr("Unfolding of the layer"));
    m_unfolding->setMinimumContentsLength(8);
    row->addWidget(unfolding);
    row->addWidget(m_unfolding);
    auto* replicas = new QLabel(tr("Replicas"));
    replicas->setBuddy(m_replicas);
    m_replicas->setAccessibleName(tr("Replicas of the layer"));
    m_replicas->setToolTip(
        tr("Number of copies of the layer's weights on the machine; more copies work in parallel"));
    m_replicas->setKeyboardTracking(false);
    m_replicas->setRange(1, 1'000'000);
    row->addWidget(replicas);
    row->addWidget(m_replicas);
    m_reset->setIcon(icon(QStringLiteral("undo")));
    m_reset->setAutoRaise(true);
    m_reset->setToolTip(tr("Let the compiler decide about this layer again"));
    m_reset->setAccessibleName(tr("Reset the layer"));
    row->addWidget(m_reset);
    m_verdict->setWordWrap(true);
    m_verdict->setAccessibleName(tr("Verdict"));
    m_verdict->hide();
    row->addWidget(m_verdict, 2);

    connect(m_unfolding, &ChoiceBox::chosen, this, [this](const QString& value) {
        if (const ChipLayer* layer = chosen())
            emit decisionRequested(layer->opName, QStringLiteral("unfolding"), value);
    });
    connect(m_replicas, &QSpinBox::valueChanged, this, [this](int value) {
        const ChipLayer* layer = chosen();
        if (!layer || value == layer->replicas)
            return;
        const QString refused =
            m_check ? m_check(layer->opName, QStringLiteral("replicas"), QString::number(value)) : QString();
        showVerdict(refused, !refused.isEmpty());
        if (refused.isEmpty())
            emit decisionRequested(layer->opName, QStringLiteral("replicas"), QString::number(value));
        else
            updateEditor();
    });
    connect(m_reset, &QToolButton::clicked, this, [this] {
        if (const ChipLayer* layer = chosen())
            emit decisionsCleared(layer->opName, {QStringLiteral("replicas"), QStringLiteral("unfolding"),
                                                  QStringLiteral("cores")});
    });
}

void ChipMapView::setPlan(std::shared_ptr<const Plan> plan, bool isStale) {
    const auto* detail = plan ? dynamic_cast<const CrossbarPlan*>(plan->detail.get()) : nullptr;
    m_pages->setCurrentIndex(detail ? 1 : 0);
    m_isStale = isStale;
    if (!detail) {
        m_plan.reset();
        m_facts.reset();
        m_canvas->setFacts(nullptr);
        m_memory->setFacts(nullptr);
        m_search->setFacts(nullptr);
        m_layers->setRows({});
        return;
    }
    if (plan != m_plan) {
        m_plan = std::move(plan);
        m_facts = std::make_shared<const ChipFacts>(chipFacts(*detail));
        if (m_entry >= int(m_facts->layers.size()))
            m_entry = -1;
        m_canvas->setFacts(m_facts);
        m_memory->setFacts(m_facts);
        fillTable();
        m_search->setFacts(m_facts);
        m_tabs->setTabVisible(1, !m_search->isEmpty());
    }
    m_headline->setText(m_facts->headline);
    m_headline->setEnabled(!isStale);
    updateEditor();
}

void ChipMapView::setOccupancy(const std::shared_ptr<const Plan>& plan,
                               std::shared_ptr<const MemoryOccupancy> occupancy) {
    if (plan == m_plan)
        m_memory->setOccupancy(std::move(occupancy));
}

void ChipMapView::setCheck(Check check) {
    m_check = std::move(check);
}

const ChipLayer* ChipMapView::chosen() const {
    return m_facts && m_entry >= 0 ? &m_facts->layers[std::size_t(m_entry)] : nullptr;
}

QString ChipMapView::pinned(const QString& op) const {
    const std::string* value = m_plan ? m_plan->overrides.find(op.toStdString(), "cores") : nullptr;
    return value ? QString::fromStdString(*value) : QString();
}

void ChipMapView::choose(int entry) {
    if (!m_facts || entry == m_entry || entry >= int(m_facts->layers.size()))
        return;
    m_entry = entry;
    m_canvas->setHighlight(entry);
    showVerdict({}, false);
    updateEditor();
    showRow();
    if (const ChipLayer* layer = chosen())
        emit opSelected(layer->op);
}

void ChipMapView::setSelectedOp(OpId op) {
    if (!m_facts)
        return;
    for (std::size_t i = 0; i < m_facts->layers.size(); ++i)
        if (m_facts->layers[i].op == op)
            return choose(int(i));
    choose(-1);
}

void ChipMapView::updateEditor() {
    const ChipLayer* layer = chosen();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_unfolding, m_replicas, m_reset})
        widget->setEnabled(layer != nullptr && !m_isStale);
    const QSignalBlocker block(m_replicas);
    m_replicas->setValue(layer ? layer->replicas : 1);
    if (!layer) {
        m_layer->setText(tr("No layer chosen"));
        m_unfolding->setChoices([] { return std::vector<Choice>(); }, {});
        return;
    }
    m_layer->setText(tr("<b>%1</b> %2 × %3 weights, %4 arrays per replica")
                         .arg(layer->name.toHtmlEscaped())
                         .arg(layer->rows)
                         .arg(layer->columns)
                         .arg(layer->replicas > 0 ? layer->arrays / layer->replicas : 0));
    std::vector<Choice> choices;
    for (int i = 0; i <= int(Unfolding::WholeWindow); ++i) {
        const auto unfolding = Unfolding(i);
        const QString value = words(name(unfolding));
        const auto refused = layer->refused.find(unfolding);
        const bool isLegal = refused == layer->refused.end();
        choices.push_back({value, isLegal, isLegal ? QString() : refused->second});
    }
    m_unfolding->setChoices([choices] { return choices; }, words(name(layer->unfolding)));
    const Overrides& made = m_plan->overrides;
    const std::string op = layer->opName.toStdString();
    m_reset->setEnabled(!m_isStale &&
                        (made.find(op, "replicas") || made.find(op, "unfolding") || made.find(op, "cores")));
}

void ChipMapView::fillTable() {
    std::vector<std::vector<Figure>> rows;
    for (const ChipLayer& layer : m_facts->layers) {
        const QString unfolding = words(name(layer.unfolding));
        const bool transposed = layer.phases > 1;
        rows.push_back({{layer.name, {}, {}},
                        countFigure(layer.replicas),
                        {transposed ? tr("%1, %n phases", nullptr, layer.phases).arg(unfolding) : unfolding,
                         unfolding,
                         {}},
                        countFigure(layer.arrays),
                        countFigure(layer.groups),
                        countFigure(layer.windows),
                        countFigure(layer.cores),
                        {time(layer.arrayNs), layer.arrayNs, {}},
                        shareFigure(m_facts->sampleNs > 0 ? layer.arrayNs / m_facts->sampleNs : 0)});
    }
    m_layers->setRows(std::move(rows));
    m_table->fitColumns(150);
    showRow();
}

/// Chosen there, too. That tells choose() again, which knows it already.
void ChipMapView::showRow() {
    const QModelIndex index = m_entry < 0 ? QModelIndex() : m_layers->index(m_entry, 0);
    if (!index.isValid())
        return m_table->selectionModel()->clear();
    m_table->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                          QItemSelectionModel::Rows);
    m_table->scrollTo(index);
}

void ChipMapView::showVerdict(const QString& text, bool isBad) {
    m_verdict->setText(text);
    m_verdict->setVisible(!text.isEmpty()); // the chosen layer has the room otherwise
    QPalette colours = palette();
    if (isBad)
        colours.setColor(QPalette::WindowText, color(Role::Bad));
    m_verdict->setPalette(colours);
}

} // namespace pim::views
