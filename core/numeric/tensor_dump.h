// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// All tensors of a run on numbers as files for NumPy, each written as soon as it is there, and a table of them in the order of the
/// graph: to find the first op that is wrong. Flow: inputs, steps and results of a check -> [TensorDump] -> index.csv, *.npy.
///
/// NAME.npy            what the programs of the machine computed, fractions as float32
/// NAME.expected.npy   what the op should have given for the operands it got; what the check holds NAME.npy against
/// NAME.reference.npy  the network in float32 throughout
///
/// NAME is npyName() of the tensor; a name that is taken gets "~2", "~3", … behind it. Rows of the index are on the disk as soon as
/// their files are: a check that ends early leaves what it had.
#include "core/numeric/difference.h"
#include "core/numeric/own_inputs.h"
#include "core/numeric/quantized_model.h"
#include "core/numeric/real_run.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <unordered_map>

namespace pim {

struct DumpedTensor {
    Value made;                      ///< Bytes null: the machine does not hold it as a whole.
    Value expected;                  ///< Bytes null: nothing says what it should be.
    std::optional<double> tolerance; ///< Of NumericDifference::maxRelative; nothing: it is not judged.
    std::string by;                  ///< What computed it: "PIM", "host".
    std::string numbers = "f32";     ///< In which numbers it was held: "i8 * 2^-5".
};

class TensorDump {
public:
    /// Into \p folder, which is made; empty: nothing is ever written. \p graph outlives it. Errors: as checkFolder(); Io.
    static Result<TensorDump> open(const std::filesystem::path& folder, const Graph& graph);
    /// May a dump go there? Error::Usage for a file, or a folder with something in it.
    static Result<void> checkFolder(const std::filesystem::path& folder);

    bool writes() const { return !m_folder.empty(); }
    Result<void> inputs(std::span<const Value> values, const InputValues& own);
    /// For the run in float32, which comes before add(): writes the references. It outlives no move of this.
    RealObserver references();
    /// A result of op \p op, in the order of the graph.
    Result<void> add(OpId op, TensorId tensor, const DumpedTensor& dumped);

private:
    TensorDump(std::filesystem::path folder, const Graph& graph);
    Result<void> row(const std::vector<std::string>& cells);

    std::filesystem::path m_folder;
    const Graph* m_graph;
    std::unordered_map<TensorId, std::string> m_names;
    std::unordered_map<TensorId, bool> m_referred; ///< Their references are on the disk.
    std::ofstream m_index;
};

/// All results of an 8-bit run beside those of its reference, as fractions; they have to be equal. \param computedBy what computed an op.
Result<void> dumpRun(TensorDump& dump, const QuantizedModel& model, const QuantizedRun& made,
                     const QuantizedRun& expected, const std::function<std::string(OpId)>& computedBy);

} // namespace pim
