// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The tool bars and the status bar of the window.
#include "app/studio/commands.h"
#include "app/studio/headline_bar.h"
#include "app/studio/main_window.h"
#include "app/studio/message_bar.h"
#include "app/studio/target_box.h"
#include "app/studio/task_bar.h"
#include "views/filters/filter_chips.h"
#include "views/models/workspace.h"

#include <QAction>
#include <QLabel>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

namespace pim::studio {

void MainWindow::buildToolBars() {
    auto* bar = addToolBar(tr("Main"));
    bar->setObjectName(QStringLiteral("MainBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setIconSize(QSize(18, 18));
    for (const char* id : {"file.open", "file.save-project", "edit.undo", "edit.redo"})
        bar->addAction(m_commands->action(QString::fromLatin1(id)));
    bar->addSeparator();
    bar->addWidget(new TargetBox(m_workspace));
    QAction* dimensions = m_commands->action(QStringLiteral("model.dimensions"));
    bar->addAction(dimensions);
    static_cast<QToolButton*>(bar->widgetForAction(dimensions))
        ->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    auto* space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    for (const char* id : {"view.where-time-goes", "view.why-this-draft", "view.what-if"}) {
        QAction* question = m_commands->action(QString::fromLatin1(id));
        bar->addAction(question);
        auto* button = static_cast<QToolButton*>(bar->widgetForAction(question));
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        button->setProperty("segment", true);
    }
    bar->addSeparator();
    bar->addAction(m_commands->action(QStringLiteral("help.palette")));
    for (QToolButton* button : bar->findChildren<QToolButton*>())
        if (const QAction* each = button->defaultAction())
            button->setAccessibleName(plainText(each->text()));

    addToolBarBreak();
    auto* headline = addToolBar(tr("Result"));
    headline->setObjectName(QStringLiteral("ResultBar"));
    headline->setMovable(false);
    headline->setContextMenuPolicy(Qt::PreventContextMenu);
    headline->addWidget(new HeadlineBar(m_workspace));

    addToolBarBreak();
    auto* filters = addToolBar(tr("Filters"));
    filters->setObjectName(QStringLiteral("FilterBar"));
    filters->setMovable(false);
    filters->setContextMenuPolicy(Qt::PreventContextMenu);
    auto* chips = new views::FilterChips(m_workspace);
    filters->addWidget(chips);
    filters->setVisible(chips->isNeeded());
    connect(chips, &views::FilterChips::neededChanged, filters, &QWidget::setVisible);
    connect(m_panels, &Panels::layoutApplied, filters,
            [filters, chips] { filters->setVisible(chips->isNeeded()); });

    addToolBarBreak();
    m_messageHolder = addToolBar(tr("Messages"));
    m_messageHolder->setObjectName(QStringLiteral("MessageHolder"));
    m_messageHolder->setMovable(false);
    m_messageHolder->setContextMenuPolicy(Qt::PreventContextMenu);
    QAction* holder = m_messageHolder->addWidget(m_messages);
    const auto showMessages = [this, holder](bool visible) {
        holder->setVisible(visible);
        m_messageHolder->setVisible(visible);
    };
    showMessages(false);
    connect(m_messages, &MessageBar::visibilityChanged, this, showMessages);
    // A stored layout also brings back whether tool bars were visible; this one shows when there is something to say.
    connect(m_panels, &Panels::layoutApplied, this,
            [this, showMessages] { showMessages(!m_messages->text().isEmpty()); });
}

void MainWindow::buildStatusBar() {
    statusBar()->setAccessibleName(tr("Status"));
    m_status = new QLabel;
    m_status->setAccessibleName(tr("Size of the network and planning time"));
    m_status->setContentsMargins(6, 0, 0, 0);
    statusBar()->addWidget(m_status);
    auto* tasks = new TaskBar(*m_workspace.tasks());
    connect(tasks, &TaskBar::listRequested, this, [this] { showPanel(QStringLiteral("tasks")); });
    statusBar()->addPermanentWidget(tasks);
}

} // namespace pim::studio
