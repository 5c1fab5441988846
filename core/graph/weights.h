// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Bytes of initializers, on demand.
#include "core/graph/graph.h"

#include <span>

namespace pim {

/// Elements of a constant tensor as little-endian bytes, row-major; typed fields are decoded. Errors: NotFound
/// where the data is absent, naming file and tensor.
Result<std::vector<std::byte>> readConstant(const Tensor& tensor);

/// Do the elements lie in a file as they are, so that some can be read without the others?
bool canReadPart(const Tensor& tensor);
/// Bytes [offset, offset + to.size()) of such elements. Errors as readConstant().
Result<void> readConstantPart(const Tensor& tensor, std::int64_t offset, std::span<std::byte> to);

} // namespace pim
