// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The log of the process as rows, oldest first: as many as it collects, brought up to date a few times a second however much is said.
#include "core/base/log.h"

#include <QAbstractTableModel>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <deque>

namespace pim::studio {

class LogModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Level, Room, Text, kColumns };
    static constexpr std::size_t kMost = 5000; ///< Entries; the oldest go.

    /// \p log collects from now on; it outlives the model.
    explicit LogModel(Log& log, QObject* parent = nullptr);
    ~LogModel() override;

    const LogEntry& at(int row) const { return m_entries[static_cast<std::size_t>(row)]; }
    const QStringList& rooms() const { return m_rooms; } ///< All that have said something, sorted.
    void clear();                                        ///< Here; the file keeps what it has.

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void roomsChanged();
    void fileFailed(const QString& message); ///< The file of the log takes no more; once.

private:
    void pull();
    void noteRoom(const std::string& room);

    Log& m_log;
    std::deque<LogEntry> m_entries;
    std::uint64_t m_last = 0; ///< Number of the newest that was here.
    QStringList m_rooms;
    QTimer m_soon;
    std::atomic<bool> m_isAsked = false; ///< pull() is on its way.
    bool m_hasFailed = false;
};

/// What a level and a room are called in the list.
QString levelText(LogLevel level);
QString roomText(const std::string& room);

} // namespace pim::studio
