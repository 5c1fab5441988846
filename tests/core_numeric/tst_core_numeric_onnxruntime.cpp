// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Operators in float32 give the numbers of ONNX Runtime, for every type, attribute and shape of operands that they can have.
#include "core/graph/import.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/core_numeric/operator_cases.h"
#include "tests/support/onnx_runtime.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>

using namespace pim;
using nlohmann::json;

namespace {

const std::vector<test::ModelCase>& cases() {
    static const auto all = test::operatorCases();
    return all;
}

const json& golden() {
    static const json document = test::goldenNumbers("operators.json");
    return document;
}

/// Real inputs as a running network has them.
Value asRun(const Value& value) {
    if (!isRealType(value.dtype))
        return value;
    return {DataType::F32, value.shape,
            std::make_shared<const std::vector<std::byte>>(
                bytesFromReals(realsOf(*value.bytes, value.dtype), DataType::F32))};
}

/// How far apart the two may be: both compute in single precision, by approximations of their own for what is no sum.
bool isNear(double ours, double theirs) {
    constexpr double kRelative = 1e-5;
    return ours == theirs || (std::isnan(ours) && std::isnan(theirs)) ||
           std::abs(ours - theirs) <= kRelative * std::max(1.0, std::abs(theirs));
}

/// Empty where they agree.
QString difference(const Value& ours, const json& theirs) {
    const auto dims = theirs["dims"].get<Shape>();
    if (ours.shape != dims)
        return QString("shape %1, not %2").arg(shapeText(ours.shape).c_str(), shapeText(dims).c_str());
    const bool real = theirs["type"].get<std::string>().starts_with("float");
    if (real != isRealType(ours.dtype) || (!real && test::onnxRuntimeType(ours.dtype) != theirs["type"]))
        return QString("type %1, not %2")
            .arg(test::onnxRuntimeType(ours.dtype).c_str(), theirs["type"].get<std::string>().c_str());
    const auto& data = theirs["data"];
    if (!ours.bytes)
        return "no elements";
    const auto values = realsOf(*ours.bytes, ours.dtype);
    if (values.size() != data.size())
        return QString("%1 elements, not %2").arg(values.size()).arg(data.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!isNear(values[i], test::numberOf(data[i])))
            return QString("element %1 is %2, not %3")
                .arg(i)
                .arg(values[i], 0, 'g', 9)
                .arg(test::numberOf(data[i]), 0, 'g', 9);
    return {};
}

/// What is not computed, and says so; resources/help/models.md names it.
bool isDeclined(const std::string& name) {
    static const QRegularExpression declined(
        "^(NonZero|Compress) " // as many results as elements have a property
        "|^Slice .*, given"    // bounds that only a run knows
        "|^MeanVarianceNormalization "
        "|MatMulNBits .*(bits=[28] .*an order|zeros and an order)"
        "|^LayerNormalization .*epsilon=0.25$" // mean and deviation as results
        "|^Hardmax .*\\[\\]$");
    return declined.match(QString::fromStdString(name)).hasMatch();
}

} // namespace

class TestOnnxRuntime : public QObject {
    Q_OBJECT

private slots:
    void operatorsGiveItsNumbers_data() {
        QTest::addColumn<int>("index");
        QCOMPARE(golden().size(), cases().size());
        for (std::size_t i = 0; i < cases().size(); ++i)
            QTest::addRow("%s", cases()[i].name.c_str()) << static_cast<int>(i);
    }
    void operatorsGiveItsNumbers() {
        QFETCH(int, index);
        const test::ModelCase& one = cases()[static_cast<std::size_t>(index)];
        QVERIFY(golden().contains(one.name));
        const json& expected = golden()[one.name];
        const auto file =
            std::filesystem::path(m_folder.path().toStdString()) / (std::to_string(index) + ".onnx");
        test::writeFile(file, one.onnx);
        GraphOptions options;
        for (const PassRecord& pass : graphPasses())
            if (pass.name != "fold_constants" ||
                !one.name.starts_with("com.microsoft::")) // written out with some
                options.disabledPasses.insert(pass.name);
        const auto graph = loadGraph(file, options);
        QVERIFY2(graph.has_value() || expected.is_null(), graph ? "" : graph.error().text().c_str());
        std::vector<Value> inputs;
        for (const auto& [name, value] : one.inputs)
            inputs.push_back(asRun(value));
        const auto run = graph ? runReal(**graph, inputs, {}, 1) : Result<std::vector<Value>>();
        if (isDeclined(one.name)) {
            QVERIFY2(!run,
                     "it is computed now: strike it from the list, here and in resources/help/models.md");
            QCOMPARE(run.error().code, ErrorCode::Unsupported);
            return;
        }
        if (!run) {
            QVERIFY2(expected.is_null(), run.error().text().c_str());
            return;
        }
        if (expected.is_null()) // it has no kernel for this type
            return;
        QCOMPARE(run->size(), expected.size());
        for (std::size_t i = 0; i < run->size(); ++i) {
            const QString problem = difference((*run)[i], expected[i]);
            QVERIFY2(problem.isEmpty(), qPrintable(QString("result %1: %2").arg(i).arg(problem)));
        }
    }

    /// What the golden file says is what ONNX Runtime says.
    void itGivesTheNumbersOfTheGoldenFile() {
        const QString folder = test::onnxRuntimeFolder();
        if (folder.isEmpty())
            QSKIP(test::kNoOnnxRuntime);
        const json said = test::askOnnxRuntime(folder, cases());
        QCOMPARE(said.size(), cases().size());
        for (const auto& [name, results] : golden().items()) {
            QCOMPARE(said[name].is_null(), results.is_null());
            for (std::size_t i = 0; results.is_array() && i < results.size(); ++i) {
                const json &is = said[name][i], &was = results[i];
                QVERIFY2(is["dims"] == was["dims"], name.c_str());
                for (std::size_t k = 0; k < was["data"].size(); ++k)
                    QVERIFY2(isNear(test::numberOf(is["data"][k]), test::numberOf(was["data"][k])),
                             name.c_str());
            }
        }
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestOnnxRuntime)
#include "tst_core_numeric_onnxruntime.moc"
