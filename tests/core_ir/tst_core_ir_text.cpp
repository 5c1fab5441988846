// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/base/split_mix.h"
#include "core/ir/interpret.h"
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "core/ir/slices.h"
#include "core/ir/verify.h"
#include "tests/support/mlir_opt.h"

using namespace pim::ir;

namespace {

/// C = A x B by tiles of 2 rows, with every kind of attribute and type there is.
Module sample() {
    Module module("tiled");
    Builder to(module);
    to.setLocation({{"MatMul_3"}, "cinm", {OperationId(4), OperationId(7)}});
    const Type a = Type::tensor({4, 3}, Scalar::I32), b = Type::tensor({3, 5}, Scalar::I32),
               c = Type::tensor({4, 5}, Scalar::I32);
    const ValueId first = to.beginFunction("main", {a, b}, {c}, {{"arg_names", texts({"x", "w \"1\"\n"})}});
    const ValueId second(first.value + 1);
    const ValueId zero = to.constant(c, 0);
    const auto loop = to.beginFor(4, 2, {&zero, 1});
    const ValueId rows = extractSlice(to, first, {loop.variable, 0}, {2, 3});
    const ValueId part = to.value("cinm.gemm", {rows, second}, Type::tensor({2, 5}, Scalar::I32));
    const ValueId whole = insertSlice(to, part, loop.carried, {loop.variable, 0}, {2, 5});
    ValueId result = to.endFor(loop, {&whole, 1});
    to.setLocation({});
    const AffineExpr d0 = AffineExpr::dim(0), d1 = AffineExpr::dim(1);
    result = to.value("cinm.add", {result, to.constant(Type::scalar(Scalar::I32), -7)}, c,
                      {{"flag", unit()},
                       {"fraction", real(0.1, Scalar::F32)},
                       {"none", real(std::numeric_limits<double>::quiet_NaN(), Scalar::F16)},
                       {"list", {std::vector<Attribute>{integer(1), text("a"), {SymbolAttribute{"main"}}}}},
                       {"map", affine({2, {mod(d0 * 4 + d1, 3), floorDiv(d0 + d1, 2) + d1 * -1}})},
                       {"on", {Type::dialect("cnm.buffer", {4, 8}, Scalar::I8, {2, 32}, 1)}},
                       {"sizes", ints({1, -2}, Scalar::I32)}});
    to.endFunction({&result, 1});
    return module;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

} // namespace

class TestText : public QObject {
    Q_OBJECT
private slots:
    void printsWhatItParses() {
        const Module module = sample();
        const auto verified = verify(module);
        QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
        const PrintedModule printed = print(module);
        const auto parsed = parse(printed.text);
        QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
        QCOMPARE(print(parsed->module).text, printed.text);
        QCOMPARE(parsed->module.level(), std::string("tiled"));
        for (std::size_t i = 0; i < module.size(); ++i) {
            QCOMPARE(parsed->lines[i], printed.lines[i].first + 1);
            const auto& op = parsed->module.operations()[i];
            QCOMPARE(parsed->module.location(op), module.location(module.operations()[i]));
        }
    }

    void mlirOptReadsIt() {
        if (!pim::test::hasMlirOpt())
            QSKIP("mlir-opt-16 is not installed");
        QCOMPARE(pim::test::mlirOptSays(print(sample()).text), QString());
        QVERIFY(!pim::test::mlirOptSays(replaced(print(sample()).text, "tensor<2x3xi32>", "tensor<2x4xi32>"))
                     .isEmpty());
    }

    void runs() {
        const Module module = sample();
        Interpreter interpreter(module);
        std::vector<std::int64_t> a(12), b(15), expected;
        for (std::int64_t i = 0; i < 15; ++i) {
            a[static_cast<std::size_t>(i % 12)] = i * i - 5;
            b[static_cast<std::size_t>(i)] = 3 - i;
        }
        for (std::size_t r = 0; r < 4; ++r)
            for (std::size_t c = 0; c < 5; ++c)
                expected.push_back(a[3 * r] * b[c] + a[3 * r + 1] * b[5 + c] + a[3 * r + 2] * b[10 + c] - 7);
        const auto results =
            interpreter.call("main", {arrayOf(std::span<const std::int64_t>(a), Scalar::I32, {4, 3}),
                                      arrayOf(std::span<const std::int64_t>(b), Scalar::I32, {3, 5})});
        QVERIFY2(results, results ? "" : results.error().text().c_str());
        QCOMPARE(pim::ir::intsOf(results->front()), expected);
    }

