// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Tasklet code on the engine: right numbers for every kind of value and statement, counts that are those of the program, and
/// messages for what cannot be.
#include "backends/upmem/dpu/dpu.h"
#include "backends/upmem/tasklet/program.h"

#include <QTest>

#include <numeric>
#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

/// Lowers, puts the sizes in, runs on what MRAM holds.
Result<DpuRun> runOn(Dpu& dpu, const TaskletCode& code, std::vector<std::int64_t> sizes, int tasklets) {
    PIM_TRY(const auto lowered, lower(code));
    PIM_TRY(const TaskletProgram made, lowered->program(sizes, tasklets));
    return dpu.run(made.program, tasklets, {}, {});
}

#define OK(result) QVERIFY2(result, (result) ? "" : (result).error().text().c_str())

/// One tasklet writes what \p value makes of pairs of numbers; compared with \p wanted.
template <class Make, class Wanted>
QString differs(Make&& make, Wanted&& wanted, std::uint32_t mask = 0xffffffff, std::uint32_t atLeast = 0) {
    constexpr int kPairs = 64;
    TaskletCode code("pairs");
    const TaskletValue in = code.array("in", Element::I32, code.constant(kPairs * 8), "pairs");
    const TaskletValue out = code.array("out", Element::I32, code.constant(kPairs * 4), "results");
    const TaskletValue pairs = code.own("pairs", Element::I32, code.constant(kPairs * 2), "");
    const TaskletValue results = code.own("results", Element::I32, code.constant(kPairs), "");
    code.readAll(pairs, in, code.constant(kPairs * 8));
    code.range("i", code.constant(0), code.constant(kPairs), code.constant(1), [&](TaskletValue i) {
        const TaskletValue a = code.variable("a", Element::I32, code.load(pairs, i * 2));
        const TaskletValue b = code.variable("b", Element::I32, code.load(pairs, i * 2 + 1));
        code.store(results, i, make(code, a, b));
    });
    code.write(results, out, code.constant(kPairs * 4));
    Dpu dpu(kChip);
    std::mt19937 random(3);
    std::vector<std::uint32_t> data(kPairs * 2);
    for (std::uint32_t& d : data)
        d = (random() & mask) + atLeast;
    dpu.write<std::uint32_t>(0, data);
    const auto run = runOn(dpu, code, {}, 1);
    if (!run)
        return QString::fromStdString(run.error().text());
    const auto got = dpu.read<std::uint32_t>(kPairs * 8, kPairs);
    for (std::size_t i = 0; i < kPairs; ++i)
        if (const std::uint32_t right = wanted(data[2 * i], data[2 * i + 1]); got[i] != right)
            return QStringLiteral("%1 and %2: %3 instead of %4")
                .arg(data[2 * i])
                .arg(data[2 * i + 1])
                .arg(got[i])
                .arg(right);
    return {};
}

/// y[t] = sum of x[i] w[i], each tasklet its own slice.
void dotProduct(TaskletCode& code, Element type) {
    const TaskletValue length = code.size("LENGTH", "elements of a tasklet");
    const TaskletValue bytes = code.size("BYTES", "of them");
    const TaskletValue tasklets = code.size("TASKLETS", "with work");
    const TaskletValue x = code.array("x", type, bytes * tasklets, ""),
                       w = code.array("w", type, bytes * tasklets, "");
    const TaskletValue y = code.array("y", Element::I32, tasklets * 8, "");
    const TaskletValue xs = code.own("xs", type, length, ""), ws = code.own("ws", type, length, "");
    const TaskletValue sums = code.own("sums", Element::I32, code.constant(2), "");
    const TaskletValue begin = code.variable("begin", Element::U32, code.me() * bytes);
    code.readAll(xs, x + begin, bytes);
    code.readAll(ws, w + begin, bytes);
    const TaskletValue sum = code.variable("sum", Element::I32, code.constant(0));
    const TaskletValue a = code.pointer("a", type, xs), b = code.pointer("b", type, ws);
    code.count(length / 8, [&] {
        code.unrolled(8, [&](TaskletValue i) { code.add(sum, code.load(a, i) * code.load(b, i)); });
        code.set(a, a + 8);
        code.set(b, b + 8);
    });
    code.store(sums, 0, sum);
    code.store(sums, 1, code.constant(0));
    code.write(sums, y + code.me() * 8, code.constant(8));
}

} // namespace

