// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/message_bar.h"

#include "views/common/icons.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>

namespace pim::studio {

using views::Role;

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel), m_message(new QLabel), m_details(new QLabel),
      m_more(new QPushButton(tr("Details"))), m_copy(new QPushButton(tr("Copy"))),
      m_open(new QPushButton(tr("Open"))), m_close(new QToolButton) {
    setObjectName(QStringLiteral("MessageBar"));
    setAccessibleName(tr("Messages"));
    for (QLabel* label : {m_message, m_details}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setTextFormat(Qt::PlainText);
    }
    m_message->setAccessibleName(tr("Message"));
    m_details->setAccessibleName(tr("Details of the message"));
    m_more->setCheckable(true);
    m_more->setAccessibleName(tr("Show details"));
    m_copy->setAccessibleName(tr("Copy the message and its details"));
    m_open->setAccessibleName(tr("Open what was written"));
    m_close->setIcon(views::icon(QStringLiteral("cancel")));
    m_close->setAutoRaise(true);
    m_close->setToolTip(tr("Dismiss (Esc)"));
    m_close->setAccessibleName(tr("Dismiss the message"));
    m_close->setShortcut(QKeySequence(Qt::Key_Escape));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(8, 4, 8, 4);
    grid->addWidget(m_icon, 0, 0);
    grid->addWidget(m_message, 0, 1);
    grid->addWidget(m_more, 0, 2);
    grid->addWidget(m_copy, 0, 3);
    grid->addWidget(m_open, 0, 4);
    grid->addWidget(m_close, 0, 5);
    grid->addWidget(m_details, 1, 1, 1, 5);
    grid->setColumnStretch(1, 1);
    connect(m_more, &QPushButton::toggled, m_details, &QWidget::setVisible);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(
            m_message->text() + (m_details->text().isEmpty() ? QString() : u'\n' + m_details->text()));
    });
    connect(m_open, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_path)); });
    connect(m_close, &QToolButton::clicked, this, [this] {
        hide();
        emit visibilityChanged(false);
    });
    hide();
}

void MessageBar::showError(const QString& message, const QString& details) {
    m_isError = true;
    m_path.clear();
    m_details->setText(details == message ? QString() : details);
    present(message);
}

void MessageBar::showNote(const QString& message, const QString& path) {
    m_isError = false;
    m_path = path;
    m_details->clear();
    present(message);
}

QString MessageBar::text() const {
    return isHidden() ? QString() : m_message->text();
}

void MessageBar::present(const QString& message) {
    m_message->setText(message);
    m_more->setVisible(!m_details->text().isEmpty());
    m_more->setChecked(false);
    m_details->hide();
    m_copy->setVisible(m_isError);
    m_open->setVisible(!m_path.isEmpty());
    restyle();
    show();
    emit visibilityChanged(true);
}

void MessageBar::restyle() {
    const Role role = m_isError ? Role::Bad : Role::Good;
    m_icon->setPixmap(
        views::icon(m_isError ? QStringLiteral("warning") : QStringLiteral("save"), role).pixmap(16, 16));
    setStyleSheet(QStringLiteral("#MessageBar { border: none; border-left: 4px solid %1; background: %2; }")
                      .arg(views::color(role).name(), palette().color(QPalette::AlternateBase).name()));
}

void MessageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange && !isHidden())
        restyle();
}

} // namespace pim::studio
