// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The kernels of Samsung's public HBM-PIM simulator (PIMSimulator b464dde) as lists of bursts: where
/// operands lie, which microprogram runs, what the host asks of every channel and in which order. RED is no
/// kernel of the simulator but a program legal on it. All channels get the same list; only the data in their
/// banks differs.
#include "core/dram/hbm_pim/hbm_pim_channel.h"

#include <span>

namespace pim {

enum class HbmPimKernelKind : std::uint8_t { Gemv, Add, Mul, Relu, Red };
std::string_view name(HbmPimKernelKind kind); ///< gemv, add, mul, relu, red

struct HbmPimShape {
    HbmPimKernelKind kind = HbmPimKernelKind::Gemv;
    std::int64_t out = 0, in = 0, batch = 1; ///< y[batch][out] = W[out][in] x[batch][in]
    std::int64_t length = 0;                 ///< Elements of an operand of the element-wise kernels and RED.
    int channels = 64;                       ///< Pseudo-channels, a power of two up to 64.
    int ranks = 2;                           ///< 1 or 2; PIM works in rank 0.
    /// Rounds tiles up and keeps results apart, so that every size is computed right; the simulator's own
    /// layout (false) is faster by what it leaves out and wrong where isResultValid() says so.
    bool padded = false;
    /// GEMV: our own kernel (hbm_pim_gemv.h), which is faster and right for every size, in place of the
    /// simulator's. The other kernels take no notice of it.
    bool optimised = false;

    static constexpr std::int64_t kTileInputs = 128; ///< GRF_A holds this much of x.
    /// Elements a channel takes at once: 16 banks x 8 bursts.
    static constexpr std::int64_t kTileLength = 2048;

    std::int64_t
    outTiles() const; ///< Of 64 outputs a channel (optimised: see HbmPimGemvPlan); 0 for other kernels.
    std::int64_t inTiles() const;
    /// Rounds of the element-wise kernels: whole ones only, the simulator leaves the rest undone. RED: at
    /// least 1.
    std::int64_t tiles() const;
    /// False where the simulator's kernel silently computes something else; \p why then says what.
    bool isResultValid(std::string* why = nullptr) const;
};

/// Error::Usage where the kernel cannot run: sizes below 1, no such machine, operands that do not fit.
Result<void> checkHbmPimShape(const HbmPimShape& shape);

using HbmPimWord = std::array<std::uint16_t, HbmPimGeometry::kLanes>; ///< 32 bytes as FP16 bit patterns.

struct HbmPimStream {
    std::vector<HbmPimBurst> bursts;
    std::vector<HbmPimWord> data; ///< What HbmPimBurst::data counts.
};

/// \param x FP16 values of the vectors of a GEMV, [batch][in]; empty for timing only.
/// \param channel whose data the stream carries; the bursts are those of all channels.
/// The shape must have passed checkHbmPimShape().
HbmPimStream hbmPimStream(const HbmPimShape& shape, std::span<const std::uint16_t> x = {}, int channel = 0);

/// The microprogram: instructions in order, at most 32.
std::vector<std::uint32_t> hbmPimProgram(const HbmPimShape& shape);

/// The same work through plain reads and writes: operands one after the other, then the result.
struct HbmPimTraffic {
    std::int64_t reads = 0, writes = 0; ///< Bursts over all channels.
};
HbmPimTraffic hbmPimTraffic(const HbmPimShape& shape);

/// First bursts of the operands in a bank, counted along its rows.
struct HbmPimColumns {
    static constexpr std::int64_t kSecond = 128 * HbmPimGeometry::kBurstsPerRow;
    static constexpr std::int64_t kResult = 256 * HbmPimGeometry::kBurstsPerRow;
    /// Weights of output tile \p outTile, input tile \p inTile of a GEMV.
    static std::int64_t weights(const HbmPimShape& shape, std::int64_t outTile, std::int64_t inTile);
    /// Results of an output tile and an element of the batch.
    static std::int64_t gemvResult(const HbmPimShape& shape, std::int64_t outTile, std::int64_t batch);
};

} // namespace pim
