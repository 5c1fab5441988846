// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Work that was left unsaved, by a crash or for another document: one row for each session, to recover or to discard. Gone when the last row is.
#include "views/models/recovery.h"

#include <QFrame>

class QMainWindow;
class QVBoxLayout;

namespace pim::views {
class Workspace;
}

namespace pim::studio {

class RecoveryBar : public QFrame {
    Q_OBJECT
public:
    /// \param folder the sessions are in.
    RecoveryBar(views::Workspace& workspace, QString folder, const QList<views::RecoverableSession>& sessions,
                QWidget* parent = nullptr);

    int rows() const { return m_rows; }
    /// "bert.onnx on attacc · 12 decisions, 2 notes, 5 runs · saved 21 Nov 14:03"
    static QString text(const views::RecoverableSession& session);

signals:
    void emptied();
    void failed(const QString& message, const QString& details);

private:
    void addRow(QVBoxLayout& column, const views::RecoverableSession& session);
    void removeRow(QWidget* row);

    views::Workspace& m_workspace;
    QString m_folder;
    int m_rows = 0;
};

/// Puts a bar of its own below the others of \p window, in place of an earlier one.
RecoveryBar* showRecovery(QMainWindow& window, views::Workspace& workspace, const QString& folder,
                          const QList<views::RecoverableSession>& sessions);

} // namespace pim::studio
