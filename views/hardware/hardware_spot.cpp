// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/hardware_spot.h"

#include <QStringList>

#include <algorithm>

namespace pim::views {

CoreRange coresOf(const Target& target, const HardwareSpot& spot) {
    if (spot.kind != HardwareSpot::Kind::Machine)
        return {};
    CoreRange range{0, 1};
    for (std::size_t level = 0; level < target.levels.size(); ++level) {
        range.first *= target.levels[level].count;
        if (level < spot.path.size())
            range.first += spot.path[level];
        else
            range.count *= target.levels[level].count;
    }
    return range;
}

HardwareSpot spotOf(const Target& target, std::size_t level, std::int64_t index) {
    HardwareSpot spot{HardwareSpot::Kind::Machine, std::vector<int>(level + 1)};
    for (std::size_t at = level + 1; at-- > 0; index /= target.levels[at].count)
        spot.path[at] = static_cast<int>(index % target.levels[at].count);
    return spot;
}

QString spotName(const Target& target, const HardwareSpot& spot) {
    if (spot.kind == HardwareSpot::Kind::None)
        return {};
    if (spot.kind == HardwareSpot::Kind::Host)
        return QString::fromStdString(target.host.name);
    QStringList names;
    for (std::size_t level = 0; level < std::min(spot.path.size(), target.levels.size()); ++level)
        names << QStringLiteral("%1 %2")
                     .arg(QString::fromStdString(target.levels[level].name))
                     .arg(spot.path[level]);
    return names.isEmpty() ? QString::fromStdString(target.name) : names.join(QStringLiteral(" › "));
}

} // namespace pim::views
