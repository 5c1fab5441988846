// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// One DPU: what instructions compute, what they cost, and what a wrong program is told.
#include "backends/upmem/dpu/code.h"
#include "backends/upmem/dpu/reference_programs.h"

#include <QTest>

#include <random>

using namespace pim;
using namespace pim::upmem;

namespace {

constexpr DpuReg r(int number) {
    return reg(number);
}

const DpuTiming kChip = dpuTiming(DpuPreset::Hardware);

Result<DpuRun> run(DpuCode& code, int tasklets = 1, Dpu* dpu = nullptr, DpuRunOptions options = {}) {
    PIM_TRY(const DpuProgram program, code.finish());
    Dpu own(kChip);
    return (dpu ? *dpu : own).run(program, tasklets, options, {});
}

bool says(const Result<DpuRun>& run, const char* words) {
    if (run)
        return false;
    if (run.error().text().find(words) != std::string::npos)
        return true;
    qWarning("%s", run.error().text().c_str());
    return false;
}

} // namespace

class TestDpu : public QObject {
    Q_OBJECT

    /// The word a program leaves at WRAM 0.
    static std::uint32_t result(DpuCode& code) {
        Dpu dpu(kChip);
        code.op(DpuOp::Sw, r(0), DpuReg::Zero, 0);
        code.exit();
        code.label("mulsi3");
        code.mulsi3();
        const auto done = run(code, 1, &dpu);
        if (!done) {
            qWarning("%s", done.error().text().c_str());
            return 0xdeadbeef;
        }
        std::uint32_t word = 0;
        std::memcpy(&word, dpu.wram().data(), 4);
        return word;
    }

private slots:
    void arithmeticIsThatOf32Bits_data() {
        QTest::addColumn<int>("op");
        QTest::addColumn<quint32>("a");
        QTest::addColumn<quint32>("b");
        QTest::addColumn<quint32>("wanted");
        const auto row = [](const char* name, DpuOp op, quint32 a, quint32 b, quint32 wanted) {
            QTest::newRow(name) << int(op) << a << b << wanted;
        };
        row("sum that wraps", DpuOp::Add, 0xffffffff, 2, 1);
        row("difference below 0", DpuOp::Sub, 1, 3, 0xfffffffe);
        row("and", DpuOp::And, 0xf0f0, 0xff00, 0xf000);
        row("or", DpuOp::Or, 0xf0f0, 0x0f00, 0xfff0);
        row("xor", DpuOp::Xor, 0xff00ff00, 0xffffffff, 0x00ff00ff);
        row("shift left by 33 is by 1", DpuOp::Lsl, 3, 33, 6);
        row("shift right", DpuOp::Lsr, 0x80000000, 31, 1);
        row("shift right of a negative", DpuOp::Asr, 0x80000000, 31, 0xffffffff);
        row("bytes, unsigned", DpuOp::MulU8, 0x1ff, 0x1ff, 255 * 255);
        row("bytes, signed", DpuOp::MulS8, 0xff, 0x7f, quint32(-127));
        row("leading zeros", DpuOp::Clz, 1, 0, 31);
        row("leading zeros of 0", DpuOp::Clz, 0, 0, 32);
        row("ones", DpuOp::Cao, 0x80000101, 0, 3);
        row("ones of -1", DpuOp::Cao, 0xffffffff, 0, 32);
    }
    void arithmeticIsThatOf32Bits() {
        QFETCH(int, op);
        QFETCH(quint32, a);
        QFETCH(quint32, b);
        DpuCode code("alu");
        code.set(r(1), std::int32_t(a));
        code.set(r(2), std::int32_t(b));
        code.op(DpuOp(op), r(0), r(1), r(2));
        QTEST(result(code), "wanted");
    }

    void productsAreRightAndTakeAStepForEachBit() {
        std::mt19937 random(7);
        for (int i = 0; i < 200; ++i) {
            const std::uint32_t a = random() >> (random() % 32), b = random() >> (random() % 32);
            DpuCode code("product");
            code.set(r(0), std::int32_t(a));
            code.set(r(1), std::int32_t(b));
            code.call("mulsi3");
            QCOMPARE(result(code), a * b);
        }
        // 1, 4, 8, 16 and 31 bits: 7, 10, 14, 22 and 37 instructions of __mulsi3 [uPIMulator 870d916], and 4 around it.
        for (const auto& [factor, instructions] :
             {std::pair("1 x 1", 11), {"15 x 15", 14}, {"255 x 255", 18}, {"65535 x 65535", 26}}) {
            const auto measured = runMicro({"mulsi3", factor, 1}, kChip, {});
            QVERIFY(measured);
            QCOMPARE(measured->instructionsPerTurn, double(instructions));
        }
    }