class TestTasklet : public QObject {
    Q_OBJECT
private slots:
    void computes() {
        QCOMPARE(differs([](auto&, TaskletValue a, TaskletValue b) { return a + b * 3 - (a ^ b); },
                         [](std::uint32_t a, std::uint32_t b) { return a + b * 3 - (a ^ b); }),
                 QString());
        QCOMPARE(differs([](auto&, TaskletValue a, TaskletValue b) { return a * b; },
                         [](std::uint32_t a, std::uint32_t b) { return a * b; }, 0xffff),
                 QString());
        QCOMPARE(differs([](auto&, TaskletValue a, TaskletValue b) { return a / b + (a % b) * 16; },
                         [](std::uint32_t a, std::uint32_t b) { return a / b + a % b * 16; }, 0xffff, 1),
                 QString());
        QCOMPARE(
            differs([](auto&, TaskletValue a, TaskletValue b) { return a / (b + 100'000) + a % (b | b); },
                    [](std::uint32_t a, std::uint32_t b) { return a / (b + 100'000) + a % b; }, 0xffff, 1),
            QString());
        QCOMPARE(differs([](auto&, TaskletValue a,
                            TaskletValue b) { return max(min(a, b), -5) + (max(a, b) >> 3); },
                         [](std::uint32_t ua, std::uint32_t ub) {
                             const auto a = std::int32_t(ua), b = std::int32_t(ub);
                             return std::uint32_t(std::max(std::min(a, b), -5)) +
                                    std::uint32_t(std::max(a, b) >> 3);
                         }),
                 QString());
        QCOMPARE(differs([](auto&, TaskletValue a,
                            TaskletValue b) { return narrow(widen(a) + widen(b) - widen(a & b)); },
                         [](std::uint32_t a, std::uint32_t b) { return a + b - (a & b); }),
                 QString());
        QCOMPARE(differs(
                     [](TaskletCode& code, TaskletValue a, TaskletValue b) {
                         const TaskletValue c = code.variable("c", Element::I32, a);
                         code.when(
                             a < b, [&] { code.set(c, b); }, [&] { code.set(c, c + 1); });
                         code.loopWhile(c >= 1'000'000, code.constant(4), [&] { code.set(c, c >> 2); });
                         return c;
                     },
                     [](std::uint32_t ua, std::uint32_t ub) {
                         auto c = std::int32_t(ua);
                         c = std::int32_t(ua) < std::int32_t(ub) ? std::int32_t(ub) : std::int32_t(ua + 1);
                         while (c >= 1'000'000)
                             c >>= 2;
                         return std::uint32_t(c);
                     }),
                 QString());
    }

    void multipliesInEveryWidth_data() {
        QTest::addColumn<int>("type");
        QTest::addColumn<double>("instructions"); // of one product and its sum
        QTest::newRow("i8") << int(Element::I8) << 4.0;
        QTest::newRow("u8") << int(Element::U8) << 4.0;
        QTest::newRow("i16") << int(Element::I16) << 10.0;
        QTest::newRow("i32") << int(Element::I32) << 2.0 + 2 + 23 + 2;
    }
    void multipliesInEveryWidth() {
        QFETCH(int, type);
        QFETCH(double, instructions);
        const auto element = Element(type);
        TaskletCode code("dot");
        dotProduct(code, element);
        const auto lowered = lower(code);
        OK(lowered);
        const int tasklets = 11, bytes = bytesOf(element);
        for (const std::int64_t length : {8, 64, 512}) {
            const std::vector<std::int64_t> sizes{length, length * bytes, tasklets};
            const auto made = (*lowered)->program(sizes, tasklets);
            OK(made);
            Dpu dpu(kChip);
            std::mt19937 random(7);
            std::vector<std::int8_t> data(std::size_t(2 * length * bytes * tasklets));
            for (auto& d : data)
                d = std::int8_t(random());
            if (bytes == 4) // factors of 16 bits, as counted
                for (std::size_t i = 0; i < data.size(); i += 4) {
                    data[i + 1] |= -128;
                    data[i + 2] = data[i + 3] = 0;
                }
            dpu.write<std::int8_t>(0, data);
            const auto run = dpu.run(made->program, tasklets, {}, {});
            OK(run);
            const auto at = [&](std::size_t i) -> std::int64_t {
                std::int32_t value = 0;
                std::memcpy(&value, &data[i * std::size_t(bytes)], std::size_t(bytes));
                return bytes == 4               ? value
                       : element == Element::U8 ? value & 0xff
                       : bytes == 2             ? std::int16_t(value)
                                                : std::int8_t(value);
            };
            const auto got = dpu.read<std::int32_t>(2 * length * bytes * tasklets, std::size_t(tasklets) * 2);
            for (std::size_t t = 0; t < tasklets; ++t) {
                std::uint32_t sum = 0;
                for (std::size_t i = t * std::size_t(length); i < (t + 1) * std::size_t(length); ++i)
                    sum += std::uint32_t(at(i) * at(i + std::size_t(length) * tasklets));
                QCOMPARE(std::uint32_t(got[t * 2]), sum);
            }
            const TaskletCounts counts = (*lowered)->count(sizes);
            QCOMPARE(counts.dmaBytes * tasklets, double(run->mram.readBytes + run->mram.writeBytes));
            QCOMPARE(counts.dmas * tasklets, double(run->mram.reads + run->mram.writes));
            if (length == 512)
                QVERIFY2(std::abs(counts.instructions * tasklets / double(run->instructions) - 1) < 0.06,
                         qPrintable(QStringLiteral("%1 counted, %2 run")
                                        .arg(counts.instructions * tasklets)
                                        .arg(run->instructions)));
        }
        const double more =
            (*lowered)->count(std::vector<std::int64_t>{1024, 1024 * bytes, 11}).instructions -
            (*lowered)->count(std::vector<std::int64_t>{512, 512 * bytes, 11}).instructions;
        QVERIFY2(more / 512 < instructions + 0.5, qPrintable(QString::number(more / 512)));
        // Registers are given so that a loop of bytes reads no two of one bank.
        if (bytes == 1)
            QVERIFY2((*lowered)->count(std::vector<std::int64_t>{1024, 1024, 11}).conflicts < 1024 * 0.3,
                     qPrintable(QString::number(
                         (*lowered)->count(std::vector<std::int64_t>{1024, 1024, 11}).conflicts)));
    }

    void workTogether_data() {
        QTest::addColumn<int>("tasklets");
        for (const int tasklets : {1, 2, 7, 16, 24})
            QTest::addRow("%d tasklets", tasklets) << tasklets;
    }
    /// A running sum that each tasklet hands to the next; a histogram under a lock; sums of 64 bits.
    void workTogether() {
        QFETCH(int, tasklets);
        constexpr int kEach = 32;
        TaskletCode code("together");
        const TaskletValue all = code.size("TASKLETS", "with work");
        const TaskletValue in = code.array("in", Element::I64, all * (kEach * 8), "");
        const TaskletValue out = code.array("out", Element::I64, all * 8, "running sums");
        const TaskletValue counted = code.array("counted", Element::U32, code.constant(8), "");
        const TaskletValue mine = code.own("mine", Element::I64, code.constant(kEach), "");
        const TaskletValue result = code.own("result", Element::I64, code.constant(1), "");
        const TaskletValue sums = code.shared("sums", Element::I64, all, "");
        const TaskletValue total = code.shared("total", Element::U32, code.constant(2), "", true);
        code.when(code.me() == 0, [&] {
            code.store(total, 0, code.constant(0));
            code.store(total, 1, code.constant(0));
        });
        code.barrier();
        code.read(mine, in + code.me() * (kEach * 8), code.constant(kEach * 8));
        const TaskletValue sum = code.variable("sum", Element::I64, code.constant(0));
        code.range("i", code.constant(0), code.constant(kEach), code.constant(1), [&](TaskletValue i) {
            code.add(sum, code.load(mine, i));
            code.lock(3);
            code.store(total, 0, code.load(total, 0) + 1);
            code.unlock(3);
        });
        code.when(code.me() != 0, [&] {
            code.waitFor(code.me() - 1);
            code.add(sum, code.load(sums, code.me() - 1));
        });
        code.store(sums, code.me(), sum);
        code.when(code.me() < all - 1, [&] { code.notify(); });
        code.store(result, 0, sum);
        code.write(result, out + code.me() * 8, code.constant(8));
        code.barrier();
        code.when(code.me() == 0, [&] { code.write(total, counted, code.constant(8)); });
        Dpu dpu(kChip);
        std::mt19937_64 random(5);
        std::vector<std::int64_t> data(std::size_t(tasklets * kEach));
        for (auto& d : data)
            d = std::int64_t(random()) >> 12;
        dpu.write<std::int64_t>(0, data);
        const auto run = runOn(dpu, code, {tasklets}, tasklets);
        OK(run);
        const auto got = dpu.read<std::int64_t>(tasklets * kEach * 8, std::size_t(tasklets));
        std::int64_t wanted = 0;
        for (int t = 0; t < tasklets; ++t) {
            wanted = std::accumulate(data.begin() + t * kEach, data.begin() + (t + 1) * kEach, wanted);
            QCOMPARE(got[std::size_t(t)], wanted);
        }
        QCOMPARE(dpu.read<std::uint32_t>(tasklets * (kEach * 8 + 8), 1)[0], std::uint32_t(tasklets * kEach));
    }

    void saysWhereInstructionsComeFrom() {
        TaskletCode code("dot");
        dotProduct(code, Element::I8);
        const auto lowered = lower(code);
        OK(lowered);
        const auto made = (*lowered)->program(std::vector<std::int64_t>{64, 64, 16}, 16);
        OK(made);
        QCOMPARE(made->statementAt.size(), made->program.code.size());
        int known = 0;
        for (const int statement : made->statementAt) {
            QVERIFY(statement < code.statementCount());
            known += statement >= 0;
        }
        QVERIFY(known > int(made->program.code.size()) / 3);
        QCOMPARE(std::int64_t(made->wram.size()), 48);
        QCOMPARE(made->wramBytes, 16 * (64 + 64 + 8));
    }

    void refuses() {
        TaskletCode code("dot");
        dotProduct(code, Element::I8);
        const auto lowered = lower(code);
        OK(lowered);
        const auto text = [&](std::vector<std::int64_t> sizes, int tasklets) {
            const auto made = (*lowered)->program(sizes, tasklets);
            return made ? std::string() : made.error().text();
        };
        QVERIFY(text({64, 64, 25}, 25).find("25 tasklets; a DPU has 1 to 24") != std::string::npos);
        QVERIFY(text({2048, 2048, 24}, 24).find("take 98496 B of WRAM, 48496 B are free") !=
                std::string::npos);
        QVERIFY(text({64, 1 << 25, 2}, 2).find("take 134217744 B of MRAM, a DPU has 67108864 B") !=
                std::string::npos);
        QVERIFY(text({64, 0, 2}, 2).find("0 bytes") != std::string::npos);
        QVERIFY(text({64, 60, 2}, 2).find("a DMA of 60 bytes") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestTasklet)
#include "tst_backends_upmem_tasklet.moc"
