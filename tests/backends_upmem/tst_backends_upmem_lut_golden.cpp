// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// LUT layers against PIM-DL: what its tuner chooses, as shipped and as mended, what its cost model says of given mappings, and
/// what was measured.
#include "backends/upmem/lut/calibration.h"
#include "backends/upmem/lut/tuner.h"
#include "tests/support/golden_csv.h"

#include <QTest>

#include <cmath>

using namespace pim;
using namespace pim::upmem;
using pim::test::GoldenRow;

namespace {

LutLayer layerOf(const GoldenRow& row) {
    return {row["N"].toLongLong(), row["CB"].toLongLong(), row["CT"].toLongLong(),
            row["F"].toLongLong(), row["pe"].toLongLong(), row["tasklets"].toLongLong()};
}

LutMapping mappingOf(const GoldenRow& row) {
    return {{row["n_stile"].toLongLong(), row["f_stile"].toLongLong()},
            {lutLoopOrderNamed(row["loop_order"].toStdString()).value(),
             lutLoadNamed(row["load_type"].toStdString()).value(), row["n_mtile"].toLongLong(),
             row["f_mtile"].toLongLong(), row["cb_mtile"].toLongLong(), row["f_load"].toLongLong(),
             row["cb_load"].toLongLong()}};
}

bool close(double ours, const QString& golden) {
    const double theirs = golden.toDouble();
    return std::abs(ours - theirs) <= 1e-6 * std::abs(theirs);
}

/// The columns whose times differ from \p times.
QStringList differences(const LutTimes& times, const GoldenRow& row) {
    const std::pair<const char*, double> columns[] = {
        {"t_index_s", times.sendIndex},    {"t_lut_s", times.sendTable},  {"t_out_s", times.fetchOutput},
        {"t_sublut_s", times.transfers()}, {"k_compute_s", times.reduce}, {"k_index_s", times.loadIndex},
        {"k_out_s", times.moveOutput},     {"k_lut_s", times.loadTable},  {"t_kernel_s", times.kernel()},
        {"t_total_s", times.total()}};
    QStringList different;
    for (const auto& [name, ours] : columns)
        if (!close(ours, row[name]))
            different += QStringLiteral("%1: %2, not %3").arg(name).arg(ours).arg(row[name]);
    return different;
}

/// The linear layers of a network as the artifact maps them.
QString configOf(const QString& model, int subVector) {
    if (model == "bert-large" && subVector == 2)
        return QStringLiteral("sensitivity-analysis/configs/bert-large/sub-vector-length/v2.yaml");
    return QStringLiteral("end-to-end/configs/%1/v%2-ct16.yaml").arg(model).arg(subVector);
}

struct LayerTotals {
    QString name;
    LutMeasurement measurement;
};

double measured(const std::vector<GoldenRow>& rows, const char* quantity, const QString& model,
                const QString& x) {
    for (const GoldenRow& row : rows)
        if (row["quantity"] == quantity && row["model"] == model && row["x"] == x)
            return row["value"].toDouble();
    return 0;
}

/// LUT totals of a transformer layer: latency less what is not look-up, which does not depend on the sub-vectors.
std::vector<LayerTotals> lutTotals() {
    const auto mappings = pim::test::goldenRows("upmem/pimdl_ae_configs_predicted.csv");
    const auto reference = pim::test::goldenRows("upmem/pimdl_measured_ref.csv");
    std::vector<LayerTotals> totals;
    for (const char* model : {"bert-base", "bert-large", "vit-huge"}) {
        const double latency4 = measured(reference, "fig10_latency_s_per_layer", model, "pimdl-v4-ct16");
        const double notLut = latency4 * (1 - measured(reference, "fig11a_fraction_v4ct16", model, "LUT"));
        for (const int subVector : {2, 4}) {
            LayerTotals& total = totals.emplace_back();
            total.name = QStringLiteral("%1, V = %2").arg(model).arg(subVector);
            total.measurement.measured = measured(reference, "fig10_latency_s_per_layer", model,
                                                  QStringLiteral("pimdl-v%1-ct16").arg(subVector)) -
                                         notLut;
            for (const GoldenRow& row : mappings) {
                if (row["config"] != configOf(model, subVector))
                    continue;
                const LutTimes times =
                    calibrated(lutTimes(layerOf(row), mappingOf(row)), row["tasklets"].toLongLong(), {});
                total.measurement.transfers += times.transfers();
                total.measurement.kernel += times.kernel();
            }
        }
    }
    return totals;
}

double errorOf(const LutMeasurement& one, const LutCalibration& calibration) {
    return (one.transfers * calibration.transfers + one.kernel * calibration.kernel) / one.measured - 1;
}

} // namespace

