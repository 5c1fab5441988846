// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A memory as a strip from its first byte to its last, pieces in their colours. Zooms, pans, goes from piece to piece by keys.
#include "views/common/plot_export.h"
#include "views/upmem/memory_pieces.h"

#include <QWidget>

namespace pim::views {

class MemoryStrip : public QWidget {
    Q_OBJECT
public:
    explicit MemoryStrip(const QString& accessibleName, QWidget* parent = nullptr);

    void setPieces(MemoryPieces memory); ///< Shows all of it.
    const MemoryPieces& memory() const { return m_memory; }
    void setCurrent(int piece); ///< -1: none. Emits nothing.
    int current() const { return m_current; }
    QRectF rectOf(int piece) const;
    int pieceAt(const QPointF& position) const; ///< -1: none.
    void zoomAt(double x, double factor);
    void fit();
    void fitTaken(); ///< From the first byte that is taken to the last.
    double fromByte() const { return m_from; }
    double toByte() const { return m_to; }
    QString csv() const;
    ExportSource exportSource(const QString& name);
    QSize sizeHint() const override { return {500, 110}; }
    QSize minimumSizeHint() const override { return {160, 64}; }

signals:
    void hovered(int piece); ///< -1: none.
    void chosen(int piece);

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QRectF strip() const; ///< Where pieces are.
    double xOf(double byte) const;
    void setWindow(double from, double to);
    void choose(int piece);
    void paintPiece(QPainter& painter, int piece) const;
    void paintAxis(QPainter& painter) const;
    void showPiece(int piece);

    MemoryPieces m_memory;
    int m_current = -1;
    double m_from = 0, m_to = 1; ///< Bytes seen.
    double m_pressed = 0, m_pressedFrom = 0;
    bool m_isDown = false, m_moved = false;
};

} // namespace pim::views
