// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/schedule/map_cuts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pim {

int rowParts(const PixelMap& map, std::int64_t workers, bool square) {
    constexpr double kUneven = 0.02; // more work for the busiest worker is not worth fewer loads
    const std::int64_t count = std::min(workers, map.pixels());
    const int fewest = int((count + map.width - 1) / map.width),
              most = int(std::min<std::int64_t>(map.height, count));
    if (!square || count <= 1)
        return std::max(1, fewest);
    const auto busiest = [&](int parts) { // pixels of the busiest worker
        double pixels = 0;
        for (int part = 0; part < parts; ++part) {
            const std::int64_t first = count * part / parts, last = count * (part + 1) / parts;
            const auto rows = std::lround(double(map.height) * double(last) / double(count)) -
                              std::lround(double(map.height) * double(first) / double(count));
            // Columns that do not divide leave a worker about one pixel more than others, see cutMap().
            pixels = std::max(pixels, double(rows) * map.width / double(last - first) +
                                          (map.width % (last - first) != 0 ? 1 : 0));
        }
        return pixels;
    };
    const auto border = [&](int parts) {
        return double(map.height) / parts + double(map.width) * parts / double(count);
    };
    const double allowed = busiest(fewest) * (1 + kUneven);
    int best = fewest;
    for (int parts = fewest + 1; parts <= most; ++parts)
        if (border(parts) < border(best) && busiest(parts) <= allowed)
            best = parts;
    return best;
}

int rowsOfTiles(const PixelMap& map, std::int64_t workers) {
    return std::clamp(int(std::lround(std::sqrt(double(workers) * map.height / map.width))), 1, map.height);
}

std::vector<std::vector<ColumnSpan>> cutMap(const PixelMap& map, std::span<const double> weights, int parts,
                                            bool straight) {
    // Strips of a whole number of columns would leave some cores with one more than others; borders that change from row to row
    // even that out. The golden ratio spreads them.
    constexpr double kGolden = 0.6180339887498949;
    std::vector<std::vector<ColumnSpan>> spans(weights.size(),
                                               std::vector<ColumnSpan>(std::size_t(map.height)));
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    double above = 0;
    for (int part = 0; part < parts; ++part) {
        const std::size_t first = weights.size() * std::size_t(part) / std::size_t(parts),
                          last = weights.size() * std::size_t(part + 1) / std::size_t(parts);
        double weight = 0;
        for (std::size_t i = first; i < last; ++i)
            weight += weights[i];
        const int top = int(std::lround(map.height * above / all)),
                  bottom = int(std::lround(map.height * (above + weight) / all));
        for (int y = top; y < bottom; ++y) {
            const double shift = straight ? 0.5 : std::fmod((y - top) * kGolden, 1.0);
            double done = 0;
            int from = 0;
            for (std::size_t i = first; i < last; ++i) {
                done += weights[i];
                const int to = i + 1 == last ? map.width
                                             : std::clamp(int(std::floor(map.width * done / weight + shift)),
                                                          from, map.width);
                spans[i][std::size_t(y)] = {from, to};
                from = to;
            }
        }
        above += weight;
    }
    return spans;
}

double borderShare(const PixelMap& out, const PixelWindow& window, std::int64_t workers) {
    const double parts = rowParts(out, workers, true);
    const double width = out.width * parts / double(workers) * window.strideX,
                 height = out.height / parts * window.strideY;
    return (width + std::max(0, window.kernelX - window.strideX)) / width *
           (height + std::max(0, window.kernelY - window.strideY)) / height;
}

} // namespace pim
