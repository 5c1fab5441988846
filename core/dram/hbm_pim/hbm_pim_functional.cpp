// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_functional.h"

#include "core/base/parallel.h"
#include "core/dram/hbm_pim/hbm_pim_gemv.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pim {
namespace {

using G = HbmPimGeometry;

constexpr std::int64_t kTileOutputs = 64;

/// Where an output of a GEMV is computed: block first, then channel.
struct OutputPlace {
    std::int64_t tile = 0;
    int channel = 0, block = 0, reg = 0;
};

OutputPlace placeOf(const HbmPimShape& shape, std::int64_t output) {
    const std::int64_t perTile = kTileOutputs * shape.channels;
    const std::int64_t group = output % perTile / 8;
    return {output / perTile, static_cast<int>(group / G::kBlocks), static_cast<int>(group % G::kBlocks),
            static_cast<int>(output % 8)};
}

void loadWeights(const HbmPimShape& shape, const HbmPimOperands& operands, int channel, HbmPimBlocks& to) {
    for (std::int64_t tile = 0; tile < shape.outTiles(); ++tile)
        for (std::int64_t inTile = 0; inTile < shape.inTiles(); ++inTile)
            for (int g = 0; g < 8; ++g)
                for (std::int64_t n = 0; n < kTileOutputs; ++n) {
                    const std::int64_t output = (tile * shape.channels + channel) * kTileOutputs + n;
                    HbmPimWord word{};
                    for (int lane = 0; lane < G::kLanes; ++lane) {
                        const std::int64_t i = inTile * HbmPimShape::kTileInputs + g * G::kLanes + lane;
                        if (output < shape.out && i < shape.in)
                            word[static_cast<std::size_t>(lane)] = operands.weights(output, i);
                    }
                    const OutputPlace place = placeOf(shape, output);
                    to.store(2 * place.block + static_cast<int>(inTile % 2),
                             HbmPimColumns::weights(shape, tile, inTile) + 8 * g + place.reg, word);
                }
}

/// Calls \p visit(outTile, inTile, parity, column) for every burst of weights in a bank of the better GEMV.
template <typename Visit>
void forEachBurst(const HbmPimGemvPlan& plan, const Visit& visit) {
    for (std::int64_t outTile = 0; outTile < plan.outTiles; ++outTile)
        for (std::int64_t inTile = 0; inTile < plan.inTiles; ++inTile)
            for (const int parity : {0, 1})
                for (int column = 0; column < G::kBurstsPerRow; ++column)
                    visit(outTile, inTile, parity, column);
}

void loadOptimised(const HbmPimShape& shape, const HbmPimOperands& operands, int channel, HbmPimBlocks& to) {
    const HbmPimGemvPlan plan = HbmPimGemvPlan::of(shape);
    forEachBurst(plan, [&](std::int64_t outTile, std::int64_t inTile, int parity, int column) {
        for (int block = 0; block < G::kBlocks; ++block) {
            HbmPimWord word{};
            for (int lane = 0; lane < G::kLanes; ++lane) {
                const auto at = plan.weight({channel, block, outTile, inTile, parity, column, lane});
                if (at.output < shape.out && at.input < shape.in)
                    word[static_cast<std::size_t>(lane)] = operands.weights(at.output, at.input);
            }
            to.store(2 * block + parity, plan.row(outTile, inTile, parity) * G::kBurstsPerRow + column, word);
        }
    });
}

/// Lanes are added up, or partial results of the channels that share the inputs; both in FP16, in order.
void collectOptimised(const HbmPimShape& shape, int channel, const HbmPimBlocks& from,
                      std::vector<HalfBits>& result) {
    const HbmPimGemvPlan plan = HbmPimGemvPlan::of(shape);
    for (std::int64_t outTile = 0; outTile < plan.outTiles; ++outTile)
        for (std::int64_t batch = 0; batch < shape.batch; ++batch)
            for (int block = 0; block < G::kBlocks; ++block)
                for (int reg = 0; reg < HbmPimGemvPlan::kRegisters; ++reg) {
                    const HbmPimWord word =
                        from.load(2 * block + 1, plan.resultColumn(outTile, shape.batch, batch) + reg);
                    for (int lane = 0; lane < G::kLanes; ++lane) {
                        const std::int64_t output = plan.output(channel, block, outTile, reg, lane);
                        if (output >= shape.out)
                            continue;
                        HalfBits& sum = result[static_cast<std::size_t>(batch * shape.out + output)];
                        sum = halfAdd(sum, word[static_cast<std::size_t>(lane)]);
                    }
                }
}

void collectGemv(const HbmPimShape& shape, int channel, const HbmPimBlocks& from,
                 std::vector<HalfBits>& result) {
    for (std::int64_t batch = 0; batch < shape.batch; ++batch)
        for (std::int64_t output = 0; output < shape.out; ++output) {
            const OutputPlace place = placeOf(shape, output);
            if (place.channel != channel)
                continue;
            const HbmPimWord lanes = from.load(
                2 * place.block + 1, HbmPimColumns::gemvResult(shape, place.tile, batch) + place.reg);
            HalfBits sum = 0; // the host adds the lanes up, in FP16 too
            for (const HalfBits lane : lanes)
                sum = halfAdd(sum, lane);
            result[static_cast<std::size_t>(batch * shape.out + output)] = sum;
        }
}

/// Bursts of a vector walk channels, banks of a group, groups, columns, rows.
struct BurstPlace {
    int channel = 0, bank = 0;
    std::int64_t column = 0;
};

BurstPlace burstPlace(std::int64_t burst, int channels) {
    const std::int64_t local = burst / channels;
    return {static_cast<int>(burst % channels), static_cast<int>(local % G::kBanks), local / G::kBanks};
}

void loadVector(const HbmPimShape& shape, const std::function<HalfBits(std::int64_t)>& values,
                std::int64_t firstColumn, int channel, HbmPimBlocks& to) {
    for (std::int64_t burst = channel; burst * G::kLanes < shape.length; burst += shape.channels) {
        HbmPimWord word{};
        for (std::int64_t lane = 0; lane < G::kLanes; ++lane)
            if (burst * G::kLanes + lane < shape.length)
                word[static_cast<std::size_t>(lane)] = values(burst * G::kLanes + lane);
        const BurstPlace place = burstPlace(burst, shape.channels);
        to.store(place.bank, firstColumn + place.column, word);
    }
}

void collectVector(const HbmPimShape& shape, int channel, const HbmPimBlocks& from,
                   std::vector<HalfBits>& result) {
    for (std::int64_t burst = channel; burst * G::kLanes < shape.length; burst += shape.channels) {
        const BurstPlace place = burstPlace(burst, shape.channels);
        const HbmPimWord word = from.load(place.bank, HbmPimColumns::kResult + place.column);
        for (std::int64_t lane = 0; lane < G::kLanes && burst * G::kLanes + lane < shape.length; ++lane)
            result[static_cast<std::size_t>(burst * G::kLanes + lane)] = word[static_cast<std::size_t>(lane)];
    }
}

/// What a channel adds to the result.
void collect(const HbmPimShape& shape, int channel, const HbmPimBlocks& from, std::vector<HalfBits>& result) {
    if (shape.kind == HbmPimKernelKind::Gemv && shape.optimised) {
        collectOptimised(shape, channel, from, result);
    } else if (shape.kind == HbmPimKernelKind::Gemv) {
        collectGemv(shape, channel, from, result);
    } else if (shape.kind == HbmPimKernelKind::Red) {
        for (int block = 0; block < G::kBlocks; ++block) {
            const HbmPimWord word = from.load(2 * block, HbmPimColumns::kResult);
            std::copy(word.begin(), word.end(), result.begin() + (channel * G::kBlocks + block) * G::kLanes);
        }
    } else {
        collectVector(shape, channel, from, result);
    }
}

/// The bursts in which the host writes the operands of channel 0, which has the most of them.
std::vector<HbmPimBurst> preload(const HbmPimShape& shape) {
    std::vector<HbmPimBurst> bursts;
    const auto put = [&](int bank, std::int64_t column) {
        HbmPimBurst burst;
        burst.write = true;
        burst.bank = static_cast<std::uint8_t>(bank);
        burst.row = static_cast<std::uint16_t>(column / G::kBurstsPerRow);
        burst.column = static_cast<std::uint8_t>(column % G::kBurstsPerRow);
        bursts.push_back(burst);
    };
    if (shape.kind == HbmPimKernelKind::Gemv && shape.optimised) {
        const HbmPimGemvPlan plan = HbmPimGemvPlan::of(shape);
        forEachBurst(plan, [&](std::int64_t outTile, std::int64_t inTile, int parity, int column) {
            for (int block = 0; block < G::kBlocks; ++block)
                put(2 * block + parity, plan.row(outTile, inTile, parity) * G::kBurstsPerRow + column);
        });
        return bursts;
    }
    if (shape.kind == HbmPimKernelKind::Gemv) {
        for (std::int64_t tile = 0; tile < shape.outTiles(); ++tile)
            for (std::int64_t inTile = 0; inTile < shape.inTiles(); ++inTile)
                for (int output = 0; output < kTileOutputs; ++output)
                    for (int g = 0; g < 8; ++g)
                        put(2 * (output / 8) + static_cast<int>(inTile % 2),
                            HbmPimColumns::weights(shape, tile, inTile) + 8 * g + output % 8);
        return bursts;
    }
    const bool two = shape.kind == HbmPimKernelKind::Add || shape.kind == HbmPimKernelKind::Mul;
    for (const std::int64_t first : {std::int64_t(0), HbmPimColumns::kSecond}) {
        if (first != 0 && !two)
            break;
        for (std::int64_t burst = 0; burst * G::kLanes < shape.length; burst += shape.channels) {
            const BurstPlace place = burstPlace(burst, shape.channels);
            put(place.bank, first + place.column);
        }
    }
    return bursts;
}

constexpr std::int64_t kExactRows = 64; ///< Outputs that are summed at once.

/// Outputs from \p first on, as \p exact [batch][out] has them, without rounding on the way.
void exactGemv(const HbmPimShape& shape, const HbmPimOperands& operands, std::span<const HalfBits> x,
               std::int64_t first, std::vector<double>& exact) {
    std::vector<float> row(static_cast<std::size_t>(shape.in));
    for (std::int64_t output = first; output < std::min(first + kExactRows, shape.out); ++output) {
        for (std::int64_t i = 0; i < shape.in; ++i)
            row[static_cast<std::size_t>(i)] = halfToFloat(operands.weights(output, i));
        for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
            double sum = 0;
            for (std::int64_t i = 0; i < shape.in; ++i)
                sum += double(row[static_cast<std::size_t>(i)]) *
                       halfToFloat(x[static_cast<std::size_t>(batch * shape.in + i)]);
            exact[static_cast<std::size_t>(batch * shape.out + output)] = sum;
        }
    }
}

