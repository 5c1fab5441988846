// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The answer in one line: model, target, total time, speed-up over which host, where the figures come from.
#include <QWidget>

class QLabel;
class QPushButton;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class HeadlineBar : public QWidget {
    Q_OBJECT
public:
    explicit HeadlineBar(views::Workspace& workspace, QWidget* parent = nullptr);
    QString text() const; ///< As read out by a screen reader.

protected:
    void changeEvent(QEvent* event) override;

private:
    void refreshSoon(); ///< Once, however much happens until then.
    void refresh();
    void enlargeTime(); ///< It is what everybody looks for.

    views::Workspace& m_workspace;
    QLabel* m_model;
    QLabel* m_time;
    QLabel* m_speedup;
    QLabel* m_origin;
    QLabel* m_state;
    QPushButton* m_recompute;
    bool m_isOld = false;
};

} // namespace pim::studio
