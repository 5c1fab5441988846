// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/benchmarks/programs.h"

#include "core/ir/contraction.h"
#include "core/ir/slices.h"

namespace pim::ir {

namespace {

/// [m][k] x [k][n]
Numbers multiply(const Numbers& a, const Numbers& b, std::int64_t m, std::int64_t k, std::int64_t n) {
    Numbers out(at(m * n));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            std::int64_t sum = 0;
            for (std::int64_t p = 0; p < k; ++p)
                sum += a[at(i * k + p)] * b[at(p * n + j)];
            out[at(i * n + j)] = wrap(sum);
        }
    return out;
}

// ---- matrix products: sizes m, k, n, … ----

void mvTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0], s[1]}), i32({s[1]})};
    out = {i32({s[0]})};
}
std::vector<ValueId> mvBody(Builder& to, const Shape& s, ValueId first) {
    return {to.value("cinm.gemv", {first, after(first, 1)}, i32({s[0]}))};
}
Inputs mvReference(const Shape& s, const Inputs& in) {
    return {multiply(in[0], in[1], s[0], s[1], 1)};
}

void mmTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0], s[1]}), i32({s[1], s[2]})};
    out = {i32({s[0], s[2]})};
}
std::vector<ValueId> mmBody(Builder& to, const Shape& s, ValueId first) {
    return {to.value("cinm.gemm", {first, after(first, 1)}, i32({s[0], s[2]}))};
}
Inputs mmReference(const Shape& s, const Inputs& in) {
    return {multiply(in[0], in[1], s[0], s[1], s[2])};
}

void mm2Types(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0], s[1]}), i32({s[1], s[2]}), i32({s[2], s[3]})};
    out = {i32({s[0], s[3]})};
}
std::vector<ValueId> mm2Body(Builder& to, const Shape& s, ValueId first) {
    const ValueId ab = to.value("cinm.gemm", {first, after(first, 1)}, i32({s[0], s[2]}));
    return {to.value("cinm.gemm", {ab, after(first, 2)}, i32({s[0], s[3]}))};
}
Inputs mm2Reference(const Shape& s, const Inputs& in) {
    return {multiply(multiply(in[0], in[1], s[0], s[1], s[2]), in[2], s[0], s[2], s[3])};
}

void mm3Types(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0], s[1]}), i32({s[1], s[2]}), i32({s[2], s[3]}), i32({s[3], s[4]})};
    out = {i32({s[0], s[4]})};
}
std::vector<ValueId> mm3Body(Builder& to, const Shape& s, ValueId first) {
    const ValueId ab = to.value("cinm.gemm", {first, after(first, 1)}, i32({s[0], s[2]}));
    const ValueId cd = to.value("cinm.gemm", {after(first, 2), after(first, 3)}, i32({s[2], s[4]}));
    return {to.value("cinm.gemm", {ab, cd}, i32({s[0], s[4]}))};
}
Inputs mm3Reference(const Shape& s, const Inputs& in) {
    return {multiply(multiply(in[0], in[1], s[0], s[1], s[2]), multiply(in[2], in[3], s[2], s[3], s[4]), s[0],
                     s[2], s[4])};
}

// ---- convolution: image height, width, channels, kernel height, width, filters ----

void convTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({1, s[0], s[1], s[2]}), i32({s[3], s[4], s[2], s[5]})};
    out = {i32({1, s[0] - s[3] + 1, s[1] - s[4] + 1, s[5]})};
}
std::vector<ValueId> convBody(Builder& to, const Shape& s, ValueId first) {
    const std::int64_t height = s[0] - s[3] + 1, width = s[1] - s[4] + 1, taps = s[3] * s[4];
    ValueId patches = to.value("tensor.empty", {}, i32({1, height, width, taps, s[2]}));
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        const ValueId part =
            extractSlice(to, first, {0, tap / s[4], tap % s[4], 0}, {1, height, width, s[2]});
        patches = insertSlice(to, part, patches, {0, 0, 0, tap, 0}, {1, height, width, 1, s[2]});
    }
    const ValueId rows = reshape(to, patches, {height * width, taps * s[2]});
    const ValueId kernel = reshape(to, after(first, 1), {taps * s[2], s[5]});
    return {reshape(to, to.value("cinm.gemm", {rows, kernel}, i32({height * width, s[5]})),
                    {1, height, width, s[5]})};
}
Inputs convReference(const Shape& s, const Inputs& in) {
    const std::int64_t height = s[0] - s[3] + 1, width = s[1] - s[4] + 1;
    Numbers out(at(height * width * s[5]));
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (std::int64_t f = 0; f < s[5]; ++f) {
                std::int64_t sum = 0;
                for (std::int64_t v = 0; v < s[3]; ++v)
                    for (std::int64_t u = 0; u < s[4]; ++u)
                        for (std::int64_t c = 0; c < s[2]; ++c)
                            sum += in[0][at(((y + v) * s[1] + x + u) * s[2] + c)] *
                                   in[1][at(((v * s[4] + u) * s[2] + c) * s[5] + f)];
                out[at((y * width + x) * s[5] + f)] = wrap(sum);
            }
    return {out};
}

// ---- contractions (TCCG, as named by OCC and CINM): extents of the letters a, b, c, … ----

Shape extentsOf(std::string_view letters, const Shape& s) {
    Shape extents;
    for (const char c : letters)
        extents.push_back(s[at(c - 'a')]);
    return extents;
}

