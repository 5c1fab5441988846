// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/which.h"

#include "core/base/number_text.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/compile/compiler.h"
#include "core/drafts/dataflow.h"
#include "core/plan/plan_detail.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>

namespace pim {
namespace {

/// All ops on a host. Ops it has no price for are views and the like, as in every plan.
WhichRow onHost(const HostModel& model, const Graph& graph, const Host& host, DataType type) {
    WhichRow row;
    row.machine = row.host = host.id;
    row.kind = "host";
    row.computeType = type;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        if (const OpId op(static_cast<std::int64_t>(i)); !appendsToCache(graph, op)) // one token in place
            row.requestNs += model.cost(graph, op, host, type).ns;
    row.streamNs = row.predictedNs = row.hostOnlyNs = row.requestNs;
    row.loadNs = 0; // its memory holds them
    if (const auto busy = hostPower(host, "busy"))
        row.energy.add("host", *busy, row.requestNs * measure::kNanosecond);
    row.area = dieArea(host);
    return row;
}

double shareOnPim(const Plan& plan) {
    double all = 0, onPim = 0;
    for (const OpPlan& op : plan.ops) {
        const auto macs = static_cast<double>(plan.graph->op(op.op).work.macs);
        all += macs;
        onPim += op.onHost() ? 0 : macs;
    }
    return all > 0 ? onPim / all : 0;
}

/// Of machines whose units have memory of their own: what could stay there, were there room.
std::optional<WeightRoom> roomOf(const Plan& plan) {
    WeightRoom room{0, double(plan.target->capacityBytes("core", "bank"))};
    std::set<TensorId> seen;
    for (const OpPlan& op : plan.ops) {
        if (!op.space)
            continue;
        for (const TensorPlan& tensor : op.tensors)
            if (tensor.tensor.valid() && seen.insert(tensor.tensor).second &&
                (tensor.residency == Residency::Resident || plan.graph->tensor(tensor.tensor).isConstant()))
                room.neededBytes += double(tensor.bytes);
    }
    return plan.coreBytes > 0 && room.capacityBytes > 0 ? std::optional(room) : std::nullopt;
}

std::vector<LinkTraffic> linksOf(const Plan& plan) {
    if (plan.detail) { // planned as a whole: what it counts itself
        std::vector<LinkTraffic> links;
        const auto figures = plan.detail->figures();
        const auto figure = [&](std::string_view key) -> std::optional<double> {
            for (const auto& [name, value] : figures)
                if (name == key)
                    return value;
            return std::nullopt;
        };
        if (const auto load = figure("load_bytes"), store = figure("store_bytes"); load && store)
            links.push_back({"global memory", *load + *store});
        if (const auto network = figure("network_bytes"))
            links.push_back({"on-chip network", *network});
        if (const auto main = figure("main_memory_bytes"))
            links.push_back({"main memory bus", *main});
        return links;
    }
    LinkTraffic host{"host link", 0};
    for (const OpPlan& op : plan.ops)
        if (!op.onHost())
            for (const TensorPlan& tensor : op.tensors)
                if (tensor.residency == Residency::Streamed || tensor.residency == Residency::Produced)
                    host.bytes += double(tensor.bytes);
    return {host};
}

void fill(WhichRow& row, const Plan& plan) {
    row.predictedNs = plan.total.totalNs();
    row.hostOnlyNs = plan.hostOnlyNs;
    row.pimShare = shareOnPim(plan);
    row.residentBytes = plan.residentBytes;
    if (!plan.firstSampleNs()) // chips that hold all weights are programmed once, which nothing here prices
        row.loadNs = plan.residentLoadNs;
    row.room = roomOf(plan);
    row.links = linksOf(plan);
    row.computeType = plan.computeType;
}

void take(WhichRow& row, PlanAccuracy accuracy, double least) {
    row.accuracy = accuracy.share;
    row.accuracyNote = std::move(accuracy.note);
    if (least <= 0 || row.accuracy.value_or(-1) >= least)
        return;
    row.problem = row.accuracy ? fmt::format("{:.2f} % of the samples are right ({}), less than {:.2f} %",
                                             100 * *row.accuracy, row.accuracyNote, 100 * least)
                               : fmt::format("accuracy unknown: {}", row.accuracyNote);
}

Result<WhichRow> onTarget(const BackendList& backends, const WhichSetup& setup,
                          const std::shared_ptr<const Target>& target, const TaskContext& task) {
    const Stopwatch watch;
    WhichRow row;
    row.machine = target->id;
    row.kind = target->backend;
    row.host = target->host.id;
    PlanCache cache;
    const TaskContext quiet{task.stop, {}};
    CompileOptions options = setup.options;
    PIM_TRY(const Backend* const backend, backends.find(target->backend));
    if (!setup.thorough) {
        PIM_TRY(options, quickOptions(*backend, std::move(options)));
    }
    const auto plan = compile(backends, {setup.graph, target, {}, options}, &cache, quiet);
    if (!plan) {
        if (plan.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(plan.error());
        row.problem = plan.error().message;
        return row;
    }
    row.plan = *plan;
    fill(row, **plan);
    PIM_TRY(RequestPrice price, requestPrice(*backend, **plan, setup.simulates, quiet));
    row.requestNs = price.ns;
    row.streamNs = price.streamNs;
    row.origin = price.origin;
    row.energy = std::move(price.energy.budget);
    row.energyNote = std::move(price.energy.note);
    row.area = siliconArea(*target);
    if (setup.accuracy) {
        PIM_TRY(PlanAccuracy accuracy, setup.accuracy(*backend, **plan, quiet));
        take(row, std::move(accuracy), setup.leastAccuracy);
    }
    row.milliseconds = watch.milliseconds();
    return row;
}

} // namespace

Result<CompileOptions> quickOptions(const Backend& backend, CompileOptions options) {
    const OptionTable* const table = backend.options();
    for (const OptionInfo& info : table ? table->infos() : std::vector<OptionInfo>()) {
        OptionTexts& chosen = options.family[std::string(backend.id())];
        if (!info.quick.empty() && !chosen.contains(info.key))
            PIM_CHECK(table->set(chosen, info.key, info.quick));
    }
    return options;
}

Result<void> takeMachines(WhichSetup& setup, const TargetCatalog& catalog,
                          const std::vector<std::string>& ids, const std::string& host) {
    const auto add = [&](const std::string& id) -> Result<void> {
        PIM_TRY(auto target, catalog.find(id, host == kOwnHost ? std::string() : host));
        if (std::ranges::none_of(setup.targets, [&](const auto& known) { return known->id == target->id; }))
            setup.targets.push_back(std::move(target));
        return {};
    };
    for (const std::string& id : ids)
        PIM_CHECK(add(id));
    if (ids.empty())
        for (const auto& target : catalog.targets())
            PIM_CHECK(add(target->id));
    for (const auto& alone : catalog.hosts())
        if (host == kOwnHost || alone->id == host || alone->id == "a100")
            setup.hosts.push_back(alone);
    return {};
}

Result<std::vector<std::string>> machinesOfKind(const BackendList& backends, const TargetCatalog& catalog,
                                                std::string kind) {
    std::ranges::replace(kind, '-', '_');
    PIM_CHECK(backends.find(kind));
    std::vector<std::string> ids;
    for (const auto& target : catalog.targets())
        if (target->backend == kind)
            ids.push_back(target->id);
    return ids;
}

std::string_view name(WhichBy by) {
    return by == WhichBy::Request ? "request" : by == WhichBy::Stream ? "stream" : "first";
}

std::optional<WhichBy> whichByFromName(std::string_view text) {
    for (const WhichBy by : {WhichBy::Request, WhichBy::Stream, WhichBy::First})
        if (name(by) == text)
            return by;
    return std::nullopt;
}

std::optional<double> WhichRow::timeNs(WhichBy by) const {
    if (!problem.empty() || (by == WhichBy::First && !loadNs))
        return std::nullopt;
    return by == WhichBy::Request ? requestNs : by == WhichBy::Stream ? streamNs : *loadNs + requestNs;
}

std::string WhichRow::roomText() const {
    if (!room)
        return residentBytes > 0 ? "fits" : "unknown";
    return fmt::format("{}: {} of {}", room->fits() ? "fits" : fmt::format("{} machines", room->machines()),
                       bytesText(room->neededBytes), bytesText(room->capacityBytes));
}

std::string WhichRow::linksText() const {
    std::string text;
    for (const LinkTraffic& each : links)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.link, bytesText(each.bytes));
    return text.empty() ? "unknown" : text;
}

std::int64_t WeightRoom::machines() const {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(neededBytes / capacityBytes)));
}

