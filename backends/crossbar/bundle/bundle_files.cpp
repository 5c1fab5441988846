// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/bundle/bundle_files.h"

#include "backends/crossbar/bundle/mapping_file.h"
#include "backends/crossbar/numeric/primitives.h"
#include "backends/crossbar/numeric/weight_image.h"
#include "core/base/file_io.h"
#include "core/base/parallel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

std::string dump(const ordered_json& json) {
    return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

ordered_json parametersOf(const CrossbarNetwork& network, const CrossbarNumbers& numbers) {
    ordered_json layers = ordered_json::array();
    for (std::size_t i = 0; i < network.layers.size(); ++i) {
        const LayerNumbers& of = numbers.layers[i];
        ordered_json layer{{"layer", i},
                           {"name", network.layers[i].name},
                           {"exponent", of.exponent},
                           {"exponent_before_function", of.preExponent}};
        const auto add = [&layer](const char* key, const auto& values) {
            if (!values.empty())
                layer[key] = values;
        };
        add("weight_exponents", of.weightExponents);
        add("sum_exponents", of.sumExponents);
        add("bias", std::vector<std::int64_t>(of.bias.begin(), of.bias.end()));
        add("constant", of.constant);
        add("factor", of.factor);
        add("shift", of.shift);
        layers.push_back(std::move(layer));
    }
    return {{"format", "pim crossbar parameters 1"},     {"weight_bits", numbers.weightBits},
            {"activation_bits", numbers.activationBits}, {"accumulator_bits", numbers.accumulatorBits},
            {"weight_error", numbers.weightError},       {"layers", std::move(layers)}};
}

class FileWriter {
public:
    FileWriter(const CrossbarPlan& plan, const fs::path& folder, const TaskContext& task)
        : m_plan(plan), m_folder(folder), m_task(task) {}

    Result<std::vector<std::string>> write() {
        PIM_CHECK(add("mapping.json", placementText(*m_plan.network, m_plan.mapping, *m_plan.schedule)));
        PIM_CHECK(writeWeights());
        ordered_json sets = ordered_json::array();
        for (const PrimitiveSet& set : primitiveTranslators()) {
            PIM_TRY(ordered_json entry, writePrimitives(set));
            sets.push_back(std::move(entry));
        }
        PIM_CHECK(add("primitives.json",
                      dump({{"format", "pim crossbar primitives 1"}, {"sets", std::move(sets)}})));
        return std::move(m_files);
    }

private:
    Result<void> add(const std::string& name, std::string_view text) {
        PIM_CHECK(replaceFile(m_folder / name, text));
        m_files.push_back(name);
        return {};
    }

    Result<void> writeWeights() {
        NumbersOptions options = numbersOptions(m_plan.chip);
        options.weights = false; // read as they are written
        const auto numbers = quantiseNetwork(*m_plan.network, options, m_task);
        if (!numbers) {
            const ErrorCode code = numbers.error().code;
            if (code != ErrorCode::NotFound && code != ErrorCode::Unsupported &&
                code != ErrorCode::InvalidTarget)
                return tl::unexpected<Error>(numbers.error());
            PIM_CHECK(writeWeightPlaces(*m_plan.network, m_plan.chip, m_plan.mapping,
                                        whyMissing(numbers.error()), m_folder));
            m_files.emplace_back("weights.json");
            return {};
        }
        PIM_CHECK(writeWeightImage(*m_plan.network, m_plan.chip, m_plan.mapping, *numbers, m_folder, m_task));
        m_files.emplace_back("weights.bin");
        m_files.emplace_back("weights.json");
        return add("parameters.json", dump(parametersOf(*m_plan.network, *numbers)));
    }

    /// Without paths of this machine: the bundle of equal input is the same everywhere.
    std::string whyMissing(const Error& error) const {
        return error.code == ErrorCode::NotFound
                   ? "the values of the model's weights are not there"
                   : fmt::format("\"{}\" cannot be held in fixed point: {}", error.where, error.message);
    }

    /// Some cores at a time; a set that cannot say all of the program says nothing.
    Result<ordered_json> writePrimitives(const PrimitiveSet& set) {
        constexpr std::size_t kCoresAtOnce = 32; // so that not all of it is in memory
        const CrossbarProgram& program = m_plan.schedule->program;
        const std::string name = set.name + ".txt";
        PIM_TRY(OutputFile out, OutputFile::create(m_folder / name));
        ordered_json cores = ordered_json::array();
        std::int64_t offset = 0;
        for (std::size_t begin = 0; begin < program.cores.size(); begin += kCoresAtOnce) {
            if (m_task.cancelled())
                return TaskContext::cancelledError("translating the program");
            std::vector<Result<std::string>> texts(std::min(kCoresAtOnce, program.cores.size() - begin));
            parallelFor(texts.size(), 0, [&](std::size_t i) {
                texts[i] = translateCore(program, m_plan.chip, set, CoreId(begin + i));
            });
            for (std::size_t i = 0; i < texts.size(); ++i) {
                const Result<std::string>& text = texts[i];
                if (!text)
                    return ordered_json{
                        {"name", set.name}, {"summary", set.summary}, {"refused", text.error().text()}};
                if (text->empty())
                    continue;
                PIM_CHECK(out.write(*text));
                cores.push_back({{"core", begin + i}, {"offset", offset}, {"bytes", text->size()}});
                offset += std::ssize(*text);
            }
        }
        PIM_CHECK(out.finish());
        m_files.push_back(name);
        return ordered_json{{"name", set.name},
                            {"summary", set.summary},
                            {"file", name},
                            {"bytes", offset},
                            {"cores", std::move(cores)}};
    }

    const CrossbarPlan& m_plan;
    const fs::path& m_folder;
    const TaskContext& m_task;
    std::vector<std::string> m_files;
};

} // namespace

Result<std::vector<std::string>> writeCrossbarFiles(const CrossbarPlan& plan, const fs::path& folder,
                                                    const TaskContext& task) {
    return FileWriter(plan, folder, task).write();
}

} // namespace pim
