// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Parallel coordinates and the scatter matrix of a sweep: how long a picture and a brush take, from a thousand to a million points. Medians of five; prints
/// a table with the exponent of growth. Two of the figures are
/// on the front of their pair everywhere: none is longer.
#include "views/common/palette.h"
#include "views/sweep/parallel_plot.h"
#include "views/sweep/scatter_matrix.h"

#include <QApplication>
#include <QImage>
#include <QPainter>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>

using namespace pim::views;

namespace {

double milliseconds(const std::function<void()>& work) {
    std::vector<double> all;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        all.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::ranges::sort(all);
    return all[2];
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    applyTheme(Theme::Light);
    constexpr QSize kSize(1200, 500);
    double before = 0;
    fmt::print("{:>9} {:>14} {:>12} {:>9} {:>12} {:>13} {:>12}\n", "points", "all axes, ms", "brush, ms",
               "exponent", "matrix, ms", "fronts, ms", "drag, ms");
    for (const int rows : {1'000, 10'000, 100'000, 1'000'000}) {
        std::mt19937 random(1); // NOLINT: the same points every time
        std::vector<PointColumn> columns;
        const auto drawn = [&] { return static_cast<double>(random()) / 4294967296.0; };
        for (int a = 0; a < 6; ++a) {
            PointColumn& column = columns.emplace_back();
            column.name = QString("axis %1").arg(a);
            column.isLogarithmic = a > 3;
            column.isAxis = a < 2;
            column.isObjective = a > 3;
            column.better = a < 2 ? PointColumn::Better::Unknown : PointColumn::Better::Less;
            for (int row = 0; row < rows; ++row)
                column.values.push_back(a < 4 ? std::floor(drawn() * 32) // values of axes repeat
                                              : 1 + drawn() * 1000);
        }
        // Two figures that are on the front of their pair, all of them.
        for (int row = 0; row < rows; ++row)
            columns[5].values[static_cast<std::size_t>(row)] =
                1e6 / columns[4].values[static_cast<std::size_t>(row)];
        std::vector<bool> marked(static_cast<std::size_t>(rows));
        for (std::size_t row = 0; row < marked.size(); row += 100)
            marked[row] = true;
        PointBrushes points;
        ParallelPlot plot(points);
        ScatterMatrix matrix(points);
        plot.resize(kSize);
        matrix.resize(kSize);
        points.setPoints(columns, marked);
        matrix.setShown({0, 1, 2, 3, 4, 5});
        QImage image(kSize, QImage::Format_ARGB32_Premultiplied);
        const auto draw = [&](auto& picture) {
            QPainter painter(&image);
            picture.paint(painter, kSize);
        };
        const double lines = milliseconds([&] { draw(plot); });
        const double brushed = milliseconds([&] { points.setBrush(0, std::pair(4.0, 9.0)); });
        points.clear();
        const double fronts = milliseconds([&] {
            matrix.setShown({0, 1, 2, 3, 4, 5}); // places and fronts anew
            (void)matrix.shown();
        });
        const double dots = milliseconds([&] { draw(matrix); });
        const double dragged = milliseconds([&] {
            points.setBrushes({{2, std::pair(4.0, 9.0)}, {4, std::pair(100.0, 400.0)}});
            draw(matrix);
        });
        fmt::print("{:>9} {:>14.1f} {:>12.2f} {:>9} {:>12.1f} {:>13.1f} {:>12.1f}\n", rows, lines, brushed,
                   before > 0 ? fmt::format("{:.2f}", std::log10(lines / before)) : std::string(), dots,
                   fronts, dragged);
        before = lines;
    }
    return 0;
}
