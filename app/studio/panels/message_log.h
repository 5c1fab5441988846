// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All messages since the start, newest first, so that none is lost when several come at once.
#include <QAbstractTableModel>
#include <QDateTime>
#include <QWidget>

class QPlainTextEdit;
class QPushButton;

namespace pim::views {
class TableView;
}

namespace pim::studio {

class MessageLog : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Kind, Text, Columns };
    struct Message {
        QDateTime time;
        bool isError = false;
        QString text, details;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void addError(const QString& text, const QString& details);
    void addNote(const QString& text, const QString& path);
    void clear();
    int unreadErrors() const { return m_unread; } ///< Since markRead().
    void markRead();
    const Message& at(int row) const { return m_messages[static_cast<qsizetype>(row)]; }
    static QString asText(const Message& message); ///< With time and details, for a bug report.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void unreadChanged(int errors);

private:
    void add(Message message);

    QList<Message> m_messages; ///< Newest first.
    int m_unread = 0;
};

class MessagesPanel : public QWidget {
    Q_OBJECT
public:
    explicit MessagesPanel(MessageLog& log, QWidget* parent = nullptr);

    void copyDetails() const; ///< Of the selected message.

protected:
    void showEvent(QShowEvent* event) override;

private:
    int currentRow() const;
    void showCurrent();

    MessageLog& m_log;
    views::TableView* m_table;
    QPlainTextEdit* m_details;
    QPushButton* m_copy;
    QPushButton* m_clear;
};

} // namespace pim::studio
