// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Our own GEMV for HBM-PIM: right to the last bit for every size and controller, faster than the
/// simulator's; the strict controller keeps what the simulator leaves out.
#include <QTest>
#include <string>

#include "core/dram/hbm_pim/hbm_pim_functional.h"
#include "core/dram/hbm_pim/hbm_pim_gemv.h"

#include <random>

using namespace pim;

namespace {

HbmPimShape ourShape(std::int64_t out, std::int64_t in, std::int64_t batch, int channels, int ranks = 1) {
    HbmPimShape shape;
    shape.out = out;
    shape.in = in;
    shape.batch = batch;
    shape.channels = channels;
    shape.ranks = ranks;
    shape.optimised = true;
    return shape;
}

HbmPimTiming timingOf(bool strict) {
    HbmPimTiming timing;
    timing.strict = strict;
    return timing;
}

HalfBits product(const HbmPimShape& shape, const HbmPimOperands& operands, std::int64_t batch,
                 std::int64_t output, std::int64_t input) {
    return input < shape.in ? halfMul(operands.weights(output, input), operands.x(batch, input))
                            : HalfBits(0);
}

/// Scalars: inputs in order, a sum for each part of them; lanes: for each lane the halves of the tiles as
/// they lie in the banks, odd banks first in every other tile.
HalfBits inOrder(const HbmPimShape& shape, const HbmPimOperands& operands, std::int64_t batch,
                 std::int64_t output) {
    const HbmPimGemvPlan plan = HbmPimGemvPlan::of(shape);
    HalfBits result = 0;
    if (plan.scalars) {
        for (int part = 0; part < plan.inputParts; ++part) {
            HalfBits sum = 0;
            for (std::int64_t i = 0; i < plan.inTiles * 8; ++i)
                sum = halfAdd(product(shape, operands, batch, output, part * plan.inTiles * 8 + i), sum);
            result = halfAdd(result, sum);
        }
        return result;
    }
    const std::int64_t outTile = output / (64 * shape.channels);
    for (int lane = 0; lane < 16; ++lane) {
        HalfBits sum = 0;
        for (std::int64_t tile = 0; tile < plan.inTiles; ++tile) {
            const bool oddFirst = tile % 2 == 0;
            const bool evenHoldsLower = (outTile * plan.inTiles + tile) % 2 == 0;
            for (int half = 0; half < 2; ++half) {
                const bool odd = (half == 0) == oddFirst;
                const int firstGroup = odd == evenHoldsLower ? 4 : 0;
                for (int group = firstGroup; group < firstGroup + 4; ++group)
                    sum =
                        halfAdd(product(shape, operands, batch, output, tile * 128 + group * 16 + lane), sum);
            }
        }
        result = halfAdd(result, sum);
    }
    return result;
}

void checkBits(const HbmPimShape& shape, bool strict) {
    const HbmPimOperands operands = HbmPimOperands::sample();
    const auto run = runHbmPimFunctional(shape, operands, timingOf(strict));
    QVERIFY2(run, run ? "" : run.error().text().c_str());
    for (std::int64_t batch = 0; batch < shape.batch; ++batch)
        for (std::int64_t output = 0; output < shape.out; ++output) {
            const HalfBits seen = run->result[static_cast<std::size_t>(batch * shape.out + output)];
            const HalfBits expected = inOrder(shape, operands, batch, output);
            QVERIFY2(
                seen == expected,
                qPrintable(
                    QString("%1x%2 batch %3, %4 channels, strict %5: output %6 of vector %7 is %8, not %9")
                        .arg(shape.out)
                        .arg(shape.in)
                        .arg(shape.batch)
                        .arg(shape.channels)
                        .arg(strict)
                        .arg(output)
                        .arg(batch)
                        .arg(halfToFloat(seen))
                        .arg(halfToFloat(expected))));
        }
}

} // namespace

class TestHbmPimOptimised : public QObject {
    Q_OBJECT
private slots:
    void everySizeIsRight() {
        for (const bool strict : {false, true}) {
            for (const auto& [out, in, batch, channels] : {std::tuple{1, 1, 1, 1},
                                                           {64, 128, 1, 1},
                                                           {64, 129, 1, 1},
                                                           {65, 640, 2, 1},
                                                           {100, 300, 3, 1},
                                                           {512, 512, 1, 1},
                                                           {1024, 1024, 1, 1},
                                                           {1031, 1009, 2, 1},
                                                           {1000, 1000, 1, 4},
                                                           {2048, 96, 2, 2},
                                                           {4096, 7, 1, 2},
                                                           {77, 2000, 1, 4}})
                checkBits(ourShape(out, in, batch, channels), strict);
            std::mt19937 random(7);
            for (int n = 0; n < 20; ++n) {
                const auto upTo = [&](int most) { return std::int64_t(random() % unsigned(most)) + 1; };
                checkBits(ourShape(upTo(1500), upTo(700), upTo(3), 1 << random() % 4), strict);
            }
        }
    }

