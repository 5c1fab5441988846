// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/lut_landscape.h"

#include "core/base/number_text.h"
#include "views/common/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace pim::views {
namespace {

struct LutLandscapeWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::LutLandscapeWords)
};

std::int64_t lengthOf(const upmem::LutPoint& point, TileSide side) {
    switch (side) {
    case TileSide::Rows:
        return point.rows;
    case TileSide::Features:
        return point.features;
    case TileSide::Codebooks:
        break;
    }
    return point.codebooks;
}

/// Takes a point into the cell it belongs to: the best there, or the first reason.
void take(LutCell& cell, std::ptrdiff_t split, std::ptrdiff_t at, const upmem::LutPoint& point) {
    cell.split = split;
    if (point.best && point.times.total() < cell.seconds) {
        cell.point = at;
        cell.seconds = point.times.total();
        cell.reason.clear();
    } else if (!point.best && !cell.isPossible() && cell.reason.isEmpty()) {
        cell.reason = text(point.reason);
    }
}

QStringList numbers(const std::set<std::int64_t>& lengths) {
    QStringList texts;
    for (const std::int64_t length : lengths)
        texts << QString::number(length);
    return texts;
}

std::size_t placeOf(const std::set<std::int64_t>& lengths, std::int64_t length) {
    return static_cast<std::size_t>(std::distance(lengths.begin(), lengths.find(length)));
}

/// Numbers of DPUs below those of the layer over which it can be split, the most first.
std::set<std::int64_t, std::greater<>> fewerDpus(const upmem::LutLayer& layer) {
    const auto divisors = [](std::int64_t number, std::int64_t most) {
        std::vector<std::int64_t> found;
        for (std::int64_t part = 1; part <= std::min(number, most); ++part)
            if (number % part == 0)
                found.push_back(part);
        return found;
    };
    std::set<std::int64_t, std::greater<>> counts;
    const auto byFeatures = divisors(layer.features, layer.dpus);
    for (const std::int64_t rows : divisors(layer.rows, layer.dpus))
        for (const std::int64_t features : byFeatures)
            if (rows * features < layer.dpus)
                counts.insert(rows * features);
    return counts;
}

} // namespace

std::int64_t LutLandscape::points() const {
    std::int64_t count = 0;
    for (const upmem::LutSplitPoints& split : splits)
        count += std::max<std::int64_t>(1, std::ssize(split.points));
    return count;
}

std::int64_t LutLandscape::rejected() const {
    std::int64_t count = 0;
    for (const upmem::LutSplitPoints& split : splits)
        count +=
            split.points.empty() ? 1 : std::ranges::count_if(split.points, [](const upmem::LutPoint& point) {
                return !point.best;
            });
    return count;
}

Result<upmem::LutTuning> tuneOnMost(upmem::LutLayer& layer, const TaskContext& task) {
    PIM_TRY(const upmem::LutTuning asked, upmem::tune(layer));
    if (asked.mapping)
        return asked;
    for (const std::int64_t dpus : fewerDpus(layer)) {
        if (task.cancelled())
            return TaskContext::cancelledError("looking for a number of DPUs");
        upmem::LutLayer fewer = layer;
        fewer.dpus = dpus;
        PIM_TRY(auto tuning, upmem::tune(fewer));
        if (tuning.mapping) {
            layer = fewer;
            return tuning;
        }
    }
    return asked;
}

Result<LutLandscape> lutLandscape(const upmem::LutLayer& layer, const TaskContext& task) {
    LutLandscape found;
    found.layer = layer;
    PIM_TRY(found.best, upmem::tune(layer));
    PIM_TRY(found.splits, upmem::landscape(layer));
    upmem::LutLayer usable = layer;
    PIM_TRY(const auto most, tuneOnMost(usable, task));
    found.usableDpus = most.mapping ? usable.dpus : 0;
    return found;
}

QString name(TileSide side) {
    switch (side) {
    case TileSide::Rows:
        return LutLandscapeWords::tr("tile rows, n_mtile");
    case TileSide::Features:
        return LutLandscapeWords::tr("tile features, f_mtile");
    case TileSide::Codebooks:
        break;
    }
    return LutLandscapeWords::tr("tile codebooks, cb_mtile");
}

std::ptrdiff_t LutCells::best() const {
    const auto least = std::ranges::min_element(cells, {}, &LutCell::seconds);
    return least != cells.end() && least->isPossible() ? least - cells.begin() : -1;
}

