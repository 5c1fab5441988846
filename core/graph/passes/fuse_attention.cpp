// SPDX-License-Identifier: GPL-3.0-or-later
// softmax(scale * q k^T + mask) v -> Attention (Vaswani et al. 2017, eq. 1). Inputs of the new op: q, k, v [,
// mask].
#include "core/graph/passes/passes.h"
#include "core/graph/passes/rewriter.h"

namespace pim {

namespace {

struct Match {
    const Op* scores = nullptr; ///< MatMul of q and k^T
    double scale = 1;
    TensorId mask;
    bool maskSelects = false; ///< A Where on the scores instead of an Add.
    std::vector<const Op*> parts;
};

/// Steps over a multiplication or division by a constant number. \returns what is scaled; invalid if it is
/// none.
TensorId unscaled(const Rewriter& rewriter, TensorId id, double& scale, std::vector<const Op*>& parts) {
    if (!rewriter.onlyUser(id).valid())
        return TensorId();
    if (const Op* div = rewriter.producer(id, "Div")) {
        const auto by = rewriter.scalar(div->inputs[1]);
        if (!by || *by == 0)
            return TensorId();
        scale /= *by;
        parts.push_back(div);
        return div->inputs[0];
    }
    const Op* mul = rewriter.producer(id, "Mul");
    for (std::size_t side = 0; mul && side < 2; ++side)
        if (const auto by = rewriter.scalar(mul->inputs[side])) {
            scale *= *by;
            parts.push_back(mul);
            return mul->inputs[1 - side];
        }
    return TensorId();
}

/// From the input of the softmax back to the product of q and k^T, through scale, mask and casts in any
/// order.
std::optional<Match> matchScores(const Rewriter& rewriter, TensorId at, Match match, int depth) {
    if (depth > 6 || !rewriter.onlyUser(at).valid())
        return std::nullopt;
    if (const Op* product = rewriter.producer(at, "MatMul")) {
        match.scores = product;
        match.parts.push_back(product);
        return match;
    }
    Match next = match;
    if (const TensorId in = unscaled(rewriter, at, next.scale, next.parts); in.valid())
        return matchScores(rewriter, in, next, depth + 1);
    if (const Op* cast = rewriter.producer(at, "Cast")) {
        next.parts.push_back(cast);
        return matchScores(rewriter, cast->inputs[0], next, depth + 1);
    }
    const Op* add = match.mask.valid() ? nullptr : rewriter.producer(at, "Add");
    for (std::size_t side = 0; add && side < 2; ++side) {
        Match masked = match;
        masked.mask = add->inputs[1 - side];
        masked.parts.push_back(add);
        if (auto found = matchScores(rewriter, add->inputs[side], masked, depth + 1))
            return found;
    }
    const Op* select = match.mask.valid() ? nullptr : rewriter.producer(at, "Where");
    for (std::size_t side = 1; select && side < 3; ++side) {
        if (!rewriter.scalar(select->inputs[3 - side]))
            continue;
        Match masked = match;
        masked.mask = select->inputs[0];
        masked.maskSelects = true;
        masked.parts.push_back(select);
        if (auto found = matchScores(rewriter, select->inputs[side], masked, depth + 1))
            return found;
    }
    return std::nullopt;
}

/// Does the Transpose exchange the last two axes and nothing else?
bool swapsLastTwo(const Op& transpose, std::size_t rank) {
    const auto order = transpose.intsAttribute("perm", {});
    if (order.size() != rank || rank < 2)
        return false;
    for (std::size_t i = 0; i < rank; ++i) {
        const std::size_t expected = i + 2 < rank ? i : i + 2 == rank ? rank - 1 : rank - 2;
        if (order[i] != static_cast<std::int64_t>(expected))
            return false;
    }
    return true;
}

} // namespace

int fuseAttention(Graph& graph, const FuseAttentionOptions& options) {
    Rewriter rewriter(graph);
    int changes = 0;
    for (std::size_t i = 0; i < rewriter.size(); ++i) {
        const Op& softmax = graph.ops[i];
        if (softmax.type != "Softmax" || !softmax.domain.empty() ||
            !rewriter.isAlive(OpId(static_cast<std::int64_t>(i))))
            continue;
        const Shape* scoreShape = rewriter.shape(softmax.inputs[0]);
        if (!scoreShape || scoreShape->size() < 2)
            continue;
        const auto rank = static_cast<std::int64_t>(scoreShape->size());
        const std::int64_t axis = softmax.intAttribute("axis", -1);
        if (axis != -1 && axis != rank - 1)
            continue;
        auto match = matchScores(rewriter, softmax.inputs[0], Match{}, 0);
        if (!match || (match->mask.valid() && !options.withMask))
            continue;
        match->parts.push_back(&softmax);
        TensorId weights = softmax.outputs[0];
        if (const Op* cast = rewriter.onlyUser(weights, "Cast")) {
            match->parts.push_back(cast);
            weights = cast->outputs[0];
        }
        const Op* context = rewriter.onlyUser(weights, "MatMul");
        if (!context || context->inputs[0] != weights || context->inputs[1] == weights)
            continue;
        match->parts.push_back(context);

        TensorId q = match->scores->inputs[0], k = match->scores->inputs[1];
        const TensorId v = context->inputs[1];
        if (const TensorId in = unscaled(rewriter, q, match->scale, match->parts); in.valid())
            q = in;
        if (const TensorId in = unscaled(rewriter, k, match->scale, match->parts); in.valid())
            k = in;
        bool transposed = true; // as MatMul takes it: [.., head_dim, kv_len]
        if (const Op* transpose = rewriter.producer(k, "Transpose");
            transpose && rewriter.onlyUser(k).valid() && swapsLastTwo(*transpose, scoreShape->size())) {
            k = transpose->inputs[0];
            transposed = false;
            match->parts.push_back(transpose);
            if (const TensorId in = unscaled(rewriter, k, match->scale, match->parts); in.valid())
                k = in;
        }
        const Shape *qs = rewriter.shape(q), *ks = rewriter.shape(k), *vs = rewriter.shape(v);
        const auto n = scoreShape->size();
        if (!qs || !ks || !vs || qs->size() != n || ks->size() != n || vs->size() != n)
            continue;
        const Shape leading(qs->begin(), qs->end() - 2);
        const std::int64_t queries = (*qs)[n - 2], headDim = (*qs)[n - 1];
        const std::int64_t keys = (*ks)[transposed ? n - 1 : n - 2];
        if (Shape(ks->begin(), ks->end() - 2) != leading || Shape(vs->begin(), vs->end() - 2) != leading ||
            (*ks)[transposed ? n - 2 : n - 1] != headDim || (*vs)[n - 2] != keys ||
            (*scoreShape)[n - 2] != queries)
            continue; // operands that are broadcast stay as they are
        Op attention;
        attention.type = "Attention";
        attention.domain = "pim";
        attention.inputs = {q, k, v};
        if (match->mask.valid())
            attention.inputs.push_back(match->mask);
        attention.attributes = {{"heads", leading.empty() ? std::int64_t(1) : leading.back()},
                                {"head_dim", headDim},
                                {"v_dim", vs->back()},
                                {"q_len", queries},
                                {"kv_len", keys},
                                {"scale", match->scale},
                                {"k_transposed", std::int64_t(transposed)}};
        if (match->mask.valid())
            attention.attributes["mask"] = std::string(match->maskSelects ? "select" : "add");
        rewriter.fuse(std::move(attention), match->parts);
        ++changes;
    }
    rewriter.commit();
    return changes;
}

} // namespace pim
