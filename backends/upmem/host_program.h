// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the host does for a kernel of UPMEM: what each DPU gets, how often all are launched, how their results become one. One
/// description, from which C for the vendor's SDK is made (host_code.h) and which runs on the engine (host_run.h).
#include "backends/upmem/tasklet/code.h"

#include <cstddef>
#include <map>
#include <optional>

namespace pim::upmem {

/// Content of arrays by their names.
using HostData = std::map<std::string, std::vector<std::byte>>;

/// What DPUs get, in the array or the host's buffer of this name.
struct HostInput {
    enum class Split : std::uint8_t {
        Slices, ///< DPU d gets slice s = d / \p sharers % \p slices: \p slice elements from s * slice on, and \p overlap that follow.
        Copies, ///< All get the same \p slice elements.
        Bounded ///< \p slice elements from where the first element of its slice of array \p bounds says; what is beyond its own is ignored.
    };
    std::string name, meaning;
    Element type = Element::I32;
    std::int64_t elements = 0; ///< Of the whole, as in its file. Beyond them DPUs get zeros.
    Split split = Split::Slices;
    std::int64_t slice = 0, overlap = 0;
    /// Its file has rows of \p row elements, which lie \p pitch elements apart for the DPUs. 0: they are the same.
    std::int64_t row = 0, pitch = 0;
    std::string bounds;
    std::optional<std::int64_t> fill; ///< Every element begins as this, and there is no file.
    int sharers = 1;                  ///< So many DPUs, one after the other, get the same slice.
    int slices = 0; ///< Of the whole; behind the last comes the first again. 0: as many as it takes.

    std::int64_t sliceOf(std::int64_t dpu) const; ///< Number of the slice that a DPU gets.
    bool sharesSlices() const { return sharers > 1 || slices > 0; }
    /// Elements, or rows where it has rows: of the whole, and of a slice.
    std::int64_t countedElements() const { return row > 0 ? elements / row : elements; }
    std::int64_t countedSlice() const { return row > 0 ? slice / pitch : slice; }
};

/// What DPUs give back, from the array or the host's buffer of this name.
struct HostOutput {
    enum class Merge : std::uint8_t {
        Concatenate,
        Add,
        Or,
        Minimum, ///< Of pairs (value, index), least value, then least index; which a DPU counts in its slice of input \p indexOf.
        Largest, ///< Of pairs (value, index) the largest values, then the least indices, in this order; DPU d has as many pairs as
                 ///< its buffer \p counts says, and counts as for Minimum.
        Compact  ///< DPU d has as many elements as its buffer \p counts says.
    };
    std::string name, meaning;
    Element type = Element::I32;
    std::int64_t elements = 0; ///< Of the whole; at most, if compacted.
    std::int64_t slice = 0;    ///< Of a DPU; at most, if compacted.
    Merge merge = Merge::Concatenate;
    std::string indexOf, counts;
    bool isFile = true;
    /// As of an input: what is concatenated has rows \p pitch elements apart, its file \p row elements of each.
    std::int64_t row = 0, pitch = 0;
};

/// A number that each DPU gets in its buffer of this name before a launch.
struct HostArgument {
    enum class What : std::uint8_t {
        Round, ///< Of the launch, from 0.
        Share, ///< How many elements its slice of input \p of has, or rows where it has rows; the last DPUs have less.
        Before ///< Sum, or \p fold, of what the DPUs before it gave as output \p of in the last launch, in its type; before the first launch
               ///< that is 0.
    };
    std::string name;
    What what = What::Round;
    std::string of;
    int group = 1;                   ///< Before: so many DPUs, one after the other, belong together.
    ValueKind fold = ValueKind::Add; ///< Of two numbers: Add, Mul, Min, Max, And, Or or Xor.
    std::int64_t start = 0;          ///< Of the first of them.
};

struct HostProgram {
    std::string name, meaning;
    int dpus = 1;
    std::vector<HostInput> inputs;
    std::vector<HostOutput> outputs;
    std::vector<HostArgument> arguments;
    int rounds = 1; ///< Launches; 0: as long as the fed back output has a bit that no earlier one had.
    /// Output that is the input of the next launch. Empty: none.
    std::string fedBackFrom, fedBackTo;

    const HostInput* input(std::string_view array) const;
    const HostOutput* output(std::string_view array) const;
    bool isBetweenLaunches(std::string_view output) const; ///< What an argument is made from.
    /// Elements that the host keeps, so that every slice lies inside.
    std::int64_t keptElements(const HostInput& input) const;
};

bool folds(ValueKind kind); ///< One of those of HostArgument::fold.
/// What HostArgument::What::Before makes of two numbers, modulo 2^64.
std::int64_t foldedNumbers(ValueKind fold, std::int64_t a, std::int64_t b);

/// In a DPU: bytes from the beginning of MRAM, or the name of a buffer in WRAM.
struct HostPlace {
    int array = -1, buffer = -1;
    std::int64_t offset = 0;
};

/// ErrorCode::NotFound: the kernel has neither an array nor a buffer of the host of this name.
Result<HostPlace> placeOf(const std::string& name, const TaskletCode& code,
                          std::span<const std::int64_t> sizes);

/// Whether every transfer can be: names, sizes, alignment. ErrorCode::InvalidKernel with the numbers.
Result<void> checkHostProgram(const HostProgram& program, const TaskletCode& code,
                              std::span<const std::int64_t> sizes);

} // namespace pim::upmem
