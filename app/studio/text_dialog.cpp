// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/text_dialog.h"

#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace pim::studio {

QDialog* showText(QWidget* parent, const QString& title, const QString& heading, const QString& text) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("TextDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* head = new QLabel(heading);
    head->setWordWrap(true);
    head->setOpenExternalLinks(true);
    head->setTextInteractionFlags(Qt::TextBrowserInteraction);
    head->setAccessibleName(title);
    auto* body = new QPlainTextEdit(text);
    body->setReadOnly(true);
    body->setLineWrapMode(QPlainTextEdit::NoWrap);
    body->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    body->setAccessibleName(QDialog::tr("Text of %1").arg(title));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* const copy = buttons->addButton(QDialog::tr("Copy"), QDialogButtonBox::ActionRole);
    QObject::connect(copy, &QPushButton::clicked, dialog,
                     [text] { QGuiApplication::clipboard()->setText(text); });
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* column = new QVBoxLayout(dialog);
    column->addWidget(head);
    column->addWidget(body, 1);
    column->addWidget(buttons);
    const QFontMetrics metrics(body->font());
    dialog->resize(90 * metrics.averageCharWidth(), 30 * metrics.lineSpacing());
    dialog->show();
    return dialog;
}

} // namespace pim::studio
