// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Bytes of initializers, on demand.
#include "core/graph/graph.h"

namespace pim {

/// Elements of a constant tensor as little-endian bytes, row-major.
/// Maps the file and copies (typed fields are decoded). Errors: NotFound where the data is absent, naming
/// file and tensor.
Result<std::vector<std::byte>> readConstant(const Tensor& tensor);

} // namespace pim
