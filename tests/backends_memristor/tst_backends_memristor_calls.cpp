// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// From cim to calls of a driver: right numbers by bit slicing, whatever the sizes, orders and schedules.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/base/split_mix.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/dialect.h"
#include "core/ir/lower/cim_to_memristor.h"
#include "core/ir/lower/cinm_to_cim.h"
#include "core/ir/lower/digits.h"
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "tests/backends_memristor/gemm_module.h"
#include "tests/support/mlir_opt.h"

using namespace pim::ir;
using namespace pim::test;
using pim::Shape;

namespace {

QString soundness(const Module& module) {
    const auto verified = verify(module);
    if (!verified)
        return QString::fromStdString(verified.error().text());
    const std::string text = print(module).text;
    const auto parsed = parse(text);
    if (!parsed)
        return QString::fromStdString(parsed.error().text());
    if (print(parsed->module).text != text)
        return "reads back as another text";
    return pim::test::hasMlirOpt() ? pim::test::mlirOptSays(text) : QString();
}

std::vector<std::int64_t> resultOf(const Module& module, const std::vector<Array>& arguments) {
    Interpreter interpreter(module);
    const auto results = interpreter.call("main", arguments);
    if (!results)
        qWarning("%s", results.error().text().c_str());
    return results ? intsOf(results->front()) : std::vector<std::int64_t>{};
}

} // namespace

class TestDriverCalls : public QObject {
    Q_OBJECT
private slots:
    void digitsMakeTheNumberUp() {
        std::uint64_t random = 3;
        for (int i = 0; i < 10'000; ++i) {
            const auto value = static_cast<std::int64_t>(pim::nextRandom(random));
            std::uint64_t sum = 0;
            for (int d = 0; d < 8; ++d)
                sum += static_cast<std::uint64_t>(digitAt(value, d)) << (8 * d);
            QCOMPARE(sum, static_cast<std::uint64_t>(value));
        }
        QCOMPARE(digitAt(128, 0), std::int64_t{-128});
        QCOMPARE(digitAt(128, 1), std::int64_t{1});
        QCOMPARE(digitProducts(4), std::int64_t{10});
    }

    void benchmarksStayRight_data() {
        QTest::addColumn<const Benchmark*>("benchmark");
        QTest::addColumn<bool>("alap");
        for (const Benchmark& benchmark : benchmarks())
            for (const bool alap : {false, true})
                QTest::addRow("%s %s", benchmark.name.data(), alap ? "alap" : "asap") << &benchmark << alap;
    }
    void benchmarksStayRight() {
        QFETCH(const Benchmark*, benchmark);
        QFETCH(bool, alap);
        TileMapping mapping;
        mapping.size = 8;
        mapping.unroll = 3;
        mapping.order = {'k', 'n', 'm'};
        const Module made = loweredToCalls(build(*benchmark, benchmark->small), mapping,
                                           alap ? TileSchedule::Alap : TileSchedule::Asap);
        QCOMPARE(soundness(made), QString());
        for (const Operation& op : made.operations())
            QVERIFY(!op.def->name.starts_with("cim."));
        const auto arguments = pim::ir::sampleArguments(*benchmark, benchmark->small, 5);
        const auto expected = expectedResults(*benchmark, benchmark->small, arguments);
        Interpreter interpreter(made);
        const auto results = interpreter.call("main", arguments);
        QVERIFY2(results, results ? "" : results.error().text().c_str());
        for (std::size_t r = 0; r < expected.size(); ++r)
            QCOMPARE(intsOf((*results)[r]), intsOf(expected[r]));
    }

