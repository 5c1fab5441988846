// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/help_window.h"

#include "app/studio/help_library.h"
#include "views/common/icons.h"

#include <QAbstractTextDocumentLayout>
#include <QDesktopServices>
#include <QEvent>
#include <QHBoxLayout>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>
#include <utility>
#include <vector>

namespace pim::studio {
namespace {

constexpr int kTextMargin = 20;
constexpr int kTextWidth = 760; ///< Longer lines are hard to read.

QString pageOf(const QString& topic) {
    return topic.section(u'#', 0, 0);
}
QString headingOf(const QString& topic) {
    return topic.section(u'#', 1);
}

/// Pictures come in the colours of the theme and no wider than the page.
class HelpBrowser final : public QTextBrowser {
public:
    int pictureWidth() const {
        return std::max(120,
                        std::min(viewport()->width(), kTextWidth + 2 * kTextMargin) - 2 * kTextMargin - 4);
    }

    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::ImageResource)
            return {};
        const QString key = QStringLiteral("%1 %2 %3 %4")
                                .arg(name.fileName())
                                .arg(pictureWidth())
                                .arg(devicePixelRatioF())
                                .arg(static_cast<int>(views::currentTheme()));
        if (!m_pictures.contains(key))
            m_pictures[key] =
                helpPicture(name.fileName(), views::currentTheme(), pictureWidth(), devicePixelRatioF());
        const QImage& picture = m_pictures[key];
        return picture.isNull() ? QVariant() : QVariant(picture);
    }

private:
    QHash<QString, QImage> m_pictures; ///< Drawing them takes longer than the whole text.
};

/// With their sizes known, pictures are drawn when they come into sight, not all at once to lay out the page.
void sizePictures(QTextDocument& document, int width, double devicePixelRatio) {
    std::vector<std::pair<int, QTextImageFormat>> pictures; // by position
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto fragment = block.begin(); !fragment.atEnd(); ++fragment)
            if (const QTextCharFormat format = fragment.fragment().charFormat(); format.isImageFormat())
                pictures.emplace_back(fragment.fragment().position(), format.toImageFormat());
    for (auto& [position, format] : pictures) {
        const QSizeF size = helpPictureSize(format.name(), width, devicePixelRatio);
        if (size.isEmpty())
            continue;
        format.setWidth(size.width());
        format.setHeight(size.height());
        QTextCursor cursor(&document);
        cursor.setPosition(position);
        cursor.setPosition(position + 1, QTextCursor::KeepAnchor);
        cursor.setCharFormat(format);
    }
}

/// Room around tables and between paragraphs, which Markdown leaves out.
void layOut(QTextDocument& document) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        if (format.headingLevel() > 1)
            format.setTopMargin(14);
        format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
        for (auto fragment = block.begin(); !fragment.atEnd(); ++fragment)
            if (fragment.fragment().charFormat().isImageFormat())
                format.setLineHeight(100, QTextBlockFormat::SingleHeight);
        cursor.setBlockFormat(format);
        if (QTextTable* table = cursor.currentTable(); table && table->format().cellPadding() < 5) {
            QTextTableFormat tableFormat = table->format();
            tableFormat.setCellPadding(5);
            tableFormat.setCellSpacing(0);
            tableFormat.setBorderCollapse(true);
            tableFormat.setBorder(1);
            tableFormat.setBorderBrush(views::color(views::Role::GridLine));
            tableFormat.setTopMargin(6);
            tableFormat.setBottomMargin(6);
            table->setFormat(tableFormat);
        }
    }
}

} // namespace

QStringList HelpWindow::pages() {
    return helpPages();
}

