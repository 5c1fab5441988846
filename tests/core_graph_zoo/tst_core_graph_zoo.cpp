// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/import.h"
#include "core/graph/weights.h"
#include "core/graph/zoo/samples.h"
#include "core/graph/zoo/seeded_values.h"
#include "core/graph/zoo/zoo.h"

#include <QtTest>

#include <cmath>
#include <fstream>
#include <iterator>

using namespace pim;
namespace fs = std::filesystem;

namespace {

std::string bytesOfFile(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::map<std::string, int> opCounts(const Graph& graph) {
    std::map<std::string, int> counts;
    for (const Op& op : graph.ops)
        ++counts[op.type];
    return counts;
}

/// Small extents for the open dimensions of a model.
GraphOptions bound(const ZooModel& model) {
    const std::map<std::string, std::int64_t> small{{"batch", 2}, {"past", 17}, {"seq", 9}};
    GraphOptions options;
    for (const std::string& symbol : model.symbols)
        options.bindings[symbol] = small.at(symbol);
    return options;
}

template <class Element>
std::vector<Element> readElements(const Graph& graph, const std::string& name) {
    for (const Tensor& tensor : graph.tensors)
        if (tensor.name == name) {
            const auto bytes = readConstant(tensor);
            if (!bytes)
                return {};
            std::vector<Element> elements(bytes->size() / sizeof(Element));
            std::memcpy(elements.data(), bytes->data(), bytes->size());
            return elements;
        }
    return {};
}

const ZooModel& model(const std::string& name) {
    return **findZooModel(name);
}

} // namespace

class TestZoo : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    fs::path file(const std::string& name) const { return fs::path(m_folder.path().toStdString()) / name; }

private slots:
    void everyModelLoadsWithStaticShapes_data() {
        QTest::addColumn<QString>("name");
        for (const ZooModel& m : zooModels())
            QTest::newRow(m.name.c_str()) << QString::fromStdString(m.name);
    }
    void everyModelLoadsWithStaticShapes() {
        QFETCH(QString, name);
        const ZooModel& m = model(name.toStdString());
        ZooOptions options;
        options.weights = false;
        const auto written = writeZooModel(m.name, file(m.name + ".onnx"), options);
        QVERIFY2(written, written ? "" : written.error().text().c_str());
        const double off = std::abs(static_cast<double>(written->parameters - m.parameters)) /
                           static_cast<double>(m.parameters);
        QVERIFY2(off < 0.01, qPrintable(QString("%1 parameters").arg(written->parameters)));

        const auto graph = loadGraph(file(m.name + ".onnx"), bound(m));
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        for (const Tensor& tensor : (*graph)->tensors)
            QVERIFY2(tensor.shape && isStatic(*tensor.shape) && tensor.dtype != DataType::Unknown,
                     tensor.name.c_str());
        for (const Op& op : (*graph)->ops)
            QVERIFY2(op.work.known, op.name.c_str());
        QCOMPARE((*graph)->bindings.size(), m.symbols.size());
        QVERIFY((*graph)->missingWeightTensors() > 0);
        QVERIFY((*graph)->totalWork().macs > 0);
    }

