// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What bursts on the bus carry for an AttAcc machine. Flow: products of a kernel -> [KernelWork] ->
/// codegen.cpp, PimCode.
#include "backends/attacc/passes.h"
#include "backends/attacc/product.h"

#include <optional>

namespace pim::attacc {

/// Everything about a kernel under a draft that its code depends on. Immutable once made; the products point
/// into it.
struct KernelWork final : PimOperands {
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

    void elements(int tensor, int group, std::int64_t burst,
                  std::span<std::int64_t, kPimLanes> lanes) const override;
    std::vector<PimPlace> places(int tensor, std::int64_t element) const override;
};

/// Error::Unsupported where the units cannot do it, with the sizes.
Result<std::shared_ptr<KernelWork>> workOf(const TilingSpace& space, const Draft& draft, const Target& target,
                                           const std::vector<Residency>& residency, const Passes& passes = {});

} // namespace pim::attacc
