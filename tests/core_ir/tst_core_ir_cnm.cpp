// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs spread over processing units: the same numbers on every level, whatever the sizes.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/base/split_mix.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/dialect.h"
#include "core/ir/levels.h"
#include "core/ir/lower/cinm_to_cnm.h"
#include "core/ir/lower/cnm_to_upmem.h"
#include "core/ir/parse.h"
#include "tests/support/mlir_opt.h"

using namespace pim::ir;
using pim::Shape;

namespace {

pim::Result<std::vector<Level>> lowered(Module module, std::int64_t devices, std::int64_t units) {
    const auto evenly = [=](const Module& cinm) {
        return lowerToCnm(cinm, [&cinm, devices, units](OperationId id) {
            return spreadEvenly(unitLoops(cinm, cinm.operation(id)), devices, units);
        });
    };
    return lowerAll(std::move(module),
                    {{"cnm", evenly}, {"upmem", [](const Module& cnm) { return lowerToUpmem(cnm); }}});
}

QString differs(const Module& module, const std::vector<Array>& arguments,
                const std::vector<Array>& expected) {
    Interpreter interpreter(module);
    const auto results = interpreter.call("main", arguments);
    if (!results)
        return QString::fromStdString(results.error().text());
    for (std::size_t r = 0; r < expected.size(); ++r)
        if (intsOf((*results)[r]) != intsOf(expected[r]))
            return QString("result %1 is another").arg(r);
    return {};
}

std::size_t countOf(const Module& module, std::string_view op) {
    return static_cast<std::size_t>(
        std::ranges::count(module.operations(), op, [](const Operation& o) { return o.def->name; }));
}

} // namespace

class TestCnm : public QObject {
    Q_OBJECT
private slots:
    void benchmarks_data() {
        QTest::addColumn<const Benchmark*>("benchmark");
        for (const Benchmark& benchmark : pim::ir::benchmarks())
            QTest::newRow(benchmark.name.data()) << &benchmark;
    }
    void benchmarks() {
        QFETCH(const Benchmark*, benchmark);
        const auto arguments = sampleArguments(*benchmark, benchmark->small, 5);
        const auto expected = expectedResults(*benchmark, benchmark->small, arguments);
        for (const auto& [devices, units] : {std::pair{1, 1}, {4, 3}, {64, 16}}) {
            const auto levels = lowered(build(*benchmark, benchmark->small), devices, units);
            QVERIFY2(levels, levels ? "" : levels.error().text().c_str());
            QCOMPARE(levels->size(), std::size_t{3});
            for (const Level& level : *levels) {
                QCOMPARE(differs(*level.module, arguments, expected), QString());
                const auto parsed = parse(level.printed.text);
                QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
                QCOMPARE(print(parsed->module).text, level.printed.text);
                if (devices == 4 && pim::test::hasMlirOpt())
                    QCOMPARE(pim::test::mlirOptSays(level.printed.text), QString());
            }
            QVERIFY(countOf(*(*levels)[1].module, "cnm.launch") > 0);
            QCOMPARE(countOf(*(*levels)[2].module, "upmem.launch"),
                     countOf(*(*levels)[1].module, "cnm.launch"));
        }
    }

    /// Sizes that nothing divides, on as many units as there may be, in any element type.
    void productsOfAnySize() {
        std::uint64_t random = 3;
        const auto upTo = [&](std::uint64_t most) {
            return 1 + static_cast<std::int64_t>(pim::nextRandom(random) % most);
        };
        for (int i = 0; i < 200; ++i) {
            const Shape s{upTo(20), upTo(20), upTo(20)};
            const Scalar element = std::array{Scalar::I8, Scalar::I16, Scalar::I32,
                                              Scalar::I64}[static_cast<std::size_t>(i) % 4];
            Module made("cinm");
            Builder to(made);
            const Type a = Type::tensor({s[0], s[1]}, element), b = Type::tensor({s[1], s[2]}, element),
                       c = Type::tensor({s[0], s[2]}, element);
            const ValueId first = to.beginFunction("main", {a, b}, {c});
            const ValueId product = to.value("cinm.gemm", {first, ValueId(first.value + 1)}, c);
            to.endFunction({&product, 1});
            std::vector<Array> arguments;
            for (const Type& type : {a, b}) {
                std::vector<std::int64_t> values(static_cast<std::size_t>(type.count()));
                for (std::int64_t& value : values)
                    value = static_cast<std::int64_t>(pim::nextRandom(random));
                arguments.push_back(arrayOf(std::span<const std::int64_t>(values), element, type.extents()));
            }
            Interpreter interpreter(made);
            const auto expected = interpreter.call("main", arguments);
            QVERIFY(expected);
            const auto levels = lowered(made, upTo(40), upTo(16));
            QVERIFY2(levels, levels ? "" : levels.error().text().c_str());
            for (const Level& level : *levels)
                QCOMPARE(differs(*level.module, arguments, *expected), QString());
        }
    }

    /// What all units need is kept once: B of a product whose rows alone are shared.
    void sharedArraysAreSentOnce() {
        const Benchmark* mm = findBenchmark("mm");
        const auto levels = lowered(build(*mm, {64, 32, 8}), 8, 4);
        QVERIFY(levels);
        std::vector<std::string> transfers;
        for (const Operation& op : (*levels)[2].module->operations())
            if (op.def->name == "upmem.scatter")
                transfers.emplace_back(textOr(op, "transfer", {}));
        QCOMPARE(transfers, (std::vector<std::string>{"parallel", "broadcast"}));
        QVERIFY((*levels)[1].printed.text.find("!cnm.buffer<8x32xi32 on 8x4, level 2>") != std::string::npos);
        QVERIFY((*levels)[1].printed.text.find("((d0 * 4 + d1) * 2 + d2, d3)>") != std::string::npos);
    }

    void everyOpComesFromAbove() {
        const Benchmark* mlp = findBenchmark("mlp");
        const auto levels = lowered(build(*mlp, mlp->small), 4, 4);
        QVERIFY(levels);
        for (std::size_t l = 1; l < levels->size(); ++l)
            for (const Operation& op : (*levels)[l].module->operations()) {
                const Location& from = (*levels)[l].module->location(op);
                QCOMPARE(from.level, (*levels)[l - 1].name);
                QVERIFY(!from.parents.empty());
            }
    }

    void mappingsAreText() {
        const std::vector<UnitLoop> loops{{"m", 100}, {"n", 10}, {"k", 64, true}};
        QCOMPARE(text(spreadEvenly(loops, 8, 4), loops), std::string("7 x 4: 4 m"));
        QCOMPARE(text(spreadEvenly(loops, 400, 16), loops), std::string("400 x 15: 1 m, 1 n, 13 k"));
    }
};

QTEST_GUILESS_MAIN(TestCnm)
#include "tst_core_ir_cnm.moc"
