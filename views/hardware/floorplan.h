// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The machine as nested boxes, drawn from the target description alone: host, devices, groups, cores. Zoomable, and a
/// place to drop an op or a dimension on.
#include "core/hardware/target.h"

#include <QWidget>

namespace pim::views {

/// Mime types of what can be dragged onto the hardware.
inline constexpr const char* kMimeOp = "application/x-pim-op";               ///< Op name, UTF-8.
inline constexpr const char* kMimeDimension = "application/x-pim-dimension"; ///< Position of the dimension set, decimal.

/// Where on the machine something lies.
struct HardwareSpot {
    enum class Kind { None, Host, Machine } kind = Kind::None;
    std::vector<int> path; ///< Machine: instance at each level, outermost first; may stop early.
    friend bool operator==(const HardwareSpot&, const HardwareSpot&) = default;
};

/// What a drop would do: asked while the drag hovers, shown before the button is released.
struct DropVerdict {
    bool legal = false;
    QString text;
};

class Floorplan : public QWidget {
    Q_OBJECT
public:
    explicit Floorplan(QWidget* parent = nullptr);

    void setTarget(std::shared_ptr<const Target> target);
    /// Work of each core of the innermost level, machine order, 0 … 1 of the busiest; negative: idle. Empty: nothing to show.
    void setLoad(std::vector<float> load, const QString& legend);
    void setHostNote(const QString& note);       ///< Line under the host's name.
    void setHighlight(HardwareSpot spot);        ///< Selected group or core.
    /// Asked for every move of a drag; the payload is the mime text.
    void setVerdict(std::function<DropVerdict(const QString& mime, const QString& payload, const HardwareSpot&)> verdict);

    HardwareSpot spotAt(const QPointF& position) const;
    QRectF rectOf(const HardwareSpot& spot) const; ///< In widget coordinates.
    void zoomToFit();
    QSize sizeHint() const override { return {520, 340}; }

signals:
    void dropped(const QString& mime, const QString& payload, const pim::views::HardwareSpot& spot);
    void clicked(const pim::views::HardwareSpot& spot);

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void wheelEvent(QWheelEvent*) override;
    void mousePressEvent(QMouseEvent*) override;
    void mouseMoveEvent(QMouseEvent*) override;
    void mouseReleaseEvent(QMouseEvent*) override;
    void mouseDoubleClickEvent(QMouseEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void dragEnterEvent(QDragEnterEvent*) override;
    void dragMoveEvent(QDragMoveEvent*) override;
    void dragLeaveEvent(QDragLeaveEvent*) override;
    void dropEvent(QDropEvent*) override;
    bool event(QEvent*) override;

private:
    QRectF hostRect() const;
    QRectF machineRect() const;
    /// How the children of one box are arranged.
    struct Grid {
        QRectF area;
        int columns = 1, rows = 1;
        double gap = 0;
        QRectF cell(int child) const;
    };
    Grid gridIn(const QRectF& parent, std::size_t level) const;
    void paintHost(QPainter& painter) const;
    void paintLevel(QPainter& painter, const QRectF& rect, std::size_t level, std::int64_t first) const;
    void paintDrop(QPainter& painter) const;
    QString describe(const HardwareSpot& spot) const;
    void zoomAt(const QPointF& position, double factor);
    void trackDrag(const QString& mime, const QString& payload, const QPointF& position);

    std::shared_ptr<const Target> m_target;
    std::vector<float> m_load;
    QString m_legend, m_hostNote;
    HardwareSpot m_highlight;
    std::function<DropVerdict(const QString&, const QString&, const HardwareSpot&)> m_verdict;
    double m_zoom = 1;
    QPointF m_offset;            ///< Widget position of the canvas origin.
    QPointF m_pressed;
    bool m_panning = false;
    // The drag that hovers.
    QString m_dragMime, m_dragPayload;
    HardwareSpot m_dragSpot;
    DropVerdict m_dragVerdict;
};

} // namespace pim::views
