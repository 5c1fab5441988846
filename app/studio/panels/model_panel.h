// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the open model holds, with a badge where weights are missing.
#include <QScrollArea>

class QLabel;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class ModelPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit ModelPanel(views::Workspace& workspace, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh(); ///< As soon as the panel can be seen.
    void fill();

    views::Workspace& m_workspace;
    QLabel* m_badge;
    QLabel* m_text;
    bool m_isOld = false; ///< What is shown, against the workspace.
};

} // namespace pim::studio
