// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/search/confirm.h"

#include "core/compile/pareto.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

constexpr std::string_view kPredicted = "total_ns", kSimulated = "simulated_ns", kSimulate = "simulate";

/// Some point on the front is at least as good in everything, and better in something.
bool isBeaten(const std::vector<double>& row, const std::vector<const std::vector<double>*>& front) {
    return std::ranges::any_of(front, [&](const std::vector<double>* other) {
        return std::ranges::equal(*other, row, [](double a, double b) { return a <= b; }) && *other != row;
    });
}

} // namespace

std::vector<std::size_t> pointsNearFront(const std::vector<SweepPoint>& points,
                                         const std::vector<std::string>& objectives, double margin) {
    std::vector<std::vector<double>> rows;
    for (const SweepPoint& point : points)
        rows.push_back(objectivesOf(point, objectives));
    const std::vector<bool> isOnFront = paretoFront(rows);
    std::vector<const std::vector<double>*> front;
    for (std::size_t p = 0; p < rows.size(); ++p)
        if (isOnFront[p])
            front.push_back(&rows[p]);
    std::vector<std::size_t> near;
    for (std::size_t p = 0; p < rows.size(); ++p) {
        if (std::ranges::any_of(rows[p], [](double value) { return std::isnan(value); }))
            continue;
        std::vector<double> better = rows[p];
        for (std::size_t o = 0; o < objectives.size(); ++o)
            if (objectives[o] == kPredicted)
                better[o] *= 1 - margin;
            else if (moreIsBetter(objectives[o])) // as much work in less time
                better[o] /= 1 - margin;
        if (isOnFront[p] || !isBeaten(better, front))
            near.push_back(p);
    }
    return near;
}

std::vector<std::string> confirmedObjectives(std::vector<std::string> objectives) {
    for (std::string& objective : objectives)
        objective = objective == kPredicted   ? std::string(kSimulated)
                    : moreIsBetter(objective) ? "simulated_macs_per_s"
                                              : objective;
    return objectives;
}

std::vector<SweepPoint> withConfirmed(std::vector<SweepPoint> points,
                                      const std::vector<SweepPoint>& simulated) {
    for (const SweepPoint& point : simulated)
        if (const auto at = std::ranges::lower_bound(points, point.index, {}, &SweepPoint::index);
            at != points.end() && at->index == point.index)
            *at = point;
    return points;
}

Result<ConfirmedSweep> confirmFront(const BackendList& backends, const SweepSetup& setup,
                                    std::vector<SweepPoint> points, std::vector<std::string> objectives,
                                    double margin, const SearchedPoint& told, const TaskContext& task,
                                    const std::vector<SweepPoint>& known) {
    if (std::ranges::find(objectives, kPredicted) == objectives.end())
        return fail(ErrorCode::Usage, "the front is not by total_ns, so there is nothing to confirm", {},
                    "have total_ns among the figures of the front");
    if (hasAxis(setup.axes, kSimulate))
        return fail(ErrorCode::Usage, "simulate is an axis, so points are simulated without being confirmed",
                    {}, "leave one of them out");
    SweepSetup simulated = setup;
    // One value more changes no index, wherever it stands; figures and conditions stay last.
    const auto last = std::ranges::find_if_not(simulated.axes, &SweepAxis::varies);
    simulated.axes.insert(last, {std::string(kSimulate), {"on"}, SweepAxis::Kind::Option});

    std::vector<std::int64_t> near;
    for (const std::vector<std::size_t>& model : pointsByModel(setup.axes, points)) {
        std::vector<SweepPoint> its;
        for (const std::size_t p : model)
            its.push_back(points[p]);
        for (const std::size_t p : pointsNearFront(its, objectives, margin))
            near.push_back(its[p].index);
    }
    std::ranges::sort(near);
    std::vector<std::int64_t> missing;
    std::ranges::copy_if(near, std::back_inserter(missing), [&](std::int64_t index) {
        return !std::ranges::binary_search(known, index, {}, &SweepPoint::index);
    });
    ConfirmedSweep confirmed;
    confirmed.confirmed = std::ssize(near);
    confirmed.objectives = confirmedObjectives(std::move(objectives));
    confirmed.points = withConfirmed(std::move(points), known);
    const auto place = [&](std::int64_t index) {
        return std::ranges::lower_bound(confirmed.points, index, {}, &SweepPoint::index);
    };
    std::int64_t done = std::ssize(near) - std::ssize(missing);
    PIM_CHECK(SweepEngine(backends, simulated)
                  .compute(missing,
                           [&](SweepPoint point) -> Result<void> {
                               const auto at = place(point.index);
                               point.values = at->values; // without "on"
                               if (told)
                                   PIM_CHECK(told(point));
                               *at = std::move(point);
                               task.report("simulating the front", ++done, std::ssize(near));
                               return {};
                           },
                           {task.stop, {}}));
    for (const std::int64_t index : near) {
        const SweepPoint& point = *place(index);
        const auto ns = point.figure(kSimulated);
        if (point.problem.empty() && ns && point.totalNs > 0)
            confirmed.slowest = std::max(confirmed.slowest, *ns / point.totalNs - 1);
    }
    return confirmed;
}

} // namespace pim
