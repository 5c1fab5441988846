// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drafts/drafts_view.h"

#include "core/base/number_text.h"
#include "core/compile/explain.h"
#include "core/drafts/exhaustive.h"
#include "core/drafts/opwise.h"
#include "core/predict/learned_predictor.h"
#include "views/common/column_order.h"
#include "views/common/core_sentences.h"
#include "views/common/core_words.h"
#include "views/common/empty_state.h"
#include "views/common/flow_layout.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/common/text_label.h"
#include "views/drafts/draft_filter.h"
#include "views/drafts/draft_scatter.h"
#include "views/models/draft_board.h"
#include "views/models/draft_ranking.h"
#include "views/models/workspace.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <numeric>

namespace pim::views {
namespace {

const QString kState = QStringLiteral("drafts");
constexpr int kBestSimulated = 8;

} // namespace

DraftsView::DraftsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_board(DraftBoard::of(workspace)),
      m_model(new DraftsModel(this)), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("search"))), m_title(new LineLabel), m_counts(new TextLabel),
      m_legend(new TextLabel), m_filter(new QLineEdit), m_rejected(new QCheckBox), m_table(new TableView),
      m_scatter(new DraftScatter(m_board)), m_use(new QPushButton(tr("Use This Draft"))),
      m_reset(new QPushButton(tr("Compiler's Choice"))), m_keepA(new QPushButton(tr("Compare as A"))),
      m_simulate(new QToolButton), m_why(new TextLabel) {
    setObjectName(QStringLiteral("DraftsView"));
    setAccessibleName(tr("Drafts of the selected op"));
    m_model->setBoard(&m_board);
    m_model->setShowRejected(true);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(buildPage());
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);

    connect(&workspace, &Workspace::explorationChanged, this, &DraftsView::showExploration);
    connect(&workspace, &Workspace::selectionChanged, this, &DraftsView::showSelection);
    connect(&workspace, &Workspace::planChanged, this, &DraftsView::showSelection);
    connect(&workspace, &Workspace::viewStatesLoaded, this, &DraftsView::takeViewState);
    connect(&m_board, &DraftBoard::changed, this, &DraftsView::showBoard);
    connect(m_rejected, &QCheckBox::toggled, this, [this](bool on) {
        m_model->setShowRejected(on);
        keepViewState();
        showSelection();
    });
    connect(m_filter, &QLineEdit::textChanged, this, &DraftsView::applyFilter);
    connect(m_table, &QAbstractItemView::activated, this, &DraftsView::useSelected);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) {
                if (m_model->draftAt(row.row()))
                    choose(m_model->positionAt(row.row()));
            });
    connect(m_scatter, &DraftScatter::picked, this, [this](std::size_t position) {
        choose(position);
        if (const int row = selectedDraft() ? m_model->rowOf(*selectedDraft()) : -1; row >= 0)
            m_table->scrollTo(m_model->index(row, 0), QAbstractItemView::PositionAtCenter);
    });
    connect(m_scatter, &DraftScatter::axesChanged, this, &DraftsView::keepViewState);
    takeViewState();
    showExploration();
}

QTableView* DraftsView::table() const {
    return m_table;
}

QWidget* DraftsView::buildPage() {
    m_title->setTextFormat(Qt::RichText);
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setAccessibleName(tr("How predicted and simulated figures are told apart"));
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_why->setAccessibleName(tr("Why the selected draft is slower, faster, or rejected"));
    m_filter->setPlaceholderText(tr("Filter: total<10us groups>=4 b+1"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setAccessibleName(tr("Filter of the drafts"));
    m_rejected->setText(tr("Rejected"));
    m_rejected->setChecked(true);
    m_rejected->setToolTip(tr("Also list drafts that were rejected, greyed, with the rule and what they "
                              "lack: examples of every rule"));
    m_rejected->setAccessibleName(tr("Show rejected drafts"));

    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->setAccessibleName(tr("Table of drafts"));
    m_table->setExportName(QStringLiteral("drafts"));
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);

    auto* bar = new QHBoxLayout;
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_rejected);
    auto* left = new QWidget;
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->addLayout(bar);
    leftLayout->addWidget(m_table, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(left);
    splitter->addWidget(m_scatter);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setSizes({340, 200});
    splitter->setChildrenCollapsible(false);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_counts);
    layout->addWidget(splitter, 1);
    layout->addWidget(m_legend);
    buildActions(layout);
    layout->addWidget(m_why);
    return page;
}

