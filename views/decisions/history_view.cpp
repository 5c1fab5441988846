// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/history_view.h"

#include "views/common/icons.h"
#include "views/models/workspace.h"

#include <QLabel>
#include <QUndoStack>
#include <QUndoView>
#include <QVBoxLayout>

namespace pim::views {

HistoryView::HistoryView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_summary(new QLabel),
      m_list(new QUndoView(workspace.undoStack())) {
    setObjectName(QStringLiteral("HistoryView"));
    setAccessibleName(tr("History"));
    m_summary->setWordWrap(true);
    m_summary->setContentsMargins(6, 4, 6, 2);
    m_summary->setAccessibleName(tr("Current position in the history"));
    m_list->setObjectName(QStringLiteral("HistoryList"));
    m_list->setAccessibleName(tr("History of your decisions"));
    m_list->setEmptyLabel(tr("As opened"));
    m_list->setCleanIcon(icon(QStringLiteral("save")));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setToolTip(tr("Click a step to go there (Ctrl+Z back, Ctrl+Shift+Z forward). The disk icon marks "
                          "the saved state."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_summary);
    column->addWidget(m_list, 1);
    connect(workspace.undoStack(), &QUndoStack::indexChanged, this, &HistoryView::refresh);
    connect(workspace.undoStack(), &QUndoStack::cleanChanged, this, &HistoryView::refresh);
    connect(&workspace, &Workspace::projectChanged, this, &HistoryView::refresh);
    refresh();
}

void HistoryView::refresh() {
    const QUndoStack& stack = *m_workspace.undoStack();
    const QString saved = m_workspace.savedProject() ? (stack.isClean() ? tr("saved") : tr("being saved"))
                          : stack.isClean()          ? QString()
                                                     : tr("in no project yet");
    const QString steps = stack.count() == 0 ? tr("No decisions since the model was opened")
                                             : tr("Step %1 of %2").arg(stack.index()).arg(stack.count());
    m_summary->setText(saved.isEmpty() ? steps : QStringLiteral("%1 · %2").arg(steps, saved));
}

} // namespace pim::views
