// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one pass did to the graph, rewrite by rewrite. Found by running the passes up to it again, so that
/// graphs need not carry their history.
#include "core/graph/import.h"

namespace pim {

struct OpLine {
    std::string op;   ///< Op::name.
    std::string text; ///< "y f32[1, 64] = Conv(x f32[1, 3], W)"
    friend bool operator==(const OpLine&, const OpLine&) = default;
};

/// Ops that went and ops that stand in their place; either may be empty. Neighbouring rewrites are one edit.
struct PassEdit {
    std::vector<OpLine> before, after;
    friend bool operator==(const PassEdit&, const PassEdit&) = default;
};

/// In the order of the graph; empty for a pass that is switched off or changed nothing.
/// Errors: as buildGraph(); Usage for a name that no pass has.
Result<std::vector<PassEdit>> passEdits(const ImportedModel& model, const GraphOptions& options,
                                        std::string_view pass, const TaskContext& task = {});

/// An op as a line of text: outputs, type, inputs, with types and shapes.
std::string opText(const Graph& graph, const Op& op);

} // namespace pim
