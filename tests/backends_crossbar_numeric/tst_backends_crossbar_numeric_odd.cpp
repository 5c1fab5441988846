// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are odd, too large or wrong: each is told from the others, and nothing wrong looks right.
#include <QTest>
#include <string>

#include "backends/crossbar/numeric/check.h"
#include "backends/crossbar/plan/planner.h"
#include "backends/crossbar/search/shared_time.h"
#include "core/base/number_text.h"
#include "core/graph/import.h"
#include "tests/backends_crossbar_numeric/plain_program.h"
#include "tests/core_graph/onnx_builder.h"

#include <QTemporaryDir>

#include <cmath>
#include <limits>

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;
using namespace pim::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                kInfinity = std::numeric_limits<float>::infinity();

/// A convolution of 2 channels on 5 x 4 pixels without padding, one weight of which is \p odd.
OnnxBuilder convolution(float odd) {
    OnnxBuilder model(17);
    std::vector<float> weights(3 * 2 * 2 * 2, 0.25F);
    weights[9] = odd; // of output channel 1
    model.input("x", {std::int64_t(1), std::int64_t(2), std::int64_t(5), std::int64_t(4)});
    model.floats("w", {3, 2, 2, 2}, weights).node("Conv", {"x", "w"}, {"y"});
    return model;
}

} // namespace

class TestCrossbarOdd : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_models = 0;

    Result<std::shared_ptr<const CrossbarNetwork>> network(OnnxBuilder& model, const std::string& output) {
        model.output(output);
        const QString file = m_folder.filePath(QStringLiteral("%1.onnx").arg(m_models++));
        PIM_TRY(auto graph, loadGraph(model.save(file.toStdString())));
        PIM_TRY(CrossbarNetwork made, crossbarNetwork(std::move(graph), smallChip()));
        return std::make_shared<const CrossbarNetwork>(std::move(made));
    }
    static Result<std::shared_ptr<const CrossbarPlan>>
    plan(const std::shared_ptr<const CrossbarNetwork>& network, const CrossbarChip& chip = smallChip()) {
        CrossbarOptions options;
        options.strategy = "constructive";
        return planCrossbar(
            {.network = network, .chip = chip, .options = options, .wishes = {}, .threads = 1}, {});
    }
    static Result<CrossbarCheck> check(const std::shared_ptr<const CrossbarNetwork>& network, bool real) {
        PIM_TRY(const auto made, plan(network));
        const CrossbarSchedule& schedule = *made->schedule;
        CrossbarCheckOptions options;
        options.real = real;
        return checkCrossbar({schedule.program, *network, made->mapping, made->chip, schedule.mapAddress,
                              schedule.stage, schedule.copies},
                             options);
    }