double worstGemv(std::span<const double> exact, std::span<const HalfBits> result) {
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
        worst = std::max(worst, std::abs(exact[i] - halfToFloat(result[i])));
    return worst;
}

double worstVector(const HbmPimShape& shape, const HbmPimOperands& operands,
                   const std::vector<HalfBits>& result) {
    double worst = 0, total = 0;
    for (std::int64_t i = 0; i < shape.length; ++i) {
        const double a = halfToFloat(operands.first(i));
        double expected = 0;
        switch (shape.kind) {
        case HbmPimKernelKind::Add:
            expected = halfToFloat(halfAdd(operands.first(i), operands.second(i)));
            break;
        case HbmPimKernelKind::Mul:
            expected = halfToFloat(halfMul(operands.first(i), operands.second(i)));
            break;
        case HbmPimKernelKind::Relu:
            expected = std::max(a, 0.0);
            break;
        default:
            total += a;
            continue;
        }
        worst = std::max(worst, std::abs(expected - halfToFloat(result[static_cast<std::size_t>(i)])));
    }
    if (shape.kind != HbmPimKernelKind::Red)
        return worst;
    for (const HalfBits partial : result)
        total -= halfToFloat(partial);
    return std::abs(total);
}

} // namespace

HbmPimOperands HbmPimOperands::sample() {
    const auto fraction = [](std::int64_t value, std::int64_t modulus, int middle, float divisor) {
        return floatToHalf(static_cast<float>(value % modulus - middle) / divisor);
    };
    HbmPimOperands operands;
    operands.weights = [fraction](std::int64_t o, std::int64_t i) {
        return fraction(53 * o + 29 * i + 7, 59, 29, 64);
    };
    operands.x = [fraction](std::int64_t b, std::int64_t i) {
        return fraction(37 * i + 17 * b + 11, 61, 30, 32);
    };
    operands.first = [fraction](std::int64_t i) { return fraction(37 * i + 11, 2039, 1019, 64); };
    operands.second = [fraction](std::int64_t i) { return fraction(53 * i + 7, 1021, 510, 128); };
    return operands;
}