void DraftsView::buildActions(QBoxLayout* into) {
    m_use->setToolTip(tr("Make the selected draft the one the compiler must use for this op (undoable)"));
    m_reset->setToolTip(tr("Drop the override and let the compiler choose again"));
    m_keepA->setToolTip(
        tr("Keep the selected draft as A: panels Compare and Tiles compare any draft you select with it"));
    m_simulate->setText(tr("Simulate to Confirm"));
    m_simulate->setAccessibleName(m_simulate->text());
    m_simulate->setToolTip(
        tr("Run the commands of the selected draft on the simulator, to confirm the prediction"));
    m_simulate->setPopupMode(QToolButton::MenuButtonPopup);
    m_simulate->setToolButtonStyle(Qt::ToolButtonTextOnly);
    auto* menu = new QMenu(m_simulate);
    menu->addAction(tr("Simulate the %1 Best Predicted").arg(kBestSimulated), this,
                    [this] { simulateBest(kBestSimulated); });
    menu->addAction(tr("Simulate the Pareto Front"), this, &DraftsView::simulateFront);
    m_simulate->setMenu(menu);
    auto* actions = new FlowLayout; // a large font needs two lines
    for (QPushButton* button : {m_use, m_reset, m_keepA}) {
        button->setAccessibleName(button->text());
        button->setMinimumWidth(button->fontMetrics().horizontalAdvance(button->text()) + 16);
        actions->addWidget(button);
    }
    actions->addWidget(m_simulate);
    into->addLayout(actions);
    connect(m_use, &QPushButton::clicked, this, &DraftsView::useSelected);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        if (const OpId op = m_workspace.selection().op; op.valid() && m_workspace.graph())
            m_workspace.clearOverride(m_workspace.graph()->op(op).name, "draft");
    });
    connect(m_keepA, &QPushButton::clicked, this, [this] {
        m_board.keepA(m_board.b());
        emit compareRequested();
    });
    connect(m_simulate, &QToolButton::clicked, this, [this] {
        if (m_board.isSimulating())
            m_board.cancelSimulation();
        else
            simulateSelected();
    });
}

void DraftsView::takeViewState() {
    const QJsonObject state = m_workspace.viewState(kState);
    const QSignalBlocker quiet(m_rejected);
    m_rejected->setChecked(state[QStringLiteral("rejected")].toBool(true));
    m_model->setShowRejected(m_rejected->isChecked());
    const auto axis = [&](const char* key, DraftAxis fallback) {
        const int value = state[QLatin1String(key)].toInt(static_cast<int>(fallback));
        return value >= 0 && value < kDraftAxes ? static_cast<DraftAxis>(value) : fallback;
    };
    m_scatter->setAxes(axis("x", DraftAxis::Compute), axis("y", DraftAxis::Rearrangement));
}

void DraftsView::keepViewState() {
    m_workspace.setViewState(kState,
                             {{QStringLiteral("rejected"), m_rejected->isChecked()},
                              {QStringLiteral("x"), static_cast<int>(m_scatter->axis(Qt::Horizontal))},
                              {QStringLiteral("y"), static_cast<int>(m_scatter->axis(Qt::Vertical))}});
}

