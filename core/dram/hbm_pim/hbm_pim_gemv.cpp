// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_gemv.h"

#include "core/dram/hbm_pim/hbm_pim_program.h"

#include <algorithm>

namespace pim {
namespace {

using G = HbmPimGeometry;
using I = HbmPimInstruction;
using Tag = HbmPimTag;

constexpr int kRegisters = HbmPimGemvPlan::kRegisters;
constexpr std::int64_t kScalars = 8;                           // of SRF_M
constexpr std::int64_t kLaneOutputs = kRegisters * G::kBlocks; // of a channel at once
constexpr std::int64_t kScalarOutputs = kLaneOutputs * G::kLanes;
constexpr int kGroupsOfRow = G::kBurstsPerRow / kRegisters;
/// Products a sum of FP16 takes in before the host goes on: the longest chain of the other form at 16 Ki
/// inputs.
constexpr std::int64_t kLongestSum = 1024;

std::int64_t partsOf(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Clocks by the distances of commands in the device (341 for a tile of the simulator's): 63 columns, one row
/// opened late, turnarounds; to choose between plans only.
std::int64_t estimate(const HbmPimGemvPlan& plan, std::int64_t batch) {
    const std::int64_t tile = plan.scalars ? 293 : 321, results = 60;
    return plan.outTiles * batch * (plan.inTiles * tile + results);
}

/// A burst of x, zero beyond its end.
HbmPimWord inputs(const HbmPimShape& shape, std::span<const std::uint16_t> x, std::int64_t batch,
                  std::int64_t first, std::int64_t count) {
    HbmPimWord word{};
    for (std::int64_t i = 0; i < count && first + i < shape.in; ++i)
        word[static_cast<std::size_t>(i)] = x[static_cast<std::size_t>(batch * shape.in + first + i)];
    return word;
}

} // namespace

HbmPimGemvPlan HbmPimGemvPlan::of(const HbmPimShape& shape) {
    HbmPimGemvPlan best;
    best.outputParts = shape.channels;
    best.outTiles = partsOf(shape.out, kLaneOutputs * shape.channels);
    best.inTiles = partsOf(shape.in, HbmPimShape::kTileInputs);
    // Lanes leave 16 partial sums of an output to the host, so as many parts are no more to read.
    for (int parts = 1; parts <= std::min(shape.channels, G::kLanes); parts *= 2) {
        HbmPimGemvPlan plan;
        plan.scalars = true;
        plan.inputParts = parts;
        plan.outputParts = shape.channels / parts;
        plan.outTiles = partsOf(shape.out, kScalarOutputs * plan.outputParts);
        plan.inTiles = partsOf(shape.in, kScalars * parts);
        if (plan.inTiles * kScalars <= kLongestSum &&
            estimate(plan, shape.batch) < estimate(best, shape.batch))
            best = plan;
    }
    return best;
}

std::int64_t HbmPimGemvPlan::output(int channel, int block, std::int64_t outTile, int reg, int lane) const {
    if (!scalars)
        return (outTile * outputParts + channel) * kLaneOutputs + block * kRegisters + reg;
    return (outTile * outputParts + channel / inputParts) * kScalarOutputs +
           (block * kRegisters + reg) * G::kLanes + lane;
}

HbmPimGemvPlan::Element HbmPimGemvPlan::weight(const WeightPlace& at) const {
    const auto& [channel, block, outTile, inTile, parity, column, lane] = at;
    const int group = column / kRegisters;
    Element element;
    element.output = output(channel, block, outTile, column % kRegisters, lane);
    if (scalars) {
        const int scalar = group + (parity == firstBank(inTile) ? 0 : kGroupsOfRow);
        element.input = (channel % inputParts * inTiles + inTile) * kScalars + scalar;
    } else {
        const int reg = group + (row(outTile, inTile, parity) % 2 == 0 ? 0 : kGroupsOfRow);
        element.input = inTile * HbmPimShape::kTileInputs + reg * G::kLanes + lane;
    }
    return element;
}

std::int64_t HbmPimGemvPlan::resultColumn(std::int64_t outTile, std::int64_t batches,
                                          std::int64_t batch) const {
    const std::int64_t tiles = outTiles * inTiles;
    return (tiles + (scalars ? 0 : tiles % 2)) * G::kBurstsPerRow + kRegisters * (outTile * batches + batch);
}

std::vector<std::uint32_t> optimisedGemvProgram(const HbmPimGemvPlan& plan) {
    std::vector<std::uint32_t> program;
    const auto tile = [&](std::int64_t inTile) {
        for (int n = 0; n < 2 * kGroupsOfRow; ++n) {
            const int parity =
                n < kGroupsOfRow ? HbmPimGemvPlan::firstBank(inTile) : 1 - HbmPimGemvPlan::firstBank(inTile);
            const I::Place bank = parity == 0 ? I::EvenBank : I::OddBank;
            program.push_back(plan.scalars ? I::arithmetic(I::Mac, I::GrfB, bank, I::SrfM, true, {0, 0, n})
                                           : I::arithmetic(I::Mac, I::GrfB, I::GrfA, bank, true));
        }
    };
    if (const std::int64_t pairs = plan.inTiles / 2; pairs > 0) {
        tile(0);
        tile(1);
        if (pairs > 1)
            program.push_back(I::jump(pairs - 1, static_cast<int>(program.size()) + 1));
    }
    if (plan.inTiles % 2 != 0)
        tile(0);
    program.push_back(I::nop(kRegisters - 1));
    program.push_back(I::exit());
    return program;
}

void optimisedGemv(const HbmPimShape& shape, std::span<const std::uint16_t> x, int channel,
                   HbmPimWriter& to) {
    const HbmPimGemvPlan plan = HbmPimGemvPlan::of(shape);
    const std::int64_t perTile = plan.scalars ? kScalars : HbmPimShape::kTileInputs;
    const std::int64_t firstInput = channel % plan.inputParts * plan.inTiles * perTile;
    const std::int64_t perBurst = plan.scalars ? kScalars : G::kLanes;
    const auto writeInputs = [&](std::int64_t batch, std::int64_t tile) {
        const int bank = 1 - HbmPimGemvPlan::firstBank(tile);
        for (std::int64_t done = 0; done < perTile; done += perBurst) {
            std::int32_t data = -1;
            if (!x.empty())
                data = to.keep(inputs(shape, x, batch, firstInput + tile * perTile + done, perBurst));
            const int column = plan.scalars ? HbmPimWriter::kSrfColumn
                                            : HbmPimWriter::kGrfAColumn + static_cast<int>(done / perBurst);
            to.write(bank, G::kRegisterRow, column, Tag::HostToGrf, data);
        }
        to.barrier();
    };
    for (std::int64_t outTile = 0; outTile < plan.outTiles; ++outTile)
        for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
            to.control(1 - HbmPimGemvPlan::firstBank(0), true, false, true);
            for (std::int64_t tile = 0; tile < plan.inTiles; ++tile) {
                writeInputs(batch, tile);
                for (int n = 0; n < 2; ++n) {
                    const int parity =
                        n == 0 ? HbmPimGemvPlan::firstBank(tile) : 1 - HbmPimGemvPlan::firstBank(tile);
                    const auto row = static_cast<int>(plan.row(outTile, tile, parity));
                    for (int column = 0; column < G::kBurstsPerRow; ++column)
                        to.read(parity, row, column, Tag::Mac);
                    to.barrier();
                }
            }
            to.eight(true, 1, plan.resultColumn(outTile, shape.batch, batch), Tag::GrfBToBank);
        }
    to.pimMode(false, false, false);
}

} // namespace pim
