// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Model file -> Graph. Opening parses the file once; binding dynamic dimensions and switching passes only
/// repeats the cheap second half.
#include "core/base/option_table.h"
#include "core/base/task.h"
#include "core/graph/graph.h"

#include <set>

namespace pim {

/// The parsed file: nodes, attributes, shapes as written; weight payloads were skipped, not copied.
class ImportedModel;

struct GraphOptions {
    std::map<std::string, std::int64_t>
        bindings; ///< Dimension symbol -> value (>= 1); others are assumed, see DimBinding.
    std::set<std::string> disabledPasses; ///< Names as in PassRecord; unknown names are an error.
    /// Of passes, by name; those at their default are left out.
    std::map<std::string, OptionTexts, std::less<>> passOptions{};
};

/// Parses \p path (ONNX protobuf, external data beside it).
/// A 500 MB file takes < 1 s and < 200 MB: initializer payloads are located, not read.
/// Errors: Io, InvalidFile (not ONNX, truncated at byte N), InvalidModel (cycle, missing tensor, duplicate
/// name, …).
Result<std::shared_ptr<const ImportedModel>> importModel(const std::filesystem::path& path,
                                                         const TaskContext& task = {});

/// Binds dimensions, infers shapes, folds constants, runs the passes, computes OpWork.
/// Errors: InvalidModel, Usage (a binding that names no dimension, or < 1; a pass or an option of it that there is not), Cancelled,
/// and what a pass says that cannot be done to this network.
Result<std::shared_ptr<const Graph>> buildGraph(const ImportedModel& model, const GraphOptions& options = {},
                                                const TaskContext& task = {});

/// importModel + buildGraph.
Result<std::shared_ptr<const Graph>>
loadGraph(const std::filesystem::path& path, const GraphOptions& options = {}, const TaskContext& task = {});

/// Names and one-sentence summaries of all passes, in the order they run.
std::vector<PassRecord> graphPasses();

/// One option of a pass, by the name that sweeps use.
struct PassOption {
    std::string name; ///< "fuse_gelu.form"
    std::string_view pass;
    OptionInfo info;
};
/// In the order of the passes.
std::vector<PassOption> passOptions();
/// "fuse_gelu:form=erf", or with a dot instead of the colon. Error::Usage names what there is.
Result<void> setPassOption(GraphOptions& options, std::string_view text);

/// "batch=1,past=512" -> map; Error::Usage names the bad part.
Result<std::map<std::string, std::int64_t>> parseBindings(std::string_view text);

} // namespace pim
