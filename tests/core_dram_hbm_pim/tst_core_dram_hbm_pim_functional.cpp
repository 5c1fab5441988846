// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kernels of HBM-PIM on data: FP16 results bit for bit those of Samsung's public simulator where those are
/// right, and right for every size in the padded layout.
#include <QTest>
#include <string>

#include "core/base/jobs.h"
#include "core/dram/hbm_pim/hbm_pim_functional.h"
#include "tests/core_dram_hbm_pim/golden.h"

#include <cmath>
#include <limits>
#include <optional>

using namespace pim;
using namespace pim::test;

namespace {

HbmPimShape shapeOf(GoldenRow& row) {
    HbmPimShape shape;
    for (const auto kind : {HbmPimKernelKind::Gemv, HbmPimKernelKind::Add, HbmPimKernelKind::Mul,
                            HbmPimKernelKind::Relu, HbmPimKernelKind::Red})
        if (QString::fromStdString(std::string(name(kind))) == row["kernel"])
            shape.kind = kind;
    shape.channels = row["channels"].toInt();
    shape.ranks = row["ranks_in_mem"].toInt();
    if (shape.kind == HbmPimKernelKind::Gemv) {
        shape.out = row["out_or_len"].toLongLong();
        shape.in = row["in"].toLongLong();
        shape.batch = row["batch"].toLongLong();
    } else {
        shape.length = row["out_or_len"].toLongLong();
    }
    return shape;
}

HbmPimShape gemvShape(std::int64_t out, std::int64_t in, std::int64_t batch, int channels) {
    HbmPimShape shape;
    shape.out = out;
    shape.in = in;
    shape.batch = batch;
    shape.channels = channels;
    shape.ranks = 1;
    return shape;
}

/// The order in which a lane of a block adds up: even tiles, then odd ones; the host adds the lanes.
HalfBits gemvInOrder(const HbmPimShape& shape, const HbmPimOperands& operands, std::int64_t batch,
                     std::int64_t output) {
    HalfBits sum = 0;
    for (int lane = 0; lane < 16; ++lane) {
        HalfBits partial = 0;
        for (const int parity : {0, 1})
            for (std::int64_t tile = parity; tile < shape.inTiles(); tile += 2)
                for (int g = 0; g < 8; ++g) {
                    const std::int64_t i = tile * 128 + g * 16 + lane;
                    const bool inside = i < shape.in;
                    const HalfBits w = inside ? operands.weights(output, i) : HalfBits(0);
                    const HalfBits x = inside ? operands.x(batch, i) : HalfBits(0);
                    partial = halfAdd(halfMul(x, w), partial);
                }
        sum = halfAdd(sum, partial);
    }
    return sum;
}

} // namespace

class TestHbmPimFunctional : public QObject {
    Q_OBJECT
private slots:
    void halfRoundsToNearestEven() {
        for (int bits = 0; bits < 0x10000; ++bits) { // every value survives the way through float
            const auto half = static_cast<HalfBits>(bits);
            if ((bits & 0x7fff) <= 0x7c00)
                QCOMPARE(floatToHalf(halfToFloat(half)), half);
            else
                QVERIFY(std::isnan(halfToFloat(half)) && (floatToHalf(halfToFloat(half)) & 0x7fff) > 0x7c00);
        }
        for (int bits = 0; bits < 0x7bff; ++bits) { // halfway between neighbours goes to the even one
            const auto low = static_cast<HalfBits>(bits), high = static_cast<HalfBits>(bits + 1);
            const float middle = (halfToFloat(low) + halfToFloat(high)) / 2;
            QCOMPARE(floatToHalf(middle), bits % 2 == 0 ? low : high);
            QCOMPARE(floatToHalf(std::nextafter(middle, 0.0f)), low);
            QCOMPARE(floatToHalf(-std::nextafter(middle, 1e9f)), static_cast<HalfBits>(high | 0x8000));
        }
        QCOMPARE(floatToHalf(65519.0f), HalfBits(0x7bff));
        QCOMPARE(floatToHalf(65520.0f), HalfBits(0x7c00));
        QCOMPARE(floatToHalf(-1e30f), HalfBits(0xfc00));
        QCOMPARE(halfAdd(0x0001, 0x0001), HalfBits(0x0002));
        QCOMPARE(halfMul(0x0400, 0x3800), HalfBits(0x0200)); // into the subnormals
    }

    void resultsAreTheReferenceBits() {
        auto rows = goldenFile("functional.csv");
        QVERIFY(rows.size() > 45);
        const HbmPimOperands operands = HbmPimOperands::sample();
        int compared = 0;
        for (GoldenRow& row : rows) {
            const HbmPimShape shape = shapeOf(row);
            const auto run = runHbmPimFunctional(shape, operands);
            QVERIFY2(run, run ? "" : run.error().text().c_str());
            const QByteArray what =
                (row["kernel"] + " " + row["out_or_len"] + "x" + row["in"] + " batch " + row["batch"])
                    .toUtf8();
            const bool valid = row["result_valid"] == "1";
            QVERIFY2(shape.isResultValid() == valid, what.constData());
            const std::pair<const char*, std::int64_t> steps[] = {
                {"crf_mac", run->steps.mac},   {"crf_add", run->steps.add}, {"crf_mul", run->steps.mul},
                {"crf_fill", run->steps.fill}, {"crf_nop", run->steps.nop}, {"crf_jump", run->steps.jump}};
            for (const auto& [column, count] : steps)
                QVERIFY2(count * shape.channels == row[column].toLongLong(),
                         (what + " " + column).constData());
            QVERIFY2(run->preloadCycles == row["preload_cycles"].toLongLong(), what.constData());
            QVERIFY2(run->cyclesAfterPreload == row["pim_cycles"].toLongLong(), what.constData());
            if (!valid)
                continue;
            ++compared;
            const QString hash = QStringLiteral("%1").arg(run->fnv64, 16, 16, QChar('0'));
            QVERIFY2(hash == row["out_fnv64"], what.constData());
            QVERIFY2(std::abs(run->maxAbsError - row["max_abs_err"].toDouble()) <= 1e-5 * run->maxAbsError,
                     what.constData());
        }
        QVERIFY(compared > 30);
    }

