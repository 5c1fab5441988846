// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// C for the driver: compiled with the system's compiler, run, and compared with plain loops; the driver counts what the run in
/// time counts.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/memristor/c_code.h"
#include "backends/memristor/tile_run.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "tests/backends_memristor/gemm_module.h"

using namespace pim::ir;
using namespace pim::memristor;
using namespace pim::test;
using pim::Shape;

namespace {

QString compareCounts(const Module& program, const CRun& run) {
    const auto timed = runTiles(program, "main");
    if (!timed)
        return QString::fromStdString(timed.error().text());
    TileCounts expected = timed->counts;
    expected.merges = 0;
    if (run.counts == expected)
        return {};
    return QString("driver %1 writes %2 products %3 words, model %4 %5 %6")
        .arg(run.counts.tileWrites)
        .arg(run.counts.products)
        .arg(run.counts.wordsWritten)
        .arg(expected.tileWrites)
        .arg(expected.products)
        .arg(expected.wordsWritten);
}

/// A network op kept as reals: what tiles cannot hold stays on the host, in C too.
const char* const kReals = R"("func.func"() ({
^bb0(%a: tensor<3x5xf32>, %b: tensor<5x2xf32>):
  %c = "cinm.gemm"(%a, %b) : (tensor<3x5xf32>, tensor<5x2xf32>) -> tensor<3x2xf32>
  "func.return"(%c) : (tensor<3x2xf32>) -> ()
}) {function_type = (tensor<3x5xf32>, tensor<5x2xf32>) -> tensor<3x2xf32>, sym_name = "main"} : () -> ())";

} // namespace

class TestCCode : public QObject {
    Q_OBJECT
private slots:
    void benchmarksRunAsC_data() {
        QTest::addColumn<const Benchmark*>("benchmark");
        for (const char* name :
             {"mm", "2mm", "3mm", "mv", "mlp", "conv", "contrl", "contrs1", "contrs2", "va"})
            QTest::addRow("%s", name) << findBenchmark(name);
    }
    void benchmarksRunAsC() {
        QFETCH(const Benchmark*, benchmark);
        TileMapping mapping;
        mapping.size = 8;
        mapping.unroll = 2;
        const Module program = loweredToCalls(build(*benchmark, benchmark->small), mapping);
        const auto arguments = pim::ir::sampleArguments(*benchmark, benchmark->small, 9);
        const auto run = runC(program, "main", arguments);
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        const auto expected = expectedResults(*benchmark, benchmark->small, arguments);
        QCOMPARE(run->results.size(), expected.size());
        for (std::size_t r = 0; r < expected.size(); ++r)
            QCOMPARE(intsOf(run->results[r]), intsOf(expected[r]));
        QCOMPARE(compareCounts(program, *run), QString());
    }

    /// All orders and both operands, sizes that nothing divides, numbers of all bits.
    void integersOfAllWidthsRunAsC() {
        std::uint64_t random = 17;
        for (int i = 0; i < 16; ++i) {
            const Scalar element = std::array{Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64}[i % 4];
            const Shape sizes{upTo(24, random), upTo(24, random), upTo(24, random)};
            const Module cinm = gemmOf(element, sizes);
            const Module program =
                loweredToCalls(cinm, randomMapping(random), i % 3 ? TileSchedule::Asap : TileSchedule::Alap);
            const std::vector<Array> arguments{randomArray(element, {sizes[0], sizes[1]}, random),
                                               randomArray(element, {sizes[1], sizes[2]}, random)};
            const auto run = runC(program, "main", arguments);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            Interpreter reference(cinm);
            QCOMPARE(intsOf(run->results.front()), intsOf(reference.call("main", arguments)->front()));
            QCOMPARE(compareCounts(program, *run), QString());
        }
    }

    void loopsCopyNothingTheyCarry() {
        TileMapping mapping;
        mapping.size = 8;
        const auto code = cCode(loweredToCalls(gemmOf(Scalar::I8, {32, 32, 32}), mapping), "main");
        QVERIFY(code);
        QVERIFY(code->prototype == "void main_on_tiles(const int8_t* in0, const int8_t* in1, int8_t* out0)");
        // Only the result goes out; sums stay in one array around three loops.
        QCOMPARE(QString::fromStdString(code->source).count("memcpy"), 1);
        QCOMPARE(QString::fromStdString(code->source).count("memristor_write_tile("), 1);
    }

    void realsStayOnTheHost() {
        auto parsed = parse(kReals);
        QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
        const Module program = loweredToCalls(parsed->module, {});
        const std::vector<double> a{1.5, -2, 0.25, 3, 7, 0, 1, 2, 3, 4, -1, -1, 0.5, 8, 9},
            b{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        const std::vector<Array> arguments{arrayOf(std::span<const double>(a), Scalar::F32, {3, 5}),
                                           arrayOf(std::span<const double>(b), Scalar::F32, {5, 2})};
        const auto run = runC(program, "main", arguments);
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        Interpreter reference(parsed->module);
        QCOMPARE(realsOf(run->results.front()), realsOf(reference.call("main", arguments)->front()));
        QCOMPARE(run->counts.products, std::int64_t{0});
    }

    void whatGoesWrongIsSaid() {
        const Benchmark& ts = *findBenchmark("hst-l");
        const auto code = cCode(loweredToCalls(build(ts, ts.small), {}), "main");
        QVERIFY(!code && code.error().code == pim::ErrorCode::Unsupported);
        QVERIFY2(code.error().text().find("is not written in C") != std::string::npos,
                 code.error().text().c_str());

        // Without its barriers the program takes results that are not there: the driver stops it.
        const std::string text = print(loweredToCalls(gemmOf(Scalar::I8, {4, 4, 4}), {})).text;
        QStringList lines = QString::fromStdString(text).split('\n');
        lines.removeIf([](const QString& line) { return line.contains("memristor.barrier"); });
        const auto parsed = parse(lines.join('\n').toStdString());
        QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
        const Array zeros = Array::make(Scalar::I8, {4, 4});
        const auto run = runC(parsed->module, "main", {zeros, zeros});
        QVERIFY(!run);
        QVERIFY2(run.error().text().find("memristor: tile 0 was not waited for") != std::string::npos,
                 run.error().text().c_str());
        QVERIFY(!runC(parsed->module, "main", {zeros}));
    }
};

QTEST_GUILESS_MAIN(TestCCode)
#include "tst_backends_memristor_c_code.moc"
