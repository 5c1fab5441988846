// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the machine is told to do: typed command streams with a canonical text form.
/// Flow: Plan -> lower -> [Program] -> simulate, bundle. Every backend brings its own opcodes as data; the
/// structure (streams for a unit of the machine, loops, commands with named integer operands) is shared.
#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pim {

/// One command: MACAB row=3 col=0. Operand names come from the opcode's signature.
struct Command {
    std::uint16_t opcode = 0;           ///< Position in Program::opcodes.
    std::vector<std::int64_t> operands; ///< One an operand name of the opcode.
    friend bool operator==(const Command&, const Command&) = default;
};

/// A command, or a counted loop around items: a row walk is one loop and not thousands of lines.
struct ProgramItem {
    Command command;         ///< Meaningful if body is empty.
    std::int64_t repeat = 1; ///< Turns of the loop (>= 1) if body is not empty.
    std::string variable;    ///< Loop variable in the text form: "i0"
    std::vector<ProgramItem> body;
    /// For a command inside loops: strides[k][i] is added to operand i for each turn of the k-th enclosing
    /// loop, the outermost first. Empty: no operand moves. Rows and entries left out are 0.
    std::vector<std::vector<std::int64_t>> strides;
    friend bool operator==(const ProgramItem&, const ProgramItem&) = default;
};

struct Opcode {
    std::string name;                  ///< "MAC_AB"
    std::vector<std::string> operands; ///< "row", "col"
    std::string meaning;               ///< One sentence for the help and tool tips.
    friend bool operator==(const Opcode&, const Opcode&) = default;
};

/// Commands for one unit that has its own sequencer: a group (pseudo-channel), a core, a chip.
struct Stream {
    std::string unit; ///< "groups 0-79" where all run the same, else "group 3"
    std::vector<ProgramItem> items;
    friend bool operator==(const Stream&, const Stream&) = default;
};

/// Section of a program: the three steps of DCC Fig. 1, or a phase another backend names.
struct Phase {
    std::string name; ///< "input", "compute", "output"
    std::vector<Stream> streams;
    friend bool operator==(const Phase&, const Phase&) = default;
};

struct Program {
    std::string op; ///< Name of the op it runs.
    std::string target;
    std::string draft; ///< Text of the plan it was lowered from.
    std::vector<Opcode> opcodes;
    std::vector<Phase> phases;
    friend bool operator==(const Program&, const Program&) = default;
};

/// Commands executed when all loops are unrolled, by opcode name. Takes time by the length of the text form,
/// not by the number of turns; counts beyond 2^63-1 stay there.
std::map<std::string, std::int64_t> commandCounts(const Program& program);

/// Brings equal programs into one form: strides empty where all are 0 and complete otherwise, loop variables
/// named and told apart, fields without meaning reset. Programs that come from parseProgram have it.
void canonicalize(Program& program);

/// Canonical text: the same program always gives the same bytes, whether canonicalized before or not;
/// parseProgram(programText(p)) == p for a canonical p. The grammar stands in parse.cpp.
std::string programText(const Program& program);
/// Error::InvalidFile with line and column, what was found and expected. Loops may be nested 64 deep.
Result<Program> parseProgram(std::string_view text, std::string_view fileName = "program");

} // namespace pim
