// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The graph pass that makes products look-ups: the same numbers as a calibrated network gives with its products replaced while it
/// runs, shapes and work without numbers, folders that do not fit.
#include "core/graph/import.h"
#include "core/graph/passes/look_up_tables.h"
#include "core/lut/network/conversion.h"
#include "core/numeric/real_run.h"
#include "tests/core_graph/onnx_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace pim;
namespace fs = std::filesystem;

namespace {

const std::string kModel = PIM_SOURCE_DIR "/tests/golden/lut/vit_digits/vit_digits.onnx";

std::vector<float> noise(std::size_t count, unsigned seed) {
    std::minstd_rand random(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = float(random() % 2001) / 1000 - 1;
    return values;
}

std::string message(const Error& error) {
    return error.text() + " " + error.hint;
}

/// A convolution with stride and padding on one side, a product with inputs that 4 does not divide, and one with bias.
std::string smallNetwork() {
    test::OnnxBuilder b(13);
    b.input("x", {std::int64_t(2), std::int64_t(3), std::int64_t(7), std::int64_t(6)});
    b.floats("wc", {5, 3, 3, 2}, noise(90, 1)).floats("bc", {5}, noise(5, 2));
    b.node("Conv", {"x", "wc", "bc"}, {"c"},
           {{"strides", std::vector<std::int64_t>{2, 1}}, {"pads", std::vector<std::int64_t>{1, 0, 1, 1}}},
           "conv");
    b.node("Flatten", {"c"}, {"f"}, {}, "flatten");
    b.floats("w1", {120, 10}, noise(1200, 3));
    b.node("MatMul", {"f", "w1"}, {"h"}, {}, "hidden");
    b.floats("w2", {3, 10}, noise(30, 4)).floats("b2", {3}, noise(3, 5));
    b.node("Gemm", {"h", "w2", "b2"}, {"y"}, {{"transB", std::int64_t(1)}}, "head");
    b.output("y");
    return b.bytes();
}

/// Codebooks by chance for ops of a network, tables made of them and the weights.
lut::Conversion byChance(const Graph& graph, std::initializer_list<const char*> ops, std::int64_t length,
                         bool eightBit) {
    lut::Conversion made;
    for (const char* const op : ops) {
        const auto product = lut::ProductLayer::of(graph, graph.findOp(op), length).value();
        lut::LutLayer layer;
        layer.books = {product.padded() / length, 5, length, noise(std::size_t(product.padded() * 5), 7)};
        layer.table = lut::makeTable(layer.books, product.weights(graph).value(), product.features()).value();
        if (eightBit)
            layer.quantized = lut::quantize(layer.table, lut::TableScale::Column).value();
        made.layers.emplace(op, std::move(layer));
    }
    return made;
}

RealObserver observing(const Graph& graph, const lut::Conversion& conversion) {
    return [&graph, observer = conversion.observer()](const RealStep& step) { return observer(graph, step); };
}

std::vector<std::byte> bytesOf(const std::vector<Value>& values) {
    std::vector<std::byte> all;
    for (const Value& value : values)
        all.insert(all.end(), value.bytes->begin(), value.bytes->end());
    return all;
}

} // namespace

class TestLutPass : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    fs::path folder(const char* name) const { return m_folder.filePath(name).toStdString(); }
    std::shared_ptr<const Graph> small() const {
        const fs::path file = folder("small.onnx");
        test::writeFile(file, smallNetwork());
        return loadGraph(file).value();
    }
    static Result<Graph> passed(const Graph& graph, const char* options) {
        GraphOptions texts;
        PIM_CHECK(setPassOption(texts, std::string("look_up_tables:") + options));
        PIM_TRY(const LookUpOptions read, lookUpOptions().read(texts.passOptions.at("look_up_tables")));
        Graph made = graph;
        PIM_CHECK(lookUpTables(made, read));
        return made;
    }

private slots:
    void computesWhatReplacedProductsDo_data() {
        QTest::addColumn<bool>("eightBit");
        QTest::newRow("float tables") << false;
        QTest::newRow("8-bit tables") << true;
    }
    void computesWhatReplacedProductsDo() {
        QFETCH(bool, eightBit);
        const auto graph = small();
        const lut::Conversion conversion = byChance(*graph, {"conv", "hidden", "head"}, 4, eightBit);
        const fs::path saved = folder(eightBit ? "eight" : "float");
        QVERIFY(conversion.save(saved));
        const auto made = passed(*graph, ("from=" + saved.string()).c_str());
        QVERIFY2(made, made ? "" : message(made.error()).c_str());
        QStringList types;
        for (const Op& op : made->ops)
            types << QString::fromStdString(op.name + ":" + op.type);
        QCOMPARE(types.join(' '),
                 "conv/windows:Unroll conv/closest:ClosestCentroids conv/sums:LookUp conv:Transpose "
                 "flatten:Flatten "
                 "hidden/closest:ClosestCentroids hidden:LookUp head/closest:ClosestCentroids head:LookUp");
        const auto inputs = sampleInputs(*graph, 3).value();
        const auto wanted = runReal(*graph, inputs, observing(*graph, conversion));
        const auto got = runReal(*made, inputs);
        QVERIFY2(got, got ? "" : message(got.error()).c_str());
        QVERIFY(bytesOf(*got) == bytesOf(*wanted));
        const auto dense = runReal(*graph, inputs);
        QVERIFY(bytesOf(*got) != bytesOf(*dense));
    }

