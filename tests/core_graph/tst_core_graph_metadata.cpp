// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Metadata comes into a model file and goes out again, and nothing else of it changes; what is damaged is refused.
#include "core/graph/import.h"
#include "core/graph/model_metadata.h"
#include "tests/core_graph/onnx_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace pim;
using namespace pim::test;

namespace {

std::string chain() {
    OnnxBuilder b;
    b.input("x", {std::int64_t(1), std::int64_t(8)}).weight("w", {8, 8});
    b.node("MatMul", {"x", "w"}, {"a"}, {}, "product").node("Relu", {"a"}, {"y"}, {}, "last").output("y");
    return b.bytes();
}

} // namespace

class TestMetadata : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    std::string bytesOf(const char* name) const {
        QFile file(m_folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }
    Result<void> rewrite(const std::string& bytes, const ModelMetadata& metadata,
                         const char* out = "out.onnx", const TaskContext& task = {}) const {
        writeFile(path("in.onnx"), bytes);
        return writeWithMetadata(path("in.onnx"), metadata, path(out), task);
    }

private slots:
    void comesInAndGoesOut() {
        const std::string model = chain();
        const std::string longText(300, 'l'); // lengths of more than a byte
        const ModelMetadata told{0,
                                 "ours.",
                                 {{"ours.target", "aim"}},
                                 {{{"ours.place", "pim"}, {"ours.why", longText}}, {{"ours.place", "host"}}}};
        QVERIFY(rewrite(model, told).has_value());
        const std::string with = bytesOf("out.onnx");
        QVERIFY(with.find("ours.why") != std::string::npos && with.find(longText) != std::string::npos);
        const auto before = loadGraph(path("in.onnx")), after = loadGraph(path("out.onnx"));
        QVERIFY2(after.has_value(), after ? "" : after.error().text().c_str());
        QCOMPARE((*after)->source.structureHash, (*before)->source.structureHash);
        QCOMPARE((*after)->source.metadata.back(),
                 (std::pair<std::string, std::string>("ours.target", "aim")));

        QVERIFY(rewrite(with, told).has_value()); // replaced, not added to
        QCOMPARE(bytesOf("out.onnx"), with);
        const ModelMetadata others{0, "theirs.", {{"theirs.target", "x"}}, {{}, {{"theirs.place", "there"}}}};
        QVERIFY(rewrite(with, others).has_value()); // beside those of others
        QVERIFY(bytesOf("out.onnx").find("ours.why") != std::string::npos);
        QVERIFY(rewrite(bytesOf("out.onnx"), {0, "theirs.", {}, {}}).has_value());
        QCOMPARE(bytesOf("out.onnx"), with);
        QVERIFY(rewrite(with, {0, "ours.", {}, {}}).has_value());
        QCOMPARE(bytesOf("out.onnx"), model);
    }
    void fieldsThatNobodyKnowsStay() {
        const std::string strange =
            chain() + std::string("\xba\x3e\x03", 3) + "abc"; // field 999, of three bytes
        QVERIFY(rewrite(strange, {0, "ours.", {{"ours.a", "b"}}, {{{"ours.c", "d"}}}}).has_value());
        QVERIFY(bytesOf("out.onnx")
                    .find("\x03"
                          "abc") != std::string::npos);
        QVERIFY(rewrite(bytesOf("out.onnx"), {0, "ours.", {}, {}}).has_value());
        QCOMPARE(bytesOf("out.onnx"), strange);
    }
    /// Protobuf merges a message that is given twice: positions go on.
    void nodesOfAGraphInPieces() {
        const std::string twice = chain() + chain();
        std::vector<MetadataEntries> nodes(3);
        nodes[2] = {{"ours.place", "third node"}};
        QVERIFY(rewrite(twice, {0, "ours.", {}, nodes}).has_value());
        const std::string with = bytesOf("out.onnx");
        const std::size_t at = with.find("third node");
        QVERIFY(at != std::string::npos);
        QVERIFY(at > with.find("product", with.find("last")) && at < with.rfind("last"));
    }
    void whatIsDamagedIsRefused() {
        const std::string model = chain();
        const Result<void> cut =
            rewrite(model.substr(0, model.size() / 2), {0, "ours.", {}, {}}, "none.onnx");
        QVERIFY(!cut && cut.error().code == ErrorCode::InvalidFile);
        QVERIFY2(cut.error().text().find("in.onnx") != std::string::npos, cut.error().text().c_str());
        const Result<void> other = rewrite(model, {7, "ours.", {}, {}}, "none.onnx");
        QVERIFY(!other && other.error().code == ErrorCode::InvalidFile);
        QVERIFY2(other.error().text().find("7 when it was read") != std::string::npos,
                 other.error().text().c_str());
        std::stop_source stop;
        stop.request_stop();
        const Result<void> stopped =
            rewrite(model, {0, "ours.", {}, {}}, "none.onnx", {stop.get_token(), {}});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
        QCOMPARE(writeWithMetadata(path("absent.onnx"), {}, path("none.onnx")).error().code, ErrorCode::Io);
        QVERIFY(!QFile::exists(m_folder.filePath("none.onnx")));
    }
    void whateverIsInTheFile() {
        const std::string model = chain();
        std::mt19937 random(5);
        const ModelMetadata told{0, "ours.", {{"ours.a", "b"}}, {{{"ours.c", "d"}}, {{"ours.e", "f"}}}};
        int written = 0;
        for (int i = 0; i < 200; ++i) {
            std::string bytes = model;
            for (int k = 0; k < 3; ++k)
                bytes[random() % bytes.size()] = static_cast<char>(random());
            const Result<void> done = rewrite(bytes, told);
            if (!done) {
                QCOMPARE(done.error().code, ErrorCode::InvalidFile);
                continue;
            }
            ++written;
            const std::string once = bytesOf("out.onnx");
            QVERIFY(rewrite(once, told).has_value());
            QCOMPARE(bytesOf("out.onnx").size(), once.size());
        }
        QVERIFY(written > 20 && written < 200);
    }
};

QTEST_GUILESS_MAIN(TestMetadata)
#include "tst_core_graph_metadata.moc"