    void passesRecogniseTheGroups_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("count");
        const auto row = [](const char* name, const char* type, int count) {
            QTest::addRow("%s %s", name, type) << name << type << count;
        };
        for (const char* variant : {"tiny-gpt-decode", "tiny-gpt-prefill"}) {
            row(variant, "Attention", 2);
            row(variant, "LayerNorm", 5);
            row(variant, "Gelu", 2);
        }
        row("llama2-7b-decode", "RmsNorm", 65);
        row("llama2-7b-decode", "Attention", 32);
        row("llama2-70b-decode", "Attention", 80);
        row("llama2-70b-decode", "Expand", 0); // keys and values that heads share
        row("llama2-70b-prefill", "Expand", 0);
        row("llama2-70b-prefill", "Tile", 1); // of the mask, for all layers
        row("bert-base", "Attention", 12);
        row("bert-base", "LayerNorm", 25);
        row("vit-base", "Gelu", 12);
        row("resnet18", "BatchNormalization", 0);
        row("googlenet", "Dropout", 0);
    }
    void passesRecogniseTheGroups() {
        QFETCH(QString, name);
        QFETCH(QString, type);
        QFETCH(int, count);
        const ZooModel& m = model(name.toStdString());
        ZooOptions options;
        options.weights = false;
        QVERIFY(writeZooModel(m.name, file("groups.onnx"), options));
        const auto graph = loadGraph(file("groups.onnx"), bound(m));
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        QCOMPARE(opCounts(**graph)[type.toStdString()], count);
    }

    void sameSeedGivesTheSameBytes() {
        ZooOptions options;
        options.seed = 5;
        for (const char* name : {"a.onnx", "b.onnx"})
            QVERIFY(writeZooModel("tiny-gpt", file(name), options));
        options.seed = 6;
        QVERIFY(writeZooModel("tiny-gpt", file("c.onnx"), options));
        QVERIFY(bytesOfFile(file("a.onnx")) == bytesOfFile(file("b.onnx")));
        QVERIFY(bytesOfFile(file("a.onnx")) != bytesOfFile(file("c.onnx")));
        QCOMPARE(bytesOfFile(file("a.onnx")).size(), bytesOfFile(file("c.onnx")).size());
    }

    void manyWeightsGoToAFileOfTheirOwn() {
        ZooOptions options;
        QVERIFY(writeZooModel("tiny-gpt", file("inline.onnx"), options));
        options.inlineLimitBytes = 1'000'000;
        const auto written = writeZooModel("tiny-gpt", file("external.onnx"), options);
        QVERIFY(written);
        QCOMPARE(written->files.size(), std::size_t{2});
        QVERIFY(fs::file_size(written->files[0]) < 100'000);
        const auto a = loadGraph(file("inline.onnx")), b = loadGraph(file("external.onnx"));
        QVERIFY(a && b);
        QCOMPARE((*b)->missingWeightTensors(), 0);
        for (const char* tensor : {"embed.weight", "layers.1.mlp.fc2.weight", "norm.bias"}) {
            const auto values = readElements<float>(**a, tensor);
            QVERIFY2(!values.empty(), tensor);
            QVERIFY(values == readElements<float>(**b, tensor));
        }
    }

    void fixedExtentsAreWritten() {
        ZooOptions options;
        options.weights = false;
        options.batch = 3;
        options.past = 40;
        QVERIFY(writeZooModel("tiny-gpt", file("fixed.onnx"), options));
        const auto graph = loadGraph(file("fixed.onnx"));
        QVERIFY2(graph, graph ? "" : graph.error().text().c_str());
        QVERIFY((*graph)->bindings.empty());
        const Shape logits{3, 1, 256}, keys{3, 4, 41, 32};
        QCOMPARE(*(*graph)->tensor((*graph)->outputs[0]).shape, logits);
        QCOMPARE(*(*graph)->tensor((*graph)->outputs[1]).shape, keys);
    }

    void cancelLeavesNothingBehind() {
        std::stop_source stop;
        TaskContext task;
        task.stop = stop.get_token();
        int reports = 0;
        task.onProgress = [&](std::string_view, std::int64_t, std::int64_t) {
            if (++reports == 3)
                stop.request_stop();
        };
        const fs::path folder = file("cancelled");
        fs::create_directory(folder);
        const auto written = writeZooModel("resnet18", folder / "m.onnx", {}, task);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::Cancelled);
        QVERIFY(fs::is_empty(folder));
    }

    void wrongRequestsAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("past");
        QTest::addColumn<QString>("path");
        QTest::addColumn<int>("code");
        QTest::newRow("no such model")
            << "gpt5" << 1 << 0 << "m.onnx" << static_cast<int>(ErrorCode::NotFound);
        QTest::newRow("no such dimension")
            << "vgg8" << 1 << 4 << "m.onnx" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("negative batch")
            << "vgg8" << -1 << 0 << "m.onnx" << static_cast<int>(ErrorCode::Usage);
        QTest::newRow("no such folder")
            << "vgg8" << 1 << 0 << "nowhere/m.onnx" << static_cast<int>(ErrorCode::Io);
    }
    void wrongRequestsAreRefused() {
        QFETCH(QString, name);
        QFETCH(int, batch);
        QFETCH(int, past);
        QFETCH(QString, path);
        QFETCH(int, code);
        ZooOptions options;
        options.batch = batch;
        if (past > 0)
            options.past = past;
        const auto written = writeZooModel(name.toStdString(), file(path.toStdString()), options);
        QVERIFY(!written);
        QCOMPARE(static_cast<int>(written.error().code), code);
        QVERIFY(!fs::exists(file("m.onnx")));
    }

    void shortNamesMeanTheDecodeStep() {
        QCOMPARE(model("gpt3-13b").name, std::string("gpt3-13b-decode"));
        QCOMPARE(model("gpt3-13b-prefill").name, std::string("gpt3-13b-prefill"));
    }

    void tablesHoldWhatTheirNamesSay() {
        std::vector<float> values;
        const auto collect = [&](std::span<const std::byte> bytes) -> Result<void> {
            const std::size_t old = values.size();
            values.resize(old + bytes.size() / sizeof(float));
            std::memcpy(values.data() + old, bytes.data(), bytes.size());
            return {};
        };
        using Kind = zoo::Fill::Kind;
        QVERIFY(
            zoo::streamValues({Kind::CausalMask, 0, -9}, DataType::F32, {1, 1, 3, 3}, 1, "mask", collect));
        const std::vector<float> mask{0, -9, -9, 0, 0, -9, 0, 0, 0};
        QCOMPARE(values, mask);

        values.clear();
        QVERIFY(zoo::streamValues({Kind::RotaryCos}, DataType::F32, {3, 4}, 1, "cos", collect));
        QCOMPARE(values[0], 1.0F);
        QCOMPARE(values[4], std::cos(1.0F));   // position 1, pair 0: frequency 1
        QCOMPARE(values[11], std::cos(0.02F)); // position 2, pair 1: frequency 10000^(-2/4)

        values.clear();
        QVERIFY(zoo::streamValues({.center = 1, .spread = 0.5}, DataType::F32, {500, 1000}, 1, "w", collect));
        QCOMPARE(values.size(), std::size_t{500'000});
        double sum = 0, squares = 0;
        for (const float v : values) {
            QVERIFY(v >= 0.5F && v <= 1.5F);
            sum += v;
            squares += (v - 1) * (v - 1);
        }
        QVERIFY(std::abs(sum / 5e5 - 1) < 0.002);
        QVERIFY(std::abs(squares / 5e5 - 0.25 / 3) < 0.001); // variance of a uniform value
    }

    void samplesAreWhatTheZooWrites() {
        Diagnostics problems;
        const std::vector<Sample> samples = bundledSamples(&problems);
        QVERIFY(problems.empty());
        QVERIFY(samples.size() >= 3);
        QVERIFY(samples.front().isMain);
        QCOMPARE(std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.isMain; }), 1);
        for (const Sample& sample : samples) {
            ZooOptions options;
            options.weights = sample.id == "tiny-gpt";
            QVERIFY2(writeZooModel(sample.id, file("sample.onnx"), options), sample.id.c_str());
            QVERIFY2(bytesOfFile(file("sample.onnx")) == bytesOfFile(sample.model), sample.id.c_str());
            GraphOptions graphOptions;
            graphOptions.bindings = sample.bindings;
            const auto graph = loadGraph(sample.model, graphOptions);
            QVERIFY2(graph, sample.id.c_str());
            for (const DimBinding& binding : (*graph)->bindings)
                QVERIFY2(!binding.assumed, binding.symbol.c_str());
        }
    }

    void samplesStaySmall() {
        std::uintmax_t bytes = 0;
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(PIM_SOURCE_DIR) / "projects"))
            bytes += entry.is_regular_file() ? entry.file_size() : 0;
        QVERIFY2(bytes < 3'000'000, qPrintable(QString::number(bytes)));
    }

    void badSampleIsExplained() {
        QVERIFY(!readSample(file("none")));
        fs::create_directory(file("bad"));
        std::ofstream(file("bad") / "sample.json") << R"({"title": "x", "summary": "y", "model": 3})";
        const auto sample = readSample(file("bad"));
        QVERIFY(!sample);
        QCOMPARE(sample.error().code, ErrorCode::InvalidFile);
        const auto missing = findSample("resnet5");
        QVERIFY(!missing);
        QVERIFY(missing.error().hint.find("resnet50") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestZoo)
#include "tst_core_graph_zoo.moc"
