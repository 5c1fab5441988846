// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/tensor_dump.h"

#include "core/base/text_table.h"
#include "core/numeric/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace pim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kIndex = "index.csv";

const std::vector<std::string> kColumns{"op",
                                        "op_type",
                                        "tensor",
                                        "computed_by",
                                        "numbers",
                                        "shape",
                                        "dtype",
                                        "file",
                                        "expected_file",
                                        "reference_file",
                                        "elements",
                                        "wrong",
                                        "max_absolute_error",
                                        "mean_absolute_error",
                                        "max_relative_error",
                                        "mean_relative_error",
                                        "tolerance",
                                        "first_wrong_index",
                                        "first_wrong_value",
                                        "first_wrong_expected",
                                        "reference_max_absolute_error",
                                        "reference_mean_absolute_error",
                                        "reference_relative_rms_error"};

/// "1 64 56 56"
std::string spaced(const Shape& shape) {
    return fmt::format("{}", fmt::join(shape, " "));
}

std::string numberText(double number) {
    return fmt::format("{:.9g}", number);
}

Error cannotWrite(const fs::path& path) {
    return {ErrorCode::Io, "it cannot be written", path.string(), "is there room, and may you write there?"};
}

} // namespace

TensorDump::TensorDump(fs::path folder, const Graph& graph) : m_folder(std::move(folder)), m_graph(&graph) {
    std::set<std::string> taken;
    const auto name = [&](TensorId tensor) {
        if (!tensor.valid() || m_names.contains(tensor))
            return;
        const std::string base = npyName(graph.tensor(tensor).name);
        const auto isFree = [&](const std::string& candidate) {
            return !taken.contains(candidate) && !taken.contains(candidate + ".expected") &&
                   !taken.contains(candidate + ".reference");
        };
        std::string chosen = base;
        for (int number = 2; !isFree(chosen); ++number)
            chosen = fmt::format("{}~{}", base, number);
        taken.insert({chosen, chosen + ".expected", chosen + ".reference"});
        m_names[tensor] = std::move(chosen);
    };
    for (const TensorId input : graph.inputs)
        name(input);
    for (const Op& op : graph.ops)
        for (const TensorId output : op.outputs)
            name(output);
}

Result<void> TensorDump::checkFolder(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error))
        return {};
    if (!fs::is_directory(folder, error))
        return fail(ErrorCode::Usage, "tensors are dumped into a folder, this is a file", folder.string(),
                    "name a new folder");
    if (!fs::is_empty(folder, error))
        return fail(error ? ErrorCode::Io : ErrorCode::Usage,
                    error ? error.message() : "there is something in the folder already", folder.string(),
                    "name a new folder, or empty this one");
    return {};
}

Result<TensorDump> TensorDump::open(const fs::path& folder, const Graph& graph) {
    TensorDump dump(folder, graph);
    if (!dump.writes())
        return dump;
    PIM_CHECK(checkFolder(folder));
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, "the folder cannot be made: " + error.message(), folder.string(),
                    "name one where you may write");
    dump.m_index.open(folder / kIndex);
    PIM_CHECK(dump.row(kColumns));
    return dump;
}

Result<void> TensorDump::row(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i)
        line += (i > 0 ? "," : "") + csvField(cells[i]);
    m_index << line << '\n' << std::flush;
    return m_index ? Result<void>() : tl::unexpected(cannotWrite(m_folder / kIndex));
}

Result<void> TensorDump::inputs(std::span<const Value> values, const InputValues& own) {
    for (std::size_t i = 0; writes() && i < values.size(); ++i) {
        const TensorId input = m_graph->inputs[i];
        DumpedTensor dumped;
        dumped.made = values[i];
        dumped.by = own.contains(m_graph->tensor(input).name) ? "given" : "random";
        dumped.numbers = name(values[i].dtype);
        PIM_CHECK(add(OpId(), input, dumped));
    }
    return {};
}

