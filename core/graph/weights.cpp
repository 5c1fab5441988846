// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/weights.h"

#include "core/graph/file/read_onnx.h"
#include "core/graph/semantics/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace pim {

namespace {

std::string whereOf(const Tensor& tensor) {
    return fmt::format("{}: tensor \"{}\"", tensor.data->file.string(), tensor.name);
}

/// Read, not mapped: pages of a mapping that were touched count as memory of the process.
Result<void> readBytes(const Tensor& tensor, std::int64_t offset, std::span<std::byte> to) {
    const InitializerRef& ref = *tensor.data;
    if (!ref.present)
        return fail(ErrorCode::NotFound, "its values are not there (the file is absent or too short)",
                    whereOf(tensor), "put the weights beside the model and open it again");
    std::ifstream file(ref.file, std::ios::binary);
    if (!file)
        return fail(ErrorCode::Io, std::string("cannot open the file: ") + std::strerror(errno),
                    ref.file.string());
    const auto count = static_cast<std::int64_t>(to.size());
    file.seekg(0, std::ios::end);
    const auto size = static_cast<std::int64_t>(file.tellg());
    if (ref.offset < 0 || ref.length < 0 || ref.length > size || ref.offset > size - ref.length ||
        offset < 0 || count > ref.length || offset > ref.length - count)
        return fail(ErrorCode::NotFound,
                    fmt::format("its values should be at bytes {} … {}, the file has {}", ref.offset,
                                ref.offset + ref.length, size),
                    whereOf(tensor), "the file has changed since it was opened: open the model again");
    file.seekg(ref.offset + offset);
    if (!file.read(reinterpret_cast<char*>(to.data()), count))
        return fail(ErrorCode::Io, "its values cannot be read", whereOf(tensor));
    return {};
}

Result<std::vector<std::byte>> readInitializer(const Tensor& tensor) {
    const InitializerRef& ref = *tensor.data;
    std::vector<std::byte> part(ref.present ? static_cast<std::size_t>(std::max<std::int64_t>(0, ref.length))
                                            : 0);
    PIM_CHECK(readBytes(tensor, 0, part));
    const std::string where = whereOf(tensor);
    if (ref.raw && !file::isInPairs(tensor.dtype))
        return part;
    if (!tensor.shape || bytesOf(tensor.dtype) == 0)
        return fail(ErrorCode::Unsupported, "values of this type cannot be read", where);
    PIM_TRY(const std::int64_t count, elementCount(*tensor.shape));
    if (ref.raw && std::ssize(part) != storedBytes(tensor.dtype, count))
        return fail(ErrorCode::InvalidModel,
                    fmt::format("it has {} bytes, its shape {} of {} needs {}", part.size(),
                                shapeText(*tensor.shape), name(tensor.dtype),
                                storedBytes(tensor.dtype, count)),
                    where, "export the model again");
    if (ref.raw)
        return file::oneToAByte(part, tensor.dtype, count);
    return file::decodeTensor(part, tensor.dtype, count, where);
}

/// As deep as the chain of derivations, which buildGraph() limits.
Result<std::vector<std::byte>> derive(const Tensor& tensor) {
    const Derivation& recipe = *tensor.derived;
    std::vector<Value> inputs, outputs;
    for (const Tensor& input : recipe.inputs) {
        Value value{input.dtype, input.shape.value_or(Shape()), nullptr};
        if (input.isConstant()) {
            PIM_TRY(auto bytes, readConstant(input));
            value.bytes = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
        }
        inputs.push_back(std::move(value));
    }
    for (const auto& [type, shape] : recipe.outputs)
        outputs.push_back(Value{type, shape, nullptr});
    auto results = evaluate(recipe.op, inputs, outputs);
    if (!results)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} of {} cannot be computed", recipe.op.type, name(tensor.dtype)),
                    fmt::format("tensor \"{}\"", tensor.name));
    return std::move((*results)[static_cast<std::size_t>(recipe.output)]);
}

} // namespace

Result<std::vector<std::byte>> readConstant(const Tensor& tensor) {
    if (tensor.constant)
        return *tensor.constant;
    if (tensor.derived)
        return derive(tensor);
    if (tensor.data)
        return readInitializer(tensor);
    return fail(ErrorCode::NotFound, "it is no constant: it is known only when the network runs",
                fmt::format("tensor \"{}\"", tensor.name));
}

bool canReadPart(const Tensor& tensor) {
    return !tensor.constant && !tensor.derived && tensor.data && tensor.data->raw &&
           !file::isInPairs(tensor.dtype);
}

Result<void> readConstantPart(const Tensor& tensor, std::int64_t offset, std::span<std::byte> to) {
    PIM_ASSERT(canReadPart(tensor), "its elements lie in a file as they are");
    return readBytes(tensor, offset, to);
}

} // namespace pim