std::optional<measure::Power> WhichRow::power() const {
    if (energy.empty() || streamNs <= 0)
        return std::nullopt;
    return energy.total() / (streamNs * measure::kNanosecond);
}

Result<std::vector<WhichRow>> which(const BackendList& backends, const HostModel& hostModel,
                                    const WhichSetup& setup, const WhichRowDone& done,
                                    const TaskContext& task) {
    std::vector<WhichRow> rows;
    for (const auto& host : setup.hosts) {
        rows.push_back(onHost(hostModel, *setup.graph, *host, setup.options.computeType));
        take(rows.back(), setup.ofHosts, setup.leastAccuracy);
    }
    const std::size_t first = rows.size();
    if (done)
        std::ranges::for_each(rows, done);
    rows.resize(first + setup.targets.size());
    std::mutex oneAtATime;
    std::int64_t finished = 0;
    std::optional<Error> wrong;
    parallelFor(setup.targets.size(), setup.options.threads, [&](std::size_t i) {
        if (task.cancelled())
            return;
        auto row = onTarget(backends, setup, setup.targets[i], task);
        const std::lock_guard lock(oneAtATime);
        task.report(setup.targets[i]->id, ++finished, static_cast<std::int64_t>(setup.targets.size()));
        if (!row) {
            wrong = wrong ? wrong : std::optional<Error>(row.error());
            return;
        }
        rows[first + i] = std::move(*row);
        if (done)
            done(rows[first + i]);
    });
    if (task.cancelled())
        return TaskContext::cancelledError("asking which machine");
    if (wrong)
        return tl::unexpected<Error>(std::move(*wrong));
    return rows;
}

std::vector<std::size_t> ranked(const std::vector<WhichRow>& rows, WhichBy by) {
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        if (rows[a].problem.empty() != rows[b].problem.empty())
            return rows[a].problem.empty();
        const auto first = rows[a].timeNs(by), second = rows[b].timeNs(by);
        return first && second ? *first < *second : first.has_value() && !second;
    });
    return order;
}

} // namespace pim
