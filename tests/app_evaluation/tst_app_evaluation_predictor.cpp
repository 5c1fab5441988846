// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Table II: the paper's totals, what counts as found, and a row measured on the machine itself.
#include <QTest>

#include <string>

#include "app/evaluation/evaluation_report.h"
#include "app/evaluation/predictor_report.h"
#include "backends/builtin.h"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace pim;
using namespace pim::evaluation;

class TestEvaluationPredictor : public QObject {
    Q_OBJECT
private slots:
    void thePapersTotalsAreThoseItPrints() {
        const auto paper = readPaperNumbers();
        QVERIFY2(paper, paper ? "" : paper.error().text().c_str());
        const std::vector<PredictorRow> rows = predictorRows(*paper);
        QCOMPARE(rows.size(), paper->predictor.size());
        const PredictorTotals all = totalsOf(rows);
        QVERIFY(std::abs(all.paperFound - 89.28) < 0.005);
        QVERIFY(std::abs(all.paperRest - 96.25) < 0.05); // its rows are rounded
        QCOMPARE(all.sizes, std::size_t{0});
        QCOMPARE(all.found, 0.0);
    }

    void sharesAreOfSizes() {
        PredictorRow row;
        row.paperName = "AttAcc+GEMV";
        row.sizes = {{8, 128, 1000, 1000, 1000, 1200, 1},     // exact
                     {8, 256, 1000, 1000.5, 1000, 1000.5, 1}, // less than a clock away
                     {8, 384, 1000, 1250, 1010, 1000, 1},     // at 80 %, and verification does not mend it
                     {8, 512, 900, 1000, 900, 1000, 1}};      // at 90 %
        QCOMPARE(row.found(), 50.0);
        QCOMPARE(row.exact(), 25.0);
        QCOMPARE(row.verified(), 75.0);
        QCOMPARE(row.foundByPrice(), 50.0);
        QCOMPARE(row.others(), std::size_t{2});
        QCOMPARE(row.rest(), 85.0);
        QCOMPARE(row.worst(), 80.0);
        PredictorRow perfect;
        perfect.sizes = {{1, 1, 5, 5, 5, 5, 1}, {1, 2, 5, 5, 5, 5, 1}};
        QCOMPARE(perfect.rest(), 100.0);
        const PredictorTotals all = totalsOf(std::vector{row, perfect});
        QCOMPARE(all.sizes, std::size_t{6});
        QVERIFY(std::abs(all.found - 100.0 * 4 / 6) < 1e-9);
        QCOMPARE(all.rest, 85.0);
    }

    void aRowIsMeasuredAndReported() {
        const BackendList backends = builtinBackends();
        const TargetCatalog catalog = TargetCatalog::load();
        std::vector<PredictorRow> rows = predictorRows(*readPaperNumbers());
        std::erase_if(rows, [](const PredictorRow& row) { return row.paperName != "HBM-PIM+GEMV"; });
        QCOMPARE(rows.size(), std::size_t{1});
        const auto measured = measureRow(rows[0], 2, backends, catalog, 1, {});
        QVERIFY2(measured, measured ? "" : measured.error().text().c_str());
        QCOMPARE(rows[0].sizes.size(), std::size_t{2});
        QVERIFY(!rows[0].model.empty());
        for (const PredictorSize& size : rows[0].sizes) {
            QVERIFY(size.bestNs > 0 && size.bestNs <= size.verifiedNs * (1 + 1e-9));
            QVERIFY(size.verifiedNs <= size.chosenNs);
            QVERIFY2(size.bestNs > 0.9 * size.chosenNs,
                     qPrintable(QString::number(size.bestNs / size.chosenNs)));
        }

        Evaluation evaluation;
        evaluation.predictor = rows;
        const auto json = nlohmann::json::parse(evaluationJson(evaluation));
        const auto& row = json.at("table_2").at("rows").at(0);
        QCOMPARE(row.at("sizes").size(), std::size_t{2});
        QCOMPARE(row.at("sizes").at(0).at("best_ns").get<double>(), rows[0].sizes[0].bestNs);
        QVERIFY(std::abs(row.at("paper_found").get<double>() - 87.17) < 0.01);
        QVERIFY(evaluationText(evaluation).find("GEMV on HBM-PIM") != std::string::npos);
        QCOMPARE(evaluationDocument(evaluation).sections.size(), std::size_t{1});
        evaluation.predictor.clear();
        QVERIFY(!nlohmann::json::parse(evaluationJson(evaluation)).contains("table_2"));
    }

    void whatHasNoPredictorIsRefused() {
        PredictorRow row;
        row.target = "aim";
        row.family = "gemv";
        const auto measured = measureRow(row, 1, builtinBackends(), TargetCatalog::load(), 1, {});
        QVERIFY(!measured);
        QVERIFY(measured.error().code == ErrorCode::NotFound);
    }
};

QTEST_GUILESS_MAIN(TestEvaluationPredictor)
#include "tst_app_evaluation_predictor.moc"
