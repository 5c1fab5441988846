// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "tests/support/mlir_opt.h"

using namespace pim::ir;

class TestBenchmarks : public QObject {
    Q_OBJECT
private slots:
    void thereAreThoseOfThePaper() {
        QStringList names;
        for (const Benchmark& benchmark : benchmarks())
            names.append(
                QString::fromUtf8(benchmark.name.data(), static_cast<qsizetype>(benchmark.name.size())));
        names.sort();
        QCOMPARE(names.join(" "), "2mm 3mm bfs contrl contrs1 contrs2 conv hst-l mlp mm mv red sel ts va");
    }

    void computeWhatPlainLoopsDo_data() {
        QTest::addColumn<const Benchmark*>("benchmark");
        for (const Benchmark& benchmark : benchmarks())
            QTest::newRow(benchmark.name.data()) << &benchmark;
    }
    void computeWhatPlainLoopsDo() {
        QFETCH(const Benchmark*, benchmark);
        const Module module = build(*benchmark, benchmark->small);
        const std::string text = print(module).text;
        const auto parsed = parse(text);
        QVERIFY2(parsed, parsed ? "" : (parsed.error().text() + "\n" + text).c_str());
        QCOMPARE(print(parsed->module).text, text);
        if (pim::test::hasMlirOpt())
            QCOMPARE(pim::test::mlirOptSays(text), QString());
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            const auto arguments = sampleArguments(*benchmark, benchmark->small, seed);
            const auto expected = expectedResults(*benchmark, benchmark->small, arguments);
            Interpreter interpreter(module);
            const auto results = interpreter.call("main", arguments);
            QVERIFY2(results, results ? "" : results.error().text().c_str());
            QCOMPARE(results->size(), expected.size());
            for (std::size_t r = 0; r < expected.size(); ++r)
                QCOMPARE(intsOf((*results)[r]), intsOf(expected[r]));
        }
        QVERIFY(parse(print(build(*benchmark, benchmark->paper)).text));
    }
};

QTEST_GUILESS_MAIN(TestBenchmarks)
#include "tst_core_ir_benchmarks.moc"
