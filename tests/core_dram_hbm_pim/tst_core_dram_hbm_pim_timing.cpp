// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Clocks, counts and command logs of HBM-PIM kernels equal those of Samsung's public simulator; what cannot
/// run is refused with the reason.
#include <QTest>
#include <string>

#include "core/dram/hbm_pim/hbm_pim_run.h"
#include "tests/core_dram_hbm_pim/golden.h"

#include <QDir>

using namespace pim;
using namespace pim::test;

namespace {

HbmPimKernelKind kindOf(const QString& text) {
    for (const auto kind : {HbmPimKernelKind::Gemv, HbmPimKernelKind::Add, HbmPimKernelKind::Mul,
                            HbmPimKernelKind::Relu, HbmPimKernelKind::Red})
        if (QString::fromStdString(std::string(name(kind))) == text)
            return kind;
    return HbmPimKernelKind::Gemv;
}

HbmPimShape gemvShape(std::int64_t out, std::int64_t in, std::int64_t batch, int channels, int ranks) {
    HbmPimShape shape;
    shape.out = out;
    shape.in = in;
    shape.batch = batch;
    shape.channels = channels;
    shape.ranks = ranks;
    return shape;
}

HbmPimShape vectorShape(HbmPimKernelKind kind, std::int64_t length, int channels, int ranks) {
    HbmPimShape shape;
    shape.kind = kind;
    shape.length = length;
    shape.channels = channels;
    shape.ranks = ranks;
    return shape;
}

HbmPimShape shapeOf(GoldenRow& row) {
    const HbmPimKernelKind kind = kindOf(row["kernel"]);
    const int channels = row.count("channels") ? row["channels"].toInt() : 1;
    const int ranks = row.count("ranks_in_mem") ? row["ranks_in_mem"].toInt() : 1;
    if (kind != HbmPimKernelKind::Gemv)
        return vectorShape(kind, row["out_or_len"].toLongLong(), channels, ranks);
    const std::int64_t batch = row.count("batch") ? row["batch"].toLongLong() : 1;
    return gemvShape(row["out_or_len"].toLongLong(), row["in"].toLongLong(), batch, channels, ranks);
}

QString say(GoldenRow& row, const char* column, std::int64_t seen) {
    return QStringLiteral("%1 %2x%3 batch %4 on %5 channels: %6 is %7, expected %8")
        .arg(row["kernel"], row["out_or_len"], row["in"], row["batch"], row["channels"], QString(column))
        .arg(seen)
        .arg(row[column]);
}

} // namespace

class TestHbmPimTiming : public QObject {
    Q_OBJECT
private slots:
    void kernelsTakeTheReferenceCycles() {
        auto rows = goldenFile("pim_kernels.csv");
        QVERIFY(rows.size() > 200);
        using Kind = HbmPimCommandKind;
        for (GoldenRow& row : rows) {
            const HbmPimShape shape = shapeOf(row);
            const auto pimRun = runHbmPimKernel(shape);
            QVERIFY2(pimRun, pimRun ? "" : pimRun.error().text().c_str());
            const auto plain = runHbmPimBaseline(shape);
            QVERIFY2(plain, plain ? "" : plain.error().text().c_str());
            const auto same = [&](const char* column, std::int64_t seen) {
                const bool equal = seen == row[column].toLongLong();
                if (!equal)
                    qWarning("%s", qPrintable(say(row, column, seen)));
                return equal;
            };
            QVERIFY(same("pim_cycles", pimRun->cycles));
            QVERIFY(same("nonpim_cycles", plain->cycles));
            const HbmPimCounts& counts = pimRun->counts;
            const auto of = [&](HbmPimMode mode, Kind kind) {
                return counts.byMode[static_cast<std::size_t>(mode)][static_cast<std::size_t>(kind)];
            };
            const char* modes[] = {"sb", "hab", "habpim"};
            const char* kinds[] = {"act", "pre", "rd", "wr"};
            for (int mode = 0; mode < 3; ++mode)
                for (int kind = 0; kind < 4; ++kind)
                    QVERIFY(same((std::string(modes[mode]) + "_" + kinds[kind]).c_str(),
                                 of(static_cast<HbmPimMode>(mode), static_cast<Kind>(kind))));
            QVERIFY(same("pim_ref", counts.of(Kind::Refresh)));
            QVERIFY(same("rd_exec_crf", counts.readSteps));
            QVERIFY(same("wr_exec_crf", counts.writeSteps));
            QVERIFY(same("wr_grf", counts.grfWrites));
            QVERIFY(same("wr_crf", counts.crfWrites));
            QVERIFY(same("wr_mode", counts.modeWrites));
            QVERIFY(same("wr_hab_total", counts.allBankWrites));
            QVERIFY(same("nonpim_act", plain->counts.of(Kind::Activate)));
            QVERIFY(same("nonpim_pre", plain->counts.of(Kind::Precharge)));
            QVERIFY(same("nonpim_rd", plain->counts.of(Kind::Read)));
            QVERIFY(same("nonpim_wr", plain->counts.of(Kind::Write)));
            QVERIFY(same("nonpim_ref", plain->counts.of(Kind::Refresh)));
            QCOMPARE(shape.isResultValid(), row["result_valid"] == "1");
        }
    }