    /// Exact modulo 2^8, 2^16, 2^32 and 2^64, with numbers of all sizes.
    void sliceAllIntegers() {
        std::uint64_t random = 7;
        for (int i = 0; i < 160; ++i) {
            const Scalar element = std::array{Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64}[i % 4];
            const Shape sizes{upTo(20, random), upTo(20, random), upTo(20, random)};
            const TileMapping mapping = randomMapping(random);
            const Module cinm = gemmOf(element, sizes);
            const Module made =
                loweredToCalls(cinm, mapping, i % 2 ? TileSchedule::Asap : TileSchedule::Alap);
            QCOMPARE(soundness(made), QString());
            const std::vector<Array> arguments{randomArray(element, {sizes[0], sizes[1]}, random),
                                               randomArray(element, {sizes[1], sizes[2]}, random)};
            const auto expected = resultOf(cinm, arguments);
            QCOMPARE(static_cast<std::int64_t>(expected.size()), sizes[0] * sizes[2]);
            QCOMPARE(resultOf(made, arguments), expected);
        }
    }

    void schedulesDifferInWhatTheyWaitFor() {
        TileMapping mapping;
        mapping.size = 8;
        mapping.unroll = 4;
        const auto barriers = [&](TileSchedule schedule, bool ofTile) {
            const Module made = loweredToCalls(gemmOf(Scalar::I32, {8, 32, 8}), mapping, schedule);
            return std::ranges::count_if(made.operations(), [&](const Operation& op) {
                return op.def->name == "memristor.barrier" &&
                       (findAttribute(op, "tile") != nullptr) == ofTile;
            });
        };
        QCOMPARE(barriers(TileSchedule::Asap, true), 40); // 4 tiles at work, 10 products of digits each
        QCOMPARE(barriers(TileSchedule::Asap, false), 0);
        QCOMPARE(barriers(TileSchedule::Alap, true), 0);
        QCOMPARE(barriers(TileSchedule::Alap, false), 1);
    }

    void resultsAreWaitedFor() {
        Module module = loweredToCalls(gemmOf(Scalar::I8, {4, 4, 4}), {}, TileSchedule::Asap);
        std::string text = print(module).text;
        const std::size_t at = text.find("\"memristor.barrier\"");
        text.erase(text.rfind('\n', at) + 1, text.find('\n', at) - text.rfind('\n', at));
        const auto parsed = parse(text);
        QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
        Interpreter interpreter(parsed->module);
        const Array eye = Array::make(Scalar::I8, {4, 4});
        const auto results = interpreter.call("main", {eye, eye});
        QVERIFY(!results);
        QVERIFY2(results.error().message.find("tile 0 was not waited for") != std::string::npos,
                 results.error().text().c_str());
    }

    void refusesRealsAndProductsHandedAround() {
        const auto error = [](const std::string& text) {
            const auto parsed = parse(text);
            if (!parsed)
                return QString::fromStdString(parsed.error().text());
            const auto made = lowerToMemristor(parsed->module);
            return made ? QString() : QString::fromStdString(made.error().text());
        };
        const std::string reals = R"("func.func"() ({
^bb0(%b: tensor<8x4xf32>):
  %d = "cim.acquire"() {size = 8 : i64, tiles = 2 : i64} : () -> !cim.device
  "cim.write"(%d, %b) {tile = 1 : i64} : (!cim.device, tensor<8x4xf32>) -> ()
  "func.return"() : () -> ()
}) {function_type = (tensor<8x4xf32>) -> (), sym_name = "main"} : () -> ())";
        QVERIFY2(error(reals).contains("tiles hold integers, not f32"), qPrintable(error(reals)));
        const std::string around = R"("func.func"() ({
^bb0(%a: !cim.future<4x4xi8>):
  %v = "cim.read"(%a) : (!cim.future<4x4xi8>) -> tensor<4x4xi8>
  "func.return"() : () -> ()
}) {function_type = (!cim.future<4x4xi8>) -> (), sym_name = "main"} : () -> ())";
        QVERIFY2(error(around).contains("not started"), qPrintable(error(around)));
    }
};

QTEST_GUILESS_MAIN(TestDriverCalls)
#include "tst_backends_memristor_calls.moc"
