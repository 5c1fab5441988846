// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where a transposed convolution adds its input: the one reading of the attributes of ConvTranspose.
#include "core/graph/graph.h"

#include <optional>
#include <vector>

namespace pim {

/// One spatial axis, in elements: input i, place k of the kernel go to output i * stride + k * dilation -
/// begin, if there is one.
struct TransposedAxis {
    std::int64_t in = 1, out = 1, kernel = 1, stride = 1, dilation = 1;
    std::int64_t begin = 0; ///< Outputs cut off in front.
};

/// The spatial axes of a ConvTranspose with input \p x [N][C][in…], weights \p w [C][M/group][kernel…] and
/// output \p y [N][M][out…]. What is cut off follows from `pads`, or from `output_shape` and `auto_pad`,
/// which makes them in halves; where nothing has to be cut off, a larger output ends in elements no input
/// reaches. [ONNX 1.12, Operators.md, ConvTranspose-11] nullopt where attributes and shapes do not fit each
/// other.
std::optional<std::vector<TransposedAxis>> transposedAxes(const Op& op, const Shape& x, const Shape& w,
                                                          const Shape& y);

} // namespace pim
