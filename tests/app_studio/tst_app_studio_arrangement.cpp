// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Where panels stand in windows of any size: in a small one they are tabs of one place instead of strips.
#include <QTest>
#include <string>

#include "app/studio/arrangement.h"
#include "app/studio/families.h"

#include <set>

using namespace pim::studio;
using pim::views::FamilyPanels;
using pim::views::PanelCell;

class TestArrangement : public QObject {
    Q_OBJECT

    static std::multiset<std::string> panelsOf(const Arrangement& arrangement) {
        std::multiset<std::string> ids;
        for (const Arrangement::Column& column : arrangement.columns)
            for (const PanelCell& cell : column.cells)
                ids.insert(cell.tabs.begin(), cell.tabs.end());
        return ids;
    }
    static int widthOf(const Arrangement& arrangement) {
        int percent = 0;
        for (const Arrangement::Column& column : arrangement.columns)
            percent += column.percent;
        return percent;
    }

    static constexpr int kEnough = 1 << 20; ///< Lines of a window that has room for everything.

    const pim::views::FamilyList m_families = families();

private slots:
    void smallWindowsHaveTabsInsteadOfStrips_data() {
        QTest::addColumn<int>("question");
        QTest::addColumn<QString>("backend");
        for (int question = 0; question < kQuestions; ++question) {
            QTest::addRow("question %d, plain", question) << question << QString();
            for (const FamilyPanels& family : m_families.all())
                for (const std::string& backend : family.backends)
                    QTest::addRow("question %d, %s", question, backend.c_str())
                        << question << QString::fromStdString(backend);
        }
    }
    void smallWindowsHaveTabsInsteadOfStrips() {
        QFETCH(int, question);
        QFETCH(QString, backend);
        const auto& columns =
            m_families.of(backend.toStdString()).columns.at(static_cast<Question>(question));
        const Arrangement all = fittedArrangement(columns, kEnough, kEnough);
        QVERIFY(all.columns.size() >= 2);
        QCOMPARE(widthOf(all), 100);
        // A wide and high window has all of it.
        const Arrangement large = fittedArrangement(columns, 200, 120);
        QCOMPARE(large.columns.size(), all.columns.size());
        for (std::size_t i = 0; i < all.columns.size(); ++i)
            QCOMPARE(large.columns[i].cells.size(), all.columns[i].cells.size());
        // 1280x720 with fonts of 150 %.
        for (const auto& [wide, high] : {std::pair(60, 34), std::pair(50, 30)}) {
            const Arrangement small = fittedArrangement(columns, wide, high);
            QVERIFY(panelsOf(small) == panelsOf(all)); // none is lost
            QVERIFY(small.columns.size() <= 2);
            for (const Arrangement::Column& column : small.columns)
                QCOMPARE(column.cells.size(), std::size_t{1});
            QVERIFY(widthOf(small) > 95 && widthOf(small) <= 100);
        }
    }

    void runsAndSegmentsShareOnlyAHighWindow() {
        const auto cells = [&](int linesHigh) {
            return fittedArrangement(m_families.of("dual_mode").columns.at(Question::WhatIf), 91, linesHigh)
                .columns[1]
                .cells.size();
        };
        QCOMPARE(cells(51), std::size_t{1}); // 1280x720
        QCOMPARE(cells(100), std::size_t{2});
    }

    /// Layouts of people are stored under these names.
    void layoutsKeepTheirNames() {
        QCOMPARE(m_families.of("attacc").layoutKey, QString());
        QCOMPARE(m_families.of("aim").layoutKey, QString());
        QCOMPARE(m_families.of("hbm_pim").layoutKey, QString());
        QCOMPARE(m_families.of("dual_mode").layoutKey, QStringLiteral("-segments"));
        QCOMPARE(m_families.of("crossbar").layoutKey, QStringLiteral("-chips"));
    }
};

QTEST_MAIN(TestArrangement)
#include "tst_app_studio_arrangement.moc"
