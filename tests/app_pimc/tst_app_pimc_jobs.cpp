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

    QString crossbarModel() const { return m_folder.filePath("squeezenet.onnx"); }
    /// @ is crossbarModel().
    QStringList words(const QByteArray& line) const {
        return QString::fromUtf8(line).split(u' ').replaceInStrings("@", crossbarModel());
    }

private slots:
    void initTestCase() {
        COMPARE_CODE(pimc({"zoo", "squeezenet", "--no-weights", "--out", crossbarModel()}), 0);
    }

    void sameBytesOnAnyNumberOfThreads_data() {
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const char* line) { QTest::newRow(name) << QByteArray(line); };
        row("compile: HBM-PIM", "compile sample:tiny-gpt --target hbm-pim --simulate --json");
        row("compile: AttAcc", "compile sample:tiny-gpt --target attacc --simulate --json");
        row("compile: AiM", "compile sample:tiny-gpt --target aim --simulate --json");
        row("compile: UPMEM", "compile sample:tiny-gpt --target upmem --verify 0 --json");
        row("compile: dual mode", "compile sample:resnet50 --target dynaplasia --simulate --json");
        row("compile: crossbar", "compile @ --target isaac-12 --simulate --json");
        row("search: drafts", "explore sample:tiny-gpt --op /fc/Gemm --target hbm-pim --simulate 8 --json");
        row("search: mapping",
            "compile @ --target isaac-12 --crossbar mapping=search --crossbar evaluations=12 --json");
        row("search: genetic",
            "compile @ --target isaac-12 --crossbar mapping=genetic --crossbar evaluations=12 --json");
        row("search: front", "sweep sample:tiny-gpt --target hbm-pim --over "
                             "group.count=1..32+1;timing.nCCDL=2..8+1 --search nsga2 "
                             "--evaluations 40 --search-seed 3 --front total_ns,macs_per_s --csv");
        row("sweep", "sweep sample:tiny-gpt --target aim --over core.count=4..16;past=4,8;simulate=on --csv");
        row("which", "which sample:tiny-gpt --json");
    }
    void sameBytesOnAnyNumberOfThreads() {
        QFETCH(QByteArray, line);
        const Run one = pimc(words(line) << "--jobs"
                                         << "1");
        COMPARE_CODE(one, 0);
        for (const char* jobs : {"2", "64"}) {
            const Run more = pimc(words(line) << "--jobs" << jobs);
            COMPARE_CODE(more, 0);
            QCOMPARE(more.out, one.out);
        }
    }

    void sameBundlesOnAnyNumberOfThreads_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("DRAM-PIM") << QByteArray("compile sample:tiny-gpt --target hbm-pim --out");
        QTest::newRow("UPMEM") << QByteArray("compile sample:tiny-gpt --target upmem --verify 0 --out");
        QTest::newRow("dual mode") << QByteArray("compile sample:resnet50 --target dynaplasia --out");
        QTest::newRow("crossbar") << QByteArray("compile @ --target isaac-12 --out");
    }
    void sameBundlesOnAnyNumberOfThreads() {
        QFETCH(QByteArray, line);
        QMap<QString, QByteArray> one;
        for (const char* jobs : {"1", "2", "64"}) {
            const QString out = m_folder.filePath(QString("%1-%2").arg(QTest::currentDataTag(), jobs));
            COMPARE_CODE(pimc(words(line) << out << "--jobs" << jobs), 0);
            const auto files = pim::test::contentOf(out);
            QVERIFY(files.size() > 2);
            if (one.isEmpty())
                one = files;
            QVERIFY(files == one);
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