    /// A calibrated network as a graph of its own, from the file to the logits.
    void calibratedTransformer() {
        GraphOptions plain;
        plain.bindings["batch"] = 3;
        const auto imported = importModel(kModel).value();
        const auto graph = buildGraph(*imported, plain);
        QVERIFY2(graph, graph ? "" : message(graph.error()).c_str());
        std::vector<std::string> names;
        for (std::size_t i = 0; i < (*graph)->ops.size(); ++i)
            if (const OpId id{std::int64_t(i)}; lut::ProductLayer::of(**graph, id, 1))
                names.push_back((*graph)->op(id).name);
        QVERIFY(names.size() > 8);
        const lut::Conversion conversion = byChance(**graph, {names[2].c_str(), names[5].c_str()}, 8, true);
        const fs::path saved = folder("transformer");
        QVERIFY(conversion.save(saved));
        GraphOptions options = plain;
        QVERIFY(setPassOption(options, "look_up_tables:from=" + saved.string()));
        const auto made = buildGraph(*imported, options);
        QVERIFY2(made, made ? "" : message(made.error()).c_str());
        QCOMPARE((*made)->ops.size(), (*graph)->ops.size() + 2);
        const auto record = std::ranges::find((*made)->passes, "look_up_tables", &PassRecord::name);
        QVERIFY(record != (*made)->passes.end());
        QCOMPARE(record->changes, 2);
        const auto inputs = sampleInputs(**graph, 1).value();
        QVERIFY(bytesOf(runReal(**made, inputs).value()) ==
                bytesOf(runReal(**graph, inputs, observing(**graph, conversion)).value()));
    }

