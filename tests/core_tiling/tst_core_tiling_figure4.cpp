// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The worked example of the DCC paper, Fig. 4: A[12][16], B[8][16], C[12][16] on 2 groups of 4 cores, 16
/// lanes.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/kernel/parse.h"
#include "core/tiling/tiling.h"

#include <set>

using namespace pim;

class TestFigure4 : public QObject {
    Q_OBJECT

    std::shared_ptr<const TilingSpace> m_space;

    /// The drafts as the figure lists them.
    Draft listed(int number) const {
        static const char* const kDrafts[] = {
            "[[1, 1, A0=b+1], [1, 1, A1=i*2], [1, 1, B1=k]]", "[[2, 1, A0=b], [1, 1, A1=i*2], [1, 4, B1=k]]",
            "[[2, 2, A0=b], [1, 2, A1=i*2], [1, 1, B1=k]]",   "[[2, 3, A0=b], [1, 1, A1=i*2], [1, 1, B1=k]]",
            "[[2, 4, C0=b], [1, 1, A1=i*2], [1, 1, B1=k]]",   "[[2, 4, A0=b], [1, 1, A1=i*2], [1, 1, B1=k]]"};
        const auto draft = m_space->draftFromText(kDrafts[number - 1]);
        if (!draft)
            qFatal("%s", draft.error().text().c_str());
        return *draft;
    }

private slots:
    void initTestCase() {
        auto kernel = parseKernel("def PIM_kernel(A[12][16], B[8][16], C[12][16]):\n"
                                  "  for b in range(11):\n"
                                  "    for i in range(8):\n"
                                  "      for k in range(16):\n"
                                  "        A[b][i] = A[b+1][i*2] + B[i][k] * C[b][k]\n");
        QVERIFY(kernel);
        auto space = TilingSpace::create(*kernel, {.groups = 2, .coresPerGroup = 4, .simdLanes = 16});
        QVERIFY2(space, space ? "" : space.error().text().c_str());
        m_space = *space;
    }

    /// "6 tensor dimensions [A0=12, A1=16, B0=8, B1=16, C0=12, C1=16]"
    void hasSixDimensions() {
        std::vector<std::int64_t> extents;
        for (const auto& tensor : m_space->kernel().tensors)
            extents.insert(extents.end(), tensor.shape.begin(), tensor.shape.end());
        QCOMPARE(extents, (std::vector<std::int64_t>{12, 16, 8, 16, 12, 16}));
    }

    /// "3 complex dimension sets". The figure's list leaves the i of A1 out; its drawing and §IV-B.1 give {i,
    /// i*2}.
    void hasThreeDimensionSets() {
        QCOMPARE(m_space->sets().size(), 3U);
        QCOMPARE(m_space->sets()[0].text, std::string("(A0={b, b+1}, C0={b})"));
        QCOMPARE(m_space->sets()[1].text, std::string("(A1={i, i*2}, B0={i})"));
        QCOMPARE(m_space->sets()[2].text, std::string("(B1={k}, C1={k})"));
        QCOMPARE(m_space->simdSet(), 2);
        std::vector<std::string> mappings;
        for (const auto& set : m_space->sets())
            for (const auto& mapping : set.mappings)
                mappings.push_back(mapping.text);
        QCOMPARE(mappings, (std::vector<std::string>{"A0=b", "A0=b+1", "C0=b", "A1=i", "A1=i*2", "B0=i",
                                                     "B1=k", "C1=k"}));
    }

    /// 2 = pruned by rule 2, 5 = by rule 1, 6 = by rule 3; drafts 1, 3 and 4 stay.
    void prunesTheListedDrafts() {
        const PruneRule expected[] = {PruneRule::Kept, PruneRule::SimdMultiple, PruneRule::Kept,
                                      PruneRule::Kept, PruneRule::Redundant,    PruneRule::WorstCore};
        std::vector<std::pair<Draft, PruneRule>> visited;
        const auto counts = forEachDraft(*m_space, {}, [&](const Draft& draft, PruneRule rule) {
            visited.emplace_back(draft, rule);
            return true;
        });
        QVERIFY(counts);
        QVERIFY(!counts->rule2Skipped);
        for (int number = 1; number <= 6; ++number) {
            const Draft draft = listed(number);
            const auto found = std::find_if(visited.begin(), visited.end(),
                                            [&](const auto& one) { return one.first == draft; });
            QVERIFY2(found != visited.end(), qPrintable(QString("draft %1 was not enumerated").arg(number)));
            QCOMPARE(found->second, expected[number - 1]);
            QCOMPARE(explain(*m_space, {}, draft)->rule, expected[number - 1]);
        }
        // A draft that is out for a reason of its own comes back once that rule is off.
        QCOMPARE(explain(*m_space, {.rule2 = false}, listed(2))->rule, PruneRule::Kept);
        QCOMPARE(explain(*m_space, {.rule3 = false}, listed(6))->rule, PruneRule::Kept);
        QCOMPARE(explain(*m_space, {.rule1 = false, .rule3 = false}, listed(5))->rule, PruneRule::Kept);
    }

