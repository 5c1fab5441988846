// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_view.h"

#include "views/common/column_order.h"
#include "views/common/empty_state.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/runs/comparison_page.h"
#include "views/runs/run_page.h"

#include <QDate>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <set>

namespace pim::views {
namespace {

constexpr std::size_t kComparable = 12; ///< Bars and columns of more are no longer read by anybody.

QString quoted(const std::string& value) {
    return value.find(' ') == std::string::npos ? text(value) : QStringLiteral("\"%1\"").arg(text(value));
}

} // namespace

RunsView::RunsView(QWidget* parent)
    : QWidget(parent), m_model(new RunsModel(this)), m_filtered(new FilteredRuns(*m_model, this)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("history"))),
      m_filter(new QLineEdit), m_filterMenu(new QMenu(this)), m_count(new QLabel), m_runs(new TableView),
      m_lower(new QStackedWidget), m_hint(new EmptyState(QStringLiteral("compare"))), m_runPage(new RunPage),
      m_comparisonPage(new ComparisonPage), m_comparisonScroll(new QScrollArea) {
    // Words, bars and a table: a low panel shows them one after the other, not each a little.
    m_comparisonScroll->setWidget(m_comparisonPage);
    m_comparisonScroll->setWidgetResizable(true);
    m_comparisonScroll->setFrameShape(QFrame::NoFrame);
    m_comparisonScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_comparisonScroll->setFocusPolicy(Qt::NoFocus);
    m_comparisonScroll->setAccessibleName(tr("Comparison of runs"));
    setObjectName(QStringLiteral("RunsView"));
    setAccessibleName(tr("Run history"));
    buildRuns();
    for (QWidget* page : {static_cast<QWidget*>(m_hint), static_cast<QWidget*>(m_runPage),
                          static_cast<QWidget*>(m_comparisonScroll)})
        m_lower->addWidget(page);

    auto* upper = new QWidget;
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(0);
    upperLayout->addWidget(buildFilter());
    upperLayout->addWidget(m_runs, 1);
    upperLayout->addWidget(buildStrip());
    auto* splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(upper);
    splitter->addWidget(m_lower);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 2);
    splitter->setStretchFactor(1, 5);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);

    connect(m_empty, &EmptyState::actionTriggered, this, &RunsView::saveRequested);
    connect(m_model, &RunsModel::labelTyped, this, &RunsView::labelTyped);
    connect(m_model, &RunsModel::noteTyped, this, &RunsView::noteTyped);
    connect(m_comparisonPage, &ComparisonPage::opChosen, this, &RunsView::opChosen);
    connect(m_runPage, &RunPage::openRequested, this, &RunsView::openRequested);
    connect(m_runPage, &RunPage::rerunRequested, this, &RunsView::rerunRequested);
    connect(m_runPage, &RunPage::linkRequested, this, &RunsView::linkRequested);
    connect(m_runPage, &RunPage::deleteRequested, this, &RunsView::askToDelete);
    setRuns({}, {}, false);
}

void RunsView::buildRuns() {
    m_runs->setModel(m_filtered);
    m_runs->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_runs->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_runs->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    m_runs->setSortingEnabled(true);
    m_runs->sortByColumn(RunsModel::Id, Qt::DescendingOrder);
    m_runs->setAccessibleName(tr("Table of runs"));
    m_runs->setExportName(QStringLiteral("runs"));
    constexpr int kRowsAtLeast = 5; // the strip below and the figures must not squeeze the list away
    m_runs->setMinimumHeight(kRowsAtLeast * m_runs->verticalHeader()->defaultSectionSize());
    m_runs->horizontalHeader()->setStretchLastSection(true);
    m_runs->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_runs, &QWidget::customContextMenuRequested, this, &RunsView::showMenu);
    connect(m_runs->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (m_asksToDelete) // a question about other runs than those selected now would be a trap
            m_no->click();
        takeSelection();
    });
    auto* remove = new QShortcut(QKeySequence::Delete, m_runs, nullptr, nullptr, Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &RunsView::askToDelete);
}

QWidget* RunsView::buildFilter() {
    m_filter->setPlaceholderText(tr("Filter: words, target:attacc, faster:1ms, since:2026-05-01, is:best"));
    m_filter->setAccessibleName(tr("Filter of the runs"));
    m_filter->setClearButtonEnabled(true);
    connect(m_filter, &QLineEdit::textChanged, this, &RunsView::applyFilter);
    auto* terms = new QToolButton;
    terms->setText(tr("Add Filter"));
    terms->setAccessibleName(tr("Add a filter"));
    terms->setToolTip(tr("Add a term to the filter from the values found in the runs"));
    terms->setPopupMode(QToolButton::InstantPopup);
    terms->setMenu(m_filterMenu);
    connect(m_filterMenu, &QMenu::aboutToShow, this, &RunsView::fillFilterMenu);
    m_count->setAccessibleName(tr("How many runs are shown"));
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_filter, 1);
    layout->addWidget(terms);
    layout->addWidget(m_count);
    return row;
}

