// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs in C against the vendor's calls (c/): they compute what they should, move what PrIM's move, and every rule of
/// the hardware that one breaks is said.
#include "backends/upmem/c_run.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstring>

using namespace pim;
using namespace pim::upmem;

namespace {

std::string textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// c/NAME_host.c and c/NAME_dpu.c
CProgram sample(const std::string& name, int dpus, int tasklets, int elements) {
    const QString path = QStringLiteral(PIM_SOURCE_DIR "/tests/backends_upmem/c/") + name.c_str();
    return {.name = name,
            .hostSource = textOf(path + "_host.c"),
            .dpuSource = textOf(path + "_dpu.c"),
            .tasklets = tasklets,
            .dpus = dpus,
            .defines = {{"ELEMENTS", std::to_string(elements)}, {"BINS", "256"}}};
}

std::vector<std::byte> bytesOf(const std::vector<std::int32_t>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof values[0]);
    std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

CFiles inputsOf(const CProgram& program, int elements) {
    if (program.name != "add")
        return {};
    std::vector<std::int32_t> a, b;
    for (int i = 0; i < elements; ++i) {
        a.push_back(3 * i);
        b.push_back(7 - i);
    }
    return {{"a.bin", bytesOf(a)}, {"b.bin", bytesOf(b)}};
}

/// What the host programs have to print, computed here.
std::string expectedSum(std::int64_t elements) {
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < elements; ++i)
        sum += i * i % 1009 - 400;
    return std::to_string(sum) + "\n";
}

std::string expectedBins(std::uint32_t elements) {
    std::vector<int> bins(256);
    for (std::uint32_t i = 0; i < elements; ++i)
        ++bins[7 * i * i % 4096 / 16];
    std::string text;
    for (const int count : bins)
        text += std::to_string(count) + "\n";
    return text;
}

std::string expectedKept(std::uint64_t elements) {
    std::uint64_t number = 0, sum = 0;
    for (std::uint64_t i = 0; i < elements; ++i)
        if (const std::uint64_t value = 3 * i + i / 7 * 8; value % 2 != 0) {
            ++number;
            sum = sum * 31 + value;
        }
    return std::to_string(number) + " " + std::to_string(sum) + "\n";
}

std::vector<std::byte> expectedAdded(int elements) {
    std::vector<std::int32_t> sums;
    for (int i = 0; i < elements; ++i)
        sums.push_back(2 * i + 7);
    return bytesOf(sums);
}

std::string expectedOutput(const std::string& name, int elements) {
    return name == "sum"    ? expectedSum(elements)
           : name == "bins" ? expectedBins(elements)
           : name == "keep" ? expectedKept(elements)
                            : std::string();
}

Result<CRun> runSample(const CProgram& program, int elements, const CRunOptions& options = {}) {
    return compileAndRun(program, inputsOf(program, elements), {"sum.bin"}, options);
}

/// The row of PrIM's benchmark on this many DPUs, by column.
QHash<QString, qint64> goldenRow(const QString& bench, int dpus, const QString& arguments) {
    const std::string text = textOf(PIM_SOURCE_DIR "/tests/golden/upmem/prim_stub_traffic.csv");
    const QStringList lines = QString::fromStdString(text).split('\n');
    const QStringList names = lines[0].trimmed().split(',');
    for (const QString& line : lines) {
        const QStringList fields = line.trimmed().split(',');
        if (fields.size() != names.size() || fields[0] != bench || fields[1].toInt() != dpus ||
            !fields[5].endsWith(arguments))
            continue;
        QHash<QString, qint64> row;
        for (qsizetype i = 0; i < names.size(); ++i)
            row[names[i]] = fields[i].toLongLong();
        return row;
    }
    return {};
}