HelpWindow::HelpWindow(QWidget* parent)
    : QWidget(parent, Qt::Window), m_search(new QLineEdit), m_lists(new QStackedWidget),
      m_contents(new QTreeWidget), m_results(new QListWidget), m_text(new HelpBrowser),
      m_back(views::toolButton({}, tr("Back (Alt+Left)"))),
      m_forward(views::toolButton({}, tr("Forward (Alt+Right)"))) {
    setObjectName(QStringLiteral("HelpWindow"));
    setWindowTitle(tr("PIM Studio Help"));
    setAccessibleName(tr("Help"));
    m_back->setArrowType(Qt::LeftArrow);
    m_forward->setArrowType(Qt::RightArrow);
    m_search->setPlaceholderText(tr("Search the help"));
    m_search->setAccessibleName(tr("Search the help"));
    m_search->setClearButtonEnabled(true);
    m_contents->setAccessibleName(tr("Help pages"));
    m_contents->setHeaderHidden(true);
    m_contents->setRootIsDecorated(false);
    m_contents->setIndentation(12);
    m_results->setAccessibleName(tr("Places found"));
    m_results->setWordWrap(true);
    m_results->setSpacing(2);
    m_results->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setAccessibleName(tr("Help text"));
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    fillContents();
    m_lists->addWidget(m_contents);
    m_lists->addWidget(m_results);
    arrange();
    connectKeys();
    connectPages();
    refresh();
}

void HelpWindow::fillContents() {
    for (const HelpGroup& group : helpContents()) {
        auto* head = new QTreeWidgetItem(m_contents, {group.title});
        head->setFlags(Qt::ItemIsEnabled);
        QFont bold = font();
        bold.setBold(true);
        head->setFont(0, bold);
        for (const QString& page : group.pages)
            (new QTreeWidgetItem(head, {helpTitle(page)}))->setData(0, Qt::UserRole, page);
        head->setExpanded(true);
    }
}

void HelpWindow::arrange() {
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(m_forward);
    row->addWidget(m_search, 1);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(6, 6, 0, 6);
    column->addLayout(row);
    column->addWidget(m_lists, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(left);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({250, 750});
    splitter->setChildrenCollapsible(false);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(splitter);
    resize(1040, 700);
}

void HelpWindow::connectKeys() {
    connect(m_back, &QToolButton::clicked, this, &HelpWindow::goBack);
    connect(m_forward, &QToolButton::clicked, this, &HelpWindow::goForward);
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Left), this), &QShortcut::activated, this,
            &HelpWindow::goBack);
    connect(new QShortcut(QKeySequence(Qt::ALT | Qt::Key_Right), this), &QShortcut::activated, this,
            &HelpWindow::goForward);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_search,
            qOverload<>(&QWidget::setFocus));
    connect(new QShortcut(QKeySequence(Qt::Key_Escape), this), &QShortcut::activated, this, [this] {
        if (m_search->text().isEmpty())
            close();
        else
            m_search->clear();
    });
}

void HelpWindow::connectPages() {
    connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::search);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        if (m_results->count() > 0)
            emit m_results->itemActivated(m_results->currentItem() ? m_results->currentItem()
                                                                   : m_results->item(0));
    });
    const auto followResult = [this](const QListWidgetItem* item) {
        if (item && !item->data(Qt::UserRole).toString().isEmpty())
            go(item->data(Qt::UserRole).toString());
    };
    connect(m_results, &QListWidget::itemActivated, this, followResult);
    connect(m_results, &QListWidget::itemClicked, this, followResult);
    connect(m_contents, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (const QString page = item ? item->data(0, Qt::UserRole).toString() : QString();
            !page.isEmpty() && page != this->page())
            go(page);
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (!link.isRelative())
            QDesktopServices::openUrl(link);
        else if (const QString topic = linkedTopic(page(), link); !topic.isEmpty())
            go(topic);
    });
}

void HelpWindow::showPage(const QString& topic) {
    show();
    go(pages().contains(pageOf(topic)) ? topic : pages().value(0));
    raise();
    activateWindow();
}

QString HelpWindow::topic() const {
    return m_history.value(m_at);
}
QString HelpWindow::page() const {
    return pageOf(topic());
}

