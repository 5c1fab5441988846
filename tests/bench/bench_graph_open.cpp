// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// From a file of 50 MB with 5 000 nodes to the first frame of the graph: read, shapes and passes, blocks, layout, paint.
/// Ceiling 1 s.
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

private slots:
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
