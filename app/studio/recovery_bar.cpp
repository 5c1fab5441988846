// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/recovery_bar.h"

#include "views/common/icons.h"
#include "views/models/workspace.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMainWindow>
#include <QPushButton>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::studio {
namespace {

/// The newest; the others are offered when these are dealt with, at the next start.
constexpr qsizetype kMostRows = 5;

} // namespace

QString RecoveryBar::text(const views::RecoverableSession& session) {
    QStringList counts;
    if (session.decisions > 0)
        counts.append(session.decisions == 1 ? tr("1 decision") : tr("%1 decisions").arg(session.decisions));
    if (session.notes > 0)
        counts.append(session.notes == 1 ? tr("1 note") : tr("%1 notes").arg(session.notes));
    if (session.variants > 1)
        counts.append(tr("%1 variants").arg(session.variants));
    if (session.runs > 0)
        counts.append(session.runs == 1 ? tr("1 run") : tr("%1 runs").arg(session.runs));
    if (session.sweeps > 0)
        counts.append(session.sweeps == 1 ? tr("1 sweep") : tr("%1 sweeps").arg(session.sweeps));
    if (counts.isEmpty())
        counts.append(tr("nothing that can be read"));
    QString name = QFileInfo(session.project.isEmpty() ? session.modelPath : session.project).fileName();
    if (name.isEmpty())
        name = tr("Unknown model");
    return tr("%1 on %2 · %3 · saved %4")
        .arg(name, session.target, counts.join(QStringLiteral(", ")),
             QLocale::system().toString(session.when.toLocalTime(), QLocale::ShortFormat));
}

RecoveryBar::RecoveryBar(views::Workspace& workspace, QString folder,
                         const QList<views::RecoverableSession>& sessions, QWidget* parent)
    : QFrame(parent), m_workspace(workspace), m_folder(std::move(folder)) {
    setObjectName(QStringLiteral("RecoveryBar"));
    setAccessibleName(tr("Unsaved work of an earlier session"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 8, 4);
    column->setSpacing(2);
    auto* head = new QLabel(tr("Work that was not saved is kept:"));
    QFont bold = head->font();
    bold.setBold(true);
    head->setFont(bold);
    column->addWidget(head);
    for (const views::RecoverableSession& session : sessions.first(std::min(kMostRows, sessions.size())))
        addRow(*column, session);
}

void RecoveryBar::addRow(QVBoxLayout& column, const views::RecoverableSession& session) {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    auto* icon = new QLabel;
    icon->setPixmap(
        views::icon(session.problem.isEmpty() ? QStringLiteral("history") : QStringLiteral("warning"))
            .pixmap(16, 16));
    auto* label = new QLabel(session.problem.isEmpty()
                                 ? text(session)
                                 : tr("%1 · cannot be recovered: %2").arg(text(session), session.problem));
    label->setTextFormat(Qt::PlainText);
    label->setToolTip(session.modelPath);
    label->setWordWrap(true);
    auto* recover = new QPushButton(tr("Recover"));
    recover->setAccessibleName(tr("Recover %1").arg(text(session)));
    recover->setEnabled(session.problem.isEmpty());
    recover->setToolTip(session.problem.isEmpty() ? tr("Open the model with all this") : session.problem);
    auto* discard = new QPushButton(tr("Discard"));
    discard->setAccessibleName(tr("Discard %1").arg(text(session)));
    discard->setToolTip(tr("Delete all this for good"));
    line->addWidget(icon);
    line->addWidget(label, 1);
    line->addWidget(recover);
    line->addWidget(discard);
    column.addWidget(row);
    ++m_rows;
    connect(recover, &QPushButton::clicked, this, [this, row, id = session.id] {
        m_workspace.recover(id);
        removeRow(row);
    });
    connect(discard, &QPushButton::clicked, this, [this, row, id = session.id] {
        if (const auto gone = views::discardSession(m_folder, id); !gone) {
            emit failed(tr("The unsaved work could not be deleted"),
                        QString::fromStdString(gone.error().text()));
            return;
        }
        removeRow(row);
    });
}

void RecoveryBar::removeRow(QWidget* row) {
    row->hide();
    row->deleteLater();
    if (--m_rows == 0)
        emit emptied();
}

RecoveryBar* showRecovery(QMainWindow& window, views::Workspace& workspace, const QString& folder,
                          const QList<views::RecoverableSession>& sessions) {
    delete window.findChild<QToolBar*>(QStringLiteral("RecoveryHolder")); // of what there was before
    window.addToolBarBreak();
    QToolBar* holder = window.addToolBar(RecoveryBar::tr("Unsaved work"));
    holder->setObjectName(QStringLiteral("RecoveryHolder"));
    holder->setMovable(false);
    holder->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* bar = new RecoveryBar(workspace, folder, sessions);
    holder->addWidget(bar);
    QObject::connect(bar, &RecoveryBar::emptied, holder, [&window, holder] {
        window.removeToolBar(holder);
        holder->deleteLater();
    });
    QObject::connect(bar, &RecoveryBar::failed, &workspace, &views::Workspace::failed);
    return bar;
}

} // namespace pim::studio
