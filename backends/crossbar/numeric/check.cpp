// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/program_network.h"

#include "core/numeric/real_run.h"
#include "core/numeric/tensor_dump.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>

namespace pim {

namespace {

using RealMaps = std::vector<std::vector<float>>;

class Checker {
public:
    Checker(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
            const CrossbarNumbers& numbers, TensorDump& dump, const TaskContext& task)
        : m_program(program), m_options(options), m_numbers(numbers), m_dump(dump), m_task(task) {}

    Result<void> sample(std::span<const Value> inputs) {
        PIM_CHECK(keepReferences(inputs));
        PIM_TRY(const CrossbarReals reals, realMaps(m_program.network, inputs, m_options.threads, m_task));
        ++m_result.samples;
        if (m_options.real)
            return compareReals(inputs, reals.maps);
        PIM_TRY(const CrossbarMaps expected,
                referenceMaps(m_program.network, m_numbers, inputs, m_options.threads, m_task));
        PIM_CHECK(compareFixed(inputs, expected));
        const RealMaps fixed = realsOf(expected);
        const CrossbarAccuracy accuracy = outputAccuracy(m_program.network, reals.maps, fixed);
        count(accuracy);
        setOutputs(reals.maps, fixed);
        return m_options.device.exact() ? Result<void>() : onDevice(inputs, expected, fixed);
    }

    /// All samples once more, in flight at once.
    Result<void> inFlight(std::span<const std::vector<Value>> samples) {
        const CrossbarJob job{m_program.program, m_program.network,    m_program.mapping, m_program.chip,
                              m_numbers,         m_program.mapAddress, m_program.stage,   m_program.copies};
        PIM_TRY(auto maps, executeInFlight(job, samples, m_task));
        for (std::size_t i = 0; i < samples.size() && !m_result.comparison.first; ++i) {
            PIM_CHECK(complete(maps[i]));
            PIM_TRY(const CrossbarMaps expected,
                    referenceMaps(m_program.network, m_numbers, samples[i], m_options.threads, m_task));
            CrossbarRun run;
            run.maps = std::move(maps[i]);
            m_result.comparison = compareMaps(m_program.network, expected, run);
            if (m_result.comparison.first)
                m_result.firstWrong =
                    fmt::format("sample {} is right by itself, but not in flight with others", i);
        }
        return {};
    }

    CrossbarCheck take() {
        m_result.outputError = std::sqrt(m_errors / std::max(1, m_result.samples));
        m_result.device.outputError = std::sqrt(m_deviceErrors / std::max(1, m_result.device.samples));
        m_result.weightError = m_numbers.weightError;
        return std::move(m_result);
    }

private:
    Result<CrossbarRun> run(std::span<const Value> inputs, const CrossbarRunOptions& options) {
        const CrossbarJob job{m_program.program, m_program.network,    m_program.mapping, m_program.chip,
                              m_numbers,         m_program.mapAddress, m_program.stage};
        const auto begin = std::chrono::steady_clock::now();
        auto made = executeProgram(job, inputs, options, m_task);
        m_result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return made;
    }
    void count(const CrossbarRun& run) {
        m_result.instructions = run.instructions;
        m_result.products = run.products;
        m_result.transfers = run.transfers;
        m_result.loadWaits = run.loadWaits;
    }
    void count(const CrossbarAccuracy& accuracy) {
        m_errors += accuracy.relativeError * accuracy.relativeError;
        m_result.sameTop += accuracy.sameLargest;
        m_result.notFinite += accuracy.notFinite;
    }
    /// Every output has to be there.
    Result<void> complete(const auto& maps) const {
        for (std::size_t i = 0; i < maps.size(); ++i)
            if (m_program.network.layers[i].isOutput && maps[i].empty())
                return fail(ErrorCode::InvalidFile, "the program does not store all of this output",
                            m_program.network.layers[i].name);
        return {};
    }

    Result<void> compareFixed(std::span<const Value> inputs, const CrossbarMaps& expected) {
        PIM_TRY(const CrossbarRun got, run(inputs, {.bitByBit = m_options.bitByBit}));
        PIM_CHECK(complete(got.maps));
        count(got);
        if (m_options.device.exact())
            PIM_CHECK(keepFixed(got.maps, expected, 0.0));
        if (m_result.comparison.first)
            return {};
        m_result.comparison = compareMaps(m_program.network, expected, got);
        if (m_result.comparison.first) {
            const auto again = run(inputs, {.bitByBit = m_options.bitByBit, .expected = &expected});
            m_result.firstWrong = again ? "every result is right where it is computed; it is lost on its way"
                                        : again.error().text();
        }
        return {};
    }

