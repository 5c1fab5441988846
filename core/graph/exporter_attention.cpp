// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/exporter_attention.h"

#include <cmath>

namespace pim {
namespace {

using Written = std::optional<file::RawFunction>;

/// What the scores of one attention look like.
struct Attending {
    std::int64_t batch = 0, queries = 0, behind = 0, keys = 0, heads = 0, shared = 1, headDim = 0;
    double scale = 0; ///< 0: 1 / sqrt(headDim).
    double softcap = 0;
    bool isCausal = false;
    std::int64_t window = -1; ///< Keys a query looks back on, itself included; -1: all.
    DataType type = DataType::Unknown;
    bool isSmooth =
        false; ///< The softmax has one more score that counts and takes nothing: 0, or of each head what \ref sinks says.
    ValueName sinks;              ///< [H]
    std::vector<ValueName> masks; ///< Added to scores [B, H, S, T], or to what is broadcast to that.
};

/// [S, T], 0 where query i, which comes after what the cache has, looks at key j, else far below all scores.
ValueName causalMask(FunctionWriter& w, const Attending& a) {
    const ValueName rows = w.unsqueeze(w.range(a.behind, a.behind + a.queries), {1}),
                    columns = w.unsqueeze(w.range(0, a.keys), {0});
    ValueName seen = w.op("LessOrEqual", {columns, rows});
    if (a.window > 0)
        seen =
            w.op("And",
                 {seen, w.op("Less", {rows, w.op("Add", {columns, w.ints({std::min(a.window, a.keys)})})})});
    return w.op("Where", {seen, w.scalar(0, a.type), w.scalar(-65504, a.type)});
}

/// Along the keys of scores [B, H, S, T].
ValueName probabilities(FunctionWriter& w, const Attending& a, ValueName scores) {
    const auto softmax = [&w](const ValueName& x) {
        return w.op("Softmax", {x}, {{"axis", std::int64_t(-1)}});
    };
    if (!a.isSmooth)
        return softmax(scores);
    const Shape each{a.batch, a.heads, a.queries, 1};
    const ValueName sink = a.sinks.empty() ? w.scalar(0, a.type) : w.unsqueeze(a.sinks, {1, 2});
    ValueName sinks = w.op("Expand", {sink, w.ints(each)});
    if (a.shared > 1)
        sinks = w.reshape(sinks, {a.batch, a.heads / a.shared, a.shared * a.queries, 1});
    return w.slice(softmax(w.concat({scores, sinks}, 3)), 0, a.keys, 3);
}

/// From q [B, H, S, D], k and v [B, H/G, T, D] to [B, H, S, Dv].
ValueName attended(FunctionWriter& w, const Attending& a, ValueName q, const ValueName& k, const ValueName& v,
                   std::int64_t vDim) {
    const std::int64_t groups = a.heads / a.shared;
    const bool gathers = a.shared > 1;
    if (gathers)
        q = w.reshape(q, {a.batch, groups, a.shared * a.queries, a.headDim});
    ValueName scores = w.op("MatMul", {q, w.transpose(k, {0, 1, 3, 2})});
    scores = w.scaled(scores, a.scale != 0 ? a.scale : 1 / std::sqrt(static_cast<double>(a.headDim)), a.type);
    if (a.softcap > 0)
        scores = w.scaled(w.op("Tanh", {w.scaled(scores, 1 / a.softcap, a.type)}), a.softcap, a.type);
    std::vector<ValueName> masks = a.masks;
    if ((a.isCausal && (a.queries > 1 || a.behind + 1 < a.keys)) || (a.window > 0 && a.window < a.keys))
        masks.push_back(causalMask(w, a));
    for (ValueName mask : masks) {
        if (gathers) // one for every head of a group
            mask = w.reshape(w.op("Expand", {mask, w.ints({a.batch, a.heads, a.queries, a.keys})}),
                             {a.batch, groups, a.shared * a.queries, a.keys});
        scores = w.op("Add", {scores, mask});
    }
    ValueName result = w.op("MatMul", {probabilities(w, a, scores), v});
    return gathers ? w.reshape(result, {a.batch, a.heads, a.queries, vDim}) : result;
}

/// [B, S, H*D] to [B, H, S, D].
ValueName byHead(FunctionWriter& w, const ValueName& x, std::int64_t heads) {
    return w.transpose(w.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}
/// And back.
ValueName sideBySide(FunctionWriter& w, const ValueName& x, std::int64_t length) {
    return w.reshape(w.transpose(x, {0, 2, 1, 3}), {0, 0, length});
}

/// \param x [B, S, H, D]; \p cosines, \p sines [.., S, 1, R/2].
ValueName rotated(FunctionWriter& w, const ValueName& x, const ValueName& cosines, const ValueName& sines,
                  std::int64_t headDim, std::int64_t rotaryDim, bool isInterleaved) {
    const ValueName turned = rotaryDim < headDim ? w.slice(x, 0, rotaryDim, 3) : x;
    const std::int64_t half = rotaryDim / 2;
    const ValueName a = isInterleaved ? w.slice(turned, 0, rotaryDim, 3, 2) : w.slice(turned, 0, half, 3),
                    b = isInterleaved ? w.slice(turned, 1, rotaryDim, 3, 2)
                                      : w.slice(turned, half, rotaryDim, 3);
    const ValueName real = w.op("Sub", {w.op("Mul", {a, cosines}), w.op("Mul", {b, sines})}),
                    imaginary = w.op("Add", {w.op("Mul", {a, sines}), w.op("Mul", {b, cosines})});
    ValueName result = isInterleaved
                           ? w.reshape(w.concat({w.unsqueeze(real, {4}), w.unsqueeze(imaginary, {4})}, 4),
                                       {0, 0, 0, rotaryDim})
                           : w.concat({real, imaginary}, 3);
    if (rotaryDim < headDim)
        result = w.concat({result, w.slice(x, rotaryDim, headDim, 3)}, 3);
    return result;
}

/// X [B, S, H*D] or [B, H, S, D]; caches [positions, R/2], or [B, S, R/2] where \p places is empty.
Written rotary(FunctionWriter w, std::size_t cosCache, std::size_t sinCache, const ValueName& places,
               bool oneStart) {
    const Shape *x = w.shape(0), *cache = w.shape(cosCache);
    if (!x || !cache || (x->size() != 3 && x->size() != 4) || cache->empty())
        return std::nullopt;
    const bool byHeads = x->size() == 4;
    std::int64_t rotaryDim = w.integer("rotary_embedding_dim", 0), heads = w.count("num_heads");
    const std::int64_t queries = (*x)[byHeads ? 2 : 1];
    if (rotaryDim == 0)
        rotaryDim = 2 * cache->back();
    if (!byHeads && heads == 0 && rotaryDim > 0) // as long as the caches say
        heads = x->back() / rotaryDim;
    const std::int64_t headDim = byHeads ? x->back() : heads > 0 ? x->back() / heads : 0;
    if (headDim < 2 || rotaryDim < 2 || rotaryDim > headDim || rotaryDim % 2 != 0 ||
        w.integer("is_packed_batching", 0) != 0)
        return std::nullopt;
    const ValueName lines =
        byHeads ? w.transpose(w.input(0), {0, 2, 1, 3}) : w.reshape(w.input(0), {0, 0, heads, headDim});
    const auto turns = [&](std::size_t cacheInput) {
        ValueName values = w.input(cacheInput);
        if (!places.empty()) {
            ValueName at = places;
            if (oneStart) // the first place of a sequence
                at = w.op("Add", {at, w.range(0, queries)});
            values = w.op("Gather", {values, at});
        }
        return w.unsqueeze(values, {-2});
    };
    const ValueName result = rotated(w, lines, turns(cosCache), turns(sinCache), headDim, rotaryDim,
                                     w.integer("interleaved", 0) != 0);
    w.setOutput(0, byHeads ? w.transpose(result, {0, 2, 1, 3}) : w.reshape(result, {0, 0, heads * headDim}));
    return w.take();
}

/// Present keys or values: what the cache has, then what is new.
ValueName withPast(FunctionWriter& w, std::size_t past, const ValueName& fresh) {
    return w.has(past) && (!w.shape(past) || elementCount(*w.shape(past)).value_or(1) > 0)
               ? w.concat({w.input(past), fresh}, 2)
               : fresh;
}

/// Scores where a number of [B, T] is not 1 count for nothing: [B, 1, 1, T] to add.
ValueName paddingMask(FunctionWriter& w, const ValueName& keep, DataType type, double filter) {
    const ValueName seen = w.op("Cast", {keep}, {{"to", file::onnxFromDataType(DataType::Bool)}});
    return w.unsqueeze(w.op("Where", {seen, w.scalar(0, type), w.scalar(filter, type)}), {1, 2});
}

} // namespace

Written rotaryOfMicrosoft(FunctionWriter w) {
    const ValueName places = w.input(1);
    const Shape* shape = w.shape(1);
    if (!shape || w.real("scale", 1) != 1)
        return std::nullopt;
    const bool oneStart = shape->size() == 1;
    return rotary(std::move(w), 2, 3, places, oneStart);
}

Written rotaryOfOpset23(FunctionWriter w) {
    const ValueName places = w.input(3);
    return rotary(std::move(w), 1, 2, places, false);
}

Written groupQueryAttention(FunctionWriter w) {
    const Shape *q = w.shape(0), *past = w.shape(3);
    const std::int64_t heads = w.count("num_heads"), groups = w.count("kv_num_heads");
    if (!q || q->size() != 3 || heads < 1 || groups < 1 || heads % groups != 0 || w.has(1) != w.has(2))
        return std::nullopt;
    if ((w.has(3) && (!past || past->size() != 4)) || w.has(12) || w.has(13) || // a quantised cache
        (w.has(11) && (!w.shape(11) || *w.shape(11) != Shape{heads})))
        return std::nullopt;
    const bool packed = !w.has(1);
    const std::int64_t headDim = q->back() / (packed ? heads + 2 * groups : heads),
                       behind = past ? (*past)[2] : 0;
    if (headDim < 1)
        return std::nullopt;
    Attending a{.batch = (*q)[0],
                .queries = (*q)[1],
                .behind = behind,
                .keys = behind + (*q)[1],
                .heads = heads,
                .shared = heads / groups,
                .headDim = headDim};
    a.scale = w.real("scale", 0);
    a.softcap = w.real("softcap", 0);
    a.isCausal = true;
    a.window = w.integer("local_window_size", -1);
    a.isSmooth = w.has(11) || w.integer("smooth_softmax", 0) == 1;
    a.sinks = w.input(11);
    a.type = w.dtype(0);
    const std::int64_t qLength = heads * headDim, kvLength = groups * headDim;
    std::array<ValueName, 3> lines{w.input(0), w.input(1), w.input(2)}; // [B, S, H, D] each
    if (packed)
        lines = {w.slice(w.input(0), 0, qLength, 2), w.slice(w.input(0), qLength, qLength + kvLength, 2),
                 w.slice(w.input(0), qLength + kvLength, qLength + 2 * kvLength, 2)};
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i] = w.reshape(lines[i], {0, 0, i == 0 ? heads : groups, headDim});
    if (w.integer("do_rotary", 0) != 0) {
        const Shape* cache = w.shape(7);
        if (!cache || cache->size() != 2 || !w.has(8))
            return std::nullopt;
        const auto turns = [&](std::size_t input) {
            return w.unsqueeze(w.has(9) ? w.op("Gather", {w.input(input), w.input(9)})
                                        : w.slice(w.input(input), behind, behind + a.queries, 0),
                               {-2});
        };
        const ValueName cosines = turns(7), sines = turns(8);
        const std::int64_t rotaryDim = std::min(2 * cache->back(), headDim);
        for (std::size_t i = 0; i < 2; ++i)
            lines[i] = rotated(w, lines[i], cosines, sines, headDim, rotaryDim,
                               w.integer("rotary_interleaved", 0) != 0);
    }
    for (ValueName& each : lines)
        each = w.transpose(each, {0, 2, 1, 3});
    if (w.has(10))
        a.masks.push_back(w.input(10));
    const ValueName k = withPast(w, 3, lines[1]), v = withPast(w, 4, lines[2]);
    w.setOutput(0, sideBySide(w, attended(w, a, lines[0], k, v, headDim), qLength));
    w.setOutput(1, k);
    w.setOutput(2, v);
    return w.take();
}

Written multiHeadAttention(FunctionWriter w) {
    const Shape *q = w.shape(0), *key = w.shape(1), *value = w.shape(2);
    const std::int64_t heads = w.count("num_heads");
    if (!q || q->size() != 3 || heads < 1 || !key || !value || key->size() != value->size() ||
        (key->size() != 3 && key->size() != 4) || (w.has(6) && w.rank(6) != 4) || w.has(8) ||
        w.has(9)) // a cache that is changed in place
        return std::nullopt;
    if (q->back() < heads)
        return std::nullopt;
    const bool keysByHead = key->size() == 4; // [B, H, T, D], of another attention
    const std::int64_t length = q->back(), valueLength = keysByHead ? heads * value->back() : value->back();
    Attending a{.batch = (*q)[0], .queries = (*q)[1], .heads = heads, .headDim = length / heads};
    a.behind = w.has(6) ? (*w.shape(6))[2] : 0;
    a.keys = a.behind + (*key)[keysByHead ? 2 : 1];
    a.scale = w.real("scale", 0);
    a.isCausal = w.integer("unidirectional", 0) != 0;
    if (a.isCausal && a.keys != a.behind + a.queries)
        return std::nullopt; // which key a query of another length stands at is not said
    a.type = w.dtype(0);
    std::array<ValueName, 3> lines{w.input(0), w.input(1), w.input(2)};
    if (w.has(3)) {
        const std::array<std::int64_t, 4> ends{0, length, 2 * length, 2 * length + valueLength};
        for (std::size_t i = 0; i < (keysByHead ? 1U : 3U); ++i)
            lines[i] = w.op("Add", {lines[i], w.slice(w.input(3), ends[i], ends[i + 1], 0)});
    }
    for (std::size_t i = 0; i < 3; ++i)
        if (i == 0 || !keysByHead)
            lines[i] = byHead(w, lines[i], heads);
    if (w.has(4)) {
        if (w.rank(4) != 2)
            return std::nullopt;
        a.masks.push_back(paddingMask(w, w.input(4), a.type, w.real("mask_filter_value", -10000)));
    }
    if (w.has(5))
        a.masks.push_back(w.input(5));
    const ValueName k = withPast(w, 6, lines[1]), v = withPast(w, 7, lines[2]);
    w.setOutput(0, sideBySide(w, attended(w, a, lines[0], k, v, valueLength / heads), valueLength));
    w.setOutput(1, k);
    w.setOutput(2, v);
    return w.take();
}

Written packedAttention(FunctionWriter w) {
    const Shape *x = w.shape(0), *weights = w.shape(1);
    const std::int64_t heads = w.count("num_heads");
    const auto* sizes = w.node().attribute("qkv_hidden_sizes");
    if (!x || x->size() != 3 || !weights || weights->size() != 2 || weights->back() % 3 != 0 || heads < 1 ||
        sizes || (w.has(4) && w.rank(4) != 5) || w.has(6) || w.integer("do_rotary", 0) != 0 ||
        weights->back() / 3 % heads != 0 || weights->back() < 3)
        return std::nullopt;
    const std::int64_t length = weights->back() / 3;
    const std::int64_t behind = w.has(4) ? (*w.shape(4))[3] : 0; // of [2, B, H, P, D], keys and values
    Attending a{.batch = (*x)[0],
                .queries = (*x)[1],
                .behind = behind,
                .keys = behind + (*x)[1],
                .heads = heads,
                .headDim = length / heads};
    a.scale = w.real("scale", 0);
    a.isCausal = w.integer("unidirectional", 0) != 0;
    a.type = w.dtype(0);
    ValueName all = w.op("MatMul", {w.input(0), w.input(1)});
    if (w.has(2))
        all = w.op("Add", {all, w.input(2)});
    std::array<ValueName, 3> lines;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto at = static_cast<std::int64_t>(i) * length;
        lines[i] = byHead(w, w.slice(all, at, at + length, 2), heads);
    }
    const double filter = w.real("mask_filter_value", -10000);
    if (w.has(3) && w.rank(3) == 2) {
        a.masks.push_back(paddingMask(w, w.input(3), a.type, filter));
    } else if (w.has(3) && w.rank(3) == 1 &&
               w.shape(3)->front() == a.batch) { // how many keys of each are none of padding
        const ValueName lengths =
            w.unsqueeze(w.op("Cast", {w.input(3)}, {{"to", file::onnxFromDataType(DataType::I64)}}), {1});
        a.masks.push_back(
            paddingMask(w, w.op("Less", {w.unsqueeze(w.range(0, a.keys), {0}), lengths}), a.type, filter));
    } else if (w.has(3)) {
        return std::nullopt;
    }
    if (w.has(5))
        a.masks.push_back(w.input(5));
    for (std::size_t i = 1; i < 3 && behind > 0; ++i) {
        const auto half = static_cast<std::int64_t>(i) - 1;
        const ValueName past =
            w.reshape(w.slice(w.input(4), half, half + 1, 0), {a.batch, heads, behind, -1});
        lines[i] = w.concat({past, lines[i]}, 2);
    }
    w.setOutput(0, sideBySide(w, attended(w, a, lines[0], lines[1], lines[2], a.headDim), length));
    if (w.wants(1))
        w.setOutput(1, w.concat({w.unsqueeze(lines[1], {0}), w.unsqueeze(lines[2], {0})}, 0));
    return w.take();
}

