// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What bursts on the bus carry for an AttAcc machine. Flow: products of a kernel -> [KernelWork] ->
/// codegen.cpp, PimCode.
#include "backends/attacc/passes.h"
#include "backends/attacc/product.h"
#include "core/dram_pim/weighed_operands.h"

#include <optional>

namespace pim::attacc {

/// Of a masked score: the lowest number of FP16, so that its probability is zero beside any other score.
inline constexpr float kMaskedScore = -65504;

/// Everything about a kernel under a draft that its code depends on. Immutable once made; the products point
/// into it.
struct KernelWork final : WeighedOperands {
    Geometry geometry;
    int tensors = 0; ///< Of the kernel; the number of the scratch tensor.
    int bankTensor = -1, bufferTensor = -1, outputTensor = -1;
    std::optional<dram::DotWalk> walk; ///< Of the product, of attention: of the scores.
    std::optional<Positions> positions;
    std::optional<Product> product;
    // Attention only: values in the bank times probabilities.
    int valueTensor = -1;
    std::optional<dram::DotWalk> valueWalk;
    std::optional<Product> values;
    std::int64_t keys = 0; ///< Of a head.
    /// Parts of the scores of a head are in several groups: all go through the host, as the scratch tensor
    /// [heads][rows][keys], and back.
    bool scoresMeetAtHost = false;
    /// The keys of a head are in several groups, each of which does the softmax over its own. All scores go
    /// to the host too, as the scratch tensor, behind which masks lie; it weighs what the groups have
    /// computed: with m = max s and S = sum exp(s - m) over the keys of a group, of all its results O the
    /// outcome is sum O S exp(m) / sum S exp(m). [Online softmax, Milakov and Gimelshein, arXiv 1805.02867
    /// §3.1; keys in parts as in Flash-Decoding, Dao et al. 2023]
    bool partialSoftmax = false;
    double weighingAdditions = 0; ///< That it costs the host.

    bool isAttention() const { return values.has_value(); }
    /// Heads and rows of queries that the channel works on side by side; number of a position without its
    /// digits of keys and features.
    Skip headSkip() const;
    int headsAbreast() const { return positions->count() / headSkip().copies; }
    // Bursts of the scratch tensor: scores as results of the first product, then whole heads, then the keys
    // of each operand set.
    std::int64_t headBursts() const { return dram::ceilDiv(keys, kPimLanes); }
    std::int64_t headBurst(int head, std::int64_t batch, std::int64_t row, std::int64_t burst) const;
    std::int64_t ownBurst(int set, std::int64_t batch, std::int64_t row, std::int64_t burst) const;

    // Partial softmax: all groups run the same commands, so where one has fewer keys than others, the scores
    // of padding are masked: the host writes 0 or kMaskedScore to the slot, and scores are added.
    /// The cut of the keys; null: every core has all of them.
    const dram::DotWalk::Cut* keyCut() const;
    /// Of the cores with a digit of the keys: the first block of scores that is padding in part, in some
    /// group; \returns the number of blocks if there is none.
    std::int64_t firstMasked(int digit) const;
    std::int64_t maskBurst(std::int64_t resultBurst) const { return product->allSlots() + resultBurst; }

    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override;
    std::vector<PimPlace> places(int tensor, std::int64_t element) const override;
    std::vector<float> weights(int tensor, int group, std::span<const float> scratch) const override;
    std::vector<float> scratchConstants() const override;
    double hostAdditions() const override { return weighingAdditions; }
};

/// Of the host that weighs parts: a softmax over all scores. Weights meet results as they are added.
double hostAdditionsOf(const Target& target, double scores);
/// Does the softmax buffer hold two sets of scores and all outputs? Else there is no partial softmax: results
/// that leave before the end cannot be weighed.
bool hasRoomForParts(std::int64_t scoreSlots, std::int64_t outputSlots, const Geometry& geometry);

/// Error::Unsupported where the units cannot do it, with the sizes.
Result<std::shared_ptr<KernelWork>> workOf(const TilingSpace& space, const Draft& draft, const Target& target,
                                           const std::vector<Residency>& residency,
                                           const Passes& passes = {});

} // namespace pim::attacc
