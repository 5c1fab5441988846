// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Crossbar chips from the command line: what is in a bundle, whether it is right, cells, devices, bad input.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim::test;

namespace {

const QStringList kQuick{"--crossbar", "strategy=constructive"};

} // namespace

class TestPimcCrossbar : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_model, m_bare;

    QString path(const char* name) const { return m_folder.filePath(name); }
    Run verb(const QStringList& arguments) const { return pimc(arguments, {}, m_folder.path()); }
    Run compiled(const QString& model, const char* target, const char* mode, const QString& bundle) const {
        return verb(QStringList{"compile", model, "--target", target, "--mode", mode, "-q", "--out", bundle} +
                    kQuick);
    }
    void change(const QString& file, qint64 at) const {
        QFile changed(m_folder.filePath(file));
        QVERIFY(changed.open(QIODevice::ReadWrite));
        QVERIFY(changed.seek(at));
        const char old = changed.read(1)[0];
        changed.seek(at);
        changed.putChar(char(old ^ 1));
    }

private slots:
    void initTestCase() {
        m_model = path("squeezenet.onnx");
        m_bare = path("bare.onnx");
        COMPARE_CODE(pimc({"zoo", "squeezenet", "-q", "--out", m_model}), 0);
        COMPARE_CODE(pimc({"zoo", "squeezenet", "-q", "--no-weights", "--out", m_bare}), 0);
    }

    void bundleComputesTheNetwork_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("mode");
        QTest::newRow("16 bit, throughput") << "arch-c"
                                            << "ht";
        QTest::newRow("16 bit, latency") << "arch-c"
                                         << "ll";
        QTest::newRow("8 bit, throughput") << "sram-digital"
                                           << "ht";
        QTest::newRow("8 bit, latency") << "sram-digital"
                                        << "ll";
    }
    void bundleComputesTheNetwork() {
        QFETCH(QString, target);
        QFETCH(QString, mode);
        const QString bundle = target + '-' + mode;
        COMPARE_CODE(compiled(m_model, qPrintable(target), qPrintable(mode), bundle), 0);
        const auto files = contentOf(m_folder.filePath(bundle));
        for (const char* file : {"chip/mapping.json", "chip/weights.bin", "chip/weights.json",
                                 "chip/parameters.json", "chip/primitives.json", "programs/network.xbar"})
            QVERIFY2(files.contains(file), file);
        const QJsonObject image = QJsonDocument::fromJson(files["chip/weights.json"]).object();
        QCOMPARE(image["bytes"].toInteger(), qint64(files["chip/weights.bin"].size()));
        QVERIFY(!image.contains("missing"));
        const Run verified = verb({"verify", bundle, "--numeric", "--json"});
        COMPARE_CODE(verified, 0);
        QVERIFY(verified.json()["sound"].toBool());
        const QJsonObject numeric = verified.json()["numeric"].toObject();
        QVERIFY(numeric["ok"].toBool());
        QCOMPARE(numeric["mode"].toString(), mode);
        // In the low-latency pipeline most maps never leave the cores.
        QVERIFY(numeric["elements"].toInteger() >= (mode == "ht" ? 1'000'000 : 1000));
        QVERIFY(numeric["weights_compared"].toInteger() >= 1'200'000); // all 1.235 M but biases
        // Sums of 32 bits on chips of both widths: 8-bit sums that wrap at 16 bits would be nowhere near.
        QVERIFY(numeric["output_error"].toDouble() < (target == "sram-digital" ? 0.5 : 0.01));
    }

    /// Decisions about unfoldings are in the bundle, whose cells and programs follow them; what cannot be
    /// says so.
    void unfoldingsOfSeveralWindowsComputeTheNetwork() {
        const auto decide = [&](const QByteArray& ops) {
            QFile file(path("unfolded.json"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{\"ops\": {" + ops + "}}");
        };
        for (const char* mode : {"ht", "ll"}) {
            decide(
                R"("/conv1/Conv": {"unfolding": "ik,ok,1"}, "/fire3/expand3x3/Conv": {"unfolding": "i,ok2,1"})");
            const QString bundle = QStringLiteral("unfolded-") + mode;
            COMPARE_CODE(verb(QStringList{"compile", m_model, "--target", "arch-c", "--mode", mode, "-q",
                                          "--override", path("unfolded.json"), "--out", bundle} +
                              kQuick),
                         0);
            const QByteArray mapping = readFile(m_folder.filePath(bundle + "/chip/mapping.json"));
            QCOMPARE(mapping.count("\"ik,ok,1\""), 1);
            QCOMPARE(mapping.count("\"i,ok2,1\""), 1);
            const Run verified = verb({"verify", bundle, "--numeric", "--json"});
            COMPARE_CODE(verified, 0);
            QVERIFY(verified.json()["sound"].toBool());
            QVERIFY(verified.json()["numeric"]["ok"].toBool());
            QVERIFY(verified.json()["numeric"]["weights_compared"].toInteger() >= 1'200'000);
        }
        decide(R"("/conv1/Conv": {"unfolding": "k2,o,i"})");
        const Run refused = verb(
            QStringList{"compile", m_model, "--target", "arch-c", "-q", "--override", path("unfolded.json")} +
            kQuick);
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.err.contains("i,ok2,1; ik,o,k; ik,ok,1"), refused.err.constData());
    }

    void sameInputGivesTheSameBundle() {
        COMPARE_CODE(compiled(m_model, "arch-c", "ht", "again"), 0);
        QVERIFY(contentOf(path("again")) == contentOf(path("arch-c-ht")));
    }

    void changedFilesAreNoticed() {
        COMPARE_CODE(compiled(m_model, "arch-c", "ht", "changed"), 0);
        change("changed/chip/weights.bin", 12345);
        const Run run = verb({"verify", "changed"});
        QCOMPARE(run.code, 1);
        QVERIFY2(run.err.contains("weights.bin: was changed"), run.err.constData());
        QVERIFY2(run.err.contains("piece "), run.err.constData());
        const Run numeric = verb({"verify", "changed", "--numeric", "--json"});
        QCOMPARE(numeric.code, 1);
        QVERIFY(!numeric.json().object().contains("numeric")); // what is not sound is not run
    }

    void modelWithoutWeightsSaysSo() {
        COMPARE_CODE(compiled(m_bare, "arch-c", "ll", "bare"), 0);
        const auto files = contentOf(path("bare"));
        QVERIFY(!files.contains("chip/weights.bin"));
        const QJsonObject image = QJsonDocument::fromJson(files["chip/weights.json"]).object();
        QVERIFY(image["missing"].toString().contains("not there"));
        QVERIFY(!image["array_groups"].toArray().isEmpty());
        const Run verified = verb({"verify", "bare", "--numeric", "--json"}); // on random weights
        COMPARE_CODE(verified, 0);
        QVERIFY(verified.json()["numeric"]["ok"].toBool());
        QVERIFY(verified.json()["numeric"]["weights_missing"].toString().contains("not there"));
    }

    void anotherModelIsRefused() {
        const Run run = verb({"verify", "arch-c-ht", "--numeric", "--model", "sample:tiny-gpt"});
        QCOMPARE(run.code, 1);
        QVERIFY2(run.err.contains("is not the model that the bundle was compiled from"), run.err.constData());
        const Run byOp = verb({"verify", "arch-c-ht", "--numeric", "--op-by-op"});
        QVERIFY(byOp.code != 0);
        QVERIFY2(byOp.err.contains("runs as a whole"), byOp.err.constData());
    }

    void checkSaysHowFarDevicesAreOff() {
        const QStringList check =
            QStringList{"check", m_model, "--target", "sram-digital", "--json"} + kQuick;
        const auto device = [&](const QStringList& more) {
            const Run run = verb(check + more);
            return run.code == 0 ? run.json()["device"].toObject() : QJsonObject();
        };
        const Run exact = verb(check);
        COMPARE_CODE(exact, 0);
        QVERIFY(exact.json()["equal"].toBool());
        QVERIFY(exact.json()["device"].isNull());
        const QJsonObject little = device({"--variation", "0.01"}), much = device({"--variation", "0.1"});
        QVERIFY(little["output_error"].toDouble() > 0);
        QVERIFY(much["output_error"].toDouble() > little["output_error"].toDouble());
        QVERIFY(much["snr_db"].toDouble() < little["snr_db"].toDouble());
        const QJsonObject again = device({"--variation", "0.01"}),
                          other = device({"--variation", "0.01", "--device-seed", "2"});
        QCOMPARE(again["output_error"], little["output_error"]);
        QVERIFY(other["output_error"] != little["output_error"]);
        const QJsonObject stuck = device({"--stuck-off", "0.01", "--stuck-on", "0.002", "--samples", "2"});
        QVERIFY(stuck["output_error"].toDouble() > 0);
        QCOMPARE(stuck["samples"].toInt(), 2);
        QCOMPARE(stuck["stuck_on"].toDouble(), 0.002);
        const QJsonObject clipped = device({"--adc-bits", "5"}),
                          coarse = device({"--adc-bits", "5", "--adc-full-scale"});
        QVERIFY(clipped["output_error"].toDouble() > 0);
        QVERIFY(coarse["output_error"].toDouble() > 0);
        QVERIFY(coarse["output_error"] != clipped["output_error"]);
        const Run real = verb(check + QStringList{"--real"});
        COMPARE_CODE(real, 0);
        QCOMPARE(real.json()["numbers"].toString(), QStringLiteral("real"));
        QVERIFY(real.json()["equal"].toBool());
        const Run seeded = verb(check + QStringList{"--input-seed", "5"});
        COMPARE_CODE(seeded, 0);
        QVERIFY(seeded.json()["output_error"] != exact.json()["output_error"]);
    }

    void badOptionsGetOneClearMessage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QStringList& arguments, const char* message) {
            QTest::newRow(name) << arguments << QString(message);
        };
        row("variation", {"check", "@", "--variation", "-1"}, "variation");
        row("stuck", {"check", "@", "--stuck-off", "0.7", "--stuck-on", "0.7"}, "stuck");
        row("converters", {"check", "@", "--adc-bits", "99"}, "converters of 99 bits");
        row("samples", {"check", "@", "--samples", "0"}, "--samples");
        row("pipeline", {"check", "@", "--mode", "fast"}, "--mode");
        row("strategy", {"check", "@", "--crossbar", "strategy=magic"}, "magic");
        row("layers per stage", {"check", "@", "--crossbar", "stage-layers=0"}, "mapped|auto|N");
        row("nothing to write into", {"weights", "@"}, "--out");
        row("primitives", {"weights", "@", "--out", "w", "--primitives", "riscv"}, "pimcomp-isa");
        row("a file in the way", {"weights", "@", "--out", "squeezenet.onnx"}, "squeezenet.onnx");
        row("another machine", {"weights", "sample:tiny-gpt", "--target", "attacc", "--out", "w"},
            "holds no weights in crossbars");
        row("no weights", {"weights", "bare.onnx", "--out", "w"}, "not there");
        row("no model", {"weights", "nothing.onnx", "--out", "w"}, "nothing.onnx");
    }
    void badOptionsGetOneClearMessage() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        arguments.replaceInStrings("@", m_model);
        if (!arguments.contains("--target"))
            arguments += {"--target", "arch-c"};
        if (!arguments.contains("--crossbar"))
            arguments += kQuick;
        const Run run = verb(arguments);
        QVERIFY2(run.code == 1 || run.code == 2 || run.code > 100, QByteArray::number(run.code) + run.err);
        QVERIFY2(run.err.toLower().contains(message.toLower().toUtf8()), run.err.constData());
        QCOMPARE(run.err.count("error"), 1);
        QVERIFY(run.out.isEmpty());
    }

    void layersOfAStageComputeTheNetworkInFlight() {
        const Run run = verb({"check", m_model, "--target", "arch-c", "--mode", "ht", "--crossbar",
                              "strategy=constructive", "--crossbar", "groups=2", "--in-flight", "--samples",
                              "2", "--json"});
        COMPARE_CODE(run, 0);
        QVERIFY(run.json()["transfers"].toInteger() > 0); // rows are handed on
    }

    /// Stages a search decided are in the bundle, which needs no search to be run, and compute the network.
    void searchedStagesComputeTheNetwork() {
        const QStringList search{
            "--target",       "isaac-12",   "--mode",          "ht",         "--crossbar",
            "evaluations=40", "--crossbar", "strategy=search", "--crossbar", "referee=pimcomp-compat"};
        COMPARE_CODE(verb(QStringList{"compile", m_model, "-q", "--out", "searched"} + search), 0);
        const QJsonObject mapping =
            QJsonDocument::fromJson(readFile(path("searched/chip/mapping.json"))).object();
        QCOMPARE(mapping["layers_a_stage"].toInt() > 1, !mapping["waiting"].toArray().isEmpty());
        const Run verified = verb({"verify", "searched", "--numeric", "--json"});
        COMPARE_CODE(verified, 0);
        QVERIFY(verified.json()["numeric"]["ok"].toBool());
        const Run run =
            verb(QStringList{"check", m_model, "--in-flight", "--samples", "2", "--json"} + search);
        COMPARE_CODE(run, 0);
        QVERIFY(run.json()["equal"].toBool());
    }

    void weightsAreThoseOfTheBundle() {
        const Run run = verb(QStringList{"weights", m_model, "--target", "arch-c", "--mode", "ht", "--out",
                                         "cells", "--json"} +
                             kQuick);
        COMPARE_CODE(run, 0);
        QVERIFY(run.json()["weight_error"].toDouble() < 1e-3);
        QCOMPARE(readFile(path("cells/weights.bin")), readFile(path("arch-c-ht/chip/weights.bin")));
        QCOMPARE(readFile(path("cells/weights.json")), readFile(path("arch-c-ht/chip/weights.json")));
    }

    void primitivesAreWholeCores() {
        const QJsonObject table =
            QJsonDocument::fromJson(readFile(path("arch-c-ht/chip/primitives.json"))).object();
        const QJsonObject set = table["sets"].toArray()[0].toObject();
        QCOMPARE(set["name"].toString(), QStringLiteral("pimcomp-isa"));
        QVERIFY2(!set.contains("refused"), qPrintable(set["refused"].toString()));
        const QByteArray text = readFile(m_folder.filePath("arch-c-ht/chip/" + set["file"].toString()));
        QCOMPARE(set["bytes"].toInteger(), qint64(text.size()));
        for (const QJsonValue& core : set["cores"].toArray())
            QVERIFY(text.mid(core["offset"].toInteger(), core["bytes"].toInteger())
                        .startsWith("# core " + QByteArray::number(core["core"].toInt()) + '\n'));
        const Run run = verb(QStringList{"weights", m_model, "--target", "arch-c", "--mode", "ht", "--out",
                                         "code", "--primitives", "pimcomp-isa", "-q"} +
                             kQuick);
        COMPARE_CODE(run, 0);
        QCOMPARE(readFile(path("code/pimcomp-isa.txt")), text);
    }
};

QTEST_MAIN(TestPimcCrossbar)
#include "tst_app_pimc_crossbar.moc"
