// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep_networks.h"

#include "core/graph/zoo/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace pim {
namespace {

using Together = ModelValue::Together;

constexpr std::pair<std::string_view, Together> kTogether[] = {
    {"sum(", Together::Sum}, {"worst(", Together::Worst}, {"geomean(", Together::Geomean}};

std::string_view withoutBlanks(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

bool hasDimension(const Graph& graph, std::string_view symbol) {
    return std::ranges::any_of(graph.bindings,
                               [&](const DimBinding& binding) { return binding.symbol == symbol; });
}

/// Reads one network, with the sizes of its sample and those of \p options that it has; these go into \p used.
Result<SweepNetwork> networkOf(const std::string& name, GraphOptions options, std::set<std::string>& used,
                               const TaskContext& task) {
    SweepNetwork network;
    network.name = name;
    PIM_TRY(ModelArgument found, findModel(name));
    network.path = found.path;
    PIM_TRY(network.model, importModel(found.path, task));
    const auto wanted = std::move(options.bindings);
    options.bindings = std::move(found.bindings);
    PIM_TRY(network.base, buildGraph(*network.model, options, {task.stop, {}}));
    bool isBoundAnew = false;
    for (const auto& [symbol, value] : wanted)
        if (hasDimension(*network.base, symbol)) {
            isBoundAnew = true;
            options.bindings[symbol] = value;
            used.insert(symbol);
        }
    if (isBoundAnew) {
        PIM_TRY(network.base, buildGraph(*network.model, options, {task.stop, {}}));
    }
    network.bindings = std::move(options.bindings);
    network.hash = network.base->source.structureHash;
    return network;
}

Error changed(std::string_view what, const std::string& path) {
    return {ErrorCode::InvalidModel,
            fmt::format("the model has changed since {}, so its points would not be of one network", what),
            path, "bring the old model back, or begin anew"};
}

double combined(Together how, const std::vector<double>& values) {
    if (how == Together::Sum)
        return std::accumulate(values.begin(), values.end(), 0.0);
    if (how == Together::Worst)
        return std::ranges::max(values);
    double logs = 0;
    for (const double value : values)
        logs += std::log(value);
    return std::exp(logs / static_cast<double>(values.size()));
}

/// Simulated where it is.
double timeOf(const SweepPoint& point) {
    return point.figure("simulated_ns").value_or(point.totalNs);
}

} // namespace

Result<ModelValue> modelValue(std::string_view text) {
    ModelValue value;
    std::string_view rest = text;
    for (const auto& [word, how] : kTogether)
        if (text.starts_with(word) && text.ends_with(')')) {
            value.how = how;
            rest = text.substr(word.size(), text.size() - word.size() - 1);
        }
    while (value.how != Together::One) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        value.names.emplace_back(withoutBlanks(rest.substr(0, comma)));
        if (comma == rest.size())
            break;
        rest.remove_prefix(comma + 1);
    }
    if (value.how == Together::One)
        value.names.emplace_back(withoutBlanks(text));
    for (auto name = value.names.begin(); name != value.names.end(); ++name)
        if (name->empty() || std::find(value.names.begin(), name, *name) != name)
            return fail(ErrorCode::Usage,
                        name->empty() ? std::string("names no model")
                                      : fmt::format("names the model \"{}\" twice", *name),
                        std::string(text),
                        "write model=a.onnx,sample:resnet50 or model=geomean(a.onnx,sample:resnet50)");
    return value;
}

std::vector<std::size_t> networksNamed(const SweepSetup& setup, std::string_view text) {
    std::vector<std::size_t> positions;
    const ModelValue value = modelValue(text).value(); // checked when it was prepared
    for (const std::string& name : value.names)
        positions.push_back(static_cast<std::size_t>(
            std::ranges::find(setup.networks, name, &SweepNetwork::name) - setup.networks.begin()));
    return positions;
}