    void completeResults_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("out");
        QTest::addColumn<int>("in");
        QTest::newRow("gemv 64x256") << "gemv_64x256.csv" << 0 << 64 << 256;
        QTest::newRow("gemv 128x512") << "gemv_128x512.csv" << 0 << 128 << 512;
        QTest::newRow("relu 2048") << "relu_2048.csv" << int(HbmPimKernelKind::Relu) << 2048 << 0;
        QTest::newRow("red 4096") << "red_4096.csv" << int(HbmPimKernelKind::Red) << 4096 << 0;
    }
    void completeResults() {
        QFETCH(QString, file);
        QFETCH(int, kind);
        QFETCH(int, out);
        QFETCH(int, in);
        HbmPimShape shape = gemvShape(out, in, 1, 1);
        shape.kind = static_cast<HbmPimKernelKind>(kind);
        shape.length = out;
        const auto run = runHbmPimFunctional(shape, HbmPimOperands::sample());
        QVERIFY(run);
        auto rows = goldenFile("golden_out/" + file);
        QCOMPARE(run->result.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            QCOMPARE(QStringLiteral("%1").arg(run->result[i], 4, 16, QChar('0')), rows[i]["fp16_hex"]);
    }

    /// One input tile, odd tiles with more output tiles, batches with more output tiles, tails: all of them
    /// are wrong in the simulator.
    void paddedLayoutIsRightForEverySize() {
        const HbmPimOperands operands = HbmPimOperands::sample();
        for (const auto& [out, in, batch, channels] : {std::tuple{64, 128, 1, 1},
                                                       {1, 1, 1, 1},
                                                       {100, 300, 1, 1},
                                                       {128, 384, 2, 1},
                                                       {200, 700, 3, 2},
                                                       {128, 512, 4, 1},
                                                       {77, 129, 2, 4},
                                                       {65, 640, 1, 1}}) {
            HbmPimShape shape = gemvShape(out, in, batch, channels);
            shape.padded = true;
            QVERIFY(shape.isResultValid());
            const auto run = runHbmPimFunctional(shape, operands);
            QVERIFY(run);
            for (std::int64_t b = 0; b < batch; ++b)
                for (std::int64_t o = 0; o < out; ++o)
                    QCOMPARE(run->result[static_cast<std::size_t>(b * out + o)],
                             gemvInOrder(shape, operands, b, o));
        }
        for (const auto kind :
             {HbmPimKernelKind::Add, HbmPimKernelKind::Mul, HbmPimKernelKind::Relu, HbmPimKernelKind::Red})
            for (const std::int64_t length : {1, 1000, 2048, 3000, 20000})
                for (const int channels : {1, 4}) {
                    HbmPimShape shape;
                    shape.kind = kind;
                    shape.length = length;
                    shape.channels = channels;
                    shape.ranks = 1;
                    shape.padded = true;
                    const auto run = runHbmPimFunctional(shape, operands);
                    QVERIFY(run);
                    QVERIFY(run->maxAbsError <= (kind == HbmPimKernelKind::Red ? 1.0 : 0.0));
                }
    }

    /// Partial results of channels are added up in FP16, where the order matters.
    void theSameBitsOnAnyNumberOfThreads() {
        for (const bool optimised : {false, true}) {
            HbmPimShape shape{.out = 100, .in = 700, .channels = 16, .padded = true, .optimised = optimised};
            std::optional<HbmPimOutcome> one;
            for (const int count : {1, 2, 64}) {
                setJobs(count);
                const HbmPimOutcome outcome = runHbmPimFunctional(shape, HbmPimOperands::sample()).value();
                if (!one)
                    one = outcome;
                QVERIFY(outcome.result == one->result);
                QCOMPARE(outcome.cost.cycles, one->cost.cycles);
                QCOMPARE(outcome.maxAbsError, one->maxAbsError);
            }
            setJobs(0);
        }
    }

    void reservedInstructionIsRefused() {
        HbmPimBlocks blocks;
        HbmPimWord program{};
        program[1] = 0x5000; // opcode 5
        HbmPimCommand load, on, read;
        load.kind = on.kind = HbmPimCommandKind::Write;
        load.mode = on.mode = HbmPimMode::AllBank;
        load.row = on.row = HbmPimGeometry::kRegisterRow;
        load.bank = 1;
        load.column = 4;
        load.data = 0;
        on.bank = on.column = 0;
        on.pimOn = true;
        read.kind = HbmPimCommandKind::Read;
        read.mode = HbmPimMode::Pim;
        read.bank = read.column = 0;
        read.row = 0;
        const auto run = blocks.run({load, on, read}, {program});
        QVERIFY(!run);
        QVERIFY(run.error().text().find("opcode 5 is reserved") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestHbmPimFunctional)
#include "tst_core_dram_hbm_pim_functional.moc"
