// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Pieces of operators in order, grouped into segments: arrays of each in compute and memory mode against the
/// chip, and what each segment costs. Borders can be dragged; what that asks for is told by signals, nothing
/// is decided here.
#include "views/dual_mode/segment_picture.h"

#include <QAbstractScrollArea>

#include <functional>
#include <set>

class QPainter;

namespace pim::views {

class SegmentCanvas : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit SegmentCanvas(QWidget* parent = nullptr);

    /// Keeps selection and scroll position where the pieces are the same.
    void setPicture(SegmentPicture picture);
    const SegmentPicture& picture() const { return m_picture; }
    /// Verdict for a decision that has not been made: empty if it is legal. For the time of a drag.
    using Check = std::function<QString(const QString& op, const QString& field, const QString& value)>;
    void setCheck(Check check) { m_check = std::move(check); }
    /// Pieces of ops that do not pass are dimmed; null: all pass.
    void setFilter(std::function<bool(int op)> passes) {
        m_passes = std::move(passes);
        update();
    }

    int selectedPiece() const { return m_selected; }
    void setSelectedPiece(int piece); ///< Unfolds and scrolls to it. -1: none. Emits selectionChanged().
    int selectedBorder() const {
        return m_border;
    } ///< Piece a segment starts with; -1: no border is selected.
    void setSelectedBorder(int piece);
    void setFolded(int run, bool folded);
    bool isFolded(int run) const { return m_unfolded.count(run) == 0; }
    void zoom(double factor);

    /// In viewport coordinates; null where it is not drawn (folded away).
    QRect pieceRect(int piece) const;  ///< Its bar.
    QRect borderRect(int piece) const; ///< Handle at the start of the segment that begins with the piece.
    QRect runRect(int run) const;      ///< "×32"
    int pieceAt(const QPoint& position) const;
    int borderAt(const QPoint& position) const;
    QString tipAt(const QPoint& position) const;

    // What keys and buttons ask for.
    void requestMove(int border, int to); ///< The segment that starts with \p border starts with \p to.
    void requestSplit(int piece);
    void requestJoin(int piece);
    void requestReset(int piece); ///< All decisions about the piece.

    QSize contentSize() const;
    void paintAll(QPainter& painter); ///< The whole strip, for export.

signals:
    /// A decision the user asks for, in the words of backends/dual_mode/decisions.h.
    void decisionRequested(const QString& op, const QString& field, const QString& value);
    void decisionCleared(const QString& op, const QString& field);
    /// Around decisions that are one step for the user.
    void stepBegan(const QString& text);
    void stepEnded();
    void selectionChanged();
    void verdictChanged(const QString& text); ///< Of the border being dragged; empty: it may go there.

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    static constexpr double kAxis = 60;   ///< Room left of the strip for its scale.
    static constexpr double kBorder = 14; ///< Between segments: the handle.

    /// One segment as drawn.
    struct Block {
        int segment = 0, run = 0;
        double left = 0, right = 0;
    };
    struct Lines {
        double legend = 0, runs = 0, head = 0, barsTop = 0, barsBottom = 0, namesBottom = 0, costTop = 0,
               costBottom = 0;
    };
    void relayout();
    Lines lines() const;
    double pieceLeft(int piece) const; ///< Unscrolled; -1: folded away.
    const Block* blockOf(int segment) const;
    QString borderTip(int piece) const;
    QString pieceTip(int piece) const;
    QString costTable(int segment) const;
    int nearestCut(double x) const;
    void paint(QPainter& painter, double from, double to);
    void paintLegend(QPainter& painter, double width) const;
    void paintBlock(QPainter& painter, const Block& block, const Lines& at);
    void paintHead(QPainter& painter, const Block& block, const Lines& at) const;
    void paintPiece(QPainter& painter, int index, double left, const Lines& at) const;
    void paintPieceName(QPainter& painter, int index, double left, const Lines& at) const;
    void paintCosts(QPainter& painter, const Block& block, const Lines& at) const;
    void paintBorder(QPainter& painter, const Block& block, const Lines& at);
    void paintDrag(QPainter& painter, const Lines& at, double from, double to);
    void paintScale(QPainter& painter, const Lines& at, double from);
    void paintRuns(QPainter& painter, const Lines& at, double from, double to);
    double mostCycles() const { return m_mostCycles; }
    int neighbour(int piece, int by) const;
    void selectNextBorder(int by);
    void moveSelectedBorder(int by);
    void foldSelected();
    bool giveUpChosen();

    SegmentPicture m_picture;
    Check m_check;
    std::function<bool(int)> m_passes;
    std::vector<Block> m_blocks;
    std::set<int> m_unfolded;
    double m_columnWidth = 44, m_wish = 44, m_width = 0, m_mostCycles = 0;
    int m_selected = -1, m_border = -1, m_hovered = -1, m_hoveredBorder = -1;
    int m_dragged = -1, m_dragTo = -1;
    bool m_dragIsLegal = true;
    QPoint m_pressed;
};

} // namespace pim::views
