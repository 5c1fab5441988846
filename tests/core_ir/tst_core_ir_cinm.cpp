// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/ir/dialect.h"
#include "core/ir/interpret.h"
#include "core/ir/lower/cinm_to_cnm.h"
#include "core/ir/lower/cnm_to_upmem.h"
#include "core/ir/parse.h"
#include "core/ir/verify.h"

using namespace pim::ir;
using Ints = std::vector<std::int64_t>;
using Reals = std::vector<double>;

namespace {

/// A function of one op over its arguments.
std::string oneOp(const std::string& name, const std::string& attributes,
                  const std::vector<std::string>& inputs, const std::string& outputs) {
    std::string arguments, operands, types;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::string comma = i ? ", " : "";
        arguments += comma + "%a" + std::to_string(i) + ": " + inputs[i];
        operands += comma + "%a" + std::to_string(i);
        types += comma + inputs[i];
    }
    const bool two = outputs.find(',') != std::string::npos;
    const std::string results = two ? "(" + outputs + ")" : outputs;
    return "\"func.func\"() ({\n^bb0(" + arguments + "):\n  %r" + (two ? ":2" : "") + " = \"" + name + "\"(" +
           operands + ") {" + attributes + "} : (" + types + ") -> " + results + "\n  \"func.return\"(" +
           (two ? "%r#0, %r#1" : "%r") + ") : (" + outputs + ") -> ()\n}) {function_type = (" + types +
           ") -> " + results + ", sym_name = \"f\"} : () -> ()\n";
}

struct Case {
    std::string op, attributes;
    std::vector<std::string> inputs;
    std::string outputs;
    std::vector<Reals> values;
};

/// The op itself, or spread over units and on DPUs.
enum class At { Cinm, Cnm, Upmem };

/// All elements of all results, or the message.
std::pair<Reals, QString> run(const Case& c, At level = At::Cinm, std::int64_t devices = 1,
                              std::int64_t units = 1) {
    const auto parsed = parse(oneOp(c.op, c.attributes, c.inputs, c.outputs));
    if (!parsed)
        return {{}, QString::fromStdString(parsed.error().text())};
    Module module = parsed->module;
    if (level != At::Cinm) {
        auto spread = lowerToCnm(module, [&](OperationId id) {
            return spreadEvenly(unitLoops(module, module.operation(id)), devices, units);
        });
        if (spread && level == At::Upmem)
            spread = lowerToUpmem(*spread);
        if (!spread)
            return {{}, QString::fromStdString(spread.error().text())};
        module = std::move(*spread);
        if (const auto sound = verify(module); !sound)
            return {{}, QString::fromStdString(sound.error().text())};
    }
    const Region& body = module.regionOf(module.operation(module.functions()[0]));
    std::vector<Array> arguments;
    for (std::uint32_t a = 0; a < body.argumentCount; ++a) {
        const Type& type = module.type(Module::argument(body, a));
        if (isFloat(*type.element())) {
            arguments.push_back(
                arrayOf(std::span<const double>(c.values[a]), *type.element(), type.extents()));
            continue;
        }
        const Ints whole(c.values[a].begin(), c.values[a].end());
        arguments.push_back(arrayOf(std::span<const std::int64_t>(whole), *type.element(), type.extents()));
    }
    Interpreter interpreter(module);
    const auto results = interpreter.call("f", std::move(arguments));
    if (!results)
        return {{}, QString::fromStdString(results.error().text())};
    Reals all;
    for (const Array& result : *results) {
        const Reals values = pim::ir::realsOf(result);
        all.insert(all.end(), values.begin(), values.end());
    }
    return {all, {}};
}

} // namespace