QWidget* RunsView::buildStrip() {
    m_strip = new QFrame;
    m_question = new QLabel;
    m_yes = new QPushButton(tr("Yes"));
    m_no = new QPushButton(tr("No"));
    m_strip->setFrameShape(QFrame::StyledPanel);
    m_question->setWordWrap(true);
    m_question->setAccessibleName(tr("Question"));
    auto* layout = new QHBoxLayout(m_strip);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_question, 1);
    layout->addWidget(m_yes);
    layout->addWidget(m_no);
    connect(m_yes, &QPushButton::clicked, this, [this] {
        m_asksToDelete = false;
        m_strip->hide();
        m_runs->setFocus();
        if (const auto onYes = std::exchange(m_onYes, {}))
            onYes();
    });
    connect(m_no, &QPushButton::clicked, this, [this] {
        m_asksToDelete = false;
        m_strip->hide();
        m_runs->setFocus();
        m_onYes = {};
    });
    m_strip->hide();
    return m_strip;
}

void RunsView::ask(const QString& question, const QString& yes, const QString& no,
                   std::function<void()> onYes) {
    m_question->setText(question);
    m_yes->setText(yes);
    m_no->setText(no);
    m_onYes = std::move(onYes);
    m_asksToDelete = false;
    m_strip->show();
}

void RunsView::offerUndo(const QString& said, std::function<void()> undo) {
    ask(said, tr("Undo"), tr("Close"), std::move(undo));
}

QString RunsView::question() const {
    return m_strip->isHidden() ? QString() : m_question->text();
}

// Filter

void RunsView::fillFilterMenu() {
    m_filterMenu->clear();
    const auto values = [this](const QString& title, const QString& key, std::string RunInfo::*field) {
        std::set<std::string> all;
        for (const RunInfo& run : m_model->runs())
            if (!(run.*field).empty())
                all.insert(run.*field);
        QMenu* menu = m_filterMenu->addMenu(title);
        menu->setEnabled(!all.empty());
        for (const std::string& value : all)
            menu->addAction(text(value), this,
                            [this, key, value] { addTerm(QStringLiteral("%1:%2").arg(key, quoted(value))); });
    };
    values(tr("Model"), QStringLiteral("model"), &RunInfo::modelName);
    values(tr("Target"), QStringLiteral("target"), &RunInfo::targetId);
    values(tr("Host"), QStringLiteral("host"), &RunInfo::host);
    values(tr("Variant"), QStringLiteral("variant"), &RunInfo::variant);
    QMenu* since = m_filterMenu->addMenu(tr("Since"));
    const QDate today = QDateTime::currentDateTimeUtc().date();
    for (const auto& [title, days] :
         {std::pair(tr("Today"), 0), {tr("The last 7 days"), 6}, {tr("The last 30 days"), 29}})
        since->addAction(title, this, [this, today, back = days] {
            addTerm(QStringLiteral("since:%1").arg(today.addDays(-back).toString(Qt::ISODate)));
        });
    m_filterMenu->addAction(tr("Best Runs Only"), this, [this] { addTerm(QStringLiteral("is:best")); });
    const auto selected = selectedRuns();
    if (selected.size() == 1)
        m_filterMenu->addAction(tr("Faster Than the Selected Run"), this,
                                [this, ns = selected.front().totalNs] {
                                    addTerm(QStringLiteral("faster:%1ns").arg(ns, 0, 'g', 17));
                                });
    m_filterMenu->addSeparator();
    m_filterMenu->addAction(tr("Clear Filter"), m_filter, &QLineEdit::clear)
        ->setEnabled(!m_filter->text().isEmpty());
}

void RunsView::addTerm(const QString& term) {
    m_filter->setText((m_filter->text().trimmed() + QLatin1Char(' ') + term).trimmed());
}

void RunsView::setFilterText(const QString& filter) {
    m_filter->setText(filter);
}

QString RunsView::filterProblem() const {
    return m_filter->property("problem").toString();
}

