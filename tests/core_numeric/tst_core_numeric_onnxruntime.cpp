// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Operators in float32 give the numbers of ONNX Runtime, for every type, attribute and shape of operands that they can have.
#include "core/graph/exporter_ops.h"
#include "core/graph/import.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"
#include "tests/core_numeric/operator_cases.h"
#include "tests/support/onnx_runtime.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

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
        "|^LayerNormalization .*epsilon=0.25$" // mean and deviation as results
        "|^Hardmax .*\\[\\]$");
    return declined.match(QString::fromStdString(name)).hasMatch();
}

/// Where ONNX Runtime leaves zero points out, or has no kernel of that width: numbers are those of the definition (blocksInAnOrder).
bool isByDefinition(const std::string& name) {
    static const QRegularExpression defined("MatMulNBits .*(bits=[28] .*an order|zeros and an order)");
    return defined.match(QString::fromStdString(name)).hasMatch();
}

/// Without passes; what is written out has constants, which stay.
Result<std::vector<Value>> runOf(const test::ModelCase& one, const std::filesystem::path& file) {
    test::writeFile(file, one.onnx);
    const std::string type = one.name.substr(0, one.name.find(' '));
    const bool isWrittenOut = std::ranges::count(exporterOps(), type) > 0;
    GraphOptions options;
    for (const PassRecord& pass : graphPasses())
        if (pass.name != "fold_constants" || !isWrittenOut)
            options.disabledPasses.insert(pass.name);
    PIM_TRY(const auto graph, loadGraph(file, options));
    std::vector<Value> inputs;
    for (const auto& [name, value] : one.inputs)
        inputs.push_back(asRun(value));
    return runReal(*graph, inputs, {}, 1);
}

