// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Whole networks as the compiler places them: planned for a dual-mode chip, emitted as a flow, written as
/// text, read back, executed, and compared with the reference bit for bit.
#include <QTest>

#include <string>

#include "backends/dual_mode/execute/execute.h"
#include "backends/dual_mode/planner.h"
#include "core/numeric/real_run.h"
#include "tests/backends_dual_mode_execute/dynaplasia_chip.h"
#include "tests/backends_dual_mode_execute/networks.h"

#include <QElapsedTimer>

#include <algorithm>
#include <random>

using namespace pim;

namespace {

Result<std::shared_ptr<const Graph>> graphOf(const QString& network) {
    if (network == "small vision")
        return test::smallVision();
    if (network == "encoder layer")
        return test::encoderLayer(32, 256, 4);
    if (network.endsWith("prefill"))
        return test::zooNetwork(network.toStdString(), {{"seq", 24}});
    if (network.endsWith("decode"))
        return test::zooNetwork(network.toStdString(), {{"past", 17}});
    return test::zooNetwork(network.toStdString());
}

} // namespace

class TestExecuteNetworks : public QObject {
    Q_OBJECT
private slots:
    void equalsTheReference_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("arrays");
        QTest::addColumn<bool>("memory"); ///< The plan has arrays in memory mode.
        QTest::newRow("small vision") << "small vision" << 96 << false;
        QTest::newRow("small vision, 6 arrays") << "small vision" << 6 << false;
        QTest::newRow("encoder layer") << "encoder layer" << 96 << true;
        QTest::newRow("encoder layer, 12 arrays") << "encoder layer" << 12 << false;
        QTest::newRow("tiny-gpt-prefill") << "tiny-gpt-prefill" << 96 << false;
        QTest::newRow("tiny-gpt-decode") << "tiny-gpt-decode" << 16 << true;
        QTest::newRow("vgg8") << "vgg8" << 96 << true;
        QTest::newRow("resnet18") << "resnet18" << 96 << true;
        QTest::newRow("mobilenetv2") << "mobilenetv2" << 96 << true;
    }
    void equalsTheReference() {
        QFETCH(QString, network);
        QFETCH(int, arrays);
        QFETCH(bool, memory);
        const auto graph = graphOf(network);
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        auto workload = dualModeWorkload(**graph);
        QVERIFY2(workload.has_value(), workload ? "" : workload.error().text().c_str());
        const auto plan = planDualMode(std::move(*workload), test::chipOf(arrays), {});
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const auto emitted = emitFlow(**graph, **plan);
        QVERIFY2(emitted.has_value(), emitted ? "" : emitted.error().text().c_str());
        const auto flow = parseFlow(flowText(*emitted));
        QVERIFY2(flow.has_value(), flow ? "" : flow.error().text().c_str());
        const auto model = quantize(*graph, {.seed = 2});
        QVERIFY2(model.has_value(), model ? "" : model.error().text().c_str());
        const auto inputs = sampleInputs(**graph, 3); // others than it was calibrated with
        const auto expected = runQuantized(*model, *inputs);
        QVERIFY2(expected.has_value(), expected ? "" : expected.error().text().c_str());
        QElapsedTimer timer;
        timer.start();
        const auto got = executeFlow(*flow, *model, *inputs);
        QVERIFY2(got.has_value(), got ? "" : got.error().text().c_str());
        const auto milliseconds = timer.elapsed();
        const auto comparison = compareWithReference(*model, *expected, *got);
        QVERIFY2(!comparison.first, comparison.first ? comparison.first->text.c_str() : "");
        QCOMPARE(comparison.ops, static_cast<std::int64_t>((*graph)->ops.size()));
        QVERIFY(comparison.outputs > 0);
        bool holds = false;
        for (const FlowBlock& block : flow->blocks)
            for (const FlowOperator& o : block.operators)
                holds = holds || o.kind == FlowKind::Hold;
        QVERIFY2(holds || !memory, "no array was used as memory");
        qInfo("%lld operators, %lld tiles, %lld switches, %lld numbers equal, %lld ms",
              static_cast<long long>(got->operators), static_cast<long long>(got->tilesWritten),
              static_cast<long long>(got->switches), static_cast<long long>(comparison.elements),
              static_cast<long long>(milliseconds));
    }

    /// Takes away one operator after the other: what is left must not pass.
    void noticesEveryMissingOperator_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("arrays");
        QTest::newRow("small vision") << "small vision" << 96;
        QTest::newRow("encoder layer") << "encoder layer" << 96;
        QTest::newRow("tiny-gpt-decode") << "tiny-gpt-decode" << 16;
    }
    void noticesEveryMissingOperator() {
        QFETCH(QString, network);
        QFETCH(int, arrays);
        const auto graph = graphOf(network);
        QVERIFY(graph.has_value());
        const auto plan = planDualMode(*dualModeWorkload(**graph), test::chipOf(arrays), {});
        QVERIFY(plan.has_value());
        const auto flow = emitFlow(**graph, **plan);
        QVERIFY(flow.has_value());
        const auto model = quantize(*graph, {.seed = 2});
        QVERIFY(model.has_value());
        const auto expected = runQuantized(*model, model->calibration);
        QVERIFY(expected.has_value());
        int tried = 0;
        for (std::size_t b = 0; b < flow->blocks.size(); ++b)
            for (std::size_t i = 0; i < flow->blocks[b].operators.size(); ++i) {
                const FlowOperator& o = flow->blocks[b].operators[i];
                if (o.kind == FlowKind::Release || o.kind == FlowKind::Store || (o.run && o.run->view))
                    continue; // nobody may miss them
                DualModeFlow broken = *flow;
                broken.blocks[b].operators.erase(broken.blocks[b].operators.begin() +
                                                 static_cast<std::ptrdiff_t>(i));
                const auto got = executeFlow(broken, *model, model->calibration);
                QVERIFY2(!got || compareWithReference(*model, *expected, *got).first.has_value(),
                         flowPosition(*flow, b, i).c_str());
                ++tried;
            }
        QVERIFY(tried > 10);
    }

    /// One digit of the text changes: an error, a difference, or a flow that is right as well; never a crash.
    void survivesChangedDigits() {
        const auto graph = graphOf("small vision");
        QVERIFY(graph.has_value());
        const auto plan = planDualMode(*dualModeWorkload(**graph), test::chipOf(12), {});
        QVERIFY(plan.has_value());
        const auto flow = emitFlow(**graph, **plan);
        QVERIFY(flow.has_value());
        const auto model = quantize(*graph, {.seed = 2});
        QVERIFY(model.has_value());
        const auto expected = runQuantized(*model, model->calibration);
        QVERIFY(expected.has_value());
        const std::string text = flowText(*flow);
        std::mt19937 random(17);
        int refused = 0, different = 0, executed = 0;
        for (int i = 0; i < 250; ++i) {
            std::string broken = text;
            std::size_t at = random() % broken.size();
            while (broken[at] < '0' || broken[at] > '9')
                at = (at + 1) % broken.size();
            broken[at] = static_cast<char>('0' + random() % 10);
            const auto parsed = parseFlow(broken);
            if (!parsed)
                continue;
            const auto got = executeFlow(*parsed, *model, model->calibration);
            ++executed;
            refused += got ? 0 : 1;
            different += got && compareWithReference(*model, *expected, *got).first ? 1 : 0;
        }
        QVERIFY2(
            executed > 50 && refused > 20,
            qPrintable(
                QString("%1 executed, %2 refused, %3 different").arg(executed).arg(refused).arg(different)));
    }

    /// Two arrays of one operator change places: other weights, or an array in the other mode.
    void noticesSwappedArrays() {
        const auto graph = graphOf("encoder layer");
        QVERIFY(graph.has_value());
        const auto plan = planDualMode(*dualModeWorkload(**graph), test::chipOf(96), {});
        QVERIFY(plan.has_value());
        const auto flow = emitFlow(**graph, **plan);
        QVERIFY(flow.has_value());
        const auto model = quantize(*graph, {.seed = 2});
        QVERIFY(model.has_value());
        int tried = 0;
        for (std::size_t b = 0; b < flow->blocks.size(); ++b)
            for (std::size_t i = 0; i < flow->blocks[b].operators.size(); ++i) {
                const FlowOperator& o = flow->blocks[b].operators[i];
                if (o.kind != FlowKind::Multiply)
                    continue;
                auto arrays = o.arrays.numbers();
                const int blocks = flow->pieces[static_cast<std::size_t>(o.piece)].blocks;
                DualModeFlow broken = *flow;
                if (blocks > 1) {
                    std::swap(arrays[0], arrays[1]);
                } else { // one it does not have
                    arrays[0] = 0;
                    while (std::count(arrays.begin() + 1, arrays.end(), arrays[0]) > 0 ||
                           arrays[0] == o.arrays.numbers()[0])
                        ++arrays[0];
                }
                broken.blocks[b].operators[i].arrays = arrayList(arrays);
                const auto got = executeFlow(broken, *model, model->calibration);
                QVERIFY2(!got, flowPosition(*flow, b, i).c_str());
                QCOMPARE(QString::fromStdString(got.error().where),
                         QString::fromStdString(flowPosition(*flow, b, i)));
                ++tried;
            }
        QVERIFY(tried > 5);
    }
};

QTEST_GUILESS_MAIN(TestExecuteNetworks)
#include "tst_backends_dual_mode_execute_networks.moc"