    /// Sizes are enough to plan with; numbers are missed only by those who want them.
    void withoutNumbers() {
        const auto graph = small();
        const auto made = passed(*graph, "v=4");
        QVERIFY2(made, made ? "" : message(made.error()).c_str());
        const Op& closest = made->op(made->findOp("hidden/closest"));
        const Op& sums = made->op(made->findOp("hidden"));
        QCOMPARE(shapeText(*made->tensor(sums.inputs[0]).shape), std::string("[30, 16, 10]"));
        QCOMPARE(shapeText(*made->tensor(closest.outputs[0]).shape), std::string("[2, 30]"));
        QCOMPARE(sums.sources.front().name, std::string("hidden"));
        QVERIFY(!made->findOp("conv/closest").valid()); // the first stays, and the last
        QVERIFY(!made->findOp("head/closest").valid());
        QVERIFY(made->tensor(sums.inputs[0]).isConstant());
        const auto run = runReal(*made, sampleInputs(*graph, 1).value());
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::NotFound);
        // 3 N H CT operations of the search, N CB F additions. [PIM-DL, section 3.3]
        GraphOptions options;
        QVERIFY(setPassOption(options, "look_up_tables:v=4"));
        const auto counted = loadGraph(folder("small.onnx"), options).value();
        QCOMPARE(counted->op(counted->findOp("hidden/closest")).work.otherOps, 3 * 2 * 120 * 16);
        QCOMPARE(counted->op(counted->findOp("hidden")).work.otherOps, 2 * 30 * 10);
        QCOMPARE(counted->op(counted->findOp("hidden")).work.macs, 0);
    }

    void layersByName() {
        const auto graph = small();
        const auto two = passed(*graph, "layers=head,conv");
        QVERIFY(two && !two->findOp("head/closest").valid()); // v is off
        GraphOptions options;
        QVERIFY(setPassOption(options, "look_up_tables:v=2"));
        QVERIFY(setPassOption(options, "look_up_tables:layers=head"));
        const auto one = loadGraph(folder("small.onnx"), options).value();
        QVERIFY(one->findOp("head/closest").valid() && !one->findOp("hidden/closest").valid());
        GraphOptions sizes;
        for (const char* const option : {"v=4", "layers=all", "sizes=hidden=2/8,head=off"})
            QVERIFY(setPassOption(sizes, std::string("look_up_tables:") + option));
        const auto mixed = loadGraph(folder("small.onnx"), sizes).value();
        QCOMPARE(shapeText(*mixed->tensor(mixed->op(mixed->findOp("hidden")).inputs[0]).shape),
                 std::string("[60, 8, 10]"));
        QVERIFY(mixed->findOp("conv/closest").valid() && !mixed->findOp("head/closest").valid());
        for (const char* const wrong :
             {"sizes=hidden", "sizes=hidden=2", "sizes==2/8", "sizes=hidden=0/8", "ct=0", "v=x", "layers=,"})
            QVERIFY2(!setPassOption(sizes, std::string("look_up_tables:") + wrong), wrong);
        QVERIFY(setPassOption(sizes, "look_up_tables:sizes=tail=2/8"));
        QVERIFY(!loadGraph(folder("small.onnx"), sizes));
        QVERIFY(setPassOption(options, "look_up_tables:layers=tail"));
        const auto none = loadGraph(folder("small.onnx"), options);
        QVERIFY(!none && message(none.error()).find("\"tail\"") != std::string::npos);
    }

    void foldersThatDoNotFit_data() {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("no folder") << QByteArray() << QByteArray() << QByteArray("layers.json");
        QTest::newRow("no JSON") << QByteArray("layers.json") << QByteArray("[{")
                                 << QByteArray("no list of layers");
        QTest::newRow("no list") << QByteArray("layers.json") << QByteArray("{}")
                                 << QByteArray("no list of layers");
        QTest::newRow("no array") << QByteArray("000_table.npy") << QByteArray("text") << QByteArray("NumPy");
        QTest::newRow("cut") << QByteArray("000_table.npy") << QByteArray("cut") << QByteArray("wants");
        QTest::newRow("gone") << QByteArray("000_centroids.npy") << QByteArray("gone")
                              << QByteArray("cannot be read");
        QTest::newRow("another network") << QByteArray("layers.json") << QByteArray("rename")
                                         << QByteArray("no product with constant weights");
        QTest::newRow("other sizes") << QByteArray("layers.json") << QByteArray("move")
                                     << QByteArray("10 features");
    }
    void foldersThatDoNotFit() {
        QFETCH(QByteArray, file);
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, says);
        const auto graph = small();
        const fs::path saved = folder(QTest::currentDataTag());
        if (!file.isEmpty())
            QVERIFY(byChance(*graph, {"hidden"}, 4, false).save(saved));
        QFile changed(QString::fromStdString((saved / file.toStdString()).string()));
        if (content == "gone") {
            QVERIFY(changed.remove());
        } else if (content == "cut") {
            QVERIFY(changed.resize(changed.size() - 1));
        } else if (!file.isEmpty()) {
            QVERIFY(changed.open(QIODevice::ReadWrite));
            QByteArray text = changed.readAll();
            if (content == "rename")
                text.replace("hidden", "unknown");
            else if (content == "move")
                text.replace("hidden", "head");
            else
                text = content;
            changed.resize(0);
            changed.seek(0);
            changed.write(text);
            changed.close();
        }
        const auto made = passed(*graph, ("from=" + saved.string()).c_str());
        QVERIFY(!made);
        QVERIFY2(message(made.error()).find(says.toStdString()) != std::string::npos,
                 message(made.error()).c_str());
    }
};

QTEST_GUILESS_MAIN(TestLutPass)
#include "tst_core_lut_pass.moc"
