// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Operators in float32 give the numbers of ONNX Runtime, for every type, attribute and shape of operands that they can have.
/// PIM_ONNXRUNTIME=FOLDER, a folder `node_modules` with the npm package onnxruntime-node, asks it again, where the default is
/// `npm root --global`; PIM_ONNXRUNTIME_WRITE=FILE writes what it says.
#include "core/graph/import.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/core_numeric/operator_cases.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <set>

using namespace pim;
using nlohmann::json;

namespace {

const std::string kFolder = PIM_SOURCE_DIR "/tests/";

const std::vector<test::OperatorCase>& cases() {
    static const auto all = test::operatorCases();
    return all;
}

const json& golden() {
    static const json document = [] {
        std::ifstream file(kFolder + "golden/numeric/operators.json");
        return json::parse(file);
    }();
    return document;
}

/// As ONNX Runtime's JavaScript calls them.
std::string typeName(DataType type) {
    static const std::map<DataType, std::string> names{
        {DataType::F32, "float32"}, {DataType::F64, "float64"}, {DataType::F16, "float16"},
        {DataType::I8, "int8"},     {DataType::U8, "uint8"},    {DataType::I16, "int16"},
        {DataType::U16, "uint16"},  {DataType::I32, "int32"},   {DataType::U32, "uint32"},
        {DataType::I64, "int64"},   {DataType::U64, "uint64"},  {DataType::Bool, "bool"}};
    return names.at(type);
}

double numberOf(const json& value) {
    if (value.is_string()) // what JSON has no number for
        return value == "NaN" ? std::nan("") : value == "Infinity" ? HUGE_VAL : -HUGE_VAL;
    return value.get<double>();
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
    if (real != isRealType(ours.dtype) || (!real && typeName(ours.dtype) != theirs["type"]))
        return QString("type %1, not %2")
            .arg(typeName(ours.dtype).c_str(), theirs["type"].get<std::string>().c_str());
    const auto& data = theirs["data"];
    if (!ours.bytes)
        return "no elements";
    const auto values = realsOf(*ours.bytes, ours.dtype);
    if (values.size() != data.size())
        return QString("%1 elements, not %2").arg(values.size()).arg(data.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!isNear(values[i], numberOf(data[i])))
            return QString("element %1 is %2, not %3")
                .arg(i)
                .arg(values[i], 0, 'g', 9)
                .arg(numberOf(data[i]), 0, 'g', 9);
    return {};
}

/// What is not computed, and says so; resources/help/models.md names it.
bool isDeclined(const std::string& name) {
    static const QRegularExpression declined(
        "^(NonZero|Compress) " // as many results as elements have a property
        "|^Slice .*, given"    // bounds that only a run knows
        "|^MatMul 13 [iu]"     // products of whole numbers
        "|^(MatMulInteger|ConvInteger|DynamicQuantizeLinear|Einsum|MeanVarianceNormalization) "
        "|^(EyeLike|TopK|OneHot|ReverseSequence) "
        "|^(MaxPool|AveragePool|LpPool|Conv) 11 f32\\[1, 2, 3, 4, 3\\]" // three spatial axes
        "|^MaxPool 12 [iu]8"
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
        const test::OperatorCase& one = cases()[static_cast<std::size_t>(index)];
        QVERIFY(golden().contains(one.name));
        const json& expected = golden()[one.name];
        const auto file = std::filesystem::path(m_folder.path().toStdString()) / (std::to_string(index) + ".onnx");
        test::writeFile(file, one.onnx);
        GraphOptions options;
        for (const PassRecord& pass : graphPasses())
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
        QString modules = qEnvironmentVariable("PIM_ONNXRUNTIME");
        const QString node = QStandardPaths::findExecutable("node"),
                      npm = QStandardPaths::findExecutable("npm");
        if (modules.isEmpty() && !npm.isEmpty())
            modules = outputOf(npm, {"root", "--global"}).trimmed();
        if (node.isEmpty() || !QFile::exists(modules + "/onnxruntime-node"))
            QSKIP("ONNX Runtime is not there: npm install --global --ignore-scripts onnxruntime-node");
        const std::filesystem::path folder = m_folder.path().toStdString();
        json all = json::array();
        for (std::size_t i = 0; i < cases().size(); ++i) {
            const test::OperatorCase& one = cases()[i];
            const std::string file = std::to_string(i) + ".onnx";
            test::writeFile(folder / file, one.onnx);
            json inputs = json::array();
            for (const auto& [name, value] : one.inputs)
                inputs.push_back({{"name", name},
                                  {"type", typeName(value.dtype)},
                                  {"dims", value.shape},
                                  {"data", QByteArray(reinterpret_cast<const char*>(value.bytes->data()),
                                                      qsizetype(value.bytes->size()))
                                               .toBase64()
                                               .toStdString()}});
            all.push_back({{"name", one.name}, {"model", file}, {"inputs", inputs}});
        }
        test::writeFile(folder / "cases.json", all.dump());
        const QByteArray output =
            outputOf(node, {QString::fromStdString(kFolder + "core_numeric/run_onnxruntime.js"), modules,
                            m_folder.path()});
        if (const QString file = qEnvironmentVariable("PIM_ONNXRUNTIME_WRITE"); !file.isEmpty())
            test::writeFile(file.toStdString(), output.toStdString());
        const json said = json::parse(output.toStdString(), nullptr, false);
        QCOMPARE(said.size(), cases().size());
        for (const auto& [name, results] : golden().items()) {
            QCOMPARE(said[name].is_null(), results.is_null());
            for (std::size_t i = 0; results.is_array() && i < results.size(); ++i) {
                const json &is = said[name][i], &was = results[i];
                QVERIFY2(is["dims"] == was["dims"], name.c_str());
                for (std::size_t k = 0; k < was["data"].size(); ++k)
                    QVERIFY2(isNear(numberOf(is["data"][k]), numberOf(was["data"][k])), name.c_str());
            }
        }
    }

private:
    static QByteArray outputOf(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(program, arguments);
        process.closeWriteChannel();
        return process.waitForFinished(120000) && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                          : QByteArray();
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestOnnxRuntime)
#include "tst_core_numeric_onnxruntime.moc"
