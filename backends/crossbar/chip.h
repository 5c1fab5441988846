// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A chip of crossbar cores in the figures the compiler works with: the architecture template of PIMCOMP
/// (Table II), every parameter of it, read from a Target of family "crossbar". Flow: Target -> [CrossbarChip]
/// -> partition, mapping, schedule, profile.
#include "backends/crossbar/ids.h"
#include "core/hardware/target.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// How cores of one chip reach each other.
enum class CrossbarConnection : std::uint8_t {
    Bus,         ///< One transfer at a time on a chip.
    Mesh,        ///< X-Y routing, a transfer takes every link on its way.
    SharedMemory ///< Through the global memory: a store and a load.
};
std::string_view name(CrossbarConnection connection);

/// What the vector unit of a core does to vectors in local memory, element by element where nothing else is
/// said.
enum class VectorOp : std::uint8_t {
    None,
    Add,
    Sub,
    Mul,
    Div,
    Max,
    Min,
    Relu,
    LeakyRelu,
    Clip,
    Sigmoid,
    HardSigmoid,
    Tanh,
    Gelu,
    Silu,
    HardSwish,
    Exp,
    Sqrt,
    Pow,
    Scale, ///< dst = src1 * scale + offset of the layer, also per channel: normalisation, average of a pool,
           ///< requantisation.
    Lrn,   ///< Across channels of a pixel.
    Softmax,   ///< Over the whole vector.
    Sum,       ///< All elements to one.
    LayerNorm, ///< Across channels of a pixel: (x - mean) / sqrt(variance + epsilon), times a factor, plus a
               ///< shift a channel. [Ba et al. 2016, arXiv:1607.06450, eq. 3-4]
    RmsNorm,   ///< x / sqrt(mean of squares + epsilon), times a factor a channel. [Zhang and Sennrich 2019,
               ///< arXiv:1910.07467, eq. 4]
    Count_
};
std::string_view name(VectorOp op); ///< "add", "leaky_relu"; as in the text of a program and in target files.
std::optional<VectorOp> vectorOpNamed(std::string_view text);
/// Passes of the vector unit over its data. No paper gives them; they are the sums and scalings a function is
/// written with: softmax finds the maximum, sums exponentials and scales; lrn squares, sums over channels and
/// scales; layer_norm sums, sums squared distances from the mean and scales; rms_norm sums squares and
/// scales; the others 1.
int vectorPasses(VectorOp op);

/// Crossbars of one size in a core. Sizes are those of the *logical* array: each cell a signed weight of any
/// precision; CrossbarChip::physicalPerLogical arrays on the chip make one. [PIMCOMP §III-A]
struct CrossbarGroup {
    int rows = 0;    ///< Word lines: inputs of a product.
    int columns = 0; ///< Weights in a row.
    int count = 0;   ///< Logical arrays in the core.

    friend bool operator==(const CrossbarGroup&, const CrossbarGroup&) = default;
};

/// Picojoules and milliwatts; absent where nobody published it, then no energy is shown.
struct CrossbarEnergy {
    std::optional<double> mvmPj; ///< One product in one logical array, converters included.
    std::optional<double> vectorPjPerByte, localPjPerByte, globalPjPerByte, networkPjPerByteHop,
        offChipPjPerByte;
    std::optional<double> arrayLeakageMw; ///< Of a logical array with its converters.
    std::optional<double> coreLeakageMw;  ///< Of the rest of a core: local memory, vector unit, router.
    std::optional<double> chipLeakageMw;  ///< Of the rest of a chip: global memory, off-chip link.

    friend bool operator==(const CrossbarEnergy&, const CrossbarEnergy&) = default;
};

/// Times in nanoseconds, bandwidths in bytes a nanosecond (= GB/s), memories in bytes, element widths in
/// bits.
struct CrossbarChip {
    std::string name;
    int chipsX = 1, chipsY = 1;
    double offChipBytesPerNs = 0;
    int coresX = 0, coresY = 0; ///< Of one chip.
    CrossbarConnection connection = CrossbarConnection::Bus;
    double connectionBytesPerNs = 0; ///< Of the bus, or of one link of the mesh.
    double hopNs = 0;                ///< Of the mesh.
    bool synchronous = true;         ///< send and recv wait for each other; else recv is done by hardware.
    double globalBytesPerNs = 0;     ///< Of a chip, loads and stores together.
    std::int64_t globalBytes = 0;
    std::int64_t localBytes = 0; ///< Of a core.
    double localBytesPerNs = 0;
    int vectorUnits = 1;    ///< Of a core.
    double vectorBytes = 0; ///< That one unit takes at once …
    double vectorNs = 0;    ///< … in this time.
    std::bitset<std::size_t(VectorOp::Count_)>
        vectorOps;       ///< What the unit can do; the rest runs on the host.
    bool inOrder = true; ///< All arrays of a core are driven together; else each when its input is there.
    /// Crossbars of core i: groups[coreGroups[i]]; all cores alike where coreGroups is empty (then
    /// groups[0]).
    std::vector<std::vector<CrossbarGroup>> groups;
    std::vector<int> coreGroups;
    int cellBits = 0; ///< Of a physical cell.
    /// Slices of a weight lie in as many arrays (then this is slices()), or side by side in one array (then
    /// it is 1, and a logical column is slices() bit lines).
    int physicalPerLogical = 1;
    bool differential = false; ///< Positive and negative part apart; else weights are offset.
    int managedArrays = 1;     ///< Arrays that one command drives; 0: all of a core.
    int weightBits = 16, activationBits = 16, adcBits = 0; ///< adcBits 0: exact.
    int dacBits = 1;
    double mvmNs = 0;      ///< One product, all bits of the input.
    double mvmIssueNs = 0; ///< Between two products of a core.
    CrossbarEnergy energy;

    int chips() const { return chipsX * chipsY; }
    int coresPerChip() const { return coresX * coresY; }
    int cores() const { return chips() * coresPerChip(); }
    int chipOf(CoreId core) const { return core.value / coresPerChip(); }
    const std::vector<CrossbarGroup>& arraysOf(CoreId core) const {
        return groups[coreGroups.empty() ? 0 : std::size_t(coreGroups[core.index()])];
    }
    int activationBytes() const { return (activationBits + 7) / 8; }
    /// Elements of memory that a sum takes: two, and never less than 32 bits. [int32 for sums of 8-bit products:
    /// Jacob et al. 2018, arXiv:1712.05877, §2.2]
    int accumulatorElements() const { return std::max(2, 4 / activationBytes()); }
    int accumulatorBits() const { return accumulatorElements() * activationBytes() * 8; }
    /// Physical cells of one weight. [PIMCOMP §III-A]
    int slices() const { return (weightBits + cellBits - 1) / cellBits * (differential ? 2 : 1); }
    std::int64_t logicalArrays() const; ///< Of the whole machine.
    std::int64_t weights() const;       ///< That the whole machine holds.

    friend bool operator==(const CrossbarChip&, const CrossbarChip&) = default;
};

/// Reads the parameters named in resources/targets/README.md ("crossbar").
/// Error::InvalidTarget lists everything that is missing or impossible: no cores, no bandwidth, a cell wider
/// than a weight, …
Result<CrossbarChip> crossbarChip(const Target& target);
/// The same, one line a problem, and warnings of figures that nothing reads.
Diagnostics crossbarChipProblems(const Target& target);

} // namespace pim
