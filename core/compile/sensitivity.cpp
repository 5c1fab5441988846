// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sensitivity.h"

#include "core/base/parse_number.h"
#include "core/hardware/spelling.h"
#include "core/hardware/target_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim {
namespace {

constexpr double kFactorIsFound = 1.02; ///< Bisection ends where its ends are that near.

/// Things as they are, but for one.
struct Circumstances {
    std::map<std::string, std::int64_t> sizes;
    std::shared_ptr<const Host> host; ///< Null: as it is.
    std::optional<DataType> type;
    std::optional<WhichBy> by;
    std::string figure; ///< Empty: none.
    double factor = 1;
};

bool isBandwidth(const TargetFigure& figure) {
    return !figure.name.starts_with("host.") &&
           (figure.unit == "GB/s" || figure.unit == "B/cycle" || figure.unit == "b/cycle");
}

/// Figures of a target that an input means.
std::vector<TargetFigure> figuresOf(const Target& target, std::string_view input) {
    std::vector<TargetFigure> figures = targetFigures(target);
    std::erase_if(figures, [&](const TargetFigure& figure) {
        if (input == kLinksInput)
            return !isBandwidth(figure);
        if (input == kHostComputeInput)
            return !figure.name.starts_with("host.flops.");
        return figure.name != input;
    });
    return figures;
}

Result<std::shared_ptr<const Target>> scaled(const Target& base, const Circumstances& what) {
    std::vector<TargetChange> changes;
    for (const TargetFigure& figure : figuresOf(base, what.figure)) {
        const double value = figure.value * what.factor;
        changes.emplace_back(figure.name, fmt::format("{:.17g}", figure.whole ? std::round(value) : value));
    }
    PIM_TRY(Target target, changedTarget(base, changes));
    return std::make_shared<const Target>(std::move(target));
}

std::shared_ptr<const Target> onHost(const Target& base, const Host& host) {
    auto target = std::make_shared<Target>(base);
    target->host = host;
    return target;
}

class Inquiry {
public:
    Inquiry(const BackendList& backends, const HostModel& hostModel, const SensitivitySetup& setup,
            const TaskContext& task)
        : m_backends(backends), m_hostModel(hostModel), m_setup(setup), m_task{task.stop, {}} {}

    /// \param among only these machines; empty: all.
    Result<std::vector<WhichRow>> ask(const Circumstances& what,
                                      const std::vector<std::string>& among = {}) const {
        WhichSetup asked = m_setup.machines;
        GraphOptions graph = m_setup.graph;
        for (const auto& [name, size] : what.sizes)
            graph.bindings[name] = size;
        PIM_TRY(asked.graph, buildGraph(*m_setup.model, graph, m_task));
        if (!among.empty()) {
            const auto isOther = [&](const auto& machine) {
                return std::ranges::find(among, machine->id) == among.end();
            };
            std::erase_if(asked.targets, isOther);
            std::erase_if(asked.hosts, isOther);
        }
        if (what.type)
            asked.options.computeType = *what.type;
        if (what.host)
            PIM_CHECK(putHost(asked, *what.host));
        if (!what.figure.empty())
            PIM_CHECK(scale(asked, what));
        return which(m_backends, m_hostModel, asked, {}, m_task);
    }

private:
    /// In all machines, and alone in the place of the one they had.
    Result<void> putHost(WhichSetup& asked, const Host& host) const {
        if (asked.targets.empty())
            return {};
        const std::string before = asked.targets.front()->host.id;
        for (auto& target : asked.targets)
            target = onHost(*target, host);
        std::erase_if(asked.hosts, [&](const auto& alone) { return alone->id == host.id; });
        for (auto& alone : asked.hosts)
            if (alone->id == before)
                alone = std::make_shared<const Host>(host);
        return {};
    }

    Result<void> scale(WhichSetup& asked, const Circumstances& what) const {
        for (auto& target : asked.targets) {
            PIM_TRY(target, scaled(*target, what));
        }
        for (auto& alone : asked.hosts) { // as the host of a machine that has nothing else
            Target bare;
            bare.host = *alone;
            for (const TargetFigure& figure : figuresOf(bare, what.figure)) {
                auto host = std::make_shared<Host>(*alone);
                if (figure.name.starts_with("host.flops."))
                    for (auto& [type, flops] : host->peakFlopsPerNs)
                        flops *= what.figure == kHostComputeInput ||
                                         figure.name == fmt::format("host.flops.{}", name(type))
                                     ? what.factor
                                     : 1;
                else if (figure.name == "host.memoryBandwidth")
                    host->memoryBytesPerNs *= what.factor;
                else
                    continue;
                alone = std::move(host);
                break;
            }
        }
        return {};
    }

