// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Operators of exporters that stand for several of the standard's: attention with its heads and its cache, rotary
/// embeddings, norms behind a sum, products with weights in blocks of 4 or 8 bits. Each is written out as a function of the file would
/// be, so that passes, planners and numbers meet only what they know, and the origin of every part is kept.
/// Flow: RawNode + shapes of its inputs -> [writtenOut] -> RawFunction -> GraphBuilder.
///
/// What they compute: onnx/docs/Operators.md (Attention and RotaryEmbedding of opset 23) and docs/ContribOperators.md of ONNX Runtime
/// 1.20 (domain com.microsoft). Readings where a value known only at run time decides:
/// - GroupQueryAttention: all sequences are as long as shapes say, `seqlens_k` = total length - 1; present is past, then what is new.
/// - key_padding_mask: one number a key, 1 to look at it. Other forms stay as they are.
#include "core/graph/file/onnx_model.h"

#include <span>

namespace pim {

/// \param inputs of the node, in its order; null where one is left out.
/// \returns nullopt where the node is no such operator, or uses a form of it that is not written out (packed keys and values, a
/// cache without a shape): it stays one op that nobody but the host knows.
std::optional<file::RawFunction> writtenOut(const file::RawNode& node, std::span<const Tensor* const> inputs);

/// "com.microsoft::MatMulNBits", … of all that are written out.
std::vector<std::string> exporterOps();

} // namespace pim
