// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep.h"

#include "core/base/parse_number.h"

#include "core/compile/compiler.h"
#include "core/plan/draft_facet.h"
#include "core/plan/family_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

namespace pim {
namespace {

constexpr std::int64_t kMostPoints = 10'000;
constexpr std::string_view kDraft = "draft";

Result<std::int64_t> sizeFrom(const std::string& text, const std::string& where) {
    const auto value = parsePositive<std::int64_t>(text);
    if (!value)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no number from 1 on", text), where,
                    "give whole numbers");
    return *value;
}

Result<bool> switchFrom(const std::string& text, const std::string& where) {
    if (text != "on" && text != "off")
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is neither on nor off", text), where);
    return text == "on";
}

/// \param target id of the backend whose options are meant by a name alone.
Result<void> setOption(const BackendList& backends, CompileOptions& options, const std::string& option,
                       const std::string& value, std::string_view target) {
    if (option == "dtype") {
        const auto type = dataTypeFromName(value);
        if (!type)
            return fail(ErrorCode::Usage, fmt::format("no such type \"{}\"", value), option,
                        "f16, bf16, f32, i8 and others");
        options.computeType = *type;
    } else if (option == "conv") {
        if (value != "gemm" && value != "direct")
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is neither gemm nor direct", value), option);
        options.convAsGemm = value == "gemm";
    } else if (option == "overlap-transfer") {
        PIM_TRY(options.overlapHostTransfer, switchFrom(value, option));
    } else if (option == "group-commands") {
        PIM_TRY(options.groupCommands, switchFrom(value, option));
    } else {
        return setFamilyOption(backends, options, option, value, target);
    }
    return {};
}

/// "fuse_gelu.form"
bool isPassOption(std::string_view axis) {
    return std::ranges::any_of(passOptions(), [&](const PassOption& option) { return option.name == axis; });
}

/// "placement:fc1" -> field and op. Either may have a colon in its name, so the op is the one there is.
std::optional<std::pair<std::string, OpId>> decisionOf(const Graph& graph, const std::string& axis) {
    for (std::size_t at = axis.find(':'); at != std::string::npos; at = axis.find(':', at + 1))
        if (const OpId op = graph.findOp(axis.substr(at + 1)); op.valid() && at > 0)
            return std::pair{axis.substr(0, at), op};
    return std::nullopt;
}

Result<SweepAxis::Kind> kindOf(const BackendList& backends, const Graph& graph, const SweepAxis& axis) {
    using Kind = SweepAxis::Kind;
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
    if (decisionOf(graph, axis.name))
        return Kind::Decision;
    std::string known;
    for (const DimBinding& binding : graph.bindings)
        known += (known.empty() ? "" : ", ") + binding.symbol;
    std::string named = "target";
    for (const auto& [option, values] : options)
        named += ", " + option;
    return fail(ErrorCode::Usage, "the model has no open dimension and no op of this name", axis.name,
                fmt::format("{}; in addition to dimensions: {}, or FIELD:OP",
                            known.empty() ? "all its dimensions are fixed" : "it has: " + known, named));
}

std::string_view backendOf(const PlanRequest& request) {
    return request.target ? std::string_view(request.target->backend) : std::string_view();
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
    }
    return {};
}

/// Computes points; remembers kernels that were searched, and the drafts of an op while only their rank changes.
class Sweeper {
public:
    Sweeper(const BackendList& backends, const SweepSetup& setup)
        : m_backends(backends), m_setup(setup), m_cache(setup.drafts) {}

