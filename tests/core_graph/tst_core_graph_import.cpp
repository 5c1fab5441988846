// SPDX-License-Identifier: GPL-3.0-or-later
// Files as they come: good, without weights, and broken in every way we know. One clear error each.
#include "core/graph/import.h"
#include "core/graph/weights.h"
#include "tests/core_graph/onnx_builder.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace pim;
using namespace pim::test;

namespace {

OnnxBuilder smallNet() {
    OnnxBuilder b;
    b.input("x", {"batch", std::int64_t(8)})
        .weight("w", {8, 4})
        .node("MatMul", {"x", "w"}, {"y"})
        .output("y");
    return b;
}

} // namespace

class TestGraphImport : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    std::filesystem::path file(const char* name) const { return m_dir.path().toStdString() + "/" + name; }
    /// The error of loading these bytes; fails the test if they load.
    Error errorOf(const std::string& bytes) const {
        writeFile(file("bad.onnx"), bytes);
        const auto graph = loadGraph(file("bad.onnx"));
        return graph ? Error{ErrorCode::Internal, "it loaded"} : graph.error();
    }
    std::shared_ptr<const Graph> loaded(const OnnxBuilder& b, const GraphOptions& options = {}) const {
        const auto graph = loadGraph(b.save(file("good.onnx")), options);
        if (!graph)
            qWarning("%s", graph.error().text().c_str());
        return graph ? *graph : nullptr;
    }
    static const Tensor* find(const Graph& graph, const std::string& name) {
        for (const Tensor& t : graph.tensors)
            if (t.name == name)
                return &t;
        return nullptr;
    }