private slots:
    void emptyMapsAreRefused_data() {
        QTest::addColumn<int>("in");
        QTest::addColumn<int>("out");
        QTest::newRow("input") << 0 << 3;
        QTest::newRow("output") << 2 << 0;
    }
    void emptyMapsAreRefused() {
        QFETCH(int, in);
        QFETCH(int, out);
        OnnxBuilder model(17);
        model.input("x", {std::int64_t(1), std::int64_t(in), std::int64_t(5), std::int64_t(4)});
        model.floats("w", {out, in, 1, 1}, std::vector<float>(std::size_t(in * out), 1.0F))
            .node("Conv", {"x", "w"}, {"y"});
        const auto made = network(model, "y");
        QVERIFY(!made);
        const std::string text = made.error().text(), name = in == 0 ? "\"x\"" : "\"y\"";
        QVERIFY2(text.find(name) != std::string::npos && text.find(", 0, ") != std::string::npos,
                 text.c_str());
    }

    void weightsAreNumbers_data() {
        QTest::addColumn<float>("odd");
        QTest::addColumn<QString>("value");
        QTest::newRow("a number") << 0.5F << QString();
        QTest::newRow("NaN") << kNan << QStringLiteral("nan");
        QTest::newRow("infinite") << kInfinity << QStringLiteral("inf");
    }
    void weightsAreNumbers() {
        QFETCH(float, odd);
        QFETCH(QString, value);
        OnnxBuilder model = convolution(odd);
        const auto made = network(model, "y");
        QVERIFY_RESULT(made);
        for (const bool real : {false, true}) {
            const auto checked = check(*made, real);
            if (value.isEmpty()) {
                QVERIFY_RESULT(checked);
                QVERIFY(checked->equal());
                continue;
            }
            QVERIFY(!checked);
            const QString text = QString::fromStdString(checked.error().text());
            QVERIFY2(text.startsWith(u'w') && text.contains(QStringLiteral("output channel 1 is ") + value),
                     qPrintable(text));
        }
    }

    /// A program that computes it rightly has it where the reference has it.
    void programsMayComputeNoNumbers() {
        OnnxBuilder model = convolution(-0.5F);
        model.node("Sqrt", {"y"}, {"z"});
        const auto made = network(model, "z");
        QVERIFY_RESULT(made);
        for (const bool real : {false, true}) {
            const auto checked = check(*made, real);
            QVERIFY_RESULT(checked);
            QVERIFY2(checked->equal(), checked->equal() ? "" : checked->comparison.first->text.c_str());
            QVERIFY(checked->notFinite > 0);
            QVERIFY(std::isfinite(checked->outputError));
        }
    }

    /// What comes of constants, but was not folded, is not taken for a map of the sample.
    void unfoldedWeightsAreSaid() {
        OnnxBuilder model(17);
        model.input("x", {std::int64_t(1), std::int64_t(2), std::int64_t(64), std::int64_t(64)});
        model.floats("w", {64, 64, 3, 3}, std::vector<float>(64 * 64 * 9, 0.1F))
            .node("Softmax", {"w"}, {"v"});
        model.floats("first", {64, 2, 1, 1}, std::vector<float>(128, 0.1F))
            .node("Conv", {"x", "first"}, {"a"});
        model.node("Conv", {"a", "v"}, {"y"});
        const auto made = network(model, "y");
        QVERIFY_RESULT(made);
        const auto host = std::ranges::find_if(
            (*made)->layers, [](const CrossbarLayer& layer) { return layer.as<HostWork>() != nullptr; });
        QVERIFY(host != (*made)->layers.end());
        const std::string& reason = host->as<HostWork>()->reason;
        QVERIFY2(reason.find("\"v\"") != std::string::npos && reason.find("Softmax") != std::string::npos,
                 reason.c_str());
    }

    void programsBeyondMemoryAreRefused() {
        OnnxBuilder model(17);
        model.input("x", {std::int64_t(1), std::int64_t(1), std::int64_t(40'000), std::int64_t(50'000)});
        model.floats("w", {1, 1, 1, 1}, {1.0F}).node("Conv", {"x", "w"}, {"y"});
        const auto made = network(model, "y");
        QVERIFY_RESULT(made);
        const auto planned = plan(*made);
        QVERIFY(!planned);
        const std::string text = planned.error().text();
        QVERIFY2(text.find(exactText(8'000'000'000) + " instructions") != std::string::npos, text.c_str());
    }

    /// However long something takes, who books its time takes little memory; what is free is found all the same.
    void longTimesTakeLittleMemory() {
        SharedTime shared;
        QCOMPARE(shared.take(0, 100), 100.0);
        QCOMPARE(shared.take(50, 100), 200.0);
        QCOMPARE(shared.take(1000, 24), 1024.0);
        QVERIFY(shared.slotCount() < 10);
        const double far = 1e15;
        QVERIFY(shared.take(far, 1e9) >= far + 1e9);
        QVERIFY(shared.slotCount() < (1 << 20));
        const double early = shared.take(0, 10); // of the first slot, which is wide now
        QVERIFY2(early >= 10 && early < far / 1000, qPrintable(QString::number(early)));
        QVERIFY(shared.take(far, far) >= 2 * far);
    }
};

QTEST_MAIN(TestCrossbarOdd)
#include "tst_backends_crossbar_numeric_odd.moc"