void HelpWindow::go(const QString& topic) {
    if (topic != this->topic()) {
        m_history.resize(m_at + 1);
        m_history.append(topic);
        ++m_at;
    }
    display(topic);
}

void HelpWindow::goBack() {
    if (canGoBack())
        display(m_history[--m_at]);
}

void HelpWindow::goForward() {
    if (canGoForward())
        display(m_history[++m_at]);
}

void HelpWindow::display(const QString& topic) {
    load(pageOf(topic));
    for (int i = 0; i < m_contents->topLevelItemCount(); ++i)
        for (int child = 0; child < m_contents->topLevelItem(i)->childCount(); ++child)
            if (QTreeWidgetItem* item = m_contents->topLevelItem(i)->child(child);
                item->data(0, Qt::UserRole).toString() == pageOf(topic))
                m_contents->setCurrentItem(item);
    m_text->verticalScrollBar()->setValue(0);
    m_text->moveCursor(QTextCursor::Start);
    if (const QString heading = headingOf(topic); !heading.isEmpty())
        for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next())
            if (block.blockFormat().headingLevel() > 0 && headingAnchor(block.text()) == heading) {
                m_text->setTextCursor(QTextCursor(block));
                m_text->verticalScrollBar()->setValue(
                    static_cast<int>(m_text->document()->documentLayout()->blockBoundingRect(block).top()) -
                    kTextMargin / 2);
                break;
            }
    refresh();
}

void HelpWindow::load(const QString& page) {
    const int width = static_cast<HelpBrowser*>(m_text)->pictureWidth();
    if (page == m_loaded && width == m_loadedWidth)
        return;
    m_loaded = page;
    m_loadedWidth = width;
    const bool isWide = m_text->viewport()->width() > kTextWidth + 2 * kTextMargin;
    m_text->setLineWrapMode(isWide ? QTextEdit::FixedPixelWidth : QTextEdit::WidgetWidth);
    if (m_text->lineWrapColumnOrWidth() != kTextWidth + 2 * kTextMargin)
        m_text->setLineWrapColumnOrWidth(kTextWidth + 2 * kTextMargin);
    // Made apart from the browser: in one that is shown every single change lays out all of its tables again.
    auto* document = new QTextDocument(m_text); // asks its parent for the pictures
    document->setUndoRedoEnabled(false);
    document->setDefaultFont(m_text->font());
    document->setDocumentMargin(kTextMargin);
    document->setMarkdown(helpText(page), QTextDocument::MarkdownDialectGitHub);
    layOut(*document);
    sizePictures(*document, width, devicePixelRatioF());
    // Else it would be laid out without a width first, and once more for that of the browser.
    document->setTextWidth(isWide ? kTextWidth + 2 * kTextMargin : m_text->viewport()->width());
    QTextDocument* const before = std::exchange(m_document, document);
    m_text->setDocument(document);
    delete before;
}

void HelpWindow::search(const QString& query) {
    m_results->clear();
    for (const HelpHit& hit : searchHelp(query)) {
        auto* item = new QListWidgetItem(hit.title + u'\n' + hit.excerpt, m_results);
        item->setData(Qt::UserRole, hit.topic);
    }
    if (m_results->count() == 0 && !query.trimmed().isEmpty())
        (new QListWidgetItem(tr("Nothing found for \"%1\". Try fewer words.").arg(query.trimmed()),
                             m_results))
            ->setFlags(Qt::NoItemFlags);
    m_lists->setCurrentWidget(query.trimmed().isEmpty() ? static_cast<QWidget*>(m_contents) : m_results);
}

void HelpWindow::refresh() {
    m_back->setEnabled(canGoBack());
    m_forward->setEnabled(canGoForward());
}

void HelpWindow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange &&
        !m_loaded.isEmpty()) { // pictures and rules have colours of their own
        m_loadedWidth = 0;
        load(QString(m_loaded));
    }
}

void HelpWindow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (!m_loaded.isEmpty())
        load(QString(m_loaded));
}

} // namespace pim::studio
