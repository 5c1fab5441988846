// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Asks for dimensions and values, compiles the model for all of them, shows what comes out.
#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace pim::views {

class SweepView;
class Workspace;

class SweepPanel : public QWidget {
    Q_OBJECT
public:
    explicit SweepPanel(Workspace& workspace, QWidget* parent = nullptr);

    QLineEdit* over() const { return m_over; }
    QPushButton* runButton() const { return m_run; }
    SweepView* view() const { return m_view; }

private:
    void modelChanged();
    void run();

    Workspace& m_workspace;
    QLineEdit* m_over;
    QPushButton* m_run;
    SweepView* m_view;
    int m_task = 0;
};

} // namespace pim::views