    void namesTheDraftThatStandsForAPrunedOne() {
        const auto sixth = explain(*m_space, {}, listed(6));
        QVERIFY(sixth->keptInstead.has_value());
        QCOMPARE(*sixth->keptInstead, listed(4));
        QCOMPARE(
            sixth->text,
            std::string("2 groups of 4 cores leave 2 of 12 elements of (A0={b, b+1}, C0={b}) to the busiest "
                        "core, as 2 groups of 3 cores do"));
        const auto fifth = explain(*m_space, {.rule3 = false}, listed(5));
        QCOMPARE(*fifth->keptInstead, listed(6));
        QCOMPARE(fifth->text, std::string("C0=b is the same function over the same 12 indices as A0=b"));
        const auto second = explain(*m_space, {}, listed(2));
        QCOMPARE(m_space->draftText(*second->keptInstead),
                 std::string("[[2, 1, A0=b], [1, 1, A1=i*2], [1, 1, B1=k]] expanded"));
        QCOMPARE(second->text, std::string("a core gets 4 of the 16 elements of (B1={k}, C1={k}), no "
                                           "multiple of the 16 lanes: with padding "
                                           "1 step, as with 1 group of 1 core"));
        const auto printed = explain(*m_space, {.paperRule2 = true}, listed(2));
        QVERIFY(!printed->keptInstead.has_value());
        QCOMPARE(
            printed->text,
            std::string("a core gets 4 of the 16 elements of (B1={k}, C1={k}), no multiple of the 16 lanes"));
    }

    /// Allocations: the product of the parts stays within 2 groups and 4 cores; 3 x 3 x 2 mappings.
    void enumeratesEveryAllocation() {
        std::int64_t groups = 0, cores = 0;
        for (int a = 1; a <= 4; ++a)
            for (int b = 1; b <= 4; ++b)
                for (int c = 1; c <= 4; ++c) {
                    groups += a * b * c <= 2;
                    cores += a * b * c <= 4;
                }
        std::set<std::string> texts;
        const auto counts =
            forEachDraft(*m_space, {.bothStrategies = false}, [&](const Draft& draft, PruneRule) {
                return texts.insert(m_space->draftText(draft)).second && m_space->check(draft).has_value();
            });
        QCOMPARE(counts->enumerated, groups * cores * 3 * 3 * 2);
        QCOMPARE(std::int64_t(texts.size()), counts->enumerated);
        QVERIFY(counts->memoHits > 0);
    }

    /// "tiled size A0 / (groups x cores) = 12 / (2 x 2) = 3 … G0B0 = A[0:3] … the loop range of b is {0, 1,
    /// 2}"
    void tilesDraft3() {
        const Draft draft = listed(3);
        QCOMPARE(m_space->tileLength(draft, 0), 3);
        QCOMPARE(m_space->representativeTile(draft, 0, 0, 0), (IndexRun{0, 3, 1}));
        const CoreTile tile = m_space->tile(draft, 0, 0);
        QCOMPARE(tile.loops[0], (std::pair<std::int64_t, std::int64_t>{0, 3}));
        // A1 = 16 over 1 x 2 parts: 8 indices, i in {0 … 3}, reached indices {0, 2, 4, 6}.
        QCOMPARE(m_space->tileLength(draft, 1), 8);
        QCOMPARE(tile.loops[1], (std::pair<std::int64_t, std::int64_t>{0, 4}));
        QCOMPARE(m_space->accessIndices(tile, 1, 1, IndexStrategy::ExactSet),
                 (std::vector<IndexRun>{{0, 4, 2}}));
        // The core also holds A[3], which b = 2 reads through A[b+1].
        QCOMPARE(tile.data[0][0], (std::vector<IndexRun>{{0, 4, 1}}));
        // All tiles of the first set: G0 {0-2, 3-5}, G1 {6-8, 9-11}; the last one has no b = 11.
        QCOMPARE(m_space->representativeTile(draft, 0, 1, 2), (IndexRun{9, 3, 1}));
        QCOMPARE(m_space->tile(draft, 1, 2).loops[0], (std::pair<std::int64_t, std::int64_t>{9, 11}));
        QCOMPARE(m_space->summarize(draft).groupsUsed, 2);
        QCOMPARE(m_space->summarize(draft).coresUsed, 4);
    }

