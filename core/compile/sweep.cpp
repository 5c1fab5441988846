// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep.h"

#include "core/compile/pareto.h"
#include "core/compile/sweep_networks.h"
#include "core/compile/sweep_setting.h"
#include "core/hardware/spelling.h"
#include "core/hardware/target_figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace pim {
namespace {

constexpr std::string_view kRate = "macs_per_s", kSimulatedRate = "simulated_macs_per_s";

bool isFigureOf(const Target* target, std::string_view name) {
    return target && targetFigure(*target, name);
}

/// \param graphs of all networks: what one of them has is an axis of all.
Result<SweepAxis::Kind> kindOf(const BackendList& backends, const std::vector<const Graph*>& graphs,
                               const Target* target, const SweepAxis& axis) {
    using Kind = SweepAxis::Kind;
    if (!axis.varies())
        return axis.kind;
    if (axis.name == kModelAxis)
        return Kind::Model;
    std::vector<std::string> dimensions;
    for (const Graph* const graph : graphs)
        for (const DimBinding& binding : graph->bindings)
            if (std::ranges::find(dimensions, binding.symbol) == dimensions.end())
                dimensions.push_back(binding.symbol);
    if (std::ranges::find(dimensions, axis.name) != dimensions.end())
        return Kind::Dimension;
    if (axis.name == "target")
        return Kind::Target;
    const auto options = sweepOptionNames(backends);
    // The family of a family's option may be left out: what is meant then, the target says.
    if (std::any_of(options.begin(), options.end(), [&](const auto& option) {
            const std::size_t dot = option.first.find('.');
            return option.first == axis.name || (dot != std::string::npos && !isPassOption(option.first) &&
                                                 option.first.substr(dot + 1) == axis.name);
        }))
        return Kind::Option;
    if (isFigureOf(target, axis.name))
        return Kind::Hardware;
    if (std::ranges::any_of(graphs,
                            [&](const Graph* graph) { return decisionOf(*graph, axis.name).has_value(); }))
        return Kind::Decision;
    std::vector<std::string> names{"target", std::string(kModelAxis)};
    names.insert(names.end(), dimensions.begin(), dimensions.end());
    for (const auto& [option, values] : options)
        names.push_back(option);
    for (const TargetFigure& value : target ? targetFigures(*target) : std::vector<TargetFigure>())
        names.push_back(value.name);
    const std::string meant = didYouMean(axis.name, names);
    return fail(
        ErrorCode::Usage, "is no dimension, option, figure of the machine or decision about an op", axis.name,
        !meant.empty()
            ? meant
            : fmt::format("dimensions of the model: {}; options are in pimc sweep --help, figures of a "
                          "machine in pimc targets NAME, decisions are FIELD:OP",
                          dimensions.empty() ? "all are fixed"
                                             : fmt::format("{}", fmt::join(dimensions, ", "))));
}

Result<void> checkValues(const BackendList& backends, const SweepAxis& axis, const PlanRequest& request) {
    for (const std::string& value : axis.values) {
        const bool isRank = axis.kind == SweepAxis::Kind::Decision && axis.name.starts_with("draft:");
        if (axis.kind == SweepAxis::Kind::Dimension || isRank)
            PIM_CHECK(sizeFrom(value, axis.name));
        if (axis.kind == SweepAxis::Kind::Option) {
            CompileOptions changed = request.options;
            GraphOptions graph;
            PIM_CHECK(isPassOption(axis.name)
                          ? setPassOption(graph, axis.name + "=" + value)
                          : setOption(backends, changed, axis.name, value, backendOf(request)));
        }
        // Values may contradict each other until others have changed too; what is no value stays none.
        if (axis.kind == SweepAxis::Kind::Hardware)
            if (const auto changed = changedTarget(*request.target, {{axis.name, value}});
                !changed && changed.error().code == ErrorCode::Usage)
                return tl::unexpected<Error>(changed.error());
    }
    return {};
}

std::vector<std::string> usualObjectives(const std::vector<SweepAxis>& axes,
                                         const std::vector<SweepPoint>& points) {
    const auto areThere = [&](SweepAxis::Kind kind) {
        return std::ranges::any_of(axes, [&](const SweepAxis& axis) { return axis.kind == kind; });
    };
    const bool hasOwn = areThere(SweepAxis::Kind::Figure);
    if (!hasOwn && !areThere(SweepAxis::Kind::Hardware))
        return {"total_ns", std::string(kRate)};
    const auto allHave = [&](std::string_view key) {
        return std::ranges::all_of(
            points, [&](const SweepPoint& point) { return !point.problem.empty() || point.figure(key); });
    };
    std::vector<std::string> objectives{allHave("simulated_ns") ? "simulated_ns" : "total_ns"};
    if (hasOwn) { // whoever gives a figure of their own asks for it
        for (const SweepAxis& axis : axes)
            if (axis.kind == SweepAxis::Kind::Figure && allHave(axis.name))
                objectives.push_back(axis.name);
        return objectives;
    }
    for (const char* const key : {"area_mm2", "system_energy_pj"})
        if (allHave(key))
            objectives.emplace_back(key);
    return objectives;
}

} // namespace

