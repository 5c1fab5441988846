// SPDX-License-Identifier: GPL-3.0-or-later
// Many elements to one, softmax and normalisation. Sums are taken in double, in ascending order.
#include "core/base/parallel.h"
#include "core/numeric/real_ops.h"

#include <cmath>
#include <limits>

namespace pim::numeric {

void softmaxRows(std::span<float> values, std::int64_t length, int threads) {
    const auto width = static_cast<std::size_t>(length);
    if (width == 0)
        return;
    parallelFor(values.size() / width, threads, [&](std::size_t r) {
        float* row = values.data() + r * width;
        const float top = *std::max_element(row, row + width);
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i) {
            row[i] = std::exp(row[i] - top);
            sum += static_cast<double>(row[i]);
        }
        for (std::size_t i = 0; i < width; ++i)
            row[i] = static_cast<float>(static_cast<double>(row[i]) / sum);
    });
}

namespace {

/// Of Softmax and its like.
std::optional<AxisSplit> rowsOf(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    const bool old = call.opset < 13; // then everything from the axis on is one row
    const std::size_t axis = axisIndex(call.op.intAttribute("axis", old ? 1 : -1), shape.size());
    if (axis >= shape.size())
        return std::nullopt;
    AxisSplit s = splitAt(shape, axis);
    if (old) {
        s.extent *= s.inner;
        s.inner = 1;
    }
    return s;
}

RealAnswer softmax(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    const std::optional<AxisSplit> split = rowsOf(call);
    if (!split)
        return std::nullopt;
    const AxisSplit s = *split;
    const bool logarithm = call.op.type == "LogSoftmax";
    Fresh<float> out(DataType::F32, shape);
    const auto in = call.reals(0);
    parallelFor(static_cast<std::size_t>(s.outer), call.threads, [&](std::size_t o) {
        for (std::int64_t j = 0; j < s.inner; ++j) {
            const auto at = [&](std::int64_t i) {
                return o * static_cast<std::size_t>(s.extent * s.inner) +
                       static_cast<std::size_t>(i * s.inner + j);
            };
            float top = -std::numeric_limits<float>::infinity();
            for (std::int64_t i = 0; i < s.extent; ++i)
                top = std::max(top, in[at(i)]);
            double sum = 0;
            for (std::int64_t i = 0; i < s.extent; ++i)
                sum += static_cast<double>(out.data[at(i)] = std::exp(in[at(i)] - top));
            for (std::int64_t i = 0; i < s.extent; ++i)
                out.data[at(i)] =
                    logarithm ? static_cast<float>(static_cast<double>(in[at(i)] - top) - std::log(sum))
                              : static_cast<float>(static_cast<double>(out.data[at(i)]) / sum);
        }
    });
    return single(out.value);
}

/// 1 where the first largest element of the axis is, else 0.
RealAnswer hardmax(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    const std::optional<AxisSplit> split = rowsOf(call);
    if (!split)
        return std::nullopt;
    const AxisSplit s = *split;
    Fresh<float> out(DataType::F32, shape);
    std::fill(out.data.begin(), out.data.end(), 0.0F);
    const auto in = call.reals(0);
    for (std::int64_t o = 0; o < s.outer * (s.extent > 0 ? 1 : 0); ++o)
        for (std::int64_t j = 0; j < s.inner; ++j) {
            const auto at = [&](std::int64_t i) {
                return static_cast<std::size_t>((o * s.extent + i) * s.inner + j);
            };
            std::int64_t best = 0;
            for (std::int64_t i = 1; i < s.extent; ++i)
                if (in[at(i)] > in[at(best)])
                    best = i;
            out.data[at(best)] = 1;
        }
    return single(out.value);
}

/// Divided by the sum of absolute values (p = 1) or the root of the sum of squares (2) along an axis; 0 stays 0.
RealAnswer lpNormalization(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    const std::size_t axis = axisIndex(call.op.intAttribute("axis", -1), shape.size());
    const std::int64_t p = call.op.intAttribute("p", 2);
    if (axis >= shape.size() || (p != 1 && p != 2))
        return std::nullopt;
    const AxisSplit s = splitAt(shape, axis);
    Fresh<float> out(DataType::F32, shape);
    const auto in = call.reals(0);
    for (std::int64_t o = 0; o < s.outer; ++o)
        for (std::int64_t j = 0; j < s.inner; ++j) {
            const auto at = [&](std::int64_t i) {
                return static_cast<std::size_t>((o * s.extent + i) * s.inner + j);
            };
            double sum = 0;
            for (std::int64_t i = 0; i < s.extent; ++i) {
                const auto v = static_cast<double>(in[at(i)]);
                sum += p == 1 ? std::fabs(v) : v * v;
            }
            const double norm = p == 1 ? sum : std::sqrt(sum);
            for (std::int64_t i = 0; i < s.extent; ++i)
                out.data[at(i)] = norm == 0 ? 0 : static_cast<float>(static_cast<double>(in[at(i)]) / norm);
        }
    return single(out.value);
}

/// The mean, the largest element, or the p-th root of the sum of p-th powers of every plane.
RealAnswer globalPool(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    if (shape.size() < 3)
        return std::nullopt;
    std::int64_t run = 1;
    for (std::size_t d = 2; d < shape.size(); ++d)
        run *= shape[d];
    const bool average = call.op.type == "GlobalAveragePool", norm = call.op.type == "GlobalLpPool";
    const auto p = static_cast<double>(call.op.intAttribute("p", 2));
    Fresh<float> out(DataType::F32, call.out[0].shape);
    const auto in = call.reals(0);
    for (std::size_t i = 0; i < out.data.size(); ++i) {
        const float* from = in.data() + i * static_cast<std::size_t>(run);
        double sum = 0;
        for (std::int64_t j = 0; j < run; ++j) {
            const auto v = static_cast<double>(from[j]);
            sum += norm ? std::pow(std::fabs(v), p) : v;
        }
        out.data[i] = average ? static_cast<float>(sum / static_cast<double>(run))
                      : norm  ? static_cast<float>(std::pow(sum, 1 / p))
                              : *std::max_element(from, from + run);
    }
    return single(out.value);
}

RealAnswer reduce(const RealCall& call) {
    const std::string& type = call.op.type;
    enum class How { Sum, Mean, Max, Min, Product } how = How::Sum;
    if (type == "ReduceMean")
        how = How::Mean;
    else if (type == "ReduceMax")
        how = How::Max;
    else if (type == "ReduceMin")
        how = How::Min;
    else if (type == "ReduceProd")
        how = How::Product;
    const bool absolute = type == "ReduceL1", square = type == "ReduceL2" || type == "ReduceSumSquare",
               exponent = type == "ReduceLogSumExp";
    const bool known =
        how != How::Sum || absolute || square || exponent || type == "ReduceSum" || type == "ReduceLogSum";
    if (!known)
        return std::nullopt;
    const Shape& shape = call.in[0].shape;
    const auto axes = call.has(1) ? call.ints(1) : call.op.intsAttribute("axes", {});
    // Without axes, and none meant, each element is reduced by itself: what is squared is squared.
    const bool none = axes.empty() && call.op.intAttribute("noop_with_empty_axes", 0) != 0;
    std::vector<bool> reduced(shape.size(), axes.empty() && !none);
    for (const std::int64_t a : axes) {
        if (axisIndex(a, shape.size()) >= shape.size())
            return std::nullopt;
        reduced[axisIndex(a, shape.size())] = true;
    }
    std::vector<std::int64_t> steps(shape.size(), 0);
    std::int64_t stride = 1, count = 1;
    for (std::size_t d = shape.size(); d-- > 0;)
        if (reduced[d]) {
            count *= shape[d];
        } else {
            steps[d] = stride;
            stride *= shape[d];
        }
    // Whole numbers that only add up or are compared are for evaluate(), which keeps all their bits.
    const bool whole = call.in[0].dtype != DataType::F32;
    if (whole && !absolute && !square && !exponent && type != "ReduceLogSum")
        return std::nullopt;
    const double start = how == How::Max       ? -std::numeric_limits<double>::infinity()
                         : how == How::Min     ? std::numeric_limits<double>::infinity()
                         : how == How::Product ? 1
                                               : 0;
    std::vector<double> sums(static_cast<std::size_t>(stride), start);
    std::vector<std::int64_t> at(shape.size(), 0);
    std::int64_t to = 0;
    const auto accumulate = [&](const auto& in) {
        for (const auto element : in) {
            auto v = static_cast<double>(element);
            v = absolute ? std::fabs(v) : square ? v * v : exponent ? std::exp(v) : v;
            double& sum = sums[static_cast<std::size_t>(to)];
            sum = how == How::Max       ? std::max(sum, v)
                  : how == How::Min     ? std::min(sum, v)
                  : how == How::Product ? sum * v
                                        : sum + v;
            for (std::size_t d = shape.size(); d-- > 0;) {
                to += steps[d];
                if (++at[d] < shape[d])
                    break;
                to -= steps[d] * shape[d];
                at[d] = 0;
            }
        }
    };
    if (whole)
        accumulate(realsOf(*call.in[0].bytes, call.in[0].dtype));
    else
        accumulate(call.reals(0));
    const DataType result = call.out[0].dtype;
    if (call.out[0].count() != std::ssize(sums))
        return std::nullopt;
    for (double& sum : sums)
        sum = how == How::Mean                     ? sum / static_cast<double>(count)
              : type == "ReduceL2"                 ? std::sqrt(sum)
              : exponent || type == "ReduceLogSum" ? std::log(sum)
                                                   : sum;
    return single(Value{result, call.out[0].shape,
                        std::make_shared<const std::vector<std::byte>>(bytesFromReals(sums, result))});
}

RealAnswer argReduce(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    const std::size_t axis = axisIndex(call.op.intAttribute("axis", 0), shape.size());
    if (axis >= shape.size())
        return std::nullopt;
    const bool most = call.op.type == "ArgMax", last = call.op.intAttribute("select_last_index", 0) != 0;
    const AxisSplit s = splitAt(shape, axis);
    Fresh<std::int64_t> out(DataType::I64, call.out[0].shape);
    const auto choose = [&](const auto& in) {
        for (std::int64_t o = 0; o < s.outer; ++o)
            for (std::int64_t j = 0; j < s.inner; ++j) {
                std::int64_t best = 0;
                const auto value = [&](std::int64_t i) {
                    return in[static_cast<std::size_t>((o * s.extent + i) * s.inner + j)];
                };
                for (std::int64_t i = 1; i < s.extent; ++i) {
                    const bool better = most ? value(i) > value(best) : value(i) < value(best);
                    if (better || (last && value(i) == value(best)))
                        best = i;
                }
                out.data[static_cast<std::size_t>(o * s.inner + j)] = best;
            }
    };
    if (call.real(0))
        choose(call.reals(0));
    else
        choose(call.ints(0));
    return single(out.value);
}

/// Rows of `length` neighbouring elements to mean 0 (unless root mean square) and variance 1; then a factor
/// and a shift chosen by \p parameter(row, position).
struct RowNorm {
    std::int64_t length = 0;
    double epsilon = 0;
    bool centred = true;
    std::span<const float> factor, shift; ///< Empty: none.
};
template <class Parameter>
Value normalizeRows(const RealCall& call, const RowNorm& norm, Parameter parameter) {
    const auto [length, epsilon, centred, factor, shift] = norm;
    Fresh<float> out(DataType::F32, call.in[0].shape);
    const auto in = call.reals(0);
    const auto width = static_cast<std::size_t>(length);
    parallelFor(width ? in.size() / width : 0, call.threads, [&](std::size_t r) {
        const float* row = in.data() + r * width;
        double mean = 0, variance = 0;
        for (std::size_t i = 0; centred && i < width; ++i)
            mean += static_cast<double>(row[i]);
        mean /= static_cast<double>(length);
        for (std::size_t i = 0; i < width; ++i)
            variance += (static_cast<double>(row[i]) - mean) * (static_cast<double>(row[i]) - mean);
        const double scale = 1 / std::sqrt(variance / static_cast<double>(length) + epsilon);
        for (std::size_t i = 0; i < width; ++i) {
            float v = static_cast<float>((static_cast<double>(row[i]) - mean) * scale);
            const std::size_t p = parameter(r, i);
            if (!factor.empty())
                v *= factor[p];
            if (!shift.empty())
                v += shift[p];
            out.data[r * width + i] = v;
        }
    });
    return out.value;
}

/// LayerNorm and RmsNorm in all spellings: over the trailing axes.
RealAnswer layerNorm(const RealCall& call, bool centred) {
    const Shape& shape = call.in[0].shape;
    const std::size_t rank = shape.size();
    std::size_t first = axisIndex(call.op.intAttribute("axis", -1), rank);
    if (const auto axes = call.op.intsAttribute("axes", {}); !axes.empty())
        first = axisIndex(*std::min_element(axes.begin(), axes.end()), rank);
    if (first >= rank)
        return std::nullopt;
    std::int64_t length = 1;
    for (std::size_t d = first; d < rank; ++d)
        length *= shape[d];
    const auto parameters = [&](std::size_t i) -> std::optional<std::vector<float>> {
        if (!call.has(i))
            return std::vector<float>();
        const auto values = call.reals(i);
        if (!call.real(i) || values.empty() || length % static_cast<std::int64_t>(values.size()) != 0)
            return std::nullopt;
        std::vector<float> repeated;
        while (static_cast<std::int64_t>(repeated.size()) < length)
            repeated.insert(repeated.end(), values.begin(), values.end());
        return repeated;
    };
    const auto factor = parameters(1), shift = parameters(2);
    if (!factor || !shift || length < 1)
        return std::nullopt;
    return single(normalizeRows(call,
                                {length, call.op.floatAttribute("epsilon", 1e-5), centred, *factor, *shift},
                                [](std::size_t, std::size_t i) { return i; }));
}

/// Instance and group normalisation: rows are all pixels of the channels of a group.
RealAnswer groupNorm(const RealCall& call, std::int64_t groups) {
    const Shape& shape = call.in[0].shape;
    if (shape.size() < 2 || groups < 1 || shape[1] % groups != 0 || !call.real(1) || !call.real(2))
        return std::nullopt;
    const AxisSplit s = splitAt(shape, 1);
    const std::int64_t channels = s.extent / groups;
    // The parameters are one a channel (or, in operator set 18 to 20, one a group).
    const auto perGroup = static_cast<std::int64_t>(call.reals(1).size()) == groups && groups != s.extent;
    if (!perGroup && static_cast<std::int64_t>(call.reals(1).size()) != s.extent)
        return std::nullopt;
    return single(normalizeRows(
        call,
        {channels * s.inner, call.op.floatAttribute("epsilon", 1e-5), true, call.reals(1), call.reals(2)},
        [&](std::size_t row, std::size_t i) {
            const std::size_t group = row % static_cast<std::size_t>(groups);
            return perGroup
                       ? group
                       : group * static_cast<std::size_t>(channels) + i / static_cast<std::size_t>(s.inner);
        }));
}

RealAnswer batchNorm(const RealCall& call) {
    const Shape& shape = call.in[0].shape;
    for (std::size_t i = 1; i < 5; ++i)
        if (!call.real(i) || shape.size() < 2 || static_cast<std::int64_t>(call.reals(i).size()) != shape[1])
            return std::nullopt;
    const AxisSplit s = splitAt(shape, 1);
    const double epsilon = call.op.floatAttribute("epsilon", 1e-5);
    Fresh<float> out(DataType::F32, shape);
    const auto in = call.reals(0);
    for (std::size_t i = 0; i < in.size(); ++i) {
        const std::size_t c = i / static_cast<std::size_t>(s.inner) % static_cast<std::size_t>(s.extent);
        const double scale = static_cast<double>(call.reals(1)[c]) /
                             std::sqrt(static_cast<double>(call.reals(4)[c]) + epsilon);
        out.data[i] =
            static_cast<float>((static_cast<double>(in[i]) - static_cast<double>(call.reals(3)[c])) * scale +
                               static_cast<double>(call.reals(2)[c]));
    }
    return single(out.value);
}

} // namespace

