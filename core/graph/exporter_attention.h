// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The part of exporter_ops.h that is attention. Axes: B batch, S queries, T keys, H heads, G heads that share one key and value, D
/// length of a head. Heads that share a key are rows of one product, [B, H/G, G*S, D] x [B, H/G, D, T]: what the cache holds is read
/// once, as GroupQueryAttention is meant.
#include "core/graph/function_writer.h"

namespace pim {

std::optional<file::RawFunction> attentionOfOpset23(FunctionWriter writer);
std::optional<file::RawFunction> rotaryOfOpset23(FunctionWriter writer);
std::optional<file::RawFunction> packedAttention(FunctionWriter writer);
std::optional<file::RawFunction> groupQueryAttention(FunctionWriter writer);
std::optional<file::RawFunction> multiHeadAttention(FunctionWriter writer);
std::optional<file::RawFunction> rotaryOfMicrosoft(FunctionWriter writer);

} // namespace pim
