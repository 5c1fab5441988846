// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "backends/memristor/occ.h"
#include "core/base/split_mix.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/dialect.h"
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "tests/support/mlir_opt.h"

using namespace pim::ir;
using pim::Shape;
using pim::memristor::countsOf;

namespace {

/// Runs of each op, loops turned out.
std::map<std::string, std::int64_t> runs(const Module& module, const Region& region, std::int64_t times = 1) {
    std::map<std::string, std::int64_t> counts;
    for (const OperationId id : region.operations) {
        const Operation& op = module.operation(id);
        counts[std::string(op.def->name)] += times;
        std::int64_t turns = times;
        if (op.def->name == "scf.for") {
            const auto bound = [&](std::size_t n) {
                return integerOr(module.operation(module.value(module.operand(op, n)).op), "value", 0);
            };
            turns *= (bound(1) - bound(0) + bound(2) - 1) / bound(2);
        }
        for (std::uint32_t r = 0; r < op.regionCount; ++r)
            for (const auto& [name, count] : runs(module, module.regionOf(op, r), turns))
                counts[name] += count;
    }
    return counts;
}

void compareRuns(const Module& lowered, const Benchmark& benchmark, const Shape& sizes) {
    const auto arguments = sampleArguments(benchmark, sizes, 5);
    const auto expected = expectedResults(benchmark, sizes, arguments);
    Interpreter interpreter(lowered);
    const auto results = interpreter.call("main", arguments);
    QVERIFY2(results, results ? "" : results.error().text().c_str());
    for (std::size_t r = 0; r < expected.size(); ++r)
        QCOMPARE(intsOf((*results)[r]), intsOf(expected[r]));
}

} // namespace

class TestLowering : public QObject {
    Q_OBJECT
private slots:
    void benchmarksStayRight_data() {
        QTest::addColumn<const Benchmark*>("benchmark");
        QTest::addColumn<QString>("order");
        for (const Benchmark& benchmark : benchmarks())
            for (const char* order : {"mnk", "knm", "kmn"})
                QTest::addRow("%s %s", benchmark.name.data(), order) << &benchmark << order;
    }
    void benchmarksStayRight() {
        QFETCH(const Benchmark*, benchmark);
        QFETCH(QString, order);
        TileMapping mapping;
        mapping.size = 8;
        mapping.unroll = order == "kmn" ? 3 : 1;
        mapping.holdLeft = order == "kmn";
        mapping.wholeRows = order == "knm";
        std::copy_n(order.toStdString().begin(), 3, mapping.order.begin());
        const Module cinm = build(*benchmark, benchmark->small);
        const auto lowered = lowerToCim(cinm, [&](OperationId, const GemmShape&) { return mapping; });
        QVERIFY2(lowered, lowered ? "" : lowered.error().text().c_str());
        const auto verified = verify(*lowered);
        QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
        const std::string text = print(*lowered).text;
        const auto parsed = parse(text);
        QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
        QCOMPARE(print(parsed->module).text, text);
        if (pim::test::hasMlirOpt())
            QCOMPARE(pim::test::mlirOptSays(text), QString());
        for (const Operation& op : lowered->operations())
            QCOMPARE(lowered->location(op).level, std::string("cinm"));
        compareRuns(*lowered, *benchmark, benchmark->small);
    }

    /// The program does what the model counts, on sizes nothing divides.
    void programAndModelCountTheSame() {
        std::uint64_t random = 11;
        const Benchmark& mm = *findBenchmark("mm");
        const char* orders[] = {"mnk", "mkn", "nmk", "nkm", "kmn", "knm"};
        for (int i = 0; i < 200; ++i) {
            const auto upTo = [&](std::int64_t most) {
                return 1 +
                       static_cast<std::int64_t>(pim::nextRandom(random) % static_cast<std::uint64_t>(most));
            };
            const Shape sizes{upTo(40), upTo(40), upTo(40)};
            TileMapping mapping;
            mapping.size = upTo(12);
            mapping.tiles = static_cast<int>(upTo(4));
            mapping.unroll = static_cast<int>(upTo(mapping.tiles));
            mapping.wholeRows = upTo(2) == 1;
            mapping.holdLeft = upTo(2) == 1;
            std::copy_n(orders[upTo(6) - 1], 3, mapping.order.begin());
            const auto lowered =
                lowerToCim(build(mm, sizes), [&](OperationId, const GemmShape&) { return mapping; });
            QVERIFY(lowered);
            const auto verified = verify(*lowered);
            QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
            auto counted = runs(*lowered, lowered->regionOf(lowered->operation(lowered->functions()[0])));
            const auto counts = countsOf({sizes[0], sizes[1], sizes[2]}, mapping);
            QCOMPARE(counted["cim.write"], counts.tileWrites);
            QCOMPARE(counted["cim.execute"], counts.products);
            compareRuns(*lowered, mm, sizes);
        }
    }

    void tilesRefuseWhatTheyCannotHold() {
        const std::string text = R"("func.func"() ({
^bb0(%a: tensor<4x8xi32>, %b: tensor<9x4xi32>):
  %d = "cim.acquire"() {size = 8 : i64, tiles = 2 : i64} : () -> !cim.device
  "cim.write"(%d, %b) {tile = 1 : i64} : (!cim.device, tensor<9x4xi32>) -> ()
  "func.return"() : () -> ()
}) {function_type = (tensor<4x8xi32>, tensor<9x4xi32>) -> (), sym_name = "main"} : () -> ())";
        const auto run = [](std::string program) {
            const auto parsed = parse(program);
            if (!parsed)
                return QString::fromStdString(parsed.error().text());
            const Region& body =
                parsed->module.regionOf(parsed->module.operation(parsed->module.functions()[0]));
            std::vector<Array> arguments;
            for (std::uint32_t a = 0; a < body.argumentCount; ++a) {
                const Type& type = parsed->module.type(Module::argument(body, a));
                arguments.push_back(Array::make(*type.element(), type.extents()));
            }
            Interpreter interpreter(parsed->module);
            const auto results = interpreter.call("main", arguments);
            return results ? QString("ran") : QString::fromStdString(results.error().text());
        };
        QVERIFY(run(text).contains("cim.write #2: [9, 4] does not fit a tile of 8 x 8"));
        std::string other = text;
        for (std::size_t at = 0; (at = other.find("9x4", at)) != std::string::npos;)
            other.replace(at, 3, "8x4");
        QCOMPARE(run(other), QString("ran"));
        other.replace(other.find("tile = 1"), 8, "tile = 2");
        QVERIFY(run(other).contains("tile 2 is not within the 2 acquired"));
    }
};

QTEST_GUILESS_MAIN(TestLowering)
#include "tst_backends_memristor_lowering.moc"
