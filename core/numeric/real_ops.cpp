// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/real_ops.h"

#include "core/numeric/whole_product.h"

#include <fmt/format.h>

namespace pim {

namespace numeric {

AxisSplit splitAt(const Shape& shape, std::size_t axis) {
    AxisSplit split;
    for (std::size_t d = 0; d < shape.size(); ++d)
        (d < axis ? split.outer : d == axis ? split.extent : split.inner) *= shape[d];
    return split;
}

std::vector<std::int64_t> stepsTo(const Shape& from, const Shape& to) {
    std::vector<std::int64_t> steps(to.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = from.size(); d-- > 0; stride *= from[d])
        if (from[d] != 1)
            steps[to.size() - from.size() + d] = stride;
    return steps;
}

} // namespace numeric

Result<std::vector<Value>> runRealOp(const Graph& graph, OpId id, std::span<const Value> inputs, int threads,
                                     DataType realType) {
    const Op& op = graph.op(id);
    const auto unsupported = [&](const std::string& why) {
        return fail(ErrorCode::Unsupported, why,
                    fmt::format("{}{}{} \"{}\"", op.domain, op.domain.empty() ? "" : "::", op.type, op.name));
    };
    numeric::RealCall call{op, inputs, {}, 17, threads, DataType::F32};
    for (const TensorId out : op.outputs) {
        if (!out.valid()) {
            call.out.emplace_back();
            continue;
        }
        const Tensor& tensor = graph.tensor(out);
        if (!tensor.shape || !isStatic(*tensor.shape) || bytesOf(tensor.dtype) == 0)
            return unsupported(
                fmt::format("the shape or type of its result \"{}\" is not known", tensor.name));
        call.out.push_back(Value{isRealType(tensor.dtype) ? realType : tensor.dtype, *tensor.shape, nullptr});
    }
    if (!op.outputs.empty() && op.outputs[0].valid())
        call.type = graph.tensor(op.outputs[0]).dtype;
    if (const auto it = graph.source.opsets.find(""); it != graph.source.opsets.end())
        call.opset = it->second;
    numeric::RealAnswer answer;
    if (isWholeProduct(graph, id)) {
        if (auto product = wholeProduct(graph, id, inputs))
            answer = numeric::single(std::move(*product));
    }
    for (const auto family : {numeric::runElementwise, numeric::runWindow, numeric::runNormalization,
                              numeric::runReduction, numeric::runMovement, numeric::runLookUp,
                              numeric::runSelection, numeric::runEinsum, numeric::runRecurrent})
        if (answer || (answer = family(call)))
            break;
    if (!answer) {
        Op plain = op; // what shape inference uses to fold constants: slow, but knows most of the rest
        plain.attributes.erase("to");
        auto outputs = call.out;
        while (!outputs.empty() && bytesOf(outputs.back().dtype) == 0)
            outputs.pop_back();
        if (auto bytes = evaluate(op.type == "Cast" ? plain : op, inputs, outputs)) {
            answer.emplace();
            for (std::size_t i = 0; i < outputs.size(); ++i)
                answer->push_back(
                    Value{outputs[i].dtype, outputs[i].shape,
                          std::make_shared<const std::vector<std::byte>>(std::move((*bytes)[i]))});
        }
    }
    if (!answer && op.domain == "com.microsoft" && (op.type == "MoE" || op.type == "QMoE"))
        return unsupported("which experts a row takes is decided while it runs: the work is counted, numbers "
                           "are not computed");
    if (!answer)
        return unsupported("nothing here can compute this operator in this form");
    answer->resize(op.outputs.size());
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        const Value& value = (*answer)[i];
        const Value& wanted = call.out[i];
        if (!op.outputs[i].valid() ||
            (i > 0 && graph.tensor(op.outputs[i]).consumers.empty() && !graph.tensor(op.outputs[i]).isOutput))
            continue;
        if (!value.bytes ||
            static_cast<std::int64_t>(value.bytes->size()) != wanted.count() * bytesOf(wanted.dtype))
            return unsupported(fmt::format("its result {} cannot be computed", i));
    }
    return std::move(*answer);
}

Result<void> attentionSoftmax(const Graph& graph, OpId id, std::span<float> scores, const Value& mask,
                              int threads) {
    const Op& op = graph.op(id);
    const auto unsupported = [&](std::string why, std::string hint = {}) {
        return fail(ErrorCode::Unsupported, std::move(why), fmt::format("Attention \"{}\"", op.name),
                    std::move(hint));
    };
    const auto scale = static_cast<float>(op.floatAttribute("scale", 1));
    for (float& score : scores)
        score *= scale;
    const Shape& q = *graph.tensor(op.inputs[0]).shape;
    Shape shape(q.begin(), q.end() - 1);
    shape.push_back(op.intAttribute("kv_len", 0));
    if (static_cast<std::int64_t>(scores.size()) != elementCount(shape).value_or(-1))
        return unsupported("its attributes do not fit its operands");
    if (mask.bytes) {
        if (op.stringAttribute("mask", "add") != "add" || mask.dtype != DataType::F32)
            return unsupported("its mask selects scores, and what stands in for the others is not known",
                               "switch the pass fuse_attention off");
        if (mask.shape.size() > shape.size())
            return unsupported(fmt::format("its mask of shape {} does not fit its scores {}",
                                           shapeText(mask.shape), shapeText(shape)));
        for (std::size_t d = 0; d < mask.shape.size(); ++d) {
            const std::int64_t extent = shape[shape.size() - mask.shape.size() + d];
            if (mask.shape[d] != 1 && mask.shape[d] != extent)
                return unsupported(fmt::format("its mask of shape {} does not fit its scores {}",
                                               shapeText(mask.shape), shapeText(shape)));
        }
        const auto added = elements<float>(mask);
        numeric::forBroadcast(mask.shape, shape,
                              [&](std::size_t to, std::size_t from) { scores[to] += added[from]; });
    }
    numeric::softmaxRows(scores, shape.back(), threads);
    return {};
}

} // namespace pim
