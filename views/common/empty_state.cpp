// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/empty_state.h"

#include "views/common/icons.h"
#include "views/common/palette.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace pim::views {

EmptyState::EmptyState(const QString& iconName, QWidget* parent)
    : QWidget(parent), m_iconName(iconName), m_icon(new QLabel), m_missing(new QLabel), m_hint(new QLabel),
      m_action(new QPushButton) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addStretch(2);
    for (QLabel* label : {m_icon, m_missing, m_hint}) {
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(label != m_icon);
        layout->addWidget(label);
    }
    layout->addWidget(m_action, 0, Qt::AlignCenter);
    layout->addStretch(3);
    m_icon->setVisible(!iconName.isEmpty());
    m_action->setMinimumSize(140, 30);
    m_action->setAccessibleName(tr("What to do next"));
    m_action->hide();
    connect(m_action, &QPushButton::clicked, this, &EmptyState::actionTriggered);
    style();
}

void EmptyState::setText(const QString& missing, const QString& whatToDo) {
    m_missing->setText(missing);
    m_hint->setText(whatToDo);
    m_hint->setVisible(!whatToDo.isEmpty());
    setAccessibleName(text());
}

void EmptyState::setAction(const QString& text) {
    m_action->setText(text);
    if (!text.isEmpty()) // while it is hidden it has the name it began with
        m_action->setAccessibleName(text);
    m_action->setVisible(!text.isEmpty());
}

QString EmptyState::text() const {
    return m_missing->text() + QLatin1Char(' ') + m_hint->text();
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        style();
    QWidget::changeEvent(event);
}

void EmptyState::style() {
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    m_missing->setFont(large);
    if (!m_iconName.isEmpty())
        m_icon->setPixmap(icon(m_iconName, Role::Muted).pixmap(QSize(48, 48), devicePixelRatioF()));
    QPalette muted = m_hint->palette();
    muted.setColor(QPalette::WindowText, color(Role::Muted));
    if (muted != m_hint->palette()) // setting it again would send another PaletteChange
        m_hint->setPalette(muted);
}

} // namespace pim::views
