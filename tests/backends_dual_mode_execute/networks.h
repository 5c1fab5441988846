// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Networks for the executor: small ones written here, larger ones of the zoo.
#include "core/numeric/quantized_model.h"

#include <string>

namespace pim::test {

/// Convolutions with strides, uneven pads, dilation, groups and one channel a group, a residual, pooling, a
/// Gemm.
Result<std::shared_ptr<const Graph>> smallVision();
/// One encoder layer as BERT has it: attention with a mask computed at run time, layer normalisation, GELU.
Result<std::shared_ptr<const Graph>> encoderLayer(std::int64_t tokens, std::int64_t hidden,
                                                  std::int64_t heads);
/// Of the zoo, with its weights.
Result<std::shared_ptr<const Graph>> zooNetwork(const std::string& name,
                                                const std::map<std::string, std::int64_t>& bindings = {});

} // namespace pim::test
