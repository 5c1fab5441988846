// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The rewrites that turn the graph of the file into the canonical one, in the order they run. A new pass is
/// one file here and one line in passes.cpp.
#include "core/graph/graph.h"

#include <span>

namespace pim {

struct Pass {
    std::string_view name;
    std::string_view summary; ///< One sentence for a person.
    int (*run)(Graph& graph); ///< Returns the number of rewrites.
};
std::span<const Pass> allPasses();

int foldConstants(Graph& graph);
int removeIdentity(Graph& graph);
int foldBatchNorm(Graph& graph);
int fuseLayerNorm(Graph& graph);
int fuseRmsNorm(Graph& graph);
int fuseGelu(Graph& graph);
int fuseSilu(Graph& graph);
int fuseAttention(Graph& graph);

} // namespace pim
