// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/log_model.h"

#include "views/common/palette.h"

#include <QDateTime>

#include <algorithm>

namespace pim::studio {
namespace {

constexpr int kPullMs = 100;

QDateTime timeOf(const LogEntry& entry) {
    return QDateTime::fromMSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::milliseconds>(entry.time.time_since_epoch()).count());
}

} // namespace

QString levelText(LogLevel level) {
    switch (level) {
    case LogLevel::Error:
        return LogModel::tr("Error");
    case LogLevel::Warning:
        return LogModel::tr("Warning");
    case LogLevel::Info:
        return LogModel::tr("Info");
    case LogLevel::Debug:
        return LogModel::tr("Debug");
    }
    return {};
}

QString roomText(const std::string& room) {
    return room.empty() ? LogModel::tr("program") : QString::fromStdString(room);
}

LogModel::LogModel(Log& log, QObject* parent) : QAbstractTableModel(parent), m_log(log) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kPullMs);
    connect(&m_soon, &QTimer::timeout, this, &LogModel::pull);
    m_log.collect(kMost);
    m_log.tell([this] {
        if (!m_isAsked.exchange(true))
            QMetaObject::invokeMethod(&m_soon, qOverload<>(&QTimer::start), Qt::QueuedConnection);
    });
    pull();
}

LogModel::~LogModel() {
    m_log.tell({});
}

void LogModel::pull() {
    m_isAsked = false; // before reading: what is written meanwhile asks again
    std::vector<LogEntry> fresh = m_log.since(m_last);
    if (!fresh.empty()) {
        m_last = fresh.back().number;
        const auto first = static_cast<int>(m_entries.size());
        beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
        std::ranges::move(fresh, std::back_inserter(m_entries));
        endInsertRows();
        for (std::size_t i = static_cast<std::size_t>(first); i < m_entries.size(); ++i)
            noteRoom(m_entries[i].room);
    }
    if (m_entries.size() > kMost) {
        const std::size_t over = m_entries.size() - kMost;
        beginRemoveRows({}, 0, static_cast<int>(over) - 1);
        m_entries.erase(m_entries.begin(), m_entries.begin() + static_cast<std::ptrdiff_t>(over));
        endRemoveRows();
    }
    if (const auto problem = m_log.fileProblem(); problem && !std::exchange(m_hasFailed, true))
        emit fileFailed(QString::fromStdString(problem->text()));
}

void LogModel::noteRoom(const std::string& room) {
    const QString text = roomText(room);
    const auto place = std::lower_bound(m_rooms.begin(), m_rooms.end(), text);
    if (place != m_rooms.end() && *place == text)
        return;
    m_rooms.insert(place, text);
    emit roomsChanged();
}

void LogModel::clear() {
    pull();
    beginResetModel();
    m_entries.clear();
    endResetModel();
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}
int LogModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const LogEntry& entry = at(index.row());
    if (role == Qt::ForegroundRole && entry.level <= LogLevel::Warning && index.column() == Level)
        return views::color(views::Role::Bad);
    if (role == Qt::ForegroundRole && entry.level == LogLevel::Debug)
        return views::color(views::Role::Muted);
    if (role == Qt::ToolTipRole)
        return QString::fromStdString(entry.line());
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    switch (index.column()) {
    case Time:
        return role == Qt::EditRole ? timeOf(entry).toUTC().toString(Qt::ISODateWithMs)
                                    : timeOf(entry).toString(QStringLiteral("HH:mm:ss.zzz"));
    case Level:
        return levelText(entry.level);
    case Room:
        return roomText(entry.room);
    default:
        return role == Qt::EditRole
                   ? QString::fromStdString(entry.text)
                   : QString::fromStdString(entry.text).replace(u'\n', QStringLiteral(" ⏎ "));
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Time    ? tr("Time")
           : section == Level ? tr("Level")
           : section == Room  ? tr("Room")
                              : tr("Message");
}

} // namespace pim::studio