    const BackendList& m_backends;
    const HostModel& m_hostModel;
    const SensitivitySetup& m_setup;
    TaskContext m_task;
};

Error noInput(const SensitivitySetup& setup, const std::map<std::string, std::int64_t>& sizes,
              const std::string& name) {
    std::vector<std::string> names{std::string(kHostInput), std::string(kTypeInput), std::string(kOrderInput),
                                   std::string(kLinksInput), std::string(kHostComputeInput)};
    for (const auto& [symbol, size] : sizes)
        names.push_back(symbol);
    for (const auto& target : setup.machines.targets)
        for (const TargetFigure& figure : targetFigures(*target))
            names.push_back(figure.name);
    return {ErrorCode::Usage, "no machine has a figure of this name, and the model no open dimension", name,
            didYouMean(name, names)};
}

Error noValue(const std::string& input, const std::string& value, std::string_view allowed) {
    return {ErrorCode::Usage, fmt::format("\"{}\" is no value of it", value), input,
            fmt::format("give {}", allowed)};
}

/// What one value of an input means. \param sizes of open dimensions as they are.
Result<Circumstances> read(const SensitivitySetup& setup, const std::map<std::string, std::int64_t>& sizes,
                           const std::string& input, const std::string& value) {
    Circumstances what;
    if (input == kHostInput) {
        const auto found = std::ranges::find_if(setup.hosts, [&](const auto& h) { return h->id == value; });
        if (found == setup.hosts.end()) {
            std::string ids;
            for (const auto& host : setup.hosts)
                ids += (ids.empty() ? "" : ", ") + host->id;
            return tl::unexpected<Error>(noValue(input, value, "the id of a host: " + ids));
        }
        what.host = *found;
    } else if (input == kTypeInput) {
        what.type = dataTypeFromName(value);
        if (!what.type)
            return tl::unexpected<Error>(noValue(input, value, "f16, bf16, f32, i8, i16 or i32"));
    } else if (input == kOrderInput) {
        what.by = whichByFromName(value);
        if (!what.by)
            return tl::unexpected<Error>(noValue(input, value, "request, stream or first"));
    } else if (sizes.contains(input)) {
        const auto size = parseNumber<std::int64_t>(value);
        if (!size || *size < 1)
            return tl::unexpected<Error>(noValue(input, value, "a whole number from 1 on"));
        what.sizes[input] = *size;
    } else {
        if (std::ranges::all_of(setup.machines.targets,
                                [&](const auto& target) { return figuresOf(*target, input).empty(); }))
            return tl::unexpected<Error>(noInput(setup, sizes, input));
        const auto factor = parseNumber<double>(value);
        if (!factor || !std::isfinite(*factor) || *factor <= 0)
            return tl::unexpected<Error>(noValue(input, value, "a factor above 0"));
        what.figure = input;
        what.factor = *factor;
    }
    return what;
}

std::string nameNow(const SensitivitySetup& setup, const std::map<std::string, std::int64_t>& sizes,
                    const std::string& input) {
    if (input == kHostInput)
        return setup.machines.targets.empty() ? "" : setup.machines.targets.front()->host.id;
    if (input == kTypeInput)
        return std::string(name(setup.machines.options.computeType));
    if (input == kOrderInput)
        return std::string(name(setup.by));
    const auto size = sizes.find(input);
    return size == sizes.end() ? "1" : std::to_string(size->second);
}

/// \param standing the machine that is first as things are; empty: whichever is.
DecidingValue judge(const std::vector<WhichRow>& rows, WhichBy by, const std::string& standing,
                    std::string* second = nullptr) {
    DecidingValue found;
    const auto order = ranked(rows, by);
    if (const auto ns = order.empty() ? std::nullopt : rows[order[0]].timeNs(by)) {
        found.first = rows[order[0]].machine;
        found.ns = *ns;
    }
    std::optional<double> own, other;
    for (const std::size_t place : order) { // the best first
        const auto ns = rows[place].timeNs(by);
        if (rows[place].machine == (standing.empty() ? found.first : standing)) {
            own = ns;
        } else if (!other && ns) {
            other = ns;
            if (second)
                *second = rows[place].machine;
        }
    }
    if (own)
        found.lead = other ? *other / *own : std::numeric_limits<double>::infinity();
    return found;
}

/// Where \p other takes over from \p standing between things as they are and \p value.
Result<double> takeover(const Inquiry& inquiry, const SensitivitySetup& setup, const Circumstances& value,
                        double now, const std::string& standing, const std::string& other) {
    const bool isSize = !value.sizes.empty();
    double near = now, far = isSize ? double(value.sizes.begin()->second) : value.factor;
    const auto goesOn = [&] {
        return isSize ? std::abs(far - near) > 1 : std::max(far / near, near / far) > kFactorIsFound;
    };
    while (goesOn()) {
        Circumstances middle = value;
        const double at = isSize ? std::floor((near + far) / 2) : std::sqrt(near * far);
        if (isSize)
            middle.sizes.begin()->second = static_cast<std::int64_t>(at);
        middle.factor = isSize ? 1 : at;
        PIM_TRY(const auto rows, inquiry.ask(middle, {standing, other}));
        const DecidingValue found = judge(rows, setup.by, standing);
        (found.first == other ? far : near) = at;
    }
    return far;
}

} // namespace

bool DecidingInput::changesFirst() const {
    return std::ranges::any_of(
        values, [](const DecidingValue& value) { return value.problem.empty() && value.lead < 1; });
}

