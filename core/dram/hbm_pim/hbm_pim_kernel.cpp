// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/hbm_pim/hbm_pim_kernel.h"

#include "core/dram/hbm_pim/hbm_pim_gemv.h"
#include "core/dram/hbm_pim/hbm_pim_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

using G = HbmPimGeometry;
using Tag = HbmPimTag;

constexpr std::int64_t kOutputsPerChannel = 64; // 8 registers of GRF_B in 8 blocks
constexpr std::int64_t kHighest = std::int64_t(1) << 40;
constexpr std::int64_t kBurstsPerTile = 72;      // 8 of the vector, 64 of the weights
constexpr std::int64_t kMostBursts = 20'000'000; // the list of them is kept in memory

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

void gemv(const HbmPimShape& shape, std::span<const std::uint16_t> x, HbmPimWriter& to) {
    const std::int64_t inTiles = shape.inTiles();
    for (std::int64_t outTile = 0; outTile < shape.outTiles(); ++outTile) {
        for (std::int64_t batch = 0; batch < shape.batch; ++batch) {
            to.pimMode(true, false, true);
            for (const int parity : {0, 1}) {
                for (std::int64_t tile = parity; tile < inTiles; tile += 2) {
                    for (int g = 0; g < 8; ++g) {
                        std::int32_t data = -1;
                        if (!x.empty()) {
                            HbmPimWord word{};
                            for (int lane = 0; lane < G::kLanes; ++lane) {
                                const std::int64_t i = tile * HbmPimShape::kTileInputs + g * G::kLanes + lane;
                                if (i < shape.in)
                                    word[static_cast<std::size_t>(lane)] =
                                        x[static_cast<std::size_t>(batch * shape.in + i)];
                            }
                            data = to.keep(word);
                        }
                        to.write(1, G::kRegisterRow, HbmPimWriter::kGrfAColumn + g, Tag::HostToGrf, data);
                    }
                    to.barrier();
                    const std::int64_t column = HbmPimColumns::weights(shape, outTile, tile);
                    for (int g = 0; g < 8; ++g)
                        to.eight(false, parity, column + 8 * g, Tag::Mac);
                }
            }
            to.eight(true, 1, HbmPimColumns::gemvResult(shape, outTile, batch), Tag::GrfBToBank);
            to.pimMode(false, false, false);
        }
    }
}

void elementwise(const HbmPimShape& shape, HbmPimWriter& to) {
    const bool relu = shape.kind == HbmPimKernelKind::Relu;
    to.pimMode(true, false, false);
    for (std::int64_t tile = 0; tile < shape.tiles(); ++tile) {
        for (const int parity : {0, 1}) {
            to.eight(false, parity, 8 * tile, relu ? Tag::FillRelu : Tag::BankToGrf);
            if (!relu)
                to.eight(false, parity, HbmPimColumns::kSecond + 8 * tile, Tag::Arithmetic);
            to.eight(true, parity, HbmPimColumns::kResult + 8 * tile,
                     !relu         ? Tag::GrfToBank
                     : parity == 0 ? Tag::GrfAToEvenBank
                                   : Tag::GrfBToOddBank);
        }
    }
    to.pimMode(false, false, false);
}

void red(const HbmPimShape& shape, HbmPimWriter& to) {
    to.pimMode(true, true, true);
    for (const int parity : {0, 1})
        for (std::int64_t tile = 0; tile < shape.tiles(); ++tile)
            to.eight(false, parity, 8 * tile, Tag::Arithmetic);
    // The operands of what follows are registers: any open row serves to step the program.
    const std::int64_t last = 8 * (shape.tiles() - 1);
    to.eight(false, 1, last, Tag::Arithmetic);
    for (int i = 0; i < 7; ++i)
        to.read(1, static_cast<int>(last / G::kBurstsPerRow), static_cast<int>(last % G::kBurstsPerRow) + i,
                Tag::Arithmetic);
    to.barrier();
    to.write(0, static_cast<int>(HbmPimColumns::kResult / G::kBurstsPerRow), 0, Tag::GrfAToEvenBank, -1);
    to.barrier();
    to.pimMode(false, false, false);
}

} // namespace

