// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tasklet code as C: what the engine computes it computes too, for every kind of value; text as an engineer writes it; names that C
/// allows; the statement of each line.
#include "backends/upmem/c_run.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/host_run.h"
#include "backends/upmem/tasklet/c_code.h"

#include <QTest>

#include <cstring>
#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);
constexpr int kPairs = 64;

#define OK(result) QVERIFY2(result, (result) ? "" : (result).error().text().c_str())

/// Puts what is made of a pair of elements into one result after the other.
class Results {
public:
    Results(TaskletCode& code, TaskletValue to) : m_code(code), m_to(to) {}
    void operator()(TaskletValue value) { m_code.store(m_to, m_count++, value); }
    std::int64_t count() const { return m_count; }

private:
    TaskletCode& m_code;
    TaskletValue m_to;
    std::int64_t m_count = 0;
};

constexpr std::int64_t kMostResults = 32;

/// Values whose meaning hangs on sign and width, from two elements of a type.
void compute(TaskletCode& code, TaskletValue a, TaskletValue b, TaskletValue size, Results& result) {
    const auto chosen = [&](Condition condition) {
        const TaskletValue made = code.variable("chosen", Element::I32, code.constant(1));
        code.when(
            condition, [&] { code.set(made, code.constant(7)); }, [&] { code.add(made, size); });
        result(made);
    };
    result(a + b * 3 - (a ^ b));
    result((a - b) / 3);
    result(a % (size + 1));
    result((a - b) >> 3);
    result(min(a, b));
    result(max(a - b, 5));
    result((a & 12) | (b << 4));
    result(((a + b) & ~std::int64_t(7)) - size * 2);
    result(a - (b - size));
    result(code.constant(0) - (code.constant(0) - a) / 5);
    result(code.constant(1) << (b & 31));
    result((a & 15) * ((b & 63) / 7 * 8));
    result(ones(a) + ones(b - a));
    result(signedQuotient(a, b | code.constant(1)));
    result(narrow(widen(a) + widen(b) - widen(a & b)));
    chosen(a < b);
    chosen(a - b < size);
    chosen(a - b >= b);
    chosen((a & 3) == 0);
    chosen(a + size != b + size);
}

struct Pairs {
    TaskletCode code{"pairs"};
    HostProgram host;
    HostData inputs;
    std::vector<std::int64_t> sizes{5};
};

void makePairs(Pairs& p, Element type) {
    TaskletCode& code = p.code;
    const int width = bytesOf(type);
    const TaskletValue size = code.size("SIZE", "some number");
    const TaskletValue in = code.array("in", type, code.constant(2 * kPairs * width), "pairs");
    const TaskletValue out = code.array("out", Element::U32, code.constant(kPairs * kMostResults * 4), "");
    const TaskletValue pairs = code.own("pairs", type, code.constant(2 * kPairs), "");
    const TaskletValue results = code.own("results", Element::U32, code.constant(kMostResults), "");
    code.readAll(pairs, in, code.constant(2 * kPairs * width));
    code.range("i", code.constant(0), code.constant(kPairs), code.constant(1), [&](TaskletValue i) {
        Results result(code, results);
        compute(code, code.load(pairs, i * 2), code.load(pairs, i * 2 + 1), size, result);
        for (std::int64_t rest = result.count(); rest < kMostResults; ++rest)
            code.store(results, rest, code.constant(0));
        code.write(results, out + i * (kMostResults * 4), code.constant(kMostResults * 4));
    });
    HostInput input;
    input.name = "in";
    input.type = type;
    input.elements = input.slice = 2 * kPairs;
    p.host.name = "pairs";
    p.host.inputs.push_back(input);
    p.host.outputs.push_back({"out", "", Element::U32, kPairs * kMostResults, kPairs * kMostResults});
    std::mt19937 random(9);
    std::vector<std::byte>& data = p.inputs["in"];
    for (int i = 0; i < 2 * kPairs * width; ++i)
        data.push_back(std::byte(width == 4 && i % 4 == 3 ? 0 : random())); // sums of 32 bits do not overflow
}

Result<CRun> runC(const Pairs& p, std::string name) {
    PIM_TRY(const CCode dpu, cCode(p.code, p.sizes, 1));
    PIM_TRY(std::string host, hostCode(p.host, p.code, p.sizes, 1));
    return compileAndRun({std::move(name), std::move(host), dpu.text, 1, 1, {}},
                         {{"in.bin", p.inputs.at("in")}}, {"out.bin"});
}

