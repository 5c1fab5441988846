// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/weights.h"

#include "core/base/mapped_file.h"
#include "core/graph/file/read_onnx.h"
#include "core/graph/semantics/values.h"

#include <fmt/format.h>

namespace pim {

namespace {

Result<std::vector<std::byte>> readInitializer(const Tensor& tensor) {
    const InitializerRef& ref = *tensor.data;
    const std::string where = fmt::format("{}: tensor \"{}\"", ref.file.string(), tensor.name);
    if (!ref.present)
        return fail(ErrorCode::NotFound, "its values are not there (the file is absent or too short)", where,
                    "put the weights beside the model and open it again");
    PIM_TRY(const auto mapping, MappedFile::open(ref.file));
    const auto bytes = mapping->bytes();
    const auto size = static_cast<std::int64_t>(bytes.size());
    if (ref.offset < 0 || ref.length < 0 || ref.length > size || ref.offset > size - ref.length)
        return fail(ErrorCode::NotFound,
                    fmt::format("its values should be at bytes {} … {}, the file has {}", ref.offset,
                                ref.offset + ref.length, size),
                    where, "the file has changed since it was opened: open the model again");
    const auto part =
        bytes.subspan(static_cast<std::size_t>(ref.offset), static_cast<std::size_t>(ref.length));
    if (ref.raw)
        return std::vector<std::byte>(part.begin(), part.end());
    if (!tensor.shape || bytesOf(tensor.dtype) == 0)
        return fail(ErrorCode::Unsupported, "values of this type cannot be read", where);
    PIM_TRY(const std::int64_t count, elementCount(*tensor.shape));
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

} // namespace pim