RealAnswer runNormalization(const RealCall& call) {
    const Op& op = call.op;
    if (!call.real(0))
        return std::nullopt;
    if ((op.domain == "pim" && op.type == "LayerNorm") ||
        (op.domain.empty() && op.type == "LayerNormalization"))
        return layerNorm(call, true);
    if ((op.domain == "pim" && op.type == "RmsNorm") ||
        (op.domain.empty() && (op.type == "RMSNormalization" || op.type == "SimplifiedLayerNormalization")))
        return layerNorm(call, false);
    if (!op.domain.empty())
        return std::nullopt;
    if (op.type == "BatchNormalization")
        return batchNorm(call);
    if (op.type == "InstanceNormalization" && call.in[0].shape.size() >= 2)
        return groupNorm(call, call.in[0].shape[1]);
    if (op.type == "GroupNormalization")
        return groupNorm(call, op.intAttribute("num_groups", 1));
    return std::nullopt;
}

RealAnswer runReduction(const RealCall& call) {
    const Op& op = call.op;
    if (!op.domain.empty() || !call.has(0))
        return std::nullopt;
    if (op.type == "ArgMax" || op.type == "ArgMin")
        return argReduce(call);
    if (op.type.starts_with("Reduce"))
        return reduce(call);
    if (!call.real(0))
        return std::nullopt;
    if (op.type == "Softmax" || op.type == "LogSoftmax")
        return softmax(call);
    if (op.type == "Hardmax")
        return hardmax(call);
    if (op.type.starts_with("Global"))
        return globalPool(call);
    if (op.type == "LpNormalization")
        return lpNormalization(call);
    return std::nullopt;
}

} // namespace pim::numeric