    SweepPoint point(std::int64_t index, const TaskContext& task) {
        SweepPoint point;
        point.index = index;
        point.values = sweepValues(m_setup.axes, index);
        const auto start = std::chrono::steady_clock::now();
        if (const auto done = compute(point, task); !done)
            point.problem = done.error().text();
        point.compileMs =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        return point;
    }

private:
    Result<void> compute(SweepPoint& point, const TaskContext& task) {
        using Kind = SweepAxis::Kind;
        GraphOptions graph = m_setup.graph;
        PlanRequest request = m_setup.request;
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a) {
            const SweepAxis& axis = m_setup.axes[a];
            const std::string& value = point.values[a];
            if (axis.kind == Kind::Dimension) {
                PIM_TRY(graph.bindings[axis.name], sizeFrom(value, axis.name));
            } else if (axis.kind == Kind::Option && isPassOption(axis.name)) {
                PIM_CHECK(setPassOption(graph, axis.name + "=" + value));
            } else if (axis.kind == Kind::Target) {
                request.target = m_setup.targets[static_cast<std::size_t>(
                    std::find(axis.values.begin(), axis.values.end(), value) - axis.values.begin())];
            }
        }
        for (std::size_t a = 0; a < m_setup.axes.size(); ++a)
            if (m_setup.axes[a].kind == Kind::Option && !isPassOption(m_setup.axes[a].name))
                PIM_CHECK(setOption(m_backends, request.options, m_setup.axes[a].name, point.values[a],
                                    backendOf(request)));
        PIM_TRY(request.graph, buildGraph(*m_setup.model, graph, task));
        PIM_CHECK(decide(request, point.values, task));
        PIM_TRY(const auto plan, compile(m_backends, request, &m_cache, task));
        point.totalNs = plan->total.totalNs();
        point.hostOnlyNs = plan->hostOnlyNs;
        point.macs = static_cast<double>(request.graph->totalWork().macs);
        point.baselines = plan->baselines;
        if (plan->detail)
            point.figures = plan->detail->figures();
        return {};
    }

    /// Decisions first, then drafts: the drafts an op has may hang on what was decided.
    Result<void> decide(PlanRequest& request, const std::vector<std::string>& values,
                        const TaskContext& task) {
        for (const bool drafts : {false, true})
            for (std::size_t a = 0; a < m_setup.axes.size(); ++a) {
                if (m_setup.axes[a].kind != SweepAxis::Kind::Decision)
                    continue;
                const auto decision = decisionOf(*request.graph, m_setup.axes[a].name);
                if (!decision)
                    return fail(ErrorCode::NotFound, "the op is not there with these sizes",
                                m_setup.axes[a].name);
                const auto& [field, op] = *decision;
                if ((field == kDraft) != drafts)
                    continue;
                std::string value = values[a];
                if (drafts) {
                    PIM_TRY(value, draftOfRank(request, op, a, values, task));
                }
                request.overrides.set({request.graph->op(op).name, field, value});
            }
        return {};
    }

    Result<std::string> draftOfRank(const PlanRequest& request, OpId op, std::size_t axis,
                                    std::vector<std::string> values, const TaskContext& task) {
        PIM_TRY(const std::int64_t rank, sizeFrom(values[axis], m_setup.axes[axis].name));
        values[axis].clear();
        auto& [key, exploration] = m_explorations[axis];
        if (!exploration || key != values) {
            PIM_TRY(const Backend* backend, m_backends.find(request.target->backend));
            PIM_TRY(const DraftFacet* drafts, draftsOf(*backend, request.graph->op(op).name));
            PIM_TRY(exploration, drafts->explore(request, op, task));
            key = values;
        }
        if (rank > std::ssize(exploration->drafts))
            return fail(ErrorCode::NotFound, fmt::format("there is no draft {}", rank),
                        m_setup.axes[axis].name,
                        fmt::format("the op has {} drafts", exploration->drafts.size()));
        return exploration->space->draftText(exploration->drafts[static_cast<std::size_t>(rank - 1)]);
    }

    const BackendList& m_backends;
    const SweepSetup& m_setup;
    PlanCache m_cache;
    /// By axis.
    std::map<std::size_t, std::pair<std::vector<std::string>, std::shared_ptr<const Exploration>>>
        m_explorations;
};

} // namespace

Result<void> prepareSweep(const BackendList& backends, SweepSetup& setup, const TargetCatalog& catalog,
                          std::string_view host, const TaskContext& task) {
    const std::int64_t points = sweepSize(setup.axes);
    if (points < 1 || points > kMostPoints)
        return fail(ErrorCode::Usage,
                    fmt::format("the sweep has {} combinations; allowed are 1 to {}",
                                points < 1 ? "no or too many" : std::to_string(points), kMostPoints),
                    {}, "give fewer values");
    PIM_TRY(setup.base, buildGraph(*setup.model, setup.graph, {task.stop, {}}));
    setup.targets.clear();
    for (SweepAxis& axis : setup.axes) {
        PIM_TRY(axis.kind, kindOf(backends, *setup.base, axis));
        if (axis.kind == SweepAxis::Kind::Target)
            for (const std::string& value : axis.values) {
                PIM_TRY(auto target, catalog.find(value, host));
                setup.targets.push_back(std::move(target));
            }
    }
    if (setup.request.target == nullptr && !setup.targets.empty())
        setup.request.target = setup.targets.front();
    for (const SweepAxis& axis : setup.axes)
        PIM_CHECK(checkValues(backends, axis, setup.request));
    return {};
}

Result<void> sweep(const BackendList& backends, const SweepSetup& setup,
                   const std::set<std::int64_t>& finished, const SweepPointDone& done,
                   const TaskContext& task) {
    const std::int64_t points = sweepSize(setup.axes);
    auto behind = static_cast<std::int64_t>(finished.size());
    Sweeper sweeper(backends, setup);
    for (std::int64_t index = 0; index < points; ++index) {
        if (finished.contains(index))
            continue;
        if (task.cancelled())
            return TaskContext::cancelledError("the sweep");
        task.report("sweeping", behind++, points);
        SweepPoint point = sweeper.point(index, {task.stop, {}});
        if (task.cancelled()) // what was cut short is no result
            return TaskContext::cancelledError("the sweep");
        PIM_CHECK(done(std::move(point)));
    }
    return {};
}

SweepMarks markSweep(const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points) {
    SweepMarks marks{std::vector<bool>(points.size()), std::vector<bool>(points.size())};
    const auto isSize = [](const SweepAxis& axis) { return axis.kind == SweepAxis::Kind::Dimension; };
    const bool onlySizes = std::all_of(axes.begin(), axes.end(), isSize);
    std::map<std::vector<std::string>, std::size_t> best;
    std::vector<std::size_t> byTime;
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (!points[p].problem.empty())
            continue;
        byTime.push_back(p);
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
    // From the quickest on, a point is on the front if it does more a second than all quicker ones.
    std::sort(byTime.begin(), byTime.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(points[a].totalNs, -points[a].macsPerSecond()) <
               std::pair(points[b].totalNs, -points[b].macsPerSecond());
    });
    double most = -1, mostNs = 0;
    for (const std::size_t p : byTime) {
        const double now = points[p].macsPerSecond();
        const bool same = now == most && points[p].totalNs == mostNs; // neither is better than the other
        if (now > most || same)
            marks.front[p] = true;
        if (now > most)
            most = now, mostNs = points[p].totalNs;
    }
    return marks;
}

} // namespace pim