/// Around the lines of a test: 32 bytes that the host knows as "value", all there is to wait at, a barrier passed.
CProgram snippet(const char* globals, const char* dpuLines, const char* hostLines, int tasklets, int dpus) {
    const std::string dpu = std::string(R"(#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <handshake.h>
#include <mram.h>
#include <mutex.h>
__host uint64_t value[4];
BARRIER_INIT(everybody, NR_TASKLETS)
MUTEX_INIT(one)
#define MRAM(offset) ((__mram_ptr void*)((uintptr_t)DPU_MRAM_HEAP_POINTER + (offset)))
)") + globals + R"(
int main(void) {
    char* buffer = mem_alloc(64);
    barrier_wait(&everybody);
    if (me() == NR_TASKLETS - 1) {
        mutex_lock(one);
        mutex_unlock(one);
        buffer[0] = 0;
    }
)" + dpuLines + "\n    return 0;\n}\n";
    const std::string host = std::string(R"(#include <dpu.h>
int main(void) {
    static uint64_t data[64];
    struct dpu_set_t set, dpu;
    DPU_ASSERT(dpu_alloc(NR_DPUS, NULL, &set));
    DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
    DPU_FOREACH (set, dpu)
        DPU_ASSERT(dpu_copy_from(dpu, "value", 0, data, 32));
)") + hostLines + R"(
    DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
    DPU_ASSERT(dpu_free(set));
    return 0;
}
)";
    return {.name = "snippet",
            .hostSource = host,
            .dpuSource = dpu,
            .tasklets = tasklets,
            .dpus = dpus,
            .defines = {}};
}

/// For many small programs: compiling takes longer than running.
CRunOptions quickly() {
    return {.compiler = {}, .compilerFlags = {"-O0"}, .folder = {}};
}

#define QVERIFY_RUN(run) QVERIFY2(run, (run) ? "" : (run).error().text().c_str())

} // namespace