std::string_view name(HbmPimKernelKind kind) {
    static constexpr std::string_view kNames[] = {"gemv", "add", "mul", "relu", "red"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::int64_t HbmPimShape::outTiles() const {
    if (kind == HbmPimKernelKind::Gemv && optimised)
        return HbmPimGemvPlan::of(*this).outTiles;
    return kind == HbmPimKernelKind::Gemv ? ceilDiv(out, kOutputsPerChannel * channels) : 0;
}

std::int64_t HbmPimShape::inTiles() const {
    if (kind != HbmPimKernelKind::Gemv)
        return 0;
    if (optimised)
        return HbmPimGemvPlan::of(*this).inTiles;
    const std::int64_t tiles = ceilDiv(in, kTileInputs);
    // An odd tile more: even and odd banks take turns, and the program has a loop for each.
    const bool odd = tiles == 1 || (tiles % 2 == 1 && outTiles() > 1);
    return tiles + (padded && odd ? 1 : 0);
}

std::int64_t HbmPimShape::tiles() const {
    if (kind == HbmPimKernelKind::Gemv)
        return outTiles() * inTiles();
    const std::int64_t round = kTileLength * channels;
    const std::int64_t whole = padded ? ceilDiv(length, round) : length / round;
    return kind == HbmPimKernelKind::Red ? std::max<std::int64_t>(whole, 1) : whole;
}

bool HbmPimShape::isResultValid(std::string* why) const {
    const auto say = [&](std::string text) {
        if (why != nullptr)
            *why = std::move(text);
        return false;
    };
    if (padded || (kind == HbmPimKernelKind::Gemv && optimised))
        return true;
    if (kind == HbmPimKernelKind::Gemv) {
        const std::int64_t it = inTiles(), ot = outTiles();
        if (it == 1)
            return say(fmt::format("{} inputs are one tile of {}: the jump over odd tiles wraps around and "
                                   "the result is never stored; at least {} are needed",
                                   in, kTileInputs, kTileInputs + 1));
        if (it % 2 == 1 && ot > 1)
            return say(
                fmt::format("{} input tiles (odd) and {} output tiles: the weights of neighbouring output "
                            "tiles overlap; pad the inputs to a multiple of {}",
                            it, ot, 2 * kTileInputs));
        if (batch > 1 && ot > 1)
            return say(
                fmt::format("batch {} and {} output tiles: results overwrite one another; run one vector at "
                            "a time or at most {} outputs",
                            batch, ot, kOutputsPerChannel * channels));
        return true;
    }
    const std::int64_t round = kTileLength * channels;
    if (length % round != 0)
        return say(fmt::format("{} elements are {} rounds of {} and {} more, which are left undone", length,
                               length / round, round, length % round));
    return true;
}

Result<void> checkHbmPimShape(const HbmPimShape& shape) {
    const auto bad = [&](std::string message, std::string hint = {}) {
        return fail(ErrorCode::Usage, std::move(message), fmt::format("kernel {}", name(shape.kind)),
                    std::move(hint));
    };
    if (shape.channels < 1 || shape.channels > 64 || (shape.channels & (shape.channels - 1)) != 0)
        return bad(fmt::format("{} channels: the address map of hbm-pim takes 1, 2, 4, 8, 16, 32 or 64",
                               shape.channels));
    if (shape.ranks < 1 || shape.ranks > 2)
        return bad(fmt::format("{} ranks, hbm-pim has 1 or 2", shape.ranks));
    const auto inRange = [](std::int64_t value) { return value >= 1 && value <= kHighest; };
    const std::int64_t room = std::int64_t(G::kDataRows) * G::kBurstsPerRow;
    if (shape.kind == HbmPimKernelKind::Gemv) {
        if (!inRange(shape.out) || !inRange(shape.in) || !inRange(shape.batch))
            return bad(fmt::format("{} outputs, {} inputs, batch {}: each must be 1 to 2^40", shape.out,
                                   shape.in, shape.batch));
        const bool huge = shape.outTiles() > room || shape.inTiles() > room;
        const std::int64_t needed =
            huge              ? 0
            : shape.optimised ? HbmPimGemvPlan::of(shape).columnsOfBank(shape.batch)
                              : HbmPimColumns::gemvResult(shape, shape.outTiles() - 1, shape.batch - 1) + 8;
        if (huge || needed > room)
            return bad(
                fmt::format("{} x {} with batch {} on {} channels needs {} bursts of each bank, {} are below "
                            "the register rows",
                            shape.out, shape.in, shape.batch, shape.channels,
                            huge ? std::string("far more") : std::to_string(needed), room),
                "use more channels or split the matrix");
        const std::int64_t bursts = shape.outTiles() * shape.inTiles() * shape.batch * kBurstsPerTile;
        if (bursts > kMostBursts)
            return bad(fmt::format("batch {} of {} x {} is {} bursts per channel, at most {} are simulated",
                                   shape.batch, shape.out, shape.in, bursts, kMostBursts),
                       "simulate a smaller batch");
        return {};
    }
    if (!inRange(shape.length))
        return bad(fmt::format("{} elements, allowed are 1 to 2^40", shape.length));
    const std::int64_t most = HbmPimColumns::kSecond / 8;
    if (shape.tiles() > most)
        return bad(fmt::format("{} elements on {} channels are {} rounds of {}, the layout has room for {}",
                               shape.length, shape.channels, shape.tiles(),
                               HbmPimShape::kTileLength * shape.channels, most),
                   "use more channels or split the vector");
    return {};
}

std::int64_t HbmPimColumns::weights(const HbmPimShape& shape, std::int64_t outTile, std::int64_t inTile) {
    return 64 * (inTile / 2 + outTile * shape.inTiles() / 2);
}

std::int64_t HbmPimColumns::gemvResult(const HbmPimShape& shape, std::int64_t outTile, std::int64_t batch) {
    return 64 * (shape.outTiles() * shape.inTiles() / 2) +
           8 * (shape.padded ? outTile * shape.batch + batch : outTile + batch);
}

HbmPimStream hbmPimStream(const HbmPimShape& shape, std::span<const std::uint16_t> x, int channel) {
    HbmPimStream stream;
    HbmPimWriter to(stream);
    to.park(Tag::StartParkIn, Tag::ParkIn, Tag::EndParkIn);
    to.enterAllBank();
    to.program(hbmPimProgram(shape));
    switch (shape.kind) {
    case HbmPimKernelKind::Gemv:
        shape.optimised ? optimisedGemv(shape, x, channel, to) : gemv(shape, x, to);
        break;
    case HbmPimKernelKind::Red:
        red(shape, to);
        break;
    default:
        elementwise(shape, to);
    }
    to.leaveAllBank();
    to.park(Tag::StartParkOut, Tag::ParkOut, Tag::EndParkOut);
    return stream;
}

HbmPimTraffic hbmPimTraffic(const HbmPimShape& shape) {
    const auto bursts = [](std::int64_t elements) { return ceilDiv(elements, G::kLanes); };
    switch (shape.kind) {
    case HbmPimKernelKind::Gemv:
        return {bursts(shape.out * shape.in) + bursts(shape.batch * shape.in),
                bursts(shape.batch * shape.out)};
    case HbmPimKernelKind::Relu:
        return {bursts(shape.length), bursts(shape.length)};
    case HbmPimKernelKind::Red:
        return {bursts(shape.length), 1};
    default:
        return {2 * bursts(shape.length), bursts(shape.length)};
    }
}

} // namespace pim