class TestCinm : public QObject {
    Q_OBJECT
private slots:
    void computes_data() {
        QTest::addColumn<Case>("given");
        QTest::addColumn<Reals>("expected");
        const auto row = [](const char* name, const Case& given, const Reals& expected) {
            QTest::newRow(name) << given << expected;
        };
        const auto t = [](const char* extents) { return "tensor<" + std::string(extents) + ">"; };
        const std::string four = t("4xi32"), bytes = t("4xi8");
        row("add wraps", {"cinm.add", "", {bytes, bytes}, bytes, {{100, -128, 3, 4}, {100, -1, 0, 1}}},
            {-56, 127, 3, 5});
        row("add a scalar", {"cinm.add", "", {four, "i32"}, four, {{1, 2, 3, 4}, {10}}}, {11, 12, 13, 14});
        row("sub", {"cinm.sub", "", {four, four}, four, {{1, 2, 3, 4}, {4, 3, 2, 1}}}, {-3, -1, 1, 3});
        row("mul", {"cinm.mul", "", {t("2xf32"), t("2xf32")}, t("2xf32"), {{1.5, 2}, {4, -0.25}}}, {6, -0.5});
        row("div", {"cinm.div", "", {four, four}, four, {{7, -7, 7, -7}, {2, 2, -2, -2}}}, {3, -3, -3, 3});
        row("div least", {"cinm.div", "", {t("1xi8"), t("1xi8")}, t("1xi8"), {{-128}, {-1}}}, {-128});
        row("min", {"cinm.min", "", {four, four}, four, {{1, 5, 3, 7}, {4, 3, 2, 9}}}, {1, 3, 2, 7});
        row("max", {"cinm.max", "", {four, "i32"}, four, {{1, 5, 3, 7}, {4}}}, {4, 5, 4, 7});
        row("and", {"cinm.and", "", {four, four}, four, {{12, 5, 3, -1}, {10, 3, 4, 9}}}, {8, 1, 0, 9});
        row("or", {"cinm.or", "", {four, four}, four, {{12, 5, 3, -1}, {10, 3, 4, 9}}}, {14, 7, 7, -1});
        row("xor", {"cinm.xor", "", {four, four}, four, {{12, 5, 3, -1}, {10, 3, 4, 9}}}, {6, 6, 7, -10});
        row("not", {"cinm.not", "", {bytes}, bytes, {{0, -1, 1, 127}}}, {-1, 0, -2, -128});
        row("gemv",
            {"cinm.gemv", "", {t("2x3xi32"), t("3xi32")}, t("2xi32"), {{1, 2, 3, 4, 5, 6}, {1, 0, -1}}},
            {-2, -2});
        row("gemm",
            {"cinm.gemm", "", {t("2x2xi32"), t("2x3xi32")}, t("2x3xi32"), {{1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}}},
            {9, 12, 15, 19, 26, 33});
        row("gemm plus",
            {"cinm.gemm",
             "",
             {t("1x2xf16"), t("2x1xf16"), t("1x1xf16")},
             t("1x1xf16"),
             {{1, 2}, {3, 4}, {0.5}}},
            {11.5});
        row("gemm wraps", {"cinm.gemm", "", {t("1x2xi8"), t("2x1xi8")}, t("1x1xi8"), {{100, 100}, {2, 1}}},
            {44});
        row("transpose",
            {"cinm.transpose",
             "perms = array<i64: 2, 0, 1>",
             {t("1x2x3xi32")},
             t("3x1x2xi32"),
             {{1, 2, 3, 4, 5, 6}}},
            {1, 4, 2, 5, 3, 6});
        row("histogram", {"cinm.histogram", "", {t("6xi32")}, t("4xi32"), {{0, 1, 1, 3, 3, 3}}},
            {1, 2, 0, 3});
        row("histogram of 12 bits",
            {"cinm.histogram", "depth = 12 : i64", {t("4xi32")}, t("4xi32"), {{0, 1023, 1024, 4095}}},
            {2, 1, 0, 1});
        row("majority", {"cinm.majority", "", {t("3x2xi8")}, t("2xi8"), {{1, 6, 3, 5, 7, 0}}}, {3, 4});
        row("majority of a tie", {"cinm.majority", "", {t("2x1xi8")}, t("1xi8"), {{1, 3}}}, {1});
        row("topk", {"cinm.topk", "", {t("5xi32")}, "tensor<3xi32>, tensor<3xi32>", {{4, 9, 1, 9, 5}}},
            {9, 9, 5, 1, 3, 4});
        row("most alike",
            {"cinm.simSearch",
             "metric = \"dot\"",
             {t("3x2xi32"), t("2xi32")},
             "tensor<2xi32>, tensor<2xi32>",
             {{1, 0, 3, 3, 0, 4}, {1, 2}}},
            {9, 8, 1, 2});
        row("nearest",
            {"cinm.simSearch",
             "metric = \"l2\"",
             {t("3x2xi32"), t("2xi32")},
             "tensor<1xi32>, tensor<1xi32>",
             {{1, 0, 3, 3, 0, 4}, {1, 2}}},
            {4, 0});
        row("smallest angle",
            {"cinm.simSearch",
             "metric = \"cos\"",
             {t("2x2xf64"), t("2xf64")},
             "tensor<1xf64>, tensor<1xi32>",
             {{4, 3, 100, 0}, {8, 6}}},
            {1, 0});
        row("merge",
            {"cinm.mergePartial",
             "dir = \"horizontal\", op = \"add\"",
             {four, four},
             four,
             {{1, 2, 3, 4}, {4, 3, 2, 1}}},
            {5, 5, 5, 5});
        row("popCount", {"cinm.popCount", "", {bytes}, bytes, {{0, -1, 1, 127}}}, {0, 8, 1, 7});
        row("reduce all",
            {"cinm.reduce", "op = \"add\"", {t("2x3xi32")}, "tensor<i32>", {{1, 2, 3, 4, 5, 6}}}, {21});
        row("reduce one",
            {"cinm.reduce",
             "dimensions = array<i64: 0>, op = \"max\"",
             {t("2x3xi32")},
             t("3xi32"),
             {{1, 5, 3, 4, 2, 6}}},
            {4, 5, 6});
        row("reduce outer and inner",
            {"cinm.reduce",
             "dimensions = array<i64: 0, 2>, op = \"mul\"",
             {t("2x2x2xf32")},
             t("2xf32"),
             {{1, 2, 3, 4, 5, 6, 7, 8}}},
            {60, 672});
        row("scan",
            {"cinm.scan",
             "dimension = 1 : i64, op = \"add\"",
             {t("2x3xi32")},
             t("2x3xi32"),
             {{1, 2, 3, 4, 5, 6}}},
            {1, 3, 6, 4, 9, 15});
        row("scan down",
            {"cinm.scan",
             "dimension = 0 : i64, op = \"min\"",
             {t("2x3xi32")},
             t("2x3xi32"),
             {{1, 9, 3, 4, 5, 2}}},
            {1, 9, 3, 1, 5, 2});
    }
    void computes() {
        QFETCH(Case, given);
        QFETCH(Reals, expected);
        const auto [values, error] = run(given);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QCOMPARE(values, expected);
        for (const auto& [devices, units] : {std::pair{1, 1}, {1, 2}, {3, 2}, {7, 5}})
            for (const At level : {At::Cnm, At::Upmem}) {
                const auto [again, problem] = run(given, level, devices, units);
                QVERIFY2(problem.isEmpty(), qPrintable(problem));
                QCOMPARE(again, expected);
            }
    }

