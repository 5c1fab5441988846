// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/sweep_output.h"

#include "core/base/number_text.h"
#include "core/base/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {
namespace {

double speedup(double baselineNs, double totalNs) {
    return totalNs > 0 ? baselineNs / totalNs : 0;
}

/// Columns beside those all sweeps have: what any point has, since targets differ in what they say.
struct Columns {
    std::vector<std::string> baselines, figures;

    explicit Columns(const std::vector<SweepPoint>& points) {
        const auto add = [](std::vector<std::string>& to, const std::string& name) {
            if (std::find(to.begin(), to.end(), name) == to.end())
                to.push_back(name);
        };
        for (const SweepPoint& point : points) {
            for (const Baseline& baseline : point.baselines)
                add(baselines, baseline.id);
            for (const auto& [name, value] : point.figures)
                add(figures, name);
        }
    }
};

const Baseline* baselineOf(const SweepPoint& point, const std::string& id) {
    const auto found = std::find_if(point.baselines.begin(), point.baselines.end(),
                                    [&](const Baseline& b) { return b.id == id; });
    return found == point.baselines.end() ? nullptr : &*found;
}

const double* figureOf(const SweepPoint& point, const std::string& name) {
    const auto found = std::find_if(point.figures.begin(), point.figures.end(),
                                    [&](const auto& f) { return f.first == name; });
    return found == point.figures.end() ? nullptr : &found->second;
}

std::string markText(const SweepMarks& marks, std::size_t at) {
    return marks.best[at] ? marks.front[at] ? "best, front" : "best" : marks.front[at] ? "front" : "";
}

} // namespace

std::string sweepCsv(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                     const SweepMarks& marks) {
    const Columns columns(points);
    std::string text;
    for (const SweepAxis& axis : axes)
        text += csvField(axis.name) + ",";
    text += "total_ns,host_only_ns,speedup_over_host,macs_per_s";
    for (const std::string& baseline : columns.baselines)
        text += fmt::format(",{0}_ns,speedup_over_{0}", baseline);
    for (const std::string& figure : columns.figures)
        text += "," + figure;
    text += ",best,front,problem\n";
    for (std::size_t p = 0; p < points.size(); ++p) {
        const SweepPoint& point = points[p];
        for (std::size_t a = 0; a < axes.size(); ++a)
            text += csvField(point.values[a]) + ",";
        text += !point.problem.empty()
                    ? ",,,"
                    : fmt::format("{},{},{},{}", point.totalNs, point.hostOnlyNs,
                                  speedup(point.hostOnlyNs, point.totalNs), point.macsPerSecond());
        for (const std::string& id : columns.baselines) {
            const Baseline* baseline = baselineOf(point, id);
            text += baseline
                        ? fmt::format(",{},{}", baseline->totalNs, speedup(baseline->totalNs, point.totalNs))
                        : ",,";
        }
        for (const std::string& name : columns.figures) {
            const double* figure = figureOf(point, name);
            text += figure ? fmt::format(",{}", *figure) : ",";
        }
        text += fmt::format(",{},{},{}\n", marks.best[p] ? 1 : 0, marks.front[p] ? 1 : 0,
                            csvField(point.problem));
    }
    return text;
}

std::string sweepTable(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                       const SweepMarks& marks) {
    const Columns columns(points);
    std::vector<std::string> headings;
    // A formula with one value is the same in all rows.
    const auto isShown = [](const SweepAxis& axis) {
        return axis.kind != SweepAxis::Kind::Hardware || axis.values.size() > 1;
    };
    for (const SweepAxis& axis : axes)
        if (isShown(axis))
            headings.push_back((axis.kind == SweepAxis::Kind::Dimension ? ">" : "") + axis.name);
    headings.insert(headings.end(), {"\tmark", ">total", ">over host", ">MAC/s"});
    for (const std::string& baseline : columns.baselines)
        headings.push_back(">over " + baseline);
    for (const std::string& figure : columns.figures)
        headings.push_back(">" + figure);
    TextTable table(std::move(headings));
    std::string problems;
    int leftOut = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const SweepPoint& point = points[p];
        std::vector<std::string> cells;
        for (std::size_t a = 0; a < axes.size(); ++a)
            if (isShown(axes[a]))
                cells.push_back(point.values[a]);
        const bool failed = !point.problem.empty();
        leftOut += point.isLeftOut() ? 1 : 0;
        if (failed && !point.isLeftOut()) {
            std::string where;
            for (std::size_t a = 0; a < axes.size(); ++a)
                where += fmt::format("{}{}={}", a ? ", " : "", axes[a].name, point.values[a]);
            problems += fmt::format("{} failed: {}\n", where, point.problem);
        }
        cells.push_back(point.isLeftOut() ? "left out" : failed ? "failed" : markText(marks, p));
        const auto add = [&](const std::string& text) { cells.push_back(failed ? "" : text); };
        add(timeText(point.totalNs));
        add(ratioText(speedup(point.hostOnlyNs, point.totalNs)));
        add(countText(point.macsPerSecond()));
        for (const std::string& id : columns.baselines) {
            const Baseline* baseline = baselineOf(point, id);
            add(baseline ? ratioText(speedup(baseline->totalNs, point.totalNs)) : "");
        }
        for (const std::string& name : columns.figures) {
            const double* figure = figureOf(point, name);
            add(!figure                    ? ""
                : name.ends_with("_share") ? percentText(*figure)
                                           : fmt::format("{:.10g}", *figure));
        }
        table.add(std::move(cells));
    }
    if (leftOut > 0)
        problems += fmt::format("{} of {} points were left out by conditions\n", leftOut, points.size());
    return table.text() + problems;
}

} // namespace pim::cli
