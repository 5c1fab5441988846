// SPDX-License-Identifier: GPL-3.0-or-later
// Einsum: for each element of the result, the sum of products over all indices that it does not have. [ONNX operator Einsum]
#include "core/base/parallel.h"
#include "core/graph/semantics/einsum.h"
#include "core/numeric/real_ops.h"

namespace pim::numeric {
namespace {

/// Steps of an operand for each index of a list; an index that stands twice takes a diagonal.
std::vector<std::int64_t> stepsFor(const std::string& indices, const std::string& own, const Shape& shape) {
    std::vector<std::int64_t> steps(indices.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
        if (shape[d] != 1)
            steps[indices.find(own[d])] += stride;
    return steps;
}

} // namespace

RealAnswer runEinsum(const RealCall& call) {
    if (!call.op.domain.empty() || call.op.type != "Einsum" || call.out.empty())
        return std::nullopt;
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < call.in.size(); ++i) {
        if (!call.real(i))
            return std::nullopt;
        shapes.push_back(call.in[i].shape);
    }
    const auto sum = EinsumIndices::of(call.op.stringAttribute("equation", ""), shapes);
    if (!sum)
        return std::nullopt;
    // Of the result first, then those that are summed over.
    std::string indices = sum->result;
    for (const auto& [index, extent] : sum->extents)
        if (indices.find(index) == std::string::npos)
            indices += index;
    const std::size_t outer = sum->result.size();
    std::vector<std::vector<std::int64_t>> steps;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        steps.push_back(stepsFor(indices, sum->operands[i], shapes[i]));
    std::int64_t terms = 1;
    for (std::size_t d = outer; d < indices.size(); ++d)
        terms *= sum->extents.at(indices[d]);
    Fresh<float> out(DataType::F32, call.out[0].shape);
    parallelFor(out.data.size(), call.threads, [&](std::size_t element) {
        std::vector<std::int64_t> at(indices.size(), 0), place(shapes.size(), 0);
        auto rest = static_cast<std::int64_t>(element);
        for (std::size_t d = outer; d-- > 0;) {
            const std::int64_t extent = sum->extents.at(indices[d]);
            at[d] = rest % extent;
            rest /= extent;
            for (std::size_t i = 0; i < shapes.size(); ++i)
                place[i] += at[d] * steps[i][d];
        }
        double total = 0;
        for (std::int64_t term = 0; term < terms; ++term) {
            double product = 1;
            for (std::size_t i = 0; i < shapes.size(); ++i)
                product *= static_cast<double>(call.reals(i)[static_cast<std::size_t>(place[i])]);
            total += product;
            for (std::size_t d = indices.size(); d-- > outer;) {
                const std::int64_t extent = sum->extents.at(indices[d]);
                const bool wraps = ++at[d] == extent;
                for (std::size_t i = 0; i < shapes.size(); ++i)
                    place[i] += wraps ? -(extent - 1) * steps[i][d] : steps[i][d];
                if (!wraps)
                    break;
                at[d] = 0;
            }
        }
        out.data[element] = static_cast<float>(total);
    });
    return single(out.value);
}

} // namespace pim::numeric
