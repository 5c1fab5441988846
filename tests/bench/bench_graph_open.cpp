// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// From a file of 50 MB with 5 000 nodes to the first frame of the graph: read, shapes and passes, blocks, layout, paint.
/// Ceiling 1 s. And decoders of the newest operator set, whose nodes are written out.
#include <QTest>

#include <string>

#include "../core_graph/onnx_builder.h"
#include "core/graph/import.h"
#include "views/graph/graph_canvas.h"
#include "views/graph/graph_overlay.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>

#include <algorithm>
#include <utility>

using namespace pim;
using namespace pim::views;

class BenchGraphOpen : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

    /// 1 000 residual blocks of five nodes with a weight of 50 KiB each.
    std::string writeModel() {
        test::OnnxBuilder builder;
        builder.input("x", {std::int64_t{1}, std::int64_t{112}});
        std::string x = "x";
        for (int i = 0; i < 1000; ++i) {
            const std::string at = "/layers." + std::to_string(i) + "/";
            builder.rawWeight(at + "weight", {112, 112}, 112 * 112 * 4);
            builder.node("MatMul", {x, at + "weight"}, {at + "a"}, {}, at + "fc/MatMul");
            builder.node("Sigmoid", {at + "a"}, {at + "b"}, {}, at + "gate/Sigmoid");
            builder.node("Mul", {at + "a", at + "b"}, {at + "c"}, {}, at + "gate/Mul");
            builder.node("Tanh", {at + "c"}, {at + "d"}, {}, at + "act/Tanh");
            builder.node("Add", {at + "d", x}, {at + "e"}, {}, at + "Add");
            x = at + "e";
        }
        builder.output(x);
        const std::string file = m_dir.filePath(QStringLiteral("large.onnx")).toStdString();
        builder.save(file);
        return file;
    }

    /// A decoder as exporters write it with opset 23: attention with a cache, rotary embedding and norms are one node each.
    std::string writeDecoder(int layers) {
        constexpr std::int64_t kWidth = 512, kHeads = 8, kHead = kWidth / kHeads, kTokens = 4, kPast = 60;
        const test::Attributes heads{{"num_heads", kHeads}};
        test::OnnxBuilder b(23);
        b.input("x", {std::int64_t{1}, kTokens, kWidth});
        b.weight("cos", {1, kTokens, kHead / 2}).weight("sin", {1, kTokens, kHead / 2});
        std::string x = "x";
        for (int i = 0; i < layers; ++i) {
            const std::string at = "/layers." + std::to_string(i) + "/";
            const auto product = [&](const std::string& from, const std::string& to, std::int64_t rows,
                                     std::int64_t columns) {
                b.external(at + to + ".w", {rows, columns}, "weights.bin", 0, rows * columns * 4);
                b.node("MatMul", {from, at + to + ".w"}, {at + to}, {}, at + to + "/MatMul");
            };
            b.weight(at + "g1", {kWidth}).weight(at + "g2", {kWidth});
            b.input(at + "k0", {std::int64_t{1}, kHeads, kPast, kHead});
            b.input(at + "v0", {std::int64_t{1}, kHeads, kPast, kHead});
            b.node("RMSNormalization", {x, at + "g1"}, {at + "n1"});
            for (const char* const part : {"q", "k", "v"})
                product(at + "n1", part, kWidth, kWidth);
            for (const char* const part : {"q", "k"})
                b.node("RotaryEmbedding", {at + part, "cos", "sin"}, {at + part + "r"}, heads);
            b.node("Attention", {at + "qr", at + "kr", at + "v", "", at + "k0", at + "v0"},
                   {at + "a", at + "k1", at + "v1"}, {{"q_num_heads", kHeads}, {"kv_num_heads", kHeads}});
            b.output(at + "k1").output(at + "v1");
            product(at + "a", "o", kWidth, kWidth);
            b.node("Add", {x, at + "o"}, {at + "s"});
            b.node("RMSNormalization", {at + "s", at + "g2"}, {at + "n2"});
            product(at + "n2", "gate", kWidth, 3 * kWidth);
            product(at + "n2", "up", kWidth, 3 * kWidth);
            b.node("Sigmoid", {at + "gate"}, {at + "sig"});
            b.node("Mul", {at + "gate", at + "sig"}, {at + "silu"});
            b.node("Mul", {at + "silu", at + "up"}, {at + "h"});
            product(at + "h", "down", 3 * kWidth, kWidth);
            b.node("Add", {at + "s", at + "down"}, {at + "e"});
            x = at + "e";
        }
        const std::string file = m_dir.filePath(QStringLiteral("decoder.onnx")).toStdString();
        b.output(x).save(file);
        return file;
    }

