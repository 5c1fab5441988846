// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Matrix products against loops written from their definition.
#include <QTest>

#include <string>

#include "core/numeric/kernels.h"
#include "core/numeric/matrix_product.h"
#include "tests/core_numeric/single_op.h"

#include <random>

using namespace pim;

namespace {

struct ConvCase {
    std::int64_t batch, in, height, width, out, kernelY, kernelX, strideY, strideX, dilationY, dilationX, top,
        left, bottom, right, groups;

    std::int64_t outHeight() const {
        return (height + top + bottom - dilationY * (kernelY - 1) - 1) / strideY + 1;
    }
    std::int64_t outWidth() const {
        return (width + left + right - dilationX * (kernelX - 1) - 1) / strideX + 1;
    }
};

std::shared_ptr<const Graph> convGraph(const ConvCase& c) {
    Op op;
    op.type = "Conv";
    op.attributes = {{"strides", std::vector<std::int64_t>{c.strideY, c.strideX}},
                     {"dilations", std::vector<std::int64_t>{c.dilationY, c.dilationX}},
                     {"pads", std::vector<std::int64_t>{c.top, c.left, c.bottom, c.right}},
                     {"group", c.groups}};
    return test::singleOp(op,
                          {Value{DataType::F32, {c.batch, c.in, c.height, c.width}, nullptr},
                           Value{DataType::F32, {c.out, c.in / c.groups, c.kernelY, c.kernelX}, nullptr}},
                          {Value{DataType::F32, {c.batch, c.out, c.outHeight(), c.outWidth()}, nullptr}});
}

template <class In, class Sum>
std::vector<Sum> naiveConv(const ConvCase& c, const std::vector<In>& x, const std::vector<In>& w) {
    std::vector<Sum> out;
    const std::int64_t inGroup = c.in / c.groups, outGroup = c.out / c.groups;
    for (std::int64_t b = 0; b < c.batch; ++b)
        for (std::int64_t o = 0; o < c.out; ++o)
            for (std::int64_t oy = 0; oy < c.outHeight(); ++oy)
                for (std::int64_t ox = 0; ox < c.outWidth(); ++ox) {
                    Sum sum = 0;
                    for (std::int64_t i = 0; i < inGroup; ++i)
                        for (std::int64_t ky = 0; ky < c.kernelY; ++ky)
                            for (std::int64_t kx = 0; kx < c.kernelX; ++kx) {
                                const std::int64_t y = oy * c.strideY + ky * c.dilationY - c.top;
                                const std::int64_t xx = ox * c.strideX + kx * c.dilationX - c.left;
                                if (y < 0 || y >= c.height || xx < 0 || xx >= c.width)
                                    continue;
                                const std::int64_t channel = o / outGroup * inGroup + i;
                                sum += Sum(x[static_cast<std::size_t>(
                                           ((b * c.in + channel) * c.height + y) * c.width + xx)]) *
                                       Sum(w[static_cast<std::size_t>(
                                           ((o * inGroup + i) * c.kernelY + ky) * c.kernelX + kx)]);
                            }
                    out.push_back(sum);
                }
    return out;
}

template <class T>
std::vector<T> randomNumbers(std::mt19937& random, std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& v : values)
        v = static_cast<T>(static_cast<int>(random() % 256) - 128);
    return values;
}

ConvCase randomCase(std::mt19937& random) {
    const auto pick = [&](int low, int high) {
        return static_cast<std::int64_t>(low +
                                         static_cast<int>(random() % static_cast<unsigned>(high - low + 1)));
    };
    ConvCase c{};
    c.groups = pick(0, 2) == 0 ? pick(2, 5) : 1;
    const bool depthwise = c.groups > 1 && pick(0, 1) == 0;
    c.batch = pick(1, 3);
    c.in = c.groups * (depthwise ? 1 : pick(1, 6));
    c.out = c.groups * pick(1, 37);
    c.kernelY = pick(1, 4);
    c.kernelX = pick(1, 4);
    c.strideY = pick(1, 3);
    c.strideX = pick(1, 3);
    c.dilationY = pick(1, 3);
    c.dilationX = pick(1, 3);
    c.top = pick(0, 3);
    c.left = pick(0, 3);
    c.bottom = pick(0, 3);
    c.right = pick(0, 3);
    c.height = c.dilationY * (c.kernelY - 1) + pick(1, 17);
    c.width = c.dilationX * (c.kernelX - 1) + pick(1, 17);
    return c;
}

} // namespace

