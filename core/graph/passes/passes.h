// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The rewrites that turn the graph of the file into the canonical one, in the order they run. A new pass is
/// one file here and one line in passes.cpp.
#include "core/base/option_table.h"
#include "core/graph/graph.h"
#include "core/graph/import.h"

#include <span>

namespace pim {

struct Pass {
    std::string_view name;
    std::string_view summary; ///< One sentence for a person.
    /// Returns the number of rewrites, or why it cannot be done to this network. \p options were checked.
    Result<int> (*run)(Graph& graph, const OptionTexts& options);
    const OptionTable* (*options)() = nullptr; ///< Null: it has none.
};
std::span<const Pass> allPasses();

/// Error::Usage for a pass, an option or a value in \p options that there is not.
Result<void> checkPasses(std::span<const Pass> passes, const GraphOptions& options);
/// Those that are not left out, in order; each leaves its record in the graph. Errors: that of the pass that fails, which is named;
/// Cancelled. \param options checked.
Result<void> runPasses(Graph& graph, std::span<const Pass> passes, const GraphOptions& options,
                       const TaskContext& task);
/// \p pass alone, with its options among \p options; no record.
Result<int> runPass(Graph& graph, const Pass& pass, const GraphOptions& options);

/// Which ways of writing GELU are recognised.
enum class GeluForm : std::uint8_t { Any, Erf, Tanh };
struct FuseGeluOptions {
    GeluForm form = GeluForm::Any;
};
struct FuseAttentionOptions {
    bool withMask = true;
};

int foldConstants(Graph& graph);
int removeIdentity(Graph& graph);
int foldBatchNorm(Graph& graph);
int fuseLayerNorm(Graph& graph);
int fuseRmsNorm(Graph& graph);
int fuseGelu(Graph& graph, const FuseGeluOptions& options = {});
int fuseSilu(Graph& graph);
int fuseAttention(Graph& graph, const FuseAttentionOptions& options = {});
int groupHeads(Graph& graph);

} // namespace pim
