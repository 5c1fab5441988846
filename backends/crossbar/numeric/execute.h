// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs a CrossbarProgram on numbers: every core, every instruction, weights in arrays, values in memories
/// that know what was written, transfers between cores. What it computes is compared with the reference,
/// equal to the last bit in fixed point. Flow: CrossbarProgram + CrossbarMapping + CrossbarNumbers + inputs
/// -> [CrossbarRun] -> CrossbarDifference.
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/mapping.h"
#include "backends/crossbar/numeric/array_cells.h"
#include "backends/crossbar/numeric/reference.h"
#include "core/base/task.h"

#include <cmath>
#include <limits>
#include <optional>
#include <string>

namespace pim {

/// All a run needs besides its inputs; the objects outlive it.
struct CrossbarJob {
    const CrossbarProgram& program;
    const CrossbarNetwork& network;
    const CrossbarMapping& mapping;
    const CrossbarChip& chip;
    const CrossbarNumbers& numbers;
    /// Where whole maps lie in global memory; addresses are unique in the machine. Inputs are put there
    /// before the run, outputs and whatever else is complete are taken after it.
    static constexpr std::uint32_t kNowhere = 0xffffffff;
    std::vector<std::uint32_t> mapAddress; ///< [layer]
    /// Round of the program in which a layer works on the sample; all 0: the program runs once.
    std::vector<int> stage;
    /// [layer] buffers of its map in global memory, one a sample in turn; empty: one, for a single sample.
    std::vector<int> copies;
};

struct CrossbarRunOptions {
    DeviceOptions device;  ///< What real arrays do; exact() ones take a fast way.
    bool bitByBit = false; ///< Exact arrays too, as cells and bits of the input: slow, the same numbers.
    /// Checks each result on the way and stops at the first that is none of its layer's.
    const CrossbarMaps* expected = nullptr;
};

struct CrossbarRun {
    CrossbarMaps maps; ///< One a layer; empty where it is not complete in global memory.
    std::vector<std::vector<double>> realMaps; ///< Instead, where numbers are real.
    std::int64_t instructions = 0, products = 0, transfers = 0;
    std::int64_t loadWaits = 0; ///< Times a load found that another core had yet to store.
};

/// Runs one sample through the program: a low-latency program at once, a high-throughput one layer after
/// layer, as a sample meets it. Errors: InvalidFile with core, position and text of the instruction where it
/// reads what nobody wrote, exceeds a memory, names an array group another core holds or lengths that do not
/// fit, or where all cores wait; with \p options.expected also the first wrong result, with layer, pixel and
/// channel. Usage, Unsupported as referenceMaps(). Cancelled.
Result<CrossbarRun> executeProgram(const CrossbarJob& job, std::span<const Value> inputs,
                                   const CrossbarRunOptions& options = {}, const TaskContext& task = {});

/// Runs samples through a high-throughput program as the machine does: one more enters each round, and every
/// layer works on the one that has come to its stage. Fixed point. \param samples inputs of each. \returns
/// the maps of every sample that were complete in global memory when its layer's round was over. Errors: as
/// executeProgram().
Result<std::vector<CrossbarMaps>> executeInFlight(const CrossbarJob& job,
                                                  std::span<const std::vector<Value>> samples,
                                                  const TaskContext& task = {});

struct CrossbarDifference {
    LayerId layer;
    std::int64_t pixel = 0, channel = 0;
    std::int64_t expected = 0, got = 0;
    std::int64_t count = 0; ///< Elements of this map that differ.
    std::string text;       ///< All of it, for a person.
};
struct CrossbarComparison {
    int maps = 0;                            ///< Compared …
    std::int64_t elements = 0;               ///< … and their elements.
    std::optional<CrossbarDifference> first; ///< In the order of the layers.
};
CrossbarComparison compareMaps(const CrossbarNetwork& network, const CrossbarMaps& expected,
                               const CrossbarRun& run);

/// How far maps are from others: of all values of the network's outputs.
struct CrossbarAccuracy {
    double relativeError = 0;   ///< sqrt(sum of squared differences / sum of squares), of finite references
    std::int64_t notFinite = 0; ///< Elements of the reference that are not.
    bool sameLargest = true;    ///< The largest of each output is the same element.
    double snrDb() const {
        return relativeError > 0 ? -20 * std::log10(relativeError) : std::numeric_limits<double>::infinity();
    }
};
CrossbarAccuracy outputAccuracy(const CrossbarNetwork& network,
                                const std::vector<std::vector<float>>& reference,
                                const std::vector<std::vector<float>>& values);

} // namespace pim
