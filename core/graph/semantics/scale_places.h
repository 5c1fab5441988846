// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which scale a quantised element has: one for all, one for each line of an axis, or one for each block of an axis.
/// [ONNX operators QuantizeLinear and DequantizeLinear, operator sets 10 to 23]
#include "core/graph/graph.h"

namespace pim {

class ScalePlaces {
public:
    /// \param op its axis and block_size. Errors: InvalidModel where \p scale does not fit \p data, with the shapes.
    static Result<ScalePlaces> of(const Op& op, const Shape& data, const Shape& scale);

    /// The scale of an element, both in row-major order.
    std::size_t operator()(std::size_t element) const {
        const std::size_t row = element / m_inner;
        return row / m_extent * m_ofOuter + row % m_extent / m_block * m_parts +
               (m_perBlock ? element % m_inner : 0);
    }

private:
    std::size_t m_inner = 1, m_extent = 1, m_block = 1, m_ofOuter = 0, m_parts = 0;
    bool m_perBlock = false;
};

} // namespace pim
