// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc export-trace` and `pimc import-trace`: what one writes the other reads, and whoever asks for what is not there is
/// told what there is.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QFile>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim::test;

namespace {

Run exportOf(const QString& target, const QStringList& more) {
    return pimc(QStringList{"export-trace", "sample:tiny-gpt", "--target", target} + more);
}

const QStringList kProduct{"--op", "/layers.0/attention/qkv/MatMul", "--on-pim"};

QByteArray contents(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

} // namespace

class TestPimcTraces : public QObject {
    Q_OBJECT
private slots:
    void thereAndBack_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("format");
        QTest::newRow("attacc") << "attacc"
                                << "attacc";
        QTest::newRow("hbm-pim") << "hbm-pim"
                                 << "pimsimulator";
        QTest::newRow("aim") << "aim"
                             << "aim";
        QTest::newRow("crossbar") << "isaac"
                                  << "pimcomp";
    }
    void thereAndBack() {
        QFETCH(QString, target);
        QFETCH(QString, format);
        const QTemporaryDir folder;
        const QString file = folder.filePath("a.trace");
        const QStringList op = format == "pimcomp" ? kProduct.mid(0, 2) : kProduct;
        const Run written = exportOf(target, op + QStringList{"--output", file, "--time", "--json"});
        QVERIFY2(written.code == 0, written.err.constData());
        const QJsonObject told = QJsonDocument::fromJson(written.out).object();
        QCOMPARE(told["format"].toString(), format);
        QVERIFY(told["ns"].toDouble() > 0);
        const Run read = pimc({"import-trace", file, "--format", format, "--target", target, "--json"});
        QVERIFY2(read.code == 0, read.err.constData());
        const QJsonObject seen = QJsonDocument::fromJson(read.out).object();
        QCOMPARE(seen["commands"].toObject(), told["commands"].toObject());
        QCOMPARE(seen["lines"].toInt(), told["lines"].toInt());
        QCOMPARE(seen["ns"].toDouble(), told["ns"].toDouble());
        const Run said = pimc({"import-trace", file, "--format", format, "--target", target});
        QVERIFY2(said.out.contains(QString(" for it on %1").arg(target).toUtf8()), said.out.constData());
        const Run unsaid = pimc({"import-trace", file, "--format", format});
        QVERIFY2(unsaid.code != 0 || unsaid.out.contains(" on the machine of the simulator"),
                 unsaid.out.constData());
        // Standard output has the same bytes, and only those.
        const Run printed = exportOf(target, op + QStringList{"--format", format});
        QVERIFY2(printed.code == 0, printed.err.constData());
        QCOMPARE(printed.out, contents(file));
        QVERIFY(printed.err.contains("lines"));
    }

    void commandsWithTheirTimes_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"hbm-pim", "hbm-pim-hbm3", "attacc", "aim", "aim-32"})
            QTest::newRow(target) << target;
    }
    void commandsWithTheirTimes() {
        QFETCH(QString, target);
        const QTemporaryDir folder;
        const QString file = folder.filePath("a.csv");
        const QStringList wanted = kProduct + QStringList{"--format", "commands"};
        const Run written = exportOf(target, wanted + QStringList{"--output", file, "--json"});
        QVERIFY2(written.code == 0, written.err.constData());
        const QJsonObject told = QJsonDocument::fromJson(written.out).object();
        const QList<QByteArray> lines = contents(file).split('\n');
        QCOMPARE(lines.first(), QByteArray("tick,command,bank,row,column,waited,reason"));
        QCOMPARE(told["lines"].toInt(), lines.size() - 1);
        int commands = 0;
        for (const QJsonValue& count : told["commands"].toObject())
            commands += count.toInt();
        QCOMPARE(commands, lines.size() - 2);
        QVERIFY(told["cycles"].toInt() >= lines[lines.size() - 2].split(',').first().toInt());
        QCOMPARE(exportOf(target, wanted).out, contents(file));
    }

    void whatIsNotThere() {
        const auto says = [](const Run& run, const char* what) {
            QVERIFY(run.code != 0 && run.out.isEmpty());
            QVERIFY2(run.err.contains(what), run.err.constData());
        };
        says(exportOf("attacc", kProduct + QStringList{"--format", "nope"}),
             "there are: attacc (AttAcc simulator");
        says(exportOf("dynaplasia", kProduct), "no public simulator is known");
        says(exportOf("attacc", {}), "name it with --op");
        says(exportOf("attacc", {"--format", "commands"}), "name it with --op");
        says(exportOf("isaac", kProduct.mid(0, 2) + QStringList{"--format", "commands"}), "no DRAM commands");
        says(exportOf("attacc", kProduct + QStringList{"--format", "commands", "--channels", "2"}),
             "of one channel");
        says(exportOf("attacc", {"--op", "nope"}), "the model has no such op");
        says(exportOf("attacc", {"--op", "/layers.0/attention/qkv/Add"}), "--on-pim");
        says(exportOf("attacc", {"--op", "/layers.0/attention/qkv/Add", "--on-pim"}), "leave --on-pim out");
        says(exportOf("attacc", kProduct + QStringList{"--channels", "1000"}), "ask for 1 to 16");
        says(exportOf("attacc", kProduct + QStringList{"--json"}), "--json needs --output FILE");
        says(exportOf("hbm-pim-hbm3", kProduct), "the target hbm-pim is the machine it simulates");
        says(pimc({"import-trace", "none", "--format", "nope"}), "there are: ");
        says(pimc({"import-trace", "/nowhere/none", "--format", "attacc"}), "/nowhere/none");
        says(pimc({"import-trace", "/", "--format", "aim"}), "is a folder");
        says(pimc({"import-trace", "none", "--format", "aim", "--target", "attacc"}),
             "attacc is no target of the format aim");
    }

    void badFiles() {
        const QTemporaryDir folder;
        QFile file(folder.filePath("bad"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("PIM_MAC_AB 0x0\nPIM_");
        file.close();
        const Run run = pimc({"import-trace", file.fileName(), "--format", "attacc"});
        QVERIFY(run.code != 0 && run.err.contains("bad:2: unknown command \"PIM_\""));
        const QString nowhere = folder.filePath("none/a.trace");
        const Run written = exportOf("attacc", kProduct + QStringList{"--output", nowhere});
        QVERIFY(written.code != 0 && written.err.contains("cannot create the file"));
    }
};

QTEST_GUILESS_MAIN(TestPimcTraces)
#include "tst_app_pimc_traces.moc"