private slots:
    void locatesWeightsInsideTheFile() {
        const auto graph = loaded(smallNet());
        QVERIFY(graph);
        const Tensor* w = find(*graph, "w");
        QVERIFY(w && w->data && w->data->present && w->data->raw);
        QCOMPARE(w->data->length, 8 * 4 * 4);
        std::ifstream in(w->data->file, std::ios::binary);
        in.seekg(w->data->offset + 4 * 5);
        float sixth = 0;
        in.read(reinterpret_cast<char*>(&sixth), 4);
        QCOMPARE(sixth, 5 * 0.01F);
        QCOMPARE(graph->source.weightBytes, 128);
        QCOMPARE(graph->source.producer, std::string("pim test"));
        QCOMPARE(graph->source.description, std::string("made by a test"));
        QCOMPARE(graph->source.metadata.size(), std::size_t(2));
        QCOMPARE(graph->source.metadata[0], std::pair(std::string("licence"), std::string("none")));
        QCOMPARE(graph->source.metadata[1].second.size(), std::size_t(2003)); // whole characters, and "…"
    }

    void proseKeepsItsLines() {
        const auto graph = loaded(smallNet().description("one\r\n\ttwo\x1b[2J"));
        QVERIFY(graph);
        QCOMPARE(graph->source.description, std::string("one\r\n\ttwo\\x1b[2J"));
    }

    void nodesOfOneNameAreToldApartAndSaid() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(8)}).output("y");
        b.node("Relu", {"x"}, {"a"}, {}, "r")
            .node("Exp", {"a"}, {"b"}, {}, "r")
            .node("Relu", {"b"}, {"y"}, {}, "r");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->findOp("r").valid() && graph->findOp("r_1").valid() &&
                graph->findOp("r_2").valid());
        const auto said = std::ranges::count_if(graph->problems, [](const Diagnostic& d) {
            return d.severity == Severity::Note && d.object == "r" &&
                   d.message == "2 nodes have the name of an earlier one; the first is called r_1 here";
        });
        QCOMPARE(said, 1);
        const auto other = loaded(smallNet());
        for (const Diagnostic& d : other->problems)
            QVERIFY2(d.message.find("earlier one") == std::string::npos, d.message.c_str());
    }

    void decodesTypedFields() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(2), std::int64_t(3)})
            .ints("shape", {3, -1})
            .node("Reshape", {"x", "shape"}, {"y"})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        const auto bytes = readConstant(*find(*graph, "shape"));
        QVERIFY(bytes && bytes->size() == 16);
        std::int64_t second = 0;
        std::memcpy(&second, bytes->data() + 8, 8);
        QCOMPARE(second, std::int64_t(-1));
        QCOMPARE(*find(*graph, "y")->shape, (Shape{3, 2}));
    }

    void goesOnWithoutExternalWeights() {
        auto b = OnnxBuilder();
        b.input("x", {std::int64_t(1), std::int64_t(8)})
            .external("w", {8, 4}, "absent.bin", 0, 128)
            .node("MatMul", {"x", "w"}, {"y"})
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(graph->missingWeightTensors(), 1);
        QVERIFY(!graph->problems.empty());
        QCOMPARE(graph->ops[0].work.macs, 32);
        const auto bytes = readConstant(*find(*graph, "w"));
        QVERIFY(!bytes && bytes.error().code == ErrorCode::NotFound);
        QVERIFY(bytes.error().text().find("absent.bin") != std::string::npos);
    }

    void readsExternalWeightsAndNoticesShortFiles() {
        auto b = OnnxBuilder();
        b.input("x", {std::int64_t(1), std::int64_t(2)})
            .external("w", {2, 2}, "w.bin", 4, 16)
            .node("MatMul", {"x", "w"}, {"y"})
            .output("y");
        writeFile(file("w.bin"), std::string("\0\0\0\0ABCDEFGHIJKLMNOP", 20));
        auto graph = loaded(b);
        QVERIFY(graph && graph->missingWeightTensors() == 0);
        const auto bytes = readConstant(*find(*graph, "w"));
        QVERIFY(bytes && bytes->size() == 16 && bytes->front() == std::byte('A'));
        writeFile(file("w.bin"), "short");
        QVERIFY(!readConstant(*find(*graph, "w"))); // the file changed under an open graph
        graph = loaded(b);
        QVERIFY(graph && graph->missingWeightTensors() == 1);
    }

    void addressesExternalWeightsBeyondTwoGigabytes() {
        auto b = OnnxBuilder();
        const std::int64_t offset = std::int64_t(5) << 30;
        b.input("x", {std::int64_t(1), std::int64_t(1)})
            .external("w", {1, 1}, "huge.bin", offset, 4)
            .node("MatMul", {"x", "w"}, {"y"})
            .output("y");
        std::ofstream sparse(file("huge.bin"), std::ios::binary);
        sparse.seekp(offset);
        sparse.write("WXYZ", 4);
        sparse.close();
        const auto graph = loaded(b);
        QVERIFY(graph);
        const auto bytes = readConstant(*find(*graph, "w"));
        QVERIFY(bytes && (*bytes)[3] == std::byte('Z'));
    }

    void keepsUnknownOperatorsAndListsThem() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)})
            .node("Fancy", {"x"}, {"y"}, {}, "fancy_1", "my.domain")
            .node("Fancy", {"y"}, {"z"}, {}, "fancy_2", "my.domain")
            .output("z");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops.size() == 2);
        QCOMPARE(graph->ops[0].opClass, OpClass::Other);
        QVERIFY(!graph->ops[0].work.known);
        const auto about =
            std::count_if(graph->problems.begin(), graph->problems.end(), [](const Diagnostic& d) {
                return d.object == "fancy_1" && d.message.find("my.domain::Fancy") != std::string::npos &&
                       d.message.find("2 times") != std::string::npos;
            });
        QCOMPARE(about, 1);
    }

    void keepsUndecidedBranchesWithTheirCaptures() {
        OnnxBuilder b;
        b.input("c", {}, 9)
            .input("x", {std::int64_t(4)})
            .node("Relu", {"x"}, {"r"})
            .branch("c", "r", "y", "Abs", "Neg")
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops.size() == 2);
        const Op& branch = graph->ops[1];
        QCOMPARE(branch.type, std::string("If"));
        QCOMPARE(branch.intAttribute("outer_inputs", 0), 1);
        QCOMPARE(graph->predecessors(OpId(1)), std::vector{OpId(0)});
        QVERIFY(!branch.work.known);
        QVERIFY(std::holds_alternative<AttributeGraph>(*branch.attribute("then_branch")));
    }

    void writesDecidedBranchesOut() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)})
            .floats("seven", {1}, {7})
            .node("Greater", {"seven", "zero"}, {"c"})
            .scalar("zero", 0)
            .branch("c", "x", "y", "Abs", "Neg")
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(graph->ops.size(), std::size_t(1));
        QCOMPARE(graph->ops[0].type, std::string("Abs"));
        QCOMPARE(graph->ops[0].sources.front().name.substr(0, 4), std::string("if_y"));
    }

    void writesLocalFunctionsOut() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)})
            .function("MyAdd", "Add")
            .node("MyAdd", {"x", "x"}, {"t"}, {}, "first", "local")
            .node("MyAdd", {"t", "x"}, {"y"}, {}, "second", "local")
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops.size() == 2);
        QCOMPARE(graph->ops[1].type, std::string("Add"));
        QCOMPARE(graph->ops[1].sources.front().index, 1);
        QCOMPARE(graph->predecessors(OpId(1)), std::vector{OpId(0)});
        QCOMPARE(*graph->tensor(graph->outputs[0]).shape, Shape{4});
    }

    void sortsNodesWrittenOutOfOrder() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)}).node("Neg", {"a"}, {"y"}).node("Abs", {"x"}, {"a"}).output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(graph->ops[0].type, std::string("Abs"));
        QCOMPARE(graph->ops[0].sources[0].index, 1);
    }

    void notesNewerOperatorSets() {
        for (const int version : {23, 24}) {
            OnnxBuilder b(version);
            b.input("x", {std::int64_t(2), std::int64_t(6)})
                .ints("axes", {1})
                .node("ReduceMean", {"x", "axes"}, {"y"})
                .output("y");
            const auto graph = loaded(b);
            QVERIFY(graph);
            QCOMPARE(*graph->tensor(graph->outputs[0]).shape, (Shape{2, 1}));
            QCOMPARE(graph->problems.size(), std::size_t(version > 23 ? 1 : 0));
            for (const Diagnostic& problem : graph->problems)
                QCOMPARE(problem.severity, Severity::Note);
        }
    }

    void makesNodeNamesUnique() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)})
            .node("Abs", {"x"}, {"a"}, {}, "same")
            .node("Neg", {"a"}, {"y"}, {}, "same")
            .output("y");
        const auto graph = loaded(b);
        QVERIFY(graph && graph->ops[0].name != graph->ops[1].name);
    }

    void rejectsBadFiles_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("part"); // of the message
        const auto row = [](const char* name, const std::string& bytes, ErrorCode code, const char* part) {
            QTest::newRow(name) << QByteArray(bytes.data(), static_cast<qsizetype>(bytes.size()))
                                << static_cast<int>(code) << QString(part);
        };
        const auto x = std::vector<DimSpec>{std::int64_t(4)};
        const auto net = [&](auto&& fill) {
            OnnxBuilder b;
            b.input("x", x);
            fill(b);
            return b.output("y").bytes();
        };
        const std::string good = smallNet().bytes();
        row("empty", "", ErrorCode::InvalidFile, "empty");
        row("text", "hello, this is no model at all", ErrorCode::InvalidFile, "not an ONNX model");
        row("zip", std::string("PK\x03\x04") + std::string(40, 'z'), ErrorCode::InvalidFile, "zip archive");
        row("lfs pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
            ErrorCode::InvalidFile, "git lfs pull");
        row("zeros", std::string(100, '\0'), ErrorCode::InvalidFile, "not an ONNX model");
        row("truncated", good.substr(0, good.size() - 30), ErrorCode::InvalidFile, "cut off");
        row("truncated early", good.substr(0, 9), ErrorCode::InvalidFile, "cut off");
        row("cycle", net([](auto& b) {
                b.node("Add", {"x", "b"}, {"a"}).node("Abs", {"a"}, {"b"}).node("Neg", {"b"}, {"y"});
            }),
            ErrorCode::InvalidModel, "cycle");
        row("self loop", net([](auto& b) {
                b.node("Add", {"x", "y"}, {"y"});
            }),
            ErrorCode::InvalidModel, "cycle");
        row("missing tensor", net([](auto& b) {
                b.node("Add", {"x", "nowhere"}, {"y"});
            }),
            ErrorCode::InvalidModel, "\"nowhere\" is made by no node");
        row("missing output", net([](auto& b) { b.node("Abs", {"x"}, {"z"}); }), ErrorCode::InvalidModel,
            "graph output \"y\"");
        row("duplicate output", net([](auto& b) { b.node("Abs", {"x"}, {"y"}).node("Neg", {"x"}, {"y"}); }),
            ErrorCode::InvalidModel, "already made by node");
        row("duplicate initializer", net([](auto& b) {
                b.weight("w", {4}).weight("w", {4}).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "two initializers");
        row("duplicate input", net([&](auto& b) { b.input("x", x).node("Abs", {"x"}, {"y"}); }),
            ErrorCode::InvalidModel, "two graph inputs");
        row("output shadows input",
            net([](auto& b) { b.node("Abs", {"x"}, {"x"}).node("Abs", {"x"}, {"y"}); }),
            ErrorCode::InvalidModel, "already an input");
        row("negative dims", net([](auto& b) {
                b.rawWeight("w", {4, -4}, 64).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "negative extent -4");
        row("overflowing dims", net([](auto& b) {
                b.rawWeight("w", {1LL << 40, 1LL << 40}, 64).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "too many elements");
        row("too short payload", net([](auto& b) {
                b.rawWeight("w", {4}, 12).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "needs 16 bytes, the file has 12");
        row("rank of a million", net([](auto& b) {
                b.rawWeight("w", std::vector<std::int64_t>(100'000, 1), 4).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "100000 dimensions");
        row("huge input",
            OnnxBuilder()
                .input("x", {std::int64_t(1) << 40, std::int64_t(1) << 40})
                .node("Abs", {"x"}, {"y"})
                .output("y")
                .bytes(),
            ErrorCode::InvalidModel, "too many elements");
        row("negative input",
            OnnxBuilder().input("x", {std::int64_t(-7)}).node("Abs", {"x"}, {"y"}).output("y").bytes(),
            ErrorCode::InvalidModel, "-7");
        row("wrong rank", net([](auto& b) {
                b.weight("w", {4, 4, 3, 3}).node("Conv", {"x", "w"}, {"y"}, {}, "conv1");
            }),
            ErrorCode::InvalidModel, "\"conv1\" (Conv)");
        row("shapes differ", net([](auto& b) {
                b.weight("w", {5}).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "do not fit");
        row("stride zero",
            OnnxBuilder()
                .input("x", {std::int64_t(1), std::int64_t(3), std::int64_t(8), std::int64_t(8)})
                .weight("w", {4, 3, 3, 3})
                .node("Conv", {"x", "w"}, {"y"}, {{"strides", std::vector<std::int64_t>{0, 1}}})
                .output("y")
                .bytes(),
            ErrorCode::InvalidModel, "strides [0, 1]");
        row("too few inputs", net([](auto& b) { b.node("Add", {"x"}, {"y"}); }), ErrorCode::InvalidModel,
            "needs 2 inputs, 1 is given");
        row("path traversal", net([](auto& b) {
                b.external("w", {4}, "../../etc/passwd", 0, 16).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "outside the folder");
        row("absolute path", net([](auto& b) {
                b.external("w", {4}, "/etc/passwd", 0, 16).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "outside the folder");
        row("external length", net([](auto& b) {
                b.external("w", {4}, "w.bin", 0, 15).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "needs 16 bytes, its external data has 15");
        row("external negative", net([](auto& b) {
                b.external("w", {4}, "w.bin", -4, 16).node("Add", {"x", "w"}, {"y"});
            }),
            ErrorCode::InvalidModel, "not a number of bytes");
        row("deep subgraphs", net([](auto& b) { b.nested(1000, "x", "y"); }), ErrorCode::InvalidModel,
            "nested more than");
        row("capture of nothing",
            OnnxBuilder().input("c", {}, 9).branch("c", "ghost", "y", "Abs", "Neg").output("y").bytes(),
            ErrorCode::InvalidModel, "\"ghost\"");
        row("function calls itself", net([](auto& b) {
                b.function("F", "G", "local")
                    .function("G", "F", "local")
                    .node("F", {"x", "x"}, {"y"}, {}, "f", "local");
            }),
            ErrorCode::InvalidModel, "calls itself");
    }
    void rejectsBadFiles() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, code);
        QFETCH(QString, part);
        const Error error = errorOf(bytes.toStdString());
        const QString text = QString::fromStdString(error.text());
        QVERIFY2(text.contains(part), qPrintable(text));
        QCOMPARE(static_cast<int>(error.code), code);
        QVERIFY2(text.contains("bad.onnx"), qPrintable(text));
        QVERIFY2(text.size() < 1000 && !text.contains('\n'), qPrintable(text));
    }

    void survivesAMillionNestedMessages() {
        // 10^6 groups inside each other, then 10^6 side by side: the reader must count, not recurse.
        const std::string tail = smallNet().bytes();
        QCOMPARE(errorOf(std::string(1'000'000, '\x0b')).code, ErrorCode::InvalidFile);
        std::string pairs;
        for (int i = 0; i < 1'000'000; ++i)
            pairs += "\x0b\x0c";
        writeFile(file("pairs.onnx"), pairs + tail);
        QVERIFY(loadGraph(file("pairs.onnx")).has_value());
        // A subgraph chain of 10^6 levels, each with a wrong (too short) inner length, stops at the depth
        // limit or at the first level that does not fit.
        std::string chain;
        for (int i = 0; i < 300'000; ++i)
            chain += "\x3a\xff\xff\xff\x0f"; // field 7 with a length of 2^25
        QCOMPARE(errorOf(chain).code, ErrorCode::InvalidFile);
    }

    void namesTheByteWhereAFileEnds() {
        const std::string good = smallNet().bytes();
        const Error error = errorOf(good.substr(0, good.size() - 1));
        QVERIFY(QString::fromStdString(error.message)
                    .contains(QRegularExpression("at byte \\d+ needs \\d+ bytes, \\d+ are left")));
    }

    void rejectsFilesThatAreNone() {
        QCOMPARE(importModel(file("nothing.onnx")).error().code, ErrorCode::Io);
        QCOMPARE(importModel(m_dir.path().toStdString()).error().code, ErrorCode::Io);
    }

    void namesAreAlwaysText() {
        OnnxBuilder b;
        b.input("x", {std::int64_t(4)}).node("Abs", {"x"}, {"y"}, {}, "bad\xff\nname").output("y");
        const auto graph = loaded(b);
        QVERIFY(graph);
        QCOMPARE(graph->ops[0].name, std::string("bad\\xff\\x0aname"));
    }

    void stopsWhenCancelled() {
        std::stop_source source;
        source.request_stop();
        TaskContext task{source.get_token(), {}};
        QCOMPARE(importModel(smallNet().save(file("c.onnx")), task).error().code, ErrorCode::Cancelled);
        const auto model = importModel(file("c.onnx"));
        QVERIFY(model);
        QCOMPARE(buildGraph(**model, {}, task).error().code, ErrorCode::Cancelled);
    }

    void parsesBindings() {
        const auto good = parseBindings("batch=1,past=512,x.0=3");
        QVERIFY(good && good->size() == 3 && good->at("past") == 512);
        QVERIFY(parseBindings("")->empty());
        for (const char* bad : {"batch", "batch=", "=3", "batch=0", "batch=-1", "batch=1x", "a=1,a=2",
                                "a=99999999999999999999", "a=1,,b=2"}) {
            const auto result = parseBindings(bad);
            QVERIFY2(!result && result.error().code == ErrorCode::Usage, bad);
        }
    }

    void opensFiveThousandNodesQuickly() {
        const auto path = OnnxBuilder().largeGraph(5000).save(file("large.onnx"));
        QElapsedTimer timer;
        timer.start();
        const auto graph = loadGraph(path);
        QVERIFY(graph && (*graph)->ops.size() == 5000);
        qInfo("5000 nodes: %lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY(timer.elapsed() < 3000); // ceiling for sanitizer builds on a busy machine
    }
};

QTEST_GUILESS_MAIN(TestGraphImport)
#include "tst_core_graph_import.moc"
