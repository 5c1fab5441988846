// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Layers of transformers as operators of a dual-mode chip, without a model file: the products of attention
/// and of the feed-forward block. [Vaswani et al. 2017; shapes: Devlin et al. 2018, Zhang et al.
/// arXiv:2205.01068, Touvron et al. arXiv:2307.09288]
#include "backends/dual_mode/workload.h"

namespace pim {

struct DualModeTransformer {
    const char* name;
    std::int64_t hidden, heads, inner;
    bool gated; ///< LLaMA: gate and up beside each other, then down.
    int layers;
};

inline constexpr DualModeTransformer kBertLarge{"bert-large", 1024, 16, 4096, false, 24};
inline constexpr DualModeTransformer kOpt6B{"opt-6.7b", 4096, 32, 16384, false, 32};
inline constexpr DualModeTransformer kOpt13B{"opt-13b", 5120, 40, 20480, false, 40};
inline constexpr DualModeTransformer kLlama7B{"llama2-7b", 4096, 32, 11008, true, 32};

/// \param tokens of each of \p batch sequences that run through the layer now; \param keys tokens they attend
/// to.
DualModeWorkload transformerLayers(const DualModeTransformer& shape, std::int64_t batch, std::int64_t tokens,
                                   std::int64_t keys, int layers);

} // namespace pim