/// Empty where all results agree.
QString difference(const std::vector<Value>& ours, const json& theirs) {
    if (ours.size() != theirs.size())
        return QString("%1 results, not %2").arg(ours.size()).arg(theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (const QString problem = difference(ours[i], theirs[i]); !problem.isEmpty())
            return QString("result %1: %2").arg(i).arg(problem);
    return {};
}

constexpr std::int64_t kOldestOpset = 7, kNewestOpset = 23;

std::string typeOf(const std::string& name) {
    return name.substr(0, name.find(' '));
}

/// Of each operator, for each operator set that its cases are of, the first that ONNX Runtime computes.
std::set<std::string> formsOfOperators() {
    std::set<std::string> seen, names;
    for (const test::ModelCase& one : cases()) {
        const std::string form = one.name.substr(0, one.name.find(' ', one.name.find(' ') + 1));
        if (!golden()[one.name].is_null() && !isDeclined(one.name) && !typeOf(one.name).starts_with("com.") &&
            seen.insert(form).second)
            names.insert(one.name);
    }
    return names;
}

/// {form: [{sets, results}]}, where ONNX Runtime has a kernel.
json askOfAllSets(const QString& folder) {
    const std::set<std::string> names = formsOfOperators();
    json all = json::object();
    for (std::int64_t opset = kOldestOpset; opset <= kNewestOpset; ++opset) {
        const json said = test::askOnnxRuntime(folder, test::operatorCases(names, opset));
        for (const auto& [name, results] : said.items()) {
            if (results.is_null())
                continue;
            json& groups = all[name];
            const auto same =
                std::ranges::find_if(groups, [&](const json& group) { return group["results"] == results; });
            if (same != groups.end())
                (*same)["sets"].push_back(opset);
            else
                groups.push_back({{"sets", json::array({opset})}, {"results", results}});
        }
    }
    return all;
}

/// "7-12, 14"
std::string rangesOf(const std::set<std::int64_t>& numbers) {
    std::string text;
    for (auto it = numbers.begin(); it != numbers.end();) {
        const std::int64_t first = *it;
        std::int64_t last = first;
        while (++it != numbers.end() && *it == last + 1)
            last = *it;
        text += (text.empty() ? "" : ", ") + std::to_string(first) +
                (last > first ? "-" + std::to_string(last) : std::string());
    }
    return text;
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
        const auto run = runOf(one, fileOf(index));
        QVERIFY2(run.has_value() || expected.is_null() || run.error().code == ErrorCode::Unsupported,
                 run ? "" : run.error().text().c_str());
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
        if (expected.is_null() || isByDefinition(one.name)) // it has no kernel for this type
            return;
        const QString problem = difference(*run, expected);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

    void blocksInAnOrder_data() {
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("hasZeros");
        for (const int bits : {2, 4, 8})
            for (const bool hasZeros : {false, true})
                QTest::addRow("%d bits%s", bits, hasZeros ? ", zeros" : "") << bits << hasZeros;
    }
    /// (number - zero) * scale, scale and zero those of the block that g_idx names. [MatMulNBits in docs/ContribOperators.md of ONNX Runtime
    /// 1.20]
    void blocksInAnOrder() {
        QFETCH(int, bits);
        QFETCH(bool, hasZeros);
        constexpr int kIn = 80, kOut = 5, kBlock = 32, kBlocks = 3;
        const int inByte = 8 / bits, blockBytes = kBlock / inByte,
                  zeroBytes = (kBlocks + inByte - 1) / inByte;
        std::mt19937 random(static_cast<unsigned>(bits)); // NOLINT: the same numbers every time
        std::string packed(std::size_t(kOut * kBlocks * blockBytes), '\0'),
            zeros(std::size_t(kOut * zeroBytes), '\0');
        for (char& byte : packed)
            byte = static_cast<char>(random());
        for (char& byte : zeros)
            byte = static_cast<char>(random());
        std::vector<std::int32_t> order;
        for (int row = 0; row < kIn; ++row)
            order.push_back(static_cast<int>(random() % kBlocks));
        std::vector<float> scales, x;
        for (int i = 0; i < kOut * kBlocks; ++i)
            scales.push_back(float(random() % 16) / 8);
        for (int i = 0; i < kIn; ++i)
            x.push_back(float(random() % 33) / 8 - 2);

        const auto bytesOf = [](const auto& values) {
            return std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4);
        };
        test::OnnxBuilder model(17);
        model.domain("com.microsoft", 1).input("x", {std::int64_t(1), std::int64_t(kIn)});
        model.constant("w", {kOut, kBlocks, blockBytes}, 2, packed);
        model.constant("s", {kOut, kBlocks}, 1, bytesOf(scales)).constant("order", {kIn}, 6, bytesOf(order));
        if (hasZeros)
            model.constant("z", {kOut, zeroBytes}, 2, zeros);
        model.node("MatMulNBits", {"x", "w", "s", hasZeros ? "z" : "", "order"}, {"y"},
                   {{"K", std::int64_t(kIn)},
                    {"N", std::int64_t(kOut)},
                    {"bits", std::int64_t(bits)},
                    {"block_size", std::int64_t(kBlock)}},
                   "", "com.microsoft");
        test::writeFile(fileOf(0), model.output("y").bytes());
        const auto graph = loadGraph(fileOf(0));
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        QCOMPARE((*graph)->ops.size(), std::size_t(1)); // weights are unpacked once
        QCOMPARE((*graph)->ops.front().work.macs, std::int64_t(kIn * kOut));
        const std::vector<double> reals(x.begin(), x.end());
        const std::vector<Value> inputs{
            {DataType::F32,
             {1, kIn},
             std::make_shared<const std::vector<std::byte>>(bytesFromReals(reals, DataType::F32))}};
        const auto run = runReal(**graph, inputs, {}, 1);
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        const auto y = realsOf(*run->front().bytes, DataType::F32);
        QCOMPARE(y.size(), std::size_t(kOut));
        const auto number = [&](const std::string& from, int first, int place) {
            const int byte = static_cast<unsigned char>(from[std::size_t(first + place / inByte)]);
            return byte >> (place % inByte * bits) & ((1 << bits) - 1);
        };
        for (int column = 0; column < kOut; ++column) {
            double sum = 0;
            for (int row = 0; row < kIn; ++row) {
                const int block = order[std::size_t(row)];
                const int weight =
                    number(packed, (column * kBlocks + row / kBlock) * blockBytes, row % kBlock);
                const int zero = hasZeros ? number(zeros, column * zeroBytes, block) : 1 << (bits - 1);
                sum += double(x[std::size_t(row)]) * (weight - zero) *
                       double(scales[std::size_t(column * kBlocks + block)]);
            }
            QVERIFY2(isNear(y[std::size_t(column)], sum),
                     qPrintable(QString("%1, not %2").arg(y[std::size_t(column)]).arg(sum)));
        }
    }

    /// The same operands and attributes in every operator set that takes them.
    void operatorSetsGiveItsNumbers() {
        const json& known = operatorSets();
        for (const std::string& form : formsOfOperators())
            QVERIFY2(known.contains(form), form.c_str());
        int compared = 0;
        for (std::int64_t opset = kOldestOpset; opset <= kNewestOpset; ++opset)
            for (const test::ModelCase& one : test::operatorCases(formsOfOperators(), opset))
                for (const json& group : known.value(one.name, json::array())) {
                    if (std::ranges::find(group["sets"], json(opset)) == group["sets"].end())
                        continue;
                    const auto run = runOf(one, fileOf(0));
                    const std::string at = "operator set " + std::to_string(opset) + ", " + one.name + ": ";
                    QVERIFY2(run.has_value(), (at + (run ? "" : run.error().text())).c_str());
                    const QString problem = difference(*run, group["results"]);
                    QVERIFY2(problem.isEmpty(), (at + problem.toStdString()).c_str());
                    m_sets[typeOf(one.name)].insert(opset);
                    ++compared;
                }
        QVERIFY2(compared > 1500, std::to_string(compared).c_str());
    }

    /// resources/help/operators.md has what the two tests before it saw; PIM_WRITE_OPERATORS=FILE writes its table.
    void helpHasTheTable() {
        QVERIFY(!m_sets.empty());
        std::map<std::string, int> models;
        for (const test::ModelCase& one : cases())
            if (!golden()[one.name].is_null() && !isDeclined(one.name) && !isByDefinition(one.name))
                ++models[typeOf(one.name)];
        std::string table = "| Operator | Operator sets | Models |\n|---|---|---:|\n";
        for (const auto& [type, count] : models) {
            const std::size_t domain = type.find("::");
            const bool ofStandard = domain == std::string::npos;
            const std::string label =
                ofStandard ? type : type.substr(0, domain) + " " + type.substr(domain + 2);
            table += "| " + label + " | " + (ofStandard ? rangesOf(m_sets[type]) : "1") + " | " +
                     std::to_string(count) + " |\n";
        }
        if (const QString file = qEnvironmentVariable("PIM_WRITE_OPERATORS"); !file.isEmpty())
            std::ofstream(file.toStdString()) << table;
        std::ifstream file(PIM_SOURCE_DIR "/resources/help/operators.md");
        const std::string page{std::istreambuf_iterator<char>(file), {}};
        QVERIFY2(page.find(table) != std::string::npos, "resources/help/operators.md has another table");
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

    void itGivesTheNumbersOfAllSets() {
        const QString folder = test::onnxRuntimeFolder();
        if (folder.isEmpty())
            QSKIP(test::kNoOnnxRuntime);
        const json said = askOfAllSets(folder);
        if (const QString file = qEnvironmentVariable("PIM_ONNXRUNTIME_WRITE_SETS"); !file.isEmpty()) {
            std::ofstream to(file.toStdString());
            for (const char* before = "{\n"; const auto& [name, groups] : said.items())
                to << std::exchange(before, ",\n") << json(name) << ": " << groups.dump();
            to << "\n}\n";
        }
        for (const auto& [name, groups] : operatorSets().items()) {
            std::set<std::int64_t> is, was;
            for (const json& group : said[name])
                for (const json& opset : group["sets"])
                    is.insert(opset.get<std::int64_t>());
            for (const json& group : groups)
                for (const json& opset : group["sets"])
                    was.insert(opset.get<std::int64_t>());
            QVERIFY2(is == was, name.c_str());
        }
    }

private:
    static const json& operatorSets() {
        static const json document = test::goldenNumbers("operator_sets.json");
        return document;
    }
    std::filesystem::path fileOf(int index) const {
        return std::filesystem::path(m_folder.path().toStdString()) / (std::to_string(index) + ".onnx");
    }

    QTemporaryDir m_folder;
    std::map<std::string, std::set<std::int64_t>>
        m_sets; ///< In which each operator gave the numbers of ONNX Runtime.
};

QTEST_GUILESS_MAIN(TestOnnxRuntime)
#include "tst_core_numeric_onnxruntime.moc"