void DraftsView::showExploration() {
    const auto exploration = m_workspace.exploration();
    m_model->setExploration(exploration);
    m_scatter->setExploration(exploration);
    m_askedWhy.reset();
    if (!exploration) {
        const QString note = m_workspace.explorationNote();
        m_empty->setText(tr("No drafts to show"),
                         note.isEmpty() ? tr("Select an op in the graph to see its drafts") : note);
        m_pages->setCurrentIndex(0);
        return;
    }
    m_pages->setCurrentIndex(1);
    applyFilter();
    if (m_setsShown != m_model->setCount()) {
        m_setsShown = m_model->setCount();
        showFirst(*m_table, {m_model->column(DraftsModel::Total)}); // what drafts are chosen by
    }
    m_table->fitColumns(220);
    updateTitle();
    showBoard();
}

/// What is simulated, and how far predictions are off.
void DraftsView::showBoard() {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    const PredictorError* const trained = m_workspace.knownError();
    const QString known =
        trained
            ? tr("%1 on average for such kernels on this machine").arg(text(offText(trained->meanOfPrice)))
            : tr("none known for such kernels on this machine");
    const auto error = m_board.knownError();
    m_legend->setText(
        tr("<i>≈ slanted</i>: predicted; error %1%2. Upright: simulated (%3 of these drafts).")
            .arg(known, error
                            ? tr("; in this window %1").arg(coreSentence(errorText(*error, "ops and drafts")))
                            : QString())
            .arg(m_board.simulatedCount()));
    m_legend->setToolTip(
        trained ? tr("Measured when the predictor of this machine was trained: by formula %1, by the learned "
                     "predictor %2, over %3 drafts of sizes it had not seen; without the host's memory")
                      .arg(text(offText(trained->meanOfPrice)), text(offText(trained->mean)))
                      .arg(trained->drafts)
                : tr("No predictor was trained for this machine and kind of kernel: Model › Train a "
                     "Predictor makes one"));
    const bool simulating = m_board.isSimulating();
    m_simulate->setText(simulating ? tr("Cancel Simulation") : tr("Simulate to Confirm"));
    m_simulate->setAccessibleName(m_simulate->text());
    showSelection();
}

void DraftsView::updateTitle() {
    const Exploration& exploration = *m_workspace.exploration();
    const Kernel& kernel = exploration.space->kernel();
    QStringList sets;
    for (const DimensionSet& set : exploration.space->sets())
        sets << text(set.text);
    m_title->setText(QStringLiteral("<b>%1</b> &nbsp;<code>%2</code>")
                         .arg(text(kernel.name).toHtmlEscaped(), text(kernel.statement).toHtmlEscaped()));
    m_title->setToolTip(tr("Dimension sets: %1").arg(sets.join(QStringLiteral(", "))));
    const EnumerationCounts& counts = exploration.counts;
    QStringList removed;
    for (int rule = 1; rule < kPruneRules; ++rule)
        if (const std::int64_t n = counts.byRule[static_cast<std::size_t>(rule)]; n > 0) {
            removed << tr("%1 %2").arg(text(exactText(n)), coreWord(name(static_cast<PruneRule>(rule))));
        }
    QString line = tr("%1 drafts enumerated, %2 kept, in %3")
                       .arg(text(exactText(counts.enumerated)), text(exactText(counts.byRule[0])),
                            text(timeText(exploration.milliseconds * 1e6)));
    if (!removed.isEmpty())
        line += tr("; removed: %1").arg(removed.join(QStringLiteral(", ")));
    if (counts.rule2Skipped)
        line += tr("; rule 2 not applied: no draft meets it");
    if (counts.truncated)
        line += tr("; list truncated");
    m_counts->setText(line);
}

const Draft* DraftsView::selectedDraft() const {
    const auto& selected = m_workspace.selection().draft;
    return selected ? &*selected : nullptr;
}

std::optional<std::size_t> DraftsView::positionOf(const Draft& draft) const {
    const auto exploration = m_workspace.exploration();
    const auto kept = std::find(exploration->drafts.begin(), exploration->drafts.end(), draft);
    if (kept != exploration->drafts.end())
        return static_cast<std::size_t>(kept - exploration->drafts.begin());
    const auto rejected = std::find_if(exploration->rejected.begin(), exploration->rejected.end(),
                                       [&](const auto& r) { return r.draft == draft; });
    if (rejected == exploration->rejected.end())
        return std::nullopt;
    return exploration->drafts.size() + static_cast<std::size_t>(rejected - exploration->rejected.begin());
}

