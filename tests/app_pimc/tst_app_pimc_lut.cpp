// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// LUT layers from the command line: mappings, times, and what is said of tables that make no sense.
#include "tests/support/golden_csv.h"
#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

#include <cmath>

using namespace pim::test;

namespace {

const QByteArray kHeader = "N,CB,CT,F,pe,tasklets\n";
const QByteArray kMappingHeader =
    "N,CB,CT,F,pe,tasklets,n_stile,f_stile,loop_order,load_type,n_mtile,f_mtile,cb_mtile,f_load,cb_load\n";
constexpr const char* kMappingColumns[] = {"n_stile", "f_stile",  "loop_order", "load_type", "n_mtile",
                                           "f_mtile", "cb_mtile", "f_load",     "cb_load"};
constexpr const char* kTimeColumns[] = {"t_total_s", "t_sublut_s", "t_kernel_s"};

bool close(double ours, double theirs) {
    return std::abs(ours - theirs) <= 1e-6 * std::abs(theirs);
}

} // namespace

class TestPimcLut : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString file(const QByteArray& content) const {
        const QString path = m_folder.filePath("table.csv");
        QFile table(path);
        if (table.open(QIODevice::WriteOnly))
            table.write(content);
        return path;
    }
    static QString golden(const char* name) {
        return QStringLiteral(PIM_SOURCE_DIR "/tests/golden/upmem/") + name;
    }

