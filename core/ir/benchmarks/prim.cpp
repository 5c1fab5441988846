// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/benchmarks/programs.h"

#include "core/ir/slices.h"

#include <algorithm>

namespace pim::ir {

namespace {

Type one() {
    return Type::scalar(Scalar::I32);
}

void vaTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32(s), i32(s)};
    out = {i32(s)};
}
std::vector<ValueId> vaBody(Builder& to, const Shape& s, ValueId first) {
    return {to.value("cinm.add", {first, after(first, 1)}, i32(s))};
}
Inputs vaReference(const Shape&, const Inputs& in) {
    Numbers out(in[0].size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = wrap(in[0][i] + in[1][i]);
    return {out};
}

void redTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32(s)};
    out = {i32({})};
}
std::vector<ValueId> redBody(Builder& to, const Shape&, ValueId first) {
    return {to.value("cinm.reduce", {first}, i32({}), {{"op", text("add")}})};
}
Inputs redReference(const Shape&, const Inputs& in) {
    std::int64_t sum = 0;
    for (const std::int64_t value : in[0])
        sum += value;
    return {{wrap(sum)}};
}

constexpr std::int64_t kDepth = 12; ///< Bits of a pixel, as in PrIM's HST.

void hstTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0]})};
    out = {i32({s[1]})};
}
std::vector<ValueId> hstBody(Builder& to, const Shape& s, ValueId first) {
    return {to.value("cinm.histogram", {first}, i32({s[1]}), {{"depth", integer(kDepth)}})};
}
Inputs hstReference(const Shape& s, const Inputs& in) {
    Numbers bins(at(s[1]));
    for (const std::int64_t value : in[0])
        ++bins[at(value * s[1] >> kDepth)];
    return {bins};
}

/// Even elements, packed to the front, and how many there are.
void selTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32(s)};
    out = {i32(s), one()};
}
std::vector<ValueId> selBody(Builder& to, const Shape& s, ValueId first) {
    const ValueId unity = to.constant(one(), 1), none = to.constant(i32(s), 0);
    const ValueId odd = to.value("cinm.and", {first, unity}, i32(s));
    const ValueId kept = to.value("cinm.xor", {odd, unity}, i32(s));
    const ValueId places =
        to.value("cinm.scan", {kept}, i32(s), {{"dimension", integer(0)}, {"op", text("add")}});
    const auto loop = to.beginFor(s[0], 1, {&none, 1});
    const ValueId flag = to.value("tensor.extract", {kept, loop.variable}, one());
    const ValueId keep = to.value("arith.trunci", {flag}, Type::scalar(Scalar::I1));
    const Type type = i32(s);
    const OperationId choice = to.create("scf.if", {&keep, 1}, {&type, 1}, {}, 2);
    to.enter(choice, 0, {});
    const ValueId element = to.value("tensor.extract", {first, loop.variable}, one());
    const ValueId place = to.value("tensor.extract", {places, loop.variable}, one());
    const ValueId before = to.value("arith.subi", {place, unity}, one());
    const ValueId index = to.value("arith.index_cast", {before}, Type::index());
    const ValueId packed = to.value("tensor.insert", {element, loop.carried, index}, type);
    to.create("scf.yield", {&packed, 1}, {});
    to.leave();
    to.enter(choice, 1, {});
    to.create("scf.yield", {&loop.carried, 1}, {});
    to.leave();
    const ValueId chosen = to.result(choice);
    const ValueId all = to.endFor(loop, {&chosen, 1});
    const ValueId last = to.constantIndex(s[0] - 1);
    return {all, to.value("tensor.extract", {places, last}, one())};
}
Inputs selReference(const Shape& s, const Inputs& in) {
    Numbers kept;
    std::ranges::copy_if(in[0], std::back_inserter(kept), [](std::int64_t v) { return v % 2 == 0; });
    const auto count = static_cast<std::int64_t>(kept.size());
    kept.resize(at(s[0]));
    return {kept, {count}};
}