    void saysWhatIsWrongAndWhere_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("message");
        QTest::newRow("unknown op") << "cinm.gemm"
                                    << "cinm.gem"
                                    << "'cinm.gem' is no op of cinm";
        QTest::newRow("unknown dialect") << "cinm.gemm"
                                         << "cimm.gemm"
                                         << "there are host, cinm";
        QTest::newRow("shape") << "(tensor<2x3xi32>, tensor<3x5xi32>)"
                               << "(tensor<2x3xi32>, tensor<3x4xi32>)"
                               << "this operand is tensor<3x5xi32>, but tensor<3x4xi32> is said here";
        QTest::newRow("extents do not meet") << "^bb0(%0: tensor<4x3xi32>, %1: tensor<3x5xi32>)"
                                             << "^bb0(%0: tensor<4x3xi32>, %1: tensor<2x5xi32>)"
                                             << "this operand is tensor<2x5xi32>";
        QTest::newRow("undefined") << "gemm\"(%9"
                                   << "gemm\"(%99"
                                   << "%99 is not set before it is used";
        QTest::newRow("cyclic") << "gemm\"(%9"
                                << "gemm\"(%10"
                                << "%10 is not set before it is used";
        QTest::newRow("twice") << "%10 = \"cinm"
                               << "%9 = \"cinm"
                               << "%9 is set a second time";
        QTest::newRow("zero") << "tensor<4x5xi32>"
                              << "tensor<0x5xi32>"
                              << "extents are from 1 on";
        QTest::newRow("too large") << "tensor<4x5xi32>"
                                   << "tensor<99999999x99999999xi32>"
                                   << "at most 1099511627776 elements";
        QTest::newRow("element") << "tensor<4x5xi32>"
                                 << "tensor<4x5xi31>"
                                 << "'i31' is no type of elements";
        QTest::newRow("no end") << "}) {arg"
                                << "} {arg"
                                << "this region does not end";
        QTest::newRow("reach") << "array<i64: 2, 3>"
                               << "array<i64: 5, 3>"
                               << "takes 5 by 1 from 0 on of dimension 0";
    }
    void saysWhatIsWrongAndWhere() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        QFETCH(QString, message);
        const std::string good = print(sample()).text;
        const std::string bad = replaced(good, what.toStdString(), by.toStdString());
        QVERIFY(bad != good);
        const auto parsed = parse(bad, "bad.mlir");
        QVERIFY(!parsed);
        const QString text = QString::fromStdString(parsed.error().text());
        QVERIFY2(text.contains(message), qPrintable(text));
        QVERIFY2(text.startsWith("bad.mlir:"), qPrintable(text));
        QVERIFY(QString::fromStdString(excerpt(bad, parsed.error())).contains("^"));
    }

    void caretStandsUnderThePlace() {
        const auto parsed = parse("\"cinm.nothing\"() : () -> ()", "x");
        QVERIFY(!parsed);
        QCOMPARE(excerpt("\"cinm.nothing\"() : () -> ()", parsed.error()),
                 std::string("    \"cinm.nothing\"() : () -> ()\n    ^\n"));
    }

    /// Damaged texts are read or refused, never worse, and what is read prints the same twice.
    void survivesDamage() {
        const std::string good = print(sample()).text;
        std::uint64_t random = 1;
        int read = 0;
        for (int i = 0; i < 100000; ++i) {
            std::string text = good;
            for (std::uint64_t edits = 1 + pim::nextRandom(random) % 3; edits > 0; --edits) {
                const std::size_t at = pim::nextRandom(random) % text.size();
                switch (pim::nextRandom(random) % 4) {
                case 0:
                    text[at] = static_cast<char>(pim::nextRandom(random) % 128);
                    break;
                case 1:
                    text.erase(at, 1 + pim::nextRandom(random) % 9);
                    break;
                case 2:
                    text.insert(
                        at, text.substr(pim::nextRandom(random) % text.size(), pim::nextRandom(random) % 12));
                    break;
                default:
                    text[at] = "0123456789%#<>(){}[]\",:"[pim::nextRandom(random) % 23];
                    break;
                }
                if (text.empty())
                    text = " ";
            }
            const auto parsed = parse(text);
            if (!parsed) {
                QVERIFY(!parsed.error().message.empty());
                continue;
            }
            ++read;
            const std::string once = print(parsed->module).text;
            const auto again = parse(once);
            QVERIFY2(again, again ? "" : (again.error().text() + "\n" + once).c_str());
            QVERIFY2(print(again->module).text == once,
                     (text + "\n---\n" + once + "\n---\n" + print(again->module).text).c_str());
        }
        QVERIFY(read > 100);
    }
};

QTEST_GUILESS_MAIN(TestText)
#include "tst_core_ir_text.moc"
