// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/point_brushes.h"

#include "views/common/plot_export.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim::views {
namespace {

/// Four digits; an exponent only where it is needed.
QString shortNumber(double value) {
    constexpr double kLeast = 1e-3, kMost = 1e7;
    const double size = std::abs(value);
    if (size != 0 && (size < kLeast || size >= kMost))
        return QString::number(value, 'g', 4);
    const int whole = size < 1 ? 1 : int(std::floor(std::log10(size))) + 1;
    const QString text = QString::number(value, 'f', std::max(0, 4 - whole));
    return text.contains(u'.') ? QString::number(text.toDouble(), 'g', 6) : text;
}

} // namespace

std::pair<double, double> PointColumn::extent() const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    return low <= high ? std::pair(low, high) : std::pair(0.0, 1.0);
}

double PointColumn::share(double value, std::pair<double, double> extent) const {
    const auto [low, high] = extent;
    if (high <= low)
        return std::isnan(value) ? value : 0.5;
    if (isLogarithmic && low > 0)
        return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

double PointColumn::valueAt(double share, std::pair<double, double> extent) const {
    const auto [low, high] = extent;
    const double part = std::clamp(share, 0.0, 1.0);
    return isLogarithmic && low > 0 ? low * std::pow(high / low, part) : low + (high - low) * part;
}

QString PointColumn::text(double value) const {
    return words.isEmpty() ? shortNumber(value)
                           : words.value(int(std::clamp(std::lround(value), 0L, long(words.size() - 1))));
}

std::vector<std::vector<std::size_t>> rowsByNetwork(const std::vector<PointColumn>& columns,
                                                    std::size_t rows) {
    const auto network = std::ranges::find(columns, true, &PointColumn::isNetwork);
    const bool areSeveral = network != columns.end();
    std::vector<std::vector<std::size_t>> all(areSeveral ? static_cast<std::size_t>(network->words.size())
                                                         : 1);
    for (std::size_t row = 0; row < rows; ++row)
        all[areSeveral ? static_cast<std::size_t>(network->values[row]) : 0].push_back(row);
    return all;
}

void PointBrushes::setPoints(std::vector<PointColumn> columns, std::vector<bool> marked) {
    const bool isSame = std::ranges::equal(columns, m_columns, {}, &PointColumn::name, &PointColumn::name);
    m_columns = std::move(columns);
    m_marked = std::move(marked);
    if (!isSame)
        m_brushes.assign(m_columns.size(), std::nullopt);
    filter();
    emit pointsChanged();
}

void PointBrushes::setBrushes(const std::vector<std::pair<int, Range>>& brushes) {
    for (const auto& [column, wanted] : brushes) {
        Range range = wanted;
        if (range && range->first > range->second)
            std::swap(range->first, range->second);
        m_brushes[static_cast<std::size_t>(column)] = range;
    }
    filter();
    emit brushed();
}

void PointBrushes::clear() {
    m_brushes.assign(m_columns.size(), std::nullopt);
    filter();
    emit brushed();
}

bool PointBrushes::isBrushed() const {
    return std::ranges::any_of(m_brushes, [](const Range& brush) { return brush.has_value(); });
}

void PointBrushes::filter() {
    m_within.assign(m_marked.size(), true);
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        if (m_brushes[c])
            for (std::size_t row = 0; row < m_within.size(); ++row) {
                const double value = m_columns[c].values[row];
                m_within[row] =
                    m_within[row] && value >= m_brushes[c]->first && value <= m_brushes[c]->second;
            }
    m_kept = static_cast<int>(std::ranges::count(m_within, true));
}

QString PointBrushes::csv() const {
    QStringList names;
    for (const PointColumn& column : m_columns)
        names << column.name;
    QString all = csvLine(names << QStringLiteral("front")) + u'\n';
    for (int row = 0; row < rows(); ++row) {
        if (!isWithin(row))
            continue;
        QStringList fields;
        for (const PointColumn& column : m_columns) {
            const double value = column.values[static_cast<std::size_t>(row)];
            fields << (std::isnan(value)        ? QString()
                       : column.words.isEmpty() ? exactNumber(value)
                                                : column.words.value(int(value)));
        }
        fields << (isMarked(row) ? QStringLiteral("1") : QStringLiteral("0"));
        all += csvLine(fields) + u'\n';
    }
    return all;
}

} // namespace pim::views
