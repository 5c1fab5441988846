// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/levels_view.h"

#include "core/base/number_text.h"
#include "core/hardware/catalog.h"
#include "core/ir/outline.h"
#include "views/cinm/level_text.h"
#include "views/cinm/program_box.h"
#include "views/cinm/tiles_in_time.h"
#include "views/common/choice_box.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/flow_layout.h"
#include "views/common/helps_view.h"
#include "views/common/line_label.h"
#include "views/common/roofs_view.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>

namespace pim::views {
namespace {

void setChoices(ChoiceBox* box, const QStringList& values, const QString& current) {
    box->setChoices(
        [values] {
            std::vector<Choice> choices;
            for (const QString& value : values)
                choices.push_back({value, true, {}});
            return choices;
        },
        current);
}

ChoiceBox* choiceBox(const QStringList& values, const QString& current, const QString& name,
                     const QString& tip) {
    auto* box = new ChoiceBox;
    setChoices(box, values, current);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

const QStringList kMachines{QStringLiteral("memristor"), QStringLiteral("upmem"), QStringLiteral("auto"),
                            QStringLiteral("paper")};

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

QString nsText(const std::optional<double>& ns, std::int64_t times) {
    return ns ? text(timeText(*ns * double(times))) : LevelsView::tr("unknown");
}

/// None without a draft, or off DPUs.
std::optional<std::int64_t> wramOf(const cinm::Flow& flow, const cinm::PlacedOp& op) {
    return op.machine == cinm::Machine::Dpus ? cinm::wramBytes(*op.dpus, *flow.options.dpus) : std::nullopt;
}

/// In the order of the table.
enum Column { Name, Work, On, Mapping, Time, TileWrites, UsualOrder, EvenSpread, Wram, Why };

} // namespace

/// What was lowered, or why it could not be, with the texts ready to be shown.
struct LevelsView::Outcome {
    std::shared_ptr<const cinm::Flow> flow;
    std::optional<Error> problem;
    std::unique_ptr<QTextDocument> source;             ///< The text of a program that cannot be read.
    std::vector<std::unique_ptr<QTextDocument>> texts; ///< One a level.
    std::vector<std::vector<int>>
        changed; ///< Lines of each that are other than before; empty without a flow before.
};

LevelsView::LevelsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_bar(new FlowLayout), m_strip(new FlowLayout),
      m_panes(new QSplitter(Qt::Horizontal)), m_split(new QSplitter(Qt::Vertical)),
      m_below(new QSplitter(Qt::Horizontal)), m_codeChip(new QToolButton), m_code(new LineText),
      m_loops(new LineText), m_source(new LineText), m_tiles(new TilesInTime(workspace, this)),
      m_table(new TableView),
      m_figures(new FiguresModel(
          {{tr("Op"), QStringLiteral("op"), false, {}},
           {tr("Work"), QStringLiteral("work"), false, tr("[m][k] times [k][n], or the elements")},
           {tr("On"), QStringLiteral("machine"), false,
            tr("The machine; a right click puts the op elsewhere")},
           {tr("Mapping"), QStringLiteral("mapping"), false,
            tr("Tiles: order of loops, outermost first, and what the tiles hold. DPUs: how many times how "
               "many tasklets, "
               "and the box of each")},
           {tr("Time"), QStringLiteral("time (ns)"), true,
            tr("All runs, where it is placed, with all bits of its elements")},
           {tr("Tile writes"), QStringLiteral("tile writes"), true,
            tr("How often a tile is programmed, as numbers of 8 bits")},
           {tr("Usual order"), QStringLiteral("tile writes, mnk"), true,
            tr("Tile writes with the loops m, n, k and boxes")},
           {tr("Spread evenly"), QStringLiteral("time spread evenly (ns)"), true,
            tr("Time on DPUs with equal boxes of all loops in turn, instead of the draft that was searched")},
           {tr("WRAM"), QStringLiteral("WRAM (B)"), true, tr("What all tasklets of a DPU use of its 64 KB")},
           {tr("Why there"), QStringLiteral("reason"), false, {}}},
          this)),
      m_summary(new LineLabel), m_empty(new EmptyState(QStringLiteral("graph"))) {
    setObjectName(QStringLiteral("LevelsView"));
    buildBar();
    m_panes->setChildrenCollapsible(false);
    m_panes->addWidget(m_code); // levels come in front of it
    m_strip->addWidget(m_codeChip);
    for (const TilesInTime::Pane& pane : m_tiles->panes()) {
        m_panes->addWidget(pane.widget);
        m_strip->addWidget(pane.chip);
    }
    m_table->setModel(m_figures);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Ops and their machines"));
    m_table->setExportName(QStringLiteral("ops"));
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_loops->setAccessibleName(tr("Loops of the selected op"));
    m_loops->setToolTip(
        tr("What the selected op became: loops with their turns, and how often things are done in all"));
    m_code->setAccessibleName(tr("C code"));
    m_codeChip->setCheckable(true);
    m_codeChip->setToolTip(tr("Show or hide the C code for the machine"));
    m_code->hide();
    connectTiles();
    m_below->setChildrenCollapsible(false);
    m_below->addWidget(m_table);
    m_below->addWidget(m_loops);
    m_below->setStretchFactor(0, 3);
    m_below->setStretchFactor(1, 1);
    m_below->setSizes({700, 300});
    m_split->setChildrenCollapsible(false);
    m_split->setMinimumHeight(1); // else a low panel would be taken from the choices above
    m_split->addWidget(m_panes);
    m_split->addWidget(m_below);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 1);
    m_split->setSizes({600, 240}); // the texts are what it is about
    m_source->setAccessibleName(tr("Program that cannot be read"));
    m_source->hide();
    m_summary->setContentsMargins(8, 3, 8, 3);
    m_summary->setAccessibleName(tr("All ops together"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(m_bar);
    column->addLayout(m_strip);
    column->addWidget(m_split, 1);
    column->addWidget(m_source, 1);
    column->addWidget(m_empty, 1);
    column->addWidget(m_summary);
    connect(m_table, &QWidget::customContextMenuRequested, this, &LevelsView::openMenu);
    connect(m_codeChip, &QToolButton::toggled, this, [this](bool shown) {
        m_code->setVisible(shown);
        showCode();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                showLoops();
                m_tiles->setSelected(row.row());
                if (!m_flow || m_following || !row.isValid())
                    return;
                const cinm::PlacedOp& placed = m_flow->ops[std::size_t(row.row())];
                if (!m_program->source().isModel())
                    return markFrom(placed.op);
                const OpId op = m_workspace.graph()->findOp(placed.name);
                if (op.valid())
                    m_workspace.selectOp(op);
            });
    connect(m_empty, &EmptyState::actionTriggered, this,
            [this] { m_workspace.selectOp(m_workspace.graph()->findOp(m_failedOp)); });
    connect(&m_workspace, &Workspace::graphChanged, this, [this] {
        if (!m_program->source().isModel())
            return;
        m_isCurrent = false;
        m_pins.clear();
        m_before.clear();
        m_totals.clear();
        lower();
    });
    connect(&m_workspace, &Workspace::selectionChanged, this, &LevelsView::followSelection);
    connect(&m_workspace, &Workspace::targetChanged, this, &LevelsView::followTarget);
    connect(m_machines, &ChoiceBox::chosen, this, [this] { m_isMachineChosen = true; });
    followTarget();
    showFlow(std::make_shared<Outcome>());
}

/// Ops of the table are those of the tiles; what would help is set above where it has a field.
void LevelsView::connectTiles() {
    connect(m_tiles, &TilesInTime::chosen, m_table, &QTableView::selectRow);
    connect(m_tiles->roofs(), &RoofsView::opHovered, this,
            [this](OpId op) { m_table->setMarkedRow(op.value); });
    m_table->setMouseTracking(true);
    connect(m_table, &TableView::rowHovered, m_tiles->roofs(),
            [this](int row) { m_tiles->roofs()->setHoveredOp(OpId(row)); });
    const auto fieldOf = [this](const WhatIfRow& row) -> QSpinBox* {
        const std::string& option = row.changes.front().value.pointer;
        QSpinBox* const field = option == "--tiles" ? m_tilesBox : option == "--size" ? m_sizeBox : nullptr;
        return field && row.changes.front().twice <= field->maximum() ? field : nullptr;
    };
    HelpsView* const helps = m_tiles->helps();
    helps->setUse(
        tr("Use Twice as Fast"), tr("Use Twice as Many"),
        tr("Sets the tiles or their size above to twice as many. Words and sums have no field: they "
           "are options of pimc cinm"),
        fieldOf);
    connect(helps, &HelpsView::useWanted, this, [helps, fieldOf](int row) {
        const WhatIfRow& of = helps->answer()->rows[std::size_t(row)];
        if (QSpinBox* const field = fieldOf(of))
            field->setValue(int(of.changes.front().twice));
    });
}

/// Until the user says otherwise, the machine is that of the target where this has DPUs.
void LevelsView::followTarget() {
    const auto target = m_workspace.target();
    if (!m_isMachineChosen)
        setChoices(m_machines, kMachines,
                   target && target->backend == "upmem" ? QStringLiteral("upmem")
                                                        : QStringLiteral("memristor"));
    m_isCurrent = false;
    m_before.clear();
    showFields();
    lower();
}

void LevelsView::buildBar() {
    m_bar->setContentsMargins(8, 2, 8, 0);
    m_bar->setSpacing(4);
    m_strip->setSpacing(4);
    m_program = new ProgramBox;
    m_machines =
        choiceBox(kMachines, QStringLiteral("memristor"), tr("Machine"),
                  tr("Tiles, DPUs, each op where it takes least, or the rule of the paper: large products on "
                     "tiles, the rest on DPUs"));
    m_machines->setMinimumWidth(104); // "memristor"
    m_elements = choiceBox({QStringLiteral("f32"), QStringLiteral("f16"), QStringLiteral("i8"),
                            QStringLiteral("i16"), QStringLiteral("i32")},
                           QStringLiteral("i8"), tr("Elements"),
                           tr("What fractions become: tiles hold integers, as of a quantised network"));
    m_order = choiceBox(
        {QStringLiteral("search"), QStringLiteral("mnk"), QStringLiteral("mkn"), QStringLiteral("nmk"),
         QStringLiteral("nkm"), QStringLiteral("kmn"), QStringLiteral("knm")},
        QStringLiteral("search"), tr("Order of loops"),
        tr("Loops of every product, outermost first, the right operand held; knm writes each tile once"));
    m_rows = choiceBox(
        {QStringLiteral("search"), QStringLiteral("box"), QStringLiteral("whole")}, QStringLiteral("search"),
        tr("Rows"), tr("Rows that meet a tile at a time: as many as it has (box), or all of them (whole)"));
    m_unroll = choiceBox({QStringLiteral("search"), QStringLiteral("1"), QStringLiteral("2"),
                          QStringLiteral("4"), QStringLiteral("8"), QStringLiteral("16")},
                         QStringLiteral("search"), tr("Unroll"),
                         tr("Tiles that work on one product at a time, at most"));
    m_goal = choiceBox({QStringLiteral("time"), QStringLiteral("energy"), QStringLiteral("writes")},
                       QStringLiteral("time"), tr("Goal"), tr("What the search makes small"));
    m_schedule =
        choiceBox({QStringLiteral("asap"), QStringLiteral("alap")}, QStringLiteral("asap"), tr("Waiting"),
                  tr("Results of tiles are waited for one by one, or all together as late as possible"));
    m_spread =
        choiceBox({QStringLiteral("search"), QStringLiteral("even")}, QStringLiteral("search"), tr("Spread"),
                  tr("On DPUs: the draft that was searched, or equal boxes of all loops in turn"));
    m_sizeBox = spinBox(4096, 64, tr("Tile size"), tr("Cells in a row and in a column of a tile"));
    m_tilesBox = spinBox(4096, 4, tr("Tiles"), tr("Tiles of the accelerator"));
    const std::pair<QString, QWidget*> fields[] = {
        {tr("Program"), m_program}, {tr("Machine"), m_machines},  {tr("Elements"), m_elements},
        {tr("Order"), m_order},     {tr("Rows"), m_rows},         {tr("Unroll"), m_unroll},
        {tr("Goal"), m_goal},       {tr("Tile size"), m_sizeBox}, {tr("Tiles"), m_tilesBox},
        {tr("Wait"), m_schedule},   {tr("Spread"), m_spread}};
    const auto changed = [this] {
        m_isCurrent = false;
        m_before = m_totals;
        showFields();
        lower();
    };
    for (const auto& [name, field] : fields) {
        auto* both = new QWidget;
        auto* row = new QHBoxLayout(both);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        auto* label = new QLabel(name);
        label->setBuddy(field);
        row->addWidget(label);
        row->addWidget(field);
        m_fields.emplace_back(both, field);
        m_bar->addWidget(both);
        if (auto* box = qobject_cast<ChoiceBox*>(field))
            connect(box, &ChoiceBox::chosen, this, changed);
        else if (field == m_program)
            connect(m_program, &ProgramBox::changed, this, [this] {
                m_pins.clear();
                m_totals.clear();
                m_before.clear();
                m_isCurrent = false;
                showFields();
                lower();
            });
        else
            connect(qobject_cast<QSpinBox*>(field), &QSpinBox::valueChanged, this, changed);
    }
    m_strip->setContentsMargins(8, 2, 8, 2);
}

/// Choices without effect on this machine are not there.
void LevelsView::showFields() {
    const bool tiles = m_machines->value() != QStringLiteral("upmem");
    const bool dpus = m_machines->value() != QStringLiteral("memristor");
    for (const auto& [both, field] : m_fields) {
        const QWidget* const ofTiles[] = {m_order,   m_rows,     m_unroll,  m_goal,
                                          m_sizeBox, m_tilesBox, m_schedule};
        const bool shown = std::ranges::find(ofTiles, field) != std::end(ofTiles) ? tiles
                           : field == m_elements ? m_program->source().isModel()
                                                 : field != m_spread || dpus;
        both->setVisible(shown);
    }
    m_table->setColumnHidden(TileWrites, !tiles);
    m_table->setColumnHidden(UsualOrder, !tiles);
    m_table->setColumnHidden(EvenSpread, !dpus);
    m_table->setColumnHidden(Wram, !dpus);
}

void LevelsView::setSeen(bool seen) {
    m_seen = seen;
    lower();
}

void LevelsView::pin(const std::string& op, const std::string& machine) {
    std::erase_if(m_pins, [&](const auto& known) { return known.first == op; });
    if (!machine.empty())
        m_pins.emplace_back(op, machine);
    m_isCurrent = false;
    m_before = m_totals;
    lower();
}

/// DPUs are those of the chosen target, if it has any, else four modules.
cinm::FlowOptions LevelsView::options() const {
    cinm::FlowOptions options;
    options.target = m_machines->value().toStdString();
    options.pins = m_pins;
    options.wish = memristor::tileWish(m_order->value().toStdString(), m_rows->value().toStdString(),
                                       m_unroll->value().toInt()) // 0: "search"
                       .value_or(memristor::TileWish());
    options.size = m_sizeBox->value();
    options.tiles = m_tilesBox->value();
    options.goal = m_goal->value() == QStringLiteral("writes")   ? memristor::TileGoal::Writes
                   : m_goal->value() == QStringLiteral("energy") ? memristor::TileGoal::Energy
                                                                 : memristor::TileGoal::Time;
    options.schedule =
        m_schedule->value() == QStringLiteral("alap") ? ir::TileSchedule::Alap : ir::TileSchedule::Asap;
    options.spread =
        m_spread->value() == QStringLiteral("even") ? cinm::DpuSpread::Even : cinm::DpuSpread::Search;
    const auto target = m_workspace.target();
    if (target && target->backend == "upmem")
        options.dpus = target;
    else if (auto modules = m_workspace.catalog().find("upmem-4"))
        options.dpus = *modules;
    return options;
}

void LevelsView::lower() {
    const auto graph = m_workspace.graph();
    const ProgramSource source = m_program->source();
    if (!m_seen || m_isCurrent)
        return;
    if (!graph && source.isModel())
        return showFlow(std::make_shared<Outcome>());
    m_isCurrent = true;
    if (m_task != 0)
        m_workspace.tasks()->cancel(m_task);
    const ir::Scalar elements = *ir::scalarFromName(m_elements->value().toStdString());
    m_task = m_workspace.tasks()->start(
        tr("Lowering the network"),
        [this, graph, source, elements, options = options(), before = m_before.isEmpty() ? nullptr : m_flow,
         window = thread()](const TaskContext& task) mutable -> std::function<void()> {
            auto outcome = std::make_shared<Outcome>();
            std::string written;
            auto program = readProgram(source, graph, elements, written);
            if (program)
                options.constantArguments = program->constantArguments;
            else
                outcome->source = textDocument(written, window);
            auto flow = program ? cinm::lower(std::move(program->module), options, task)
                                : Result<cinm::Flow>(tl::unexpected<Error>(program.error()));
            if (flow) {
                outcome->flow = std::make_shared<const cinm::Flow>(std::move(*flow));
                for (const ir::Level& level : outcome->flow->levels) {
                    outcome->texts.push_back(textDocument(level.printed.text, window));
                    const std::size_t l = outcome->changed.size();
                    const bool same =
                        before && l < before->levels.size() && before->levels[l].name == level.name;
                    outcome->changed.push_back(
                        same ? changedLines(before->levels[l].printed.text, level.printed.text)
                             : std::vector<int>());
                }
            } else {
                outcome->problem = flow.error();
            }
            return [this, outcome] {
                m_task = 0;
                showFlow(outcome);
            };
        });
}

void LevelsView::showFlow(std::shared_ptr<Outcome> outcome) {
    m_flow = outcome->flow;
    m_split->setVisible(m_flow != nullptr);
    m_summary->setVisible(m_flow != nullptr);
    m_codeChip->setVisible(m_flow != nullptr);
    showProblem(*outcome);
    showLevels(*outcome);
    showOps();
    showTotals();
    showCode();
    m_tiles->setFlow(m_flow);
    m_marked.clear();
    followSelection();
    showLoops();
}

/// With the op of the model, or the line of the text, that it is about.
void LevelsView::showProblem(Outcome& outcome) {
    const auto& problem = outcome.problem;
    const int line = problem ? lineOf(*problem) : -1;
    m_source->setVisible(line >= 0);
    m_empty->setVisible(!m_flow && line < 0);
    m_empty->setAction({});
    if (!problem) {
        m_empty->setText(
            tr("No levels to show"),
            tr("Open a model to see it lowered to memristor tiles and DPUs, or choose a program above."));
        return;
    }
    if (line >= 0) {
        m_source->takeDocument(std::move(outcome.source));
        m_source->setMarkedLines({line});
        m_source->goToLine(line);
        m_summary->setText(text(problem->text()));
        m_summary->show();
        return;
    }
    m_empty->setText(tr("This program cannot be lowered"), text(problem->text()));
    m_failedOp = problem->where;
    if (m_program->source().isModel() && m_workspace.graph()->findOp(m_failedOp).valid())
        m_empty->setAction(tr("Show the Op"));
}

void LevelsView::showLevels(Outcome& outcome) {
    const std::size_t count = outcome.texts.size();
    while (m_texts.size() < count) {
        const std::size_t level = m_texts.size();
        auto* chip = new QToolButton;
        chip->setCheckable(true);
        chip->setChecked(level < 2); // two fit a laptop's screen
        auto* pane = new LevelText;
        m_strip->insertWidget(int(level), chip);
        m_panes->insertWidget(int(level), pane);
        pane->setVisible(level < 2);
        m_chips.push_back(chip);
        m_texts.push_back(pane);
        connect(chip, &QToolButton::toggled, pane, &QWidget::setVisible);
        connect(pane, &QPlainTextEdit::cursorPositionChanged, this, [this, level] { takeLine(level); });
    }
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
        m_texts[l]->setLevel(level, std::move(outcome.texts[l]));
        m_texts[l]->setChangedLines(outcome.changed[l]);
    }
    m_following = false;
}

/// Written when it is looked at: a network has some megabytes of it.
void LevelsView::showCode() {
    m_codeChip->setText(tr("C"));
    if (!m_flow || !m_codeChip->isChecked()) {
        m_code->clear();
        return;
    }
    m_code->setPlainText(tr("Writing C code …"));
    m_workspace.tasks()->start(
        tr("Writing C code"),
        [this, flow = m_flow, window = thread()](const TaskContext&) -> std::function<void()> {
            const auto files = cinm::codeOf(*flow);
            std::string all;
            for (const CodeFile& file : files ? *files : std::vector<CodeFile>())
                all += "/* ---- " + file.name + " ---- */\n" + file.text + "\n";
            if (!files)
                all = "/* There is no C code: " + files.error().text() + " */\n";
            auto document = std::make_shared<std::unique_ptr<QTextDocument>>(textDocument(all, window));
            return [this, flow, document] {
                if (flow == m_flow && m_codeChip->isChecked())
                    m_code->takeDocument(std::move(*document));
            };
        });
}

void LevelsView::showOps() {
    std::vector<std::vector<Figure>> rows;
    for (const cinm::PlacedOp& op : m_flow ? m_flow->ops : std::vector<cinm::PlacedOp>()) {
        std::vector<Figure> row(Why + 1);
        row[Name].shown = text(op.name);
        row[Work].shown = text(op.work);
        row[On].shown = text(op.machineText());
        row[Mapping].shown = text(op.mapping());
        row[Time] = {
            nsText(op.ns(), op.times), op.ns() ? QVariant(*op.ns() * double(op.times)) : QVariant(), {}};
        if (op.machine == cinm::Machine::Tiles) {
            row[TileWrites] = countFigure(op.tiles->choice.counts.tileWrites * op.times);
            row[UsualOrder] = countFigure(op.tiles->baseline.tileWrites * op.times);
        }
        if (op.machine == cinm::Machine::Dpus && op.dpus->evenNs)
            row[EvenSpread] = {nsText(op.dpus->evenNs, op.times), *op.dpus->evenNs * double(op.times), {}};
        if (const auto bytes = wramOf(*m_flow, op))
            row[Wram] = {text(bytesText(double(*bytes))), qlonglong(*bytes), {}};
        row[Why].shown = text(op.reason);
        rows.push_back(std::move(row));
    }
    m_figures->setRows(std::move(rows));
    m_table->fitColumns(420);
}

void LevelsView::showTotals() {
    if (!m_flow)
        return;
    QStringList parts;
    const auto add = [&](const QString& machine, double ns) {
        if (ns > 0)
            parts.append(tr("%1 %2").arg(machine, text(timeText(ns))));
    };
    add(QStringLiteral("memristor"), m_flow->tilesNs);
    add(QStringLiteral("upmem"), m_flow->dpusNs);
    add(QStringLiteral("host"), m_flow->hostNs);
    m_totals =
        tr("One op after the other: %1")
            .arg(parts.isEmpty() ? tr("nothing whose time is known") : parts.join(QStringLiteral(" + ")));
    if (m_flow->total.tileWrites > 0) {
        m_totals +=
            tr(" · %1 tile writes (usual order %2)")
                .arg(text(exactText(m_flow->total.tileWrites)), text(exactText(m_flow->baseline.tileWrites)));
        if (m_flow->cost.lifetimeYears)
            m_totals += tr(" · cells last %1 years").arg(*m_flow->cost.lifetimeYears, 0, 'g', 3);
        m_totals += tr(" · %1 at 8 bits").arg(text(energyText(m_flow->cost.pj)));
    }
    std::int64_t wram = 0;
    for (const cinm::PlacedOp& op : m_flow->ops)
        wram = std::max(wram, wramOf(*m_flow, op).value_or(0));
    if (wram > 0)
        m_totals += tr(" · at most %1 of WRAM").arg(text(bytesText(double(wram))));
    if (m_flow->timeUnknown > 0)
        m_totals += tr(" · %n ops take a time that nobody knows", nullptr, int(m_flow->timeUnknown));
    m_summary->setText(m_before.isEmpty() || m_before == m_totals
                           ? m_totals
                           : tr("%1   —   before: %2").arg(m_totals, m_before));
}

const cinm::PlacedOp* LevelsView::currentOp() const {
    const QModelIndex row = m_table->currentIndex();
    return m_flow && row.isValid() && std::size_t(row.row()) < m_flow->ops.size()
               ? &m_flow->ops[std::size_t(row.row())]
               : nullptr;
}

void LevelsView::showLoops() {
    const cinm::PlacedOp* const op = currentOp();
    if (!op)
        m_loops->setPlainText(tr("Select an op to see its loops."));
    else if (op->machine == cinm::Machine::Host || op->machine == cinm::Machine::Other)
        m_loops->setPlainText(tr("On %1: %2").arg(text(op->machineText()), text(op->reason)));
    else
        m_loops->setPlainText(text(ir::text(ir::outline(*m_flow->levels[1].module, op->op))) +
                              (op->machine == cinm::Machine::Tiles ? text(op->tiles->writes) : QString()));
}

void LevelsView::openMenu(const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const cinm::PlacedOp* const op = currentOp()) {
        const std::string name = op->name;
        const std::pair<QString, std::string> wishes[] = {{tr("Run on the Host"), "host"},
                                                          {tr("Run on Memristor Tiles"), "memristor"},
                                                          {tr("Run on DPUs"), "upmem"},
                                                          {tr("Run Wherever the Machine Says"), ""}};
        for (const auto& [shown, machine] : wishes)
            connect(menu->addAction(shown), &QAction::triggered, this,
                    [this, name, machine = machine] { pin(name, machine); });
        menu->addSeparator();
    }
    m_table->addCopyActions(menu);
    menu->popup(m_table->viewport()->mapToGlobal(at));
}

void LevelsView::followSelection() {
    const auto graph = m_workspace.graph();
    const OpId op = m_workspace.selection().op;
    if (m_flow && graph && m_program->source().isModel() && op.valid() && op.index() < graph->ops.size())
        mark(graph->op(op).name);
}

/// Sets an op of the network off on all levels, and brings it into view where it is not already.
void LevelsView::mark(const std::string& graphOp) {
    if (graphOp == m_marked)
        return;
    m_marked = graphOp;
    std::vector<std::vector<ir::OperationId>> ops;
    for (const ir::Level& level : m_flow->levels)
        ops.push_back(ir::madeFrom(*level.module, graphOp));
    setMarked(ops);
    selectRow(graphOp);
}

/// The same for an op of the first level of a program that came from no network.
void LevelsView::markFrom(ir::OperationId op) {
    std::vector<std::vector<ir::OperationId>> ops{{op}};
    for (std::size_t l = 1; l < m_flow->levels.size(); ++l) {
        std::vector<ir::OperationId> made;
        for (const ir::OperationId from : ops.back())
            std::ranges::copy(ir::madeFrom(*m_flow->levels[l].module, from), std::back_inserter(made));
        ops.push_back(std::move(made));
    }
    setMarked(ops);
    const auto placed = std::ranges::find(m_flow->ops, op, &cinm::PlacedOp::op);
    if (placed != m_flow->ops.end())
        selectRow(placed->name);
}

void LevelsView::setMarked(const std::vector<std::vector<ir::OperationId>>& ofLevels) {
    m_following = true;
    for (std::size_t l = 0; l < ofLevels.size(); ++l) {
        m_texts[l]->markOps(ofLevels[l]);
        if (!ofLevels[l].empty() && !m_texts[l]->hasFocus())
            m_texts[l]->goToLine(m_texts[l]->lineOf(ofLevels[l].front()));
    }
    m_following = false;
}

void LevelsView::selectRow(std::string_view op) {
    m_following = true;
    const auto row = std::ranges::find(m_flow->ops, op, &cinm::PlacedOp::name);
    if (row != m_flow->ops.end() && (!currentOp() || currentOp()->name != op))
        m_table->selectRow(int(row - m_flow->ops.begin()));
    m_following = false;
}

/// The op of the line, on the levels above and below too.
void LevelsView::takeLine(std::size_t level) {
    if (m_following || !m_flow || level >= m_flow->levels.size())
        return;
    const auto locationOf = [this](std::size_t l, ir::OperationId op) -> const ir::Location& {
        const ir::Module& module = *m_flow->levels[l].module;
        return module.location(module.operation(op));
    };
    const ir::OperationId op = m_texts[level]->opAt(m_texts[level]->currentLine());
    if (!op.valid())
        return;
    const ir::Location& from = locationOf(level, op);
    if (!m_program->source().isModel()) {
        ir::OperationId first = op;
        for (std::size_t l = level; l > 0 && first.valid(); --l) {
            const auto& parents = locationOf(l, first).parents;
            first = parents.empty() ? ir::OperationId() : parents.front();
        }
        if (first.valid())
            markFrom(first);
        return;
    }
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