private slots:
    /// Twice as many layers take about twice as long.
    void newestOperatorSet() {
        std::vector<double> medians;
        for (const int layers : {64, 128}) {
            const std::string file = writeDecoder(layers);
            std::vector<double> ms;
            std::size_t ops = 0;
            for (int i = 0; i < 5; ++i) {
                QElapsedTimer timer;
                timer.start();
                const auto graph = loadGraph(file);
                QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
                ms.push_back(double(timer.nsecsElapsed()) / 1e6);
                ops = (*graph)->ops.size();
                QCOMPARE(std::ranges::count((*graph)->ops, OpClass::Attention, &Op::opClass), layers);
                QVERIFY(std::ranges::none_of((*graph)->ops, [](const Op& op) { return !op.work.known; }));
            }
            std::ranges::sort(ms);
            medians.push_back(ms[2]);
            qInfo("opset 23, %d layers, %d nodes: %zu ops in %.1f ms (median of 5)", layers, layers * 17, ops,
                  ms[2]);
        }
        qInfo("twice the layers: %.2f times as long", medians[1] / medians[0]);
    }

    void firstFrameOfALargeModel() {
        const std::string file = writeModel();
        const double megabytes = static_cast<double>(QFileInfo(QString::fromStdString(file)).size()) / 1e6;
        QVERIFY(megabytes >= 50);
        GraphOptions options;
        options.disabledPasses = {"fuse_silu"}; // so that all nodes stay
        std::vector<double> ms;
        for (int i = 0; i < 3; ++i) {
            QElapsedTimer timer;
            timer.start();
            auto step = [&, before = 0.0]() mutable {
                const double now = static_cast<double>(timer.nsecsElapsed()) / 1e6;
                return now - std::exchange(before, now);
            };
            const auto model = importModel(file);
            QVERIFY(model.has_value());
            const double read = step();
            const auto graph = buildGraph(**model, options);
            QVERIFY(graph.has_value());
            QCOMPARE((*graph)->ops.size(), std::size_t{5000});
            const double built = step();
            const auto blocks = std::make_shared<const BlockTree>(findBlocks(**graph));
            const double found = step();
            PictureOptions shown; // unfolded: the most there can be to draw
            const auto picture = buildPicture(*graph, blocks, shown);
            QVERIFY(picture.has_value());
            const double laidOut = step();
            GraphCanvas canvas;
            canvas.resize(1600, 1000);
            canvas.setPicture(*picture);
            canvas.setLooks(overlayLooks(**picture, {*graph, nullptr, nullptr, {}}, Overlay::Type, true));
            QImage frame(canvas.size(), QImage::Format_ARGB32_Premultiplied);
            canvas.render(&frame);
            const double painted = step();
            ms.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            qInfo("%.1f MB, 5 000 nodes: read %.0f, graph %.0f, %zu blocks %.1f, layout %.1f, frame %.1f: "
                  "%.0f ms in all",
                  megabytes, read, built, blocks->blocks.size(), found, laidOut, painted, ms.back());
        }
        std::sort(ms.begin(), ms.end());
#ifdef NDEBUG
        QVERIFY2(ms[1] < 1000, "slower than a second");
#endif
    }
};

QTEST_MAIN(BenchGraphOpen)
#include "bench_graph_open.moc"
