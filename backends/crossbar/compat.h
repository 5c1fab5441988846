// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The mode "pimcomp-compat": how long a stream of pseudo-instructions takes by the rules of PIMCOMP-NN (git
/// 2ed10c8, its evaluation), to the nanosecond, so that results compare with that program's on equal terms.
/// Its rules are kept as they are, odd ones too: shared resources are given in visiting order, a product
/// overwrites the clock of its core, distance costs nothing. Flow: stream of PIMCOMP-NN, or CrossbarProgram
/// -> [CompatStream] -> period. Our own figures come from profile.h.
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/options.h"
#include "core/base/task.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// What an instruction does to the clocks; several opcodes of PIMCOMP-NN do the same.
enum class CompatOp : std::uint8_t {
    Mvm,       ///< MVMUL
    Vector,    ///< VVADD, VRELU, VTANH, VSIGMOID, VVMAX
    GatherAdd, ///< VVADD in stage MAIN-C: the sum of what another core sent.
    InputMove, ///< LMV in stage MAIN: local copy before a product.
    InputFill, ///< LLDI in stage MAIN.
    Move,
    Fill, ///< LMV, LLDI elsewhere.
    Load,
    Store,
    Send,
    Recv,
    Free, ///< VVMUL, VSUB, VSIGM, VRSU, VRSL, VER: not counted there.
    Count_
};

struct CompatInstruction {
    std::uint32_t elements = 0;
    std::uint32_t id = 0; ///< Array group of a product, transfer of Send and Recv.
    CompatOp op = CompatOp::Free;
};

/// Instructions of one core in one group: [begin, end) of CompatStream::instructions.
struct CompatBlock {
    std::uint32_t group = 0, core = 0;
    std::size_t begin = 0, end = 0;
};

struct CompatStream {
    std::vector<CompatInstruction> instructions;
    std::vector<CompatBlock> blocks; ///< By group, then core.
    std::uint32_t groups = 0;
    std::uint32_t cores = 0;                     ///< Largest core, plus 1.
    std::uint32_t arrayGroups = 0;               ///< Largest array group, plus 1.
    std::uint32_t transfers = 0;                 ///< Largest transfer, plus 1.
    std::map<std::string, std::int64_t> opcodes; ///< How often each occurs, of a file.
};

/// Reads a stream as CSV, plain or gzip, with the columns
/// group,core,op,stage,elements,in_elements,out_elements,ag,comm. Errors: Io; InvalidFile with the line
/// (unknown opcode, no number, groups that go back) or the transfer that is not a pair.
Result<CompatStream> readCompatStream(const std::string& file, const TaskContext& task = {});

/// Our own program in the other's terms: an element is an element, whatever its width; Accumulate is MAIN-A,
/// Bias MAIN-B, Gather MAIN-C; copies and writes of the stages Bias, Input and Main come before a product.
/// Every vector operation counts. Error::InvalidFile for transfers that are no pairs of one group.
Result<CompatStream> compatStream(const CrossbarProgram& program);

/// The first line of a stream as CSV, with its line feed.
std::string_view compatHeader();
/// An instruction as a line of that CSV, and the opcode it has there. Vector operations that the evaluation has no time
/// for, or that have no opcode at all, are written as VVADD, which takes as long as every vector operation does.
/// Reading the lines of a program gives the instructions of compatStream(), but for the elements of a product, which
/// are its columns in one and its rows in the other and do not count.
std::string_view appendCompatLine(std::string& text, std::uint32_t group, std::uint32_t core,
                                  const CrossbarInstruction& instruction);
/// Has the operation an opcode of its own there?
bool hasCompatOpcode(VectorOp op);

/// What one of our instructions is there.
CompatOp compatOp(const CrossbarInstruction& instruction);

/// The constants of the evaluation. [PIMCOMP-NN git 2ed10c8]
struct CompatHardware {
    int coresPerChip = 144;
    double mvmNs = 800;   ///< What the shipped program computes; its own constants mean 4000.
    double issueNs = 200; ///< Between two products of a core.
    double vectorBytes = 64, vectorNs = 10;
    double localBytesPerNs = 25.6, globalBytesPerNs = 64, busBytesPerNs = 25.6, offChipBytesPerNs = 6.4;
    int elementBits = 16;
};
/// Those of a chip, but for the time of a product, which stays 800 ns; a bus of 25.6 GB/s where the chip has
/// none.
CompatHardware compatHardware(const CrossbarChip& chip);
/// \p chip with products as long as the referee reckons.
CrossbarChip chipOfReferee(CrossbarChip chip, CrossbarReferee referee);

struct CompatCore {
    double clockNs = 0; ///< When it is done.
    std::int64_t products = 0;
    double waitNs = 0;                                              ///< For the other side of transfers.
    double transferNs = 0, vectorNs = 0, localNs = 0, memoryNs = 0; ///< Time spent; products may hide it.
};

struct CompatResult {
    double periodNs = 0; ///< HT: between two samples; LL: from input to output.
    int criticalCore = -1;
    std::vector<CompatCore> cores;
    std::int64_t counts[std::size_t(CompatOp::Count_)] = {};
    std::int64_t loadBytes = 0, storeBytes = 0, coreBytes = 0,
                 chipBytes = 0; ///< Between cores; of these, between chips.
    /// No schedule of these instructions is faster: products over all cores, memory and bus of the busiest
    /// chip.
    double issueBoundNs = 0, memoryBoundNs = 0, busBoundNs = 0;
};

/// Error::InvalidFile where cores wait for each other forever, with their transfers.
Result<CompatResult> evaluateCompat(const CompatStream& stream, const CompatHardware& hardware,
                                    const TaskContext& task = {});
/// The period of our own program by those rules.
Result<CompatResult> compatPeriod(const CrossbarProgram& program, const CompatHardware& hardware);

/// Id of the target that is hardware "D", "A96", "C8", … of the published measurements; \p letters itself if
/// it is none of them.
std::string compatTarget(const std::string& letters);

} // namespace pim
