// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The networks of the zoo as functions of their published shapes.
#include "core/graph/zoo/graph_writer.h"

namespace pim::zoo {

/// Extents the caller may leave open.
struct Extents {
    Dim batch = "batch", past = "past", seq = "seq";
    /// Of images, for ResNet, SqueezeNet and MobileNetV2, which end in a mean over all places; all else has its own.
    Dim height = 224, width = 224;
};

enum class DecoderStyle : std::uint8_t {
    Gpt,  ///< Fused QKV, GELU, learned positions, output layer tied to the embedding.
    Opt,  ///< Separate QKV, ReLU, learned positions shifted by 2, tied output layer.
    Llama ///< Separate QKV without bias, rotary positions, gated SiLU, RMS norm, own output layer.
};
struct DecoderShape {
    DecoderStyle style = DecoderStyle::Gpt;
    std::int64_t layers = 0, hidden = 0, heads = 0, inner = 0, vocabulary = 0, positions = 0;
    std::int64_t sharedBy =
        1; ///< Heads with the same keys and values (grouped-query attention); not of the Gpt style.
};
/// One token a sequence, caches of \p past tokens come in and go out one longer.
void buildDecodeStep(GraphWriter& g, const DecoderShape& shape, const Extents& extents);
/// All tokens of the prompt at once under a causal mask; caches go out.
void buildPrefill(GraphWriter& g, const DecoderShape& shape, const Extents& extents);

struct EncoderShape {
    std::int64_t layers = 0, hidden = 0, heads = 0, inner = 0;
};
void buildBert(GraphWriter& g, const EncoderShape& shape, const Extents& extents);
/// On 224x224 images. \param patch edge of one patch.
void buildVit(GraphWriter& g, const EncoderShape& shape, std::int64_t patch, const Extents& extents);

void buildVgg8(GraphWriter& g, const Extents& extents);  ///< 32x32 images, 10 classes
void buildVgg16(GraphWriter& g, const Extents& extents); ///< This and the rest: 1000 classes. 224x224 images.
/// \param blocks blocks of the four stages. \param bottleneck 1x1, 3x3, 1x1 blocks, else 3x3, 3x3.
void buildResNet(GraphWriter& g, const std::vector<int>& blocks, bool bottleneck, const Extents& extents);
void buildGoogLeNet(GraphWriter& g, const Extents& extents);
void buildSqueezeNet(GraphWriter& g, const Extents& extents); ///< Version 1.1.
void buildMobileNetV2(GraphWriter& g, const Extents& extents);

} // namespace pim::zoo
