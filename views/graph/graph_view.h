// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the time goes, as a graph: the network with an overlay, a search line and export.
#include "views/graph/graph_canvas.h"

#include <QFutureWatcher>
#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class EmptyState;
struct ExportSource;
class Workspace;

class GraphView : public QWidget {
    Q_OBJECT
public:
    explicit GraphView(QWidget* parent = nullptr);
    /// Shows what the workspace holds and tells it what is selected.
    explicit GraphView(Workspace& workspace, QWidget* parent = nullptr);
    ~GraphView() override;

    void
    setGraph(std::shared_ptr<const Graph> graph); ///< Null: nothing open. The layout runs on a worker thread.
    void setPlan(std::shared_ptr<const Plan> plan,
                 bool isStale = false); ///< Null or of another graph: no figures.
    void setSelectedOp(OpId op);

    GraphCanvas* canvas() const { return m_canvas; }
    QLineEdit* searchLine() const { return m_search; }
    bool isLayingOut() const { return m_layout.isRunning(); }
    Overlay overlay() const;
    void setOverlay(Overlay overlay);
    void setDirection(LayoutDirection direction);
    void search(const QString& query);
    const std::vector<OpId>& hits() const { return m_hits; }
    void showHit(int step);            ///< +1: next, -1: previous; wraps around.
    ExportSource exportSource() const; ///< The whole graph; CSV: one line an op.

signals:
    void opSelected(pim::OpId op);
    void inspectRequested(pim::OpId op); ///< Enter or double click.
    void layoutFinished();
    void openRequested(); ///< From the page shown while nothing is open.

protected:
    void changeEvent(QEvent* event) override;

private:
    using LayoutResult = Result<std::shared_ptr<const GraphPicture>>;

    void buildToolbar();
    void startLayout();
    void takeLayout();
    void refreshLooks();
    void updateBadge();
    void showMenu(const QPoint& at);
    QString nodeTip(const PictureNode& node) const;
    QString edgeTip(const PictureEdge& edge) const;
    QString csv() const;

    std::shared_ptr<const Graph> m_graph;
    std::shared_ptr<const Plan> m_plan;
    bool m_isStale = false;
    LayoutDirection m_direction = LayoutDirection::TopToBottom;
    std::stop_source m_stop;
    QFutureWatcher<LayoutResult> m_layout;
    std::vector<OpId> m_hits;
    int m_hit = -1;
    OpId m_wanted; ///< Selected while the layout was running.

    GraphCanvas* m_canvas;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_bar;
    QLineEdit* m_search;
    QLabel* m_count;
    QLabel* m_badge;
    QComboBox* m_overlay;
    QToolButton* m_log;
    QToolButton* m_turn;
};

} // namespace pim::views
