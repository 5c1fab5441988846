// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A phase of a program with its loops laid flat, so that it can be walked fast and without unrolling it.
/// Flow: Program -> [FlatPhase] -> run.cpp, sequencer.cpp.
#include "core/program/program.h"

#include <span>

namespace pim {

/// A node is a command, the head of a loop or its end; nodes follow in the order of the text.
struct FlatNode {
    enum class Kind : std::uint8_t { Command, Loop, End };
    Kind kind = Kind::Command;
    int opcode = 0;         ///< Command.
    int depth = 0;          ///< Loops around it; of a loop itself (head and end) the number of its counter.
    int partner = 0;        ///< Loop: node of its end. End: node of its head.
    std::int64_t turns = 1; ///< Loop and end.
    int operands = 0, count = 0;   ///< Command: first and number in FlatPhase::operands.
    int movements = 0, moving = 0; ///< Command: first and number in FlatPhase::movements.
};

/// \p stride is added to an operand for each finished turn of a loop around it.
struct FlatMovement {
    int depth = 0;
    int operand = 0; ///< Counted in the command.
    std::int64_t stride = 0;
};

struct FlatPhase {
    std::string name;
    std::vector<FlatNode> nodes;
    std::vector<std::int64_t> operands;
    std::vector<FlatMovement> movements;
    int deepest = 0;      ///< Most loops inside one another.
    int mostOperands = 0; ///< Of a command.

    /// Operands of a command when the loops around it have finished \p turns turns each, outermost first.
    void evaluate(const FlatNode& node, const std::int64_t* turns, std::int64_t* into) const;
};

/// Error::InvalidFile for a phase of several streams, an opcode the program has not, operands that do not fit
/// it.
Result<FlatPhase> flatten(const Program& program, const Phase& phase);

/// "MACAB row=3 col=0"
std::string commandText(const Program& program, int opcode, std::span<const std::int64_t> operands);

/// Calls \p onCommand(node, operands) for every command in order until it returns false. \returns false if it
/// did.
template <class OnCommand>
bool walkFlat(const FlatPhase& phase, const OnCommand& onCommand) {
    std::vector<std::int64_t> turns(std::size_t(phase.deepest) + 1, 0),
        operands(std::size_t(phase.mostOperands), 0);
    for (std::size_t at = 0; at < phase.nodes.size(); ++at) {
        const FlatNode& node = phase.nodes[at];
        if (node.kind == FlatNode::Kind::Loop) {
            turns[std::size_t(node.depth)] = 0;
        } else if (node.kind == FlatNode::Kind::End) {
            if (++turns[std::size_t(node.depth)] < node.turns)
                at = std::size_t(node.partner);
        } else {
            phase.evaluate(node, turns.data(), operands.data());
            if (!onCommand(node, std::span<const std::int64_t>(operands.data(), std::size_t(node.count))))
                return false;
        }
    }
    return true;
}

} // namespace pim
