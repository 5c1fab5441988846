// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Typed views of the bytes of a Value. Running networks hold real activations as F32, quantised ones as I8,
/// everything else (token ids, masks, shapes) in the type of the graph.
#include "core/graph/semantics/values.h"

#include <algorithm>
#include <memory>
#include <span>

namespace pim {

/// Elements of \p value; empty for an input left out. T must be as wide as the elements are.
template <class T>
std::span<const T> elements(const Value& value) {
    if (!value.bytes)
        return {};
    return {reinterpret_cast<const T*>(value.bytes->data()), value.bytes->size() / sizeof(T)};
}

/// A value in the making: fill \ref data, then take \ref value.
template <class T>
struct Fresh {
    Value value;
    std::span<T> data;

    Fresh(DataType type, const Shape& shape) {
        const auto count = static_cast<std::size_t>(elementCount(shape).value_or(0));
        auto bytes = std::make_shared<std::vector<std::byte>>(count * sizeof(T));
        data = {reinterpret_cast<T*>(bytes->data()), count};
        value = Value{type, shape, std::move(bytes)};
    }
};

/// The same elements under another shape.
inline Value reshaped(const Value& value, const Shape& shape) {
    return Value{value.dtype, shape, value.bytes};
}

/// A constant of the graph, numbers with fractions as F32. Errors as readConstant().
Result<Value> constantValue(const Tensor& tensor);

/// A constant with fractions whose elements are read part by part where its file allows it; else it is held whole.
class RealConstant {
public:
    /// \p tensor outlives it. Errors: Unsupported for whole numbers; as constantValue().
    static Result<RealConstant> open(const Tensor& tensor);
    std::int64_t count() const { return m_count; }
    /// Elements [first, first + to.size()), which are there. Errors as readConstantPart().
    Result<void> read(std::int64_t first, std::span<float> to) const;

private:
    const Tensor* m_tensor = nullptr;
    std::int64_t m_count = 0;
    Value m_whole; ///< Without bytes where the file is read.
};

} // namespace pim