void RunsView::applyFilter() {
    auto filter = RunFilter::parse(m_filter->text().toStdString());
    const QString problem = filter ? QString() : text(filter.error().text());
    m_filter->setProperty("problem", problem);
    m_filter->setToolTip(problem);
    m_filter->setStyleSheet(
        filter ? QString()
               : QStringLiteral("QLineEdit { border: 2px solid %1; }").arg(color(Role::Bad).name()));
    if (filter) // what is half typed changes nothing
        m_filtered->setFilter(std::move(*filter));
    const int all = m_model->rowCount(), shown = m_filtered->rowCount();
    m_count->setText(!filter        ? tr("not understood")
                     : shown == all ? tr("%1 runs").arg(all)
                                    : tr("%1 of %2 runs").arg(shown).arg(all));
}

// Runs

void RunsView::setRuns(std::vector<RunInfo> runs, LoadOps loadOps, bool hasProject) {
    m_loadOps = std::move(loadOps);
    const auto before = selectedRuns();
    const bool wasEmpty = m_model->rowCount() == 0;
    {
        const QSignalBlocker quiet(m_runs->selectionModel());
        m_model->setRuns(std::move(runs));
    }
    std::erase_if(m_ops, [this](const auto& known) { return m_model->rowOf(known.first) < 0; });
    applyFilter();
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
    if (m_model->rowCount() == 0) {
        m_isComparing = false;
        m_ops.clear();
        m_empty->setText(hasProject ? tr("No runs yet") : tr("No project"),
                         hasProject ? tr("Every compile from now on is kept here as a run.")
                                    : tr("Save the project: from then on every compile is kept as a run."));
        m_empty->setAction(hasProject ? QString() : tr("Save Project…"));
        return;
    }
    if (wasEmpty) {
        showFirst(*m_runs, {RunsModel::Id, RunsModel::Best, RunsModel::Total, RunsModel::Speedup});
        m_runs->fitColumns();
    }
    for (const RunInfo& run : before)
        if (const int row = m_model->rowOf(run.id); row >= 0)
            m_runs->selectionModel()->select(m_filtered->mapFromSource(m_model->index(row, 0)),
                                             QItemSelectionModel::Select | QItemSelectionModel::Rows);
    takeSelection();
}

void RunsView::setReadOnly(bool isReadOnly) {
    m_model->setEditable(!isReadOnly);
    m_runPage->setReadOnly(isReadOnly);
}

void RunsView::setPlanInForce(std::optional<RunInfo> plan) {
    m_plan = std::move(plan);
    if (selectedRuns().size() == 1)
        takeSelection();
}