    Result<void> compareReals(std::span<const Value> inputs, const RealMaps& expected) {
        PIM_TRY(const CrossbarRun got, run(inputs, {}));
        PIM_CHECK(complete(got.realMaps));
        count(got);
        PIM_CHECK(keep(
            "f32", {}, [&](LayerId layer) { return got.realMaps[layer.index()]; },
            [&](LayerId layer) {
                return std::vector<double>(expected[layer.index()].begin(), expected[layer.index()].end());
            }));
        for (std::size_t i = 0; i < got.realMaps.size() && !m_result.comparison.first; ++i) {
            const auto& map = got.realMaps[i];
            const CrossbarLayer& layer = m_program.network.layers[i];
            if (map.empty() || layer.as<InputWork>())
                continue;
            ++m_result.comparison.maps;
            m_result.comparison.elements += std::int64_t(map.size());
            double largest = 0;
            for (const float value : expected[i])
                if (std::isfinite(value))
                    largest = std::max(largest, double(std::fabs(value)));
            const auto isSame = [&](double a, double b) {
                return a == b || (std::isnan(a) && std::isnan(b)) ||
                       std::fabs(a - b) <= kRealTolerance * largest;
            };
            for (std::size_t k = 0; k < map.size() && !m_result.comparison.first; ++k)
                if (!isSame(map[k], expected[i][k])) {
                    CrossbarDifference difference;
                    difference.layer = LayerId(i);
                    difference.pixel = std::int64_t(k) / layer.out.channels;
                    difference.channel = std::int64_t(k) % layer.out.channels;
                    difference.text =
                        fmt::format("layer \"{}\", pixel {}, channel {}: {} instead of {}", layer.name,
                                    difference.pixel, difference.channel, map[k], expected[i][k]);
                    m_result.comparison.first = difference;
                }
        }
        RealMaps values;
        for (const auto& map : got.realMaps)
            values.emplace_back(map.begin(), map.end());
        const CrossbarAccuracy accuracy = outputAccuracy(m_program.network, expected, values);
        count(accuracy);
        setOutputs(expected, values);
        return {};
    }

    Result<void> onDevice(std::span<const Value> inputs, const CrossbarMaps& expected,
                          const RealMaps& exact) {
        PIM_TRY(const CrossbarRun got, run(inputs, {.device = m_options.device}));
        PIM_CHECK(keepFixed(got.maps, expected, std::nullopt)); // devices may be off
        const CrossbarAccuracy accuracy = outputAccuracy(m_program.network, exact, realsOf(got.maps));
        m_deviceErrors += accuracy.relativeError * accuracy.relativeError;
        m_result.device.sameTop += accuracy.sameLargest;
        ++m_result.device.samples;
        return {};
    }

    /// Outputs of the network as maps have them.
    void setOutputs(const RealMaps& reals, const RealMaps& values) {
        const Graph& graph = *m_program.network.graph;
        m_result.outputs.clear();
        for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
            const HeldTensor& held = m_program.network.outputs[i];
            if (!held.layer.valid() || values[held.layer.index()].empty())
                continue;
            const Tensor& tensor = graph.tensor(graph.outputs[i]);
            const auto valueOf = [&](const RealMaps& maps) {
                const auto& map = maps[held.layer.index()];
                return tensorOfMap(std::vector<double>(map.begin(), map.end()),
                                   m_program.network.at(held.layer).out, held, tensor);
            };
            m_result.outputs.emplace_back(tensor.name, differenceOf(valueOf(values), valueOf(reals), 0));
        }
    }

