// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/message_log.h"

#include "views/common/icons.h"
#include "views/common/table_view.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>

namespace pim::studio {
namespace {

constexpr qsizetype kMostMessages = 1000;

} // namespace

void MessageLog::addError(const QString& text, const QString& details) {
    add({QDateTime::currentDateTime(), true, text, details == text ? QString() : details});
    emit unreadChanged(++m_unread);
}

void MessageLog::addNote(const QString& text, const QString& path) {
    add({QDateTime::currentDateTime(), false, text, path});
}

void MessageLog::add(Message message) {
    beginInsertRows({}, 0, 0);
    m_messages.prepend(std::move(message));
    endInsertRows();
    if (m_messages.size() <= kMostMessages)
        return;
    beginRemoveRows({}, static_cast<int>(kMostMessages), static_cast<int>(m_messages.size()) - 1);
    m_messages.resize(kMostMessages);
    endRemoveRows();
}

void MessageLog::clear() {
    beginResetModel();
    m_messages.clear();
    endResetModel();
    markRead();
}

void MessageLog::markRead() {
    if (std::exchange(m_unread, 0) != 0)
        emit unreadChanged(0);
}

QString MessageLog::asText(const Message& message) {
    const QString head = QStringLiteral("%1 %2: %3")
                             .arg(message.time.toString(Qt::ISODate),
                                  message.isError ? tr("error") : tr("done"), message.text);
    return message.details.isEmpty() ? head : head + u'\n' + message.details;
}

int MessageLog::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_messages.size());
}
int MessageLog::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : Columns;
}

QVariant MessageLog::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Message& message = at(index.row());
    if (role == Qt::ToolTipRole)
        return asText(message);
    if (role == Qt::DecorationRole && index.column() == Kind)
        return message.isError ? views::icon(QStringLiteral("warning"), views::Role::Bad)
                               : views::icon(QStringLiteral("save"), views::Role::Good);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Time:
        return message.time.toString(QStringLiteral("HH:mm:ss"));
    case Kind:
        return message.isError ? tr("Error") : tr("Done");
    case Text:
        return message.text;
    default:
        return {};
    }
}

QVariant MessageLog::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Time ? tr("Time") : section == Kind ? tr("Kind") : tr("Message");
}

MessagesPanel::MessagesPanel(MessageLog& log, QWidget* parent)
    : QWidget(parent), m_log(log), m_table(new views::TableView), m_details(new QPlainTextEdit),
      m_copy(new QPushButton(tr("Copy Details"))), m_clear(new QPushButton(tr("Clear"))) {
    setObjectName(QStringLiteral("MessagesPanel"));
    m_table->setModel(&log);
    m_table->setAccessibleName(tr("Messages, newest first"));
    m_table->setExportName(QStringLiteral("messages"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->verticalHeader()->hide();
    m_details->setReadOnly(true);
    m_details->setAccessibleName(tr("Details of the message"));
    m_details->setPlaceholderText(
        tr("Errors and what was written are listed here. Choose one to read its details."));
    m_copy->setToolTip(tr("Copy time, message and details, for a bug report"));
    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->addWidget(m_table);
    split->addWidget(m_details);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 1);
    auto* row = new QHBoxLayout;
    row->addWidget(m_copy);
    row->addWidget(m_clear);
    row->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->addWidget(split, 1);
    column->addLayout(row);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &MessagesPanel::showCurrent);
    connect(&log, &QAbstractItemModel::rowsInserted, this, [this] {
        m_table->setCurrentIndex(m_log.index(0, MessageLog::Text));
        if (isVisible() && !visibleRegion().isEmpty())
            m_log.markRead();
    });
    connect(&log, &QAbstractItemModel::modelReset, this, &MessagesPanel::showCurrent);
    connect(m_copy, &QPushButton::clicked, this, &MessagesPanel::copyDetails);
    connect(m_clear, &QPushButton::clicked, &log, &MessageLog::clear);
    showCurrent();
}

int MessagesPanel::currentRow() const {
    return m_table->currentIndex().row();
}

void MessagesPanel::showCurrent() {
    const bool isThere = currentRow() >= 0 && currentRow() < m_log.rowCount();
    m_details->setPlainText(isThere ? MessageLog::asText(m_log.at(currentRow())) : QString());
    m_copy->setEnabled(isThere);
    m_clear->setEnabled(m_log.rowCount() > 0);
}

void MessagesPanel::copyDetails() const {
    if (currentRow() >= 0 && currentRow() < m_log.rowCount())
        QGuiApplication::clipboard()->setText(MessageLog::asText(m_log.at(currentRow())));
}

void MessagesPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_log.markRead();
}

} // namespace pim::studio
