// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/target_picture.h"

#include "core/hardware/target.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pim::studio {
namespace {

using views::Role;

constexpr int kMostDevices = 6, kMostCells = 36;

int shown(std::int64_t count, int most) {
    return static_cast<int>(std::clamp<std::int64_t>(count, 1, most));
}

} // namespace

void paintTarget(QPainter& painter, const QRectF& where, const Target& target,
                 const std::vector<Role>& cellColors) {
    if (target.levels.empty())
        return;
    const Level& outer = target.levels.front();
    const std::int64_t all = target.instances(target.levels.back().id);
    const std::int64_t deviceCount = std::max<std::int64_t>(1, target.instances(outer.id));
    const int devices = target.levels.size() > 1 ? shown(deviceCount, kMostDevices) : 1;
    const int cells = shown(all / (target.levels.size() > 1 ? deviceCount : 1), kMostCells);

    const int columnsOfDevices = std::min(devices, 3),
              rowsOfDevices = (devices + columnsOfDevices - 1) / columnsOfDevices;
    const double width = where.width() / columnsOfDevices, height = where.height() / rowsOfDevices;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int device = 0; device < devices; ++device) {
        QRectF box(where.left() + width * (device % columnsOfDevices),
                   where.top() + height * (device / columnsOfDevices), width, height);
        box.adjust(1, 1, -1, -1);
        painter.setPen(QPen(views::color(Role::NodeBorder), 1));
        painter.setBrush(views::color(Role::Canvas));
        painter.drawRoundedRect(box, 2, 2);
        const int columns = std::max(
                      1, static_cast<int>(std::round(std::sqrt(cells * box.width() / box.height())))),
                  rows = (cells + columns - 1) / columns;
        const double cellWidth = (box.width() - 3) / columns, cellHeight = (box.height() - 3) / rows;
        painter.setPen(Qt::NoPen);
        for (int cell = 0; cell < cells; ++cell) {
            painter.setBrush(views::color(cellColors[static_cast<std::size_t>(cell) % cellColors.size()]));
            painter.drawRect(QRectF(box.left() + 2 + cellWidth * (cell % columns),
                                    box.top() + 2 + cellHeight * (cell / columns),
                                    std::max(1.0, cellWidth - 1), std::max(1.0, cellHeight - 1)));
        }
    }
    painter.restore();
}

} // namespace pim::studio