class TestMatrixProduct : public QObject {
    Q_OBJECT
private slots:
    void convolvesLikeItsDefinition() {
        std::mt19937 random(7);
        for (int i = 0; i < 300; ++i) {
            const ConvCase c = randomCase(random);
            const auto graph = convGraph(c);
            const auto forms = matrixForms(*graph, OpId(0));
            QVERIFY2(forms.has_value(), forms ? "" : forms.error().text().c_str());
            QCOMPARE(forms->size(), std::size_t(1));
            const auto x = randomNumbers<std::int8_t>(random, c.batch * c.in * c.height * c.width);
            const auto w =
                randomNumbers<std::int8_t>(random, c.out * (c.in / c.groups) * c.kernelY * c.kernelX);
            const auto sums = multiplyExact(forms->front(), x, w, 2);
            QVERIFY(sums.has_value());
            QVERIFY2((*sums == naiveConv<std::int8_t, std::int32_t>(c, x, w)),
                     qPrintable(QString("case %1").arg(i)));
            // Small whole numbers: float sums are exact as well.
            const std::vector<float> xf(x.begin(), x.end()), wf(w.begin(), w.end());
            const auto real = multiplyReal(forms->front(), xf, wf, 2);
            QVERIFY(real.has_value());
            QVERIFY2((*real == naiveConv<float, float>(c, xf, wf)),
                     qPrintable(QString("case %1, real").arg(i)));
        }
    }

    void multipliesLargeSumsExactly() { // 25088 * (-128) * (-128) = 411041792
        const std::vector<std::int16_t> a(25088, -128), b(25088, -128);
        std::int32_t out = 1;
        integerProduct({a.data(), 1, b.data(), 1, 25088, &out, 1, 1}, false);
        QCOMPARE(out, 411041792);
        integerProduct({a.data(), 1, b.data(), 1, 25088, &out, 1, 1}, true);
        QCOMPARE(out, 822083584);
    }

    /// Machines with and without wide vectors agree on every bit, sums of real numbers included.
    void isTheSameOnEveryMachine() {
        std::mt19937 random(21);
        for (int i = 0; i < 60; ++i) {
            const std::int64_t rows = 1 + random() % 9, columns = 1 + random() % 16,
                               n = kIntegerStep * (1 + random() % 12);
            std::vector<std::int16_t> a, b;
            std::vector<float> x, w;
            for (std::int64_t j = 0; j < rows * n; ++j) {
                a.push_back(static_cast<std::int16_t>(static_cast<int>(random() % 256) - 128));
                x.push_back(static_cast<float>(random()) / 3e9F - 0.7F);
            }
            for (std::int64_t j = 0; j < kRealColumns * n; ++j) {
                b.push_back(static_cast<std::int16_t>(static_cast<int>(random() % 256) - 128));
                w.push_back(static_cast<float>(random()) / 3e9F - 0.7F);
            }
            const auto size = static_cast<std::size_t>(rows * columns);
            std::vector<std::int32_t> fast(size, 5), plain(size, 5);
            integerProduct({a.data(), rows, b.data(), columns, n, fast.data(), columns, 1}, true);
            integerProductPlain({a.data(), rows, b.data(), columns, n, plain.data(), columns, 1}, true);
            QVERIFY(fast == plain);
            std::vector<float> fastReal(size), plainReal(size);
            realProduct({x.data(), rows, w.data(), columns, n, fastReal.data(), columns, 1});
            realProductPlain({x.data(), rows, w.data(), columns, n, plainReal.data(), columns, 1});
            QVERIFY(fastReal == plainReal);
            float first = 0; // the order of the sum
            for (std::int64_t j = 0; j < n; ++j)
                first += x[static_cast<std::size_t>(j)] * w[static_cast<std::size_t>(j * kRealColumns)];
            QCOMPARE(fastReal[0], first);
        }
    }

