// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep.h"

#include "core/compile/pareto.h"
#include "core/compile/sweep_setting.h"
#include "core/hardware/spelling.h"
#include "core/hardware/target_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace pim {
namespace {

constexpr std::string_view kRate = "macs_per_s", kSimulatedRate = "simulated_macs_per_s";

bool isFigureOf(const Target* target, std::string_view name) {
    return target && targetFigure(*target, name);
}

Result<SweepAxis::Kind> kindOf(const BackendList& backends, const Graph& graph, const Target* target,
                               const SweepAxis& axis) {
    using Kind = SweepAxis::Kind;
    if (!axis.varies())
        return axis.kind;
    if (std::any_of(graph.bindings.begin(), graph.bindings.end(),
                    [&](const DimBinding& b) { return b.symbol == axis.name; }))
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
    if (decisionOf(graph, axis.name))
        return Kind::Decision;
    std::vector<std::string> names{"target"};
    std::string known;
    for (const DimBinding& binding : graph.bindings) {
        known += (known.empty() ? "" : ", ") + binding.symbol;
        names.push_back(binding.symbol);
    }
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
                          known.empty() ? "all are fixed" : known));
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
    PIM_TRY(setup.base, buildGraph(*setup.model, setup.graph, {task.stop, {}}));
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
        PIM_TRY(axis.kind, kindOf(backends, *setup.base, setup.request.target.get(), axis));
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

SweepMarks markSweep(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
                     std::vector<std::string> objectives) {
    SweepMarks marks{std::vector<bool>(points.size()), {}, std::move(objectives)};
    if (marks.objectives.empty())
        marks.objectives = usualObjectives(axes, points);
    const auto isSize = [](const SweepAxis& axis) { return axis.kind == SweepAxis::Kind::Dimension; };
    const bool onlySizes = std::all_of(axes.begin(), axes.end(), isSize);
    std::map<std::vector<std::string>, std::size_t> best;
    for (std::size_t p = 0; p < points.size(); ++p) {
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
    std::vector<std::vector<double>> figures;
    for (const SweepPoint& point : points)
        figures.push_back(objectivesOf(point, marks.objectives));
    marks.front = paretoFront(figures);
    return marks;
}

} // namespace pim
