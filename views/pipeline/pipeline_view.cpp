// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pipeline/pipeline_view.h"

#include "core/graph/passes/passes.h"
#include "views/common/option_form.h"
#include "views/common/table_view.h"
#include "views/models/workspace.h"
#include "views/pipeline/stage_models.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {

PipelineView::PipelineView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_stages(new StageModel(this)),
      m_changes(new ChangeModel(this)), m_stageTable(new TableView), m_changeTable(new TableView),
      m_hideIdle(new QCheckBox(tr("Hide stages that changed nothing"))),
      m_onlySelected(new QCheckBox(tr("Selected op only"))), m_summary(new QLabel), m_options(new OptionForm),
      m_split(new QSplitter) {
    setObjectName(QStringLiteral("PipelineView"));
    setAccessibleName(tr("Compile pipeline"));
    for (QCheckBox* box : {m_hideIdle, m_onlySelected})
        box->setAccessibleName(box->text());
    m_stageTable->setAccessibleName(tr("Stages of the compile"));
    m_stageTable->setModel(m_stages);
    m_stageTable->setExportName(QStringLiteral("stages"));
    m_changeTable->setAccessibleName(tr("What the stage changed"));
    m_changeTable->setModel(m_changes);
    m_changeTable->setExportName(QStringLiteral("changes"));
    for (TableView* table : {m_stageTable, m_changeTable}) {
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->setFrameShape(QFrame::NoFrame);
        table->verticalHeader()->hide();
        table->setWordWrap(false);
    }
    m_changeTable->setTextElideMode(Qt::ElideRight);
    m_changeTable->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_stageTable->horizontalHeader()->setStretchLastSection(true);
    m_summary->setAccessibleName(tr("Summary of the stage"));
    m_summary->setWordWrap(true);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(4, 4, 0, 0);
    leftColumn->addWidget(m_hideIdle);
    leftColumn->addWidget(m_stageTable, 1);
    auto* right = new QWidget;
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(4, 4, 0, 0);
    auto* line = new QHBoxLayout;
    line->addWidget(m_summary, 1);
    line->addWidget(m_onlySelected);
    rightColumn->addLayout(line);
    rightColumn->addWidget(m_options);
    rightColumn->addWidget(m_changeTable, 1);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(left);
    m_split->addWidget(right);
    m_split->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_split);
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_isSplitByHand = true; });

    connect(m_hideIdle, &QCheckBox::toggled, this, [this](bool on) {
        QJsonObject state = m_workspace.viewState(QStringLiteral("pipeline"));
        state[QStringLiteral("hideIdle")] = on;
        m_workspace.setViewState(QStringLiteral("pipeline"), state);
        m_stages->setHidesIdle(on);
        m_changes->setHidesSame(on);
        showStage(QString::fromStdString(m_stage));
    });
    connect(m_onlySelected, &QCheckBox::toggled, this, &PipelineView::takeSelection);
    connect(m_stages, &StageModel::switched, this, &PipelineView::switchPass);
    connect(m_options, &OptionForm::chosen, this,
            [this](const OptionTexts& texts) { m_workspace.setPassOptions(m_stage, texts); });
    connect(m_stageTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid())
                    m_stage = m_stages->stage(now.row()).id;
                askForChanges();
            });
    connect(m_changeTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) {
                if (now.isValid() && m_changes->change(now.row()).op.valid())
                    m_workspace.selectOp(m_changes->change(now.row()).op);
            });
    connect(&workspace, &Workspace::graphChanged, this, &PipelineView::refreshStages);
    connect(&workspace, &Workspace::planChanged, this, &PipelineView::refreshStages);
    connect(&workspace, &Workspace::failed, this,
            &PipelineView::refreshStages); // a switch that did not work springs back
    connect(&workspace, &Workspace::selectionChanged, this, &PipelineView::takeSelection);
    connect(&workspace, &Workspace::viewStatesLoaded, this, [this] {
        m_hideIdle->setChecked(
            m_workspace.viewState(QStringLiteral("pipeline")).value(QStringLiteral("hideIdle")).toBool());
    });
    refreshStages();
}

QString PipelineView::summary() const {
    return m_summary->text();
}

void PipelineView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_changeTable)
        m_changeTable->viewport()->update();
}

void PipelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareWidth();
}

/// The stages get what their columns need: a count that is cut off is none. Changes take the rest, at least half.
void PipelineView::shareWidth() {
    if (m_isSplitByHand)
        return;
    constexpr int kMargins = 10;
    int needed = kMargins + m_stageTable->verticalScrollBar()->sizeHint().width();
    for (int column = 0; column < StageModel::ColumnCount; ++column)
        needed += m_stageTable->columnWidth(column);
    const int left = std::min(needed, width() / 2);
    m_split->setSizes({left, width() - left});
}

void PipelineView::setSeen(bool seen) {
    m_isSeen = seen;
    askForChanges();
}

void PipelineView::showStage(const QString& id) {
    const int row = m_stages->rowOf(id.toStdString());
    m_stageTable->setCurrentIndex(m_stages->index(std::max(row, 0), StageModel::Stage));
}

const PipelineStage* PipelineView::currentStage() const {
    const QModelIndex now = m_stageTable->currentIndex();
    return now.isValid() ? &m_stages->stage(now.row()) : nullptr;
}

