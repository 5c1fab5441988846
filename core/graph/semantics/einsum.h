// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The equation of an Einsum against the shapes of its operands. [ONNX operator Einsum]
#include "core/graph/graph.h"

namespace pim {

struct EinsumIndices {
    std::vector<std::string> operands; ///< One letter an axis; axes of an ellipsis have digits.
    std::string result;
    std::map<char, std::int64_t> extents;

    /// Errors: InvalidModel where the two do not fit; Unsupported for more than ten axes in an ellipsis.
    static Result<EinsumIndices> of(std::string equation, const std::vector<Shape>& shapes);
};

} // namespace pim
