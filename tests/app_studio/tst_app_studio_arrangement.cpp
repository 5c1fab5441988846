// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where panels stand in windows of any size: in a small one they are tabs of one place instead of strips.
#include <QTest>
#include <string>

#include "app/studio/fitted_arrangement.h"

#include <set>

using namespace pim::studio;

class TestArrangement : public QObject {
    Q_OBJECT

    static std::multiset<std::string> panelsOf(const Arrangement& arrangement) {
        std::multiset<std::string> ids;
        for (const Arrangement::Column& column : arrangement.columns)
            for (const Arrangement::Cell& cell : column.cells)
                ids.insert(cell.tabs.begin(), cell.tabs.end());
        return ids;
    }
    static int widthOf(const Arrangement& arrangement) {
        int percent = 0;
        for (const Arrangement::Column& column : arrangement.columns)
            percent += column.percent;
        return percent;
    }

private slots:
    void smallWindowsHaveTabsInsteadOfStrips_data() {
        QTest::addColumn<int>("question");
        QTest::addColumn<int>("kind");
        for (int question = 0; question < kQuestions; ++question)
            for (const PlanKind kind : kPlanKinds)
                QTest::addRow("question %d, kind %d", question, int(kind)) << question << int(kind);
    }
    void smallWindowsHaveTabsInsteadOfStrips() {
        QFETCH(int, question);
        QFETCH(int, kind);
        const auto which = static_cast<Question>(question);
        const auto plan = static_cast<PlanKind>(kind);
        const Arrangement& all = defaultArrangement(which, plan);
        QVERIFY(all.columns.size() >= 2);
        QCOMPARE(widthOf(all), 100);
        // A wide and high window has all of it.
        const Arrangement large = fittedArrangement(which, plan, 200, 120);
        QCOMPARE(large.columns.size(), all.columns.size());
        for (std::size_t i = 0; i < all.columns.size(); ++i)
            QCOMPARE(large.columns[i].cells.size(), all.columns[i].cells.size());
        // 1280x720 with a font of 150 %.
        const Arrangement small = fittedArrangement(which, plan, 60, 34);
        QVERIFY(panelsOf(small) == panelsOf(all)); // none is lost
        QVERIFY(small.columns.size() <= 2);
        for (const Arrangement::Column& column : small.columns)
            QCOMPARE(column.cells.size(), std::size_t{1});
        QVERIFY(widthOf(small) > 95 && widthOf(small) <= 100);
    }

    void runsAndSegmentsShareOnlyAHighWindow() {
        const auto cells = [](int linesHigh) {
            return fittedArrangement(Question::WhatIf, PlanKind::Segments, 91, linesHigh)
                .columns[1]
                .cells.size();
        };
        QCOMPARE(cells(51), std::size_t{1}); // 1280x720
        QCOMPARE(cells(100), std::size_t{2});
    }
};

QTEST_MAIN(TestArrangement)
#include "tst_app_studio_arrangement.moc"