    /// Refreshes close rows at any point of the stream; commands must keep their order all the same.
    void refreshAnywhereDoesNoHarm() {
        const HbmPimOperands operands = HbmPimOperands::sample();
        for (const HbmPimShape& shape : {ourShape(64, 700, 1, 1), ourShape(1024, 40, 1, 1)}) {
            const auto reference = runHbmPimFunctional(shape, operands);
            QVERIFY(reference);
            for (const bool strict : {false, true})
                for (int interval = 700; interval < 900; interval += 3) {
                    HbmPimTiming timing = timingOf(strict);
                    QVERIFY(setHbmPimTiming(timing, "tREFI", interval));
                    const auto run = runHbmPimFunctional(shape, operands, timing);
                    QVERIFY(run);
                    QCOMPARE(run->fnv64, reference->fnv64);
                }
        }
    }

    /// The simulator's kernel takes 364.5 clocks per tile on average and 341 for an even one. Without refresh;
    /// register writes, results and what the strict controller adds to entering and leaving PIM mode are in
    /// it.
    void tilesAreFast() {
        for (const auto& [out, in, channels, limit, strictLimit] : {std::tuple{64, 4096, 1, 325.0, 360.0},
                                                                    {1024, 1024, 1, 300.0, 341.0},
                                                                    {4096, 4096, 64, 300.0, 345.0},
                                                                    {4096, 11008, 64, 300.0, 345.0}})
            for (const bool strict : {false, true}) {
                const HbmPimShape shape = ourShape(out, in, 1, channels);
                HbmPimTiming timing = timingOf(strict);
                QVERIFY(setHbmPimTiming(timing, "tREFI", 1'000'000));
                const auto cost = runHbmPimKernel(shape, timing);
                QVERIFY(cost);
                const double each = double(cost->cycles - 331) / double(shape.tiles());
                QVERIFY2(each <= (strict ? strictLimit : limit),
                         qPrintable(QString("%1x%2 strict %3: %4").arg(out).arg(in).arg(strict).arg(each)));
            }
        QCOMPARE(runHbmPimKernel(ourShape(4096, 4096, 1, 64, 2))->cycles,
                 10917); // 13166 by the simulator's kernel
    }

    void neverSlowerThanTheSimulators() {
        for (const bool strict : {false, true})
            for (const auto& [out, in, batch, channels] : {std::tuple{64, 256, 1, 1},
                                                           {64, 1024, 1, 1},
                                                           {128, 128, 4, 1},
                                                           {1024, 1024, 1, 1},
                                                           {1024, 1024, 1, 64},
                                                           {4096, 4096, 1, 16},
                                                           {11008, 4096, 1, 64}}) {
                HbmPimShape shape = ourShape(out, in, batch, channels);
                const auto ours = runHbmPimKernel(shape, timingOf(strict));
                shape.optimised = false;
                shape.padded = true;
                const auto theirs = runHbmPimKernel(shape, timingOf(strict));
                QVERIFY(ours && theirs);
                QVERIFY2(ours->cycles < theirs->cycles, qPrintable(QString("%1x%2").arg(out).arg(in)));
            }
    }

    void strictKeepsTheWindowAndThePrecharge() {
        for (const bool optimised : {false, true}) {
            HbmPimShape shape = ourShape(512, 2048, 1, 1);
            shape.optimised = optimised;
            std::vector<HbmPimCommand> log;
            const HbmPimTiming timing = timingOf(true);
            QVERIFY(runHbmPimKernel(shape, timing, &log));
            std::vector<std::int64_t> opened; // clocks at which one bank each begins to open
            std::int64_t closed = -1'000'000;
            int refreshes = 0;
            for (const HbmPimCommand& command : log) {
                if (command.kind == HbmPimCommandKind::Precharge)
                    closed = command.cycle;
                if (command.kind == HbmPimCommandKind::Refresh) {
                    ++refreshes;
                    QVERIFY(command.cycle >= closed + timing.tRP);
                }
                if (command.kind != HbmPimCommandKind::Activate)
                    continue;
                const int banks = command.mode == HbmPimMode::SingleBank ? 1 : HbmPimGeometry::kBlocks;
                for (int n = 0; n < banks; ++n)
                    opened.push_back(command.cycle + n / 4 * timing.tXAW);
            }
            QVERIFY(refreshes > 2);
            for (std::size_t i = 4; i < opened.size(); ++i)
                QVERIFY(opened[i] - opened[i - 4] >= timing.tXAW);
        }
    }

    void strictIsNotFaster() {
        for (const auto kind : {HbmPimKernelKind::Gemv, HbmPimKernelKind::Add, HbmPimKernelKind::Red}) {
            HbmPimShape shape = ourShape(512, 1024, 1, 1);
            shape.optimised = false;
            shape.kind = kind;
            shape.length = 20480;
            const auto compat = runHbmPimKernel(shape, timingOf(false)),
                       strict = runHbmPimKernel(shape, timingOf(true));
            QVERIFY(compat && strict);
            QVERIFY(strict->cycles > compat->cycles);
        }
    }
};

QTEST_GUILESS_MAIN(TestHbmPimOptimised)
#include "tst_core_dram_hbm_pim_optimised.moc"
