// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// chip/mapping.json of a bundle: what is written is read again, and what cannot be is refused with the
/// reason.
#include <QTest>

#include <string>

#include "backends/crossbar/bundle/mapping_file.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/hardware/catalog.h"

#include <QTemporaryDir>

#include <optional>

using namespace pim;

namespace {

struct Mapped {
    CrossbarChip chip;
    CrossbarNetwork network;
    CrossbarMapping mapping;
    CrossbarSchedule schedule;
    std::string text;
};

/// Squeezenet with stages of up to \p layersAStage layers.
Mapped mapped(int layersAStage, std::optional<Unfolding> ofFirst = {}) {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("model.onnx").toStdString();
    [[maybe_unused]] const auto written = writeZooModel("squeezenet", file, {.weights = false});
    Mapped made;
    made.chip = crossbarChip(**TargetCatalog::load().find("arch-c")).value();
    made.network = crossbarNetwork(*loadGraph(file, {.bindings = {{"batch", 1}}}), made.chip).value();
    MappingOptions options;
    options.wishes = {
        {made.network.layers[made.network.matrixLayers.front().index()].name, ofFirst, std::nullopt, {}}};
    made.mapping = mapNetwork(made.network, made.chip, options).value();
    made.mapping.stages.layersAStage = layersAStage;
    made.mapping.tiles = {.fromRows = 55, .bands = 9}; // nothing to this pipeline, but it has to come back
    made.schedule = scheduleCrossbar(made.network, made.chip, made.mapping).value();
    made.mapping.stages.layersAStage = made.schedule.layersAStage;
    made.mapping.stages.waiting = made.schedule.waiting;
    made.text = placementText(made.network, made.mapping, made.schedule);
    return made;
}

} // namespace

class TestCoreCrossbarMappingFile : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsRead_data() {
        QTest::addColumn<int>("layersAStage");
        QTest::newRow("a layer a stage") << 1;
        QTest::newRow("three layers per stage") << 3;
    }
    void whatIsWrittenIsRead() {
        QFETCH(int, layersAStage);
        const Mapped made = mapped(layersAStage);
        QCOMPARE(made.schedule.waiting.empty(), layersAStage == 1);
        const auto read = parsePlacement(made.text, made.network, made.chip, "mapping.json");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(read->mapping.stages == made.mapping.stages);
        QVERIFY(read->mapping.tiles == made.mapping.tiles);
        QVERIFY(read->stage == made.schedule.stage);
        QCOMPARE(placementText(made.network, read->mapping, made.schedule), made.text);
        // It is the whole decision: the same program comes of it.
        const auto again = scheduleCrossbar(made.network, made.chip, read->mapping);
        QVERIFY(again && again->waiting == made.schedule.waiting && again->stage == made.schedule.stage);
    }
    void unfoldingsOfSeveralWindowsAreRead() {
        for (const Unfolding unfolding : {Unfolding::AllPositions, Unfolding::RowAcrossWindows}) {
            const Mapped made = mapped(1, unfolding);
            const auto read = parsePlacement(made.text, made.network, made.chip, "mapping.json");
            QVERIFY2(read, read ? "" : read.error().text().c_str());
            QCOMPARE(read->mapping.layers.front().partition.unfolding, unfolding);
            QCOMPARE(placementText(made.network, read->mapping, made.schedule), made.text);
            // As one window's its columns would be those of no output channel.
            std::string text = made.text;
            const std::string is = '"' + std::string(name(unfolding)) + '"';
            text.replace(text.find(is), is.size(), "\"ik2,o,1\"");
            const auto refused = parsePlacement(text, made.network, made.chip, "mapping.json");
            QVERIFY(!refused);
            QVERIFY2(refused.error().text().find("no part of its weights") != std::string::npos,
                     refused.error().text().c_str());
        }
    }
    void mappingsThatSayNothingHaveALayerAStageAndStrips() {
        Mapped made = mapped(1);
        for (const char* key : {" \"layers_a_stage\": 1,\n", " \"waiting\": [],\n",
                                " \"tiles_from_rows\": 55,\n", " \"bands\": 9,\n"}) {
            const std::size_t at = made.text.find(key);
            QVERIFY(at != std::string::npos);
            made.text.erase(at, std::string_view(key).size());
        }
        const auto read = parsePlacement(made.text, made.network, made.chip, "mapping.json");
        QVERIFY2(read, read ? "" : read.error().text().c_str());
        QVERIFY(read->mapping.stages == MappedStages());
        QVERIFY(read->mapping.tiles == MappedTiles());
    }

    void wrongValuesAreRefused_data() {
        QTest::addColumn<QByteArray>("is");
        QTest::addColumn<QByteArray>("becomes");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* is, const char* becomes, const char* says) {
            QTest::newRow(name) << QByteArray(is) << QByteArray(becomes) << QByteArray(says);
        };
        row("no layers", "\"layers_a_stage\": 1", "\"layers_a_stage\": 0", "at least 1 is needed");
        row("no number", "\"layers_a_stage\": 1", "\"layers_a_stage\": \"all\"",
            "\"all\" is no whole number");
        row("of no network", "\"waiting\": []", "\"waiting\": [\"nowhere\"]", "\"nowhere\"");
        row("a layer a stage", "\"waiting\": []", "\"waiting\": [\"@\"]", "with a layer a stage");
        row("twice", "\"layers_a_stage\": 1,\n \"waiting\": []",
            "\"layers_a_stage\": 2,\n \"waiting\": [\"@\", \"@\"]", "each once");
        row("tiles", "\"tiles_from_rows\": 55", "\"tiles_from_rows\": -1", "from -1 rows on");
        row("bands", "\"bands\": 9", "\"bands\": -2", "-2 bands");
    }
    void wrongValuesAreRefused() {
        QFETCH(QByteArray, is);
        QFETCH(QByteArray, becomes);
        QFETCH(QByteArray, says);
        const Mapped made = mapped(1);
        becomes.replace("@", QByteArray::fromStdString(made.network.layers.back().name));
        QByteArray text = QByteArray::fromStdString(made.text);
        QCOMPARE(text.count(is), 1);
        text.replace(is, becomes);
        const auto read = parsePlacement(text.toStdString(), made.network, made.chip, "mapping.json");
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::InvalidFile);
        QVERIFY2(read.error().text().find(says.toStdString()) != std::string::npos,
                 read.error().text().c_str());
    }
};

QTEST_GUILESS_MAIN(TestCoreCrossbarMappingFile)
#include "tst_backends_crossbar_mapping_file.moc"