Result<void> prepareSweep(const BackendList& backends, SweepSetup& setup, const TargetCatalog& catalog,
                          std::string_view host, const TaskContext& task) {
    const std::int64_t points = sweepSize(setup.axes);
    if (points < 1 || points > setup.mostPoints)
        return fail(ErrorCode::Usage,
                    fmt::format("the sweep has {} combinations; allowed are 1 to {}",
                                points < 1 ? "no or too many" : std::to_string(points), setup.mostPoints),
                    {}, "give fewer values, or look at some of them with --search nsga2 or random");
    std::vector<const Graph*> graphs;
    if (hasAxis(setup.axes, kModelAxis)) {
        PIM_CHECK(findNetworks(setup, task));
        for (const SweepNetwork& network : setup.networks)
            graphs.push_back(network.base.get());
    } else {
        PIM_TRY(setup.base, buildGraph(*setup.model, setup.graph, {task.stop, {}}));
        graphs.push_back(setup.base.get());
    }
    setup.targets.clear();
    for (const SweepAxis& axis : setup.axes)
        if (axis.name == "target")
            for (const std::string& value : axis.values) {
                PIM_TRY(auto target, catalog.find(value, host));
                setup.targets.push_back(std::move(target));
            }
    if (setup.request.target == nullptr && !setup.targets.empty())
        setup.request.target = setup.targets.front();
    for (SweepAxis& axis : setup.axes) {
        PIM_TRY(axis.kind, kindOf(backends, graphs, setup.request.target.get(), axis));
    }
    for (const SweepAxis& axis : setup.axes)
        PIM_CHECK(checkValues(backends, axis, setup.request));
    return {};
}

std::optional<double> SweepPoint::figure(std::string_view key) const {
    const std::pair<std::string_view, double> own[] = {
        {"total_ns", totalNs}, {"host_only_ns", hostOnlyNs}, {kRate, macsPerSecond()}};
    for (const auto& [name, value] : own)
        if (name == key && totalNs > 0)
            return value;
    if (key == kSimulatedRate) {
        const auto ns = figure("simulated_ns");
        return ns && *ns > 0 ? std::optional(macs / *ns * 1e9) : std::nullopt;
    }
    for (const auto& [name, value] : figures)
        if (name == key)
            return value;
    return std::nullopt;
}

bool moreIsBetter(std::string_view figure) {
    return figure == kRate || figure == kSimulatedRate;
}

std::vector<double> objectivesOf(const SweepPoint& point, const std::vector<std::string>& objectives) {
    std::vector<double> row;
    for (const std::string& objective : objectives) {
        const double value =
            point.problem.empty() ? point.figure(objective).value_or(std::nan("")) : std::nan("");
        row.push_back(moreIsBetter(objective) ? -value : value);
    }
    return row;
}

std::vector<std::vector<std::size_t>> pointsByModel(const std::vector<SweepAxis>& axes,
                                                    const std::vector<SweepPoint>& points) {
    const auto model = static_cast<std::size_t>(
        std::ranges::find(axes, SweepAxis::Kind::Model, &SweepAxis::kind) - axes.begin());
    std::map<std::string_view, std::vector<std::size_t>> groups;
    for (std::size_t p = 0; p < points.size(); ++p)
        groups[model < axes.size() ? points[p].values[model] : std::string_view()].push_back(p);
    std::vector<std::vector<std::size_t>> all;
    for (auto& [name, positions] : groups)
        all.push_back(std::move(positions));
    return all;
}

SweepMarks markSweep(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                     std::vector<std::string> objectives) {
    SweepMarks marks{std::vector<bool>(points.size()), std::vector<bool>(points.size()),
                     std::move(objectives)};
    if (marks.objectives.empty())
        marks.objectives = usualObjectives(axes, points);
    const auto isSize = [](const SweepAxis& axis) { return axis.kind == SweepAxis::Kind::Dimension; };
    const bool onlySizes = std::ranges::all_of(
        axes, [&](const SweepAxis& axis) { return isSize(axis) || axis.kind == SweepAxis::Kind::Model; });
    for (const std::vector<std::size_t>& group : pointsByModel(axes, points)) {
        std::map<std::vector<std::string>, std::size_t> best;
        std::vector<std::vector<double>> figures;
        for (const std::size_t p : group) {
            figures.push_back(objectivesOf(points[p], marks.objectives));
            if (!points[p].problem.empty())
                continue;
            std::vector<std::string> sizes;
            for (std::size_t a = 0; a < axes.size() && !onlySizes; ++a)
                if (isSize(axes[a]))
                    sizes.push_back(points[p].values[a]);
            const auto [found, isFirst] = best.try_emplace(sizes, p);
            const SweepPoint &now = points[p], &other = points[found->second];
            if (!isFirst &&
                (onlySizes ? now.macsPerSecond() > other.macsPerSecond() : now.totalNs < other.totalNs))
                found->second = p;
        }
        for (const auto& [sizes, p] : best)
            marks.best[p] = true;
        const std::vector<bool> front = paretoFront(figures);
        for (std::size_t i = 0; i < group.size(); ++i)
            marks.front[group[i]] = front[i];
    }
    return marks;
}

} // namespace pim