    void everyTimingParameterCounts() {
        auto rows = goldenFile("timing_sensitivity.csv");
        QVERIFY(rows.size() > 80);
        for (GoldenRow& row : rows) {
            HbmPimTiming timing;
            const auto set = setHbmPimTiming(timing, row["param"].toStdString(), row["value"].toLongLong());
            QVERIFY2(set, set ? "" : set.error().text().c_str());
            const HbmPimShape shape = shapeOf(row);
            const QByteArray what = (row["kernel"] + " " + row["param"] + " " + row["value"]).toUtf8();
            const auto pimRun = runHbmPimKernel(shape, timing);
            QVERIFY2(pimRun && pimRun->cycles == row["pim_cycles"].toLongLong(), what.constData());
            const auto plain = runHbmPimBaseline(shape, timing);
            QVERIFY2(plain && plain->cycles == row["nonpim_cycles"].toLongLong(), what.constData());
        }
    }

    void commandsAreThoseOfTheTraces_data() {
        QTest::addColumn<QString>("file");
        for (const QString& file : QDir(goldenPath("traces")).entryList({"*.csv.gz"}, QDir::Files))
            QTest::newRow(qPrintable(file)) << file;
    }
    void commandsAreThoseOfTheTraces() {
        QFETCH(QString, file);
        // [nonpim_]KERNEL_SIZE_CHANNELSch[_RANKSrank_ch0].csv.gz
        QStringList parts = QString(file).remove(".csv.gz").split('_');
        const bool plain = parts.first() == "nonpim";
        if (plain)
            parts.removeFirst();
        const HbmPimKernelKind kind = kindOf(parts[0]);
        const int channels = QString(parts[2]).remove("ch").toInt();
        const int ranks = parts.size() > 3 ? QString(parts[3]).remove("rank").toInt() : 1;
        const QStringList size = parts[1].split('x');
        const HbmPimShape shape =
            kind == HbmPimKernelKind::Gemv
                ? gemvShape(size[0].toLongLong(), size[1].toLongLong(), 1, channels, ranks)
                : vectorShape(kind, size[0].toLongLong(), channels, ranks);
        auto rows = goldenGzip("traces/" + file);
        QVERIFY(!rows.empty());
        std::vector<HbmPimCommand> log;
        const auto run =
            plain ? runHbmPimBaseline(shape, {}, &log) : runHbmPimKernel(shape, HbmPimTiming(), &log);
        QVERIFY2(run, run ? "" : run.error().text().c_str());
        const auto seen = goldenRows(QByteArray::fromStdString(hbmPimLogCsv(log)));
        QCOMPARE(seen.size(), rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            GoldenRow expected = rows[i];
            expected.erase("crf");
            if (seen[i] != expected)
                for (const auto& [column, value] : expected)
                    QVERIFY2(seen[i].at(column) == value,
                             qPrintable(QStringLiteral("line %1, %2: %3, expected %4")
                                            .arg(i + 2)
                                            .arg(QString::fromStdString(column), seen[i].at(column), value)));
        }
    }

