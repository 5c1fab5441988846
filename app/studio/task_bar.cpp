// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/task_bar.h"

#include "views/common/icons.h"
#include "views/models/workspace.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>

namespace pim::studio {
namespace {

constexpr double kShowAfterSeconds = 0.3; ///< Shorter work would only flicker.

} // namespace

TaskBar::TaskBar(views::TaskList& tasks, QWidget* parent)
    : QWidget(parent), m_tasks(tasks), m_name(new QLabel), m_progress(new QProgressBar),
      m_cancel(new QToolButton), m_more(new QToolButton) {
    setObjectName(QStringLiteral("TaskBar"));
    setAccessibleName(tr("Running tasks"));
    m_name->setAccessibleName(tr("Task"));
    m_progress->setFixedWidth(160);
    m_progress->setMaximumHeight(14);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the task"));
    m_cancel->setIcon(views::icon(QStringLiteral("stop")));
    m_cancel->setAutoRaise(true);
    m_cancel->setToolTip(tr("Cancel this task"));
    m_cancel->setAccessibleName(tr("Cancel this task"));
    m_more->setAutoRaise(true);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    m_more->setAccessibleName(tr("All running tasks"));
    m_more->setToolTip(tr("Cancel one of the running tasks, or list all of them"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : {static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_progress),
                            static_cast<QWidget*>(m_cancel), static_cast<QWidget*>(m_more)})
        row->addWidget(widget);
    connect(m_cancel, &QToolButton::clicked, this, [this] { m_tasks.cancel(m_shown); });
    connect(m_more->menu(), &QMenu::aboutToShow, this, [this] {
        m_more->menu()->clear();
        for (const views::TaskList::Entry& entry : m_tasks.entries())
            m_more->menu()->addAction(tr("Cancel \"%1\"").arg(entry.name), this,
                                      [this, id = entry.id] { m_tasks.cancel(id); });
        m_more->menu()->addSeparator();
        m_more->menu()->addAction(tr("All &Tasks…"), this, &TaskBar::listRequested);
    });
    connect(&tasks, &views::TaskList::changed, this, &TaskBar::refresh);
    refresh();
}

void TaskBar::refresh() {
    QList<views::TaskList::Entry> entries = m_tasks.entries();
    entries.removeIf([](const views::TaskList::Entry& entry) { return entry.seconds < kShowAfterSeconds; });
    setVisible(!entries.isEmpty());
    if (entries.isEmpty())
        return;
    const views::TaskList::Entry& entry = entries.front();
    m_shown = entry.id;
    QString text = entry.name;
    if (!entry.stage.isEmpty())
        text += QStringLiteral(" · ") + entry.stage;
    if (entry.total > 0)
        text += tr(" (%1 of %2)").arg(entry.done).arg(entry.total);
    else if (entry.done > 0)
        text += tr(" (%1 done)").arg(entry.done);
    m_name->setText(tr("%1, %2 s").arg(text).arg(entry.seconds, 0, 'f', 1));
    m_progress->setRange(0, entry.total > 0 ? 1000 : 0);
    if (entry.total > 0)
        m_progress->setValue(
            static_cast<int>(1000.0 * static_cast<double>(entry.done) / static_cast<double>(entry.total)));
    m_more->setText(entries.size() > 1 ? tr("+%1").arg(entries.size() - 1) : QStringLiteral("…"));
}

} // namespace pim::studio
