// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// CINM's evaluation: every program computes what plain loops do, published counters are met, and what is gained is no less.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "app/evaluation/cinm_evaluation.h"
#include "app/evaluation/document_text.h"

#include <nlohmann/json.hpp>

using namespace pim;
using namespace pim::evaluation;

class TestCinmEvaluation : public QObject {
    Q_OBJECT
private slots:
    void meetsWhatWasPublished() {
        const auto evaluation = computeCinm(TargetCatalog::load(), {});
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        QCOMPARE(evaluation->programs.size(), std::size_t{15});
        for (const CinmProgramRow& row : evaluation->programs) {
            QVERIFY2(row.wrongLevels == 0 && row.levels >= 6, (row.benchmark + " " + row.firstWrong).c_str());
            QVERIFY2(row.leastWrites <= row.usualWrites, row.benchmark.c_str());
        }
        QCOMPARE(evaluation->counters.size(), std::size_t{80});
        int exact = 0;
        for (const TileCounterRow& row : evaluation->counters) {
            exact += row.isExact() ? 1 : 0;
            const auto off = std::abs(double(row.written) / double(row.publishedWritten) - 1);
            QVERIFY2(off < 0.05, (row.benchmark + " " + row.configuration).c_str());
        }
        QCOMPARE(exact, 65);
        QCOMPARE(evaluation->times.size(), std::size_t{45});
        for (const CinmTimeRow& row : evaluation->times)
            QVERIFY2(row.oursMs && row.note.empty(),
                     (row.benchmark + " " + row.note).c_str()); // all have kernels
        const auto json = nlohmann::json::parse(cinmJson(*evaluation));
        for (const auto& gain : json["means"]["even_over_searched"])
            QVERIFY2(gain.get<double>() >= 1.41, qPrintable(QString::number(gain.get<double>())));
        QVERIFY(json["means"]["fewer_tile_writes"].get<double>() > 7);
        const std::string text = documentText(cinmDocument(*evaluation));
        QVERIFY(text.find("15 of 15 programs compute what plain loops do") != std::string::npos);
    }

    void isCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const auto evaluation = computeCinm(TargetCatalog::load(), {stop.get_token(), {}});
        QVERIFY(!evaluation && evaluation.error().code == ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestCinmEvaluation)
#include "tst_app_evaluation_cinm.moc"