template <const char* kLeft, const char* kRight, const char* kOut>
struct Contracted {
    static void types(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
        in = {i32(extentsOf(kLeft, s)), i32(extentsOf(kRight, s))};
        out = {i32(extentsOf(kOut, s))};
    }
    static std::vector<ValueId> body(Builder& to, const Shape&, ValueId first) {
        return {contract(to, {kLeft, kRight, kOut}, first, after(first, 1))};
    }
    /// Over all values of all letters.
    static Inputs reference(const Shape& s, const Inputs& in) {
        Shape index(s.size(), 0);
        const auto place = [&](std::string_view letters) {
            std::int64_t p = 0;
            for (const char c : letters)
                p = p * s[at(c - 'a')] + index[at(c - 'a')];
            return at(p);
        };
        Numbers out(at(i32(extentsOf(kOut, s)).count()));
        for (bool more = true; more;) {
            auto& sum = out[place(kOut)];
            sum = wrap(sum + in[0][place(kLeft)] * in[1][place(kRight)]);
            more = false;
            for (std::size_t d = s.size(); d-- > 0 && !more;) {
                more = ++index[d] < s[d];
                index[d] = more ? index[d] : 0;
            }
        }
        return {out};
    }
};
constexpr char kAebf[] = "aebf", kDfce[] = "dfce", kAbcd[] = "abcd", kCad[] = "cad", kDcb[] = "dcb",
               kAb[] = "ab", kAcd[] = "acd", kDb[] = "db", kAbc[] = "abc";
using Large = Contracted<kAebf, kDfce, kAbcd>;
using Small1 = Contracted<kCad, kDcb, kAb>;
using Small2 = Contracted<kAcd, kDb, kAbc>;

// ---- perceptron: inputs, then the outputs of three layers ----

void mlpTypes(const Shape& s, std::vector<Type>& in, std::vector<Type>& out) {
    in = {i32({s[0]})};
    for (std::size_t l = 1; l <= 3; ++l) {
        in.push_back(i32({s[l], s[l - 1]}));
        in.push_back(i32({s[l]}));
    }
    out = {i32({s[3]})};
}
std::vector<ValueId> mlpBody(Builder& to, const Shape& s, ValueId first) {
    const ValueId zero = to.constant(Type::scalar(Scalar::I32), 0);
    ValueId value = first;
    for (std::int32_t l = 1; l <= 3; ++l) {
        const Type type = i32({s[at(l)]});
        value = to.value("cinm.gemv", {after(first, 2 * l - 1), value}, type);
        value = to.value("cinm.add", {value, after(first, 2 * l)}, type);
        value = to.value("cinm.max", {value, zero}, type);
    }
    return {value};
}
Inputs mlpReference(const Shape& s, const Inputs& in) {
    Numbers value = in[0];
    for (std::size_t l = 1; l <= 3; ++l) {
        value = multiply(in[2 * l - 1], value, s[l], s[l - 1], 1);
        for (std::size_t i = 0; i < value.size(); ++i)
            value[i] = std::max<std::int64_t>(0, wrap(value[i] + in[2 * l][i]));
    }
    return {value};
}

} // namespace

std::vector<Benchmark> productBenchmarks() {
    return {
        {"mm",
         "Matrix product [m][k] x [k][n].",
         {1024, 1024, 1024},
         {13, 70, 9},
         mmTypes,
         mmBody,
         mmReference},
        {"2mm",
         "Two products in a row: ([m][k] x [k][n]) x [n][p].",
         {1024, 1024, 1024, 1024},
         {7, 33, 10, 5},
         mm2Types,
         mm2Body,
         mm2Reference},
        {"3mm",
         "Three products: ([m][k] x [k][n]) x ([n][p] x [p][q]).",
         {1024, 1024, 1024, 1024, 1024},
         {6, 9, 17, 5, 11},
         mm3Types,
         mm3Body,
         mm3Reference},
        {"conv",
         "Convolution of an image [y][x][c] with kernels [v][u][c][f], as a product of patches.",
         {128, 128, 3, 3, 3, 8},
         {9, 11, 3, 3, 2, 5},
         convTypes,
         convBody,
         convReference},
        {"contrl",
         "Large contraction: C[a,b,c,d] = sum over e, f of A[a,e,b,f] B[d,f,c,e].",
         {16, 16, 16, 16, 16, 16},
         {3, 5, 2, 4, 3, 7},
         Large::types,
         Large::body,
         Large::reference},
        {"contrs1",
         "Small contraction: C[a,b] = sum over c, d of A[c,a,d] B[d,c,b].",
         {16, 16, 16, 16},
         {5, 3, 7, 4},
         Small1::types,
         Small1::body,
         Small1::reference},
        {"contrs2",
         "Small contraction: C[a,b,c] = sum over d of A[a,c,d] B[d,b].",
         {64, 64, 64, 64},
         {5, 3, 7, 4},
         Small2::types,
         Small2::body,
         Small2::reference},
        {"mlp",
         "Perceptron of three layers, from the inputs to the outputs of each.",
         {1024, 1024, 1024, 1024},
         {20, 33, 17, 5},
         mlpTypes,
         mlpBody,
         mlpReference},
        {"mv", "Matrix times vector [m][k] x [k].", {4096, 2048}, {37, 70}, mvTypes, mvBody, mvReference},
    };
}

} // namespace pim::ir