RealObserver TensorDump::references() {
    if (!writes())
        return {};
    return [this](const RealStep& step) -> Result<void> {
        const Op& op = m_graph->op(step.op);
        for (std::size_t k = 0; k < op.outputs.size() && k < step.outputs.size(); ++k)
            if (op.outputs[k].valid() && step.outputs[k].bytes) {
                PIM_CHECK(
                    writeNpy(m_folder / (m_names.at(op.outputs[k]) + ".reference.npy"), step.outputs[k]));
                m_referred[op.outputs[k]] = true;
            }
        return {};
    };
}

Result<void> TensorDump::add(OpId op, TensorId tensor, const DumpedTensor& dumped) {
    if (!writes())
        return {};
    const std::string& file = m_names.at(tensor);
    const Tensor& node = m_graph->tensor(tensor);
    std::string made, expected, reference;
    NumericDifference off, offReference;
    if (dumped.made.bytes) {
        made = file + ".npy";
        PIM_CHECK(writeNpy(m_folder / made, dumped.made));
    }
    if (dumped.expected.bytes) {
        expected = file + ".expected.npy";
        PIM_CHECK(writeNpy(m_folder / expected, dumped.expected));
    }
    const bool judged = dumped.made.bytes && dumped.expected.bytes;
    if (judged)
        off = differenceOf(dumped.made, dumped.expected, dumped.tolerance.value_or(0));
    if (m_referred.contains(tensor)) {
        reference = file + ".reference.npy";
        if (dumped.made.bytes) {
            PIM_TRY(const Value real, readNpy(m_folder / reference));
            offReference = differenceOf(dumped.made, real, 0);
        }
    }
    const bool refers = dumped.made.bytes && !reference.empty(), holds = judged && dumped.tolerance;
    const bool wrong = holds && off.first >= 0;
    const auto where = [](bool there, double number) { return there ? numberText(number) : std::string(); };
    return row({op.valid() ? m_graph->op(op).name : "",
                op.valid() ? m_graph->op(op).type : "input",
                node.name,
                dumped.by,
                dumped.made.bytes ? dumped.numbers : "",
                node.shape ? spaced(*node.shape) : "",
                std::string(name(dumped.made.bytes ? dumped.made.dtype : node.dtype)),
                made,
                expected,
                reference,
                dumped.made.bytes ? std::to_string(dumped.made.count()) : "",
                holds ? std::to_string(off.wrong) : "",
                where(judged, off.maxAbsolute),
                where(judged, off.meanAbsolute),
                where(judged, off.maxRelative),
                where(judged, off.meanRelative),
                where(holds, dumped.tolerance.value_or(0)),
                wrong ? spaced(indexOf(off.first, off.shape)) : "",
                where(wrong, off.firstValue),
                where(wrong, off.firstReference),
                where(refers, offReference.maxAbsolute),
                where(refers, offReference.meanAbsolute),
                where(refers, offReference.relativeRms)});
}

Result<void> dumpRun(TensorDump& dump, const QuantizedModel& model, const QuantizedRun& made,
                     const QuantizedRun& expected, const std::function<std::string(OpId)>& computedBy) {
    const Graph& graph = *model.graph;
    for (std::size_t i = 0; dump.writes() && i < graph.ops.size(); ++i)
        for (const TensorId output : graph.ops[i].outputs) {
            if (!output.valid())
                continue;
            const auto exponent = model.exponents[output.index()];
            const auto real = [&](const Value& held) {
                return held.bytes && exponent ? toReal(held, *exponent) : held;
            };
            const OpId op(static_cast<std::int64_t>(i));
            DumpedTensor dumped{real(made.values[output.index()]),
                                real(expected.values[output.index()]),
                                0.0,
                                computedBy(op),
                                {}};
            dumped.numbers = exponent ? fmt::format("i8 * 2^{}", *exponent) : name(dumped.made.dtype);
            PIM_CHECK(dump.add(op, output, dumped));
        }
    return {};
}

} // namespace pim