    /// "the indices of A1 is expanded from {0, 2} to [0:3) … in 3.Mapping2 the index set of A1 is {0, 2}".
    /// Two indices are what 4 cores give: 16 / 4 = 4 indices, i in {0, 1}.
    void mapsIrregularIndicesBothWays() {
        const auto draft = m_space->draftFromText("[[2, 1, A0=b], [1, 4, A1=i*2], [1, 1, B1=k]] exact");
        QVERIFY2(draft, draft ? "" : draft.error().text().c_str());
        const CoreTile tile = m_space->tile(*draft, 0, 0);
        QCOMPARE(tile.loops[1], (std::pair<std::int64_t, std::int64_t>{0, 2}));
        QCOMPARE(m_space->accessIndices(tile, 1, 1, IndexStrategy::ExactSet),
                 (std::vector<IndexRun>{{0, 2, 2}}));
        QCOMPARE(m_space->accessIndices(tile, 1, 1, IndexStrategy::ExpandedRange),
                 (std::vector<IndexRun>{{0, 3, 1}}));
        // The second core: i in {2, 3}; reached by i*2 {4, 6}, by i {2, 3}.
        Draft expanded = *draft;
        expanded.strategy = IndexStrategy::ExpandedRange;
        QCOMPARE(m_space->tile(expanded, 0, 1).data[0][1], (std::vector<IndexRun>{{2, 5, 1}}));
        QCOMPARE(m_space->tile(*draft, 0, 1).data[0][1], (std::vector<IndexRun>{{2, 3, 1}, {6, 1, 1}}));
    }

    void textReadsBack() {
        for (int number = 1; number <= 6; ++number)
            for (const auto strategy : {IndexStrategy::ExpandedRange, IndexStrategy::ExactSet}) {
                Draft draft = listed(number);
                draft.strategy = strategy;
                QCOMPARE(*m_space->draftFromText(m_space->draftText(draft)), draft);
            }
        QCOMPARE(m_space->draftText(listed(3)),
                 std::string("[[2, 2, A0=b], [1, 2, A1=i*2], [1, 1, B1=k]] expanded"));
    }

    void refusesIllegalDrafts_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        QTest::newRow("groups") << "[[2, 1, A0=b], [2, 1, A1=i], [1, 1, B1=k]]"
                                << "takes 2 groups; 1 to 1 are left";
        QTest::newRow("cores") << "[[1, 3, A0=b], [1, 2, A1=i], [1, 1, B1=k]]"
                               << "takes 2 cores per group; 1 to 1 are left";
        QTest::newRow("mapping") << "[[1, 1, A0=q], [1, 1, A1=i], [1, 1, B1=k]]"
                                 << "(A0=b, A0=b+1, C0=b), found 'A0=q";
        QTest::newRow("too few") << "[[1, 1, A0=b]]"
                                 << "',' and the part of (A1={i, i*2}, B0={i})";
        QTest::newRow("number") << "[[0, 1, A0=b]]"
                                << "a number of groups";
        QTest::newRow("huge") << "[[99999999999, 1, A0=b]]"
                              << "a number of groups";
        QTest::newRow("empty") << ""
                               << "expected '[', found the end";
        QTest::newRow("tail") << "[[1, 1, A0=b], [1, 1, A1=i], [1, 1, B1=k]] twice"
                              << "'expanded', 'exact' or the end";
    }
    void refusesIllegalDrafts() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        const auto draft = m_space->draftFromText(text.toStdString());
        QVERIFY(!draft);
        QCOMPARE(draft.error().code, ErrorCode::IllegalOverride);
        QVERIFY2(draft.error().message.find(message.toStdString()) != std::string::npos,
                 draft.error().message.c_str());
        QVERIFY(m_space->check(Draft{}).error().message.find("0 parts") != std::string::npos);
    }

    void saysWhatTheOtherPartsLeave() {
        QCOMPARE(m_space->available(listed(3), 0), (std::pair{2, 2}));
        QCOMPARE(m_space->available(listed(3), 1), (std::pair{1, 2}));
        QCOMPARE(m_space->available(listed(1), 2), (std::pair{2, 4}));
    }

    /// The rule 2 of the paper is skipped if no draft can meet it, and where there are no multi-data instructions.
    void skipsRule2WhereNothingMeetsIt() {
        for (const int lanes : {1, 32}) {
            const auto space = *TilingSpace::create(m_space->kernel(),
                                                    {.groups = 2, .coresPerGroup = 4, .simdLanes = lanes});
            const auto counts =
                forEachDraft(*space, {.paperRule2 = true}, [](const Draft&, PruneRule) { return true; });
            QCOMPARE(counts->byRule[2], 0);
            QCOMPARE(counts->rule2Skipped, lanes == 32);
        }
    }
};

QTEST_GUILESS_MAIN(TestFigure4)
#include "tst_core_tiling_figure4.moc"
