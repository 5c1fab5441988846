// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands an op becomes, in their text form. Lowered only while the page is on screen, on a worker thread.
#include <QWidget>

#include <memory>

class QLabel;
class QPlainTextEdit;

namespace pim {
struct Plan;
}

namespace pim::views {

class Workspace;

class ProgramPage : public QWidget {
    Q_OBJECT
public:
    explicit ProgramPage(Workspace& workspace, QWidget* parent = nullptr);

    void refresh();
    QString text() const;

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void show(const QString& summary, const QString& program);

    Workspace& m_workspace;
    QLabel* m_summary;
    QPlainTextEdit* m_text;
    std::shared_ptr<const Plan> m_plan; ///< What is shown or on its way.
    int m_op = -1;
    int m_task = 0;
};

} // namespace pim::views
