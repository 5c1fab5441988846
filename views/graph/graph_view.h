// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the time goes, as a graph: the network with repeated blocks folded, an overlay, a search line, a tree with the
/// same selection, and export.
#include "core/base/background.h"
#include "views/graph/graph_canvas.h"
#include "views/graph/graph_overlay.h"

#include <QJsonObject>
#include <QWidget>

#include <map>
#include <optional>
#include <set>

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace pim::views {

class Breadcrumbs;
class EmptyState;
class GraphSide;
struct ExportSource;
struct OpFilter;
class Workspace;

class GraphView : public QWidget {
    Q_OBJECT
public:
    explicit GraphView(QWidget* parent = nullptr);
    /// Shows what the workspace holds and tells it what is selected.
    explicit GraphView(Workspace& workspace, QWidget* parent = nullptr);
    ~GraphView() override;

    /// Null: nothing open. Blocks and layout are worked out on a worker thread.
    void setGraph(std::shared_ptr<const Graph> graph);
    void setPlan(std::shared_ptr<const Plan> plan,
                 bool isStale = false); ///< Null or of another graph: no figures.
    /// \p plan: what it ran; if that is not the plan shown, there are no simulated figures.
    void setSimulation(std::shared_ptr<const Simulation> simulation, std::shared_ptr<const Plan> plan,
                       const QString& note);
    void setSelectedOp(OpId op);
    void setNotes(std::map<OpId, QStringList> notes); ///< Texts, by op: marked, told in the tip.
    void setPassing(const std::vector<bool>& ops);    ///< One an op; the others are dimmed. Empty: all pass.

    GraphCanvas* canvas() const { return m_canvas; }
    GraphSide* side() const { return m_side; }
    Breadcrumbs* breadcrumbs() const { return m_crumbs; }
    QLineEdit* searchLine() const { return m_search; }
    QString searchMessage() const; ///< What is wrong with the query; empty: nothing.
    QString countText() const;
    bool isLayingOut() const { return m_isLayingOut; }
    Overlay overlay() const;
    void setOverlay(Overlay overlay);
    const PictureOptions& options() const { return m_options; }
    void setDirection(LayoutDirection direction);
    void setShown(bool names, bool attributes, bool initialisers);
    void setFolded(std::int32_t block, bool folded);
    void setAllFolded(bool folded);
    void reveal(OpId op); ///< Unfolds what it is in and brings it to the middle.
    void setSideVisible(bool visible);
    void search(const QString& query);
    const std::vector<OpId>& hits() const { return m_hits; }
    void showHit(int step);            ///< +1: next, -1: previous; wraps around.
    ExportSource exportSource() const; ///< The whole graph; CSV: one line an op.

    QJsonObject state() const; ///< What is kept with the project.
    void setState(const QJsonObject& state);

signals:
    void opSelected(pim::OpId op);
    void inspectRequested(pim::OpId op); ///< Enter or double click.
    void layoutFinished();
    void openRequested(); ///< From the page shown while nothing is open.
    /// Other views, too, are to show what was found.
    void limitRequested(const pim::views::OpFilter& filter);
    void stateChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    using LayoutResult = Result<std::shared_ptr<const GraphPicture>>;
    static constexpr int kLayoutsAtOnce = 2; ///< One that was stopped may take a moment to notice.

    void buildFindBar();
    void buildToolbar();
    void buildSide();
    QMenu* showMenu();
    void startLayout();
    void takeLayout(int number, const LayoutResult& result);
    void refreshLooks();
    void refreshCrumbs();
    void updateBadge();
    void showContextMenu(const QPoint& at);
    void limitViews();
    void goToBlock(std::int32_t block);
    void takeCanvasSelection();
    void changed();
    OverlaySource source() const;
    const BlockTree* blocks() const { return m_blocks.get(); }
    std::string keyOf(std::int32_t block) const;
    QString nodeTip(const PictureNode& node) const;
    QString groupTip(const PictureNode& node) const;
    QString edgeTip(const PictureEdge& edge) const;
    QString figureRow(const std::vector<OpId>& ops) const;
    QString notesRow(const PictureNode& node) const;
    QStringList notesOf(const PictureNode& node) const;
    static QString tensorTip(const Tensor& tensor, std::optional<std::int64_t> bytes);
    QString csv() const;

    std::shared_ptr<const Graph> m_graph;
    std::shared_ptr<const BlockTree> m_blocks; ///< Null until the first layout of the graph.
    std::shared_ptr<const Plan> m_plan;
    std::shared_ptr<const Simulation> m_simulation;
    std::shared_ptr<const Plan> m_simulated; ///< What m_simulation ran.
    QString m_simulationNote;
    bool m_isStale = false;
    PictureOptions m_options;
    std::optional<std::set<std::string>> m_foldedKeys; ///< As stored; until the blocks are known.
    std::stop_source m_stop;
    bool m_isLayingOut = false;
    int m_lastLayout = 0;
    Background m_layouts{kLayoutsAtOnce};
    std::vector<OpId> m_hits;
    int m_hit = -1;
    OpId m_wanted;   ///< Selected while the layout was running.
    OpId m_revealed; ///< To be brought to the middle when it is laid out.
    std::vector<bool> m_passing;
    std::map<OpId, QStringList> m_notes;
    bool m_taking = false; ///< What changes comes from outside: nothing to tell.

    GraphCanvas* m_canvas;
    GraphSide* m_side;
    Breadcrumbs* m_crumbs;
    QSplitter* m_split;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QWidget* m_bar;
    QLineEdit* m_search;
    QLabel* m_count;
    QLabel* m_message;
    QToolButton* m_limit;
    QLabel* m_badge;
    QComboBox* m_overlay;
    QToolButton* m_log;
    QToolButton* m_turn;
    QToolButton* m_sideButton;
    QAction *m_names = nullptr, *m_attributes = nullptr, *m_initialisers = nullptr;
};

} // namespace pim::views
