// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/shape_rules.h"

#include "core/graph/semantics/einsum.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::shapes {

namespace {

R product(OpContext& c, const Shape* left, const Shape* right, DataType type) {
    c.setType(0, type);
    if (!left || !right)
        return {};
    if (left->empty() || right->empty())
        return c.bad(fmt::format("it multiplies {} by {}; each needs at least one dimension",
                                 shapeText(*left), shapeText(*right)));
    // A vector is a matrix of one row on the left and of one column on the right; that extent goes away
    // again.
    Shape a = *left, b = *right;
    const bool rowAdded = a.size() == 1, columnAdded = b.size() == 1;
    if (rowAdded)
        a.insert(a.begin(), 1);
    if (columnAdded)
        b.push_back(1);
    if (a.back() != b[b.size() - 2])
        return c.bad(fmt::format("it multiplies {} by {}; the inner extents {} and {} differ",
                                 shapeText(*left), shapeText(*right), a.back(), b[b.size() - 2]),
                     "bind the dynamic dimensions to values that belong together");
    PIM_TRY(Shape result, c.broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2)));
    if (!rowAdded)
        result.push_back(a[a.size() - 2]);
    if (!columnAdded)
        result.push_back(b.back());
    return c.set(0, type, std::move(result));
}

/// Window geometry shared by convolutions and pools, over the axes behind batch and channel.
struct Window {
    std::vector<std::int64_t> kernel, strides, dilations, pads;
};

Result<Window> windowOf(const OpContext& c, std::vector<std::int64_t> kernel) {
    const std::size_t n = kernel.size();
    Window w{std::move(kernel), c.op.intsAttribute("strides", std::vector<std::int64_t>(n, 1)),
             c.op.intsAttribute("dilations", std::vector<std::int64_t>(n, 1)),
             c.op.intsAttribute("pads", std::vector<std::int64_t>(2 * n, 0))};
    if (w.strides.size() != n || w.dilations.size() != n || w.pads.size() != 2 * n)
        return c.bad(
            fmt::format("its kernel has {} dimensions, but {} strides, {} dilations and {} pads are given", n,
                        w.strides.size(), w.dilations.size(), w.pads.size()));
    const auto below = [](const std::vector<std::int64_t>& list, std::int64_t limit) {
        return std::any_of(list.begin(), list.end(),
                           [limit](std::int64_t v) { return v < limit || v > (1LL << 40); });
    };
    if (below(w.kernel, 1) || below(w.strides, 1) || below(w.dilations, 1) || below(w.pads, -(1LL << 40)))
        return c.bad(fmt::format("kernel [{}], strides [{}], dilations [{}], pads [{}]: all but pads must be "
                                 "at least 1, and none beyond 2^40",
                                 fmt::join(w.kernel, ", "), fmt::join(w.strides, ", "),
                                 fmt::join(w.dilations, ", "), fmt::join(w.pads, ", ")));
    return w;
}

Result<std::int64_t> windowOutput(const OpContext& c, const Window& w, std::size_t i, std::int64_t input) {
    const std::string autoPad = c.op.stringAttribute("auto_pad", "NOTSET");
    const Wide stride = w.strides[i];
    const Wide span = Wide(w.dilations[i]) * (w.kernel[i] - 1) + 1;
    if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER")
        return c.extent((input + stride - 1) / stride);
    const std::size_t n = w.kernel.size();
    const Wide padding = autoPad == "VALID" ? Wide(0) : Wide(w.pads[i]) + w.pads[i + n];
    const Wide room = Wide(input) + padding - span;
    if (room < 0)
        return c.bad(fmt::format("its window spans {} elements of axis {}, the padded input has {}",
                                 static_cast<std::int64_t>(span), i + 2,
                                 static_cast<std::int64_t>(input + padding)),
                     "bind the dynamic dimensions to larger values");
    Wide steps = room / stride;
    if (c.op.intAttribute("ceil_mode", 0) != 0 && room % stride != 0) {
        ++steps;
        // A window that would start in the padding behind the input is left out.
        if (steps * stride >= Wide(input) + w.pads[i])
            --steps;
    }
    return c.extent(steps + 1);
}

