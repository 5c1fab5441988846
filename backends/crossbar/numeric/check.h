// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Does a program of crossbar cores compute its network, how far is fixed point from float32, and what do
/// real devices do to it? Flow: CrossbarJob without numbers + options -> [checkCrossbar] -> CrossbarCheck ->
/// `pimc check`, tests, benchmarks.
#include "backends/crossbar/numeric/execute.h"
#include "core/numeric/difference.h"
#include "core/numeric/own_inputs.h"

#include <filesystem>

namespace pim {

struct CrossbarCheckOptions {
    /// Float mode: compared with float32 within kRealTolerance instead of to the last bit.
    bool real = false;
    bool bitByBit = false;  ///< Every product as cells and bits of the input.
    DeviceOptions device;   ///< Unless exact(): the program runs on such devices as well.
    std::uint64_t seed = 1; ///< Of the inputs; those of calibration are others.
    int samples = 1;        ///< Inputs that are run.
    bool inFlight = false;  ///< A high-throughput program in fixed point: once more, one entering each round.
    int threads = 0;
    InputValues inputs = {}; ///< Of the user; calibration is on the inputs of the run then.
    std::filesystem::path dump =
        {}; ///< TensorDump of the run, on real devices where they are not exact(); one sample.
};

/// Values of a map in float mode may differ from float32 by this part of the largest of the map: sums are
/// added in another order.
constexpr double kRealTolerance = 1e-4;

struct CrossbarCheck {
    std::int64_t instructions = 0, products = 0, transfers = 0, loadWaits = 0; ///< Of one sample.
    CrossbarComparison comparison; ///< Of the first sample that differs, else of the last.
    std::string firstWrong; ///< The instruction that first computes something wrong, where something differs.
    double weightError = 0; ///< Of fixed point: relative, all weights.
    double outputError = 0; ///< Likewise, outputs against float32, all samples.
    /// What the outputs of the last sample are from float32; without maps that are not complete.
    std::vector<std::pair<std::string, NumericDifference>> outputs;
    /// Outputs of float32 that are NaN or infinite, all samples; they are not in outputError.
    std::int64_t notFinite = 0;
    int samples = 0,
        sameTop = 0; ///< Samples, and those where fixed point and float32 have the same largest output.
    /// On real devices, against the exact program; samples 0 where devices are exact.
    struct Device {
        int samples = 0, sameTop = 0;
        double outputError = 0;
        double snrDb() const { return CrossbarAccuracy{.relativeError = outputError}.snrDb(); }
    } device;
    double seconds = 0; ///< Of running programs, without calibration and reference.
    bool equal() const { return !comparison.first; }
};

/// What a program is for; see CrossbarJob.
struct CrossbarProgramOf {
    const CrossbarProgram& program;
    const CrossbarNetwork& network;
    const CrossbarMapping& mapping;
    const CrossbarChip& chip;
    std::vector<std::uint32_t> mapAddress;
    std::vector<int> stage;
    std::vector<int> copies; ///< Needed for samples in flight.
};
/// Errors: those of quantiseNetwork(), referenceMaps(), executeProgram(), TensorDump; Usage where all samples would be the same.
Result<CrossbarCheck> checkCrossbar(const CrossbarProgramOf& program,
                                    const CrossbarCheckOptions& options = {}, const TaskContext& task = {});

} // namespace pim
