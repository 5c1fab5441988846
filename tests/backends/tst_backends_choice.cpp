// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How a draft is chosen on the machines with commands: bounds hold, the simulated best of those ranked first is taken, the
/// exhaustive search finds the true optimum, and a plan says honestly which of these it did.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "core/base/background.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/drafts/exhaustive.h"
#include "core/drafts/kernel_table.h"
#include "core/drafts/priced_drafts.h"
#include "core/graph/import.h"
#include "core/graph/zoo/zoo.h"
#include "core/plan/draft_facet.h"
#include "core/predict/kernel_families.h"
#include "core/predict/shipped.h"
#include "tests/backends/kernels.h"

#include <QTemporaryDir>

#include <map>
#include <numeric>

using namespace pim;
using namespace pim::test;

namespace {

Kernel reduction(int rows, int columns) {
    return kernelOf(
        fmt::format("def sum(X[{0}][{1}]: f16):\n Y = DCC.Tensor.zero([{0}], f16)\n for b in range({0}):\n"
                    "  for i in range({1}):\n   Y[b] += X[b][i]\n",
                    rows, columns));
}

/// Likes the draft best that its price likes least.
class Contrarian final : public DraftPredictor {
public:
    std::string_view version() const override { return "contrarian"; }
    bool knows(const Kernel&, const Target&) const override { return true; }
    std::optional<double> offAtMost(const Kernel&, const std::vector<Residency>&) const override {
        return std::nullopt;
    }
    void predict(const TilingSpace&, const Target&, const std::vector<Residency>&, const DraftSpans& of,
                 std::span<double> ns) const override {
        for (std::size_t i = 0; i < of.prices.size(); ++i)
            ns[i] = 1e9 - of.prices[i].totalNs();
    }
};

struct Studied {
    BackendList backends = builtinBackends();
    DraftStudy study;
    std::vector<Draft> kept;
    std::vector<double> prices, bounds;

    Studied(const std::string& target, Kernel kernel) {
        const auto* const backend =
            dynamic_cast<const OpwiseBackend*>(*backends.find(targetOf(target)->backend));
        auto studied = backend->study(std::move(kernel), targetOf(target), {});
        if (!studied)
            qFatal("%s", studied.error().text().c_str());
        study = std::move(*studied);
        kept = *keptDrafts(*study.space, {}, nullptr);
        for (const Draft& draft : kept) {
            const DraftSummary summary = study.space->summarize(draft);
            prices.push_back(study.pricer->price(draft, summary).totalNs());
            bounds.push_back(study.pricer->boundNs(draft, summary));
        }
    }
    std::optional<double> time(std::size_t draft) const {
        const auto price = study.measurer->measure(*study.space, kept[draft], study.residency, {});
        return price ? std::optional(price->totalNs()) : std::nullopt;
    }
};

} // namespace

