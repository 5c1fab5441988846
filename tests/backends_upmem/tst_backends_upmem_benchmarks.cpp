// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels of PrIM made from our descriptions: right results on the engine and as generated C, which is free of warnings and
/// violations, moves what the engine counted and no more than PrIM.
#include "backends/upmem/benchmarks/run_c.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/host_run.h"
#include "backends/upmem/tasklet/c_code.h"
#include "tests/support/upmem_traffic.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

#define OK(result) QVERIFY2(result, (result) ? "" : (result).error().text().c_str())

QString joined(const std::vector<std::string>& names) {
    QString made;
    for (const std::string& name : names)
        made += QString::fromStdString(name) + " ";
    return made;
}

void addCases() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("dpus");
    QTest::addColumn<int>("tasklets");
    QTest::addColumn<qint64>("size");
    QTest::addColumn<qint64>("second");
    QTest::addColumn<bool>("alsoInC"); // compiling takes most of the time
    for (const Benchmark& benchmark : benchmarks()) {
        const QString name = QString::fromUtf8(benchmark.name.data(), qsizetype(benchmark.name.size()));
        QTest::addRow("%s", qPrintable(name)) << name << 4 << 16 << qint64(0) << qint64(0) << true;
        QTest::addRow("%s, one tasklet", qPrintable(name))
            << name << 1 << 1 << qint64(130) << qint64(64) << false;
    }
}

/// Compiling takes longer than running: few numbers.
const CRunOptions kSmall{.compiler = {}, .compilerFlags = {"-O0"}, .folder = {}};

