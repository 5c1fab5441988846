// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep.h"

#include "core/compile/compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

namespace pim {
namespace {

constexpr std::int64_t kMostPoints = 10'000;

std::optional<std::int64_t> positive(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc() && end == text.data() + text.size() && value > 0 ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

/// "32" or "32..2048"; empty if it is neither.
std::vector<std::int64_t> valuesOf(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        const auto one = positive(text);
        return one ? std::vector{*one} : std::vector<std::int64_t>{};
    }
    const auto low = positive(text.substr(0, dots)), high = positive(text.substr(dots + 2));
    std::vector<std::int64_t> values;
    if (low && high)
        for (std::int64_t value = *low; value <= *high; value *= 2) {
            values.push_back(value);
            if (value > *high / 2)
                break;
        }
    return values;
}

SweepPoint compiled(const BackendList& backends, const ImportedModel& model, const GraphOptions& options, PlanRequest& request,
                    const TaskContext& task) {
    SweepPoint point;
    const auto start = std::chrono::steady_clock::now();
    const auto finish = [&]() -> Result<void> {
        PIM_TRY(request.graph, buildGraph(model, options, task));
        PIM_TRY(const auto plan, compile(backends, request, nullptr, task));
        point.totalNs = plan->total.totalNs();
        point.hostOnlyNs = plan->hostOnlyNs;
        point.baselines = plan->baselines;
        if (plan->detail)
            point.figures = plan->detail->figures();
        return {};
    };
    if (const auto done = finish(); !done)
        point.problem = done.error().text();
    point.compileMs = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return point;
}

} // namespace

Result<void> sweep(const BackendList& backends, const ImportedModel& model, const GraphOptions& graphOptions, PlanRequest request,
                   const std::vector<SweepAxis>& axes, const std::function<void(SweepPoint)>& done, const TaskContext& task) {
    std::int64_t points = 1;
    for (const SweepAxis& axis : axes) {
        points *= std::ssize(axis.values);
        if (points < 1 || points > kMostPoints)
            return fail(ErrorCode::Usage, fmt::format("the sweep has {} combinations; allowed are 1 to {}", points < 1 ? "no" : "too many", kMostPoints),
                        axis.symbol, "give fewer values");
    }
    // A name the model does not have would fail at every point; say it once.
    PIM_TRY(const auto open, buildGraph(model, graphOptions, {task.stop, {}}));
    for (const SweepAxis& axis : axes)
        if (std::none_of(open->bindings.begin(), open->bindings.end(), [&](const DimBinding& b) { return b.symbol == axis.symbol; })) {
            std::string known;
            for (const DimBinding& binding : open->bindings)
                known += (known.empty() ? "" : ", ") + binding.symbol;
            return fail(ErrorCode::Usage, "the model has no open dimension of this name", axis.symbol,
                        known.empty() ? "all its dimensions are fixed" : "it has: " + known);
        }
    for (std::int64_t index = 0; index < points; ++index) {
        if (task.cancelled())
            return TaskContext::cancelledError("the sweep");
        task.report("sweeping", index, points);
        GraphOptions options = graphOptions;
        std::vector<std::int64_t> values(axes.size());
        std::int64_t rest = index;
        for (std::size_t a = axes.size(); a-- > 0;) {
            values[a] = axes[a].values[static_cast<std::size_t>(rest % std::ssize(axes[a].values))];
            rest /= std::ssize(axes[a].values);
            options.bindings[axes[a].symbol] = values[a];
        }
        SweepPoint point = compiled(backends, model, options, request, {task.stop, {}});
        if (task.cancelled())
            return TaskContext::cancelledError("the sweep");
        point.values = std::move(values);
        done(std::move(point));
    }
    return {};
}

Result<std::vector<SweepAxis>> parseSweep(std::string_view text) {
    std::vector<SweepAxis> axes;
    for (const std::string_view part : split(text, ';')) {
        const std::size_t equals = part.find('=');
        SweepAxis axis;
        if (equals != std::string_view::npos) {
            axis.symbol = part.substr(0, equals);
            for (const std::string_view item : split(part.substr(equals + 1), ',')) {
                const auto values = valuesOf(item);
                if (values.empty()) {
                    axis.values.clear();
                    break;
                }
                axis.values.insert(axis.values.end(), values.begin(), values.end());
            }
        }
        const bool twice = std::any_of(axes.begin(), axes.end(), [&](const SweepAxis& other) { return other.symbol == axis.symbol; });
        if (axis.symbol.empty() || axis.values.empty() || twice)
            return fail(ErrorCode::Usage, twice ? fmt::format("the dimension \"{}\" is named twice", axis.symbol) : fmt::format("\"{}\" is not understood", part),
                        {}, "write seq=32,64,128 or seq=32..2048 (doubling), several dimensions separated by ;");
        axes.push_back(std::move(axis));
    }
    return axes;
}

} // namespace pim
