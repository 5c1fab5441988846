// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/element_access.h"

#include "core/graph/weights.h"

#include <fmt/format.h>

namespace pim {

Result<Value> constantValue(const Tensor& tensor) {
    if (!tensor.shape || !isStatic(*tensor.shape))
        return fail(ErrorCode::Unsupported, "its shape is not known",
                    fmt::format("tensor \"{}\"", tensor.name), "bind the dynamic dimensions");
    PIM_TRY(auto bytes, readConstant(tensor));
    PIM_TRY(const std::int64_t count, elementCount(*tensor.shape));
    if (bytesOf(tensor.dtype) == 0 ||
        static_cast<std::int64_t>(bytes.size()) != count * bytesOf(tensor.dtype))
        return fail(ErrorCode::InvalidModel,
                    fmt::format("it has {} bytes, its shape {} of {} needs {}", bytes.size(),
                                shapeText(*tensor.shape), name(tensor.dtype), count * bytesOf(tensor.dtype)),
                    fmt::format("tensor \"{}\"", tensor.name));
    DataType type = tensor.dtype;
    if (isRealType(type) && type != DataType::F32) {
        bytes = bytesFromReals(realsOf(bytes, type), DataType::F32);
        type = DataType::F32;
    }
    return Value{type, *tensor.shape, std::make_shared<const std::vector<std::byte>>(std::move(bytes))};
}

Result<RealConstant> RealConstant::open(const Tensor& tensor) {
    RealConstant constant;
    constant.m_tensor = &tensor;
    if (!isRealType(tensor.dtype))
        return fail(ErrorCode::Unsupported,
                    fmt::format("a constant of type {} takes part in arithmetic", name(tensor.dtype)),
                    fmt::format("tensor \"{}\"", tensor.name));
    const bool inParts = canReadPart(tensor) && tensor.shape && isStatic(*tensor.shape);
    if (!inParts) {
        PIM_TRY(constant.m_whole, constantValue(tensor));
        constant.m_count = constant.m_whole.count();
        return constant;
    }
    PIM_TRY(constant.m_count, elementCount(*tensor.shape));
    if (tensor.data->length != constant.m_count * bytesOf(tensor.dtype))
        return fail(ErrorCode::InvalidModel,
                    fmt::format("it has {} bytes, its shape {} of {} needs {}", tensor.data->length,
                                shapeText(*tensor.shape), name(tensor.dtype),
                                constant.m_count * bytesOf(tensor.dtype)),
                    fmt::format("tensor \"{}\"", tensor.name));
    return constant;
}

Result<void> RealConstant::read(std::int64_t first, std::span<float> to) const {
    if (m_whole.bytes) {
        std::ranges::copy(elements<float>(m_whole).subspan(static_cast<std::size_t>(first), to.size()),
                          to.begin());
        return {};
    }
    const std::int64_t width = bytesOf(m_tensor->dtype);
    if (m_tensor->dtype == DataType::F32)
        return readConstantPart(*m_tensor, first * width, std::as_writable_bytes(to));
    std::vector<std::byte> bytes(to.size() * static_cast<std::size_t>(width));
    PIM_CHECK(readConstantPart(*m_tensor, first * width, bytes));
    std::ranges::transform(realsOf(bytes, m_tensor->dtype), to.begin(),
                           [](double real) { return static_cast<float>(real); });
    return {};
}

} // namespace pim