    void broadcastsLeadingAxes() {
        // [2, 1, 3, 4] x [5, 4, 6] -> [2, 5, 3, 6]
        Op op;
        op.type = "MatMul";
        const auto graph = test::singleOp(
            op, {Value{DataType::F32, {2, 1, 3, 4}, nullptr}, Value{DataType::F32, {5, 4, 6}, nullptr}},
            {Value{DataType::F32, {2, 5, 3, 6}, nullptr}});
        const auto forms = matrixForms(*graph, OpId(0));
        QVERIFY(forms.has_value());
        const MatrixForm& form = forms->front();
        QCOMPARE(form.g, 10);
        QCOMPARE(form.m, 3);
        std::mt19937 random(3);
        const auto a = randomNumbers<std::int8_t>(random, 24), b = randomNumbers<std::int8_t>(random, 120);
        const auto sums = multiplyExact(form, a, b, 1);
        QVERIFY(sums.has_value());
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < 5; ++j)
                for (std::size_t m = 0; m < 3; ++m)
                    for (std::size_t k = 0; k < 6; ++k) {
                        std::int32_t sum = 0;
                        for (std::size_t n = 0; n < 4; ++n)
                            sum += a[(i * 3 + m) * 4 + n] * b[(j * 4 + n) * 6 + k];
                        QCOMPARE((*sums)[((i * 5 + j) * 3 + m) * 6 + k], sum);
                    }
    }

    void joinsRowsWhereWeightsHaveNoBatch() {
        Op op;
        op.type = "MatMul";
        const auto graph = test::singleOp(
            op, {Value{DataType::F32, {2, 3, 4}, nullptr}, Value{DataType::F32, {4, 6}, nullptr}},
            {Value{DataType::F32, {2, 3, 6}, nullptr}});
        const auto forms = matrixForms(*graph, OpId(0));
        QVERIFY(forms.has_value());
        QCOMPARE(forms->front().g, 1);
        QCOMPARE(forms->front().m, 6);
    }

    void attentionIsTwoProducts() {
        Op op;
        op.type = "Attention";
        op.domain = "pim";
        op.attributes = {{"k_transposed", std::int64_t(1)}, {"kv_len", std::int64_t(5)}};
        const auto graph = test::singleOp(op,
                                          {Value{DataType::F32, {2, 3, 4, 8}, nullptr},
                                           Value{DataType::F32, {2, 3, 8, 5}, nullptr},
                                           Value{DataType::F32, {2, 3, 5, 6}, nullptr}},
                                          {Value{DataType::F32, {2, 3, 4, 6}, nullptr}});
        const auto forms = matrixForms(*graph, OpId(0));
        QVERIFY(forms.has_value());
        QCOMPARE(forms->size(), std::size_t(2));
        QCOMPARE((*forms)[0].g, 6);
        QCOMPARE((*forms)[0].m, 4);
        QCOMPARE((*forms)[0].n, 8);
        QCOMPARE((*forms)[0].k, 5);
        QCOMPARE((*forms)[1].n, 5);
        QCOMPARE((*forms)[1].k, 6);
        QVERIFY(!(*forms)[1].input.valid());
    }

    void refusesThreeSpatialAxes() {
        Op op;
        op.type = "Conv";
        const auto graph = test::singleOp(
            op,
            {Value{DataType::F32, {1, 1, 3, 3, 3}, nullptr}, Value{DataType::F32, {1, 1, 1, 1, 1}, nullptr}},
            {Value{DataType::F32, {1, 1, 3, 3, 3}, nullptr}});
        QCOMPARE(matrixForms(*graph, OpId(0)).error().code, ErrorCode::Unsupported);
    }
};

QTEST_GUILESS_MAIN(TestMatrixProduct)
#include "tst_core_numeric_product.moc"