    void a64BitSumCarries() {
        Dpu dpu(kChip);
        DpuCode code("sum");
        code.set(r(2), -1);
        code.set(r(3), 0);
        code.op(DpuOp::Add, r(4), r(2), 1);
        code.op(DpuOp::AddC, r(5), r(3), 7);
        code.op(DpuOp::Sd, r(4), DpuReg::Zero, 0);
        code.exit();
        QVERIFY(run(code, 1, &dpu));
        std::uint64_t sum = 0;
        std::memcpy(&sum, dpu.wram().data(), 8);
        QCOMPARE(sum, std::uint64_t(8) << 32);
    }

    void divisionsTakeAStepForEachBit() {
        std::mt19937 random(11);
        for (int i = 0; i < 100; ++i) {
            const std::uint32_t a = random() >> 1, b = (random() >> 1 >> (random() % 30)) + 1;
            Dpu dpu(kChip);
            DpuCode code("quotient");
            code.set(r(0), std::int32_t(a));
            code.set(r(1), 0);
            code.set(r(2), std::int32_t(b));
            for (int bit = 31; bit >= 0; --bit)
                code.op(DpuOp::DivStep, r(0), r(2), bit);
            code.op(DpuOp::Sd, r(0), DpuReg::Zero, 0);
            code.exit();
            QVERIFY(run(code, 1, &dpu));
            std::array<std::uint32_t, 2> rest{};
            std::memcpy(rest.data(), dpu.wram().data(), 8);
            QCOMPARE(rest[0], a % b);
            QCOMPARE(rest[1], a / b);
        }
    }

    /// A tasklet issues once in 11 cycles; 11 of them keep the pipeline full, and no more go in.
    void taskletsTakeTurns() {
        for (const int tasklets : {1, 4, 11, 16, 24}) {
            const auto loop = runMicro({"wram_sw_x20", "", tasklets}, kChip, {});
            QVERIFY(loop);
            const double perInstruction = loop->cyclesPerTurn / loop->instructionsPerTurn;
            QVERIFY2(std::abs(perInstruction - (tasklets < 11 ? 11.0 / tasklets : 1.05)) < 0.06,
                     qPrintable(QString::number(perInstruction)));
        }
    }

    /// One tasklet: 77 + B/2 cycles to read, 61 + B/2 to write; many share 35 + B/2.
    void dmaTakesTheTimeOfTheChips() {
        for (const auto& [test, fixed] : {std::pair("dma_read", 77.0), {"dma_write", 61.0}})
            for (const int bytes : {8, 64, 1024, 2048}) {
                const auto alone = runMicro({test, std::to_string(bytes), 1}, kChip, {});
                QVERIFY(alone);
                const double wait = alone->cyclesPerTurn - 22; // two more instructions
                QVERIFY2(std::abs(wait - (fixed + bytes / 2.0 + 16)) <= 2, qPrintable(QString::number(wait)));
                const auto many = runMicro({test, std::to_string(bytes), 16}, kChip, {});
                QVERIFY(many);
                QVERIFY2(std::abs(many->cyclesPerTurn / 16 - (35 + bytes / 2.0)) < 4,
                         qPrintable(QString::number(many->cyclesPerTurn / 16)));
            }
    }

    void timeOfATaskletAddsUp() {
        for (const auto preset : {DpuPreset::Hardware, DpuPreset::UpimulatorCompat})
            for (const std::string_view kernel : referenceKernels())
                for (const int tasklets : {1, 3, 16}) {
                    const auto done =
                        runReference({std::string(kernel), kernel == "GEMV" ? 32 : 2048, tasklets, 512},
                                     dpuTiming(preset), {});
                    QVERIFY2(done, done ? "" : done.error().text().c_str());
                    QCOMPARE(done->issued + done->waitedDma + done->waitedElse + done->heldUp, done->cycles);
                    std::int64_t issued = 0;
                    for (const TaskletTime& time : done->tasklets) {
                        QCOMPARE(time.issued + time.revolver + time.ready + time.dma + time.asleep,
                                 done->cycles);
                        issued += time.issued;
                    }
                    QCOMPARE(issued, done->instructions);
                    QCOMPARE(std::accumulate(done->issuedAt.begin(), done->issuedAt.end(), std::int64_t{0}),
                             done->instructions);
                }
    }

