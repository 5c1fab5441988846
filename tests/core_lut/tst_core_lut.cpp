// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Layers as look-up tables: every step against exact layers, training, threads, numbers that make no sense.
#include "core/numeric/lut/lookup.h"
#include "core/numeric/lut/projection.h"
#include "tests/core_lut/golden_layer.h"

#include <QTest>

#include <bit>
#include <cstring>
#include <random>

using namespace pim;
using namespace pim::lut;
using test::array;
using test::largestDifference;
using test::layerFile;

namespace {

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Clusters that are far apart: \p centres of them in \p length dimensions for each of \p books.
std::vector<float> clustered(std::int64_t rows, std::int64_t books, std::int64_t length, int centres) {
    std::mt19937 random(3);
    std::vector<float> values;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t c = 0; c < books; ++c) {
            const auto centre = static_cast<float>(random() % static_cast<unsigned>(centres));
            for (std::int64_t v = 0; v < length; ++v)
                values.push_back(centre * 100 + static_cast<float>(random() % 1000) / 1000);
        }
    return values;
}

} // namespace

class TestLutLayers : public QObject {
    Q_OBJECT
private slots:
    void everyStepIsExact_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("cases");
        const QString folder = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/");
        QTest::newRow("fc2") << folder + "layer_mlp_fc2.json.gz" << 3;
        QTest::newRow("attention output") << folder + "layer_vit_o_raw.json.gz" << 1;
        const QString shared = QStringLiteral(PIM_SHARED_DIR "/golden/lut/layer_vit_o.json.gz");
        if (QFile::exists(shared))
            QTest::newRow("attention output, all cases") << shared << 3;
    }
    void everyStepIsExact() {
        QFETCH(QString, path);
        const QJsonArray cases = layerFile(path)["cases"].toArray();
        QTEST(int(cases.size()), "cases");
        for (const QJsonValue& one : cases) {
            const Codebooks books{one["codebooks"].toInteger(), one["CT"].toInteger(), one["V"].toInteger(),
                                  array<float>(one["centroids"])};
            const auto x = array<float>(one["x"]), bias = array<float>(one["bias"]);
            const Rows rows{x, one["H"].toInteger()};
            const auto indices = closestCentroids(rows, books);
            QVERIFY2(indices, indices ? "" : indices.error().text().c_str());
            QVERIFY(*indices == array<std::uint16_t>(one["indices"]));

            const auto table = makeTable(books, array<float>(one["weight"]), one["F"].toInteger());
            QVERIFY(table && sameBits(table->values, array<float>(one["lut"])));
            const auto output = lookUp(*table, *indices, bias);
            QVERIFY(output && sameBits(*output, array<float>(one["out_float"])));

            for (const TableScale scale : {TableScale::Layer, TableScale::Column}) {
                const QJsonValue golden = one[scale == TableScale::Layer ? "int8_layer" : "int8_column"];
                const auto quantized = quantize(*table, scale);
                QVERIFY(quantized && sameBits(quantized->scales, array<float>(golden["scale"])));
                QVERIFY(quantized->values == array<std::int8_t>(golden["lut"]));
                const auto sums = accumulate(*quantized, *indices);
                QVERIFY(sums && *sums == array<std::int32_t>(golden["acc"]));
                const auto back = dequantize(*quantized, *sums, bias);
                QVERIFY(back);
                QVERIFY(largestDifference(*back, array<float>(golden["out"])) <= 1e-6);
            }

            const auto step = lloydStep(rows, books);
            QVERIFY(step && step->count == array<std::int64_t>(one["lloyd_step"]["count"]));
            QVERIFY(sameBits(step->moved.values, array<float>(one["lloyd_step"]["centroids"])));
            for (const auto& [ours, key] : {std::pair(step->inertiaBefore, "inertia_before"),
                                            std::pair(step->inertiaAfter, "inertia_after")}) {
                const double theirs = one["lloyd_step"][key].toDouble();
                QVERIFY2(std::abs(ours - theirs) <= 1e-6 * theirs, key);
            }
        }
    }

    void equallyCloseCentroidsGoToTheFirst() {
        const Codebooks books{1, 4, 1, {5, 1, -1, -1}};
        const std::vector<float> x{0, -1, 1, 100};
        QCOMPARE(*closestCentroids({x, 1}, books), (std::vector<std::uint16_t>{1, 2, 1, 0}));
        // Closer, but not by more than a millionth.
        const Codebooks near{1, 2, 1, {0.0005F, 0}};
        const std::vector<float> zero{0};
        QCOMPARE(*closestCentroids({zero, 1}, near), (std::vector<std::uint16_t>{0}));
        const Codebooks nearer{1, 2, 1, {0.005F, 0}};
        QCOMPARE(*closestCentroids({zero, 1}, nearer), (std::vector<std::uint16_t>{1}));
    }

    void trainingFindsClusters() {
        const auto x = clustered(600, 3, 4, 8);
        const Rows rows{x, 12};
        KMeansOptions options;
        options.centroids = 8;
        options.length = 4;
        const auto books = trainCodebooks(rows, options);
        QVERIFY(books);
        QCOMPARE(books->codebooks, 3);
        const auto step = lloydStep(rows, *books);
        QVERIFY(step);
        // Uniform noise of width 1 in 12 dimensions around every centre: variance 1/12 each.
        QVERIFY2(step->inertiaBefore < 600 * 12 / 12.0 * 1.1,
                 qPrintable(QString::number(step->inertiaBefore)));
        for (const std::int64_t count : step->count)
            QVERIFY(count > 0);
    }
    void trainingIsTheSameWithAnyThreads() {
        const auto x = clustered(300, 16, 2, 40);
        KMeansOptions options;
        options.threads = 1;
        options.mostRows = 100;
        const auto one = trainCodebooks({x, 32}, options);
        options.threads = 5;
        const auto five = trainCodebooks({x, 32}, options);
        QVERIFY(one && five && sameBits(one->values, five->values));
        options.seed = 1;
        const auto other = trainCodebooks({x, 32}, options);
        QVERIFY(other && !sameBits(one->values, other->values));
        QVERIFY(*closestCentroids({x, 32}, *one, 1) == *closestCentroids({x, 32}, *one, 4));
    }
    void codebooksDoNotDependOnOneAnother() {
        const auto x = clustered(50, 2, 3, 5);
        std::vector<float> half;
        for (std::size_t row = 0; row < 50; ++row)
            half.insert(half.end(), x.begin() + std::ptrdiff_t(row * 6),
                        x.begin() + std::ptrdiff_t(row * 6 + 3));
        KMeansOptions options;
        options.length = 3;
        const auto both = trainCodebooks({x, 6}, options), first = trainCodebooks({half, 3}, options);
        QVERIFY(both && first);
        QVERIFY(sameBits(first->values,
                         {both->values.begin(), both->values.begin() + std::ssize(first->values)}));
    }
    void fewerPointsThanCentroids() {
        const std::vector<float> x{1, 2, 3, 4, 1, 2};
        KMeansOptions options;
        const auto books = trainCodebooks({x, 2}, options);
        QVERIFY(books);
        const auto step = lloydStep({x, 2}, *books);
        QVERIFY(step && step->inertiaBefore == 0);
    }

    void int8RoundsHalvesToEven() {
        const Table table{1, 3, 2, {127, -127, 0.5F, 1.5F, -2.5F, 0}};
        const auto quantized = quantize(table, TableScale::Layer);
        QVERIFY(quantized);
        QCOMPARE(quantized->scales, std::vector<float>{1});
        QCOMPARE(quantized->values, (std::vector<std::int8_t>{127, -127, 0, 2, -2, 0}));
        const auto columns = quantize(Table{1, 2, 2, {0, 254, 0, 2}}, TableScale::Column);
        QVERIFY(columns);
        QCOMPARE(columns->scales, (std::vector<float>{1, 2}));
        QCOMPARE(columns->values, (std::vector<std::int8_t>{0, 127, 0, 1}));
    }

    void numbersThatMakeNoSenseAreRefused() {
        const std::vector<float> x{1, 2, 3, 4, 5, 6};
        KMeansOptions options;
        const auto message = [](const auto& result) {
            return result ? QString() : QString::fromStdString(result.error().message);
        };
        QCOMPARE(message(trainCodebooks({x, 4}, options)), "6 values are no rows of 4");
        QCOMPARE(message(trainCodebooks({x, 3}, options)), "sub-vectors of 2 do not divide rows of 3");
        QCOMPARE(message(trainCodebooks({{}, 2}, options)), "0 values are no rows of 2");
        options.centroids = 65537;
        QCOMPARE(message(trainCodebooks({x, 2}, options)),
                 "65537 centroids; between 1 and 65536 are possible");
        options.centroids = 2;
        options.length = 0;
        QVERIFY(!trainCodebooks({x, 2}, options));
        const std::vector<float> odd{1, 2, 3, NAN};
        options.length = 1;
        QCOMPARE(message(trainCodebooks({odd, 2}, options)), "nan at row 1, column 1 of the inputs");

        const Codebooks books{2, 1, 1, {1, 2}};
        QCOMPARE(message(closestCentroids({x, 3}, books)),
                 "2 codebooks of length 1 are for rows of 2, these have 3");
        QVERIFY(!closestCentroids({x, 2}, Codebooks{2, 2, 1, {1, 2}}));
        QVERIFY(!makeTable(books, x, 2));
        const auto table = makeTable(books, x, 3);
        QVERIFY(table);
        const std::vector<std::uint16_t> wrong{0, 1}, uneven{0, 0, 0}, right{0, 0};
        QCOMPARE(message(lookUp(*table, wrong, {})), "index 1 at row 0, codebook 1; there are 1 centroids");
        QCOMPARE(message(lookUp(*table, uneven, {})), "3 indices are no rows of 2 codebooks");
        QCOMPARE(message(lookUp(*table, right, std::vector<float>{1})), "1 biases for 3 features");
        QVERIFY(lookUp(*table, right, {}));
        QVERIFY(!quantize(Table{1, 1, 1, {INFINITY}}, TableScale::Layer));
        const auto quantized = quantize(*table, TableScale::Column);
        QVERIFY(quantized && !dequantize(*quantized, std::vector<std::int32_t>{1, 2}, {}));
    }
    void stopsWhenAsked() {
        std::stop_source source;
        source.request_stop();
        const auto x = clustered(50, 2, 2, 5);
        const auto books = trainCodebooks({x, 4}, {}, TaskContext{source.get_token(), {}});
        QVERIFY(!books);
        QCOMPARE(books.error().code, ErrorCode::Cancelled);
    }

    void pointsLieOnTheirPlane() {
        // In three dimensions, spread 5, 2 and 0.5 along axes that are turned.
        const double c = std::cos(0.7), s = std::sin(0.7);
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        std::vector<float> points;
        for (int i = 0; i < 4000; ++i) {
            const double a = 5 * normal(random), b = 2 * normal(random), d = 0.5 * normal(random);
            for (const double value : {c * a - s * b + 10, s * a + c * b - 3, d})
                points.push_back(static_cast<float>(value));
        }
        const auto plane = principalPlane(points, 3);
        QVERIFY(plane);
        QVERIFY(std::abs(plane->axes[0][0] - c) < 0.02 && std::abs(plane->axes[0][1] - s) < 0.02);
        QVERIFY(std::abs(plane->variance[0] - 25) < 1.5 && std::abs(plane->variance[1] - 4) < 0.3);
        QVERIFY(std::abs(plane->share(0) + plane->share(1) - 29 / 29.25) < 0.001);
        double dot = 0, first = 0, second = 0, cross = 0;
        for (std::size_t i = 0; i < 3; ++i)
            dot += plane->axes[0][i] * plane->axes[1][i];
        QVERIFY(std::abs(dot) < 1e-9);
        // What is on the plane has the variances told, and nothing in common.
        for (std::size_t p = 0; p < 4000; ++p) {
            const auto at = plane->at(std::span(points).subspan(3 * p, 3));
            first += at[0] * at[0] / 4000;
            second += at[1] * at[1] / 4000;
            cross += at[0] * at[1] / 4000;
        }
        QVERIFY(std::abs(first - plane->variance[0]) < 1e-6 && std::abs(second - plane->variance[1]) < 1e-6);
        QVERIFY(std::abs(cross) < 1e-5);
    }

    void aPlaneOfFewDimensions() {
        const std::vector<float> line{1, 2, 2, 4, 3, 6}, alone{1, 5, 3}, same{7, 7, 7, 7};
        const auto onLine = principalPlane(line, 2);
        QVERIFY(onLine && std::abs(onLine->share(0) - 1) < 1e-9);
        QVERIFY(onLine->axes[1] == std::vector<double>({0, 0}));
        QVERIFY(std::abs(onLine->at(std::span(line).first(2))[0] + std::sqrt(5.0)) < 1e-9);
        const auto single = principalPlane(alone, 1);
        QVERIFY(single && single->axes[0] == std::vector<double>({1}) && single->share(1) == 0);
        const auto point = principalPlane(same, 2);
        QVERIFY(point && point->share(0) == 0 && point->at(same)[0] == 0);
        QVERIFY(!principalPlane({}, 2) && !principalPlane(alone, 2) && !principalPlane(alone, 0));
    }
};

QTEST_GUILESS_MAIN(TestLutLayers)
#include "tst_core_lut.moc"
