// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a DRAM-PIM backend generates for one kernel under one draft: the commands, and which data they carry.
/// Flow: kernel + draft -> [PimCode] -> timed (sequencer.h), run on numbers (run.h), printed, shown.
///
/// The program has phases, run one after the other; a phase has one stream, which every group (channel) 0 …
/// groups-1 executes at the same time on data of its own:
///   load     resident operands into the banks; once, before the kernel's first run (left out if there are
///   none) input    streamed operands that have to lie in banks compute  the kernel; buffers and registers
///   are filled here output   results over the bus
/// A backend may have others between them. All groups finish a phase before any starts the next.
///
/// The opcodes are the commands of the device (DramDevice::commands), by name, rows opened and closed by
/// commands of their own; their order is the order of issue. Refresh is not in the program. Operands of these
/// names mean the same for every backend; any other operand is for the units alone:
///   bank    number in the channel as DramEngine counts; left out where the command addresses all of its
///   level row     of that bank (opened by a command that opens rows; the one that has to be open for an
///   access) col     access in the row tensor, burst  32 bytes that cross the bus, to the memory or from it:
///   see PimOperands. tensor -1: PimCode::constants
#include "core/kernel/kernel.h"
#include "core/program/program.h"

#include <array>
#include <memory>
#include <span>

namespace pim {

inline constexpr int kPimLanes = 16;
/// 32 bytes: 16 values of two bytes, as bit patterns.
using PimWord = std::array<std::uint16_t, kPimLanes>;

/// Where a value lies. Banks are numbered in the channel, columns in accesses.
struct PimPlace {
    int group = 0, bank = 0;
    std::int64_t row = 0;
    int column = 0, lane = 0;
    friend auto operator<=>(const PimPlace&, const PimPlace&) = default;
};

/// Which elements of a kernel's tensors the bursts on the bus carry, and where elements lie in the banks.
/// Immutable, thread-safe; both questions are answered without walking the tensor.
class PimOperands {
public:
    virtual ~PimOperands() = default;
    /// Lane by lane the element (row-major position in the kernel's tensor) that \p burst of \p tensor
    /// carries for \p group; -1: padding, zero on the way in and ignored on the way out. The bursts of an
    /// output may name an element several times (partial results of lanes, cores, groups): the host merges
    /// them.
    virtual void elements(int tensor, int group, std::int64_t burst,
                          std::span<std::int64_t, kPimLanes> lanes) const = 0;
    /// All copies of an element in the banks, in order; empty where it never is in a bank. Outputs: of its
    /// partial results.
    virtual std::vector<PimPlace> places(int tensor, std::int64_t element) const = 0;
};

struct PimCode {
    Program program;
    std::shared_ptr<const PimOperands> operands;
    std::vector<PimWord> constants; ///< What tensor -1 names: microprograms, settings.
    int groups = 1;                 ///< That take part: 0 … groups-1.
    DataType type = DataType::F16;  ///< F16 or BF16: of every value on the bus and in the banks.
    std::int64_t rows = 0;          ///< Of each bank, from row 0 on.
    /// Elements of a tensor that only this code has, numbered after the kernel's: what the host merges and
    /// sends back (partial scores). 0: there is none.
    std::int64_t scratchElements = 0;
};

/// What of a PimCode is asked for: all of it, or what is known before any command is written, PimCode::rows among it.
/// Errors are the same.
enum class CodeDetail : std::uint8_t { Commands, Rows };

} // namespace pim