LutCells splitMap(const LutLandscape& landscape, TileSide side) {
    std::set<std::int64_t> lengths;
    for (const upmem::LutSplitPoints& split : landscape.splits)
        for (const upmem::LutPoint& point : split.points)
            lengths.insert(lengthOf(point, side));
    if (lengths.empty())
        lengths.insert(0); // a row for what cannot be at all
    LutCells map;
    map.columnTitle = LutLandscapeWords::tr("sub-LUT, n_stile x f_stile");
    map.rowTitle = name(side);
    map.rows = numbers(lengths);
    if (*lengths.begin() == 0)
        map.rows = QStringList{QStringLiteral("–")};
    for (const upmem::LutSplitPoints& split : landscape.splits)
        map.columns << QStringLiteral("%1 x %2").arg(split.split.rows).arg(split.split.features);
    const auto columns = landscape.splits.size();
    map.cells.resize(columns * lengths.size());
    for (std::size_t s = 0; s < columns; ++s) {
        const upmem::LutSplitPoints& split = landscape.splits[s];
        if (split.points.empty())
            for (std::size_t row = 0; row < lengths.size(); ++row)
                map.cells[row * columns + s] = {std::ptrdiff_t(s), -1,
                                                std::numeric_limits<double>::infinity(), text(split.reason)};
        for (std::size_t p = 0; p < split.points.size(); ++p) {
            const std::size_t row = placeOf(lengths, lengthOf(split.points[p], side));
            take(map.cells[row * columns + s], std::ptrdiff_t(s), std::ptrdiff_t(p), split.points[p]);
        }
    }
    return map;
}

LutCells tileMap(const LutLandscape& landscape, std::ptrdiff_t split, std::int64_t codebooks) {
    LutCells map;
    map.columnTitle = name(TileSide::Features);
    map.rowTitle = name(TileSide::Rows);
    if (split < 0 || split >= std::ssize(landscape.splits))
        return map;
    const auto& points = landscape.splits[static_cast<std::size_t>(split)].points;
    std::set<std::int64_t> rows, features;
    for (const upmem::LutPoint& point : points) {
        rows.insert(point.rows);
        features.insert(point.features);
    }
    map.rows = numbers(rows);
    map.columns = numbers(features);
    map.cells.resize(rows.size() * features.size());
    for (std::size_t p = 0; p < points.size(); ++p)
        if (codebooks == 0 || points[p].codebooks == codebooks)
            take(map.cells[placeOf(rows, points[p].rows) * features.size() +
                           placeOf(features, points[p].features)],
                 split, std::ptrdiff_t(p), points[p]);
    return map;
}

std::vector<std::int64_t> codebookTiles(const LutLandscape& landscape, std::ptrdiff_t split) {
    std::set<std::int64_t> lengths;
    if (split >= 0 && split < std::ssize(landscape.splits))
        for (const upmem::LutPoint& point : landscape.splits[static_cast<std::size_t>(split)].points)
            lengths.insert(point.codebooks);
    return {lengths.begin(), lengths.end()};
}

std::optional<upmem::LutMapping> mappingOf(const LutLandscape& landscape, const LutCell& cell) {
    if (!cell.isPossible())
        return std::nullopt;
    const upmem::LutSplitPoints& split = landscape.splits[static_cast<std::size_t>(cell.split)];
    return upmem::LutMapping{split.split, *split.points[static_cast<std::size_t>(cell.point)].best};
}

upmem::LutTimes timesOf(const LutLandscape& landscape, const LutCell& cell) {
    if (!cell.isPossible())
        return {};
    return landscape.splits[static_cast<std::size_t>(cell.split)]
        .points[static_cast<std::size_t>(cell.point)]
        .times;
}

QString secondsText(double seconds) {
    return text(timeText(seconds * 1e9));
}

QString text(const upmem::LutMapping& mapping) {
    const upmem::LutKernel& kernel = mapping.kernel;
    QString load = text(upmem::name(kernel.load));
    if (kernel.load == upmem::LutLoad::Fine)
        load += QStringLiteral(" %1").arg(kernel.loadFeatures);
    if (kernel.load == upmem::LutLoad::Coarse)
        load += QStringLiteral(" %1 x %2").arg(kernel.loadFeatures).arg(kernel.loadCodebooks);
    return LutLandscapeWords::tr("sub-LUT %1 x %2 · tiles %3 x %4 x %5 · %6 · %7")
        .arg(mapping.split.rows)
        .arg(mapping.split.features)
        .arg(kernel.rows)
        .arg(kernel.features)
        .arg(kernel.codebooks)
        .arg(text(upmem::name(kernel.order)), load);
}

QString predictRows(const upmem::LutLayer& layer, const upmem::LutMapping& mapping) {
    const upmem::LutKernel& kernel = mapping.kernel;
    QStringList row;
    for (const std::int64_t number : {layer.rows, layer.codebooks, layer.centroids, layer.features,
                                      layer.dpus, layer.tasklets, mapping.split.rows, mapping.split.features})
        row << QString::number(number);
    row << text(upmem::name(kernel.order)) << text(upmem::name(kernel.load));
    for (const std::int64_t number :
         {kernel.rows, kernel.features, kernel.codebooks, kernel.loadFeatures, kernel.loadCodebooks})
        row << QString::number(number);
    return QStringLiteral(
               "N,CB,CT,F,pe,tasklets,n_stile,f_stile,loop_order,load_type,n_mtile,f_mtile,cb_mtile,"
               "f_load,cb_load\n%1\n")
        .arg(row.join(u','));
}

} // namespace pim::views
