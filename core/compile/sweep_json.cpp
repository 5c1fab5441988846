// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep_json.h"

#include "core/base/parse_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

using PointDocument = nlohmann::ordered_json;
constexpr auto kReplaceInPoints = PointDocument::error_handler_t::replace; ///< Bytes that are no UTF-8.

/// \param marks its two; null: left out.
PointDocument pointDocument(const std::vector<SweepAxis>& axes, const SweepPoint& point,
                            const std::pair<bool, bool>* marks) {
    PointDocument row;
    row["point"] = point.index;
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axes[a].kind == SweepAxis::Kind::Dimension)
            row["bindings"][axes[a].name] =
                parsePositive<std::int64_t>(point.values[a]).value(); // checked before the sweep
        else
            row["chosen"][axes[a].name] = point.values[a];
    if (!point.problem.empty()) {
        row["problem"] = point.problem;
        return row;
    }
    row["total_ns"] = point.totalNs;
    row["host_only_ns"] = point.hostOnlyNs;
    row["macs_per_s"] = point.macsPerSecond();
    if (const auto rate = point.figure("simulated_macs_per_s"))
        row["simulated_macs_per_s"] = *rate;
    row["baselines"] = PointDocument::array();
    for (const Baseline& baseline : point.baselines)
        row["baselines"].push_back({{"id", baseline.id},
                                    {"total_ns", baseline.totalNs},
                                    {"speedup", point.totalNs > 0 ? baseline.totalNs / point.totalNs : 0}});
    for (const auto& [name, value] : point.figures)
        row[name] = value;
    if (marks) {
        row["best"] = marks->first;
        row["front"] = marks->second;
    }
    row["compile_ms"] = point.compileMs;
    return row;
}

} // namespace

std::vector<SweepAxis> variedAxes(const std::vector<SweepAxis>& axes) {
    return {axes.begin(), std::ranges::find_if_not(axes, &SweepAxis::varies)};
}

std::string sweepPointJson(const std::vector<SweepAxis>& axes, const SweepPoint& point) {
    return pointDocument(axes, point, nullptr).dump(-1, ' ', false, kReplaceInPoints);
}

std::string sweepJson(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                      const SweepMarks& marks) {
    PointDocument rows = PointDocument::array();
    for (std::size_t p = 0; p < points.size(); ++p) {
        const std::pair<bool, bool> itsMarks(marks.best[p], marks.front[p]);
        rows.push_back(pointDocument(axes, points[p], &itsMarks));
    }
    return rows.dump(2, ' ', false, kReplaceInPoints) + "\n";
}

} // namespace pim
