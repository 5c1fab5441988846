// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The learned predictor: trees, features, training on simulated drafts, refusals.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/drafts/exhaustive.h"
#include "core/hardware/catalog.h"
#include "core/predict/features.h"
#include "core/predict/kernel_families.h"
#include "core/predict/predictor_set.h"
#include "core/predict/shipped.h"
#include "core/predict/training.h"

#include <cmath>
#include <set>

using namespace pim;

namespace {

/// y = 2a where b > 0.5, else -a.
TrainingRows steps(int count, float offset = 0) {
    TrainingRows rows;
    rows.width = 2;
    for (int i = 0; i < count; ++i) {
        const float a = float(i % 17) / 17, b = float(i % 5) / 5;
        rows.features.insert(rows.features.end(), {a, b});
        rows.labels.push_back((b > 0.5F ? 2 * a : -a) + offset);
    }
    return rows;
}

double meanError(const Booster& booster, const TrainingRows& rows) {
    std::vector<float> predicted(rows.count());
    if (!booster.predict(rows.features, predicted))
        return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (std::size_t i = 0; i < predicted.size(); ++i)
        sum += std::abs(double(predicted[i]) - rows.labels[i]);
    return sum / double(predicted.size());
}

std::vector<Kernel> reductions(std::initializer_list<KernelSize> sizes) {
    std::vector<Kernel> kernels;
    for (const KernelSize size : sizes)
        kernels.push_back(makeKernel(**findKernelFamily("reduction"), size).value());
    return kernels;
}

} // namespace