void DraftsView::choose(std::size_t position) {
    const auto exploration = m_workspace.exploration();
    if (!exploration || position >= exploration->drafts.size() + exploration->rejected.size())
        return;
    const std::size_t kept = exploration->drafts.size();
    const Draft& draft =
        position < kept ? exploration->drafts[position] : exploration->rejected[position - kept].draft;
    Selection selection = m_workspace.selection();
    if (selection.draft == draft)
        return;
    selection.draft = draft;
    m_workspace.select(selection);
}

void DraftsView::showSelection() {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    const auto plan = m_workspace.plan();
    const OpId op = m_workspace.selection().op;
    const OpPlan* opPlan = plan && op.valid() && op.index() < plan->ops.size() ? &plan->opPlan(op) : nullptr;
    const std::optional<Draft> inForce = opPlan ? opPlan->draft : std::nullopt;
    m_model->setCurrent(inForce);
    const Draft* shown = selectedDraft() ? selectedDraft() : inForce ? &*inForce : nullptr;
    const int row = shown ? m_model->rowOf(*shown) : -1;
    if (row >= 0 && m_table->currentIndex().row() != row) {
        const QSignalBlocker quiet(m_table->selectionModel());
        m_table->setCurrentIndex(m_model->index(row, 0));
        m_table->viewport()->update();
    }
    m_scatter->setMarked(inForce ? positionOf(*inForce) : std::nullopt,
                         selectedDraft() ? positionOf(*selectedDraft()) : std::nullopt);
    const bool rejected = row >= 0 && m_model->isRejected(row);
    m_reset->setEnabled(opPlan && opPlan->draftOverridden);
    m_use->setEnabled(selectedDraft() && row >= 0 && !rejected &&
                      (!inForce || !(*selectedDraft() == *inForce)));
    m_keepA->setEnabled(shown != nullptr);
    m_simulate->setEnabled(m_board.isSimulating() || !rejected);
    sayWhy(row, inForce ? &*inForce : nullptr);
}

void DraftsView::sayWhy(int row, const Draft* inForce) {
    QString why, more;
    const Draft* shown = m_model->draftAt(row);
    if (shown && m_model->isRejected(row)) {
        if (!m_askedWhy || !(*m_askedWhy == *shown))
            askWhyRejected(*shown);
        why = m_answer.isEmpty() ? tr("Looking up why it was rejected…") : m_answer;
    } else if (shown && inForce && !(*shown == *inForce)) {
        const auto a = m_board.lookUp(*inForce), b = m_board.lookUp(*shown);
        if (a && b && a->predicted && b->predicted) {
            const Explanation words = explainCosts(*a->predicted, *b->predicted, a->facts(), b->facts(),
                                                   "the draft in force", "This draft");
            why = text(words.headline); // the rest is what the Compare panel is for
            more = text(words.text());
        }
    } else if (const SimulatedDraft* simulated = shown ? m_model->simulatedAt(row) : nullptr;
               simulated && !simulated->problem.empty()) {
        why = tr("It could not be simulated: %1").arg(text(simulated->problem));
    }
    if (const QString learned =
            shown && !m_model->isRejected(row) ? sayLearned(m_model->positionAt(row)) : QString();
        !learned.isEmpty())
        why += (why.isEmpty() ? QString() : QStringLiteral(" ")) + learned;
    m_why->setText(why);
    m_why->setToolTip(more);
    m_why->setVisible(!why.isEmpty());
}

