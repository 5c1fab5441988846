// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The table of best drafts: what it answers is what the search would find, to the bit, and it answers
/// nothing else.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "core/compile/compiler.h"
#include "core/drafts/draft_table.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/plan/code_version.h"
#include "core/plan/draft_facet.h"
#include "tests/backends/kernels.h"

#include <QTemporaryDir>

using namespace pim;
using namespace pim::test;

namespace {

std::int64_t knownOps(const Plan& plan) {
    return std::ranges::count_if(plan.ops,
                                 [](const OpPlan& op) { return op.draftCheck && op.draftCheck->wasKnown; });
}

std::int64_t simulatedOps(const Plan& plan) {
    return std::ranges::count_if(
        plan.ops, [](const OpPlan& op) { return op.draftCheck && op.draftCheck->simulatedNs; });
}

} // namespace

class TestKnownDrafts : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        const std::string file = m_folder.filePath("tiny.onnx").toStdString();
        QVERIFY(writeZooModel("tiny-gpt", file).has_value());
        m_graph = *loadGraph(file, {.bindings = {{"batch", 1}, {"past", 48}}, .disabledPasses = {}});
        m_longer = *loadGraph(file, {.bindings = {{"batch", 1}, {"past", 49}}, .disabledPasses = {}});
        const auto table = std::make_shared<DraftTable>();
        m_plan = planOn("hbm-pim-hbm3", usual(), table);
        m_found = table->found();
        QVERIFY(m_plan && !m_found.empty());
    }

    void codeHasAVersion() { QCOMPARE(codeVersion().size(), std::size_t{64}); }

    void answersAreWhatTheSearchFinds_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "hbm-pim-hbm3", "aim"})
            QTest::newRow(target) << target;
    }
    void answersAreWhatTheSearchFinds() {
        QFETCH(QString, target);
        const auto searched = planOn(target, usual(), nullptr);
        const auto empty = std::make_shared<DraftTable>();
        const auto first = planOn(target, usual(), empty);
        QVERIFY(searched && first);
        QVERIFY(!empty->found().empty());
        QCOMPARE(knownOps(*first), 0);
        const auto table = std::make_shared<DraftTable>(empty->found());
        const auto again = planOn(target, usual(), table);
        QVERIFY(again);
        QCOMPARE(planJson(*first), planJson(*searched));
        QCOMPARE(planJson(*again), planJson(*searched));
        QCOMPARE(knownOps(*again), simulatedOps(*searched));
        QVERIFY(table->found().empty());
        QCOMPARE(table->refused(), 0);
        for (std::size_t i = 0; i < again->ops.size(); ++i) {
            const auto& check = again->ops[i].draftCheck;
            if (!check || !check->wasKnown)
                continue;
            QVERIFY(check->text().ends_with("; from the project's table"));
            QCOMPARE(again->ops[i].draftsEnumerated, searched->ops[i].draftsEnumerated);
            QCOMPARE(again->ops[i].draftsKept, searched->ops[i].draftsKept);
        }
    }

    void otherQuestionsAreSearched() {
        CompileOptions fewer = usual();
        fewer.verifyDrafts = 3;
        CompileOptions without = usual();
        without.passes.leftOut = {
            std::string((*m_backends.find("hbm_pim"))->drafts()->codePasses().front().id)};
        CompileOptions rules = usual();
        rules.tiling.rule2 = false;
        for (const CompileOptions& options : {fewer, without, rules})
            QCOMPARE(knownWith("hbm-pim-hbm3", options, m_found), 0);
        QCOMPARE(knownWith("hbm-pim", usual(), m_found), 0);
        QCOMPARE(knownWith("attacc", usual(), m_found), 0);
        QVERIFY(knownWith("hbm-pim-hbm3", usual(), m_found) > 0);
    }

    void optionsOfOtherMachinesDoNotMatter() {
        CompileOptions options = usual();
        options.seed = 77;
        options.threads = 1;
        QCOMPARE(knownWith("hbm-pim-hbm3", options, m_found), simulatedOps(*m_plan));
    }

    /// Of a longer cache the kernels of attention are new; the products are not.
    void newSizesAreSearched() {
        const auto table = std::make_shared<DraftTable>(m_found);
        PlanCache cache(table);
        const auto plan = compile(m_backends, {m_longer, targetOf("hbm-pim-hbm3"), {}, usual()}, &cache);
        const auto alone = compile(m_backends, {m_longer, targetOf("hbm-pim-hbm3"), {}, usual()});
        QVERIFY(plan && alone);
        QCOMPARE(planJson(**plan), planJson(**alone));
        QVERIFY(knownOps(**plan) > 0);
        for (const KnownDraft& found : table->found())
            QVERIFY2(std::ranges::none_of(m_found,
                                          [&](const KnownDraft& old) { return old.kernel == found.kernel; }),
                     found.kernel.c_str());
    }

    void answersOfOtherCodeAreLeftOut() {
        std::vector<KnownDraft> old = m_found;
        for (KnownDraft& each : old)
            each.code = std::string(64, '0');
        QCOMPARE(knownWith("hbm-pim-hbm3", usual(), old), 0);
    }

    /// Whatever stands in the table, the plan is the same.
    void answersThatCannotBeAreRefused_data() {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 5; ++kind)
            QTest::addRow("kind %d", kind) << kind;
    }
    void answersThatCannotBeAreRefused() {
        QFETCH(int, kind);
        std::vector<KnownDraft> wrong = m_found;
        for (KnownDraft& each : wrong) {
            if (kind == 0)
                each.draft = "[[";
            else if (kind == 1)
                each.draft = "[[1000000, 1, A0=b]] expanded";
            else if (kind == 2)
                each.check.priceNs *= 1.5;
            else if (kind == 3)
                each.price.computeNs = std::numeric_limits<double>::infinity();
            else
                each.draft.clear();
        }
        const auto table = std::make_shared<DraftTable>(wrong);
        const auto plan = planOn("hbm-pim-hbm3", usual(), table);
        QVERIFY(plan);
        QCOMPARE(planJson(*plan), planJson(*m_plan));
        QCOMPARE(table->refused(), std::ssize(m_found));
        QCOMPARE(table->found().size(), m_found.size()); // they take the places of the wrong ones
        for (std::size_t i = 0; i < m_found.size(); ++i)
            QCOMPARE(table->found()[i].digest(), m_found[i].digest());
    }

    void changedAnswersHaveAnotherDigest() {
        const KnownDraft& sample = m_found.front();
        const auto changed = [&](auto change) {
            KnownDraft other = sample;
            change(other);
            return other.digest() != sample.digest();
        };
        QVERIFY(changed([](KnownDraft& d) { d.draft += " "; }));
        QVERIFY(changed([](KnownDraft& d) { d.price.busInputNs = std::nextafter(d.price.busInputNs, 1e9); }));
        QVERIFY(changed([](KnownDraft& d) { d.check.lossAtMost.reset(); }));
        QVERIFY(changed([](KnownDraft& d) { ++d.check.rank; }));
        QVERIFY(changed([](KnownDraft& d) { d.targetHash = "x"; }));
        QVERIFY(!changed([](KnownDraft& d) { d.foundUtc = "2026-01-01T00:00:00Z"; }));
    }

private:
    static CompileOptions usual() {
        CompileOptions options;
        options.verifyDrafts = 5;
        options.tiling.walkLimit = 60;
        return options;
    }
    std::shared_ptr<const Plan> planOn(const QString& target, const CompileOptions& options,
                                       std::shared_ptr<DraftTable> table) const {
        PlanCache cache(std::move(table));
        const auto plan = compile(m_backends, {m_graph, targetOf(target.toStdString()), {}, options}, &cache);
        if (!plan)
            qWarning("%s", plan.error().text().c_str());
        return plan ? *plan : nullptr;
    }
    std::int64_t knownWith(const QString& target, const CompileOptions& options,
                           const std::vector<KnownDraft>& known) const {
        const auto plan = planOn(target, options, std::make_shared<DraftTable>(known));
        return plan ? knownOps(*plan) : -1;
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Graph> m_graph, m_longer;
    std::shared_ptr<const Plan> m_plan;
    std::vector<KnownDraft> m_found;
    BackendList m_backends = builtinBackends();
};

QTEST_GUILESS_MAIN(TestKnownDrafts)
#include "tst_backends_known_drafts.moc"
