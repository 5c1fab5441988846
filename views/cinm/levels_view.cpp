// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/levels_view.h"

#include "core/base/number_text.h"
#include "core/ir/from_graph.h"
#include "views/cinm/level_text.h"
#include "views/common/choice_box.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/line_label.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPointer>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>

namespace pim::views {
namespace {

ChoiceBox* choiceBox(const QStringList& values, const QString& current, const QString& name,
                     const QString& tip) {
    auto* box = new ChoiceBox;
    box->setChoices(
        [values] {
            std::vector<Choice> choices;
            for (const QString& value : values)
                choices.push_back({value, true, {}});
            return choices;
        },
        current);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

QSpinBox* spinBox(int most, int value, const QString& name, const QString& tip) {
    auto* box = new QSpinBox;
    box->setRange(1, most);
    box->setValue(value);
    box->setKeyboardTracking(false);
    box->setMaximumWidth(64);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

QString costText(const memristor::TileCost& cost) {
    const QString wear = cost.lifetimeYears
                             ? LevelsView::tr("cells last %1 years").arg(*cost.lifetimeYears, 0, 'g', 3)
                             : LevelsView::tr("nothing is written");
    return QStringLiteral("%1, %2, %3").arg(text(timeText(cost.ns)), text(energyText(cost.pj)), wear);
}

/// What was lowered, or why it could not be.
struct Outcome {
    std::shared_ptr<const cinm::Flow> flow;
    QString problem;
};

Outcome lowered(const std::shared_ptr<const Graph>& graph, ir::Scalar elements,
                const cinm::FlowOptions& options) {
    auto program = ir::fromGraph(graph, elements);
    if (!program)
        return {nullptr, text(program.error().text())};
    auto flow = cinm::lowerForTiles(std::move(program->module), options);
    if (!flow)
        return {nullptr, text(flow.error().text())};
    return {std::make_shared<const cinm::Flow>(std::move(*flow)), {}};
}

} // namespace

LevelsView::LevelsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_bar(new QHBoxLayout), m_strip(new QHBoxLayout),
      m_panes(new QSplitter(Qt::Horizontal)), m_split(new QSplitter(Qt::Vertical)), m_table(new TableView),
      m_rows(new FiguresModel(
          {{tr("Product"), QStringLiteral("product"), false, {}},
           {tr("m × k × n"), QStringLiteral("m x k x n"), true, tr("[m][k] times [k][n]")},
           {tr("Mapping"), QStringLiteral("mapping"), false,
            tr("Order of loops, outermost first; what the tiles hold; tiles at work together")},
           {tr("Tile writes"), QStringLiteral("tile writes"), true, tr("How often a tile is programmed")},
           {tr("Usual order"), QStringLiteral("tile writes, mnk"), true,
            tr("Tile writes with the loops m, n, k and boxes")},
           {tr("Time"), QStringLiteral("time (ns)"), true, tr("Device model of the Open CIM Compiler")}},
          this)),
      m_summary(new LineLabel), m_empty(new EmptyState(QStringLiteral("graph"))) {
    setObjectName(QStringLiteral("LevelsView"));
    buildBar();
    m_panes->setChildrenCollapsible(false);
    m_table->setModel(m_rows);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Products on tiles"));
    m_table->setExportName(QStringLiteral("products"));
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_panes);
    m_split->addWidget(m_table);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 1);
    m_split->setSizes({600, 240}); // the texts are what it is about
    m_summary->setContentsMargins(8, 3, 8, 3);
    m_summary->setAccessibleName(tr("All products together"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(m_bar);
    column->addLayout(m_strip);
    column->addWidget(m_split, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_summary);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (!m_flow || m_following || !row.isValid())
                    return;
                const OpId op = m_workspace.graph()->findOp(m_flow->products[std::size_t(row.row())].name);
                if (op.valid())
                    m_workspace.selectOp(op);
            });
    const auto changed = [this] {
        m_isCurrent = false;
        lower();
    };
    connect(&m_workspace, &Workspace::graphChanged, this, changed);
    connect(&m_workspace, &Workspace::selectionChanged, this, &LevelsView::followSelection);
    showFlow(nullptr, {});
}

void LevelsView::buildBar() {
    m_bar->setContentsMargins(8, 4, 8, 0);
    m_elements =
        choiceBox({QStringLiteral("f32"), QStringLiteral("i8"), QStringLiteral("i16"), QStringLiteral("i32")},
                  QStringLiteral("i8"), tr("Elements"),
                  tr("What fractions become: tiles hold integers, as of a quantised network"));
    m_order = choiceBox({QStringLiteral("search"), QStringLiteral("mnk"), QStringLiteral("mkn"),
                         QStringLiteral("nmk"), QStringLiteral("nkm"), QStringLiteral("kmn"),
                         QStringLiteral("knm")},
                        QStringLiteral("search"), tr("Order of loops"),
                        tr("Loops of every product, outermost first; knm writes each tile once"));
    m_goal = choiceBox({QStringLiteral("time"), QStringLiteral("energy"), QStringLiteral("writes")},
                       QStringLiteral("time"), tr("Goal"), tr("What the search makes small"));
    m_size = spinBox(4096, 64, tr("Tile size"), tr("Cells in a row and in a column of a tile"));
    m_tiles = spinBox(4096, 4, tr("Tiles"), tr("Tiles of the accelerator"));
    const std::pair<QString, QWidget*> fields[] = {{tr("Elements"), m_elements},
                                                   {tr("Order"), m_order},
                                                   {tr("Goal"), m_goal},
                                                   {tr("Tile size"), m_size},
                                                   {tr("Tiles"), m_tiles}};
    const auto changed = [this] {
        m_isCurrent = false;
        lower();
    };
    for (const auto& [name, field] : fields) {
        auto* label = new QLabel(name);
        label->setBuddy(field);
        m_bar->addWidget(label);
        m_bar->addWidget(field);
        m_bar->addSpacing(4);
        if (auto* box = qobject_cast<ChoiceBox*>(field))
            connect(box, &ChoiceBox::chosen, this, changed);
        else
            connect(qobject_cast<QSpinBox*>(field), &QSpinBox::valueChanged, this, changed);
    }
    m_bar->addStretch(1);
    m_strip->setContentsMargins(8, 4, 8, 4);
}

void LevelsView::setSeen(bool seen) {
    m_seen = seen;
    lower();
}

void LevelsView::lower() {
    const auto graph = m_workspace.graph();
    if (!m_seen || m_isCurrent)
        return;
    if (!graph)
        return showFlow(nullptr, {});
    m_isCurrent = true;
    cinm::FlowOptions options;
    options.order = m_order->value().toStdString();
    options.size = m_size->value();
    options.tiles = m_tiles->value();
    options.goal = m_goal->value() == QStringLiteral("writes")   ? memristor::TileGoal::Writes
                   : m_goal->value() == QStringLiteral("energy") ? memristor::TileGoal::Energy
                                                                 : memristor::TileGoal::Time;
    const ir::Scalar elements = *ir::scalarFromName(m_elements->value().toStdString());
    if (m_task != 0)
        m_workspace.tasks()->cancel(m_task);
    m_task = m_workspace.tasks()->start(
        tr("Lowering the network"),
        [this, graph, elements, options](const TaskContext&) -> std::function<void()> {
            const Outcome outcome = lowered(graph, elements, options);
            return [this, outcome] {
                m_task = 0;
                showFlow(outcome.flow, outcome.problem);
            };
        });
}

void LevelsView::showFlow(std::shared_ptr<const cinm::Flow> flow, const QString& problem) {
    m_flow = std::move(flow);
    m_split->setVisible(m_flow != nullptr);
    m_summary->setVisible(m_flow != nullptr);
    m_empty->setVisible(m_flow == nullptr);
    if (!problem.isEmpty())
        m_empty->setText(tr("This network cannot be lowered"), problem);
    else
        m_empty->setText(tr("No levels to show"), tr("Open a model to see it lowered to memristor tiles."));
    showLevels();
    showProducts();
    m_marked.clear();
    followSelection();
}

void LevelsView::showLevels() {
    const std::size_t count = m_flow ? m_flow->levels.size() : 0;
    while (m_texts.size() < count) {
        const std::size_t level = m_texts.size();
        auto* chip = new QToolButton;
        chip->setCheckable(true);
        chip->setChecked(true);
        auto* pane = new LevelText;
        m_strip->insertWidget(int(level), chip);
        m_panes->addWidget(pane);
        m_chips.push_back(chip);
        m_texts.push_back(pane);
        connect(chip, &QToolButton::toggled, pane, &QWidget::setVisible);
        connect(pane, &QPlainTextEdit::cursorPositionChanged, this, [this, level] { takeLine(level); });
    }
    if (m_strip->count() == int(m_texts.size()) && count > 0)
        m_strip->addStretch(1);
    m_following = true;
    for (std::size_t l = 0; l < m_texts.size(); ++l) {
        m_chips[l]->setVisible(l < count);
        if (l >= count)
            continue;
        const ir::Level& level = m_flow->levels[l];
        m_chips[l]->setText(tr("%1 ✓ · %2 ops · %3 lines · %4 ms")
                                .arg(text(level.name),
                                     text(exactText(std::ssize(level.module->operations()))),
                                     text(exactText(level.printed.lineCount)))
                                .arg(level.milliseconds, 0, 'f', 1));
        m_chips[l]->setToolTip(tr("Show or hide level %1; ✓: its ops are verified").arg(text(level.name)));
        m_texts[l]->setAccessibleName(tr("Level %1").arg(text(level.name)));
        m_texts[l]->setLevel(level);
    }
    m_following = false;
}

void LevelsView::showProducts() {
    std::vector<std::vector<Figure>> rows;
    std::size_t onHost = 0;
    for (const cinm::Product& product : m_flow ? m_flow->products : std::vector<cinm::Product>()) {
        const auto& shape = product.shape;
        const QString extents = QStringLiteral("%1 × %2 × %3").arg(shape.m).arg(shape.k).arg(shape.n);
        if (!product.whyHost.empty()) {
            ++onHost;
            rows.push_back({{text(product.name), {}, {}},
                            {extents, {}, {}},
                            {tr("host: %1").arg(text(product.whyHost)), {}, {}},
                            {},
                            {},
                            {}});
            continue;
        }
        rows.push_back({{text(product.name), {}, {}},
                        {extents, {}, {}},
                        {text(ir::text(product.choice.mapping)), {}, {}},
                        countFigure(product.choice.counts.tileWrites * product.times),
                        countFigure(product.baseline.tileWrites * product.times),
                        {text(timeText(product.choice.cost.ns * double(product.times))),
                         product.choice.cost.ns * double(product.times),
                         {}}});
    }
    const bool all = m_flow && onHost == m_flow->products.size();
    m_rows->setRows(std::move(rows));
    m_table->fitColumns(420);
    if (!m_flow)
        return;
    m_summary->setText(
        all ? tr("All %1 products stay on the host").arg(onHost)
            : tr("%1 tile writes (usual order %2) · %3 · usual order: %4 · counted as numbers of 8 bits")
                  .arg(text(exactText(m_flow->total.tileWrites)),
                       text(exactText(m_flow->baseline.tileWrites)), costText(m_flow->cost),
                       costText(m_flow->baselineCost)));
}

void LevelsView::followSelection() {
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    if (m_flow && graph && op.valid() && op.index() < graph->ops.size())
        mark(graph->op(op).name);
}

/// Sets an op of the network off on all levels, and brings it into view where it is not already.
void LevelsView::mark(const std::string& graphOp) {
    if (graphOp == m_marked)
        return;
    m_marked = graphOp;
    m_following = true;
    for (std::size_t l = 0; l < m_flow->levels.size(); ++l) {
        const auto ops = ir::madeFrom(*m_flow->levels[l].module, graphOp);
        m_texts[l]->markOps(ops);
        if (!ops.empty() && !m_texts[l]->hasFocus())
            m_texts[l]->goToLine(m_texts[l]->lineOf(ops.front()));
    }
    for (std::size_t p = 0; p < m_flow->products.size(); ++p)
        if (m_flow->products[p].name == graphOp)
            m_table->selectRow(int(p));
    m_following = false;
}

/// The op of the line, on the levels above and below too.
void LevelsView::takeLine(std::size_t level) {
    if (m_following || !m_flow || level >= m_flow->levels.size())
        return;
    const ir::Module& module = *m_flow->levels[level].module;
    const ir::OperationId op = m_texts[level]->opAt(m_texts[level]->currentLine());
    if (!op.valid())
        return;
    const ir::Location& from = module.location(module.operation(op));
    if (from.graphOps.empty())
        return;
    const OpId selected = m_workspace.graph()->findOp(from.graphOps.front());
    if (selected.valid())
        m_workspace.selectOp(selected);
    mark(from.graphOps.front());
    m_following = true;
    if (level > 0 && !from.parents.empty())
        m_texts[level - 1]->goToLine(m_texts[level - 1]->lineOf(from.parents.front()));
    if (level + 1 < m_flow->levels.size())
        if (const auto made = ir::madeFrom(*m_flow->levels[level + 1].module, op); !made.empty())
            m_texts[level + 1]->goToLine(m_texts[level + 1]->lineOf(made.front()));
    m_following = false;
}

} // namespace pim::views