/// Where the draft stands by formula and by the predictor in force; empty: no predictor ranks such kernels.
QString DraftsView::sayLearned(std::size_t position) const {
    const auto exploration = m_workspace.exploration();
    if (position >= exploration->predictedNs.size())
        return {};
    const auto place = [&](std::int64_t rank) {
        return tr("place %1 of %2")
            .arg(text(exactText(rank)), text(exactText(std::ssize(exploration->drafts))));
    };
    // Cheapest first: the place by formula is the position.
    QString said = tr("By formula %1, %2; learned %3, %4.")
                       .arg(text(timeText(exploration->costs[position].totalNs())),
                            place(static_cast<std::int64_t>(position) + 1),
                            text(timeText(exploration->predictedNs[position])),
                            place(rankOf(exploration->predictedNs, position)));
    if (const auto learned = DraftRanking::of(m_workspace).inForce()) {
        const std::string outside =
            learned->outside(exploration->space->kernel(), residencyOf(exploration->tensors));
        if (!outside.empty())
            said += tr(" The kernel lies outside what the predictor has learned: %1.").arg(text(outside));
    }
    return said;
}

/// Walks the rules for one draft: quick for most kernels, not for all.
void DraftsView::askWhyRejected(const Draft& draft) {
    if (m_whyTask)
        m_workspace.tasks()->cancel(std::exchange(m_whyTask, 0));
    m_askedWhy = draft;
    m_answer.clear();
    const auto space = m_workspace.exploration()->space;
    const TilingOptions options = m_workspace.options().tiling;
    m_whyTask = m_workspace.tasks()->start(
        tr("Looking up why a draft was rejected"),
        [self = QPointer(this), space, options, draft](const TaskContext& task) -> std::function<void()> {
            const auto reason = explain(*space, options, draft, task);
            QString answer;
            if (!reason)
                answer = text(reason.error().text());
            else if (reason->rule == PruneRule::Kept)
                answer = tr("The rules in force would keep it");
            else
                answer = tr("Rejected, %1: %2.").arg(coreWord(name(reason->rule)), text(reason->text));
            if (reason && reason->keptInstead)
                answer += tr(" Kept instead: %1").arg(text(space->draftText(*reason->keptInstead)));
            return [self, draft, answer] {
                if (!self || !self->m_askedWhy || !(*self->m_askedWhy == draft))
                    return;
                self->m_whyTask = 0;
                self->m_answer = answer;
                self->showSelection();
            };
        },
        [self = QPointer(this)] {
            if (!self || self->m_whyTask == 0) // a newer question replaces it
                return;
            self->m_whyTask = 0;
            self->m_answer = tr("Rejected; looking up why was cancelled.");
            self->showSelection();
        });
}

void DraftsView::applyFilter() {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    auto filter = parseDraftFilter(m_filter->text(), exploration->space);
    QPalette palette = this->palette();
    if (!filter) {
        palette.setColor(QPalette::Text, color(Role::Bad));
        m_filter->setToolTip(text(filter.error().text()));
    } else {
        m_filter->setToolTip(tr("Figures: groups, cores, input, compute, output, switch, total, tobest; "
                                "other words must occur in the draft"));
        m_model->setFilter(std::move(*filter));
        showSelection();
    }
    m_filter->setPalette(palette);
}

void DraftsView::useSelected() {
    const auto exploration = m_workspace.exploration();
    const OpId op = m_workspace.selection().op;
    if (!exploration || !op.valid() || !selectedDraft() || !m_workspace.graph())
        return;
    m_workspace.applyOverride(
        {m_workspace.graph()->op(op).name, "draft", exploration->space->draftText(*selectedDraft())});
}

void DraftsView::simulateSelected() {
    const auto exploration = m_workspace.exploration();
    if (!exploration)
        return;
    const auto b = m_board.b();
    const auto position = b ? positionOf(b->draft) : std::nullopt;
    m_board.simulate({position.value_or(0)});
}

void DraftsView::simulateBest(int count) {
    std::vector<std::size_t> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    m_board.simulate(std::move(positions));
}

void DraftsView::simulateFront() {
    m_board.simulate(m_scatter->front());
}

} // namespace pim::views
