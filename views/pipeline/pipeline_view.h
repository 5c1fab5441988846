// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How the compiler got from the file to the commands: stages with counts and times, passes to switch off,
/// and what each stage made of every op.
#include "views/pipeline/pipeline_stages.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QModelIndex;
class QSplitter;

namespace pim::views {

class ChangeModel;
class OptionForm;
class StageModel;
class TableView;
class Workspace;

class PipelineView : public QWidget {
    Q_OBJECT
public:
    explicit PipelineView(Workspace& workspace, QWidget* parent = nullptr);

    TableView* stages() const { return m_stageTable; }
    TableView* changes() const { return m_changeTable; }
    OptionForm* options() const {
        return m_options;
    } ///< Of the pass that is chosen; hidden where there are none.
    QString summary() const;
    void setSeen(bool seen); ///< Works out nothing while it cannot be seen.
    void showStage(const QString& id);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refreshStages();
    void shareWidth();
    void showOptions();
    void askForChanges();
    void showChanges(const std::string& stage, const Result<StageChanges>& found);
    void takeSelection();
    void switchPass(const QString& pass, bool on);
    const PipelineStage* currentStage() const;

    Workspace& m_workspace;
    StageModel* m_stages;
    ChangeModel* m_changes;
    TableView* m_stageTable;
    TableView* m_changeTable;
    QCheckBox* m_hideIdle;
    QCheckBox* m_onlySelected;
    QLabel* m_summary;
    OptionForm* m_options;
    QSplitter* m_split;
    bool m_isSplitByHand = false;
    std::string m_stage; ///< Chosen last, also while it is not shown.
    std::shared_ptr<const StageChanges> m_code;
    std::shared_ptr<const Plan> m_codePlan; ///< That m_code is of.
    std::shared_ptr<const void> m_shownOf;  ///< Graph or plan the changes shown are of.
    std::string m_shownStage;
    bool m_isSeen = false;
    int m_task = 0;
    int m_asked = 0; ///< Counts questions; an older one's end means nothing.
};

} // namespace pim::views
