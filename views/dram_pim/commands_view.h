// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of one op on one channel: timeline, and beside it counts, waits, banks and buses, of the
/// whole run or of the area chosen.
#include "core/plan/plan.h"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QCPItemRect;
class QCustomPlot;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace pim::views {

class CommandPicture;
struct CommandSummary;
class EmptyState;
class FiguresModel;
class NoteLine;
class TableView;
class TimelineCanvas;
class Workspace;

class CommandsView : public QWidget {
    Q_OBJECT
public:
    explicit CommandsView(QWidget* parent = nullptr);
    /// Shows the op selected, once it is seen.
    explicit CommandsView(Workspace& workspace, QWidget* parent = nullptr);
    ~CommandsView() override;

    /// Null: none. \p channels: how many run alike, "1 of 80 equal channels".
    void setPicture(std::shared_ptr<const CommandPicture> picture, const QString& channels = {});
    const CommandPicture* picture() const { return m_picture.get(); }
    /// Shown where there is no picture: why, and what to do about it.
    void setEmptyText(const QString& missing, const QString& whatToDo);
    /// Whether a person can see it: what it shows is worked out only then.
    void setSeen(bool seen);
    void setStale(bool stale); ///< What is shown is of an older plan.
    /// The ops there are commands of, as ids and names. Emits nothing.
    void setOps(const std::vector<std::pair<OpId, QString>>& ops);
    void setSelectedOp(OpId op);
    /// Shows a stretch of the op's commands with some room around, as the area; now, or when they come.
    void showStretch(const QString& op, double fromNs, double toNs);
    QString opName() const; ///< That the picture is of; empty: none.

    TimelineCanvas* canvas() const { return m_canvas; }
    QLabel* title() const { return m_title; }
    QLabel* status() const { return m_status; }
    QLabel* areaTitle() const { return m_areaTitle; }
    QTabWidget* tabs() const { return m_tabs; }
    TableView* countsTable() const { return m_counts; }
    TableView* waitsTable() const { return m_waits; }
    TableView* modesTable() const { return m_modes; }
    NoteLine* noteLine() const { return m_note; }
    QLineEdit* laneFilter() const { return m_laneFilter; }
    TableView* banksTable() const { return m_banks; }
    QCustomPlot* busPlot() const { return m_buses; }
    QComboBox* opBox() const { return m_ops; }

signals:
    void opChosen(pim::OpId op);
    void seenChanged(bool seen);
    void pictureChanged();
    void noteClicked(qint64 id);

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildBar(QWidget* into);
    void buildTables();
    QWidget* buildSide();
    void updateTitle();
    void updateArea();
    void fillBanks();
    void fillBuses();
    void markWindow();
    void showSpan();
    void showWantedStretch();
    std::vector<std::pair<QString, QString>> facts(std::size_t span) const;
    QString ticksText(std::int64_t ticks) const; ///< In ticks and in time.

    std::shared_ptr<const CommandPicture> m_picture;
    QString m_channels;
    bool m_isStale = false;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_page;
    TimelineCanvas* m_canvas;
    QSplitter* m_splitter;
    QComboBox* m_ops;
    QLabel* m_title;
    QLabel* m_status;
    QLabel* m_areaTitle;
    QTabWidget* m_tabs;
    TableView* m_counts;
    TableView* m_waits;
    TableView* m_modes;
    TableView* m_banks;
    FiguresModel* m_countsModel = nullptr;
    FiguresModel* m_waitsModel = nullptr;
    FiguresModel* m_modesModel = nullptr;
    FiguresModel* m_banksModel = nullptr;
    QSortFilterProxyModel* m_sortedBanks = nullptr;
    QCustomPlot* m_buses;
    QCPItemRect* m_window = nullptr; ///< What the timeline shows, over the plot of the buses.
    QToolButton* m_inTicks;
    QToolButton* m_closeArea;
    NoteLine* m_note;
    QLineEdit* m_laneFilter;
    struct Stretch {
        QString op;
        double fromNs = 0, toNs = 0;
    };
    std::optional<Stretch> m_wantedStretch; ///< To show when its commands are there.
};

} // namespace pim::views