Written attentionOfOpset23(FunctionWriter w) {
    const Shape *q = w.shape(0), *key = w.shape(1), *value = w.shape(2);
    if (!q || !key || !value || (q->size() != 3 && q->size() != 4) || key->size() != q->size() ||
        value->size() != q->size() || (w.has(4) && w.rank(4) != 4) || w.wants(3))
        return std::nullopt;
    const bool byHeads = q->size() == 4;
    const std::int64_t heads = byHeads ? (*q)[1] : w.count("q_num_heads"),
                       groups = byHeads ? (*key)[1] : w.count("kv_num_heads");
    if (heads < 1 || groups < 1 || heads % groups != 0)
        return std::nullopt;
    const std::int64_t headDim = byHeads ? q->back() : q->back() / heads,
                       vDim = byHeads ? value->back() : value->back() / groups;
    if (headDim < 1 || vDim < 1)
        return std::nullopt;
    Attending a{.batch = (*q)[0],
                .queries = (*q)[byHeads ? 2 : 1],
                .heads = heads,
                .shared = heads / groups,
                .headDim = headDim};
    a.behind = w.has(4) ? (*w.shape(4))[2] : 0;
    a.keys = a.behind + (*key)[byHeads ? 2 : 1];
    a.scale = w.real("scale", 0);
    a.softcap = w.real("softcap", 0);
    a.isCausal = w.integer("is_causal", 0) != 0;
    a.type = w.dtype(0);
    std::array<ValueName, 3> lines{w.input(0), w.input(1), w.input(2)};
    for (std::size_t i = 0; i < 3; ++i)
        if (!byHeads)
            lines[i] = byHead(w, lines[i], i == 0 ? heads : groups);
    if (w.has(3))
        a.masks.push_back(w.dtype(3) == DataType::Bool
                              ? w.op("Where", {w.input(3), w.scalar(0, a.type), w.scalar(-65504, a.type)})
                              : w.input(3));
    const ValueName k = withPast(w, 4, lines[1]), v = withPast(w, 5, lines[2]);
    const ValueName result = attended(w, a, lines[0], k, v, vDim);
    w.setOutput(0, byHeads ? result : sideBySide(w, result, heads * vDim));
    w.setOutput(1, k);
    w.setOutput(2, v);
    return w.take();
}

} // namespace pim