    void spansFollowEachOther() {
        DpuCode code("spans");
        code.start(3);
        code.op(DpuOp::Lsl, r(1), DpuReg::Id, 10);
        code.load(r(1), r(1), 256);
        code.barrier(3, 4096, 0);
        code.exit();
        const auto done = run(code, 3, nullptr, {.logsSpans = true});
        QVERIFY2(done, done ? "" : done.error().text().c_str());
        std::array<std::int64_t, 3> ends{};
        int dmas = 0;
        for (const TaskletSpan& span : done->spans) {
            QCOMPARE(span.begin, ends[std::size_t(span.tasklet)]);
            QVERIFY(span.end > span.begin);
            ends[std::size_t(span.tasklet)] = span.end;
            if (span.kind == TaskletSpan::Kind::Dma) {
                ++dmas;
                QCOMPARE(span.bytes, 256);
            }
        }
        QCOMPARE(dmas, 3);
    }

    /// Barrier and locks hold for every number of tasklets: a sum under a lock, read behind a barrier.
    void locksAndBarriersHold() {
        for (int tasklets = 1; tasklets <= kMaxTasklets; ++tasklets) {
            Dpu dpu(kChip);
            DpuCode code("count");
            code.start(tasklets);
            code.acquire(DpuReg::Zero, 3);
            code.op(DpuOp::Lw, r(0), DpuReg::Zero, 512);
            code.op(DpuOp::Add, r(0), r(0), 1);
            code.op(DpuOp::Sw, r(0), DpuReg::Zero, 512);
            code.release(DpuReg::Zero, 3);
            code.barrier(tasklets, 0, 1);
            code.op(DpuOp::Lw, r(0), DpuReg::Zero, 512);
            code.op(DpuOp::Sw, r(0), DpuReg::Id4, 1024);
            code.exit();
            const auto done = run(code, tasklets, &dpu);
            QVERIFY2(done, done ? "" : done.error().text().c_str());
            for (int i = 0; i < tasklets; ++i) {
                std::int32_t seen = 0;
                std::memcpy(&seen, &dpu.wram()[std::size_t(1024 + 4 * i)], 4);
                QCOMPARE(seen, tasklets);
            }
        }
    }

    void textComesBack() {
        DpuCode code("round");
        code.start(2);
        code.note("the product");
        code.call("mulsi3");
        code.load(r(2), r(3), 64);
        code.shiftAdd(r(1), r(2), r(3), 4);
        code.op(DpuOp::Ld, r(4), r(3), -8);
        code.op(DpuOp::DivStep, r(6), r(3), 31);
        code.exit();
        code.label("mulsi3");
        code.mulsi3();
        const auto program = code.finish();
        QVERIFY(program);
        const std::string written = text(*program);
        const auto again = parseDpuProgram(written);
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QCOMPARE(again->code.size(), program->code.size());
        DpuProgram bare = *program;
        bare.notes.assign(bare.code.size(), {});
        QCOMPARE(text(*again), text(bare));
    }