    /// 331 clocks once, then 341 for an even and 388 for an odd tile of inputs, 78 for a result.
    void gemvWithoutRefreshIsTheClosedForm() {
        HbmPimTiming timing;
        QVERIFY(setHbmPimTiming(timing, "tREFI", 1000000));
        for (const std::int64_t in : {128, 256, 640, 1920})
            for (const std::int64_t out : {64, 192})
                for (const std::int64_t batch : {1, 3}) {
                    const HbmPimShape shape = gemvShape(out, in, batch, 1, 1);
                    const std::int64_t tiles = shape.inTiles();
                    const auto run = runHbmPimKernel(shape, timing);
                    QVERIFY(run);
                    QCOMPARE(run->cycles, 331 + shape.outTiles() * batch *
                                                    (341 * ((tiles + 1) / 2) + 388 * (tiles / 2) + 78));
                }
    }

    void refusesWhatCannotRun_data() {
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<qint64>("out");
        QTest::addColumn<qint64>("in");
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* label, const char* kernel, qint64 out, qint64 in, qint64 batch,
                            int channels, int ranks, const char* reason) {
            QTest::newRow(label) << QString(kernel) << out << in << batch << channels << ranks
                                 << QString(reason);
        };
        row("no outputs", "gemv", 0, 128, 1, 64, 2, "0 outputs");
        row("negative inputs", "gemv", 128, -5, 1, 64, 2, "-5 inputs");
        row("no batch", "gemv", 128, 128, 0, 64, 2, "batch 0");
        row("odd channels", "gemv", 128, 128, 1, 48, 2, "48 channels");
        row("no channels", "add", 2048, 0, 1, 0, 1, "0 channels");
        row("ranks", "add", 2048, 0, 1, 1, 3, "3 ranks");
        row("matrix too large", "gemv", 11008, 4096, 1, 1, 1, "bursts of each bank");
        row("matrix absurd", "gemv", qint64(1) << 40, qint64(1) << 40, 1, 1, 1, "far more");
        row("vector too long", "add", 2048 * 513, 0, 1, 1, 1, "513 rounds");
        row("batch too long", "gemv", 2048, 2048, 10000, 1, 1, "bursts per channel");
        row("no elements", "relu", 0, 0, 1, 1, 1, "0 elements");
    }
    void refusesWhatCannotRun() {
        QFETCH(QString, kernel);
        QFETCH(qint64, out);
        QFETCH(qint64, in);
        QFETCH(qint64, batch);
        QFETCH(int, channels);
        QFETCH(int, ranks);
        QFETCH(QString, reason);
        HbmPimShape shape = gemvShape(out, in, batch, channels, ranks);
        shape.kind = kindOf(kernel);
        shape.length = out;
        for (const auto& run : {runHbmPimKernel(shape), runHbmPimBaseline(shape)}) {
            QVERIFY(!run);
            QCOMPARE(run.error().code, ErrorCode::Usage);
            QVERIFY2(run.error().text().find(reason.toStdString()) != std::string::npos,
                     run.error().text().c_str());
        }
    }

    void refusesTimingThatMeansNothing() {
        HbmPimTiming timing;
        QVERIFY(!setHbmPimTiming(timing, "tFOO", 3));
        QVERIFY(!setHbmPimTiming(timing, "tCCDL", 0));
        QVERIFY(!setHbmPimTiming(timing, "tREFI", 100));
        QVERIFY(!setHbmPimTiming(timing, "BL", 8));
        QVERIFY(!setHbmPimTiming(timing, "WL", 40));
        QCOMPARE(timing.tREFI, 3900);
        QCOMPARE(timing.WL, 8);
    }

    void stops() {
        std::stop_source source;
        source.request_stop();
        TaskContext task;
        task.stop = source.get_token();
        const auto run = runHbmPimKernel(gemvShape(2048, 2048, 1, 1, 1), {}, nullptr, task);
        QVERIFY(!run);
        QCOMPARE(run.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestHbmPimTiming)
#include "tst_core_dram_hbm_pim_timing.moc"
