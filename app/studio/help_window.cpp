// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/help_window.h"

#include "core/base/paths.h"

#include <QDesktopServices>
#include <QDir>
#include <QHBoxLayout>
#include <QListWidget>
#include <QTextBrowser>
#include <QUrl>

namespace pim::studio {
namespace {

QDir helpDir() { return QDir(QString::fromStdString((resourceDir() / "help").string())); }

QString readPage(const QString& page) {
    QFile file(helpDir().filePath(page + QStringLiteral(".md")));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

QStringList HelpWindow::pages() {
    QStringList pages;
    for (const QString& file : helpDir().entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        pages.append(file.chopped(3));
    if (pages.removeOne(QStringLiteral("overview")))
        pages.prepend(QStringLiteral("overview"));
    return pages;
}

HelpWindow::HelpWindow(QWidget* parent) : QWidget(parent, Qt::Window), m_contents(new QListWidget), m_text(new QTextBrowser) {
    setObjectName(QStringLiteral("HelpWindow"));
    setWindowTitle(tr("PIM Studio Help"));
    setAccessibleName(tr("Help"));
    m_contents->setAccessibleName(tr("Help pages"));
    m_contents->setMaximumWidth(200);
    m_text->setAccessibleName(tr("Help text"));
    m_text->setOpenLinks(false);
    m_text->document()->setDocumentMargin(16);
    for (const QString& page : pages()) {
        const QString title = readPage(page).section(u'\n', 0, 0).remove(u'#').trimmed();
        auto* item = new QListWidgetItem(title, m_contents);
        item->setData(Qt::UserRole, page);
    }
    auto* row = new QHBoxLayout(this);
    row->addWidget(m_contents);
    row->addWidget(m_text, 1);
    resize(860, 620);
    connect(m_contents, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item)
            load(item->data(Qt::UserRole).toString());
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.isRelative() && link.path().endsWith(QStringLiteral(".md")))
            showPage(link.path().chopped(3));
        else
            QDesktopServices::openUrl(link);
    });
}

void HelpWindow::showPage(const QString& page) {
    int row = 0;
    for (int i = 0; i < m_contents->count(); ++i)
        if (m_contents->item(i)->data(Qt::UserRole).toString() == page)
            row = i;
    m_contents->setCurrentRow(row);
    show();
    raise();
    activateWindow();
}

QString HelpWindow::page() const {
    const QListWidgetItem* item = m_contents->currentItem();
    return item ? item->data(Qt::UserRole).toString() : QString();
}

void HelpWindow::load(const QString& page) {
    m_text->document()->setMarkdown(readPage(page), QTextDocument::MarkdownDialectGitHub);
    m_text->moveCursor(QTextCursor::Start);
}

} // namespace pim::studio
