// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/what_if.h"

#include "core/base/number_text.h"
#include "core/compile/compiler.h"
#include "core/hardware/catalog.h"
#include "core/plan/report_facet.h"
#include "core/timeline/limits.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace pim {
namespace {

using Document = nlohmann::ordered_json;

constexpr double kTwice = 2;
constexpr double kLast = std::numeric_limits<double>::infinity(); ///< In the order: nothing is known.
/// Spans are kept in single precision; a timeline this near to the total is that of the total.
constexpr double kSameTime = 1e-3;

/// Cycles stay whole, and at least one.
double fasterValue(double now, TargetValue::Kind kind, double factor, std::string_view unit) {
    if (kind == TargetValue::Kind::Rate)
        return now * factor;
    return unit == "cycles" ? std::max(1.0, std::ceil(now / factor)) : now / factor;
}

std::vector<ChangedValue> changesOf(const Document& target, const SpeedUp& change) {
    std::vector<ChangedValue> all;
    for (const TargetValue& value : change.values) {
        const Document::json_pointer at(value.pointer);
        if (!target.contains(at))
            continue; // changedTarget() says so
        const Document& quantity = target.at(at);
        const double now = quantity.at("value").get<double>();
        all.push_back({value, quantity.at("unit").get<std::string>(), now,
                       fasterValue(now, value.kind, kTwice, quantity.at("unit").get<std::string>())});
    }
    return all;
}

Result<double> simulatedNs(const BackendList& backends, PlanRequest request, const SpeedUp& change,
                           double factor, const TaskContext& task) {
    PIM_TRY(request.target, changedTarget(*request.target, change, factor));
    PIM_TRY(const auto plan, compile(backends, request, nullptr, task));
    PIM_TRY(const Backend* const backend, backends.find(request.target->backend));
    PIM_TRY(const auto simulation, backend->simulate(*plan, task));
    return simulation->totalNs;
}

/// How many there are is no matter of speed: what a thousand times as many do says little.
double fastestFactor(const Target& target, const SpeedUp& change) {
    if (change.way == SpeedUp::Way::Many)
        return 0;
    for (const double factor : kFastest)
        if (changedTarget(target, change, factor))
            return factor;
    return 0;
}

std::vector<SpeedUp> changesOf(const Backend& backend, const Target& target) {
    const ReportFacet* const facet = backend.reportSections();
    if (!facet)
        return {};
    std::vector<SpeedUp> all = facet->speedUps(target);
    std::ranges::move(facet->multiples(target), std::back_inserter(all));
    return all;
}

/// "2 times as fast", "2 times as many": of the value as it was.
std::string howMuch(SpeedUp::Way way, TargetValue::Kind kind, double factor) {
    if (way == SpeedUp::Way::Fast)
        return fmt::format("{} times as fast", factor);
    return kind == TargetValue::Kind::Rate ? fmt::format("{} times as much", factor)
                                           : fmt::format("1/{} as much", factor);
}

std::string problemOf(const SpeedUp& change, const Error& error) {
    return change.way == SpeedUp::Way::Fast ? error.text() : "cannot be doubled: " + error.message;
}

void addBound(WhatIf& result, const Simulation& now) {
    const Limits limits = limitsOf(now.timeline);
    const double shownNs = double(limits.totalPs) / 1000;
    if (now.timeline.runNs > 0 || now.totalNs <= 0 || std::abs(shownNs / now.totalNs - 1) > kSameTime)
        return;
    const auto most = std::ranges::max_element(limits.resources, {}, &ResourceUse::busiestShare);
    if (most == limits.resources.end())
        return;
    result.boundNs = std::min(most->busiestShare, 1.0) * shownNs;
    result.boundBy = most->busiest;
}

} // namespace

std::string amountsText(const ChangedValue& change, std::string_view arrow) {
    if (change.unit == "B")
        return fmt::format("{}{}{}", bytesText(change.now), arrow, bytesText(change.twice));
    return fmt::format("{:g}{}{:g}{}", change.now, arrow, change.twice,
                       change.unit == "count" ? "" : " " + change.unit);
}

SpeedUp WhatIfRow::change() const {
    SpeedUp made{resource, {}, way};
    for (const ChangedValue& each : changes)
        made.values.push_back(each.value);
    return made;
}

void sortByGain(std::vector<WhatIfRow>& rows) {
    std::ranges::stable_sort(rows, {}, [](const WhatIfRow& row) {
        return std::tuple(row.twiceNs.value_or(kLast), row.fastestNs.value_or(kLast));
    });
}

Result<std::shared_ptr<const Target>> changedTarget(const Target& target, const SpeedUp& change,
                                                    double factor) {
    PIM_ASSERT(factor > 0, "a factor of speed");
    Document document = Document::parse(targetJson(target));
    for (const TargetValue& value : change.values) {
        const Document::json_pointer at(value.pointer);
        if (!document.contains(at) || !document.at(at).contains("value"))
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("has no quantity at {}, which should make \"{}\" faster", value.pointer,
                                    change.resource),
                        target.id);
        Document& quantity = document.at(at);
        const double now = quantity.at("value").get<double>(),
                     then = fasterValue(now, value.kind, factor, quantity.at("unit").get<std::string>());
        // Counts are whole numbers and must be written as such.
        if (then == std::floor(then) && std::abs(then) < 0x1p53)
            quantity["value"] = static_cast<std::int64_t>(then);
        else
            quantity["value"] = then;
        quantity["source"] =
            fmt::format("assumption: {} as {} {}, {}", howMuch(change.way, value.kind, factor), now,
                        quantity.at("unit").get<std::string>(), quantity.at("source").get<std::string>());
    }
    return targetFromJson(document.dump(), target.id);
}

Result<WhatIf> whatIf(const BackendList& backends, const PlanRequest& request, const Simulation& now,
                      const TaskContext& task) {
    PIM_TRY(const Backend* const backend, backends.find(request.target->backend));
    const std::vector<SpeedUp> changes = changesOf(*backend, *request.target);
    if (changes.empty())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("no single values of {} are known to make a resource faster", backend->machines()),
            request.target->id, "change a copy of the target file, and compile for that");
    const Document document = Document::parse(targetJson(*request.target));
    WhatIf result{.totalNs = now.totalNs, .boundNs = {}, .boundBy = {}, .rows = {}};
    addBound(result, now);
    std::int64_t done = 0;
    for (const SpeedUp& change : changes) {
        WhatIfRow row;
        row.resource = change.resource;
        row.way = change.way;
        row.changes = changesOf(document, change);
        row.fastestFactor = fastestFactor(*request.target, change);
        for (auto [factor, ns] :
             {std::pair(kTwice, &row.twiceNs), std::pair(row.fastestFactor, &row.fastestNs)}) {
            task.report(fmt::format("what if {} were twice as {}", change.resource, name(change.way)), done++,
                        2 * std::ssize(changes));
            if (factor == 0)
                continue;
            TaskContext quiet{task.stop, {}}; // its own stages would hide how far all of it is
            auto total = simulatedNs(backends, request, change, factor, quiet);
            if (!total && total.error().code == ErrorCode::Cancelled)
                return tl::unexpected(total.error());
            if (total)
                *ns = *total;
            else
                row.problem = problemOf(change, total.error());
        }
        result.rows.push_back(std::move(row));
    }
    sortByGain(result.rows);
    return result;
}

} // namespace pim
