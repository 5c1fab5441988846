// SPDX-License-Identifier: GPL-3.0-or-later
// The compiler's own programs, both pipelines, against the reference.
#include <QTest>
#include <string>

#include "core/crossbar/numeric/check.h"
#include "core/crossbar/schedule/schedule.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "tests/core_crossbar_numeric/op_networks.h"
#include "tests/core_crossbar_numeric/plain_program.h"

#include <QTemporaryDir>

#define QVERIFY_RESULT(result)                                                                               \
    QVERIFY2(result, result ? "" : qPrintable(QString::fromStdString(result.error().text())))

using namespace pim;

namespace {

Result<CrossbarCheck> compileAndCheck(std::shared_ptr<const Graph> graph, const CrossbarChip& chip,
                                      CrossbarMode mode, const CrossbarCheckOptions& options = {},
                                      int layersAStage = 1) {
    PIM_TRY(const CrossbarNetwork network, crossbarNetwork(std::move(graph), chip));
    MappingOptions mappingOptions;
    mappingOptions.mode = mode;
    PIM_TRY(const CrossbarMapping mapping, mapNetwork(network, chip, mappingOptions));
    PIM_TRY(const CrossbarSchedule schedule,
            scheduleCrossbar(network, chip, mapping, {.layersAStage = layersAStage}));
    return checkCrossbar(
        {schedule.program, network, mapping, chip, schedule.mapAddress, schedule.stage, schedule.copies},
        options);
}

QString textOf(const CrossbarCheck& check) {
    return check.equal() ? QString()
                         : QString::fromStdString(check.comparison.first->text + "; " + check.firstWrong);
}

} // namespace

class TestCrossbarScheduleRun : public QObject {
    Q_OBJECT
private slots:
    void programsOfEveryOpAreRight_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<bool>("lowLatency");
        QTest::addColumn<int>("bits");
        for (const std::string& name : test::opNetworkNames())
            for (const bool lowLatency : {false, true})
                for (const int bits : {16, 8})
                    QTest::addRow("%s %s %d", name.c_str(), lowLatency ? "ll" : "ht", bits)
                        << QString::fromStdString(name) << lowLatency << bits;
    }
    void programsOfEveryOpAreRight() {
        QFETCH(QString, network);
        QFETCH(bool, lowLatency);
        QFETCH(int, bits);
        const auto graph = test::opNetwork(network.toStdString());
        QVERIFY_RESULT(graph);
        CrossbarChip chip = test::smallChip(5, 24, 16, 8);
        chip.weightBits = chip.activationBits = bits;
        const auto mode = lowLatency ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput;
        const auto check = compileAndCheck(*graph, chip, mode);
        QVERIFY_RESULT(check);
        QVERIFY2(check->equal(), qPrintable(textOf(*check)));
        QVERIFY(check->products > 0 || network == "normalisations");
        const auto real = compileAndCheck(*graph, chip, mode, {.real = true});
        QVERIFY_RESULT(real);
        QVERIFY2(real->equal(), qPrintable(textOf(*real)));
    }

    void samplesInFlightAreRight_data() {
        QTest::addColumn<QString>("network");
        QTest::addColumn<int>("layersAStage");
        for (const std::string& name : test::opNetworkNames())
            for (const int layers : {1, 2, 3, 100, kAutomaticStages})
                QTest::addRow("%s %d", name.c_str(), layers) << QString::fromStdString(name) << layers;
    }
    void samplesInFlightAreRight() {
        QFETCH(QString, network);
        QFETCH(int, layersAStage);
        const auto graph = test::opNetwork(network.toStdString());
        QVERIFY_RESULT(graph);
        const CrossbarChip chip = test::smallChip(5, 24, 16, 8);
        const auto check = compileAndCheck(*graph, chip, CrossbarMode::HighThroughput,
                                           {.samples = 4, .inFlight = true}, layersAStage);
        QVERIFY_RESULT(check);
        QVERIFY2(check->equal(), qPrintable(textOf(*check)));
    }
};

QTEST_MAIN(TestCrossbarScheduleRun)
#include "tst_core_crossbar_numeric_schedule.moc"
