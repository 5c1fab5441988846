// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels of PrIM made from our descriptions: right results on the engine and as generated C, which is free of warnings and
/// violations, moves what the engine counted and no more than PrIM.
#include "backends/upmem/benchmarks/benchmarks.h"
#include "backends/upmem/c_run.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/host_run.h"
#include "backends/upmem/tasklet/c_code.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTest>

using namespace pim;
using namespace pim::upmem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

#define OK(result) QVERIFY2(result, (result) ? "" : (result).error().text().c_str())

/// Names of outputs that are not as expected.
template <class Outputs>
QString wrongOutputs(const BenchmarkCase& made, const Outputs& outputs, bool isFile) {
    QString wrong;
    for (const auto& [name, content] : made.expected) {
        const auto found = outputs.find(isFile ? hostFileName(name) : name);
        if (found == outputs.end() || found->second != content)
            wrong += QString::fromStdString(name) + " ";
    }
    return wrong;
}

Result<CRun> runC(const BenchmarkCase& made) {
    PIM_TRY(const CCode dpu, cCode(*made.code, made.sizes, made.tasklets));
    PIM_TRY(std::string host, hostCode(made.host, *made.code, made.sizes, made.tasklets));
    CProgram program{made.host.name, std::move(host), dpu.text, made.tasklets, made.host.dpus, {}};
    CFiles files;
    for (const auto& [name, content] : made.inputs)
        files[hostFileName(name)] = content;
    std::vector<std::string> outputs;
    for (const auto& [name, content] : made.expected)
        outputs.push_back(hostFileName(name));
    return compileAndRun(program, files, outputs);
}

void addCases() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("dpus");
    QTest::addColumn<int>("tasklets");
    QTest::addColumn<qint64>("size");
    QTest::addColumn<qint64>("second");
    for (const Benchmark& benchmark : benchmarks()) {
        const QString name = QString::fromUtf8(benchmark.name.data(), qsizetype(benchmark.name.size()));
        QTest::addRow("%s", qPrintable(name)) << name << 4 << 16 << qint64(0) << qint64(0);
        QTest::addRow("%s, one tasklet", qPrintable(name)) << name << 1 << 1 << qint64(130) << qint64(64);
    }
}

} // namespace

class TestBenchmarks : public QObject {
    Q_OBJECT
private slots:
    void runsOnTheEngineAndInC_data() {
        addCases();
        QTest::newRow("VA, odd") << "VA" << 3 << 11 << qint64(10'001) << qint64(0);
        QTest::newRow("RED, odd") << "RED" << 5 << 24 << qint64(9'999) << qint64(0);
        QTest::newRow("GEMV, odd") << "GEMV" << 3 << 7 << qint64(101) << qint64(301);
        QTest::newRow("MLP, odd") << "MLP" << 3 << 5 << qint64(77) << qint64(0);
        QTest::newRow("HST-L, odd") << "HST-L" << 3 << 11 << qint64(10'001) << qint64(64);
        QTest::newRow("HST-L, one for all") << "HST-L" << 2 << 16 << qint64(20'000) << qint64(4'096);
        QTest::newRow("SEL, odd") << "SEL" << 3 << 11 << qint64(10'001) << qint64(0);
        QTest::newRow("SEL, idle tasklets") << "SEL" << 7 << 24 << qint64(700) << qint64(0);
        QTest::newRow("BFS, odd") << "BFS" << 3 << 11 << qint64(1'001) << qint64(3'001);
        QTest::newRow("BFS, long rows") << "BFS" << 2 << 8 << qint64(200) << qint64(30'000);
        QTest::newRow("TS, odd") << "TS" << 3 << 7 << qint64(2'001) << qint64(36);
        QTest::newRow("VA, idle DPUs") << "VA" << 9 << 2 << qint64(5) << qint64(0);
        QTest::newRow("HST-L, idle DPUs") << "HST-L" << 9 << 2 << qint64(5) << qint64(16);
        QTest::newRow("TS, idle DPUs") << "TS" << 5 << 4 << qint64(300) << qint64(64);
    }
    void runsOnTheEngineAndInC() {
        QFETCH(QString, name);
        QFETCH(int, dpus);
        QFETCH(int, tasklets);
        QFETCH(qint64, size);
        QFETCH(qint64, second);
        const auto made = makeBenchmark(name.toStdString(), {dpus, tasklets, size, second});
        OK(made);
        QElapsedTimer timer;
        timer.start();
        const auto engine =
            runOnEngine(made->host, *made->code, made->sizes, made->tasklets, made->inputs, kChip);
        OK(engine);
        QCOMPARE(wrongOutputs(*made, engine->outputs, false), QString());
        const auto engineMs = timer.restart();
        const auto c = runC(*made);
        OK(c);
        const auto problem = problemOf(made->host.name, *c);
        OK(problem);
        QCOMPARE(c->violations, 0);
        QCOMPARE(wrongOutputs(*made, c->outputs, true), QString());
        QCOMPARE(c->traffic.dmaReads, engine->reads);
        QCOMPARE(c->traffic.dmaReadBytes, engine->readBytes);
        QCOMPARE(c->traffic.dmaWrites, engine->writes);
        QCOMPARE(c->traffic.dmaWriteBytes, engine->writeBytes);
        QCOMPARE(c->traffic.hostToBytes, engine->toBytes);
        QCOMPARE(c->traffic.hostFromBytes, engine->fromBytes);
        QCOMPARE(c->traffic.launches, engine->launches);
        qInfo("engine %lld ms (%lld cycles), C %lld ms", engineMs, qint64(engine->cycles), timer.elapsed());
    }
};

QTEST_APPLESS_MAIN(TestBenchmarks)
#include "tst_backends_upmem_benchmarks.moc"