Result<void> findNetworks(SweepSetup& setup, const TaskContext& task) {
    setup.networks.clear();
    std::set<std::string> used;
    for (const SweepAxis& axis : setup.axes)
        for (const std::string& text : axis.name == kModelAxis ? axis.values : std::vector<std::string>()) {
            PIM_TRY(const ModelValue value, modelValue(text));
            for (const std::string& name : value.names) {
                if (std::ranges::find(setup.networks, name, &SweepNetwork::name) != setup.networks.end())
                    continue;
                PIM_TRY(SweepNetwork network, networkOf(name, setup.graph, used, task));
                const auto same = std::ranges::find_if(setup.networks, [&](const SweepNetwork& other) {
                    std::error_code error;
                    return other.hash == network.hash ||
                           std::filesystem::equivalent(other.path, network.path, error);
                });
                if (same != setup.networks.end())
                    return fail(ErrorCode::Usage, fmt::format("is the same network as \"{}\"", same->name),
                                name, "name it once: model=A,B");
                setup.networks.push_back(std::move(network));
            }
        }
    for (const auto& [symbol, value] : setup.graph.bindings)
        if (!used.contains(symbol))
            return fail(ErrorCode::Usage, "none of the models has such a dimension", symbol,
                        "`pimc inspect MODEL` lists the dimensions of each");
    setup.model = setup.networks.front().model;
    setup.base = setup.networks.front().base;
    return {};
}

Result<void> loadNetworks(SweepSetup& setup, const std::filesystem::path& model, const std::string& hash,
                          const std::string& what, const TaskContext& task) {
    for (SweepNetwork& network : setup.networks) {
        PIM_TRY(network.model, importModel(network.path, task));
        GraphOptions options = setup.graph;
        options.bindings = network.bindings;
        PIM_TRY(network.base, buildGraph(*network.model, options, {task.stop, {}}));
        if (network.base->source.structureHash != network.hash)
            return tl::unexpected<Error>(changed(what, network.path.string()));
    }
    if (!setup.networks.empty()) {
        setup.model = setup.networks.front().model;
        setup.base = setup.networks.front().base;
        return {};
    }
    PIM_TRY(setup.model, importModel(model, task));
    PIM_TRY(setup.base, buildGraph(*setup.model, setup.graph, {task.stop, {}}));
    if (setup.base->source.structureHash != hash)
        return tl::unexpected<Error>(changed(what, model.string()));
    return {};
}

std::string networksText(const SweepSetup& setup) {
    return setup.networks.size() < 2
               ? setup.base->name
               : fmt::format("{} and {} more", setup.base->name, setup.networks.size() - 1);
}

SweepPoint together(Together how, const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& parts) {
    const auto all = [&](const auto& valueOf) {
        std::vector<double> values;
        for (const SweepPoint& part : parts)
            values.push_back(valueOf(part));
        return values;
    };
    const auto figureOf = [&](const std::string& name) -> std::optional<std::vector<double>> {
        if (!std::ranges::all_of(parts,
                                 [&](const SweepPoint& part) { return part.figure(name).has_value(); }))
            return std::nullopt;
        return all([&](const SweepPoint& part) { return *part.figure(name); });
    };
    SweepPoint point = parts.front();
    point.baselines.clear();
    point.figures.clear();
    for (const SweepPoint& part : parts)
        if (point.outside.empty())
            point.outside = part.outside;
    point.totalNs = combined(how, all([](const SweepPoint& part) { return part.totalNs; }));
    point.hostOnlyNs = combined(how, all([](const SweepPoint& part) { return part.hostOnlyNs; }));
    point.macs =
        how == Together::Worst
            ? point.totalNs *
                  std::ranges::min(all([](const SweepPoint& part) { return part.macsPerSecond(); })) / 1e9
            : combined(how, all([](const SweepPoint& part) { return part.macs; }));
    for (const Baseline& baseline : parts.front().baselines) {
        std::vector<double> times;
        for (const SweepPoint& part : parts)
            if (const auto same = std::ranges::find(part.baselines, baseline.id, &Baseline::id);
                same != part.baselines.end())
                times.push_back(same->totalNs);
        if (times.size() == parts.size())
            point.baselines.push_back({baseline.id, baseline.name, combined(how, times)});
    }
    for (const auto& [name, first] : parts.front().figures) {
        const auto values = figureOf(name);
        if (!values || std::ranges::any_of(axes, [&](const SweepAxis& axis) {
                return axis.kind == SweepAxis::Kind::Figure && axis.name == name;
            }))
            continue;
        if (name == kPowerFigure && how == Together::Sum) {
            const std::vector<double> times = all(timeOf);
            point.figures.emplace_back(
                name, std::inner_product(values->begin(), values->end(), times.begin(), 0.0) /
                          std::accumulate(times.begin(), times.end(), 0.0));
        } else if (name == kPowerFigure || name.ends_with("_ns") || name.ends_with("_pj")) {
            point.figures.emplace_back(name, combined(how, *values));
        } else if (std::ranges::all_of(*values, [first = first](double value) { return value == first; })) {
            point.figures.emplace_back(name, first);
        }
    }
    return point;
}

} // namespace pim
