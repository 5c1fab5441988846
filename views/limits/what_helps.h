// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What would help: the network planned and simulated again with each resource twice as fast, twice as many of it, and as fast as can be.
#include "core/compile/what_if.h"

#include <QWidget>

#include <memory>

class QLabel;
class QPushButton;

namespace pim::views {

class FiguresModel;
class TableView;
class Workspace;

class WhatHelps : public QWidget {
    Q_OBJECT
public:
    explicit WhatHelps(Workspace& workspace, QWidget* parent = nullptr);

    QPushButton* askButton() const { return m_ask; } ///< "What Would Help?", or "Stop" while it simulates.
    QPushButton* useButton() const {
        return m_use;
    } ///< Of the row chosen: asks for a file, then saveAndUse().
    TableView* table() const { return m_table; }
    QLabel* message() const { return m_message; }
    bool isAsking() const { return m_task != 0; }
    /// Writes the target with the resource of a row twice as fast or many, and takes it as the target. Workspace::failed() where that cannot be.
    void saveAndUse(int row, const QString& file);

private:
    void planChanged();
    void ask();
    void finish(const Result<WhatIf>* answer);
    void showAnswer(WhatIf answer);
    void rowChosen();
    void use();

    Workspace& m_workspace;
    QPushButton* m_ask;
    QPushButton* m_use;
    QLabel* m_message;
    TableView* m_table;
    FiguresModel* m_figures;
    std::shared_ptr<const Target> m_target; ///< What m_answer is about.
    WhatIf m_answer;
    int m_task = 0;
    int m_asked = 0; ///< Answers to earlier questions are not shown.
};

} // namespace pim::views