void RunsView::showRuns(const std::vector<std::int64_t>& runs) {
    const auto isHidden = [this](std::int64_t id) {
        const int row = m_model->rowOf(id);
        return row >= 0 && !m_filtered->mapFromSource(m_model->index(row, 0)).isValid();
    };
    if (std::any_of(runs.begin(), runs.end(), isHidden))
        m_filter->clear();
    QItemSelection wanted;
    for (const std::int64_t id : runs)
        if (const int row = m_model->rowOf(id); row >= 0) {
            const QModelIndex index = m_filtered->mapFromSource(m_model->index(row, 0));
            wanted.select(index, index);
            m_runs->scrollTo(index);
        }
    m_runs->selectionModel()->select(wanted, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

bool RunsView::compareVariants(const QString& a, const QString& b) {
    const RunInfo* newest[2] = {};
    for (const RunInfo& run : m_model->runs())
        for (const int side : {0, 1})
            if (run.variant == (side == 0 ? a : b).toStdString() &&
                (!newest[side] || run.id > newest[side]->id))
                newest[side] = &run;
    if (!newest[0] || !newest[1] || newest[0]->modelHash != newest[1]->modelHash ||
        newest[0]->bindings != newest[1]->bindings || newest[0]->targetHash != newest[1]->targetHash)
        return false;
    compare(newest[0]->id, newest[1]->id);
    return true;
}

std::vector<RunInfo> RunsView::selectedRuns() const {
    std::vector<RunInfo> runs;
    for (const QModelIndex& row : m_runs->selectionModel()->selectedRows())
        if (const RunInfo* run = m_filtered->run(row))
            runs.push_back(*run);
    std::sort(runs.begin(), runs.end(), [](const RunInfo& a, const RunInfo& b) { return a.id < b.id; });
    return runs;
}

void RunsView::showHint(const QString& missing, const QString& whatToDo) {
    m_hint->setText(missing, whatToDo);
    m_lower->setCurrentWidget(m_hint);
}

void RunsView::takeSelection() {
    m_isComparing = false;
    ++m_request;
    const std::vector<RunInfo> runs = selectedRuns();
    if (runs.empty())
        return showHint(
            tr("Select a run"),
            m_model->rowCount() < 2
                ? tr("There is only one run so far: change a decision and compile again, then compare both.")
                : tr("One run shows what it was made from; two or more (Ctrl+click) are compared."));
    if (runs.size() > kComparable)
        return showHint(tr("%1 runs are selected").arg(runs.size()),
                        tr("Up to %1 can be compared at once.").arg(kComparable));
    if (runs.size() > 1)
        return loadComparison(runs);
    QStringList changes;
    if (m_plan)
        for (const std::string& change : runDifferences(runs.front(), *m_plan))
            changes << text(change);
    m_runPage->setRun(runs.front(), m_plan.has_value(), changes);
    m_lower->setCurrentWidget(m_runPage);
}

void RunsView::loadComparison(const std::vector<RunInfo>& runs) {
    std::vector<std::int64_t> missing;
    for (const RunInfo& run : runs)
        if (!m_ops.contains(run.id))
            missing.push_back(run.id);
    const auto show = [this, runs] {
        Ops ops;
        for (const RunInfo& run : runs)
            ops.push_back(m_ops[run.id]);
        m_comparisonPage->setRuns(runs, std::move(ops));
        m_isComparing = true;
        m_lower->setCurrentWidget(m_comparisonScroll);
    };
    if (missing.empty())
        return show();
    if (!m_loadOps)
        return;
    showHint(tr("Reading %1 runs…").arg(missing.size()), {});
    m_loadOps(missing, [this, missing, show, request = m_request](Result<Ops> found) {
        if (found)
            for (std::size_t i = 0; i < missing.size(); ++i)
                m_ops[missing[i]] = std::move((*found)[i]);
        if (request != m_request)
            return;
        if (found)
            return show();
        const QString message = text(found.error().text());
        showHint(tr("The runs cannot be read"), message);
        emit failed(message);
    });
}

void RunsView::showMenu(const QPoint& position) {
    const auto runs = selectedRuns();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (runs.size() == 1) {
        const std::int64_t id = runs.front().id;
        menu->addAction(tr("Open This Run"), this, [this, id] { emit openRequested(id); });
        menu->addAction(tr("Re-run Exactly"), this, [this, id] { emit rerunRequested(id); });
        menu->addAction(tr("Copy Link"), this, [this, id] { emit linkRequested(id); });
        const QModelIndex label =
            m_filtered->mapFromSource(m_model->index(m_model->rowOf(id), RunsModel::Label));
        QAction* rename = menu->addAction(tr("Change Label"), this, [this, label] { m_runs->edit(label); });
        rename->setShortcut(Qt::Key_F2);
        rename->setEnabled(m_model->isEditable());
    }
    if (!runs.empty()) {
        QAction* remove =
            menu->addAction(runs.size() == 1 ? tr("Delete…") : tr("Delete %1 Runs…").arg(runs.size()), this,
                            &RunsView::askToDelete);
        remove->setShortcut(QKeySequence::Delete);
        remove->setEnabled(m_model->isEditable());
        menu->addSeparator();
    }
    m_runs->addCopyActions(menu);
    menu->popup(m_runs->viewport()->mapToGlobal(position));
}

void RunsView::askToDelete() {
    const auto runs = selectedRuns();
    if (runs.empty() || !m_model->isEditable())
        return;
    std::vector<std::int64_t> ids;
    QStringList names;
    for (const RunInfo& run : runs) {
        ids.push_back(run.id);
        names << shownTitle(run);
    }
    const qsizetype count = names.size();
    constexpr qsizetype kNamed = 3;
    if (count > kNamed) {
        names = names.mid(0, kNamed);
        names << tr("%1 more").arg(count - kNamed);
    }
    ask(tr("Delete %1? All figures stored with it go too; this cannot be undone.")
            .arg(names.join(QStringLiteral("; "))),
        tr("Delete"), tr("Keep"), [this, ids] { emit deleteConfirmed(ids); });
    m_asksToDelete = true;
    m_no->setFocus(); // Enter by mistake keeps them
}

const RunsComparison* RunsView::comparison() const {
    return m_isComparing ? &m_comparisonPage->comparison() : nullptr;
}
TableView* RunsView::deltaTable() const {
    return m_comparisonPage->table();
}
StackedBars* RunsView::bars() const {
    return m_comparisonPage->bars();
}
QString RunsView::badge() const {
    return m_comparisonPage->badge();
}

} // namespace pim::views
