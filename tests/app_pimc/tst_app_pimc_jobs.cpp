// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `--jobs` and PIM_JOBS: whatever is computed, the same bytes on 1, 2 and 64 threads; and counts that cannot be.
#include "tests/support/pimc_process.h"

#include <QTemporaryDir>

using pim::test::pimc;
using pim::test::Run;

class TestPimcJobs : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString crossbarModel() const { return m_folder.filePath("vgg8.onnx"); }

private slots:
    void initTestCase() { COMPARE_CODE(pimc({"zoo", "vgg8", "--no-weights", "--out", crossbarModel()}), 0); }

    /// @ is crossbarModel(), %1 a folder for a bundle.
    void sameBytesOnAnyNumberOfThreads_data() {
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const char* line) { QTest::newRow(name) << QByteArray(line); };
        row("HBM-PIM", "compile sample:tiny-gpt --target hbm-pim --simulate --json --out %1");
        row("AttAcc", "compile sample:tiny-gpt --target attacc --simulate --json --out %1");
        row("AiM", "compile sample:tiny-gpt --target aim --simulate --json --out %1");
        row("UPMEM", "compile sample:tiny-gpt --target upmem-1 --verify 0 --simulate --json --out %1");
        row("dual mode", "compile sample:resnet50 --target dynaplasia --simulate --json --out %1");
        row("crossbar",
            "compile @ --target pimcomp-default --crossbar strategy=search --crossbar evaluations=6 "
            "--simulate --json --out %1");
        row("crossbar, genetic", "compile @ --target pimcomp-default --crossbar strategy=genetic --crossbar "
                                 "population=10 --crossbar iterations=3 --json --out %1");
        row("drafts",
            "explore sample:tiny-gpt --op /layers.0/mlp/fc1/MatMul --target hbm-pim --simulate 8 --json");
        row("front", "sweep sample:tiny-gpt --target hbm-pim --over group.count=1..32+1;timing.nCCDL=2..8+1 "
                     "--search nsga2 --evaluations 40 --search-seed 3 --front total_ns,macs_per_s --csv");
        row("sweep", "sweep sample:tiny-gpt --target aim --over core.count=4..16;past=4,8;simulate=on --csv");
        row("which", "which sample:tiny-gpt --kind dual-mode --json");
    }
    void sameBytesOnAnyNumberOfThreads() {
        QFETCH(QByteArray, line);
        QByteArray out;
        QMap<QString, QByteArray> bundle;
        for (const char* jobs : {"1", "2", "64"}) {
            const QString folder = m_folder.filePath("bundle");
            QStringList words = QString::fromUtf8(line).split(u' ');
            words.replaceInStrings("@", crossbarModel()).replaceInStrings("%1", folder);
            const Run run = pimc(words << "--jobs" << jobs, {}, m_folder.path());
            COMPARE_CODE(run, 0);
            const auto files = pim::test::contentOf(folder);
            QCOMPARE(files.size() > 2, line.contains("%1"));
            if (out.isEmpty()) {
                out = run.out;
                bundle = files;
            }
            QVERIFY(!out.isEmpty());
            QCOMPARE(run.out, out);
            QVERIFY(files == bundle);
            QDir(folder).removeRecursively();
        }
    }

    void refusesOtherCounts() {
        for (const char* count : {"0", "-1", "four", "1025", "1000000000"}) {
            const QByteArray why = QByteArray("\"") + count + "\" is not a number of threads from 1 to 1024";
            const Run option = pimc({"targets", "--jobs", count});
            QCOMPARE(option.code, 1);
            QVERIFY2(option.err.contains("--jobs: " + why), option.err.constData());
            qputenv("PIM_JOBS", count);
            const Run variable = pimc({"targets"});
            qunsetenv("PIM_JOBS");
            QCOMPARE(variable.code, 1);
            QVERIFY2(variable.err.contains("PIM_JOBS: " + why), variable.err.constData());
            QVERIFY(option.out.isEmpty() && variable.out.isEmpty());
        }
    }
};

QTEST_APPLESS_MAIN(TestPimcJobs)
#include "tst_app_pimc_jobs.moc"
