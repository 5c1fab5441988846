// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/program_network.h"

#include "core/numeric/real_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace pim {

namespace {

using RealMaps = std::vector<std::vector<float>>;

class Checker {
public:
    Checker(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
            const CrossbarNumbers& numbers, const TaskContext& task)
        : m_program(program), m_options(options), m_numbers(numbers), m_task(task) {}

    Result<void> sample(std::uint64_t seed) {
        PIM_TRY(const auto inputs, sampleInputs(*m_program.network.graph, seed));
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
        return m_options.device.exact() ? Result<void>() : onDevice(inputs, fixed);
    }

    /// All samples once more, in flight at once.
    Result<void> inFlight() {
        std::vector<std::vector<Value>> samples;
        for (int i = 0; i < m_result.samples; ++i) {
            PIM_TRY(auto inputs, sampleInputs(*m_program.network.graph, m_options.seed + std::uint64_t(i)));
            samples.push_back(std::move(inputs));
        }
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
        return {};
    }

    Result<void> onDevice(std::span<const Value> inputs, const RealMaps& exact) {
        PIM_TRY(const CrossbarRun got, run(inputs, {.device = m_options.device}));
        const CrossbarAccuracy accuracy = outputAccuracy(m_program.network, exact, realsOf(got.maps));
        m_deviceErrors += accuracy.relativeError * accuracy.relativeError;
        m_result.device.sameTop += accuracy.sameLargest;
        ++m_result.device.samples;
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
    const TaskContext& m_task;
    CrossbarCheck m_result;
    double m_errors = 0, m_deviceErrors = 0;
};

} // namespace

Result<CrossbarCheck> checkCrossbar(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
                                    const TaskContext& task) {
    PIM_TRY(const CrossbarNumbers made, numbersOf(program, options, {}, task));
    Checker checker(program, options, made, task);
    for (int i = 0; i < std::max(1, options.samples); ++i)
        PIM_CHECK(checker.sample(options.seed + std::uint64_t(i)));
    const bool inRounds = std::ranges::any_of(program.stage, [](int stage) { return stage > 0; });
    if (options.inFlight && inRounds && !options.real)
        PIM_CHECK(checker.inFlight());
    return checker.take();
}

} // namespace pim
