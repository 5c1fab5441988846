// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/axis_effects.h"

#include "core/base/result.h"

#include <algorithm>
#include <cmath>

namespace pim {

AxisEffect axisEffect(std::span<const int> places, int count, std::span<const double> figure) {
    PIM_ASSERT(places.size() == figure.size(), "every point has a place");
    AxisEffect effect;
    effect.values.resize(static_cast<std::size_t>(count));
    const auto forEachPoint = [&](const auto& use) {
        for (std::size_t p = 0; p < places.size(); ++p)
            if (places[p] >= 0 && std::isfinite(figure[p]))
                use(effect.values[static_cast<std::size_t>(places[p])], figure[p]);
    };
    double sum = 0;
    forEachPoint([&](ValueMean& value, double y) {
        value.least = value.points == 0 ? y : std::min(value.least, y);
        value.most = value.points == 0 ? y : std::max(value.most, y);
        ++value.points;
        value.mean += y; // a sum for now
        ++effect.points;
        sum += y;
    });
    if (effect.points == 0)
        return effect;
    const double mean = sum / static_cast<double>(effect.points);
    int seen = 0;
    double low = 0, high = 0;
    for (ValueMean& value : effect.values) {
        if (value.points == 0)
            continue;
        value.mean /= static_cast<double>(value.points);
        low = seen == 0 ? value.mean : std::min(low, value.mean);
        high = seen == 0 ? value.mean : std::max(high, value.mean);
        ++seen;
    }
    effect.range = high - low;
    // A second time over the points: differences of sums of squares lose all digits of figures that vary little.
    double total = 0;
    forEachPoint([&](ValueMean& value, double y) {
        value.deviation += (y - value.mean) * (y - value.mean);
        total += (y - mean) * (y - mean);
    });
    double between = 0;
    for (ValueMean& value : effect.values) {
        if (value.points == 0)
            continue;
        const auto points = static_cast<double>(value.points);
        value.deviation = std::sqrt(value.deviation / points);
        between += points * (value.mean - mean) * (value.mean - mean);
    }
    // What rounding left of a figure that is the same everywhere is no variance.
    constexpr double kRounding = 1e-13;
    const double size = mean * mean * static_cast<double>(effect.points);
    if (total > size * kRounding * kRounding)
        effect.share = std::clamp(between / total, 0.0, 1.0);
    if (effect.points > 1)
        effect.chance = std::min(1.0, static_cast<double>(seen - 1) / static_cast<double>(effect.points - 1));
    return effect;
}

} // namespace pim
