// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/execute/sample_weights.h"
#include "core/graph/import.h"
#include "core/ir/contraction.h"
#include "core/ir/dialect.h"
#include "core/ir/from_graph.h"
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "core/ir/verify.h"
#include "core/numeric/real_run.h"
#include "tests/support/mlir_opt.h"

#include <cmath>

using namespace pim;

namespace {

std::shared_ptr<const Graph> load(const QString& model, bool fused) {
    GraphOptions options;
    if (!fused)
        for (const PassRecord& pass : graphPasses())
            if (pass.name.starts_with("fuse_"))
                options.disabledPasses.insert(pass.name);
    const auto graph =
        loadGraph((QStringLiteral(PIM_SOURCE_DIR "/projects/") + model).toStdString(), options);
    if (!graph)
        return nullptr;
    return withSampleWeights(*graph, 7).value_or(nullptr);
}

double relativeError(const Value& a, const Value& b) {
    const auto x = elements<float>(a), y = elements<float>(b);
    double worst = 0, largest = 1e-30;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, std::abs(double{x[i]} - double{y[i]}));
        largest = std::max(largest, std::abs(double{x[i]}));
    }
    return x.size() == y.size() ? worst / largest : 1e30;
}

} // namespace

class TestGraph : public QObject {
    Q_OBJECT
private slots:
    void networksAreCinmPrograms_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("fused");
        QTest::addColumn<int>("products"); ///< cinm.gemm and cinm.gemv.
        QTest::addColumn<int>("onHost");
        QTest::addColumn<bool>("run");
        QTest::newRow("tiny-gpt") << "tiny-gpt/tiny-gpt.onnx" << true << 9 << 16 << true;
        QTest::newRow("tiny-gpt, attention in its parts")
            << "tiny-gpt/tiny-gpt.onnx" << false << 13 << 21 << true;
        QTest::newRow("MobileNetV2") << "mobilenetv2/mobilenetv2.onnx" << true << 36 << 18 << true;
        QTest::newRow("ResNet-50") << "resnet50/resnet50.onnx" << true << 54 << 2 << false;
    }
    void networksAreCinmPrograms() {
        QFETCH(QString, model);
        QFETCH(bool, fused);
        QFETCH(int, products);
        QFETCH(int, onHost);
        QFETCH(bool, run);
        const auto graph = load(model, fused);
        QVERIFY(graph);
        const auto program = ir::fromGraph(graph);
        QVERIFY2(program, program ? "" : program.error().text().c_str());
        const auto verified = ir::verify(program->module);
        QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
        int foundProducts = 0, foundOnHost = 0;
        for (const ir::Operation& op : program->module.operations()) {
            foundProducts += op.def->name == "cinm.gemm" || op.def->name == "cinm.gemv";
            foundOnHost += op.def->name == "host.run";
            if (op.def->name == "host.run")
                QVERIFY(!ir::textOr(op, "reason", {}).empty());
        }
        QCOMPARE(foundProducts, products);
        QCOMPARE(foundOnHost, onHost);
        const std::string text = ir::print(program->module).text;
        const auto parsed = ir::parse(text);
        QVERIFY2(parsed, parsed ? "" : parsed.error().text().c_str());
        QCOMPARE(ir::print(parsed->module).text, text);
        if (pim::test::hasMlirOpt())
            QCOMPARE(pim::test::mlirOptSays(text), QString());
        if (!run)
            return;
        const auto inputs = sampleInputs(*graph, 3);
        QVERIFY(inputs);
        const auto expected = runReal(*graph, *inputs);
        QVERIFY2(expected, expected ? "" : expected.error().text().c_str());
        auto arguments = ir::argumentsOf(*program, *inputs);
        QVERIFY2(arguments, arguments ? "" : arguments.error().text().c_str());
        ir::Interpreter interpreter(program->module, ir::onHost(*graph));
        const auto results = interpreter.call("main", std::move(*arguments));
        QVERIFY2(results, results ? "" : results.error().text().c_str());
        QCOMPARE(results->size(), expected->size());
        for (std::size_t i = 0; i < results->size(); ++i) {
            const double error = relativeError((*expected)[i], ir::valueOf((*results)[i]));
            QVERIFY2(error < 1e-4, qPrintable(QString::number(error)));
        }
    }

    void contractionsAreGemms_data() {
        QTest::addColumn<QString>("equation");
        QTest::addColumn<Shape>("left");
        QTest::addColumn<Shape>("right");
        QTest::newRow("matrices") << "mk,kn->mn" << Shape{3, 4} << Shape{4, 5};
        QTest::newRow("vector") << "mk,k->m" << Shape{3, 4} << Shape{4};
        QTest::newRow("turned") << "km,nk->nm" << Shape{4, 3} << Shape{5, 4};
        QTest::newRow("long") << "acd,dbc->ab" << Shape{2, 3, 4} << Shape{4, 5, 3};
        QTest::newRow("mixed") << "abcd,debf->acfe" << Shape{2, 3, 4, 5} << Shape{5, 2, 3, 4};
        QTest::newRow("batch") << "bik,bkj->bij" << Shape{3, 2, 4} << Shape{3, 4, 5};
        QTest::newRow("batch turned") << "ibk,kjb->jib" << Shape{2, 3, 4} << Shape{4, 5, 3};
        QTest::newRow("outer") << "a,b->ab" << Shape{3} << Shape{4};
        QTest::newRow("inner") << "a,a->" << Shape{6} << Shape{6};
        QTest::newRow("no arrow") << "ab, bc" << Shape{2, 3} << Shape{3, 2};
    }
    /// Against the definition: a sum over all letters.
    void contractionsAreGemms() {
        QFETCH(QString, equation);
        QFETCH(Shape, left);
        QFETCH(Shape, right);
        const auto what = ir::parseContraction(equation.toStdString());
        QVERIFY2(what, what ? "" : what.error().text().c_str());
        std::map<char, std::int64_t> extent;
        for (std::size_t d = 0; d < left.size(); ++d)
            extent[what->left[d]] = left[d];
        for (std::size_t d = 0; d < right.size(); ++d)
            extent[what->right[d]] = right[d];
        Shape out;
        for (const char c : what->out)
            out.push_back(extent[c]);

        ir::Module module("cinm");
        ir::Builder to(module);
        const auto i32 = [](const Shape& shape) { return ir::Type::tensor(shape, ir::Scalar::I32); };
        const ir::ValueId first = to.beginFunction("f", {i32(left), i32(right)}, {i32(out)});
        const ir::ValueId result = ir::contract(to, *what, first, ir::ValueId(first.value + 1));
        to.endFunction({&result, 1});
        const auto verified = ir::verify(module);
        QVERIFY2(verified, verified ? "" : verified.error().text().c_str());
        if (pim::test::hasMlirOpt())
            QCOMPARE(pim::test::mlirOptSays(ir::print(module).text), QString());

        const auto filled = [](const Shape& shape, std::int64_t seed) {
            ir::Array array = ir::Array::make(ir::Scalar::I32, shape);
            std::vector<std::int64_t> values(static_cast<std::size_t>(array.count()));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = static_cast<std::int64_t>(i * 7 % 11) - seed;
            return ir::arrayOf(std::span<const std::int64_t>(values), ir::Scalar::I32, shape);
        };
        const ir::Array a = filled(left, 5), b = filled(right, 3);
        ir::Interpreter interpreter(module);
        const auto results = interpreter.call("f", {a, b});
        QVERIFY2(results, results ? "" : results.error().text().c_str());

        std::vector<std::int64_t> expected(static_cast<std::size_t>(results->front().count()));
        std::map<char, std::int64_t> at;
        const auto position = [&](const std::string& letters, const Shape& shape) {
            std::int64_t p = 0;
            for (std::size_t d = 0; d < shape.size(); ++d)
                p = p * shape[d] + at[letters[d]];
            return static_cast<std::size_t>(p);
        };
        const auto x = ir::intsOf(a), y = ir::intsOf(b);
        std::int64_t total = 1;
        for (const auto& [letter, size] : extent)
            total *= size;
        for (std::int64_t i = 0; i < total; ++i) {
            std::int64_t rest = i;
            for (const auto& [letter, size] : extent) {
                at[letter] = rest % size;
                rest /= size;
            }
            expected[position(what->out, out)] +=
                x[position(what->left, left)] * y[position(what->right, right)];
        }
        QCOMPARE(ir::intsOf(results->front()), expected);
    }

    void refusesWhatIsNoContraction_data() {
        QTest::addColumn<QString>("equation");
        for (const char* equation :
             {"ab->ba", "a,b,c->abc", "aa,ab->b", "...a,ab->b", "ab,cd->acd", "ab,bc->abx", ""})
            QTest::newRow(equation[0] ? equation : "nothing") << equation;
    }
    void refusesWhatIsNoContraction() {
        QFETCH(QString, equation);
        QVERIFY(!ir::parseContraction(equation.toStdString()));
    }
};

QTEST_GUILESS_MAIN(TestGraph)
#include "tst_core_ir_graph.moc"
