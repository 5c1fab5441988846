// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a user can decide about a plan for a dual-mode chip, as text: parsed, checked, and turned into pins.
///
/// | of | field | value |
/// |---|---|---|
/// | the network | `strategy` | `dual-mode`, `all-compute`, `puma`, `occ` |
/// | the network | `cap` | most arrays of one piece, 1 … N; `search`: each operator its own way, see
/// split_search.h | | an op | `compute arrays/PIECE` | number of arrays | | an op | `memory arrays/PIECE` |
/// number of arrays, inputs and output together | | an op | `border/PIECE` | `start`: a segment begins here;
/// `join`: none does; `auto` |
///
/// PIECE is `2 of 5`, for the parts of attention `scores 2 of 5` and `context 1 of 1`. It names the number of
/// pieces because a piece exists only if the operator is cut into so many: with pins, only caps that cut the
/// pinned operators so are tried. That keeps the cap in force and survives a change of any other decision.
#include "core/cim/plan.h"

#include <optional>

namespace pim {

struct CimDecision {
    std::string op; ///< Name of the op in the graph; "" for the network.
    std::string field, value;
};

/// Decisions, understood; not yet held against a chip.
struct CimChoices {
    struct Piece {
        int op = 0;                ///< Position in CimWorkload::ops.
        int piece = 0, pieces = 1; ///< From 0.
        std::optional<int> compute, memory;
        std::optional<bool> starts; ///< True: a segment begins here; false: none does.
        std::string opName, text;   ///< For messages: "Conv_3", "2 of 5".
    };
    std::optional<CimStrategy> strategy;
    std::optional<int> cap;
    bool searchCuts = false; ///< cap = search
    std::vector<Piece> pieces;
};

/// Names as in the field "strategy".
std::string_view cimStrategyId(CimStrategy strategy);
/// For people: "all arrays compute (CIM-MLC-like)".
std::string_view cimStrategyName(CimStrategy strategy);
std::optional<CimStrategy> cimStrategyFromId(std::string_view id);

/// PIECE of a sub-operator.
std::string cimPieceText(const CimWorkload& workload, const CimSubOp& subOp);

/// Error::IllegalOverride with op, field, value and what is allowed.
Result<CimChoices> parseCimDecisions(const std::vector<CimDecision>& decisions, const CimWorkload& workload);

/// Are the operators of all pinned pieces cut into as many pieces as the pins say?
bool matchesPieces(const CimChoices& choices, const std::vector<CimSubOp>& subOps);

/// Error::IllegalOverride where a pin breaks a rule of the chip, the strategy or another pin; with the range
/// allowed.
Result<CimPins> pinsFrom(const CimChoices& choices, const CimWorkload& workload,
                         const std::vector<CimSubOp>& subOps, const CimChip& chip, const CimOptions& options);

/// Would this decision be legal beside those the plan was made with? \p decisions: the latter.
/// Cheap; does not plan. What it lets pass can still fail where pins of several pieces do not fit into one
/// segment.
Result<void> checkCimDecision(const CimPlan& plan, const std::vector<CimDecision>& decisions,
                              const CimDecision& decision);

struct CimLegalValue {
    std::string value;
    bool legal = true;
    std::string reason; ///< Why not, or a remark.
};
struct CimField {
    std::string field, label, current;
    bool overridden = false;
    std::vector<CimLegalValue>
        values; ///< Empty where there are too many to list: any number checkCimDecision() takes.
};

/// What can be decided: of the network for an invalid \p op.
std::vector<CimField> cimFields(const CimPlan& plan, const std::vector<CimDecision>& decisions, OpId op);

} // namespace pim