    void everyOpIsComputedAndExplained() {
        QCOMPARE(dialects()[1]->name, std::string_view("cinm"));
        for (const OpDef& op : dialects()[1]->ops) {
            QVERIFY2(op.run, op.name.data());
            QVERIFY2(op.meaning.size() > 10 && op.meaning.ends_with('.'), op.name.data());
        }
    }

    void refuses_data() {
        QTest::addColumn<Case>("given");
        QTest::addColumn<QString>("message");
        const std::string four = "tensor<4xi32>";
        QTest::newRow("inner extents")
            << Case{"cinm.gemm", "", {"tensor<4x64xi32>", "tensor<32x4xi32>"}, "tensor<4x4xi32>", {}}
            << "K is 64 in operand 0 and 32 in operand 1";
        QTest::newRow("elements")
            << Case{"cinm.gemm", "", {"tensor<4x4xi32>", "tensor<4x4xi8>"}, "tensor<4x4xi32>", {}}
            << "operand 1 is tensor<4x4xi8>, expected elements of type i32";
        QTest::newRow("shape") << Case{"cinm.add", "", {four, "tensor<5xi32>"}, four, {}}
                               << "operand 1 is tensor<5xi32>, expected tensor<4xi32> or i32";
        QTest::newRow("reals have no bits")
            << Case{"cinm.and", "", {"tensor<4xf32>", "tensor<4xf32>"}, "tensor<4xf32>", {}}
            << "has no meaning for tensor<4xf32>";
        QTest::newRow("kind") << Case{"cinm.reduce", "op = \"avg\"", {four}, "tensor<i32>", {}}
                              << "'op' is \"avg\"";
        QTest::newRow("too many")
            << Case{"cinm.topk", "", {"tensor<2xi32>"}, "tensor<3xi32>, tensor<3xi32>", {}}
            << "asks for 3 of 2";
        QTest::newRow("perms")
            << Case{"cinm.transpose", "perms = array<i64: 0, 0>", {"tensor<2x2xi32>"}, "tensor<2x2xi32>", {}}
            << "perms [0, 0] do not make";
        QTest::newRow("by zero") << Case{"cinm.div", "", {four, four}, four, {{1, 2, 3, 4}, {1, 1, 0, 1}}}
                                 << "divides by zero";
        QTest::newRow("bins") << Case{"cinm.histogram", "", {four}, "tensor<2xi32>", {{0, 1, 2, 1}}}
                              << "element 2 is 2, beyond the 2 bins";
    }
    void refuses() {
        QFETCH(Case, given);
        QFETCH(QString, message);
        const auto [values, error] = run(given);
        QVERIFY2(error.contains(message), qPrintable(error));
    }
};

QTEST_GUILESS_MAIN(TestCinm)
#include "tst_core_ir_cinm.moc"