    void wrongTextIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const char* text, const char* message) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(message);
        };
        row("empty", "", "dpu");
        row("no instruction", "dpu x\n", "no instruction");
        row("place missing", "dpu x\n1 exit\n", "instruction 0 is due");
        row("unknown instruction", "dpu x\n0 fly r1\n", "no instruction \"fly\"");
        row("register too far", "dpu x\n0 add r24, r0, 1\n", "\"r24\" is no register");
        row("odd pair", "dpu x\n0 ld r3, r0, 0\n1 exit\n", "begins at");
        row("target outside", "dpu x\n0 add r0, r0, 1, nz @7\n", "goes to 7");
        row("unknown condition", "dpu x\n0 add r0, r0, 1, often @0\n", "no condition \"often\"");
        row("endless number", "dpu x\n0 add r0, r0, 99999999999999999999\n", "");
        row("DMA of 4096 bytes", "dpu x\n0 ldma zero, r0, r1, 4096\n1 exit\n", "8 to 2048");
        row("DMA of 12 bytes", "dpu x\n0 sdma zero, r0, r1, 12\n1 exit\n", "steps of 8");
    }
    void wrongTextIsRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const auto program = parseDpuProgram(std::string_view(text.constData(), std::size_t(text.size())));
        QVERIFY(!program);
        QCOMPARE(program.error().code, ErrorCode::InvalidKernel);
        QVERIFY2(program.error().text().find(message.toStdString()) != std::string::npos,
                 program.error().text().c_str());
    }

    void wrongProgramsAreRefusedWithThePlace() {
        const auto once = [](auto&& write, int tasklets = 1, DpuRunOptions options = {}) {
            DpuCode code("wrong");
            write(code);
            code.exit();
            return run(code, tasklets, nullptr, options);
        };
        QVERIFY(says(once([](DpuCode& c) { c.op(DpuOp::Nop, r(0), r(0), 0); }, 25), "1 to 24"));
        QVERIFY(
            says(once([](DpuCode& c) { c.op(DpuOp::Lw, r(0), DpuReg::Zero, 65536); }), "which has 65536"));
        QVERIFY(says(once([](DpuCode& c) { c.op(DpuOp::Lw, r(0), DpuReg::Zero, 2); }), "no multiple of 4"));
        QVERIFY(says(once([](DpuCode& c) { c.op(DpuOp::Stop, r(0), r(0), 0); }), "wait forever"));
        QVERIFY(says(once([](DpuCode& c) { c.acquire(DpuReg::Zero, 1), c.acquire(DpuReg::Zero, 1); }, 1,
                          {.mostCycles = 10'000'000}),
                     "more than 10000000 cycles"));
        QVERIFY(says(once([](DpuCode& c) { // no length given, and the register says 0
                         c.load(r(0), r(1), 0);
                     }),
                     "a DMA of 0 bytes"));
        QVERIFY(says(once([](DpuCode& c) {
                         c.set(r(1), 4);
                         c.load(r(0), r(1), 64);
                     }),
                     "multiples of 8"));
        QVERIFY(says(once([](DpuCode& c) {
                         c.set(r(0), 65528);
                         c.load(r(0), r(1), 64);
                     }),
                     "WRAM 65528"));
        QVERIFY(says(once([](DpuCode& c) {
                         c.set(r(1), (64 << 20) - 8);
                         c.store(r(0), r(1), 64);
                     }),
                     "MRAM 67108856"));
        QVERIFY(says(once([](DpuCode& c) { c.jump("nowhere"); }), "no label \"nowhere\""));
        QVERIFY(says(once([](DpuCode& c) {
                         for (int i = 0; i < kMaxInstructions; ++i)
                             c.op(DpuOp::Nop, r(0), r(0), 0);
                     }),
                     "room for 4096"));
        std::stop_source stop;
        stop.request_stop();
        DpuCode endless("endless");
        endless.label("again");
        endless.jump("again");
        const auto program = endless.finish();
        QVERIFY(program);
        const auto cancelled = Dpu(kChip).run(*program, 1, {}, {stop.get_token(), {}});
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);
    }

    void wrongCasesAreRefused() {
        const auto refused = [](ReferenceCase one, const char* words) {
            return says(runReference(one, kChip, {}), words);
        };
        QVERIFY(refused({"FFT", 64, 1, 64}, "no kernel \"FFT\""));
        QVERIFY(refused({"VA", 1024, 25, 1024}, "1 to 24"));
        QVERIFY(refused({"VA", 1024, 1, 4096}, "8 to 2048"));
        QVERIFY(refused({"VA", 1024, 1, 0}, "8 to 2048"));
        QVERIFY(refused({"VA", 1000, 1, 1024}, "no whole blocks"));
        QVERIFY(refused({"VA", 0, 1, 1024}, "have room"));
        QVERIFY(refused({"VA", 1 << 30, 1, 1024}, "have room"));
        QVERIFY(refused({"GEMV", 31, 1, 1024}, "even number of rows"));
        QVERIFY(refused({"VA", 16384, 24, 2048}, "use fewer tasklets"));
    }
};

QTEST_APPLESS_MAIN(TestDpu)
#include "tst_backends_upmem_dpu.moc"
