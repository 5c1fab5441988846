// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The machine as nested boxes, drawn from the target description alone: host, devices, groups, cores. Zoomable, with the
/// memory that is taken and one figure per core, and a place to put an op or a dimension: by drag and drop, or carried with
/// the keys. What is held over a place shows its verdict before it is let go.
#include "views/common/canvas_items.h"
#include "views/common/plot_export.h"
#include "views/hardware/machine_use.h"

#include <QPixmap>
#include <QWidget>

#include <optional>

class QMimeData;

namespace pim::views {

/// What a drop would do: asked while the drag hovers, shown before the button is released.
struct DropVerdict {
    bool legal = false;
    QString text;
    std::optional<MachineUse> after; ///< Memory as it would be; for the bars while the drag hovers.
};

/// Kind and text of what a drag or the clipboard holds; an empty mime if it is none of ours.
std::pair<QString, QString> carriedBy(const QMimeData* data);

class Floorplan : public QWidget {
    Q_OBJECT
public:
    explicit Floorplan(QWidget* parent = nullptr);

    void setTarget(std::shared_ptr<const Target> target);
    void setUse(const MachineUse& use);
    void setFigures(std::shared_ptr<const CoreFigures> figures);
    void setHostNote(const QString& note); ///< Line under the host's name.
    void setHighlight(HardwareSpot spot);  ///< Selected part; also where the keys are.
    const HardwareSpot& highlight() const { return m_highlight; }
    /// Asked for every move of a drag; the payload is the mime text.
    void setVerdict(
        std::function<DropVerdict(const QString& mime, const QString& payload, const HardwareSpot&)> verdict);

    /// Holds something over a place, from wherever the drag comes. \returns may it be let go there?
    bool hover(const QString& mime, const QString& payload, const HardwareSpot& spot);
    void endHover();
    bool isHovering() const { return m_held.has_value(); }
    const DropVerdict& verdict() const;
    /// From now on the arrow keys carry this; Ctrl+V and Enter put it down, Esc forgets it.
    void carry(const QString& mime, const QString& payload);
    bool isCarrying() const { return m_held && m_held->byKeys; }
    /// Puts down what is carried, or what the clipboard holds, at the place chosen. An illegal one stays where it was.
    void place();

    HardwareSpot spotAt(const QPointF& position) const;
    QRectF rectOf(const HardwareSpot& spot) const; ///< In widget coordinates.
    /// The next place in a direction of the picture, at the same level where there is one.
    HardwareSpot neighbour(const HardwareSpot& spot, int dx, int dy) const;
    QString describe(const HardwareSpot& spot) const; ///< Its parts, memory and figure, with units.
    double zoom() const { return m_zoom; }
    void zoomToFit();
    ExportSource exportSource();
    QSize sizeHint() const override { return {520, 340}; }

signals:
    void dropped(const QString& mime, const QString& payload, const pim::views::HardwareSpot& spot);
    void clicked(const pim::views::HardwareSpot& spot); ///< Or reached with the keys.
    void verdictChanged();
    void cutRequested();

protected:
    void changeEvent(QEvent*) override;
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
    static constexpr double kPad = 6; ///< Pixels around the machine.

    /// What hovers, and the verdict on it.
    struct Held {
        QString mime, payload;
        HardwareSpot spot;
        DropVerdict verdict;
        bool byKeys = false;
    };
    /// How the children of one box are arranged.
    struct Grid {
        QRectF area;
        int columns = 1, rows = 1;
        double gap = 0;
        QRectF cell(int child) const;
    };
    QRectF hostRect() const;
    QRectF machineRect() const;
    double legendHeight() const;
    Grid gridIn(const QRectF& parent, std::size_t level) const;
    void hold(const QString& mime, const QString& payload, const HardwareSpot& spot, bool byKeys);
    void moveTo(const HardwareSpot& spot);
    void zoomAt(const QPointF& position, double factor);
    int spots() const;
    HardwareSpot spotOfItem(int item) const;
    int itemOfSpot(const HardwareSpot& spot) const; ///< -1: none.
    CanvasItem spokenSpot(const HardwareSpot& spot) const;
    QString csv() const;
    void hold(std::optional<Held> held);
    void redraw(); ///< The machine too, not only what is marked on it.

    // floorplan_paint.cpp
    void paint(QPainter& painter) const;
    void paintMachine(QPainter& painter) const;
    void paintMarks(QPainter& painter) const; ///< Highlight, legend, what is held.
    void paintHost(QPainter& painter) const;
    void paintLevel(QPainter& painter, const QRectF& rect, std::size_t level, std::int64_t first) const;
    void paintBox(QPainter& painter, const QRectF& box, std::size_t level, int child,
                  const CoreRange& cores) const;
    void paintCores(QPainter& painter, const QRectF& box, const CoreRange& cores, const QString& label) const;
    void paintBar(QPainter& painter, const QRectF& bar, const MemoryUse& use) const;
    void paintLegend(QPainter& painter) const;
    void paintDrop(QPainter& painter) const;

    std::shared_ptr<const Target> m_target;
    std::shared_ptr<const CoreFigures> m_figures;
    MachineUse m_use;
    QString m_hostNote;
    HardwareSpot m_highlight;
    std::function<DropVerdict(const QString&, const QString&, const HardwareSpot&)> m_verdict;
    double m_zoom = 1;
    QPointF m_offset; ///< Widget position of the canvas origin.
    QPointF m_pressed;
    bool m_panning = false;
    std::optional<Held> m_held;
    QPixmap m_machine; ///< As painted last; null: to be painted again.
};

} // namespace pim::views