private slots:
    void tunesTheGoldenLayers_data() {
        QTest::addColumn<QString>("reading");
        for (const char* reading : {"strict", "released", "fixed"})
            QTest::newRow(reading) << reading;
    }
    void tunesTheGoldenLayers() {
        QFETCH(QString, reading);
        const Run run = pimc({"lut-tune", golden("pimdl_tuner_golden.csv"), "--json", "--reading", reading});
        COMPARE_CODE(run, 0);
        const QJsonArray answers = run.json()["rows"].toArray();
        const auto rows = goldenRows("upmem/pimdl_tuner_golden.csv");
        QCOMPARE(std::size_t(answers.size()), rows.size());
        int compared = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i]["variant"] != reading)
                continue;
            const QJsonObject answer = answers[qsizetype(i)].toObject();
            QVERIFY(answer["legal"].toBool() && answer["reason"].isNull());
            for (const char* column : kMappingColumns)
                QCOMPARE(answer[column].toInteger(), rows[i][column].toLongLong());
            for (const char* column : kTimeColumns)
                QVERIFY(close(answer[column].toDouble(), rows[i][column].toDouble()));
            ++compared;
        }
        QCOMPARE(compared, 24);
    }

    void reproducesAFigureOfThePaper() {
        QTemporaryDir folder;
        const Run run = pimc({"reproduce", "pim-dl", "--figure", "11", "--out", folder.path(), "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray tables = run.json()["tables"].toArray();
        QCOMPARE(tables.size(), 2);
        QCOMPARE(tables[0]["figure"].toString(), QStringLiteral("11a"));
        QCOMPARE(tables[1]["rows"][0]["published"].toDouble(), 0.455);
        QVERIFY(tables[1]["rows"][0]["ours"].toDouble() > 0);
        QFile file(folder.filePath("pim-dl.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), run.out);
        QFile page(folder.filePath("pim-dl.html")), pages(folder.filePath("pim-dl.pdf"));
        QVERIFY(page.open(QIODevice::ReadOnly) && page.readAll().contains("The evaluation of PIM-DL"));
        QVERIFY(pages.open(QIODevice::ReadOnly) && pages.read(5) == "%PDF-");
        COMPARE_CODE(pimc({"reproduce", "all", "--figure", "11"}), 1);
        COMPARE_CODE(pimc({"reproduce", "nothing"}), 1);
        const Run text = pimc({"reproduce", "pim-dl", "--figure", "11"});
        COMPARE_CODE(text, 0);
        QVERIFY(text.out.contains("Figure 11b: "));
        const Run unknown = pimc({"reproduce", "pim-dl", "--figure", "2"});
        QVERIFY(unknown.code != 0);
        QVERIFY(unknown.err.contains("figure 2 of PIM-DL"));
        QVERIFY(pimc({"reproduce", "pim-dl", "--check"}).code != 0);
    }

    void predictsTheGoldenMappings_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("configurations") << "pimdl_ae_configs_predicted.csv";
        QTest::newRow("space") << "pimdl_space_predicted.csv";
    }
    void predictsTheGoldenMappings() {
        QFETCH(QString, name);
        const Run run = pimc({"lut-predict", golden(qPrintable(name)), "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray answers = run.json()["rows"].toArray();
        const auto rows = goldenRows("upmem/" + name);
        QCOMPARE(std::size_t(answers.size()), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const QJsonObject answer = answers[qsizetype(i)].toObject();
            if (rows[i]["k_compute_s"].toDouble() == 0) {
                QVERIFY(!answer["legal"].toBool() && answer["t_total_s"].isNull());
                QVERIFY(!answer["reason"].toString().isEmpty());
                continue;
            }
            for (const char* column : kTimeColumns)
                QVERIFY(close(answer[column].toDouble(), rows[i][column].toDouble()));
        }
    }

    void columnsStandInAnyOrder() {
        const Run plain = pimc({"lut-tune", file(kHeader + "4096,48,16,768,64,16\n"), "--json"});
        COMPARE_CODE(plain, 0);
        const Run other =
            pimc({"lut-tune",
                  file("\xEF\xBB\xBF tasklets , note,F,pe,CT,CB,N\r\n\r\n16,\"a, b\",768,64,16,48, 4096\r\n"),
                  "--json"});
        COMPARE_CODE(other, 0);
        QCOMPARE(other.out, plain.out);
    }
    void namesOfLoopsAndLoadsAreUnderstood() {
        const QByteArray layer = "32768,384,16,2304,1024,16,1024,72,";
        const Run run = pimc({"lut-predict",
                              file(kMappingHeader + layer + "1,2,64,8,128,8,128\n" + layer +
                                   "ncf,coarse,64,8,128,8,128\n" + layer + "nfc,fine,64,8,128,8,\n"),
                              "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray rows = run.json()["rows"].toArray();
        QVERIFY(rows[0].toObject()["legal"].toBool());
        QCOMPARE(rows[1], rows[0]);
        QVERIFY(rows[2].toObject()["legal"].toBool());
        QCOMPARE(rows[2].toObject()["load_type"].toInt(), 1);
    }
    void tablesForPeople() {
        const Run run = pimc({"lut-tune", file(kHeader + "32768,384,16,2304,1024,16\n7,8,16,9,4,2\n")});
        COMPARE_CODE(run, 0);
        for (const char* text :
             {"1024 x 72", "64 x 8 x 128", "coarse", "402.2 ms", "4 DPUs do not divide the layer"})
            QVERIFY2(run.out.contains(text), run.out.constData());
    }

    void memoryThatComputesIsAnotherTarget() {
        const QString layers =
            file("N,CB,CT,F\n128,48,16,700\n128,4096,256,65536\n0,1,1,1\nx,1,1,1\n64,8,100,256\n");
        for (const char* target : {"hbm-pim", "aim-32"}) {
            const Run run = pimc({"lut-tune", layers, "--target", target, "--simulate", "--json"});
            COMPARE_CODE(run, 0);
            QCOMPARE(run.json()["target"].toString(), QString(target));
            const QJsonArray rows = run.json()["rows"].toArray();
            QCOMPARE(rows.size(), 5);
            for (const int legal : {0, 4}) {
                const QJsonObject row = rows[legal].toObject();
                const double ratio = row["t_total_s"].toDouble() / row["t_simulated_s"].toDouble();
                QVERIFY2(row["legal"].toBool() && std::abs(ratio - 1) < 0.1,
                         qPrintable(QString::number(ratio)));
            }
            QCOMPARE(rows[0].toObject()["padding_features"].toInt(), 68);
            QVERIFY(rows[4].toObject()["parts"].toInt() > 1);
            for (const int refused : {1, 2, 3}) {
                const QJsonObject row = rows[refused].toObject();
                QVERIFY(!row["legal"].toBool() && !row["reason"].toString().isEmpty() &&
                        row["t_total_s"].isNull());
            }
        }
        const Run text = pimc({"lut-tune", layers, "--target", "aim-32", "--accumulators", "1"});
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("1 x 1") && text.out.contains("there are 16384"), text.out.constData());
    }
    void optionsOfOtherMachinesAreRefused() {
        const QString layers = file("N,CB,CT,F\n128,48,16,700\n");
        const std::pair<QStringList, const char*> cases[] = {
            {{"--target", "attacc"}, "no units that add"},
            {{"--target", "hbm-pim", "--accumulators", "4"}, "--accumulators is for AiM"},
            {{"--accumulators", "4"}, "--accumulators is for AiM"},
            {{"--send-indices"}, "--send-indices is for HBM-PIM and AiM"},
            {{"--target", "aim-32", "--accumulators", "65"}, "1 to 64 are possible"},
            {{"--target", "aim-32", "--reading", "strict"}, "--reading is for UPMEM"}};
        for (const auto& [options, message] : cases) {
            const Run run = pimc(QStringList{"lut-tune", layers} + options);
            QVERIFY(run.code != 0);
            QVERIFY2(run.err.contains(message), run.err.constData());
        }
    }

    void kernelsAreSimulatedWhereItIsAskedFor() {
        const QString layers = file(kHeader + "2048,48,16,768,64,16\n7,8,16,9,4,2\n");
        const Run plain = pimc({"lut-tune", layers, "--json"});
        COMPARE_CODE(plain, 0);
        QVERIFY(!plain.out.contains("simulated"));
        const Run run = pimc({"lut-tune", layers, "--simulate", "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray rows = run.json()["rows"].toArray();
        const QJsonObject first = rows[0].toObject();
        // The fit is of another code and machine: the same order of magnitude.
        const double ratio = first["t_kernel_simulated_s"].toDouble() / first["t_kernel_s"].toDouble();
        QVERIFY2(ratio > 0.5 && ratio < 2, qPrintable(QString::number(ratio)));
        QVERIFY(rows[1].toObject()["t_kernel_simulated_s"].isNull());
        QVERIFY(rows[0].toObject()["not_simulated"].isNull());
        QVERIFY(pimc({"lut-tune", layers, "--simulate"}).out.contains("kernel simulated"));
        // Pieces of 11 tasklets that are rounded down: the shipped tuner takes them, hardware cannot.
        const Run shipped = pimc({"lut-tune", file(kHeader + "33792,320,16,1280,1024,11\n"), "--reading",
                                  "released", "--simulate", "--json"});
        COMPARE_CODE(shipped, 0);
        const QJsonObject refused = shipped.json()["rows"].toArray()[0].toObject();
        QVERIFY(refused["legal"].toBool());
        QVERIFY(refused["t_kernel_simulated_s"].isNull());
        QVERIFY2(refused["not_simulated"].toString().contains("11 tasklets"),
                 qPrintable(refused["not_simulated"].toString()));
    }

    void eachRowHasItsOwnMessage_data() {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("reason");
        QTest::newRow("zero") << QByteArray("0,1,1,1,1,1") << "N = 0 is not between 1 and 2147483647";
        QTest::newRow("negative") << QByteArray("64,-2,1,1,1,1") << "CB = -2 is not between 1 and 2147483647";
        QTest::newRow("large") << QByteArray("64,2,1,9999999999,1,1")
                               << "F = 9999999999 is not between 1 and 2147483647";
        QTest::newRow("larger") << QByteArray("64,2,1,1,99999999999999999999,1")
                                << "line 3, column pe: 99999999999999999999 is too large a number";
        QTest::newRow("word") << QByteArray("64,2,many,1,1,1")
                              << "line 3, column CT: \"many\" is not a whole number";
        QTest::newRow("fraction") << QByteArray("64,2,1.5,1,1,1")
                                  << "line 3, column CT: \"1.5\" is not a whole number";
        QTest::newRow("nothing") << QByteArray("64,,1,1,1,1")
                                 << "line 3, column CB: there is nothing, a whole number is expected";
        QTest::newRow("short") << QByteArray("64,2")
                               << "line 3: has 2 fields, the first line names 6 columns; nothing for CT";
        QTest::newRow("tasklets") << QByteArray("64,2,16,64,1,25") << "25 tasklets; a DPU has 24";
        QTest::newRow("MRAM") << QByteArray("2147483647,2147483647,16,2147483647,1,1")
                              << "no split over 1 DPUs fits: the smallest, 2147483647 x 2147483647, needs "
                                 "9223372036854775807 B of MRAM, which has 67108864 B";
    }
    void eachRowHasItsOwnMessage() {
        QFETCH(QByteArray, row);
        const QByteArray good = "4096,48,16,768,64,16\n";
        const Run run = pimc({"lut-tune", file(kHeader + good + row + '\n' + good), "--json"});
        COMPARE_CODE(run, 0);
        const QJsonArray rows = run.json()["rows"].toArray();
        QCOMPARE(rows.size(), 3);
        QVERIFY(rows[0].toObject()["legal"].toBool() && rows[2].toObject()["legal"].toBool());
        const QJsonObject bad = rows[1].toObject();
        QVERIFY(!bad["legal"].toBool() && bad["t_total_s"].isNull() && bad["n_stile"].isNull());
        QTEST(bad["reason"].toString(), "reason");
    }
    void mappingsThatCannotBeAreRefused_data() {
        QTest::addColumn<QByteArray>("row");
        QTest::addColumn<QString>("reason");
        QTest::newRow("11 tasklets") << QByteArray("33792,640,16,3840,1024,11,264,480,0,2,66,32,128,8,128")
                                     << "a LUT tile of 16384 B is 1489.45 B for each of 11 tasklets; a DMA "
                                        "takes whole multiples of 8 B, so it "
                                        "has to be a multiple of 88 B";
        QTest::newRow("no DMA") << QByteArray("32768,384,16,2304,1024,16,1024,72,0,2,64,8,128,0,128")
                                << "f_load = 0 does not divide f_mtile = 8";
        QTest::newRow("WRAM")
            << QByteArray("32768,384,16,2304,1024,16,1024,72,0,2,1024,8,128,8,128")
            << "index, output and LUT buffers need 311296 B of WRAM, buffers may take 48496 B";
        QTest::newRow("N") << QByteArray("32768,384,16,2304,1024,16,1000,72,0,2,64,8,128,8,128")
                           << "n_stile = 1000 does not divide N = 32768";
        QTest::newRow("F") << QByteArray("32768,384,16,2304,1024,16,1024,-72,0,2,64,8,128,8,128")
                           << "f_stile = -72 does not divide F = 2304";
        QTest::newRow("order") << QByteArray("32768,384,16,2304,1024,16,1024,72,6,2,64,8,128,8,128")
                               << "line 2, column loop_order: \"6\" is none of 0 to 5, nfc to cfn";
        QTest::newRow("huge") << QByteArray(
                                     "32768,384,16,2304,1024,16,1024,72,0,2,9223372036854775807,8,128,8,128")
                              << "n_mtile = 9223372036854775807 does not divide n_stile = 1024";
    }
    void mappingsThatCannotBeAreRefused() {
        QFETCH(QByteArray, row);
        const Run run = pimc({"lut-predict", file(kMappingHeader + row + '\n'), "--json"});
        COMPARE_CODE(run, 0);
        const QJsonObject answer = run.json()["rows"][0].toObject();
        QVERIFY(!answer["legal"].toBool());
        QTEST(answer["reason"].toString(), "reason");
    }
    void helpListsAllOptionsOfAConversion() {
        const Run run = pimc({"accuracy", "--help"});
        COMPARE_CODE(run, 0);
        const QByteArray help = run.out.simplified();
        for (const char* const option :
             {"v=1..1024", "ct=2..65536", "method=kmeans|refit|elut", "int8=off|layer|column", "seed=0..",
              "loss=outputs|one-sided|two-sided", "steps=0..", "batch=1.."})
            QVERIFY2(help.contains(option), option);
    }

    void accuracyOfDigits() {
        const QString folder = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits");
        const QStringList common{"accuracy", folder + "/vit_digits.onnx", "--data", folder};
        const Run dense = pimc(common + QStringList{"--json"});
        COMPARE_CODE(dense, 0);
        QCOMPARE(dense.json()["samples"].toInt(), 600);
        QCOMPARE(std::round(dense.json()["accuracy"].toDouble() * 1e4), 9533.0);
        const Run tables =
            pimc(common + QStringList{"--lut", "v=2,ct=16,int8=layer", "--lut-layer", "ffn:off", "--json",
                                      "--out", m_folder.filePath("tables")});
        COMPARE_CODE(tables, 0);
        QCOMPARE(tables.json()["layers"].toArray().size(), 8);
        QCOMPARE(tables.json()["accuracy_dense"], dense.json()["accuracy"]);
        QVERIFY(tables.json()["accuracy"].toDouble() > 0.85);
        QVERIFY(tables.json()["mean_abs_logit_error"].toDouble() > 0.01);
        const QJsonObject layer = tables.json()["layers"][0].toObject();
        QVERIFY(layer["relative_error"].toDouble() > 0.01 && layer["relative_error"].toDouble() < 1);
        QVERIFY(layer["unused_centroids"].toInt() <
                layer["codebooks"].toInt() * layer["centroids"].toInt() / 2);
        // 32 codebooks of 16 centroids for 192 features, in 8 bit behind a header of 128 bytes
        QCOMPARE(QFileInfo(m_folder.filePath("tables/001_table.npy")).size(), 128 + 32 * 16 * 192);
        QCOMPARE(QFileInfo(m_folder.filePath("tables/007_centroids.npy")).size(), 128 + 32 * 16 * 2 * 4);
        const Run text = pimc(common);
        COMPARE_CODE(text, 0);
        QVERIFY2(text.out.contains("600 samples, 95.33 % right"), text.out.constData());
        const Run eight = pimc(common + QStringList{"--int8"});
        COMPARE_CODE(eight, 0);
        QVERIFY2(eight.out.contains("% in 8 bit with exact sums; logits 0."), eight.out.constData());
        const Run alone = pimc(common + QStringList{"--lut-layer", "ffn:off"});
        COMPARE_CODE(alone, 1);
        QVERIFY2(alone.err.contains("give --lut as well"), alone.err.constData());
        const Run idle =
            pimc(common + QStringList{"--lut", "v=4", "--checkpoint", m_folder.filePath("state")});
        COMPARE_CODE(idle, 1);
        QVERIFY2(idle.err.contains("method=kmeans has no training to keep"), idle.err.constData());
        const Run nowhere = pimc({"accuracy", folder + "/vit_digits.onnx", "--data", folder + "/nowhere"});
        COMPARE_CODE(nowhere, 1);
        QVERIFY2(nowhere.err.contains("there is no such folder"), nowhere.err.constData());
    }
    /// The same network in the numbers of machines: what their programs make of real samples.
    void accuracyOnMachines() {
        const QString folder = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits");
        const QStringList common{"accuracy", folder + "/vit_digits.onnx", "--data", folder, "--json"};
        const QStringList some{"--samples", "150"};
        const Run eight = pimc(common + some + QStringList{"--int8"});
        COMPARE_CODE(eight, 0);
        const Run dualMode = pimc(common + some + QStringList{"--target", "dynaplasia"});
        COMPARE_CODE(dualMode,
                     0); // sample by sample through the flow, ranges from as many samples: the same numbers
        QCOMPARE(dualMode.json()["accuracy"], eight.json()["accuracy"]);
        QCOMPARE(dualMode.json()["mean_abs_logit_error"], eight.json()["mean_abs_logit_error"]);
        const QJsonObject machine = dualMode.json()["machine"].toObject();
        QCOMPARE(machine["target"].toString(), QStringLiteral("dynaplasia"));
        QCOMPARE(machine["time"].toString(), QStringLiteral("simulated"));
        QVERIFY(machine["ns"].toDouble() > 0 && machine["energy_pj"].toDouble() > 0);
        QVERIFY(machine["same_answers"].toInt() > 144 && machine["same_answers"].toInt() <= 150);
        const Run dpus = pimc(
            common + QStringList{"--target", "upmem-8", "--dtype", "i8", "--all-ops", "--samples", "40"});
        COMPARE_CODE(dpus, 0);
        QVERIFY2(dpus.json()["machine"]["numbers"].toString().startsWith("8 bit with exact sums, on DPUs: "),
                 dpus.out.constData());
        QVERIFY(dpus.json()["machine"]["same_answers"].toInt() >= 38);
        QCOMPARE(dpus.json()["samples"].toInt(), 40);
    }
    /// Converters that are too coarse for their arrays cost accuracy; commands of DRAM cost none to speak of.
    void accuracyOfImperfectDevices() {
        const QString folder = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits");
        const QStringList common{"accuracy", folder + "/vit_digits.onnx", "--data", folder, "--samples", "10",
                                 "--json"};
        const Run exact = pimc(common + QStringList{"--target", "isaac"});
        COMPARE_CODE(exact, 0);
        QCOMPARE(exact.json()["accuracy"], exact.json()["accuracy_dense"]);
        QVERIFY(exact.json()["mean_abs_logit_error"].toDouble() < 0.002);
        const Run coarse = pimc(common + QStringList{"--target", "isaac", "--adc-bits", "4"});
        COMPARE_CODE(coarse, 0);
        QVERIFY(coarse.json()["mean_abs_logit_error"].toDouble() >
                100 * exact.json()["mean_abs_logit_error"].toDouble());
        QVERIFY(coarse.json()["machine"]["numbers"].toString().contains("converters of 4 bits"));
        const Run bf16 = pimc(common + QStringList{"--target", "aim"});
        COMPARE_CODE(bf16, 0);
        QVERIFY(bf16.json()["machine"]["numbers"].toString().contains("float32"));
        QVERIFY(bf16.json()["mean_abs_logit_error"].toDouble() < 0.1);
        const auto error = [&](const QStringList& more) {
            const Run run = pimc(common + more);
            return run.code == 1 ? run.err : QByteArray("exit code ") + QByteArray::number(run.code);
        };
        QVERIFY(error({"--target", "dynaplasia", "--adc-bits", "6"})
                    .contains("dual-mode chips have no such choice"));
        QVERIFY(error({"--adc-bits", "6"}).contains("give --target as well"));
        QVERIFY(error({"--target", "isaac", "--lut", "v=4"}).contains("excludes"));
        QVERIFY(error({"--target", "nowhere"}).contains("there is no target"));
    }
    /// A column of `which`, and a floor under which machines are left out.
    void accuracyOfAllMachines() {
        const QString model = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits/vit_digits.onnx");
        const QString folder = QStringLiteral(PIM_SOURCE_DIR "/tests/golden/lut/vit_digits");
        const QStringList data{model, "--data", folder, "--samples", "20", "--json"};
        const QStringList machines{"-t", "dynaplasia", "-t", "aim", "--predict"};
        const auto rowsOf = [](const Run& run) {
            std::map<QString, QJsonValue> rows;
            for (const QJsonValue row : run.json().array())
                rows[row["machine"].toString()] = row;
            return rows;
        };
        const Run all = pimc(QStringList{"which"} + data + machines);
        COMPARE_CODE(all, 0);
        const auto rows = rowsOf(all);
        QCOMPARE(rows.size(), std::size_t{4}); // and two hosts
        for (const char* machine : {"dynaplasia", "aim"}) {
            const Run alone = pimc(QStringList{"accuracy"} + data +
                                   QStringList{"--target", machine, "--host", "xeon-8380"});
            COMPARE_CODE(alone, 0);
            QCOMPARE(rows.at(machine)["accuracy"], alone.json()["accuracy"]);
            QCOMPARE(rows.at("xeon-8380")["accuracy"], alone.json()["accuracy_dense"]);
        }
        QVERIFY(rows.at("dynaplasia")["accuracy_note"].toString().contains("8 bit"));
        const double most = rows.at("xeon-8380")["accuracy"].toDouble();
        const Run floor = pimc(QStringList{"which"} + data + machines +
                               QStringList{"--least-accuracy", QString::number(100 * most + 1)});
        COMPARE_CODE(floor, 0);
        for (const auto& [machine, row] : rowsOf(floor))
            QVERIFY2(row["problem"].toString().contains("of the samples are right"), qPrintable(machine));
        const Run blind = pimc({"which", model, "--least-accuracy", "95"});
        COMPARE_CODE(blind, 1);
        QVERIFY2(blind.err.contains("give samples with --data"), blind.err.constData());
    }
    void tablesThatMakeNoSense_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("empty") << QByteArray() << QByteArray("the table is empty");
        QTest::newRow("blank") << QByteArray("\n  \n\r\n") << QByteArray("the table is empty");
        QTest::newRow("columns") << QByteArray("N,CT,F,pe\n1,1,1,1\n")
                                 << QByteArray("there are no columns \"CB\", \"tasklets\"");
        QTest::newRow("column") << QByteArray("N,CB,CT,F,pe\n1,1,1,1,1\n")
                                << QByteArray("there is no column \"tasklets\"");
        QTest::newRow("bytes") << QByteArray(3000, '\0') << QByteArray("there are no columns");
    }
    void tablesThatMakeNoSense() {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, message);
        const Run run = pimc({"lut-tune", file(content), "--json"});
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains(message), run.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestPimcLut)
#include "tst_app_pimc_lut.moc"
