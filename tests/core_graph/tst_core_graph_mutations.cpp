// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files, made with a fixed seed from one small model: each must load or give one error, within a time
// limit. The same idea for whole programs is tests/fuzz/mutate_onnx.py.
#include "core/graph/import.h"
#include "core/graph/weights.h"
#include "tests/core_graph/onnx_builder.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace pim;
using namespace pim::test;

namespace {

std::string seedModel() {
    OnnxBuilder b;
    using Dims = std::vector<std::int64_t>;
    b.input("x", {"batch", std::int64_t(3), std::int64_t(8), std::int64_t(8)})
        .input("c", {}, 9)
        .function("F", "Add");
    b.weight("w", {4, 3, 3, 3}).weight("g", {4}).weight("v", {4}, 1).weight("fc", {4, 10});
    b.node("Conv", {"x", "w"}, {"a"}, {{"pads", Dims{1, 1, 1, 1}}, {"strides", Dims{2, 2}}})
        .node("BatchNormalization", {"a", "g", "g", "g", "v"}, {"b"})
        .node("Relu", {"b"}, {"r"});
    b.node("MaxPool", {"r"}, {"p"}, {{"kernel_shape", Dims{2, 2}}})
        .node("F", {"p", "p"}, {"f"}, {}, "call", "local")
        .node("GlobalAveragePool", {"f"}, {"m"});
    b.ints("zero", {0}, true)
        .ints("one", {0})
        .ints("rest", {-1})
        .node("Shape", {"m"}, {"s"})
        .node("Gather", {"s", "zero"}, {"n"})
        .node("Unsqueeze", {"n", "one"}, {"n1"});
    b.node("Concat", {"n1", "rest"}, {"t"}, {{"axis", std::int64_t(0)}})
        .node("Reshape", {"m", "t"}, {"q"})
        .node("MatMul", {"q", "fc"}, {"o"})
        .node("Softmax", {"o"}, {"sm"}, {{"axis", std::int64_t(-1)}});
    b.branch("c", "sm", "y", "Abs", "Neg")
        .ints("starts", {0})
        .ints("ends", {5})
        .ints("axes", {1})
        .node("Slice", {"sm", "starts", "ends", "axes"}, {"z"})
        .output("y")
        .output("z");
    return b.bytes();
}

std::string mutated(std::string bytes, std::mt19937& random) {
    const auto pick = [&](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
    };
    const std::size_t times = 1 + pick(2);
    for (std::size_t t = 0; t < times && bytes.size() > 8; ++t) {
        const std::size_t at = pick(bytes.size()),
                          length = 1 + pick(std::min<std::size_t>(64, bytes.size() - at));
        switch (pick(12)) {
        default:
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(8)));
            break;
        case 1:
            bytes[at] = static_cast<char>(pick(256));
            break;
        case 2:
            bytes.resize(at);
            break;
        case 3:
            bytes.erase(at, length);
            break;
        case 4:
            bytes.insert(pick(bytes.size()), bytes.substr(at, length));
            break;
        case 5:
            bytes.insert(at, std::string(1 + pick(9), '\xff'));
            break;
        }
    }
    return bytes;
}

} // namespace

class TestGraphMutations : public QObject {
    Q_OBJECT

private slots:
    void everyDamagedFileLoadsOrGivesOneError() {
        QTemporaryDir dir;
        const std::filesystem::path path = dir.path().toStdString() + "/m.onnx";
        const std::string seed = seedModel();
        writeFile(path, seed);
        const auto whole = loadGraph(path);
        QVERIFY2(whole, whole ? "" : whole.error().text().c_str());
        std::mt19937 random(20240607);
        int loadedCount = 0, failedCount = 0;
        QElapsedTimer total;
        total.start();
        for (int i = 0; i < 500; ++i) {
            const std::string bytes = mutated(seed, random);
            writeFile(path, bytes);
            QElapsedTimer timer;
            timer.start();
            const auto graph = loadGraph(path);
            QVERIFY2(timer.elapsed() < 5000,
                     qPrintable(QString("mutation %1 took %2 ms").arg(i).arg(timer.elapsed())));
            if (graph) {
                ++loadedCount;
                for (const Tensor& t : (*graph)->tensors)
                    if (t.isConstant() && t.bytes().value_or(0) < 1 << 20)
                        (void)readConstant(t);
            } else {
                ++failedCount;
                const std::string text = graph.error().text();
                QVERIFY2(graph.error().code != ErrorCode::Internal && !graph.error().message.empty(),
                         text.c_str());
                QVERIFY2(text.find("m.onnx") != std::string::npos, text.c_str());
                QVERIFY2(text.find('\n') == std::string::npos, text.c_str());
            }
        }
        qInfo("500 mutations: %d loaded, %d refused, %lld ms", loadedCount, failedCount,
              static_cast<long long>(total.elapsed()));
        QVERIFY(loadedCount > 50 && failedCount > 50);
    }
};

QTEST_GUILESS_MAIN(TestGraphMutations)
#include "tst_core_graph_mutations.moc"