void PipelineView::refreshStages() {
    const auto plan = m_workspace.plan();
    if (plan && m_workspace.isStale())
        return; // the old numbers stay until there are new ones
    {
        const QSignalBlocker quiet(m_stageTable->selectionModel());
        const std::string wanted = m_stage;
        m_stages->setStages(pipelineStages(m_workspace.graph().get(), plan.get(),
                                           plan ? m_workspace.familyOf(*plan) : m_workspace.family(),
                                           m_codePlan == plan ? m_code.get() : nullptr));
        m_stage = wanted;
        const int row = m_stages->rowOf(wanted);
        m_stageTable->setCurrentIndex(m_stages->index(row < 0 ? 0 : row, StageModel::Stage));
    }
    m_stageTable->fitColumns(180);
    shareWidth();
    askForChanges();
}

void PipelineView::showOptions() {
    const PipelineStage* const stage = currentStage();
    const auto passes = allPasses();
    const auto pass =
        stage ? std::ranges::find(passes, std::string_view(stage->id), &Pass::name) : passes.end();
    if (pass == passes.end() || !pass->options)
        return m_options->setTable({}, nullptr, {});
    const auto& chosen = m_workspace.graphOptions().passOptions;
    const auto texts = chosen.find(pass->name);
    m_options->setTable(stage->title, pass->options(), texts == chosen.end() ? OptionTexts() : texts->second);
}

void PipelineView::askForChanges() {
    showOptions();
    const PipelineStage* stage = currentStage();
    if (!m_isSeen || !stage) {
        if (!stage) {
            m_changes->setChanges({});
            m_summary->setText(tr("Open a model to see how it is compiled"));
        }
        return;
    }
    const bool isPass = stage->kind == PipelineStage::Kind::Pass;
    const std::shared_ptr<const void> of =
        isPass ? std::shared_ptr<const void>(m_workspace.graph()) : m_workspace.plan();
    if (of == m_shownOf && stage->id == m_shownStage)
        return;
    if (m_task)
        m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    m_shownOf = of;
    m_shownStage = stage->id;
    m_changes->setChanges({});
    m_summary->setText(tr("Comparing before and after %1…").arg(stage->title));
    const auto plan = m_workspace.plan();
    const StageQuestion question{*stage,
                                 m_workspace.importedModel(),
                                 m_workspace.graphOptions(),
                                 m_workspace.graph(),
                                 plan,
                                 plan ? m_workspace.backendOf(*plan->target) : nullptr,
                                 plan ? &m_workspace.familyOf(*plan) : &m_workspace.family()};
    m_task = m_workspace.tasks()->start(
        tr("Loading the stage %1").arg(stage->title),
        [self = QPointer<PipelineView>(this), question](const TaskContext& task) -> std::function<void()> {
            const auto found = std::make_shared<const Result<StageChanges>>(changesOf(question, task));
            return [self, id = question.stage.id, plan = question.plan, found] {
                if (!self)
                    return;
                self->m_task = 0;
                if (id == "code" && *found) {
                    self->m_code = std::make_shared<const StageChanges>(**found);
                    self->m_codePlan = plan;
                }
                self->showChanges(id, *found);
            };
        },
        [self = QPointer<PipelineView>(this), asked = ++m_asked] {
            if (!self || self->m_asked != asked)
                return;
            self->m_task = 0;
            self->m_shownStage.clear();
            self->m_summary->setText(tr("Cancelled; choose the stage again to repeat it"));
        });
}

void PipelineView::showChanges(const std::string& stage, const Result<StageChanges>& found) {
    m_changes->setChanges(found ? found->rows : std::vector<StageChange>());
    // Where a stage only takes away or only adds, that has all the room.
    const bool hasBefore = m_changes->hasAny(ChangeModel::Before),
               hasAfter = m_changes->hasAny(ChangeModel::After);
    m_changeTable->setColumnHidden(ChangeModel::Before, !hasBefore && hasAfter);
    m_changeTable->setColumnHidden(ChangeModel::After, !hasAfter && hasBefore);
    m_summary->setText(found ? found->summary : QString::fromStdString(found.error().text()));
    if (stage == "code")
        refreshStages();
    takeSelection();
}

void PipelineView::takeSelection() {
    const OpId op = m_workspace.selection().op;
    const QSignalBlocker quiet(m_changeTable->selectionModel());
    m_changes->setOnly(m_onlySelected->isChecked() ? op : OpId());
    const QModelIndex now = m_changeTable->currentIndex();
    if (now.isValid() && m_changes->change(now.row()).op == op)
        return;
    if (const int row = op.valid() ? m_changes->rowOf(op) : -1; row >= 0)
        m_changeTable->setCurrentIndex(m_changes->index(row, now.isValid() ? now.column() : 0));
    else
        m_changeTable->clearSelection();
    m_changeTable->viewport()->update();
}

void PipelineView::switchPass(const QString& pass, bool on) {
    std::set<std::string> off = m_workspace.graphOptions().disabledPasses;
    if (on)
        off.erase(pass.toStdString());
    else
        off.insert(pass.toStdString());
    m_workspace.setDisabledPasses(off);
}

} // namespace pim::views