class TestCorePredict : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_target = m_catalog.find("hbm-pim-hbm3").value();
        m_backend = dynamic_cast<const OpwiseBackend*>(m_backends.find(m_target->backend).value());
        QVERIFY(m_backend);
        const auto known =
            reductions({{1, 512}, {2, 1024}, {4, 2048}, {8, 4096}, {3, 1000}, {5, 3000}, {6, 700}});
        m_samples = gatherSamples({*m_backend, m_target, {}}, known, {}, HoldOut::Some, nullptr).value();
        m_predictor = trainPredictor(*m_target, {}, m_samples, {}).value();
    }

    void treesLearnSteps() {
        const TrainingRows rows = steps(500);
        BoosterOptions all; // both features in every tree
        all.columnSample = 1;
        const Booster booster = Booster::train(rows, all).value();
        QVERIFY(meanError(booster, rows) < 0.02);
    }

    void sameRowsGiveTheSameBytes() {
        BoosterOptions options;
        options.subsample = 0.7;
        const std::string first = Booster::train(steps(300), options).value().bytes();
        QCOMPARE(Booster::train(steps(300), options).value().bytes(), first);
        options.seed = 2;
        QVERIFY(Booster::train(steps(300), options).value().bytes() != first);
    }

    void storedTreesPredictTheSame() {
        const TrainingRows rows = steps(200);
        const Booster booster = Booster::train(rows, {}).value();
        const Booster read = Booster::fromBytes(booster.bytes()).value();
        std::vector<float> a(rows.count()), b(rows.count());
        QVERIFY(booster.predict(rows.features, a) && read.predict(rows.features, b));
        QCOMPARE(a, b);
    }

    void furtherTreesLowerTheError() {
        BoosterOptions few;
        few.rounds = 10;
        few.columnSample = 1;
        const Booster begun = Booster::train(steps(300), few).value();
        const TrainingRows moved = steps(300, 0.5F);
        const Booster further = begun.continued(moved, few).value();
        QVERIFY(meanError(further, moved) < 0.5 * meanError(begun, moved));
    }

    void refusesWhatIsNoModel() {
        QCOMPARE(Booster::fromBytes("no model").error().code, ErrorCode::InvalidFile);
        TrainingRows cut = steps(10);
        cut.features.pop_back();
        QCOMPARE(Booster::train(cut, {}).error().code, ErrorCode::Internal);
    }

    void weighedPartsAreFound() {
        std::vector<PriceTerms> terms;
        std::vector<double> ns;
        for (int i = 1; i < 60; ++i) {
            PriceTerms one{double(i % 7 + 1) * 10, double(i % 11 + 3) * 20, double(i % 5 + 1) * 15, 2, 1};
            terms.push_back(one);
            ns.push_back(0.5 * one[0] + one[1] + 0.8 * one[2] + 30);
        }
        const LinearPrice fitted = LinearPrice::fit(terms, ns);
        for (std::size_t i = 0; i < terms.size(); ++i)
            QVERIFY(std::abs(fitted.ns(terms[i]) / ns[i] - 1) < 0.01);
    }

    void featuresAreNamedOnceAndTold() {
        std::set<std::string> names;
        for (const FeatureInfo& feature : draftFeatureList()) {
            QVERIFY2(names.insert(feature.name).second, feature.name.c_str());
            QVERIFY(!feature.unit.empty() && !feature.meaning.empty());
        }
    }

    void trainingSizesAreNotAskedFor() {
        for (const KernelFamily& family : kernelFamilies()) {
            const auto known = kernelSizes(family, 64, 0), asked = kernelSizes(family, 150, 1);
            QCOMPARE(known.size(), std::size_t(64));
            QCOMPARE(asked.size(), std::size_t(150));
            std::set<KernelSize> all(asked.begin(), asked.end());
            QCOMPARE(all.size(), asked.size());
            all.insert(known.begin(), known.end());
            QCOMPARE(all.size(), asked.size() + known.size());
            // Two sizes say how far, and a few more how they are spread: no half of a range is left out.
            int many = 0;
            for (std::size_t i = 0; i < 20; ++i)
                many += known[i].rows > (known[0].rows + known[1].rows) / 4;
            QVERIFY2(many >= 3 && many <= 17, family.id.data());
            for (const KernelSize size : asked)
                QVERIFY(size.rows >= known[0].rows && size.rows <= known[1].rows &&
                        size.columns >= known[0].columns && size.columns <= known[1].columns);
        }
    }

    void samplesCoverTheSpace() {
        const DraftStudy study = m_backend->study(reductions({{7, 2500}}).front(), m_target, {}).value();
        const PricedDrafts drafts =
            priceDrafts(*study.space, *study.pricer, {.everyAllocation = false}).value();
        QVERIFY(!drafts.drafts.empty() &&
                std::ssize(drafts.drafts) + drafts.outOfReach == drafts.counts.byRule[0]);
        const auto chosen = chooseSamples(drafts, {}, 0);
        QVERIFY(chosen.size() >= 24 && chosen.size() <= 52);
        QVERIFY(chooseSamples(drafts, {}, 1) != chosen); // some are drawn
        QCOMPARE(chooseSamples(drafts, {}, 0), chosen);
        QCOMPARE(std::set<std::size_t>(chosen.begin(), chosen.end()).size(), chosen.size());
        QCOMPARE(chosen.front(), drafts.byPrice().front());
        QCOMPARE(chosen.back(), drafts.byPrice().back());
    }

    void predictsUnseenSizesBetterThanTheFormula() {
        const auto unseen = gatherSamples({*m_backend, m_target, {}}, reductions({{6, 1500}, {2, 3500}}), {},
                                          HoldOut::Some, nullptr)
                                .value();
        const PredictorError error = predictorError(*m_predictor, *m_target, unseen);
        QVERIFY(error.drafts > 40);
        QVERIFY2(error.mean < 0.5 * error.meanOfPrice, qPrintable(QString::number(error.mean)));
    }

    /// Whatever the number of threads; another seed draws other drafts and grows other trees.
    void sameSeedGivesTheSameModel() {
        const auto trained = [&](int threads, std::uint64_t seed) {
            TrainOptions options;
            options.threads = threads;
            options.seed = seed;
            options.booster.rounds = 20;
            options.samples.cheapest = 6;
            const auto samples = gatherSamples({*m_backend, m_target, {}},
                                               reductions({{1, 512}, {2, 1024}, {4, 2048}, {8, 4096}}),
                                               options, HoldOut::Some, nullptr)
                                     .value();
            return trainPredictor(*m_target, {}, samples, options).value()->bytes();
        };
        const std::string first = trained(1, 7);
        QVERIFY(trained(2, 7) == first);
        QVERIFY(trained(64, 7) == first);
        QVERIFY(trained(1, 8) != first);
    }

    /// What is printed and stored about a form is of the kernels that were held out, and of these alone.
    void figuresAreOfKernelsHeldOut() {
        const LearnedForm& form = m_predictor->model().forms.begin()->second;
        QCOMPARE(form.kernel, std::string("reduction"));
        QCOMPARE(form.trained.size(), std::size_t(6));
        QCOMPARE(form.heldOut, (std::vector<KernelExtents>{{4, 2048}}));
        QVERIFY(m_predictor->hasSeen(reductions({{8, 4096}}).front(),
                                     {Residency::Streamed, Residency::Streamed}));
        QVERIFY(!m_predictor->hasSeen(reductions({{4, 2048}}).front(),
                                      {Residency::Streamed, Residency::Streamed}));
        std::vector<KernelSamples> heldOut;
        for (const KernelSamples& kernel : m_samples)
            if (kernel.isHeldOut)
                heldOut.push_back(kernel);
        QCOMPARE(heldOut.size(), std::size_t(1));
        const PredictorError error = predictorError(*m_predictor, *m_target, heldOut);
        // Errors are told of drafts chosen as those learned, the ranking is of all.
        QVERIFY(form.error.drafts > 20 && form.error.drafts < 60 && form.error.drafts < error.drafts);
        QVERIFY(form.error.mean < form.error.meanOfPrice && form.error.mean <= form.curve.heldOut.front());
        QCOMPARE(form.curve.trained.size(), std::size_t(61)); // before the first tree, and after each
        QCOMPARE(form.curve.heldOut.size(), form.curve.trained.size());
        QVERIFY(form.curve.trained.back() < form.curve.trained.front());
        // The last round is the predictor: its trees were kept, because they help.
        QVERIFY(std::abs(form.curve.heldOut.back() - form.error.mean) < 1e-6);
        QVERIFY(verdictOf(form.ranking) != Verdict::Worse);
        const auto again = rankKernels(*m_predictor, *m_target, m_samples, 1);
        QCOMPARE(again.size(), std::size_t(1));
        QCOMPARE(form.ranking.drafts, again[0].drafts);
        QCOMPARE(form.ranking.learned.regret1, again[0].learned.regret1);
        // Of all drafts of that size none is faster than the optimum told.
        const DraftStudy study = m_backend->study(reductions({{4, 2048}}).front(), m_target, {}).value();
        const auto drafts = keptDrafts(*study.space, {.everyAllocation = false}, nullptr, {}).value();
        const auto truth = searchExhaustively(study, drafts, {.everyDraft = true, .threads = 1}, {}).value();
        QCOMPARE(again[0].optimumNs, truth.simulated.front().ns);
    }

    void ranksAreCorrelatedAsTheBooksSay() {
        const std::vector<double> a{1, 2, 3, 4, 5}, reversed{5, 4, 3, 2, 1}, some{2, 1, 4, 3, 5},
            tied{1, 1, 2, 3, 3}, constant{7, 7, 7, 7, 7};
        QCOMPARE(*spearman(a, a), 1.0);
        QCOMPARE(*kendall(a, reversed), -1.0);
        QCOMPARE(*spearman(a, some), 0.8);                                       // 1 - 6 * 4 / (5 * 24)
        QCOMPARE(*kendall(a, some), 0.6);                                        // (8 - 2) / 10
        QVERIFY(std::abs(*kendall(a, tied) - 8 / std::sqrt(10.0 * 8)) < 1e-12);  // two of ten pairs are tied
        QVERIFY(std::abs(*spearman(a, tied) - 9 / std::sqrt(10.0 * 9)) < 1e-12); // ranks 1.5 1.5 3 4.5 4.5
        QVERIFY(!spearman(a, constant) && !kendall(constant, a));
        const std::vector<double> simulated{30, 10, 20, 40};
        const RankingQuality quality = rankingQuality(std::vector<double>{1, 2, 3, 4}, simulated);
        QCOMPARE(quality.regret1, 2.0);  // 30 instead of 10
        QCOMPARE(quality.regret10, 0.0); // the fastest is among the first ten
    }

    void verdictsAreByWhatACompileFeels() {
        RankingFigures figures{.kernels = 2};
        QCOMPARE(verdictOf(figures), Verdict::Alike);
        figures.formula = {0.9, 0.9, 0.02, 0, 0.01};
        figures.learned = {0.8, 0.8, 0.01, 0.5, 0.01}; // neither correlation nor the first ten count
        QCOMPARE(verdictOf(figures), Verdict::Better);
        figures.worstLearned = 0.03; // one kernel far off is not made good by others
        QCOMPARE(verdictOf(figures), Verdict::Worse);
        figures.worstFormula = 0.03 - 0.00005; // no order is told from another by that
        QCOMPARE(verdictOf(figures), Verdict::Better);
        figures.learned.regretVerified = 0.02;
        QCOMPARE(verdictOf(figures), Verdict::Worse);
        // Of nine drafts in the order of the ranking the ninth is the fastest, one too late for a compile.
        const std::vector<double> order{1, 2, 3, 4, 5, 6, 7, 8, 9},
            simulated{20, 20, 20, 15, 20, 20, 20, 20, 10};
        QCOMPARE(rankingQuality(order, simulated).regretVerified, 0.5);
        QCOMPARE(rankingQuality(order, simulated).regret10, 0.0);
    }

    /// By construction: whatever is kept of weights and trees ranks no kernel held out worse than the formula. The shipped files say so of
    /// themselves.
    void shippedOnesRankNothingWorse() {
        for (const char* id : {"attacc", "hbm-pim-hbm3"}) {
            const auto shipped = predictorFor(*m_catalog.find(id).value(), nullptr);
            QVERIFY(shipped);
            for (const auto& [form, learned] : shipped->model().forms) {
                QVERIFY2(learned.ranking.kernels >= 10, form.c_str());
                QVERIFY2(verdictOf(learned.ranking) != Verdict::Worse, form.c_str());
            }
        }
    }

    void aCompileIsRankedWhereItIsBetter() {
        const auto better = betterPredictorFor(*m_target);
        const auto shipped = predictorFor(*m_target, nullptr);
        QVERIFY(better && better->model().withinSizes && better->version() != shipped->version());
        QVERIFY(!better->model().forms.empty() &&
                better->model().forms.size() < shipped->model().forms.size());
        const Kernel within = makeKernel(**findKernelFamily("reduction"), {3, 1000}).value(),
                     beyond = makeKernel(**findKernelFamily("reduction"), {3, 100'000}).value(),
                     alike = makeKernel(**findKernelFamily("gemv"), {16, 512}).value();
        QVERIFY(better->knows(within, *m_target) && shipped->knows(within, *m_target));
        QVERIFY(!better->knows(beyond, *m_target) && shipped->knows(beyond, *m_target));
        QVERIFY(!better->knows(alike, *m_target) && shipped->knows(alike, *m_target));
        const std::vector<Residency> streamed{Residency::Streamed, Residency::Streamed};
        QVERIFY(!better->offAtMost(beyond, streamed) && better->outside(beyond, streamed).empty());
        // It says the same of what it ranks, is kept as it is, and has nothing more to leave out.
        const DraftStudy study = m_backend->study(within, m_target, {}).value();
        const PricedDrafts drafts =
            priceDrafts(*study.space, *study.pricer, {.everyAllocation = false}).value();
        std::vector<double> a(drafts.drafts.size()), b = a, c = a;
        const DraftSpans of{drafts.drafts, drafts.summaries, drafts.prices};
        better->predict(*study.space, *m_target, study.residency, of, a);
        shipped->predict(*study.space, *m_target, study.residency, of, b);
        QCOMPARE(a, b);
        const auto read = LearnedPredictor::fromBytes(better->bytes(), "better").value();
        QVERIFY(read->digest() == better->digest() && read->model().withinSizes);
        read->predict(*study.space, *m_target, study.residency, of, c);
        QCOMPARE(a, c);
        QCOMPARE(better->whereBetter()->digest(), better->digest());
        // What is nowhere better is not asked.
        QVERIFY(!betterPredictorFor(*m_catalog.find("attacc").value()));
        QVERIFY(!betterPredictorFor(*m_catalog.find("aim").value()));
    }

    void aSetAnswersForEachTarget() {
        const auto attacc = m_catalog.find("attacc").value(), aim = m_catalog.find("aim").value();
        const auto first = predictorFor(*m_target, nullptr), second = predictorFor(*attacc, nullptr);
        QVERIFY(!predictorOf({}));
        QCOMPARE(predictorOf({first, first}).get(), static_cast<const DraftPredictor*>(first.get()));
        const auto both = predictorOf({first, second});
        QCOMPARE(both->version(), predictorOf({second, first})->version());
        QCOMPARE(predictorVersions(both->version()).size(), std::size_t(2));
        QCOMPARE(&both->of(*m_target), static_cast<const DraftPredictor*>(first.get()));
        QCOMPARE(learnedBy(both, *attacc), second);
        const Kernel kernel = reductions({{3, 1000}}).front();
        QVERIFY(both->knows(kernel, *m_target) && both->knows(kernel, *attacc) && !both->knows(kernel, *aim));
        CompileOptions options;
        const std::shared_ptr<const Target> targets[] = {m_target, attacc, aim};
        options.predictorVersion = both->version();
        QVERIFY(restorePredictor(options, targets) && options.predictor->version() == both->version());
        options.predictor = nullptr;
        QCOMPARE(restorePredictor(options, {targets, 1}).error().code, ErrorCode::NotFound);
        useBetterPredictors(options, targets); // of AttAcc nothing is better
        QCOMPARE(options.predictorVersion, std::string(betterPredictorFor(*m_target)->version()));
        options.passes.leftOut = {"group-commands"};
        useBetterPredictors(options, targets);
        QVERIFY(!options.predictor && options.predictorVersion.empty());
    }

    void gainsAreShares() {
        BoosterOptions all;
        all.columnSample = 1;
        const auto gains = Booster::train(steps(300), all).value().gains().value();
        QCOMPARE(gains.size(), std::size_t(2));
        QVERIFY(gains[0] > 0 && gains[1] > 0 && std::abs(gains[0] + gains[1] - 1) < 1e-6);
        BoosterOptions none;
        none.rounds = 0;
        QCOMPARE(Booster::train(steps(300), none).value().gains().value(), (std::vector<double>{0, 0}));
        const auto named = featureGains(m_predictor->model().forms.begin()->second, 3).value();
        QVERIFY(named.size() <= 3);
        for (std::size_t i = 1; i < named.size(); ++i)
            QVERIFY(named[i - 1].share >= named[i].share);
    }

    void everyRoundIsToldAndTrainingCanBeStopped() {
        TrainOptions options;
        std::stop_source stop;
        int rounds = 0;
        options.threads = 1;
        options.onRound = [&](const TrainingRound& round) {
            QCOMPARE(round.round, rounds++);
            if (rounds == 5)
                stop.request_stop();
        };
        const auto stopped = trainPredictor(*m_target, {}, m_samples, options, {stop.get_token(), {}});
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        QCOMPARE(rounds, 5);
    }

    void whatLiesOutsideIsTold() {
        const std::vector<Residency> streamed{Residency::Streamed, Residency::Streamed};
        QCOMPARE(m_predictor->outside(reductions({{4, 2000}}).front(), streamed), std::string());
        QCOMPARE(m_predictor->outside(reductions({{16, 100}}).front(), streamed),
                 std::string("b=16, learned 1 to 8; i=100, learned 512 to 4096"));
    }

    void shapesAreReadAsTheyAreWritten() {
        QCOMPARE(kernelOfShape("reduction:3x900").value().text(), reductions({{3, 900}}).front().text());
        for (const char* wrong :
             {"", "reduction", "reduction:3", "reduction:3x", "reduction:x3", "reduction:0x3",
              "reduction:-1x3", "reduction:3x99999999999999999999", ":3x3"})
            QVERIFY2(!kernelOfShape(wrong), wrong);
        QCOMPARE(kernelOfShape("gem:3x3").error().code, ErrorCode::NotFound);
    }

    void storedModelIsTheSame() {
        const auto read = LearnedPredictor::fromBytes(m_predictor->bytes(), "a.predictor").value();
        QCOMPARE(read->version(), m_predictor->version());
        QVERIFY(read->checkFits(*m_target, "a.predictor").has_value());
        QVERIFY(read->knows(reductions({{9, 900}}).front(), *m_target));
        QVERIFY(!read->knows(makeKernel(**findKernelFamily("gemv"), {8, 128}).value(), *m_target));
    }

    void refusesOtherTargetsAndCutFiles() {
        const auto other = m_catalog.find("aim").value();
        QVERIFY(QString::fromStdString(m_predictor->checkFits(*other, "a").error().message)
                    .contains("hbm-pim-hbm3"));
        Target changed = *m_target;
        changed.hash = std::string(64, '0');
        QCOMPARE(m_predictor->checkFits(changed, "a").error().code, ErrorCode::InvalidTarget);
        const std::string& bytes = m_predictor->bytes();
        for (const std::string& broken : {bytes.substr(0, bytes.size() - 10), bytes.substr(0, 50),
                                          std::string("{}\n"), bytes + "x", std::string()})
            QCOMPARE(LearnedPredictor::fromBytes(broken, "a").error().code, ErrorCode::InvalidFile);
        // One bit of a tree: XGBoost is not even asked.
        std::string flipped = bytes;
        flipped[flipped.size() - 200] ^= 1;
        QVERIFY(QString::fromStdString(LearnedPredictor::fromBytes(flipped, "a").error().message)
                    .contains("damaged"));
        // Nor does any bit of the header pass, figures for people among them.
        const std::size_t mean = bytes.find("\"mean\":") + 7;
        QVERIFY(bytes[mean] >= '0' && bytes[mean] <= '9');
        flipped = bytes;
        flipped[mean] = bytes[mean] == '3' ? '4' : '3';
        QVERIFY(QString::fromStdString(LearnedPredictor::fromBytes(flipped, "a").error().message)
                    .contains("damaged"));
        for (std::size_t at = 0; at < bytes.find('\n'); at += 7) {
            flipped = bytes;
            flipped[at] ^= 1 << (at % 8);
            QVERIFY2(!LearnedPredictor::fromBytes(flipped, "a"), bytes.substr(at, 20).c_str());
        }
        std::string older = bytes;
        older.replace(older.find("\"version\":4"), 11, "\"version\":1");
        QVERIFY(QString::fromStdString(LearnedPredictor::fromBytes(older, "a").error().message)
                    .contains("version 1"));
    }

    void refinementLowersTheError() {
        const auto unseen =
            gatherSamples({*m_backend, m_target, {}}, reductions({{13, 7000}}), {}, HoldOut::Some, nullptr)
                .value();
        // A small batch is simulated; the error is that of the others.
        KernelSamples batch = unseen.front(), rest = unseen.front();
        batch.samples.clear();
        rest.samples.clear();
        for (std::size_t i = 0; i < unseen.front().samples.size(); ++i)
            (i % 3 == 0 ? batch : rest).samples.push_back(unseen.front().samples[i]);
        const auto refined = refinePredictor(*m_predictor, *m_target, batch, 30).value();
        QVERIFY(refined->version() != m_predictor->version());
        const double before = predictorError(*m_predictor, *m_target, {&rest, 1}).mean;
        const double after = predictorError(*refined, *m_target, {&rest, 1}).mean;
        QVERIFY2(after < before, qPrintable(QString("%1 %2").arg(before).arg(after)));
    }

    void knownErrorIsThatOfTheForm() {
        const auto explored = [&](const char* target, const CompileOptions& options) {
            const auto at = m_catalog.find(target).value();
            const Kernel kernel = makeKernel(**findKernelFamily("reduction"), {6, 2222}).value();
            return m_backends.find(at->backend)
                .value()
                ->drafts()
                ->exploreKernel(kernel, at, options, {})
                .value();
        };
        CompileOptions options;
        options.predictor = m_predictor;
        const auto known = knownError(*explored("hbm-pim-hbm3", options), options);
        QVERIFY(known && known->drafts > 0 && known->mean < known->meanOfPrice);
        QCOMPARE(known->mean, m_predictor->model().forms.begin()->second.error.mean);
        const auto shipped = knownError(*explored("hbm-pim-hbm3", {}), {}); // the one there is
        QVERIFY(shipped && shipped->drafts != known->drafts);
        QVERIFY(!knownError(*explored("hbm-pim", {}), {}));
        QVERIFY(!knownError(*explored("hbm-pim", options), options)); // of another machine
        options.passes.leftOut = {"group-commands"};
        QVERIFY(!knownError(*explored("hbm-pim-hbm3", options), options)); // and of other code
        QCOMPARE(offText(0.00314), std::string("±0.31 %"));
        QCOMPARE(offText(0.000021), std::string("±0.002 %"));
        QCOMPARE(offText(0), std::string("±0.001 % or less"));
        QCOMPARE(offText(0.0314), std::string("±3.1 %"));
        QCOMPARE(offText(0.314), std::string("±31 %"));
    }

    void codeOfOtherPassesIsNotPredicted() {
        CompileOptions first, other;
        usePredictor(first, *m_target, nullptr);
        QVERIFY(first.predictor);
        QCOMPARE(first.predictorVersion, std::string(first.predictor->version()));
        other.passes.leftOut = {"group-commands"};
        other.predictorVersion = "of before";
        usePredictor(other, *m_target, nullptr);
        QVERIFY(!other.predictor && other.predictorVersion.empty());
        usePredictor(first, *m_catalog.find("aim").value(), nullptr);
        QVERIFY(!first.predictor);
    }

private:
    BackendList m_backends = builtinBackends();
    TargetCatalog m_catalog = TargetCatalog::load();
    std::shared_ptr<const Target> m_target;
    const OpwiseBackend* m_backend = nullptr;
    std::vector<KernelSamples> m_samples;
    std::shared_ptr<const LearnedPredictor> m_predictor;
};

QTEST_GUILESS_MAIN(TestCorePredict)
#include "tst_core_predict.moc"
