// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/which/which_view.h"

#include "core/base/number_text.h"
#include "views/common/choice_box.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/figures_model.h"
#include "views/common/flow_layout.h"
#include "views/common/line_label.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/models/workspace.h"
#include "views/which/decides_view.h"
#include "views/which/which_plot.h"
#include "views/which/winner_map_view.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>

namespace pim::views {
namespace {

constexpr int kTickMs = 150;

/// In the order of the table.
enum Column {
    Machine,
    Kind,
    Request,
    Stream,
    FromWhere,
    OverHost,
    OnPim,
    Kept,
    LoadedIn,
    Room,
    Links,
    Energy,
    Power,
    EnergyFrom,
    Area,
    AreaFrom,
    Note,
    kColumns
};

QString ownHost() {
    return WhichView::tr("its own");
}
QString allKinds() {
    return WhichView::tr("all");
}
QString orderText(WhichBy by) {
    return by == WhichBy::Request  ? WhichView::tr("a request")
           : by == WhichBy::Stream ? WhichView::tr("a stream")
                                   : WhichView::tr("the first request");
}

std::vector<FigureColumn> columns() {
    return {
        {WhichView::tr("Machine"), QStringLiteral("machine"), false,
         WhichView::tr("Enter or a double click opens its plan")},
        {WhichView::tr("Kind"), QStringLiteral("kind"), false, {}},
        {WhichView::tr("A request"), QStringLiteral("request (ns)"), true,
         WhichView::tr("From its first byte to its last result, nothing else under way")},
        {WhichView::tr("A stream"), QStringLiteral("stream (ns)"), true,
         WhichView::tr(
             "Requests per second, where the machine has several in flight; else one after the other")},
        {WhichView::tr("Origin"), QStringLiteral("origin"), false,
         WhichView::tr(
             "Simulated: commands, instructions or schedule of the very plan were run in time; predicted: "
             "by the model alone")},
        {WhichView::tr("Over the host"), QStringLiteral("over the host"), true,
         WhichView::tr("How many times as fast as the same host without the machine")},
        {WhichView::tr("Work on PIM"), QStringLiteral("share on PIM"), true,
         WhichView::tr("Share of the multiply-accumulates that does not run on the host")},
        {WhichView::tr("Kept there"), QStringLiteral("resident (B)"), true,
         WhichView::tr("Weights and caches that stay in the machine")},
        {WhichView::tr("Loaded in"), QStringLiteral("load (ns)"), true,
         WhichView::tr("What bringing them in once takes")},
        {WhichView::tr("Room"), QStringLiteral("room"), false,
         WhichView::tr(
             "Weights and caches that could stay, of the memory of its units; how many machines have room "
             "for all")},
        {WhichView::tr("Over links"), QStringLiteral("links"), false,
         WhichView::tr(
             "Bytes of a request, each once: operands and results between host and PIM, or what the "
             "program moves")},
        {WhichView::tr("Energy"), QStringLiteral("energy (pJ)"), true,
         WhichView::tr("Of a request, machine and host, as far as it is known; never 0 where it is not")},
        {WhichView::tr("Power"), QStringLiteral("power (W)"), true,
         WhichView::tr("Mean, of requests that follow each other")},
        {WhichView::tr("Energy from"), QStringLiteral("energy from"), false,
         WhichView::tr(
             "The weakest figure it is made of: a datasheet, published, derived, or an assumption")},
        {WhichView::tr("Area"), QStringLiteral("area (mm2)"), true,
         WhichView::tr("Silicon of the machine without its host")},
        {WhichView::tr("Area from"), QStringLiteral("area from"), false, WhichView::tr("As for energy")},
        {WhichView::tr("Note"), QStringLiteral("note"), false, {}}};
}

QString noteOf(const WhichRow& row, DataType wanted) {
    if (!row.problem.empty())
        return text(row.problem);
    QStringList notes;
    if (row.computeType != wanted)
        notes.append(WhichView::tr("computes in %1").arg(text(name(row.computeType))));
    if (row.kind != "host" && row.pimShare == 0)
        notes.append(WhichView::tr("all on the host"));
    return notes.join(QStringLiteral(", "));
}

} // namespace

WhichView::WhichView(Workspace& workspace, std::shared_ptr<const HostModel> model, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_model(std::move(model)), m_bar(new FlowLayout),
      m_host(new ChoiceBox), m_kind(new ChoiceBox), m_order(new ChoiceBox),
      m_simulates(new QCheckBox(tr("Si&mulate"))), m_ask(new QPushButton), m_table(new TableView),
      m_figures(new FiguresModel(columns(), this)), m_plot(new WhichPlot),
      m_map(new WinnerMapView(workspace, m_model, [this] { return this->machines(); })),
      m_decides(new DecidesView(workspace, m_model, [this] { return this->machines(); })),
      m_page(new QWidget), m_empty(new EmptyState(QStringLiteral("compare"))), m_summary(new LineLabel) {
    setObjectName(QStringLiteral("WhichView"));
    setAccessibleName(tr("Which PIM"));
    buildBar();
    m_table->setModel(m_figures);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->setAccessibleName(tr("Machines, the first on top"));
    m_table->setExportName(QStringLiteral("which"));
    m_summary->setContentsMargins(8, 3, 8, 3);
    m_summary->setTextFormat(Qt::RichText);
    m_summary->setAccessibleName(tr("Which machine is first"));
    auto* across = new QSplitter(Qt::Horizontal);
    across->setChildrenCollapsible(false);
    across->addWidget(m_plot);
    across->addWidget(m_table);
    across->setStretchFactor(0, 2);
    across->setStretchFactor(1, 3);
    across->setSizes({400, 600});
    auto* machines = new QWidget;
    auto* page = new QVBoxLayout(m_page);
    page->setContentsMargins(0, 0, 0, 0);
    page->setSpacing(0);
    page->addWidget(m_summary);
    page->addWidget(across, 1);
    auto* first = new QVBoxLayout(machines);
    first->setContentsMargins(0, 0, 0, 0);
    first->addWidget(m_page, 1);
    first->addWidget(m_empty, 1);
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(tr("As it is, at many sizes, or otherwise"));
    tabs->addTab(machines, tr("Machines"));
    tabs->addTab(m_map, tr("Who Is First Where"));
    tabs->addTab(m_decides, tr("What Decides"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(m_bar);
    column->addWidget(tabs, 1);
    m_tick.setInterval(kTickMs);
    connect(&m_tick, &QTimer::timeout, this, &WhichView::collect);
    connect(m_ask, &QPushButton::clicked, this, [this] { isAsking() ? stop() : ask(); });
    connect(m_order, &ChoiceBox::chosen, this, [this] {
        m_map->setOrder(by());
        m_decides->setOrder(by());
        showRows();
        showState();
    });
    connect(m_table, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { openRow(index.row()); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) { m_plot->setCurrent(row.isValid() ? row.row() : -1); });
    connect(m_plot, &WhichPlot::lineClicked, m_table, &QTableView::selectRow);
    connect(&m_workspace, &Workspace::graphChanged, this, &WhichView::modelChanged);
    showRows();
    showState();
}

void WhichView::buildBar() {
    m_bar->setContentsMargins(8, 2, 8, 2);
    m_bar->setSpacing(6);
    const auto list = [](ChoiceBox* box, std::vector<Choice> choices, const QString& current) {
        box->setChoices([choices = std::move(choices)] { return choices; }, current);
    };
    std::vector<Choice> hosts;
    for (const auto& host : m_workspace.catalog().hosts())
        hosts.push_back({text(host->id), true, text(host->name)});
    hosts.push_back({ownHost(), true, tr("what is compared is then machine and host together")});
    list(m_host, std::move(hosts), QStringLiteral("xeon-8380"));
    std::vector<Choice> kinds{{allKinds(), true, {}}};
    for (const auto& backend : m_workspace.backends().all())
        kinds.push_back({text(backend->id()), true, {}});
    list(m_kind, std::move(kinds), allKinds());
    std::vector<Choice> orders;
    for (const WhichBy by : {WhichBy::Request, WhichBy::Stream, WhichBy::First})
        orders.push_back({orderText(by), true, {}});
    list(m_order, std::move(orders), orderText(WhichBy::Request));
    m_host->setToolTip(tr("The host of all machines: else it decides the race"));
    m_kind->setToolTip(tr("Machines of all families, or of one"));
    m_order->setToolTip(
        tr("What the order goes by: one request after the other, a stream of them, or the first one, with "
           "bringing in the weights"));
    m_host->setMinimumWidth(112); // "xeon-8380"
    m_order->setMinimumWidth(104);
    m_simulates->setChecked(true);
    m_simulates->setToolTip(
        tr("Run each plan in time; without it all times are predicted, which is quicker"));
    const std::pair<QString, QWidget*> fields[] = {
        {tr("Host"), m_host}, {tr("Machines"), m_kind}, {tr("Order by"), m_order}};
    for (const auto& [name, field] : fields) {
        auto* both = new QWidget;
        auto* row = new QHBoxLayout(both);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        auto* label = new QLabel(name);
        label->setBuddy(field);
        field->setAccessibleName(name);
        row->addWidget(label);
        row->addWidget(field);
        m_bar->addWidget(both);
    }
    m_bar->addWidget(m_simulates);
    m_bar->addWidget(m_ask);
}

WhichBy WhichView::by() const {
    for (const WhichBy by : {WhichBy::Stream, WhichBy::First})
        if (m_order->value() == orderText(by))
            return by;
    return WhichBy::Request;
}

QStringList WhichView::arguments() const {
    QStringList words{QStringLiteral("--host"),
                      m_host->value() == ownHost() ? QStringLiteral("own") : m_host->value()};
    if (m_kind->value() != allKinds())
        words << QStringLiteral("--kind") << m_kind->value();
    if (by() != WhichBy::Request)
        words << QStringLiteral("--by") << text(name(by()));
    if (!m_simulates->isChecked())
        words << QStringLiteral("--predict");
    return words;
}

Result<WhichSetup> WhichView::machines() const {
    WhichSetup setup;
    setup.options = m_workspace.options();
    setup.simulates = m_simulates->isChecked();
    std::vector<std::string> ids;
    for (const auto& target : m_workspace.catalog().targets())
        if (m_kind->value() == allKinds() || text(target->backend) == m_kind->value())
            ids.push_back(target->id);
    const std::string host =
        m_host->value() == ownHost() ? std::string(kOwnHost) : m_host->value().toStdString();
    PIM_CHECK(takeMachines(setup, m_workspace.catalog(), ids, host));
    return setup;
}

void WhichView::ask() {
    const auto graph = m_workspace.graph();
    if (!graph)
        return;
    auto asked = machines();
    if (!asked) {
        m_problem = text(asked.error().text());
        return showState();
    }
    WhichSetup setup = std::move(*asked);
    setup.graph = graph;
    m_wanted = setup.options.computeType;
    m_askedHost = m_host->value() == ownHost() ? std::string() : m_host->value().toStdString();
    m_problem.clear();
    m_rows.clear();
    m_inbox = std::make_shared<Inbox>();
    m_inbox->machines = std::ssize(setup.targets);
    m_task = m_workspace.tasks()->start(
        tr("Asking every machine"),
        [this, setup = std::move(setup), &backends = m_workspace.backends(), model = m_model,
         inbox = m_inbox](const TaskContext& task) -> std::function<void()> {
            const auto take = [&inbox](const WhichRow& row) {
                const std::lock_guard lock(inbox->mutex);
                inbox->rows.push_back(row);
            };
            const auto rows = which(backends, *model, setup, take, task);
            const Result<void> done =
                rows ? Result<void>() : Result<void>(tl::unexpected<Error>(rows.error()));
            return [this, inbox, done] {
                if (inbox == m_inbox)
                    finish(done);
            };
        },
        [this, inbox = m_inbox] {
            if (inbox == m_inbox)
                finish({});
        });
    m_tick.start();
    showRows();
    showState();
}

/// Answers that are there stay.
void WhichView::stop() {
    collect();
    const int task = m_task;
    finish({});
    m_workspace.tasks()->cancel(task);
}

void WhichView::collect() {
    if (!m_inbox)
        return;
    std::vector<WhichRow> rows;
    {
        const std::lock_guard lock(m_inbox->mutex);
        rows.swap(m_inbox->rows);
    }
    if (rows.empty())
        return;
    std::ranges::move(rows, std::back_inserter(m_rows));
    showRows();
    showState();
}

void WhichView::finish(const Result<void>& done) {
    collect();
    m_inbox = nullptr;
    m_tick.stop();
    m_task = 0;
    if (!done)
        m_problem = text(done.error().text());
    showState();
}

void WhichView::modelChanged() {
    if (isAsking())
        stop();
    m_rows.clear();
    m_problem.clear();
    showRows();
    showState();
}

std::vector<Figure> WhichView::figuresOf(const WhichRow& row) const {
    std::vector<Figure> cells(kColumns);
    cells[Machine].shown = text(row.machine);
    cells[Kind].shown = text(row.kind);
    cells[Note].shown = noteOf(row, m_wanted);
    if (!row.problem.empty())
        return cells;
    const double ns = row.timeNs(by()).value_or(0);
    cells[Request] = {text(timeText(row.requestNs)), row.requestNs, {}};
    cells[Stream] = {tr("%1/s").arg(row.streamNs > 0 ? 1e9 / row.streamNs : 0, 0, 'g', 4), row.streamNs, {}};
    cells[FromWhere].shown = coreWord(name(row.origin));
    cells[OverHost].shown = tr("unknown");
    if (ns > 0)
        cells[OverHost] = {text(ratioText(row.hostOnlyNs / ns)), row.hostOnlyNs / ns, {}};
    if (row.kind != "host") {
        cells[OnPim] = shareFigure(row.pimShare);
        cells[Kept] = {text(bytesText(double(row.residentBytes))), qlonglong(row.residentBytes), {}};
        cells[LoadedIn].shown = tr("unknown");
        if (row.loadNs)
            cells[LoadedIn] = {text(timeText(*row.loadNs)), *row.loadNs, {}};
        cells[Room].shown = text(row.roomText());
        cells[Links].shown = text(row.linksText());
    }
    cells[Energy].shown = cells[Power].shown = cells[Area].shown = tr("unknown");
    if (const auto power = row.power()) {
        const double pj = row.energy.total() / measure::kPicojoule;
        cells[Energy] = {text(energyText(pj)), pj, {}};
        cells[Power] = {tr("%1 W").arg(*power / measure::kWatt, 0, 'g', 4), *power / measure::kWatt, {}};
        cells[EnergyFrom].shown = text(name(row.energy.evidence()));
    }
    if (row.area) {
        const double squareMillimetres = row.area->value / measure::kSquareMillimetre;
        cells[Area] = {tr("%1 mm²").arg(squareMillimetres, 0, 'g', 4), squareMillimetres, {}};
        cells[AreaFrom].shown = text(name(row.area->evidence));
    }
    return cells;
}

void WhichView::showRows() {
    const int chosen = m_table->currentIndex().row();
    const std::string current =
        chosen >= 0 && std::size_t(chosen) < m_ranked.size() && m_ranked[std::size_t(chosen)] < m_rows.size()
            ? m_rows[m_ranked[std::size_t(chosen)]].machine
            : std::string();
    m_ranked = ranked(m_rows, by());
    std::vector<std::vector<Figure>> cells;
    for (const std::size_t place : m_ranked)
        cells.push_back(figuresOf(m_rows[place]));
    m_figures->setRows(std::move(cells));
    m_table->fitColumns(320);
    m_plot->setRows(m_rows, m_ranked, by());
    for (std::size_t line = 0; line < m_ranked.size(); ++line)
        if (m_rows[m_ranked[line]].machine == current)
            m_table->selectRow(int(line));
}

void WhichView::showState() {
    const bool hasModel = m_workspace.graph() != nullptr;
    m_ask->setText(isAsking() ? tr("S&top") : tr("&Ask Every Machine"));
    m_ask->setEnabled(hasModel);
    m_page->setVisible(!m_rows.empty());
    m_empty->setVisible(m_rows.empty());
    if (!m_problem.isEmpty())
        m_empty->setText(tr("Nothing to compare"), m_problem);
    else if (isAsking())
        m_empty->setText(tr("Asking …"), tr("Machines appear here as they answer."));
    else
        m_empty->setText(tr("Which machine is the fastest?"),
                         hasModel ? tr("Asks every machine there is how long it takes for this network, all "
                                       "with the same host.")
                                  : tr("Open a model first."));
    if (m_rows.empty())
        return;
    const auto timeOf = [&](const WhichRow& row) {
        const double ns = row.timeNs(by()).value_or(0);
        return by() == WhichBy::Stream ? tr("%1/s").arg(1e9 / ns, 0, 'g', 4) : text(timeText(ns));
    };
    const auto firstOf = [&](bool isPim) -> const WhichRow* {
        const auto found = std::ranges::find_if(m_ranked, [&](std::size_t place) {
            return m_rows[place].timeNs(by()).value_or(0) > 0 && (m_rows[place].pimShare > 0) == isPim;
        });
        return found != m_ranked.end() ? &m_rows[*found] : nullptr;
    };
    QString line = isAsking() ? tr("No PIM has answered yet.") : tr("No PIM takes this network.");
    if (const WhichRow* const best = firstOf(true)) {
        line = tr("First PIM: <b>%1</b>, %2").arg(text(best->machine), timeOf(*best));
        if (best->hostOnlyNs > 0)
            line += tr(", %1 over its host alone")
                        .arg(text(ratioText(best->hostOnlyNs / best->timeNs(by()).value_or(0))));
    }
    if (const WhichRow* const best = firstOf(false))
        line += tr(" · first without: %1, %2").arg(text(best->machine), timeOf(*best));
    if (isAsking())
        line +=
            tr(" · %1 of %2 machines have answered")
                .arg(std::ranges::count_if(m_rows, [](const WhichRow& row) { return row.kind != "host"; }))
                .arg(m_inbox->machines);
    else if (!m_problem.isEmpty())
        line += tr(" · stopped: %1").arg(m_problem.toHtmlEscaped());
    m_summary->setText(line);
}

/// The plan of that machine becomes the one that is looked at.
void WhichView::openRow(int line) {
    if (line < 0 || std::size_t(line) >= m_ranked.size())
        return;
    const WhichRow& row = m_rows[m_ranked[std::size_t(line)]];
    if (row.kind != "host")
        m_workspace.setTarget(text(row.machine), text(m_askedHost));
}

} // namespace pim::views