R convolution(OpContext& c, const Shape* x, const Shape* w, DataType type) {
    c.setType(0, type);
    if (!x || !w)
        return {};
    if (x->size() < 3 || w->size() != x->size())
        return c.bad(fmt::format("its input {} and weight {} must have the same rank, at least 3",
                                 shapeText(*x), shapeText(*w)));
    const std::int64_t groups = c.op.intAttribute("group", 1);
    if (groups < 1 || (*w)[0] % groups != 0 || Wide((*w)[1]) * groups != (*x)[1])
        return c.bad(fmt::format("its weight {} in {} groups takes {} channels, its input {} has {}",
                                 shapeText(*w), groups, shapeText(Shape{(*w)[1]}), shapeText(*x), (*x)[1]));
    PIM_TRY(const Window window, windowOf(c, std::vector<std::int64_t>(w->begin() + 2, w->end())));
    Shape result{(*x)[0], (*w)[0]};
    for (std::size_t i = 0; i + 2 < x->size(); ++i) {
        PIM_TRY(const std::int64_t extent, windowOutput(c, window, i, (*x)[i + 2]));
        result.push_back(extent);
    }
    return c.set(0, type, std::move(result));
}

} // namespace

R matMul(OpContext& c) {
    return product(c, c.shape(0), c.shape(1), c.dtype(0));
}
R matMulInteger(OpContext& c) {
    return product(c, c.shape(0), c.shape(1), DataType::I32);
}
R qlinearMatMul(OpContext& c) {
    return product(c, c.shape(0), c.shape(3), c.dtype(7));
}

R gemm(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape *a = c.shape(0), *b = c.shape(1);
    if (!a || !b)
        return {};
    if (a->size() != 2 || b->size() != 2)
        return c.bad(
            fmt::format("it multiplies {} by {}; both must be matrices", shapeText(*a), shapeText(*b)));
    const std::size_t ta = c.op.intAttribute("transA", 0) != 0, tb = c.op.intAttribute("transB", 0) != 0;
    if ((*a)[1 - ta] != (*b)[tb])
        return c.bad(fmt::format("it multiplies {} by {}; the inner extents {} and {} differ", shapeText(*a),
                                 shapeText(*b), (*a)[1 - ta], (*b)[tb]),
                     "bind the dynamic dimensions to values that belong together");
    return c.set(0, c.dtype(0), {(*a)[ta], (*b)[1 - tb]});
}

R einsum(OpContext& c) {
    c.setType(0, c.dtype(0));
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < c.inputs(); ++i) {
        if (!c.shape(i))
            return {};
        shapes.push_back(*c.shape(i));
    }
    const auto indices = EinsumIndices::of(c.op.stringAttribute("equation", ""), shapes);
    if (!indices && indices.error().code == ErrorCode::Unsupported)
        return {};
    if (!indices)
        return c.bad(indices.error().message);
    Shape result;
    for (const char index : indices->result)
        result.push_back(indices->extents.at(index));
    return c.set(0, c.dtype(0), std::move(result));
}

R conv(OpContext& c) {
    return convolution(c, c.shape(0), c.shape(1), c.dtype(0));
}
R convInteger(OpContext& c) {
    return convolution(c, c.shape(0), c.shape(1), DataType::I32);
}
R qlinearConv(OpContext& c) {
    return convolution(c, c.shape(0), c.shape(3), c.dtype(7));
}