class TestStub : public QObject {
    Q_OBJECT
private slots:
    void programsCompute_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("dpus");
        QTest::addColumn<int>("tasklets");
        QTest::addColumn<int>("elements");
        QTest::addRow("vector addition, odd length") << "add" << 3 << 11 << 10001;
        QTest::addRow("sum by a tree of handshakes") << "sum" << 4 << 24 << 10000;
        QTest::addRow("sum, tasklets no power of two") << "sum" << 1 << 11 << 3001;
        QTest::addRow("histogram under mutexes") << "bins" << 2 << 16 << 100000;
        QTest::addRow("compaction by a chain of handshakes") << "keep" << 2 << 16 << 16384;
        QTest::addRow("256 DPUs") << "keep" << 256 << 16 << 256 * 4096;
    }
    void programsCompute() {
        QFETCH(QString, name);
        QFETCH(int, dpus);
        QFETCH(int, tasklets);
        QFETCH(int, elements);
        const auto run = runSample(sample(name.toStdString(), dpus, tasklets, elements), elements);
        QVERIFY_RUN(run);
        const auto good = problemOf("sample", *run);
        QVERIFY_RUN(good);
        QCOMPARE(run->out, expectedOutput(name.toStdString(), elements));
        if (name == "add")
            QVERIFY(run->outputs.at("sum.bin") == expectedAdded(elements));
        QCOMPARE(run->traffic.dpus, dpus);
        QCOMPARE(run->traffic.launches, 1);
        QCOMPARE(run->err, std::string());
    }

    void otherCallsDoWhatTheVendorSays() {
        const auto run = runSample(sample("calls", 1, 4, 0), 0);
        QVERIFY_RUN(run);
        const auto good = problemOf("calls", *run);
        QVERIFY_RUN(good);
        // The last tasklet gives to all that wait; what it leaves in the semaphore lets the first go first next time.
        QCOMPARE(run->out, std::string("order 1 2 3 0\n"
                                       "order 4 5 6 7\n"
                                       "1 DPU, turns 1000 and 8, refused 6, early 0, table 101 102\n"
                                       "=== DPU#0x0 ===\n"
                                       "tasklet 0 of 4\n"
                                       "tasklet 0 of 4\n"));
    }

    void transfersAreThoseOfPrim_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("bench");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<int>("dpus");
        QTest::addColumn<int>("tasklets");
        QTest::addColumn<int>("elements");
        QTest::addRow("VA, 1 DPU") << "add"
                                   << "VA"
                                   << "-i 65536 -x 1" << 1 << 16 << 65536;
        QTest::addRow("RED, 1 DPU") << "sum"
                                    << "RED"
                                    << "-i 65536 -x 1" << 1 << 16 << 65536;
        QTest::addRow("RED, 4 DPUs") << "sum"
                                     << "RED"
                                     << "-i 100000 -x 1" << 4 << 8 << 100000;
        QTest::addRow("RED, 64 DPUs") << "sum"
                                      << "RED"
                                      << "-i 6553600 -x 1" << 64 << 16 << 6553600;
        QTest::addRow("HST-L, 4 DPUs") << "bins"
                                       << "HST-L"
                                       << "-b 256 -x 1" << 4 << 16 << 1572864;
        QTest::addRow("SEL, 4 DPUs") << "keep"
                                     << "SEL"
                                     << "-i 3932160 -x 1" << 4 << 16 << 3932160;
    }
    void transfersAreThoseOfPrim() {
        QFETCH(QString, name);
        QFETCH(QString, bench);
        QFETCH(QString, arguments);
        QFETCH(int, dpus);
        QFETCH(int, tasklets);
        QFETCH(int, elements);
        const auto golden = goldenRow(bench, dpus, arguments);
        QVERIFY(!golden.isEmpty());
        const auto run = runSample(sample(name.toStdString(), dpus, tasklets, elements), elements);
        QVERIFY_RUN(run);
        const auto good = problemOf("sample", *run);
        QVERIFY_RUN(good);
        const CTraffic& traffic = run->traffic;
        QCOMPARE(traffic.dmas(), golden["dma_count"]);
        QCOMPARE(traffic.dmaBytes(), golden["dma_bytes"]);
        if (bench == "VA") { // the others' arguments and results are laid out in another way
            QCOMPARE(traffic.hostTransfers, golden["host_xfer_calls"]);
            QCOMPARE(traffic.hostToBytes, golden["bytes_to_dpu"]);
            QCOMPARE(traffic.hostFromBytes, golden["bytes_from_dpu"]);
        }
        QVERIFY(traffic.hostToBytes <= golden["bytes_to_dpu"]);
        QVERIFY(traffic.hostFromBytes <= golden["bytes_from_dpu"]);
    }

    void brokenRulesAreSaid_data();
    void brokenRulesAreSaid() {
        QFETCH(QString, kind);
        QFETCH(QString, globals);
        QFETCH(QString, dpuLines);
        QFETCH(QString, hostLines);
        QFETCH(int, tasklets);
        QFETCH(int, dpus);
        QFETCH(int, count);
        QFETCH(QString, message);
        const CProgram program =
            snippet(qPrintable(globals), qPrintable(dpuLines), qPrintable(hostLines), tasklets, dpus);
        const auto run = compileAndRun(program, {}, {}, quickly());
        QVERIFY_RUN(run);
        QVERIFY2(!run->messages.empty(), run->err.c_str());
        const QString said = QString::fromStdString(run->messages[0]);
        const auto pattern = QRegularExpression::wildcardToRegularExpression(message);
        QVERIFY2(QRegularExpression(pattern).match(said).hasMatch(), run->messages[0].c_str());
        const std::map<std::string, std::int64_t> expected{{kind.toStdString(), count}};
        QVERIFY2(run->violationsOfKind == expected, run->report.c_str());
        QCOMPARE(run->violations, count);
        QVERIFY(run->err.find(run->messages[0]) != std::string::npos);
        const auto problem = problemOf("snippet", *run);
        QVERIFY(!problem);
        QVERIFY(problem.error().message.find(run->messages[0]) != std::string::npos);
    }

    void sameRunSameReport() {
        CRunOptions options;
        const CProgram program =
            snippet("", "mram_read(MRAM(4), buffer + me(), 8); mutex_lock(one);", "", 3, 2);
        const auto first = compileAndRun(program, {}, {});
        const auto second = compileAndRun(program, {}, {});
        QVERIFY_RUN(first);
        QVERIFY_RUN(second);
        QVERIFY(first->violations > 6);
        QCOMPARE(first->report, second->report);
        QCOMPARE(first->err, second->err);
    }

    void sanitizersSeeNothingInGoodPrograms_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"add", "sum", "bins", "keep", "calls"})
            QTest::addRow("%s", name) << name;
    }
    void sanitizersSeeNothingInGoodPrograms() {
        QFETCH(QString, name);
        const CRunOptions options{
            .compiler = {},
            .compilerFlags = {"-fsanitize=address,undefined", "-fno-sanitize-recover=all"},
            .folder = {}};
        const auto run = runSample(sample(name.toStdString(), 16, 16, 65536), 65536, options);
        QVERIFY_RUN(run);
        const auto good = problemOf("sample", *run);
        QVERIFY_RUN(good);
        if (name != "calls")
            QCOMPARE(run->out, expectedOutput(name.toStdString(), 65536));
    }

    void sanitizersSeeMistakesOfTasklets() {
        const CRunOptions options{.compiler = {}, .compilerFlags = {"-fsanitize=address"}, .folder = {}};
        const auto run = compileAndRun(
            snippet("", "volatile unsigned past = 4 + me(); value[past] = 1;", "", 2, 1), {}, {}, options);
        QVERIFY_RUN(run);
        QVERIFY(run->exitCode != 0);
        QVERIFY2(run->err.find("global-buffer-overflow") != std::string::npos, run->err.c_str());
        QVERIFY(!problemOf("snippet", *run));
    }

    void signalsAreSaid() {
        const auto run = compileAndRun(
            snippet("", "volatile uintptr_t nowhere = 8; *(volatile char*)nowhere = 1;", "", 1, 1), {}, {});
        QVERIFY_RUN(run);
        QCOMPARE(run->signal, SIGSEGV);
        const auto problem = problemOf("snippet", *run);
        QVERIFY(!problem);
        QVERIFY(problem.error().message.starts_with("signal 11 ended it"));
    }

    void compilersErrorsAreQuoted() {
        auto run = compileAndRun(snippet("", "uint32_t x;", "", 1, 1), {}, {});
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::InvalidFile);
        QVERIFY2(run.error().message.find("the DPU program does not compile") == 0 &&
                     run.error().message.find("unused variable") != std::string::npos,
                 run.error().message.c_str());
        run = compileAndRun(snippet("", "", "undeclared = 1;", 1, 1), {}, {});
        QVERIFY(!run);
        QVERIFY2(run.error().message.find("the host program does not compile") == 0 &&
                     run.error().message.find("undeclared") != std::string::npos,
                 run.error().message.c_str());
    }

    void missingCompilerIsSaid() {
        const CRunOptions options{.compiler = "no-such-cc", .compilerFlags = {}, .folder = {}};
        const auto run = compileAndRun(snippet("", "", "", 1, 1), {}, {}, options);
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::NotFound);
        QCOMPARE(run.error().text(),
                 std::string(
                     "no-such-cc: no C compiler of this name is found. install gcc or clang (Debian: package "
                     "build-essential), or name one in PIM_CC"));
    }

    void endlessProgramsAreStopped() {
        const CRunOptions options{.compiler = {}, .compilerFlags = {}, .folder = {}, .limitSeconds = 0.2};
        const auto run = compileAndRun(
            snippet("", "for (volatile unsigned* spin = (volatile unsigned*)value; *spin == 0;) {}", "", 2,
                    1),
            {}, {}, options);
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::Unsupported);
        QVERIFY(run.error().message == "still runs after 0.2 s, the most it may take");
    }

    void cancelStops() {
        std::stop_source stop;
        stop.request_stop();
        const auto run = compileAndRun(snippet("", "", "", 1, 1), {}, {}, {},
                                       {.stop = stop.get_token(), .onProgress = {}});
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::Cancelled);
    }

    void namesStayInTheFolder() {
        CProgram program = snippet("", "", "", 1, 1);
        QVERIFY(!compileAndRun(program, {{"../outside", {}}}, {}));
        QVERIFY(!compileAndRun(program, {}, {"/etc/hostname"}));
        program.name = "-x";
        const auto run = compileAndRun(program, {}, {});
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::Usage);
    }

    void nothingIsLeftBehind() {
        const QTemporaryDir place;
        const QByteArray before = qgetenv("TMPDIR");
        qputenv("TMPDIR", place.path().toLocal8Bit());
        const auto run = runSample(sample("sum", 4, 4, 400), 400);
        qputenv("TMPDIR", before.isNull() ? "/tmp" : before);
        QVERIFY_RUN(run);
        QVERIFY(QDir(place.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void folderOfTheCallerStays() {
        const QTemporaryDir place;
        const CRunOptions options{
            .compiler = {}, .compilerFlags = {}, .folder = place.filePath("a b").toStdString()};
        const auto run = runSample(sample("sum", 4, 4, 400), 400, options);
        QVERIFY_RUN(run);
        QCOMPARE(run->out, expectedSum(400));
        QCOMPARE(QDir(place.filePath("a b")).entryList(QDir::Files | QDir::Hidden),
                 QStringList({"sum_dpu.c", "sum_dpu.so", "sum_host", "sum_host.c", "upmem_report.json"}));
    }
};

void TestStub::brokenRulesAreSaid_data() {
    for (const char* column : {"kind", "globals", "dpuLines", "hostLines"})
        QTest::addColumn<QString>(column);
    for (const char* column : {"tasklets", "dpus", "count"})
        QTest::addColumn<int>(column);
    QTest::addColumn<QString>("message");
    struct Shape {
        int tasklets = 1, dpus = 1, count = 1;
    };
    const auto row = [](const char* name, const char* kind, const char* globals, const char* dpuLines,
                        const char* hostLines, Shape shape, const char* message) {
        QTest::newRow(name) << kind << globals << dpuLines << hostLines << shape.tasklets << shape.dpus
                            << shape.count << message;
    };
    const auto dpu = [&](const char* name, const char* kind, const char* lines, const char* message) {
        row(name, kind, "", lines, "", {}, message);
    };
    const auto host = [&](const char* name, const char* kind, const char* lines, const char* message) {
        row(name, kind, "", "", lines, {}, message);
    };
    row("size not of 8", "dma_size", "", "mram_read(MRAM(0), buffer, 12);", "",
        {.tasklets = 2, .dpus = 2, .count = 4},
        "DPU 0, tasklet 1: mram_read of 12 bytes: a DMA moves 8 to 2048 bytes in multiples of 8; round the "
        "size up and pad the buffers");
    dpu("size above 2048", "dma_size", "mram_write(mem_alloc(4096), MRAM(0), 4096);",
        "DPU 0, tasklet 0: mram_write of 4096 bytes: a DMA moves 8 to 2048 bytes in multiples of 8; split "
        "it");
    dpu("DMA of nothing", "zero_length", "mram_write(buffer, MRAM(0), 0);",
        "DPU 0, tasklet 0: mram_write of 0 bytes: the hardware moves 2048 then; skip the call where there is "
        "no data");
    dpu("WRAM address, heap", "alignment", "mram_read(MRAM(0), buffer + 12, 8);",
        "DPU 0, tasklet 0: mram_read of 8 bytes: the address in WRAM, heap + 12, is not a multiple of 8; "
        "take a buffer of mem_alloc or mark it __dma_aligned");
    dpu("WRAM address, global", "alignment", "mram_read(MRAM(0), (char*)value + 4, 8);",
        "DPU 0, tasklet 0: mram_read of 8 bytes: the address in WRAM, value + 4, is not a multiple of 8; "
        "take a buffer of mem_alloc or mark it __dma_aligned");
    dpu("MRAM address", "alignment", "mram_write(buffer, MRAM(20), 8);",
        "DPU 0, tasklet 0: mram_write of 8 bytes: the address in MRAM, offset 20, is not a multiple of 8; "
        "start each buffer and each tasklet's part of it at a multiple of 8 bytes");
    dpu("end of MRAM", "mram_bounds", "mram_read(MRAM((64 << 20) - 8), buffer, 16);",
        "DPU 0, tasklet 0: mram_read of 16 bytes at offset 67108856 ends beyond the 67108864 bytes of MRAM "
        "the heap has; give each DPU less data");
    dpu("beyond MRAM", "mram_bounds", "mram_read(MRAM(64 << 20), buffer, 8);",
        "DPU 0, tasklet 0: mram_read of 8 bytes at offset 67108864 ends beyond the 67108864 bytes of MRAM "
        "the heap has; give each DPU less data");
    dpu("bare offset beyond MRAM", "mram_bounds", "mram_read((void*)(uintptr_t)(64 << 20), buffer, 8);",
        "DPU 0, tasklet 0: mram_read of 8 bytes at offset 67108864 ends beyond the 67108864 bytes of MRAM "
        "the heap has; give each DPU less data");
    dpu("WRAM taken for MRAM", "mram_bounds", "mram_read(value, buffer, 8);",
        "DPU 0, tasklet 0: mram_read of 8 bytes: value is no address in MRAM; use DPU_MRAM_HEAP_POINTER plus "
        "an offset, or a __mram_noinit variable that is large enough");
    row("variable in MRAM too short", "mram_bounds", "__mram_noinit uint64_t table[4];",
        "mram_read(table + 2, buffer, 24);", "", {},
        "DPU 0, tasklet 0: mram_read of 24 bytes: table + 16 is no address in MRAM; use "
        "DPU_MRAM_HEAP_POINTER plus an offset, or a __mram_noinit variable that is large enough");
    dpu("heap not allocated", "wram_bounds", "mram_read(MRAM(0), buffer, 128);",
        "DPU 0, tasklet 0: mram_read of 128 bytes at heap + 0: not all of it is WRAM that the program has "
        "(64 bytes of heap are given out); allocate as many bytes as are moved");
    row("heap and globals", "wram_full", "uint8_t large[40000];", "mem_alloc(large[me()] + 20000);", "",
        {.tasklets = 2},
        "DPU 0, tasklet 0: mem_alloc of 20000 bytes: 400?? bytes of globals and 20128 of heap are in use, "
        "65536 is all WRAM has; use smaller buffers or fewer tasklets");
    row("globals alone", "wram_full", "uint8_t large[70000];", "large[me()] = 1;", "", {},
        "DPU 0, host: globals of the program take 700?? bytes, WRAM has 65536; keep large arrays in MRAM");
    host("offset in MRAM", "host_alignment",
         "DPU_ASSERT(dpu_copy_to(set, DPU_MRAM_HEAP_POINTER_NAME, 4, data, 8));",
         "DPU 0, host: transfer of 8 bytes at offset 4 of the heap of MRAM: both have to be multiples of 8 "
         "in MRAM; pad the buffers");
    host("length in WRAM", "host_alignment", "DPU_ASSERT(dpu_copy_to(set, \"value\", 0, data, 6));",
         "DPU 0, host: transfer of 6 bytes at offset 0 of value: both have to be multiples of 4 in WRAM; pad "
         "the buffers");
    host("more than the variable", "host_bounds", "DPU_ASSERT(dpu_copy_to(set, \"value\", 8, data, 32));",
         "DPU 0, host: transfer of 32 bytes at offset 8 of value, which has 32 bytes; move no more than the "
         "variable holds");
    host("more than MRAM", "host_bounds",
         "DPU_ASSERT(dpu_copy_to(set, DPU_MRAM_HEAP_POINTER_NAME, (64 << 20) - 8, data, 16));",
         "DPU 0, host: transfer of 16 bytes at offset 67108856 of the heap of MRAM, which has 67108864 "
         "bytes; give each DPU less data");
    host("no such variable", "host_symbol", "DPU_ASSERT(dpu_copy_to(set, \"values\", 0, data, 8));",
         "DPU 0, host: the program has no variable \"values\"; declare it as a global of the DPU program, "
         "marked __host");
    host("name of the C library", "host_symbol", "DPU_ASSERT(dpu_copy_to(set, \"malloc\", 0, data, 8));",
         "DPU 0, host: the program has no variable \"malloc\"; declare it as a global of the DPU program, "
         "marked __host");
    host("transfer of nothing", "zero_length",
         "DPU_ASSERT(dpu_broadcast_to(set, \"value\", 0, data, 0, DPU_XFER_DEFAULT));",
         "DPU 0, host: transfer of 0 bytes to or from value; skip the call where there is no data");
    row("push without all buffers", "push_lengths", "", "",
        "DPU_FOREACH (set, dpu) { DPU_ASSERT(dpu_prepare_xfer(dpu, data)); break; }\n"
        "DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_TO_DPU, \"value\", 0, 32, DPU_XFER_DEFAULT));",
        {.dpus = 2},
        "DPU 1, host: a push of 32 bytes to or from value has no buffer for this DPU, one of 2; all DPUs of "
        "a push move the same length: call dpu_prepare_xfer for each");
    row("too many tasklets", "tasklets", "", "", "", {.tasklets = 25, .dpus = 2, .count = 2},
        "DPU 0, host: the program has 25 tasklets, a DPU runs 1 to 24; set NR_TASKLETS");
    row("barrier not all pass", "deadlock", "", "if (me() != 1) barrier_wait(&everybody);", "",
        {.tasklets = 3},
        "DPU 0, all tasklets: deadlock: 2 of 3 tasklets wait, none can go on (0: barrier_wait at everybody, "
        "2 of 3 arrived; 2: barrier_wait at everybody, 2 of 3 arrived); every tasklet has to pass the same "
        "barriers, and every wait needs its notify or unlock");
    row("handshake with nobody", "deadlock", "",
        "if (me() == 0) handshake_wait_for(2); else if (me() == 1) handshake_notify();", "", {.tasklets = 3},
        "DPU 0, all tasklets: deadlock: 2 of 3 tasklets wait, none can go on (0: handshake_wait_for tasklet "
        "2; 1: handshake_notify, nobody waits for it); every tasklet has to pass the same barriers, and "
        "every wait needs its notify or unlock");
    row("two wait for one", "handshake", "", "if (me() == 1) handshake_notify(); else handshake_wait_for(1);",
        "", {.tasklets = 3},
        "DPU 0, tasklet 0: handshake_wait_for tasklet 1, for which tasklet 2 waits: a notify wakes one, the "
        "second does not "
        "wait; let each tasklet wait for another, or use a barrier");
    row("lock of nobody", "deadlock", "", "mutex_id_t unset = 0; mutex_lock(unset);", "", {.tasklets = 2},
        "DPU 0, all tasklets: deadlock: 1 of 2 tasklets wait, none can go on (0: mutex_lock of lock bit 0, "
        "held by tasklet 1); "
        "every tasklet has to pass the same barriers, and every wait needs its notify or unlock");
    row("lock never given back", "deadlock", "", "mutex_lock(one);", "", {.tasklets = 2},
        "DPU 0, all tasklets: deadlock: 1 of 2 tasklets wait, none can go on (0: mutex_lock of one, held by "
        "tasklet 1); "
        "every tasklet has to pass the same barriers, and every wait needs its notify or unlock");
}

QTEST_APPLESS_MAIN(TestStub)
#include "tst_backends_upmem_stub.moc"