class TestChoice : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        const std::string file = m_folder.filePath("tiny.onnx").toStdString();
        QVERIFY(writeZooModel("tiny-gpt", file).has_value());
        auto graph = loadGraph(file, {.bindings = {{"batch", 1}, {"past", 48}}, .disabledPasses = {}});
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        m_graph = *graph;
    }

    void noDraftIsFasterThanItsBound_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "hbm-pim-hbm3", "aim"})
            QTest::newRow(target) << target;
    }
    void noDraftIsFasterThanItsBound() {
        QFETCH(QString, target);
        std::vector<Kernel> kernels{gemv(256, 512), gemv(100, 333),     gemv(64, 2048, 4),
                                    gemv(1000, 17), reduction(4, 1000), reduction(3, 77)};
        if (target == "attacc")
            kernels.push_back(attention(4, 100, 64));
        else
            kernels.push_back(elementwise(3000, "C[i] = A[i] * B[i]"));
        if (target.startsWith("hbm"))
            kernels.push_back(elementwise(1000, "C[i] = relu(A[i])"));
        std::size_t simulated = 0, informative = 0;
        for (const Kernel& kernel : kernels) {
            const Studied studied(target.toStdString(), kernel);
            const std::size_t step = 1 + studied.kept.size() / 90; // the cheapest come in any order
            for (std::size_t i = 0; i < studied.kept.size(); i += step)
                if (const auto ns = studied.time(i)) {
                    ++simulated;
                    informative += studied.bounds[i] > 0.1 * *ns;
                    QVERIFY2(studied.bounds[i] <= *ns,
                             qPrintable(QString("%1: %2 ns, bound %3 ns")
                                            .arg(QString::fromStdString(
                                                studied.study.space->draftText(studied.kept[i])))
                                            .arg(*ns)
                                            .arg(studied.bounds[i])));
                    QVERIFY(studied.bounds[i] > 0);
                }
        }
        QVERIFY2(simulated > 500, qPrintable(QString::number(simulated)));
        QVERIFY2(2 * informative > simulated,
                 qPrintable(QString("%1 of %2").arg(informative).arg(simulated)));
    }

    /// Bounds leave out drafts, never the optimum.
    void exhaustiveSearchFindsTheOptimum_data() { noDraftIsFasterThanItsBound_data(); }
    void exhaustiveSearchFindsTheOptimum() {
        QFETCH(QString, target);
        const Studied studied(target.toStdString(), gemv(48, 1000));
        const auto found = searchExhaustively(studied.study, studied.kept, {}, {});
        const auto all =
            searchExhaustively(studied.study, studied.kept, {.everyDraft = true, .threads = 1}, {});
        QVERIFY(found && all);
        QCOMPARE(all->skipped, 0);
        QCOMPARE(std::ssize(all->simulated) + all->withoutCode, std::ssize(studied.kept));
        QCOMPARE(found->simulated.front().draft, all->simulated.front().draft);
        QCOMPARE(found->simulated.front().ns, all->simulated.front().ns);
        QCOMPARE(std::ssize(found->simulated) + found->withoutCode + found->skipped,
                 std::ssize(studied.kept));
        QVERIFY(found->skipped == 0 || found->skippedBoundNs >= found->simulated.front().ns);
        QCOMPARE(*studied.time(found->simulated.front().draft), found->simulated.front().ns);
        // The same on one thread, and what may be missed is missed by no more.
        const auto again = searchExhaustively(studied.study, studied.kept, {.threads = 1}, {});
        QCOMPARE(again->skipped, found->skipped);
        const auto nearly = searchExhaustively(studied.study, studied.kept, {.worthwhile = 0.8}, {});
        QVERIFY(nearly->skipped >= found->skipped);
        QVERIFY(0.8 * nearly->simulated.front().ns <= found->simulated.front().ns);
    }

    void exhaustiveSearchStopsWhenAsked() {
        const Studied studied("aim", gemv(48, 1000));
        std::stop_source stop;
        int reports = 0;
        const TaskContext task{stop.get_token(),
                               [&](std::string_view, std::int64_t done, std::int64_t total) {
                                   ++reports;
                                   QVERIFY(done <= total);
                                   stop.request_stop();
                               }};
        const auto result = searchExhaustively(studied.study, studied.kept, {.everyDraft = true}, task);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        QCOMPARE(reports, 1);
    }

    void explorationBoundsIncludeTheHost() {
        const BackendList backends = builtinBackends();
        for (const char* target : {"attacc", "hbm-pim", "aim"}) {
            const Backend* const backend = *backends.find(targetOf(target)->backend);
            const auto exploration =
                backend->drafts()->exploreKernel(gemv(64, 4096), targetOf(target), {}, {});
            QVERIFY(exploration);
            const Exploration& e = **exploration;
            QCOMPARE(e.boundsNs.size(), e.drafts.size());
            QVERIFY(e.predictedNs.empty());
            std::vector<std::size_t> some;
            for (std::size_t i = 0; i < e.drafts.size(); i += 1 + e.drafts.size() / 40)
                some.push_back(i);
            const auto simulated = backend->drafts()->simulateDrafts(e, some, 0, {});
            QVERIFY(simulated);
            for (const SimulatedDraft& draft : *simulated)
                if (draft.problem.empty())
                    QVERIFY(e.boundsNs[draft.draft] <= draft.cost.totalNs());
        }
    }

    /// A plan that verifies takes the fastest of those ranked first, at its simulated price, and says so.
    void verifiedPlansTakeTheFastest_data() { noDraftIsFasterThanItsBound_data(); }
    void verifiedPlansTakeTheFastest() {
        QFETCH(QString, target);
        const auto priced = planOn(target, {}), verified = planOn(target, with(5));
        QVERIFY(priced && verified);
        int checked = 0;
        for (const OpPlan& op : (*verified)->ops) {
            const OpPlan& before = (*priced)->opPlan(op.op);
            if (!op.draft || !op.draftCheck)
                continue;
            ++checked;
            const DraftCheck& check = *op.draftCheck;
            QVERIFY(before.draftCheck && before.draftCheck->simulated == 0 &&
                    before.draftCheck->text().empty());
            QCOMPARE(before.origin, Origin::Predicted);
            if (check.simulated == 0) { // the host is many times as fast
                QVERIFY(check.priceNs > 4 * op.hostNs);
                continue;
            }
            QVERIFY(check.simulated >= 1 && check.simulated <= 5 && check.rank >= 1 && check.rank <= 5);
            QCOMPARE(op.origin, op.onHost() ? Origin::Predicted : Origin::Simulated);
            QVERIFY(check.simulatedNs && check.lossAtMost && *check.lossAtMost >= 0);
            QVERIFY(check.text().starts_with(fmt::format("fastest of {} simulated", check.simulated)));
            const auto* const backend =
                dynamic_cast<const OpwiseBackend*>(*m_backends.find((*verified)->target->backend));
            const auto study = backend->study(op.space->kernel(), (*verified)->target, {});
            QVERIFY(study);
            const auto ns = [&](const Draft& draft) {
                return study->measurer->measure(*op.space, draft, residencyOf(op.tensors), {})->totalNs();
            };
            QCOMPARE(ns(*op.draft), *check.simulatedNs);
            QVERIFY(*check.simulatedNs <= ns(*before.draft)); // the price's choice is among them
            QVERIFY(op.pimCost->totalNs() >= *check.simulatedNs - 1e-6);
        }
        QVERIFY(checked > 0);
    }

    /// Drafts out of reach are counted, not priced; none of them is cheaper than what is left.
    void draftsOutOfReachAreCounted_data() { noDraftIsFasterThanItsBound_data(); }
    void draftsOutOfReachAreCounted() {
        QFETCH(QString, target);
        const Studied studied(target.toStdString(), gemv(96, 1000, 2));
        const auto priced = [&](double reach) {
            return *priceDrafts(*studied.study.space, *studied.study.pricer, {.everyAllocation = false},
                                reach);
        };
        const PricedDrafts near = priced(kBoundReach), all = priced(1e9);
        QCOMPARE(all.outOfReach, 0);
        QCOMPARE(std::ssize(near.drafts) + near.outOfReach, std::ssize(all.drafts));
        QCOMPARE(std::ssize(all.drafts), all.counts.byRule[0]);
        QVERIFY(near.outOfReach > 0);
        const std::size_t best = near.byPrice().front();
        QCOMPARE(near.prices[best].totalNs(), all.prices[all.byPrice().front()].totalNs());
        QVERIFY(near.outOfReachBoundNs > kBoundReach * near.prices[best].totalNs());
        std::size_t within = 0;
        for (std::size_t i = 0; i < all.drafts.size(); ++i) {
            if (all.boundsNs[i] > kBoundReach * near.prices[best].totalNs())
                continue;
            QVERIFY(within < near.drafts.size() && near.drafts[within] == all.drafts[i]);
            QCOMPARE(near.summaries[within].iterationsPerCore, all.summaries[i].iterationsPerCore);
            ++within;
        }
        QCOMPARE(within, near.drafts.size());
    }

    /// A network's kernels are made once, equal ones have one text, and networks that are asked for stay.
    void kernelsOfANetworkAreMadeOnce() {
        const auto model = importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx");
        QVERIFY(model);
        const auto graph = buildGraph(**model).value(), again = buildGraph(**model).value();
        KernelTable table;
        const auto network = table.of(graph);
        QVERIFY(table.of(graph) == network && table.of(again) != network);
        std::map<std::string, const std::string*> texts;
        int made = 0;
        for (std::size_t i = 0; i < graph->ops.size(); ++i) {
            const OpId op(static_cast<std::int64_t>(i));
            const auto kernel = network->of(op, {});
            QVERIFY(network->of(op, {}) == kernel && network->of(op, {DataType::BF16}) != kernel);
            const auto fresh = kernelFromOp(*graph, op);
            QCOMPARE(kernel->verdict, fresh ? std::string() : fresh.error().message);
            if (!fresh)
                continue;
            ++made;
            QCOMPARE(*kernel->text, fresh->text());
            QVERIFY(texts.try_emplace(*kernel->text, kernel->text.get()).first->second == kernel->text.get());
        }
        QVERIFY(made > std::ssize(texts) && !texts.empty());
    }

    /// What a table remembers of a space is what a walk finds, for machines with the same cores; others have drafts of their own.
    void machinesWithTheSameCoresShareDrafts() {
        const Kernel kernel = gemv(96, 1000, 2);
        const TilingResources resources{
            .groups = 16, .coresPerGroup = 8, .simdLanes = 16, .coreBytes = 1 << 20};
        TilingResources more = resources;
        more.groups = 32;
        SpaceTable table;
        const std::string text = kernel.text();
        const auto entry = table.find(kernel, text, resources), again = table.find(kernel, text, resources),
                   other = table.find(kernel, text, more);
        QVERIFY(entry && again && other && *entry == *again && *entry != *other);
        const TilingOptions some{.everyAllocation = false};
        const auto kept = (*entry)->kept(some, {});
        QVERIFY(kept && *kept == *(*again)->kept(some, {}));
        TilingOptions loose = some;
        loose.rule1 = loose.rule2 = loose.rule3 = false;
        const auto all = (*again)->kept(loose, {});
        QVERIFY(all && (*all)->size() > (*kept)->size());
        EnumerationCounts counts;
        const auto walked = keptDrafts(*(*entry)->space(), some, &counts);
        QVERIFY(walked && !walked->empty());
        QCOMPARE((*kept)->size(), walked->size());
        QCOMPARE((*kept)->counts().enumerated, counts.enumerated);
        Draft draft;
        DraftSummary read;
        for (std::size_t i = 0; i < walked->size(); ++i) {
            (*kept)->read(i, draft);
            (*kept)->readSummary(i, read);
            QVERIFY(draft == (*walked)[i]);
            const DraftSummary fresh = (*entry)->space()->summarize(draft);
            QVERIFY(read.loopTile == fresh.loopTile && read.loopGroups == fresh.loopGroups &&
                    read.loopCores == fresh.loopCores && read.uniform == fresh.uniform);
            QVERIFY(read.groupsUsed == fresh.groupsUsed && read.coresUsed == fresh.coresUsed &&
                    read.iterationsPerCore == fresh.iterationsPerCore &&
                    read.bytesPerCore == fresh.bytesPerCore);
            QCOMPARE(read.tensors.size(), fresh.tensors.size());
            for (std::size_t t = 0; t < fresh.tensors.size(); ++t)
                QVERIFY(read.tensors[t].tileElements == fresh.tensors[t].tileElements &&
                        read.tensors[t].groupElements == fresh.tensors[t].groupElements &&
                        read.tensors[t].coresPerCopy == fresh.tensors[t].coresPerCopy &&
                        read.tensors[t].partialCores == fresh.tensors[t].partialCores);
        }
        std::stop_source stopped;
        stopped.request_stop();
        QCOMPARE((*other)->kept(some, {stopped.get_token(), {}}).error().code, ErrorCode::Cancelled);
        QVERIFY((*other)->kept(some, {})); // who asks next is answered
    }

    /// While somebody looks for the drafts of a kernel, others can tell, and do something else first.
    void aTableTellsWhichDraftsAreBeingLookedFor() {
        const Kernel kernel = gemv(15120, 27720, 720720); // more drafts than anybody waits for
        const std::string text = kernel.text();
        const TilingResources resources{
            .groups = 64, .coresPerGroup = 64, .simdLanes = 16, .coreBytes = std::int64_t{1} << 40};
        SpaceTable table;
        QVERIFY(!table.isBusy(text, resources)); // nobody has asked
        const auto entry = table.find(kernel, text, resources);
        QVERIFY(entry && !table.isBusy(text, resources));
        std::stop_source stop;
        std::optional<ErrorCode> code;
        Background asks;
        asks.start([&] {
            if (const auto kept = (*entry)->kept({}, {stop.get_token(), {}}); !kept)
                code = kept.error().code;
        });
        QTRY_VERIFY(table.isBusy(text, resources));
        QVERIFY(!table.isBusy(text + " ", resources));
        stop.request_stop();
        asks.wait();
        QCOMPARE(code, std::optional(ErrorCode::Cancelled));
        QVERIFY(!table.isBusy(text, resources));
    }

    /// Whoever asks, on however many threads.
    void choicesAreThoseOfAPlan_data() { noDraftIsFasterThanItsBound_data(); }
    void choicesAreThoseOfAPlan() {
        QFETCH(QString, target);
        PlanRequest request{m_graph, targetOf(target.toStdString()), {}, with(5)};
        request.options.tiling.walkLimit = 60;
        request.options.threads = 1;
        const auto plan = planOn(target, with(5));
        const auto* const backend =
            dynamic_cast<const OpwiseBackend*>(*m_backends.find(request.target->backend));
        int compared = 0;
        for (const OpPlan& op : (*plan)->ops) {
            if (!op.draftCheck || !op.draftCheck->simulatedNs)
                continue;
            const auto choice = backend->choose(request, op.op, nullptr, {});
            QVERIFY(choice && choice->check);
            QCOMPARE(choice->draft, *op.draft);
            QCOMPARE(choice->price.totalNs(), *op.draftCheck->simulatedNs);
            QCOMPARE(choice->check->simulated, op.draftCheck->simulated);
            QCOMPARE(choice->check->lossAtMost, op.draftCheck->lossAtMost);
            ++compared;
        }
        QVERIFY(compared > 0);
        const auto none = backend->choose(request, OpId(100'000), nullptr, {});
        QCOMPARE(none.error().code, ErrorCode::NotFound);
    }

    /// With the predictor of the machine fewer are simulated, and what is taken is no further off than is said.
    void predictedChoicesSimulateLess_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("attacc") << "attacc";
        QTest::newRow("hbm-pim-hbm3") << "hbm-pim-hbm3";
    }
    void predictedChoicesSimulateLess() {
        QFETCH(QString, target);
        const auto machine = targetOf(target.toStdString());
        const auto* const backend = dynamic_cast<const OpwiseBackend*>(*m_backends.find(machine->backend));
        CompileOptions priced = with(8), predicted = with(8);
        usePredictor(predicted, *machine, nullptr);
        QVERIFY(predicted.predictor);
        for (const Kernel& kernel : {reduction(5, 3000), reduction(16, 2048)}) {
            const auto a = backend->choose(kernel, *machine, priced, nullptr, {});
            const auto b = backend->choose(kernel, *machine, predicted, nullptr, {});
            QVERIFY(a && b && b->check->predictedNs && !a->check->predictedNs);
            QVERIFY(b->check->simulated >= 1 && b->check->simulated <= a->check->simulated);
            const Studied studied(target.toStdString(), kernel);
            const double optimum =
                searchExhaustively(studied.study, studied.kept, {}, {})->simulated.front().ns;
            QVERIFY(b->price.totalNs() <= optimum * 1.005);
            QVERIFY(b->price.totalNs() <= optimum * (1 + *b->check->lossAtMost) * (1 + 1e-12));
        }
        // Predictions of it are closer, the more so where the formula is rougher.
        const Kernel product = makeKernel(**findKernelFamily("gemv"), {12, 200}).value();
        const auto a = backend->choose(product, *machine, priced, nullptr, {});
        const auto b = backend->choose(product, *machine, predicted, nullptr, {});
        QVERIFY(a && b && b->check->simulated <= a->check->simulated);
        QVERIFY(target == "attacc" || b->check->simulated < a->check->simulated);
        QVERIFY(b->price.totalNs() <= 1.005 * a->price.totalNs());
        predicted.passes.leftOut = {"overlap"};
        usePredictor(predicted, *machine, nullptr); // of other code
        QVERIFY(!predicted.predictor && predicted.predictorVersion.empty());
    }

    void lossSaysHowFarTheOptimumIs() {
        const Studied studied("hbm-pim", gemv(100, 333));
        std::vector<std::size_t> order(studied.kept.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](auto a, auto b) { return studied.prices[a] < studied.prices[b]; });
        const auto optimum = searchExhaustively(studied.study, studied.kept, {}, {})->simulated.front().ns;
        double before = 1e9;
        for (const std::size_t count : {std::size_t{1}, std::size_t{8}, order.size()}) {
            double best = 1e9;
            for (std::size_t i = 0; i < count; ++i)
                if (const auto ns = studied.time(order[i]))
                    best = std::min(best, *ns);
            const auto loss = lossAtMost(studied.bounds, std::span(order).first(count), best);
            QVERIFY(loss && best <= optimum * (1 + *loss) * (1 + 1e-12));
            QVERIFY(*loss <= before);
            before = *loss;
        }
        QCOMPARE(before, 0.0); // all of them simulated
        QVERIFY(!lossAtMost({}, {}, 1));
        const double far[] = {5, 6};
        const std::size_t first[] = {0};
        QCOMPARE(*lossAtMost(far, first, 5.5), 0.0);
        QCOMPARE(*lossAtMost(far, first, 5.5, 5.0), 5.5 / 5.0 - 1);
        const double unknown[] = {0, 5};
        QVERIFY(!lossAtMost(unknown, {}, 1));
    }

    void predictorsRankAndVerificationMends() {
        CompileOptions options;
        options.predictor = std::make_shared<Contrarian>();
        options.predictorVersion = "contrarian";
        const auto worst = planOn("aim", options), plain = planOn("aim", {});
        options.verifyDrafts = 1'000'000;
        const auto mended = planOn("aim", options), verified = planOn("aim", with(1'000'000));
        QVERIFY(worst && plain && mended && verified);
        int differ = 0;
        for (const OpPlan& op : (*worst)->ops) {
            if (!op.draftCheck)
                continue;
            const OpPlan& usual = (*plain)->opPlan(op.op);
            QVERIFY(op.draftCheck->predictedNs && !usual.draftCheck->predictedNs);
            QVERIFY(op.draftCheck->priceNs >= usual.draftCheck->priceNs);
            differ += op.draftCheck->priceNs > usual.draftCheck->priceNs;
            QCOMPARE((*mended)->opPlan(op.op).draftCheck->simulatedNs.has_value(),
                     (*verified)->opPlan(op.op).draftCheck->simulatedNs.has_value());
            if (!(*verified)->opPlan(op.op).draftCheck->simulatedNs)
                continue; // the host is many times as fast
            QCOMPARE(*(*mended)->opPlan(op.op).draftCheck->simulatedNs,
                     *(*verified)->opPlan(op.op).draftCheck->simulatedNs);
            QCOMPARE(*(*verified)->opPlan(op.op).draftCheck->lossAtMost, 0.0);
        }
        QVERIFY(differ > 0);
    }

    void fixedMappingIsThePublishedOne() {
        CompileOptions options;
        options.mapping = MappingChoice::Fixed;
        for (const char* target : {"attacc", "hbm-pim", "aim"}) {
            const auto plan = planOn(target, options);
            QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
            const auto searched = planOn(target, {});
            int fixed = 0;
            for (const OpPlan& op : (*plan)->ops)
                if (op.draft && !op.draftCheck) { // no search chose it
                    ++fixed;
                    QVERIFY(op.space->check(*op.draft));
                    QVERIFY(op.pimCost->totalNs() > 0);
                    QCOMPARE(op.draftsKept, 1);
                }
            QVERIFY2(fixed > 0, target);
            for (const OpPlan& op : (*searched)->ops)
                QCOMPARE(op.draft.has_value(), op.draftCheck.has_value());
        }
    }

    void unknownCodePassesAreRefused() {
        CompileOptions options;
        options.passes.leftOut = {"no-such-pass"};
        const auto plan = planOn("attacc", options);
        QVERIFY(!plan);
        QCOMPARE(plan.error().code, ErrorCode::Usage);
        QVERIFY(plan.error().message.find("no-such-pass") != std::string::npos);
        for (const CodePassInfo& pass : (*m_backends.find("attacc"))->drafts()->codePasses())
            QVERIFY(plan.error().hint.find(pass.id) != std::string::npos);
        QVERIFY(checkCodePasses(**m_backends.find("attacc"), {}));
    }

private:
    static CompileOptions with(int verifyDrafts) {
        CompileOptions options;
        options.verifyDrafts = verifyDrafts;
        return options;
    }
    Result<std::shared_ptr<const Plan>> planOn(const QString& target, CompileOptions options) const {
        options.tiling.walkLimit = 60;
        PlanRequest request{m_graph, targetOf(target.toStdString()), {}, std::move(options)};
        return compile(m_backends, request);
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const Graph> m_graph;
    BackendList m_backends = builtinBackends();
};

QTEST_GUILESS_MAIN(TestChoice)
#include "tst_backends_choice.moc"