std::uint64_t fnv64(std::span<const HalfBits> values) {
    std::uint64_t hash = 1469598103934665603ull;
    for (const HalfBits value : values)
        for (const unsigned byte : {value & 0xffu, unsigned(value) >> 8})
            hash = (hash ^ byte) * 1099511628211ull;
    return hash;
}

Result<HbmPimOutcome> runHbmPimFunctional(const HbmPimShape& shape, const HbmPimOperands& operands,
                                          const HbmPimTiming& timing, std::vector<HbmPimCommand>* log,
                                          const TaskContext& task) {
    PIM_CHECK(checkHbmPimShape(shape));
    const bool isGemv = shape.kind == HbmPimKernelKind::Gemv, isRed = shape.kind == HbmPimKernelKind::Red,
               isOptimised = isGemv && shape.optimised;
    std::vector<HalfBits> x;
    if (isGemv) {
        x.reserve(static_cast<std::size_t>(shape.batch * shape.in));
        for (std::int64_t batch = 0; batch < shape.batch; ++batch)
            for (std::int64_t i = 0; i < shape.in; ++i)
                x.push_back(operands.x(batch, i));
    }
    const HbmPimStream stream = hbmPimStream(shape, x);
    std::vector<HbmPimCommand> commands;
    HbmPimOutcome outcome;
    const auto timeLoaded = [&]() -> Result<void> {
        const std::vector<HbmPimBurst> operandBursts = preload(shape);
        HbmPimChannel loaded(timing, shape.ranks, false);
        loaded.offer(operandBursts);
        if (!loaded.drain(task.stop))
            return TaskContext::cancelledError("the simulation");
        outcome.preloadCycles = loaded.now();
        loaded.offer(stream.bursts);
        if (!loaded.drain(task.stop))
            return TaskContext::cancelledError("the simulation");
        outcome.cyclesAfterPreload = loaded.now() - outcome.preloadCycles;
        return {};
    };
    const auto timeAlone = [&]() -> Result<void> {
        PIM_TRY(outcome.cost, runHbmPimStream(stream, shape.channels, shape.ranks, timing, &commands, task));
        return {};
    };
    // A channel that loads its operands first, one that has them, and meanwhile what the results are compared with.
    std::vector<double> exact(isGemv ? static_cast<std::size_t>(shape.batch * shape.out) : 0);
    const std::int64_t pieces = isGemv ? (shape.out + kExactRows - 1) / kExactRows : 0;
    std::array<Result<void>, 2> timed;
    parallelFor(timed.size() + static_cast<std::size_t>(pieces), 0, [&](std::size_t i) {
        if (i < timed.size())
            timed[i] = i == 0 ? timeLoaded() : timeAlone();
        else if (!task.cancelled())
            exactGemv(shape, operands, x, kExactRows * static_cast<std::int64_t>(i - timed.size()), exact);
    });
    PIM_CHECK(std::move(timed[1]));
    PIM_CHECK(std::move(timed[0]));
    const std::int64_t size = isGemv  ? shape.batch * shape.out
                              : isRed ? std::int64_t(shape.channels) * G::kBlocks * G::kLanes
                                      : shape.length;
    outcome.result.resize(static_cast<std::size_t>(size));
    const auto run = [&](int channel, HbmPimBlocks& blocks) -> Result<void> {
        if (task.cancelled())
            return TaskContext::cancelledError("the simulation");
        if (isOptimised) {
            loadOptimised(shape, operands, channel, blocks);
        } else if (isGemv) {
            loadWeights(shape, operands, channel, blocks);
        } else {
            loadVector(shape, operands.first, 0, channel, blocks);
            if (shape.kind == HbmPimKernelKind::Add || shape.kind == HbmPimKernelKind::Mul)
                loadVector(shape, operands.second, HbmPimColumns::kSecond, channel, blocks);
        }
        // Channels of the better GEMV have different parts of the vector.
        return blocks.run(commands, isOptimised ? hbmPimStream(shape, x, channel).data : stream.data);
    };
    // As many channels at a time as there are threads; their results are collected in order, since they are added up in FP16.
    const int atOnce = jobs();
    for (int first = 0; first < shape.channels; first += atOnce) {
        task.report("channels", first, shape.channels);
        const int count = std::min(atOnce, shape.channels - first);
        std::vector<HbmPimBlocks> all(static_cast<std::size_t>(count));
        std::vector<Result<void>> done(all.size());
        parallelFor(all.size(), 0,
                    [&](std::size_t i) { done[i] = run(first + static_cast<int>(i), all[i]); });
        for (std::size_t i = 0; i < all.size(); ++i) {
            PIM_CHECK(std::move(done[i]));
            collect(shape, first + static_cast<int>(i), all[i], outcome.result);
        }
        outcome.steps = all.back().steps();
    }
    outcome.fnv64 = fnv64(outcome.result);
    outcome.maxAbsError =
        isGemv ? worstGemv(exact, outcome.result) : worstVector(shape, operands, outcome.result);
    if (log != nullptr)
        *log = std::move(commands);
    return outcome;
}

} // namespace pim
