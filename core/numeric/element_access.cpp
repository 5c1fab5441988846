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

} // namespace pim