    Result<void> keepReferences(std::span<const Value> inputs) {
        if (!m_dump.writes())
            return {};
        PIM_CHECK(m_dump.inputs(inputs, m_options.inputs));
        PIM_CHECK(runReal(*m_program.network.graph, inputs, m_dump.references(), m_options.threads, m_task,
                          ConstantUse::InParts));
        return {};
    }
    Result<void> keepFixed(const CrossbarMaps& made, const CrossbarMaps& expected,
                           std::optional<double> tolerance) {
        const auto reals = [this](const CrossbarMaps& maps) {
            return [this, &maps](LayerId layer) {
                std::vector<double> map;
                for (const std::int64_t element : maps[layer.index()])
                    map.push_back(m_numbers.toHost(layer, element));
                return map;
            };
        };
        return keep("fixed point", tolerance, reals(made), reals(expected));
    }
    /// All results of ops, map by map. \param made, expected numbers of the map of a layer; empty: it is not there.
    Result<void> keep(const std::string& numbers, std::optional<double> tolerance,
                      const std::function<std::vector<double>(LayerId)>& made,
                      const std::function<std::vector<double>(LayerId)>& expected) {
        if (!m_dump.writes())
            return {};
        const CrossbarNetwork& network = m_program.network;
        std::map<TensorId, LayerId> layers;
        for (std::size_t i = 0; i < network.layers.size(); ++i)
            layers.emplace(network.layers[i].value, LayerId(i));
        for (std::size_t i = 0; i < network.graph->ops.size(); ++i)
            for (const TensorId output : network.graph->ops[i].outputs) {
                if (!output.valid())
                    continue;
                DumpedTensor dumped;
                dumped.tolerance = tolerance;
                if (const auto at = layers.find(output); at != layers.end()) {
                    const CrossbarLayer& layer = network.at(at->second);
                    const Tensor& tensor = network.graph->tensor(output);
                    PIM_TRY(const ElementOrder order, orderOfValue(network, layer));
                    const auto valueOf = [&](const std::vector<double>& map) {
                        return std::ssize(map) == layer.out.elements()
                                   ? tensorOfMap(map, layer.out, order, tensor)
                                   : Value();
                    };
                    dumped.made = valueOf(made(at->second));
                    dumped.expected = valueOf(expected(at->second));
                    dumped.by = layer.as<HostWork>() ? "host" : "cores";
                    dumped.numbers = m_options.real || layer.whole
                                         ? numbers
                                         : fmt::format("{} * 2^{}", numbers,
                                                       m_numbers.layers[at->second.index()].exponent);
                }
                PIM_CHECK(m_dump.add(OpId(std::int64_t(i)), output, dumped));
            }
        return {};
    }

    RealMaps realsOf(const CrossbarMaps& maps) const {
        RealMaps reals;
        for (std::size_t i = 0; i < maps.size(); ++i)
            reals.push_back(m_numbers.reals(LayerId(i), maps[i]));
        return reals;
    }

    const CrossbarProgramOf& m_program;
    const CrossbarCheckOptions& m_options;
    const CrossbarNumbers& m_numbers;
    TensorDump& m_dump;
    const TaskContext& m_task;
    CrossbarCheck m_result;
    double m_errors = 0, m_deviceErrors = 0;
};

} // namespace

Result<CrossbarCheck> checkCrossbar(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
                                    const TaskContext& task) {
    const Graph& graph = *program.network.graph;
    const int count = std::max(1, options.samples);
    if (count > 1 && !options.dump.empty())
        return fail(ErrorCode::Usage, fmt::format("tensors of one sample are kept, {} were asked for", count),
                    options.dump.string(), "leave out --samples");
    if (count > 1 && !options.inputs.empty() && options.inputs.size() == graph.inputs.size())
        return fail(ErrorCode::Usage,
                    fmt::format("all inputs are given: {} samples would be the same", count), "--samples",
                    "leave it out, or let an input be random");
    std::vector<std::vector<Value>> samples;
    for (int i = 0; i < count; ++i) {
        PIM_TRY(samples.emplace_back(), runInputs(graph, options.inputs, options.seed + std::uint64_t(i)));
    }
    PIM_TRY(const CrossbarNumbers made,
            numbersOf(program, options, options.inputs.empty() ? std::vector<std::vector<Value>>() : samples,
                      task));
    PIM_TRY(TensorDump dump, TensorDump::open(options.dump, graph));
    Checker checker(program, options, made, dump, task);
    for (const std::vector<Value>& sample : samples)
        PIM_CHECK(checker.sample(sample));
    const bool inRounds = std::ranges::any_of(program.stage, [](int stage) { return stage > 0; });
    if (options.inFlight && inRounds && !options.real)
        PIM_CHECK(checker.inFlight(samples));
    return checker.take();
}

} // namespace pim
