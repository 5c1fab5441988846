// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/log_panel.h"

#include "app/studio/panels/log_model.h"
#include "views/common/table_view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>

#include <algorithm>

namespace pim::studio {

LogFilter::LogFilter(LogModel& log, QObject* parent)
    : QSortFilterProxyModel(parent), m_log(log), m_level(static_cast<int>(LogLevel::Info)) {
    setSourceModel(&log);
}

void LogFilter::choose(int level, const QString& room, const QString& words) {
    m_level = level;
    m_room = room;
    m_words = words;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    const LogEntry& entry = m_log.at(row);
    return static_cast<int>(entry.level) <= m_level && (m_room.isEmpty() || roomText(entry.room) == m_room) &&
           (m_words.isEmpty() || QString::fromStdString(entry.text).contains(m_words, Qt::CaseInsensitive));
}

LogPanel::LogPanel(LogModel& log, QWidget* parent)
    : QWidget(parent), m_log(log), m_filter(new LogFilter(log, this)), m_level(new QComboBox),
      m_room(new QComboBox), m_search(new QLineEdit), m_follow(new QCheckBox(tr("Follow"))),
      m_copy(new QPushButton(tr("Copy"))), m_clear(new QPushButton(tr("Clear"))),
      m_table(new views::TableView) {
    setObjectName(QStringLiteral("LogPanel"));
    setAccessibleName(tr("Log"));
    m_table->setModel(m_filter);
    m_table->setAccessibleName(tr("What the program says on the way, oldest first"));
    m_table->setExportName(QStringLiteral("log"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    const int em = fontMetrics().averageCharWidth();
    m_table->setColumnWidth(LogModel::Time, 15 * em);
    m_table->setColumnWidth(LogModel::Level, 11 * em);
    m_table->setColumnWidth(LogModel::Room, 13 * em);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildControls());
    column->addWidget(m_table, 1);
    setFocusProxy(m_table);

    connect(&log, &LogModel::roomsChanged, this, &LogPanel::fillRooms);
    connect(m_filter, &QAbstractItemModel::rowsInserted, this, &LogPanel::follow);
    connect(m_filter, &QAbstractItemModel::rowsRemoved, this, &LogPanel::follow);
    connect(m_filter, &QAbstractItemModel::modelReset, this, &LogPanel::updateButtons);
    // Whoever scrolls back wants to read; at the end it goes on.
    connect(m_table->verticalScrollBar(), &QScrollBar::actionTriggered, m_follow, [this] {
        const QScrollBar* const bar = m_table->verticalScrollBar();
        m_follow->setChecked(bar->sliderPosition() >= bar->maximum());
    });
    fillRooms();
    updateButtons();
}

QWidget* LogPanel::buildControls() {
    m_level->addItem(tr("Errors"), static_cast<int>(LogLevel::Error));
    m_level->addItem(tr("Warnings"), static_cast<int>(LogLevel::Warning));
    m_level->addItem(tr("Info"), static_cast<int>(LogLevel::Info));
    m_level->addItem(tr("Debug"), static_cast<int>(LogLevel::Debug));
    m_level->setCurrentIndex(m_level->findData(static_cast<int>(LogLevel::Info)));
    m_level->setAccessibleName(tr("Level"));
    m_level->setToolTip(tr("Lines of this level and of what is graver"));
    m_room->setAccessibleName(tr("Room"));
    m_room->setToolTip(tr("Lines of one part of the program"));
    m_room->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_search->setPlaceholderText(tr("Search"));
    m_search->setAccessibleName(tr("Search in the log"));
    m_search->setClearButtonEnabled(true);
    m_search->setMinimumWidth(8 * fontMetrics().averageCharWidth());
    m_follow->setChecked(true);
    m_follow->setToolTip(tr("Keep the newest line in sight"));
    m_copy->setToolTip(tr("Copy the selected lines, or all that are shown"));
    m_clear->setToolTip(tr("Empty the list; a file of the log keeps what it has"));
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->addWidget(m_level);
    layout->addWidget(m_room);
    layout->addWidget(m_search, 1);
    layout->addWidget(m_follow);
    for (QPushButton* button : {m_copy, m_clear}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    for (QComboBox* box : {m_level, m_room})
        connect(box, &QComboBox::currentIndexChanged, this, &LogPanel::filter);
    connect(m_search, &QLineEdit::textChanged, this, &LogPanel::filter);
    connect(m_follow, &QCheckBox::toggled, this, &LogPanel::follow);
    connect(m_copy, &QPushButton::clicked, this, &LogPanel::copy);
    connect(m_clear, &QPushButton::clicked, &m_log, &LogModel::clear);
    return row;
}

void LogPanel::filter() {
    m_filter->choose(m_level->currentData().toInt(), m_room->currentData().toString(), m_search->text());
    follow();
}

void LogPanel::fillRooms() {
    const QString chosen = m_room->currentData().toString();
    const QSignalBlocker quiet(m_room);
    m_room->clear();
    m_room->addItem(tr("All rooms"), QString());
    for (const QString& room : m_log.rooms())
        m_room->addItem(room, room);
    m_room->setCurrentIndex(std::max(0, m_room->findData(chosen)));
}

void LogPanel::follow() {
    if (m_follow->isChecked())
        m_table->scrollToBottom();
    updateButtons();
}

QString LogPanel::lines() const {
    QModelIndexList rows = m_table->selectionModel()->selectedRows();
    std::sort(rows.begin(), rows.end());
    if (rows.isEmpty())
        for (int row = 0; row < m_filter->rowCount(); ++row)
            rows.append(m_filter->index(row, 0));
    QString text;
    for (const QModelIndex& row : rows)
        text += QString::fromStdString(m_log.at(m_filter->mapToSource(row).row()).line()) + u'\n';
    return text;
}

void LogPanel::copy() const {
    QGuiApplication::clipboard()->setText(lines());
}

void LogPanel::updateButtons() {
    m_copy->setEnabled(m_filter->rowCount() > 0);
    m_clear->setEnabled(m_log.rowCount() > 0);
}

} // namespace pim::studio
