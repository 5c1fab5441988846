// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What all panels about one op on its DPU have: a box with the ops to choose from, a headline, and words where there is
/// nothing to show.
#include "views/upmem/op_runs.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace pim::views {

class EmptyState;

class OpPanel : public QWidget {
    Q_OBJECT
public:
    /// \param iconName of what is shown while there is nothing, as in icons.h.
    OpPanel(const QString& objectName, const QString& accessibleName, const QString& iconName,
            QWidget* parent);

    void setShown(std::shared_ptr<const OpShown> shown); ///< Null: none.
    const upmem::OpOnDpu* run() const { return m_shown ? m_shown->run.get() : nullptr; }
    void setEmptyText(const QString& missing, const QString& whatToDo);
    QString emptyText() const;
    void setStale(bool stale); ///< What is shown is of an older plan or another op.
    void setSeen(bool seen);   ///< Whether a person can see it: nothing is run while nobody does.
    /// The ops that run on DPUs, as ids and names. Emits nothing.
    void setOps(const std::vector<std::pair<OpId, QString>>& ops);
    void setSelectedOp(OpId op);
    QComboBox* opBox() const { return m_ops; }
    QLabel* title() const { return m_title; }
    QLabel* status() const { return m_status; }

signals:
    void opChosen(pim::OpId op);
    void seenChanged(bool seen);

protected:
    virtual void showRun(const OpShown* shown) = 0;
    QHBoxLayout* bar() const { return m_bar; }   ///< For buttons, right of the headline.
    QVBoxLayout* body() const { return m_body; } ///< Above the line that tells what is under the pointer.
    QString headline(const upmem::OpOnDpu& run) const; ///< Name, DPUs, tasklets, cycles; rich text.

private:
    std::shared_ptr<const OpShown> m_shown;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    QComboBox* m_ops;
    QLabel* m_title;
    QLabel* m_status;
    QHBoxLayout* m_bar;
    QVBoxLayout* m_body;
};

/// Shows the run of the selected op while the panel is seen; the box of ops selects.
void joinOpRuns(OpPanel* panel, Workspace& workspace);

} // namespace pim::views
