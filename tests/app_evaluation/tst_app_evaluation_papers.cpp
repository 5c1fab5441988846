// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The evaluations of CMSwitch and PIMCOMP computed anew: every published row has one of ours, and documents, text and JSON say the same.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "app/evaluation/cmswitch_evaluation.h"
#include "app/evaluation/document_text.h"
#include "app/evaluation/pimcomp_evaluation.h"
#include "app/evaluation/published_rows.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace pim;
using namespace pim::evaluation;

class TestEvaluationPapers : public QObject {
    Q_OBJECT

    static std::size_t rowsOf(const PaperEvaluation& evaluation) {
        std::size_t rows = 0;
        for (const PaperTable& table : evaluation.tables)
            rows += table.rows.size();
        return rows;
    }
    static const PaperRow& row(const PaperEvaluation& evaluation, const std::string& place,
                               const std::string& subject) {
        for (const PaperTable& table : evaluation.tables)
            for (const PaperRow& one : table.rows)
                if (table.place == place && one.subject == subject)
                    return one;
        qFatal("no row %s %s", place.c_str(), subject.c_str());
    }

private slots:
    void cmswitch() {
        const auto evaluation = computeCmSwitch(TargetCatalog::load());
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        // All rows of the file, and figure 15a.
        QCOMPARE(rowsOf(*evaluation), publishedRows("cmswitch.csv", 7)->size() + 1);
        for (const PaperTable& table : evaluation->tables)
            for (const PaperRow& one : table.rows) {
                const Spread& ours = one.ours;
                QVERIFY2(ours.mean || (ours.low && ours.high), (table.place + one.subject).c_str());
                if (ours.low && ours.mean)
                    QVERIFY(*ours.low <= *ours.mean && *ours.mean <= *ours.high);
                if (one.what == "speed-up")
                    QVERIFY2(ours.low.value_or(*ours.mean) >= 1 - 1e-12, one.subject.c_str());
            }
        // What a prototype of CMSwitch finds, see tests/golden/cmswitch.
        for (const auto& [network, mean] : {std::pair("mobilenetv2", 1.1465), std::pair("resnet18", 1.0988),
                                            std::pair("vgg16", 1.2625), std::pair("bert-large", 1.1328)})
            QVERIFY2(std::abs(*row(*evaluation, "Figure 14", network).ours.mean - mean) < 2e-3, network);
        QCOMPARE(*row(*evaluation, "Figure 15a", "convolutions in the first two segments").ours.mean, 6.0);
        QVERIFY(*row(*evaluation, "Figure 5", "resnet50").ours.mean >
                5 * *row(*evaluation, "Figure 5", "llama2-7b").ours.mean);
    }

    void pimcomp() {
        const PimCompScope scope{{"vgg8"}, {"isaac-12"}};
        const auto evaluation = computePimComp(TargetCatalog::load(), scope);
        QVERIFY2(evaluation, evaluation ? "" : evaluation.error().text().c_str());
        const auto again = computePimComp(TargetCatalog::load(), scope);
        QCOMPARE(paperJson(*evaluation), paperJson(*again));
        for (const PaperTable& table : evaluation->tables)
            for (const PaperRow& one : table.rows) {
                const bool otherChip = one.subject.ends_with("puma-16") || one.subject.ends_with("arch-c");
                QVERIFY2(one.ours.mean.has_value() != otherChip, (table.place + one.subject).c_str());
                // A search begins with the mapping of this baseline; without a program its time is a formula.
                if (table.place == "Figure 10")
                    QVERIFY2(*one.ours.mean >= 1 - 1e-9, (table.place + one.subject).c_str());
            }
        // One case: its row is its mean.
        QCOMPARE(*row(*evaluation, "Figure 10", "songc").ours.mean,
                 *row(*evaluation, "Figure 10", "songc").ours.low);
        const auto unknown = computePimComp(TargetCatalog::load(), {{"vgg8"}, {"nowhere"}});
        QVERIFY(!unknown && unknown.error().code == ErrorCode::NotFound);
    }

    void textAndJsonSayTheSame() {
        PaperEvaluation made;
        made.paper = "a paper";
        made.headline = "Of <b>names</b>";
        made.tables.push_back({"Figure 1",
                               "Ranges",
                               {{"first", "speed-up", {1.0, {}, 2.0}, spreadOf({1.0, 4.0}), "because"},
                                {"second", "speed-up", {{}, 1.5, {}}, {}, ""}},
                               "A note."});
        const std::string text = documentText(paperDocument(made));
        for (const char* part : {"Figure 1: Ranges", "1–2", "2 (1–4)", "because", "A note."})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
        const auto json = nlohmann::json::parse(paperJson(made));
        const auto& rows = json["tables"][0]["rows"];
        QCOMPARE(rows[0]["ours"]["mean"].get<double>(), 2.0);
        QVERIFY(rows[1]["ours"]["mean"].is_null() && rows[1]["published"]["low"].is_null());
    }

    void areCancelled() {
        std::stop_source stop;
        stop.request_stop();
        const TaskContext task{stop.get_token(), {}};
        const auto first = computeCmSwitch(TargetCatalog::load(), task);
        QVERIFY(!first && first.error().code == ErrorCode::Cancelled);
        const auto second = computePimComp(TargetCatalog::load(), {}, task);
        QVERIFY(!second && second.error().code == ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestEvaluationPapers)
#include "tst_app_evaluation_papers.moc"
