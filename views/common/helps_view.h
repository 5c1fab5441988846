// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What would help: a button asks, in the background, what a run would take with each resource faster, or more of it; a table shows the
/// answer, what helps most on top; another button takes the change of the chosen row.
#include "core/compile/what_if.h"

#include <QWidget>

#include <functional>
#include <memory>

class QLabel;
class QPushButton;

namespace pim::views {

class FiguresModel;
class TableView;
class TaskList;

class HelpsView : public QWidget {
    Q_OBJECT
public:
    struct Answer {
        std::shared_ptr<const WhatIf> whatIf;
        QString remark; ///< A sentence beside the lower bound; may be empty.
    };
    /// Runs on a worker.
    using Question = std::function<Result<Answer>(const TaskContext&)>;

    explicit HelpsView(TaskList& tasks, QWidget* parent = nullptr);

    /// What the button asks from now on; the answer to an earlier question goes. \param question null: there is nothing to ask.
    /// \param note what will be done, or why nothing can be asked.
    void setQuestion(Question question, const QString& note);
    /// The button that takes a row. \param canUse of a row that could be computed; null: each.
    void setUse(const QString& fast, const QString& many, const QString& tip,
                std::function<bool(const WhatIfRow&)> canUse = {});
    const std::shared_ptr<const WhatIf>& answer() const { return m_answer; } ///< Null: none yet.
    void setMessage(const QString& message);

    QPushButton* askButton() const { return m_ask; } ///< "What Would Help?", or "Stop" while it is asked.
    QPushButton* useButton() const { return m_use; }
    TableView* table() const { return m_table; }
    QLabel* message() const { return m_message; }
    bool isAsking() const { return m_task != 0; }

signals:
    void answered(std::shared_ptr<const pim::WhatIf> answer);
    void useWanted(int row); ///< Of answer().

private:
    void ask();
    void stop();
    void finish(const Result<Answer>* answer);
    void showAnswer(const Answer& answer);
    void rowChosen();

    TaskList& m_tasks;
    QPushButton* m_ask;
    QPushButton* m_use;
    QLabel* m_message;
    TableView* m_table;
    FiguresModel* m_figures;
    Question m_question;
    QString m_useFast, m_useMany;
    std::function<bool(const WhatIfRow&)> m_canUse;
    std::shared_ptr<const WhatIf> m_answer;
    int m_task = 0;
    int m_asked = 0; ///< Answers to earlier questions are not shown.
};

} // namespace pim::views