double DecidingInput::swing(double leadNow) const {
    double low = leadNow, high = leadNow;
    for (const DecidingValue& value : values)
        if (value.problem.empty()) {
            low = std::min(low, value.lead);
            high = std::max(high, value.lead);
        }
    return low > 0 && std::isfinite(low) ? high / low : std::numeric_limits<double>::infinity();
}

std::vector<SweepAxis> usualInputs(const SensitivitySetup& setup) {
    std::vector<SweepAxis> inputs;
    const auto add = [&](std::string_view name, std::vector<std::string> values) {
        if (!values.empty())
            inputs.push_back({.name = std::string(name), .values = std::move(values)});
    };
    const auto& targets = setup.machines.targets;
    if (!targets.empty() &&
        std::ranges::all_of(targets, [&](const auto& t) { return t->host.id == targets[0]->host.id; })) {
        std::vector<std::string> others;
        for (const auto& host : setup.hosts)
            if (host->id != targets[0]->host.id)
                others.push_back(host->id);
        add(kHostInput, std::move(others));
    }
    if (!targets.empty()) {
        add("host.memoryBandwidth", {"0.5", "2"});
        add(kHostComputeInput, {"0.5", "2"});
        add(kLinksInput, {"0.5", "2"});
    }
    if (const auto graph = buildGraph(*setup.model, setup.graph))
        for (const DimBinding& binding : (*graph)->bindings) {
            std::vector<std::string> sizes;
            if (binding.value >= 4)
                sizes.push_back(std::to_string(binding.value / 4));
            sizes.push_back(std::to_string(binding.value * 4));
            add(binding.symbol, std::move(sizes));
        }
    std::vector<std::string> types, orders;
    for (const DataType type : {DataType::I8, DataType::F16, DataType::F32})
        if (type != setup.machines.options.computeType)
            types.emplace_back(name(type));
    for (const WhichBy by : {WhichBy::Request, WhichBy::Stream, WhichBy::First})
        if (by != setup.by)
            orders.emplace_back(name(by));
    add(kTypeInput, std::move(types));
    add(kOrderInput, std::move(orders));
    return inputs;
}

Result<Sensitivity> sensitivity(const BackendList& backends, const HostModel& hostModel,
                                const SensitivitySetup& setup, const TaskContext& task) {
    std::map<std::string, std::int64_t> sizes;
    PIM_TRY(const auto graph, buildGraph(*setup.model, setup.graph, task));
    for (const DimBinding& binding : graph->bindings)
        sizes[binding.symbol] = binding.value;
    std::vector<std::vector<Circumstances>> asked;
    std::int64_t questions = 1, done = 0;
    for (const SweepAxis& input : setup.inputs) {
        asked.emplace_back();
        for (const std::string& value : input.values) {
            PIM_TRY(asked.back().emplace_back(), read(setup, sizes, input.name, value));
            questions += input.name != kOrderInput;
        }
    }
    const Inquiry inquiry(backends, hostModel, setup, task);
    Sensitivity answer;
    task.report("as things are", done, questions);
    PIM_TRY(const std::vector<WhichRow> rows, inquiry.ask({}));
    answer.now = judge(rows, setup.by, {}, &answer.second);
    if (answer.now.first.empty())
        return fail(ErrorCode::Usage, "no machine has a time for this network", "which",
                    "ask without what decides: each machine then says why");
    const std::string& standing = answer.now.first;
    for (std::size_t i = 0; i < setup.inputs.size(); ++i) {
        DecidingInput input{setup.inputs[i], nameNow(setup, sizes, setup.inputs[i].name), {}};
        for (std::size_t v = 0; v < asked[i].size(); ++v) {
            const Circumstances& what = asked[i][v];
            const std::string& text = input.input.values[v];
            if (what.by) {
                input.values.push_back(judge(rows, *what.by, standing));
                input.values.back().value = text;
                continue;
            }
            task.report(fmt::format("{} {}", input.input.name, text), ++done, questions);
            const auto other = inquiry.ask(what);
            DecidingValue found;
            if (!other && other.error().code == ErrorCode::Cancelled)
                return tl::unexpected<Error>(other.error());
            if (!other) {
                found.problem = other.error().message;
            } else {
                // The shared host itself may be first: then what stands in its place is asked about.
                const bool isReplaced = what.host && standing == input.now;
                found = judge(*other, setup.by, isReplaced ? what.host->id : standing);
                const bool isNumber = !what.figure.empty() || !what.sizes.empty();
                if (isNumber && !found.first.empty() && found.first != standing && found.lead > 0) {
                    PIM_TRY(found.takesOverAt,
                            takeover(inquiry, setup, what,
                                     what.sizes.empty() ? 1 : double(sizes.at(input.input.name)), standing,
                                     found.first));
                }
            }
            found.value = text;
            input.values.push_back(std::move(found));
        }
        answer.inputs.push_back(std::move(input));
    }
    std::ranges::stable_sort(answer.inputs, [&](const DecidingInput& a, const DecidingInput& b) {
        return a.swing(answer.now.lead) > b.swing(answer.now.lead);
    });
    return answer;
}

} // namespace pim