QString textOf(const TaskletCode& code, std::vector<std::int64_t> sizes, int tasklets = 2) {
    const auto made = cCode(code, sizes, tasklets);
    return QString::fromStdString(made ? made->text : made.error().text());
}

} // namespace

class TestCCode : public QObject {
    Q_OBJECT
private slots:
    void computesWhatTheEngineDoes_data() {
        QTest::addColumn<int>("type");
        for (const Element type :
             {Element::I8, Element::U8, Element::I16, Element::U16, Element::I32, Element::U32})
            QTest::addRow("%s", std::string(cName(type)).c_str()) << int(type);
    }
    void computesWhatTheEngineDoes() {
        QFETCH(int, type);
        Pairs p;
        makePairs(p, Element(type));
        const auto engine = runOnEngine({p.host, p.code, p.sizes, 1}, p.inputs, kChip);
        OK(engine);
        const auto c = runC(p, "pairs");
        OK(c);
        const auto problem = problemOf("pairs", *c);
        OK(problem);
        const auto &wanted = engine->outputs.at("out"), &got = c->outputs.at("out.bin");
        QCOMPARE(got.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); i += 4) {
            std::uint32_t w = 0, g = 0;
            std::memcpy(&w, &wanted[i], 4);
            std::memcpy(&g, &got[i], 4);
            QVERIFY2(w == g, qPrintable(QStringLiteral("pair %1, value %2: %3 instead of %4")
                                            .arg(i / 4 / kMostResults)
                                            .arg(i / 4 % kMostResults)
                                            .arg(g)
                                            .arg(w)));
        }
    }

    /// Elements of one size through a pointer to another.
    void looksThroughOtherPointers() {
        Pairs p;
        TaskletCode& code = p.code;
        code.size("SIZE", "");
        const TaskletValue in = code.array("in", Element::U8, code.constant(64), "");
        const TaskletValue out = code.array("out", Element::U32, code.constant(64), "");
        const TaskletValue bytes = code.own("bytes", Element::U8, code.constant(64), "");
        code.read(bytes, in, code.constant(64));
        const TaskletValue words = code.pointer("words", Element::U32, bytes);
        const TaskletValue halves = code.pointer("halves", Element::U16, bytes + 8);
        code.range("i", code.constant(0), code.constant(8), code.constant(1), [&](TaskletValue i) {
            code.store(halves, i + 4, code.load(words, i) & 0xffff);
            code.store(words, i, code.load(halves, i) + code.load(bytes, i));
        });
        code.write(words, out, code.constant(64));
        HostInput input;
        input.name = "in";
        input.type = Element::U8;
        input.elements = input.slice = 64;
        p.host.name = "bytes";
        p.host.inputs.push_back(input);
        p.host.outputs.push_back({"out", "", Element::U32, 16, 16});
        for (int i = 0; i < 64; ++i)
            p.inputs["in"].push_back(std::byte(i * 37));
        const auto engine = runOnEngine({p.host, code, p.sizes, 1}, p.inputs, kChip);
        OK(engine);
        const auto c = runC(p, "bytes");
        OK(c);
        QCOMPARE(c->violations, 0);
        QVERIFY(c->outputs.at("out.bin") == engine->outputs.at("out"));
    }

    void readsLikeWrittenByHand() {
        TaskletCode code("rows");
        const TaskletValue rows = code.size("ROWS", "of a DPU");
        const TaskletValue bytes = code.size("ROW_BYTES", "");
        const TaskletValue a = code.array("a", Element::I32, rows * bytes, "the matrix");
        const TaskletValue row = code.own("row", Element::I32, bytes / 4, "one");
        const TaskletValue total = code.shared("total", Element::I32, code.constant(2), "for the host", true);
        code.range("r", code.me(), rows, code.constant(2), rows, [&](TaskletValue r) {
            code.read(row, a + r * bytes, bytes);
            code.unrolled(4, [&](TaskletValue k) {
                code.lock(0);
                code.store(total, 1, code.load(total, 1) + code.load(row, k));
                code.unlock(0);
            });
        });
        const QString text = textOf(code, {6, 64});
        for (const char* const line : {
                 "// rows: what every tasklet of a DPU runs.\n",
                 "#define ROWS 6       // of a DPU\n#define ROW_BYTES 64\n",
                 "#define A_OFFSET 0 // int32_t[96]: the matrix\n",
                 "static __dma_aligned int32_t row[NR_TASKLETS][ROW_BYTES / 4]; // one\n",
                 "__host __dma_aligned int32_t total[2]; // for the host\n",
                 "_Static_assert(sizeof row + sizeof total <= WRAM_FOR_BUFFERS, \"use smaller tiles or fewer "
                 "tasklets\");\n",
                 "MUTEX_INIT(mutex)\n",
                 "    int32_t* my_row = row[tasklet_id];\n"
                 "    for (uint32_t r = tasklet_id; r < ROWS; r += 2) {\n"
                 "        mram_read(DPU_MRAM_HEAP_POINTER + A_OFFSET + r * ROW_BYTES, my_row, ROW_BYTES);\n"
                 "        UNROLL(4)\n"
                 "        for (uint32_t k = 0; k < 4; ++k) {\n"
                 "            lock(mutex);\n"
                 "            total[1] += my_row[k];\n"
                 "            unlock(mutex);\n"
                 "        }\n"
                 "    }\n"
                 "    return 0;\n}\n",
             })
            QVERIFY2(text.contains(QLatin1String(line)),
                     qPrintable(line + QStringLiteral("\nis not in\n") + text));
        QVERIFY(!text.contains("barrier") && !text.contains("handshake"));
    }

    void givesNamesThatCHas() {
        TaskletCode code("odd names \\\n\\");
        const TaskletValue size = code.size("NR_TASKLETS", "taken\nby the runtime");
        const TaskletValue in = code.array("2 in", Element::I32, code.constant(64), "");
        const TaskletValue all = code.shared("main", Element::I32, code.constant(16), "");
        code.read(all, in, code.constant(64));
        const TaskletValue outer = code.variable("for", Element::I32, size);
        code.range("for", code.constant(0), code.constant(4), code.constant(1), [&](TaskletValue i) {
            const TaskletValue inner = code.variable("for", Element::I32, code.load(all, i) + outer);
            code.store(all, i, inner + i);
        });
        code.range("for", code.constant(0), code.constant(4), code.constant(1),
                   [&](TaskletValue i) { code.store(all, i + 4, outer); });
        Pairs p;
        const auto dpu = cCode(code, std::vector<std::int64_t>{3}, 2);
        OK(dpu);
        const QString text = QString::fromStdString(dpu->text);
        QVERIFY(text.contains("#define NR_TASKLETS_2 3 // taken by the runtime\n"));
        QVERIFY(text.contains("#define x2_IN_OFFSET 0"));
        QVERIFY(text.contains("const int32_t for_2 = NR_TASKLETS_2;"));
        QVERIFY(
            text.contains("for (uint32_t for_3 = 0; for_3 < 4; ++for_3) {\n        const int32_t for_4 = "));
        const auto c =
            compileAndRun({"names", "int main(void) { return 0; }\n", dpu->text, 2, 1, {}}, {}, {});
        OK(c);
    }

    void knowsTheStatementOfALine() {
        TaskletCode code("lines");
        const TaskletValue all = code.shared("all", Element::I32, code.constant(4), "");
        code.when(
            code.me() == 0, [&] { code.store(all, 0, code.constant(3)); },
            [&] { code.when(code.me() == 1, [&] { code.store(all, 1, code.constant(4)); }); });
        code.barrier();
        const auto made = cCode(code, {}, 3);
        OK(made);
        const QStringList lines = QString::fromStdString(made->text).split('\n');
        QCOMPARE(made->statementOfLine.size(), std::size_t(lines.size()) - 1);
        const auto statementOf = [&](const char* text) {
            const auto line = lines.indexOf(QString::fromLatin1(text));
            return line < 0 ? -2 : made->statementOfLine[std::size_t(line)];
        };
        const std::vector<Statement>& statements = code.statements();
        QCOMPARE(statementOf("    if (tasklet_id == 0)"), statements[0].id);
        QCOMPARE(statementOf("        all[0] = 3;"), statements[0].body[0].id);
        QCOMPARE(statementOf("    else if (tasklet_id == 1)"), statements[0].otherwise[0].id);
        QCOMPARE(statementOf("        all[1] = 4;"), statements[0].otherwise[0].body[0].id);
        QCOMPARE(statementOf("    barrier_wait(&all_tasklets);"), statements[1].id);
        QCOMPARE(statementOf("int main(void) {"), -1);
    }

    void saysWhatDoesNotFit() {
        TaskletCode code("wide");
        code.shared("all", Element::I32, code.constant(20'000), "");
        QVERIFY(textOf(code, {}).contains("take 80000 B of WRAM, 48496 B are free"));
    }
};

QTEST_APPLESS_MAIN(TestCCode)
#include "tst_backends_upmem_c_code.moc"
