// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Parallel coordinates of a sweep: how long a picture and a brush take, from a thousand to a million points. Medians of five; prints a table with the
/// exponent of growth.
#include "views/sweep/parallel_plot.h"

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
    fmt::print("{:>9} {:>12} {:>12} {:>9}\n", "points", "picture, ms", "brush, ms", "exponent");
    for (const int rows : {1'000, 10'000, 100'000, 1'000'000}) {
        std::mt19937 random(1); // NOLINT: the same points every time
        std::vector<ParallelAxis> axes;
        for (int a = 0; a < 6; ++a) {
            ParallelAxis& axis = axes.emplace_back(ParallelAxis{QString("axis %1").arg(a), {}, {}, a > 3});
            for (int row = 0; row < rows; ++row) {
                const double drawn = static_cast<double>(random()) / 4294967296.0;
                axis.values.push_back(a < 4 ? std::floor(drawn * 32)
                                            : 1 + drawn * 1000); // values of axes repeat
            }
        }
        std::vector<bool> marked(static_cast<std::size_t>(rows));
        for (std::size_t row = 0; row < marked.size(); row += 100)
            marked[row] = true;
        ParallelPlot plot;
        plot.resize(kSize);
        plot.setAxes(axes, marked);
        QImage image(kSize, QImage::Format_ARGB32_Premultiplied);
        const double drawn = milliseconds([&] {
            QPainter painter(&image);
            plot.paint(painter, kSize);
        });
        const double brushed = milliseconds([&] { plot.setBrush(0, std::pair(4.0, 9.0)); });
        fmt::print("{:>9} {:>12.1f} {:>12.2f} {:>9}\n", rows, drawn, brushed,
                   before > 0 ? fmt::format("{:.2f}", std::log10(drawn / before)) : std::string());
        before = drawn;
    }
    return 0;
}
