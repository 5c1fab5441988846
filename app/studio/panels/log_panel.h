// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The log to read while one works: by level, by the part of the program that speaks, by words; the newest stays in sight.
#include <QSortFilterProxyModel>
#include <QWidget>

class QCheckBox;
class QComboBox;
class QLineEdit;
class QPushButton;

namespace pim::views {
class TableView;
}

namespace pim::studio {

class LogModel;

class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit LogFilter(LogModel& log, QObject* parent = nullptr);
    /// \param level as a number of LogLevel, down to which; \param room as listed, empty: all.
    void choose(int level, const QString& room, const QString& words);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    LogModel& m_log;
    int m_level;
    QString m_room, m_words;
};

class LogPanel : public QWidget {
    Q_OBJECT
public:
    explicit LogPanel(LogModel& log, QWidget* parent = nullptr);

    void copy() const;     ///< The selected lines as a file of the log has them, or all that are shown.
    QString lines() const; ///< What copy() takes.

private:
    QWidget* buildControls();
    void filter();
    void fillRooms();
    void follow();
    void updateButtons();

    LogModel& m_log;
    LogFilter* m_filter;
    QComboBox *m_level, *m_room;
    QLineEdit* m_search;
    QCheckBox* m_follow;
    QPushButton *m_copy, *m_clear;
    views::TableView* m_table;
};

} // namespace pim::studio
