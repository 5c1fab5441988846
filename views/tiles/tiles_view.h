// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every core holds and does under a draft: data tiles and compute tiles over groups x cores, of draft
/// A, of draft B (the one looked at), or B less A.
#include "views/models/draft_board.h"
#include "views/tiles/core_figures.h"

#include <QWidget>

#include <list>

class QButtonGroup;
class QComboBox;
class QLabel;
class QStackedWidget;

namespace pim::views {

class EmptyState;
class Heatmap;
class Workspace;

class TilesView : public QWidget {
    Q_OBJECT
public:
    enum class Mode { A, B, Delta };

    explicit TilesView(Workspace& workspace, QWidget* parent = nullptr);

    /// Text shown for a core, as in the hover label; for tests and the status bar.
    QString describe(int group, int core) const;
    Mode mode() const { return m_mode; }
    void setMode(Mode mode);
    Heatmap* dataMap() const { return m_data.map; }
    Heatmap* computeMap() const { return m_compute.map; }
    QString refusal() const; ///< Why nothing is shown; empty if something is.

private:
    /// One heatmap and what it measures.
    struct Side {
        Heatmap* map = nullptr;
        QComboBox* what = nullptr;
        std::vector<CoreMeasure> measures; ///< As in the box.
    };
    QWidget* buildSide(Side& side, const QString& label, const QString& accessible, const QString& file);
    void offerMeasures(const TilingSpace& space);
    void takeViewState();
    void rebuild();
    void refuse(const QString& what, const QString& hint);
    void fill(const Side& side);
    QString describeSide(const BoardDraft& draft, int group, int core) const;
    QString describeDifference(int group, int core) const;
    QString placeText(const BoardDraft& draft, int group, int core) const;
    void showTitle();
    void choose(int group, int core);
    /// Null while they are worked out; rebuild() follows.
    std::shared_ptr<const TileFigures> figuresOf(const BoardDraft& draft);
    void remember(std::shared_ptr<const TileFigures> figures);

    Workspace& m_workspace;
    DraftBoard& m_board;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QButtonGroup* m_modes;
    QLabel* m_title;
    QLabel* m_hover;
    Side m_data, m_compute;
    Mode m_mode = Mode::B;
    std::optional<BoardDraft> m_a, m_b; ///< What is shown; only the one the mode needs, or both.
    std::shared_ptr<const TileFigures> m_figuresA, m_figuresB;
    std::shared_ptr<const TilingSpace> m_offered;          ///< That the boxes are filled for.
    std::list<std::shared_ptr<const TileFigures>> m_known; ///< Newest first.
    int m_task = 0;
};

} // namespace pim::views