R convTranspose(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape *x = c.shape(0), *w = c.shape(1);
    if (!x || !w)
        return {};
    const std::int64_t groups = c.op.intAttribute("group", 1);
    if (x->size() < 3 || w->size() != x->size() || (*w)[0] != (*x)[1] || groups < 1 || groups > (1 << 30))
        return c.bad(fmt::format("its weight {} does not fit its input {}", shapeText(*w), shapeText(*x)));
    const std::size_t n = x->size() - 2;
    PIM_TRY(const Window window, windowOf(c, std::vector<std::int64_t>(w->begin() + 2, w->end())));
    const auto extra = c.op.intsAttribute("output_padding", std::vector<std::int64_t>(n, 0));
    const auto given = c.op.intsAttribute("output_shape", {});
    const std::string autoPad = c.op.stringAttribute("auto_pad", "NOTSET");
    if (extra.size() != n || (!given.empty() && given.size() != n))
        return c.bad(
            fmt::format("it has {} spatial dimensions, but {} output paddings are given", n, extra.size()));
    PIM_TRY(const std::int64_t channels, c.extent(Wide((*w)[1]) * groups));
    Shape result{(*x)[0], channels};
    for (std::size_t i = 0; i < n; ++i) {
        Wide extent = 0;
        if (!given.empty())
            extent = given[i];
        else if (autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER")
            extent = Wide((*x)[i + 2]) * window.strides[i];
        else
            extent = Wide(window.strides[i]) * ((*x)[i + 2] - 1) + extra[i] +
                     Wide(window.dilations[i]) * (window.kernel[i] - 1) + 1 -
                     (autoPad == "VALID" ? Wide(0) : Wide(window.pads[i]) + window.pads[i + n]);
        PIM_TRY(const std::int64_t checked, c.extent(extent));
        result.push_back(checked);
    }
    return c.set(0, c.dtype(0), std::move(result));
}

R pool(OpContext& c) {
    c.setType(0, c.dtype(0));
    c.setType(1, DataType::I64);
    const Shape* x = c.shape(0);
    if (!x)
        return {};
    auto kernel = c.op.intsAttribute("kernel_shape", {});
    if (x->size() < 3 || kernel.size() + 2 != x->size())
        return c.bad(
            fmt::format("its kernel has {} dimensions, its input is {}", kernel.size(), shapeText(*x)));
    PIM_TRY(const Window window, windowOf(c, std::move(kernel)));
    Shape result{(*x)[0], (*x)[1]};
    for (std::size_t i = 0; i + 2 < x->size(); ++i) {
        PIM_TRY(const std::int64_t extent, windowOutput(c, window, i, (*x)[i + 2]));
        result.push_back(extent);
    }
    PIM_CHECK(c.set(0, c.dtype(0), result));
    return c.set(1, DataType::I64, std::move(result));
}

R globalPool(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape* x = c.shape(0);
    if (!x)
        return {};
    if (x->size() < 2)
        return c.bad(fmt::format("its input {} has no channel dimension", shapeText(*x)));
    Shape result = *x;
    std::fill(result.begin() + 2, result.end(), 1);
    return c.set(0, c.dtype(0), std::move(result));
}

/// LSTM, GRU, RNN: X [seq, batch, input], W [directions, gates*hidden, input], R [directions, gates*hidden,
/// hidden].
R recurrent(OpContext& c) {
    for (std::size_t i = 0; i < c.outputs(); ++i)
        c.setType(i, c.dtype(0));
    const Shape *x = c.shape(0), *r = c.shape(2);
    if (!x || !r)
        return {};
    if (x->size() != 3 || r->size() != 3)
        return c.bad(fmt::format("its input {} and recurrence weight {} must have 3 dimensions",
                                 shapeText(*x), shapeText(*r)));
    const bool batchFirst = c.op.intAttribute("layout", 0) != 0;
    const std::int64_t seq = (*x)[batchFirst ? 1 : 0], batch = (*x)[batchFirst ? 0 : 1];
    const std::int64_t directions = (*r)[0], hidden = (*r)[2];
    PIM_CHECK(
        c.set(0, c.dtype(0),
              batchFirst ? Shape{batch, seq, directions, hidden} : Shape{seq, directions, batch, hidden}));
    for (std::size_t i = 1; i < c.outputs(); ++i)
        PIM_CHECK(c.set(i, c.dtype(0),
                        batchFirst ? Shape{batch, directions, hidden} : Shape{directions, batch, hidden}));
    return {};
}

R attention(OpContext& c) {
    c.setType(0, c.dtype(0));
    const Shape *q = c.shape(0), *v = c.shape(2);
    if (!q || !v || q->size() < 2 || v->empty())
        return {};
    Shape result = *q;
    result.back() = v->back();
    return c.set(0, c.dtype(0), std::move(result));
}

R closestCentroids(OpContext& c) {
    c.setType(0, DataType::U16);
    const Shape *x = c.shape(0), *centroids = c.shape(1);
    if (!x || !centroids)
        return {};
    if (x->empty() || centroids->size() != 3 || x->back() > (*centroids)[0] * (*centroids)[2])
        return c.bad(fmt::format("rows of {} are cut into sub-vectors for codebooks of {}", shapeText(*x),
                                 shapeText(*centroids)));
    Shape result = *x;
    result.back() = centroids->front();
    return c.set(0, DataType::U16, std::move(result));
}

R lookUp(OpContext& c) {
    c.setType(0, DataType::F32);
    const Shape *table = c.shape(0), *indices = c.shape(1);
    if (!table || !indices)
        return {};
    if (indices->empty() || table->size() != 3 || indices->back() != table->front())
        return c.bad(
            fmt::format("indices {} look up in a table of {}", shapeText(*indices), shapeText(*table)));
    Shape result = *indices;
    result.back() = table->back();
    return c.set(0, DataType::F32, std::move(result));
}

} // namespace pim::shapes