/// Breadth-first search over a dense matrix of edges [to][from] (bit 0 of each element): the distance of every
/// vertex from vertex 0, -1 beyond the last level. PrIM stores edges sparsely; linear algebra has no sparse form here.
void bfsTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0], s[0]})};
    out = {i32({s[0]})};
}
std::vector<ValueId> bfsBody(Builder& to, const Shape& s, ValueId first) {
    const Type vertices = i32({s[0]});
    const ValueId unity = to.constant(one(), 1), none = to.constant(vertices, 0);
    const ValueId start = to.value("tensor.insert", {unity, none, to.constantIndex(0)}, vertices);
    const ValueId edges = to.value("cinm.and", {first, unity}, i32({s[0], s[0]}));
    const ValueId carried[] = {start, start, none}; // frontier, visited, distance
    const auto loop = to.beginFor(s[1], 1, carried);
    const ValueId frontier = loop.carried, visited = after(frontier, 1), distance = after(frontier, 2);
    const ValueId reached = to.value("cinm.gemv", {edges, frontier}, vertices);
    const ValueId once = to.value("cinm.min", {reached, unity}, vertices);
    const ValueId open = to.value("cinm.xor", {visited, unity}, vertices);
    const ValueId next = to.value("cinm.and", {once, open}, vertices);
    const ValueId seen = to.value("cinm.or", {visited, next}, vertices);
    const ValueId level =
        to.value("arith.addi", {to.value("arith.index_cast", {loop.variable}, one()), unity}, one());
    const ValueId step = to.value("cinm.mul", {next, level}, vertices);
    const ValueId further[] = {next, seen, to.value("cinm.add", {distance, step}, vertices)};
    const ValueId last = to.endFor(loop, further);
    const ValueId far = to.value("cinm.xor", {after(last, 1), unity}, vertices);
    return {to.value("cinm.sub", {after(last, 2), far}, vertices)};
}
Inputs bfsReference(const Shape& s, const Inputs& in) {
    Numbers distance(at(s[0]), -1), frontier{0};
    distance[0] = 0;
    for (std::int64_t level = 1; level <= s[1]; ++level) {
        Numbers next;
        for (const std::int64_t from : frontier)
            for (std::int64_t to = 0; to < s[0]; ++to)
                if (distance[at(to)] < 0 && in[0][at(to * s[0] + from)] & 1) {
                    distance[at(to)] = level;
                    next.push_back(to);
                }
        frontier = next;
    }
    return {distance};
}

/// The window of a series nearest to a query: its squared distance and where it begins.
void tsTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0]}), i32({s[1]})};
    out = {i32({1}), i32({1})};
}
std::vector<ValueId> tsBody(Builder& to, const Shape& s, ValueId first) {
    const std::int64_t windows = s[0] - s[1] + 1;
    const Type type = i32({windows});
    const ValueId none = to.constant(type, 0);
    const auto loop = to.beginFor(s[1], 1, {&none, 1});
    const ValueId part = extractSlice(to, first, {loop.variable}, {windows});
    const ValueId wanted = to.value("tensor.extract", {after(first, 1), loop.variable}, one());
    const ValueId difference = to.value("cinm.sub", {part, wanted}, type);
    const ValueId square = to.value("cinm.mul", {difference, difference}, type);
    const ValueId sum =
        to.value("cinm.sub", {loop.carried, square}, type); // negative: the largest is the nearest
    const ValueId all = to.endFor(loop, {&sum, 1});
    const Type single[] = {i32({1}), i32({1})};
    const OperationId best = to.create("cinm.topk", {&all, 1}, single);
    const ValueId minus = to.constant(one(), -1);
    return {to.value("cinm.mul", {to.result(best), minus}, i32({1})), to.result(best, 1)};
}
Inputs tsReference(const Shape& s, const Inputs& in) {
    std::int64_t best = -1, where = 0;
    for (std::int64_t w = 0; w + s[1] <= s[0]; ++w) {
        std::int64_t distance = 0;
        for (std::int64_t j = 0; j < s[1]; ++j) {
            const std::int64_t difference = in[0][at(w + j)] - in[1][at(j)];
            distance += difference * difference;
        }
        if (best < 0 || distance < best) {
            best = distance;
            where = w;
        }
    }
    return {{best}, {where}};
}

} // namespace

std::vector<Benchmark> primBenchmarks() {
    return {
        {"va", "Sum of two vectors [n].", {16777216}, {1003}, vaTypes, vaBody, vaReference},
        {"sel",
         "Even elements of a vector [n], packed to the front, and how many there are.",
         {3932160},
         {1003},
         selTypes,
         selBody,
         selReference},
        {"bfs",
         "Breadth-first search over a dense graph of n vertices, up to a number of levels.",
         {1024, 16},
         {61, 9},
         bfsTypes,
         bfsBody,
         bfsReference,
         -1,
         0},
        {"hst-l",
         "Histogram of pixels [n] of 12 bits over some bins.",
         {1572864, 256},
         {1003, 37},
         hstTypes,
         hstBody,
         hstReference,
         0,
         (1 << kDepth) - 1},
        {"red", "Sum of a vector [n].", {6553600}, {1003}, redTypes, redBody, redReference},
        {"ts",
         "Window of a series [n] nearest to a query [m].",
         {524288, 256},
         {503, 17},
         tsTypes,
         tsBody,
         tsReference},
    };
}

} // namespace pim::ir
