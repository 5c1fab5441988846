// SPDX-License-Identifier: GPL-3.0-or-later
// The only file that includes ONNX headers besides the model zoo.
#include "core/graph/semantics/op_facts.h"

#include "core/graph/file/onnx_model.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include <onnx/defs/schema.h>
#include <onnx/shape_inference/implementation.h>
#pragma GCC diagnostic pop

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace pim {

namespace {

const onnx::OpSchema* findSchema(const std::string& domain, const std::string& type, std::int64_t opset) {
    // Newer operator sets than libonnx has are asked for as the newest it has.
    const auto& versions = onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map();
    const auto known = versions.find(domain);
    if (known == versions.end())
        return nullptr;
    const auto version = std::clamp<std::int64_t>(opset, 1, known->second.second);
    return onnx::OpSchemaRegistry::Schema(type, static_cast<int>(version), domain);
}

onnx::NodeProto nodeOf(const OpContext& context) {
    onnx::NodeProto node;
    node.set_op_type(context.op.type);
    node.set_domain(context.op.domain);
    for (std::size_t i = 0; i < context.inputs(); ++i)
        node.add_input(context.has(i) ? fmt::format("i{}", i) : "");
    for (std::size_t i = 0; i < context.outputs(); ++i)
        node.add_output(fmt::format("o{}", i));
    for (const auto& [key, value] : context.op.attributes) {
        onnx::AttributeProto attribute;
        attribute.set_name(key);
        using P = onnx::AttributeProto;
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            attribute.set_type(P::INT);
            attribute.set_i(*number);
        } else if (const auto* real = std::get_if<double>(&value)) {
            attribute.set_type(P::FLOAT);
            attribute.set_f(static_cast<float>(*real));
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            attribute.set_type(P::STRING);
            attribute.set_s(*text);
        } else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value)) {
            attribute.set_type(P::INTS);
            attribute.mutable_ints()->Add(numbers->begin(), numbers->end());
        } else if (const auto* reals = std::get_if<std::vector<double>>(&value)) {
            attribute.set_type(P::FLOATS);
            for (const double v : *reals)
                attribute.add_floats(static_cast<float>(v));
        } else if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) {
            attribute.set_type(P::STRINGS);
            for (const auto& v : *texts)
                attribute.add_strings(v);
        } else {
            continue;
        }
        *node.add_attribute() = std::move(attribute);
    }
    return node;
}

} // namespace

bool knownToLibonnx(const std::string& domain, const std::string& type, std::int64_t opset) {
    return findSchema(domain, type, opset) != nullptr;
}

Result<void> inferWithLibonnx(OpContext& context) {
    const auto* schema = findSchema(context.op.domain, context.op.type, context.opset);
    if (!schema || !schema->has_type_and_shape_inference_function())
        return {};
    if (static_cast<int>(context.inputs()) < schema->min_input() ||
        static_cast<int>(context.outputs()) < schema->min_output())
        return context.bad("it has fewer inputs or outputs than the operator needs",
                           "export the model again");
    try {
        onnx::NodeProto node = nodeOf(context);
        std::vector<onnx::TypeProto> types(context.inputs());
        std::vector<onnx::TensorProto> constants(context.inputs());
        std::unordered_map<std::string, onnx::TypeProto*> typeByName;
        std::unordered_map<std::string, const onnx::TensorProto*> constantByName;
        for (std::size_t i = 0; i < context.inputs(); ++i) {
            const Tensor* tensor = context.tensor(i);
            if (!tensor || tensor->dtype == DataType::Unknown)
                continue;
            auto* type = types[i].mutable_tensor_type();
            type->set_elem_type(static_cast<std::int32_t>(file::onnxFromDataType(tensor->dtype)));
            if (const Shape* shape = context.shape(i)) {
                type->mutable_shape();
                for (const std::int64_t extent : *shape)
                    type->mutable_shape()->add_dim()->set_dim_value(extent);
            }
            typeByName[fmt::format("i{}", i)] = &types[i];
            if (tensor->constant && tensor->shape) {
                for (const std::int64_t extent : *tensor->shape)
                    constants[i].add_dims(extent);
                constants[i].set_data_type(static_cast<std::int32_t>(file::onnxFromDataType(tensor->dtype)));
                constants[i].set_raw_data(tensor->constant->data(), tensor->constant->size());
                constantByName[fmt::format("i{}", i)] = &constants[i];
            }
        }
        onnx::shape_inference::InferenceContextImpl inference(node, typeByName, constantByName, {});
        schema->GetTypeAndShapeInferenceFunction()(inference);
        for (std::size_t i = 0; i < context.outputs(); ++i) {
            const onnx::TypeProto* type = inference.getOutputType(i);
            if (!type || !type->has_tensor_type())
                continue;
            const DataType element = file::dataTypeFromOnnx(type->tensor_type().elem_type());
            context.setType(i, element);
            if (!type->tensor_type().has_shape())
                continue;
            Shape shape;
            for (const auto& dim : type->tensor_type().shape().dim())
                shape.push_back(dim.has_dim_value() ? dim.dim_value() : -1);
            if (isStatic(shape))
                PIM_CHECK(context.set(i, element, std::move(shape)));
        }
    } catch (const std::exception& error) {
        std::string what = error.what();
        std::replace(what.begin(), what.end(), '\n', ' ');
        return context.bad("libonnx finds it impossible: " + what);
    }
    return {};
}

} // namespace pim