class TestLutGolden : public QObject {
    Q_OBJECT
private slots:
    void tunerChoosesWhatTheGoldenOneChooses() {
        const auto rows = pim::test::goldenRows("upmem/pimdl_tuner_golden.csv");
        QCOMPARE(rows.size(), 72U);
        int of[3] = {};
        for (const GoldenRow& row : rows) {
            const auto reading = lutReadingNamed(row["variant"].toStdString());
            QVERIFY(reading);
            const auto tuning = tune(layerOf(row), *reading);
            QVERIFY(tuning && tuning->mapping);
            const QString where = row["model"] + ' ' + row["V"] + ' ' + row["layer"] + ' ' + row["variant"];
            QVERIFY2(*tuning->mapping == mappingOf(row), qPrintable(where));
            const QStringList different = differences(tuning->times, row);
            QVERIFY2(different.isEmpty(), qPrintable(where + ": " + different.join("; ")));
            ++of[static_cast<int>(*reading)];
        }
        QCOMPARE(of[0], 24);
        QCOMPARE(of[1], 24);
        QCOMPARE(of[2], 24);
    }

    void costModelSaysWhatTheirsSays_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::addColumn<int>("neverMeasured");
        QTest::addColumn<int>("illegal");
        QTest::newRow("configurations") << "upmem/pimdl_ae_configs_predicted.csv" << 176 << 26 << 9;
        QTest::newRow("space") << "upmem/pimdl_space_predicted.csv" << 67 << 0 << 0;
    }
    void costModelSaysWhatTheirsSays() {
        QFETCH(QString, file);
        const auto rows = pim::test::goldenRows(file);
        QTEST(int(rows.size()), "rows");
        int neverMeasured = 0, illegal = 0;
        for (const GoldenRow& row : rows) {
            const LutLayer layer = layerOf(row);
            const LutMapping mapping = mappingOf(row);
            const LutPrediction strict = predict(layer, mapping, LutReading::Strict);
            const LutPrediction released = predict(layer, mapping, LutReading::Released);
            QVERIFY(released.times);
            const QStringList different = differences(*released.times, row);
            QVERIFY2(different.isEmpty(), qPrintable(row["config"] + ": " + different.join("; ")));

            const bool isMeasured = row["k_compute_s"].toDouble() > 0;
            QCOMPARE(strict.times.has_value(), isMeasured);
            QVERIFY(isMeasured || strict.refusal);
            neverMeasured += !isMeasured;
            if (!isMeasured || !strict.refusal)
                continue;
            // Mappings made by hand, past the tuner's own rules: 16384 B of table over 11 tasklets, f_load 16 of f_mtile 40.
            const bool uneven = strict.refusal->rule == LutRule::TablePiece && layer.tasklets == 11;
            QVERIFY(uneven || strict.refusal->rule == LutRule::FeatureLoad);
            ++illegal;
        }
        QTEST(neverMeasured, "neverMeasured");
        QTEST(illegal, "illegal");
    }

    void calibrationIsWhatTheMeasurementsGive() {
        const auto totals = lutTotals();
        QCOMPARE(totals.size(), 6U);
        std::vector<LutMeasurement> measurements;
        for (const LayerTotals& total : totals)
            measurements.push_back(total.measurement);
        const auto fitted = fitCalibration(measurements);
        QVERIFY(fitted);
        QVERIFY2(
            std::abs(fitted->transfers - kMeasuredLut.transfers) < 5e-4 &&
                std::abs(fitted->kernel - kMeasuredLut.kernel) < 5e-4,
            qPrintable(
                QStringLiteral("%1 %2").arg(fitted->transfers, 0, 'g', 8).arg(fitted->kernel, 0, 'g', 8)));
        for (const LayerTotals& total : totals) {
            const double error = errorOf(total.measurement, kMeasuredLut);
            qInfo("%s: measured %.3f s, %+.1f %%, uncalibrated %+.1f %%", qPrintable(total.name),
                  total.measurement.measured, 100 * error, 100 * errorOf(total.measurement, {}));
            QVERIFY2(std::abs(error) < 0.2, qPrintable(total.name));
        }
    }

    /// Each measurement from a fit to the other five: the factors hold for what they were not fitted to.
    void calibrationHoldsForWhatItHasNotSeen() {
        const auto totals = lutTotals();
        for (std::size_t left = 0; left < totals.size(); ++left) {
            std::vector<LutMeasurement> others;
            for (std::size_t i = 0; i < totals.size(); ++i)
                if (i != left)
                    others.push_back(totals[i].measurement);
            const auto fitted = fitCalibration(others);
            QVERIFY(fitted);
            const double error = errorOf(totals[left].measurement, *fitted);
            QVERIFY2(std::abs(error) < 0.2,
                     qPrintable(QStringLiteral("%1: %2 %").arg(totals[left].name).arg(100 * error)));
        }
    }

    void calibrationNeedsDifferentMeasurements() {
        QVERIFY(!fitCalibration({}));
        const LutMeasurement one{1, 2, 4};
        QVERIFY(!fitCalibration(std::vector{one, one}));
        QVERIFY(!fitCalibration(std::vector{one, LutMeasurement{1, 1, 0}}));
        const auto exact = fitCalibration(std::vector{LutMeasurement{1, 2, 8}, LutMeasurement{2, 1, 7}});
        QVERIFY(exact);
        QVERIFY(std::abs(exact->transfers - 2) < 1e-12 && std::abs(exact->kernel - 3) < 1e-12);
    }
};

QTEST_GUILESS_MAIN(TestLutGolden)
#include "tst_backends_upmem_lut_golden.moc"