QString textOfFile(const QString& path) {
    QFile file(PIM_SOURCE_DIR "/" + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Lines of a source that say what a kernel is, by the function that makes it: neither blank nor comment, include or namespace. What
/// stands between two such functions counts for the second.
void countDescriptions(const QString& source, std::map<QString, int>& counts) {
    static const QRegularExpression maker("^Result<BenchmarkCase> (\\w+)\\(");
    int lines = 0;
    QString current;
    for (const QString& line : textOfFile("backends/upmem/benchmarks/" + source).split('\n')) {
        const QString text = line.trimmed();
        if (text.isEmpty() || text.startsWith("//") || text.startsWith('#') || text.contains("namespace"))
            continue;
        ++lines;
        if (const auto match = maker.match(line); match.hasMatch())
            current = match.captured(1);
        if (line == "}" && !current.isEmpty()) {
            counts[current] = lines;
            lines = 0;
            current.clear();
        }
    }
}

} // namespace

class TestBenchmarks : public QObject {
    Q_OBJECT
private slots:
    void runsOnTheEngineAndInC_data() {
        addCases();
        QTest::newRow("VA, odd") << "VA" << 3 << 11 << qint64(10'001) << qint64(0) << true;
        QTest::newRow("RED, odd") << "RED" << 5 << 24 << qint64(9'999) << qint64(0) << true;
        QTest::newRow("GEMV, odd") << "GEMV" << 3 << 7 << qint64(101) << qint64(301) << true;
        QTest::newRow("MLP, odd") << "MLP" << 3 << 5 << qint64(77) << qint64(0) << true;
        QTest::newRow("HST-L, odd") << "HST-L" << 3 << 11 << qint64(10'001) << qint64(64) << true;
        QTest::newRow("HST-L, one for all") << "HST-L" << 2 << 16 << qint64(20'000) << qint64(4'096) << true;
        QTest::newRow("SEL, odd") << "SEL" << 3 << 11 << qint64(10'001) << qint64(0) << true;
        QTest::newRow("SEL, idle tasklets") << "SEL" << 7 << 24 << qint64(700) << qint64(0) << true;
        QTest::newRow("BFS, odd") << "BFS" << 3 << 11 << qint64(1'001) << qint64(3'001) << true;
        QTest::newRow("BFS, long rows") << "BFS" << 2 << 8 << qint64(200) << qint64(30'000) << true;
        QTest::newRow("TS, odd") << "TS" << 3 << 7 << qint64(2'001) << qint64(36) << true;
        QTest::newRow("VA, idle DPUs") << "VA" << 9 << 2 << qint64(5) << qint64(0) << false;
        QTest::newRow("HST-L, idle DPUs") << "HST-L" << 9 << 2 << qint64(5) << qint64(16) << false;
        QTest::newRow("SCAN, odd") << "SCAN" << 5 << 11 << qint64(10'001) << qint64(1) << true;
        QTest::newRow("SCAN, rows shared by DPUs") << "SCAN" << 8 << 16 << qint64(1'003) << qint64(3) << true;
        QTest::newRow("SCAN, rows shared by tasklets")
            << "SCAN" << 3 << 7 << qint64(701) << qint64(14) << true;
        QTest::newRow("SCAN, rows of tasklets") << "SCAN" << 3 << 7 << qint64(301) << qint64(65) << true;
        QTest::newRow("TOPK, odd") << "TOPK" << 3 << 11 << qint64(10'001) << qint64(37) << true;
        QTest::newRow("TOPK, all of them") << "TOPK" << 7 << 11 << qint64(300) << qint64(300) << true;
        QTest::newRow("MAJ, odd") << "MAJ" << 3 << 11 << qint64(501) << qint64(333) << true;
        QTest::newRow("SIM-DOT, odd") << "SIM-DOT" << 3 << 11 << qint64(1'001) << qint64(37) << true;
        QTest::newRow("SIM-L2, long rows") << "SIM-L2" << 2 << 5 << qint64(101) << qint64(2'500) << true;
        QTest::newRow("SCAN, idle DPUs") << "SCAN" << 9 << 24 << qint64(5) << qint64(1) << false;
        QTest::newRow("TS, idle DPUs") << "TS" << 5 << 4 << qint64(300) << qint64(64) << false;
    }
    void runsOnTheEngineAndInC() {
        QFETCH(QString, name);
        QFETCH(int, dpus);
        QFETCH(int, tasklets);
        QFETCH(qint64, size);
        QFETCH(qint64, second);
        QFETCH(bool, alsoInC);
        const auto made = makeBenchmark(name.toStdString(), {dpus, tasklets, size, second});
        OK(made);
        const auto engine =
            runOnEngine({made->host, *made->code, made->sizes, made->tasklets}, made->inputs, kChip);
        OK(engine);
        QCOMPARE(joined(wrongResults(*made, engine->outputs)), QString());
        if (!alsoInC)
            return;
        const auto c = runInC(*made, kSmall);
        OK(c);
        const auto problem = problemOf(made->host.name, *c);
        OK(problem);
        QCOMPARE(c->violations, 0);
        QCOMPARE(joined(wrongFiles(*made, c->outputs)), QString());
        QCOMPARE(test::differencesOf(c->traffic, *engine), QString());
    }

    /// All types, sizes and numbers of rows, tasklets and DPUs, against plain loops; some as C too.
    void anySizeOfAnyType_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"SCAN", "TOPK", "MAJ", "SIM-DOT", "SIM-L2"})
            QTest::newRow(name) << name;
    }
    void anySizeOfAnyType() {
        QFETCH(QString, name);
        std::mt19937 random(31);
        const auto upTo = [&](int most) { return 1 + std::int64_t(random() % unsigned(most)); };
        for (int i = 0; i < 40; ++i) {
            BenchmarkOptions options{int(upTo(12)), int(upTo(24)), upTo(i % 5 == 0 ? 4'000 : 90), upTo(30)};
            options.type =
                std::array{Element::I8, Element::I16, Element::I32, Element::I64}[std::size_t(i % 4)];
            if (name == "TOPK")
                options.second = std::min(options.second, options.size);
            else if (i % 7 == 0)
                options.second = upTo(3'000);
            options.third = upTo(int(std::min<std::int64_t>(options.size, 20)));
            if (name == "SCAN" && i % 2 == 1) // DPUs share rows
                options.second = upTo(3);
            if (name == "SCAN" && options.type != Element::I64)
                options.fold = std::array{ValueKind::Add, ValueKind::Max, ValueKind::Xor, ValueKind::Min,
                                          ValueKind::Mul, ValueKind::And, ValueKind::Or}[std::size_t(i % 7)];
            if (name != "SCAN" && options.type == Element::I64)
                options.type.reset();
            const auto made = makeBenchmark(name.toStdString(), options);
            OK(made);
            const auto run =
                runOnEngine({made->host, *made->code, made->sizes, made->tasklets}, made->inputs, kChip);
            OK(run);
            QVERIFY(run->cycles > 0);
            QVERIFY2(wrongResults(*made, run->outputs).empty(),
                     qPrintable(QStringLiteral("%1 DPUs, %2 tasklets, %3 rows of %4")
                                    .arg(options.dpus)
                                    .arg(options.tasklets)
                                    .arg(options.second)
                                    .arg(options.size)));
            if (i % 20 != 0 && (name != "SCAN" || i > 7))
                continue;
            const auto c = runInC(*made, kSmall);
            OK(c);
            const auto problem = problemOf(made->host.name, *c);
            OK(problem);
            QCOMPARE(c->violations, 0);
            QCOMPARE(joined(wrongFiles(*made, c->outputs)), QString());
            QCOMPARE(test::differencesOf(c->traffic, *run), QString());
        }
    }

    void movesNoMoreThanPrim_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("arguments"); // of the row
        QTest::addColumn<int>("dpus");
        QTest::addColumn<int>("tasklets");
        QTest::addColumn<qint64>("size");
        QTest::addColumn<qint64>("second");
        const auto row = [](const char* name, const char* arguments, int dpus, int tasklets, qint64 size,
                            qint64 second = 0) {
            QTest::addRow("%s %s, %d DPUs", name, arguments, dpus)
                << name << arguments << dpus << tasklets << size << second;
        };
        row("VA", "-w 0 -e 1 -i 65536 -x 1", 1, 16, 65'536);
        row("RED", "-w 0 -e 1 -i 65536 -x 1", 1, 16, 65'536);
        row("RED", "-w 0 -e 1 -i 100000 -x 1", 4, 8, 100'000);
        row("RED", "-w 0 -e 1 -i 6553600 -x 1", 64, 16, 6'553'600);
        row("GEMV", "-w 0 -e 1 -m 256 -n 64", 1, 16, 256, 64);
        row("GEMV", "-w 0 -e 1 -m 1000 -n 300", 4, 8, 1'000, 300);
        row("GEMV", "-w 0 -e 1 -m 8192 -n 1024", 64, 16, 8'192, 1'024);
        row("HST-L", "-w 0 -e 1 -b 256 -x 1", 4, 16, 1'536 * 1'024, 256);
        row("SEL", "-w 0 -e 1 -i 3932160 -x 1", 4, 16, 3'932'160);
        row("TS", "-w 0 -e 1 -n 65536", 4, 16, 65'536, 256);
        row("MLP", "-w 0 -e 1 -m 1024 -n 1024", 4, 16, 1'024);
        row("SCAN", "-w 0 -e 1 -i 196608 -x 1", 4, 16, 196'608);
    }
    void movesNoMoreThanPrim() {
        QFETCH(QString, name);
        QFETCH(QString, arguments);
        QFETCH(int, dpus);
        QFETCH(int, tasklets);
        QFETCH(qint64, size);
        QFETCH(qint64, second);
        const auto made = makeBenchmark(name.toStdString(), {dpus, tasklets, size, second});
        OK(made);
        const auto c = runInC(*made, kSmall);
        OK(c);
        const auto problem = problemOf(made->host.name, *c);
        OK(problem);
        QCOMPARE(joined(wrongFiles(*made, c->outputs)), QString());
        QFile file(PIM_SOURCE_DIR "/tests/golden/upmem/prim_stub_traffic.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        qint64 prim = 0;
        for (const QByteArray& line : file.readAll().split('\n')) {
            const QList<QByteArray> fields = line.split(',');
            if (fields.size() > 8 && fields[0].startsWith(name.toUtf8()) && fields[1].toInt() == dpus &&
                fields[2].toInt() == tasklets && fields[5] == arguments.toUtf8())
                prim = fields[8].toLongLong();
        }
        QVERIFY(prim > 0);
        qInfo("%lld B in %lld DMAs, PrIM %lld B", qint64(c->traffic.dmaBytes()), qint64(c->traffic.dmas()),
              prim);
        QVERIFY(c->traffic.dmaBytes() <= prim);
    }

    void helpCountsTheLinesThereAre() {
        static const std::map<QString, QString> kMakers{
            {"VA", "vectorAdd"},  {"GEMV", "matrixVector"}, {"RED", "reduction"}, {"HST-L", "histogram"},
            {"SEL", "selection"}, {"BFS", "breadthFirst"},  {"TS", "timeSeries"}, {"MLP", "perceptron"}};
        std::map<QString, int> descriptions;
        for (const char* source :
             {"streams.cpp", "products.cpp", "histogram.cpp", "breadth_first.cpp", "time_series.cpp"})
            countDescriptions(source, descriptions);
        const QString help = textOfFile("resources/help/upmem_code.md");
        int ours = 0, prims = 0;
        for (const auto& [name, maker] : kMakers) {
            const auto made = makeBenchmark(name.toStdString(), {});
            OK(made);
            const auto c = cProgram(*made);
            OK(c);
            const QRegularExpression row("\\n\\| " + name +
                                         " \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\+ (\\d+) \\|\\n");
            const auto found = row.match(help);
            QVERIFY2(found.hasMatch(), qPrintable(name));
            QCOMPARE(found.captured(1).toInt(), descriptions[maker]);
            QCOMPARE(found.captured(2).toInt(), int(std::ranges::count(c->dpuSource, '\n')));
            QCOMPARE(found.captured(3).toInt(), int(std::ranges::count(c->hostSource, '\n')));
            const int prim = found.captured(4).toInt() + found.captured(5).toInt();
            QVERIFY2(descriptions[maker] < prim, qPrintable(name));
            ours += descriptions[maker];
            prims += prim;
        }
        const QString sum = QString("The eight: %1 lines of description; PrIM has %2,%3,")
                                .arg(ours)
                                .arg(prims / 1000)
                                .arg(prims % 1000, 3, 10, QChar('0'));
        QVERIFY2(help.contains(sum), qPrintable(sum));
    }

    void refusesWhatCannotBe() {
        const auto text = [](std::string_view name, BenchmarkOptions options) {
            const auto made = makeBenchmark(name, options);
            return QString::fromStdString(made ? std::string() : made.error().text());
        };
        QVERIFY(
            text("SPMV", {})
                .contains(
                    "there are VA, GEMV, RED, HST-L, SEL, BFS, TS, MLP, SCAN, TOPK, MAJ, SIM-DOT, SIM-L2"));
        QVERIFY(text("VA", {4, 25}).contains("25 tasklets; a DPU has 1 to 24"));
        QVERIFY(text("VA", {0, 16}).contains("0 DPUs"));
        QVERIFY(text("VA", {4, 16, -1}).contains("a size of -1, 0 and 0"));
        QVERIFY(text("HST-L", {4, 16, 0, 100}).contains("100 bins; powers of two"));
        QVERIFY(text("TS", {4, 16, 100, 200}).contains("a query of 200 values for a series of 100"));
        QVERIFY(text("TOPK", {4, 16, 10, 11}).contains("the best 11 of 10; 1 to 10 are possible"));
        QVERIFY(
            text("SCAN", {.type = Element::I64, .fold = ValueKind::Max}).contains("there are sums and bits"));
        const auto wide = makeBenchmark("GEMV", {1, 24, 4, 11'000});
        OK(wide);
        const auto c = cCode(*wide->code, wide->sizes, wide->tasklets);
        QVERIFY(!c && c.error().text().find("48496 B are free") != std::string::npos);
    }

    void refusesTransfersThatCannotBe() {
        const auto made = makeBenchmark("RED", {});
        OK(made);
        const auto text = [&](const std::function<void(HostProgram&)>& change) {
            HostProgram program = made->host;
            change(program);
            const auto code = hostCode(program, *made->code, made->sizes, made->tasklets);
            return QString::fromStdString(code ? std::string() : code.error().text());
        };
        QCOMPARE(text([](HostProgram&) {}), QString());
        QVERIFY(text([](HostProgram& p) { p.inputs[0].name = "b"; }).contains("the name \"b\""));
        QVERIFY(text([](HostProgram& p) { p.inputs[0].slice *= 2; }).contains("a transfer of 262144 bytes"));
        QVERIFY(text([](HostProgram& p) {
                    p.inputs[0].elements *= 2;
                }).contains("131072 elements do not fit 4 DPUs"));
        QVERIFY(text([](HostProgram& p) { p.outputs[0].type = Element::I16; }).contains("in steps of 4"));
        QVERIFY(text([](HostProgram& p) { p.rounds = 0; }).contains("none is fed back"));
        QVERIFY(text([](HostProgram& p) {
                    p.arguments.push_back({"total", HostArgument::What::Before, "sums"});
                }).contains("no output \"sums\" has one number"));
        HostData none;
        const auto run = runOnEngine({made->host, *made->code, made->sizes, made->tasklets}, none, kChip);
        QVERIFY(!run && run.error().text().find("there is no input \"a\"") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestBenchmarks)
#include "tst_backends_upmem_benchmarks.moc"
