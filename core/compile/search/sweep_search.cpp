// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/search/sweep_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {

Result<SweepSearch> searchSweep(const BackendList& backends, const SweepSetup& setup,
                                const SearchOptions& options, std::vector<std::string> objectives,
                                const SearchedPoint& computed, const TaskContext& task,
                                std::map<std::int64_t, SweepPoint> known) {
    for (const SweepAxis& axis : setup.axes)
        if (axis.kind == SweepAxis::Kind::Model && axis.values.size() > 1)
            return fail(ErrorCode::Usage,
                        fmt::format("{} models are searched at once, and points of one are no better or "
                                    "worse than points of another",
                                    axis.values.size()),
                        axis.name, "price them together, model=geomean(A,B), or search for one at a time");
    SweepSearch found;
    found.objectives = std::move(objectives);
    std::vector<std::int64_t> radices;
    for (const SweepAxis& axis : setup.axes)
        radices.push_back(std::ssize(axis.values));
    const std::int64_t size = sweepSize(setup.axes);
    const std::int64_t wanted =
        options.method == SearchMethod::Exhaustive ? size : std::min(size, options.evaluations);
    SweepEngine engine(backends, setup);
    const auto price =
        [&](const std::vector<std::int64_t>& indices) -> Result<std::vector<std::vector<double>>> {
        std::vector<SweepPoint> batch;
        std::vector<std::int64_t> missing;
        for (const std::int64_t index : indices)
            if (const auto there = known.extract(index))
                batch.push_back(std::move(there.mapped()));
            else
                missing.push_back(index);
        if (!missing.empty())
            PIM_CHECK(engine.compute(missing,
                                     [&](SweepPoint point) -> Result<void> {
                                         if (computed)
                                             PIM_CHECK(computed(point));
                                         batch.push_back(std::move(point));
                                         task.report("searching",
                                                     std::ssize(found.points) + std::ssize(batch), wanted);
                                         return {};
                                     },
                                     {task.stop, {}}));
        std::ranges::sort(batch, {}, &SweepPoint::index);
        // What a batch without a single plan would be judged by is no choice for the others.
        if (found.objectives.empty() &&
            std::ranges::any_of(batch, [](const SweepPoint& point) { return point.problem.empty(); }))
            found.objectives = markSweep(setup.axes, batch).objectives;
        std::vector<std::vector<double>> rows;
        for (const SweepPoint& point : batch) {
            std::vector<double>& row = rows.emplace_back(objectivesOf(point, found.objectives));
            if (std::ranges::any_of(row, [](double value) { return std::isnan(value); }))
                row.clear();
        }
        std::ranges::move(batch, std::back_inserter(found.points));
        return rows;
    };
    PIM_CHECK(searchSpace(radices, options, price));
    std::ranges::sort(found.points, {}, &SweepPoint::index);
    return found;
}

} // namespace pim
