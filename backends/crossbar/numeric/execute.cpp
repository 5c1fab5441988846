// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/execute.h"

#include "backends/crossbar/numeric/machine.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

namespace {

template <class Number>
Result<CrossbarRun> runOn(const CrossbarJob& job, const std::vector<std::vector<Number>>& inputs,
                          const CrossbarRunOptions& options, std::vector<std::vector<Number>>& maps,
                          const TaskContext& task) {
    CrossbarMachine<Number> machine(job, options);
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!inputs[i].empty())
            machine.putMap(LayerId(i), inputs[i]);
    const int stages = job.stage.empty() ? 1 : *std::max_element(job.stage.begin(), job.stage.end()) + 1;
    for (int stage = 0; stage < stages; ++stage)
        PIM_CHECK(machine.run(stage, task));
    for (std::size_t i = 0; i < job.network.layers.size(); ++i)
        maps.push_back(machine.takeMap(LayerId(i)));
    return std::move(machine.counts);
}

} // namespace

Result<CrossbarRun> executeProgram(const CrossbarJob& job, std::span<const Value> inputs,
                                   const CrossbarRunOptions& options, const TaskContext& task) {
    PIM_CHECK(checkDevice(options.device));
    const int accumulator = job.program.accumulatorElements * job.chip.activationBytes() * 8;
    if (!job.numbers.real && accumulator != job.numbers.accumulatorBits)
        return fail(ErrorCode::Usage,
                    fmt::format("numbers are made for accumulators of {} bits, the program has {}",
                                job.numbers.accumulatorBits, accumulator),
                    job.network.name);
    PIM_TRY(const CrossbarMaps held, inputMaps(job.network, job.numbers, inputs));
    if (!job.numbers.real) {
        CrossbarMaps maps;
        PIM_TRY(CrossbarRun run, runOn<std::int64_t>(job, held, options, maps, task));
        run.maps = std::move(maps);
        return run;
    }
    std::vector<std::vector<double>> reals(held.size()), maps;
    const Graph& graph = *job.network.graph;
    for (std::size_t i = 0; i < held.size(); ++i) {
        if (held[i].empty())
            continue;
        if (job.network.layers[i].whole) {
            reals[i].assign(held[i].begin(), held[i].end());
            continue;
        }
        const auto at = std::find(graph.inputs.begin(), graph.inputs.end(), job.network.layers[i].value) -
                        graph.inputs.begin();
        PIM_TRY(const auto map,
                mapOfTensor(inputs[std::size_t(at)], job.network.layers[i].out, job.network.layers[i].name));
        reals[i].assign(map.begin(), map.end());
    }
    PIM_TRY(CrossbarRun run, runOn<double>(job, reals, options, maps, task));
    run.realMaps = std::move(maps);
    return run;
}

Result<std::vector<CrossbarMaps>> executeInFlight(const CrossbarJob& job,
                                                  std::span<const std::vector<Value>> samples,
                                                  const TaskContext& task) {
    const std::size_t layers = job.network.layers.size();
    PIM_ASSERT(job.stage.size() == layers && job.copies.size() == layers && !job.numbers.real,
               "a program in rounds, in fixed point");
    const CrossbarRunOptions options;
    CrossbarMachine<std::int64_t> machine(job, options);
    std::vector<CrossbarMaps> maps(samples.size(), CrossbarMaps(layers));
    const std::int64_t rounds = *std::ranges::max_element(job.stage) + std::ssize(samples);
    for (std::int64_t round = 0; round < rounds; ++round) {
        if (round < std::ssize(samples)) {
            PIM_TRY(const CrossbarMaps held,
                    inputMaps(job.network, job.numbers, samples[std::size_t(round)]));
            for (std::size_t i = 0; i < layers; ++i)
                if (!held[i].empty())
                    machine.putMap(LayerId(i), held[i], round);
        }
        PIM_CHECK(machine.runInFlight(round, std::ssize(samples), task));
        for (std::size_t i = 0; i < layers; ++i)
            if (const std::int64_t sample = round - job.stage[i]; sample >= 0 && sample < std::ssize(samples))
                maps[std::size_t(sample)][i] = machine.takeMap(LayerId(i), sample);
    }
    return maps;
}

CrossbarComparison compareMaps(const CrossbarNetwork& network, const CrossbarMaps& expected,
                               const CrossbarRun& run) {
    CrossbarComparison comparison;
    for (std::size_t i = 0; i < run.maps.size() && i < expected.size(); ++i) {
        const auto &got = run.maps[i], &wanted = expected[i];
        if (got.empty() || network.layers[i].as<InputWork>())
            continue;
        ++comparison.maps;
        comparison.elements += std::int64_t(got.size());
        if (got == wanted || comparison.first)
            continue;
        const CrossbarLayer& layer = network.layers[i];
        CrossbarDifference difference;
        difference.layer = LayerId(i);
        std::int64_t first = -1;
        for (std::size_t k = 0; k < got.size(); ++k)
            if (got[k] != wanted[k]) {
                first = first < 0 ? std::int64_t(k) : first;
                ++difference.count;
            }
        difference.pixel = first / layer.out.channels;
        difference.channel = first % layer.out.channels;
        difference.expected = wanted[std::size_t(first)];
        difference.got = got[std::size_t(first)];
        difference.text = fmt::format("layer \"{}\", pixel {} (row {}, column {}), channel {}: {} instead of "
                                      "{}; {} of its {} elements differ",
                                      layer.name, difference.pixel, difference.pixel / layer.out.width,
                                      difference.pixel % layer.out.width, difference.channel, difference.got,
                                      difference.expected, difference.count, got.size());
        comparison.first = difference;
    }
    return comparison;
}

namespace {

/// Elements of an output of the graph, from the map that holds them; empty where the map is.
std::vector<float> outputOf(const CrossbarNetwork& network, std::size_t output,
                            const std::vector<std::vector<float>>& maps) {
    const HeldTensor& held = network.outputs[output];
    std::vector<float> elements;
    if (!held.layer.valid() || held.layer.index() >= maps.size() || maps[held.layer.index()].empty())
        return elements;
    const auto& map = maps[held.layer.index()];
    const Tensor& tensor = network.graph->tensor(network.graph->outputs[output]);
    elements.resize(std::size_t(elementCount(*tensor.shape).value_or(0)));
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const std::int32_t at = held.at(std::int64_t(k), network.layers[held.layer.index()].out);
        elements[k] = at < 0 ? 0 : map[std::size_t(at)];
    }
    return elements;
}

} // namespace

CrossbarAccuracy outputAccuracy(const CrossbarNetwork& network,
                                const std::vector<std::vector<float>>& reference,
                                const std::vector<std::vector<float>>& values) {
    CrossbarAccuracy accuracy;
    double errors = 0, squares = 0;
    for (std::size_t i = 0; i < network.outputs.size(); ++i) {
        const std::vector<float> a = outputOf(network, i, reference), b = outputOf(network, i, values);
        if (a.empty() || a.size() != b.size())
            continue;
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (!std::isfinite(a[k])) {
                ++accuracy.notFinite;
                continue;
            }
            errors += (double(a[k]) - double(b[k])) * (double(a[k]) - double(b[k]));
            squares += double(a[k]) * double(a[k]);
        }
        accuracy.sameLargest = accuracy.sameLargest && std::max_element(a.begin(), a.end()) - a.begin() ==
                                                           std::max_element(b.begin(), b.end()) - b.begin();
    }
    accuracy.relativeError = errors > 0 ? std::sqrt(errors / squares) : 0;
    return accuracy;
}

} // namespace pim
