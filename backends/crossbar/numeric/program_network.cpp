// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/program_network.h"

#include <fmt/format.h>

namespace pim {
namespace {

class ProgramNetwork final : public NumericNetwork {
public:
    ProgramNetwork(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
                   CrossbarNumbers numbers)
        : m_program(program), m_options(options), m_numbers(std::move(numbers)) {}

    Result<std::vector<Value>> run(std::span<const Value> inputs, const TaskContext& task) override {
        const CrossbarJob job{m_program.program, m_program.network,    m_program.mapping, m_program.chip,
                              m_numbers,         m_program.mapAddress, m_program.stage};
        PIM_TRY(
            const CrossbarRun done,
            executeProgram(job, inputs, {.device = m_options.device, .bitByBit = m_options.bitByBit}, task));
        std::vector<Value> outputs;
        const Graph& graph = *m_program.network.graph;
        for (std::size_t i = 0; i < graph.outputs.size(); ++i) {
            PIM_TRY(Value output,
                    outputOf(done, m_program.network.outputs[i], graph.tensor(graph.outputs[i])));
            outputs.push_back(std::move(output));
        }
        return outputs;
    }

    std::string numbers() const override {
        const std::string widths = m_options.real ? "real numbers"
                                   : m_numbers.weightBits == m_numbers.activationBits
                                       ? fmt::format("{}-bit fixed point", m_numbers.weightBits)
                                       : fmt::format("fixed point, weights of {} and activations of {} bits",
                                                     m_numbers.weightBits, m_numbers.activationBits);
        std::string devices;
        if (m_options.device.adcBits > 0)
            devices += fmt::format(", converters of {} bits", m_options.device.adcBits);
        if (m_options.device.variation > 0)
            devices += fmt::format(", conductances that vary by {}", m_options.device.variation);
        if (m_options.device.stuckOff > 0 || m_options.device.stuckOn > 0)
            devices += fmt::format(", {} of the cells stuck off and {} on", m_options.device.stuckOff,
                                   m_options.device.stuckOn);
        return widths + (devices.empty() ? ", exact arrays" : devices);
    }

private:
    Result<Value> outputOf(const CrossbarRun& done, const HeldTensor& held, const Tensor& tensor) const {
        if (!held.layer.valid())
            return constantValue(tensor);
        const std::size_t at = held.layer.index();
        std::vector<double> map;
        if (m_options.real)
            map = done.realMaps[at];
        else
            for (const std::int64_t element : done.maps[at])
                map.push_back(m_numbers.toHost(held.layer, element));
        const CrossbarLayer& layer = m_program.network.at(held.layer);
        if (std::ssize(map) != layer.out.elements())
            return fail(ErrorCode::InvalidFile, "the program does not store all of this output", layer.name);
        return tensorOfMap(map, layer.out, held, tensor);
    }

    CrossbarProgramOf m_program;
    CrossbarCheckOptions m_options;
    CrossbarNumbers m_numbers;
};

} // namespace

Result<CrossbarNumbers> numbersOf(const CrossbarProgramOf& program, const CrossbarCheckOptions& options,
                                  const std::vector<std::vector<Value>>& calibration,
                                  const TaskContext& task) {
    PIM_CHECK(checkDevice(options.device));
    NumbersOptions numbers = numbersOptions(program.chip);
    numbers.accumulatorBits = program.program.accumulatorElements * program.chip.activationBytes() * 8;
    numbers.real = options.real;
    numbers.threads = options.threads;
    // Calibration sees other inputs than the check.
    constexpr std::uint64_t kCalibrationSeed = 1'000'003;
    numbers.seed = options.seed + kCalibrationSeed;
    numbers.calibration = calibration;
    return quantiseNetwork(program.network, numbers, task);
}

Result<std::unique_ptr<NumericNetwork>> crossbarOnNumbers(const CrossbarProgramOf& program,
                                                          const CrossbarCheckOptions& options,
                                                          const std::vector<std::vector<Value>>& calibration,
                                                          const TaskContext& task) {
    PIM_TRY(CrossbarNumbers numbers, numbersOf(program, options, calibration, task));
    return std::make_unique<ProgramNetwork>(program, options, std::move(numbers));
}

} // namespace pim
