// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The surface the graph is seen on: pan, zoom, select, fold blocks, follow edges by keyboard, drag an op away, minimap.
#include "views/common/canvas_items.h"
#include "views/graph/graph_painter.h"

#include <QImage>
#include <QWidget>

#include <functional>

class QMimeData;

namespace pim::views {

class GraphCanvas : public QWidget {
    Q_OBJECT
public:
    explicit GraphCanvas(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const GraphPicture> picture); ///< Null empties the canvas.
    void setLooks(OverlayLooks looks);
    /// Scrolls to it when it is out of sight. An op in a folded block is marked there: going through a list elsewhere
    /// must not turn the picture over at each step. Emits nothing.
    void setSelectedOp(OpId op);
    void setSelectedBlock(std::int32_t block);     ///< Folded or not; -1: none. Emits nothing.
    void setPassing(const std::vector<bool>& ops); ///< One an op; the others are dimmed. Empty: all pass.
    void setHits(const std::vector<OpId>& hits, bool searching);
    void setTips(std::function<QString(const PictureNode&)> nodeTip,
                 std::function<QString(const PictureEdge&)> edgeTip);

    const GraphPicture* picture() const { return m_picture.get(); }
    const Viewport& viewport() const { return m_view; }
    const Legend& legend() const { return m_looks.legend; }
    OpId selectedOp() const { return m_op; }
    std::int32_t selectedBlock() const { return m_block; }
    void setViewport(double zoom, const QPointF& offset);
    void zoomAt(const QPointF& position, double factor);
    void zoomToFit();
    void zoomToSelection();
    void showStart(); ///< Large enough to read, at the first ops.
    void centreOn(OpId op);
    void showBlock(std::int32_t block);          ///< All of it, as large as can be.
    QPointF screenPosition(OpId op) const;       ///< Centre of its box, or of the one it is folded into.
    QRectF screenRect(std::int32_t block) const; ///< Box or frame; null: not seen.
    QString tipAt(const QPointF& position) const;

    /// What a drag of an op carries: its name as `application/x-pim-op`.
    static QMimeData* mimeData(const Graph& graph, OpId op);
    /// The whole graph at full detail, for export.
    void paintAll(QPainter& painter, double zoom) const;
    QSize minimumSizeHint() const override { return {240, 160}; }
    QSize sizeHint() const override { return {720, 560}; }

signals:
    void opSelected(pim::OpId op); ///< By mouse or keyboard; invalid: nothing, or a block.
    void blockSelected(int block); ///< By mouse or keyboard, before opSelected().
    void foldRequested(int block, bool folded);
    void opActivated(pim::OpId op); ///< Enter or double click: look inside.
    void zoomChanged(double zoom);

protected:
    virtual void startDrag(OpId op);
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    enum class Press { None, Pan, Op, Minimap };

    /// What stays where it is on the screen while another picture is put in.
    struct Anchor {
        std::int32_t block = -1;
        OpId op;
        QPointF position; ///< Upper left corner of the block, or centre of the box of the op.
    };
    Anchor anchor() const;
    void keep(const Anchor& anchor);
    void pick(std::int32_t node);
    void pickBlock(std::int32_t block);
    void mark();
    bool fold(bool folded);
    void goUp();
    std::int32_t blockAround() const;
    QRectF blockRect(std::int32_t block) const;
    void centre(const QPointF& world);
    void ensureVisible(std::int32_t node);
    void clampView();
    void fitRect(const QRectF& world, double largest);
    void followKey(int key);
    std::int32_t firstIn(std::int32_t block) const;
    std::int32_t neighbour(int key) const;
    std::int32_t beside(std::int32_t node, bool forward) const;
    QRectF minimapRect() const;
    void paintMinimap(QPainter& painter);
    void panToMinimap(const QPointF& position);
    void setHover(std::int32_t node, std::int32_t edge);
    CanvasItem spokenNode(std::int32_t node) const;
    void describeSelection();

    std::shared_ptr<const GraphPicture> m_picture;
    OverlayLooks m_looks;
    GraphMarks m_marks;
    OpId m_op;                   ///< Selected.
    std::int32_t m_block = -1;   ///< Selected instead.
    std::int32_t m_folding = -1; ///< Asked for; keeps its place.
    std::vector<bool> m_passing; ///< One an op.
    std::vector<OpId> m_hits;
    GraphPainter m_painter;
    Viewport m_view;
    QImage m_minimap;
    bool m_fitPending = false; ///< The picture came before the widget had a size.
    Press m_press = Press::None;
    std::int32_t m_pressedNode = -1;
    QPointF m_pressedAt, m_lastAt;
    bool m_moved = false;
    std::function<QString(const PictureNode&)> m_nodeTip;
    std::function<QString(const PictureEdge&)> m_edgeTip;
};

} // namespace pim::views
