// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The evaluation: the GPU's times, the paper's numbers, one comparison in full, its report, and runs in a project.
#include <QTest>

#include <string>

#include "app/evaluation/functional_check.h"
#include "app/evaluation/paper_numbers.h"
#include "app/evaluation/reasons.h"
#include "app/evaluation/stored_runs.h"
#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/graph/zoo/layers.h"
#include "core/project/project.h"
#include "core/report/html_writer.h"

#include <QTemporaryDir>

#include <cmath>

using namespace pim;
using namespace pim::evaluation;

namespace {

EvaluatedKernel taken(Result<EvaluatedKernel> kernel) {
    if (!kernel)
        qFatal("%s", kernel.error().text().c_str());
    return std::move(*kernel);
}

} // namespace

class TestEvaluation : public QObject {
    Q_OBJECT
    BackendList m_backends = builtinBackends();
    TargetCatalog m_catalog = TargetCatalog::load();

private slots:
    /// Speed-ups of vectors are linear in their length and do not depend on the batch, as the paper's bars.
    void vectorsOnTheGpuTakeTimeByTheirLengthAlone() {
        Evaluator evaluator(m_backends, m_catalog, {});
        const auto target = evaluator.target("attacc", kStrict);
        QVERIFY(target);
        const auto ns = [&](int dim, int batch) {
            return gpuNs((*target)->host, taken(vectorsOf(KernelKind::Relu, dim, batch)));
        };
        QVERIFY(std::abs(ns(2048, 1) / ns(1024, 1) - 2) < 1e-9);
        QVERIFY(std::abs(ns(1024, 4) / ns(1024, 1) - 1) < 1e-9);
        // 2 vectors of 1024 halves by 1 of 108 cores of 3352 GB/s x 0.85
        QVERIFY(std::abs(ns(1024, 1) - 4096 / (3352 * 0.85 / 108)) < 0.5);
        // 32 of 108 cores read 32 matrices of 512 x 128 halves, vectors and results with them
        const double bytes = 2.0 * 32 * (512 * 128 + 512 + 128);
        QVERIFY(
            std::abs(gpuNs((*target)->host, taken(gemvOf(32, 512, 1))) / (bytes / (3352 * 0.85 * 32 / 108)) -
                     1) < 0.02);
    }

    void thePapersNumbersAreThoseOfItsAbstract() {
        const auto paper = readPaperNumbers();
        QVERIFY2(paper, paper ? "" : paper.error().text().c_str());
        const PaperSeries& gemv = paper->hbmPim.at("GEMV");
        QCOMPARE(gemv.lower.size(), std::size_t{8});
        QVERIFY(std::abs(geomean(gemv.higher) / geomean(gemv.lower) - 1.57) < 0.01);
        const PaperSeries& attention = paper->attacc.at("ATTN");
        QVERIFY(std::abs(geomean(attention.higher) - 10.40) < 0.01);
        std::vector<double> overGpu;
        for (const auto& [model, lengths] : paper->llm)
            for (const auto& [length, bars] : lengths)
                overGpu.push_back(bars.at(3));
        QCOMPARE(overGpu.size(), std::size_t{12});
        QVERIFY(std::abs(geomean(overGpu) - 4.88) < 0.01);
        QCOMPARE(paper->predictor.at("AttAcc+ATTN").at(0), 272.0);
    }

    void aComparisonIsMadeOnceAndAddsUp() {
        Evaluator evaluator(m_backends, m_catalog, {4, 2});
        const EvaluatedKernel kernel = taken(vectorsOf(KernelKind::Add, 1024, 2));
        const auto strict = evaluator.compare(kernel, "hbm-pim-hbm3", kStrict, {});
        QVERIFY2(strict, strict ? "" : strict.error().text().c_str());
        QCOMPARE(*evaluator.compare(kernel, "hbm-pim-hbm3", kStrict, {}), *strict);
        QVERIFY((*strict)->gain() >= 1);
        QVERIFY((*strict)->fixed.cost.modeSwitchNs > 0);
        QVERIFY((*strict)->computeFirst.cost.totalNs() >= (*strict)->chosen.cost.totalNs());
        const auto assumed = evaluator.compare(kernel, "hbm-pim-hbm3", kAsInPaper, {});
        QVERIFY(assumed);
        QCOMPARE((*assumed)->fixed.cost.modeSwitchNs, 0.0);
        QVERIFY((*assumed)->chosen.cost.totalNs() < (*strict)->chosen.cost.totalNs());
        QVERIFY(evaluator.strictComparisons().size() == 1);
    }

    /// The same drafts are simulated before one is taken, so the units do the same.
    void theChoiceIsThatOfACompile_data() {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("length");
        for (const char* target : {"attacc", "hbm-pim-hbm3"})
            for (const auto& [heads, length] : {std::pair{32, 512}, {8, 300}})
                QTest::addRow("%s %dx%d", target, heads, length) << target << heads << length;
    }
    void theChoiceIsThatOfACompile() {
        QFETCH(QString, target);
        QFETCH(int, heads);
        QFETCH(int, length);
        QTemporaryDir folder;
        zoo::GraphWriter writer("gemv", "One product for each head", DataType::F16);
        const std::string x = writer.input("x", writer.floatType(), {heads, 1, 128});
        const std::string product = writer.node("MatMul", {x, writer.weight("W", {heads, 128, length}, {})});
        writer.output(product, "y", {heads, 1, length});
        const std::filesystem::path file = folder.filePath("gemv.onnx").toStdString();
        QVERIFY(writer.write(file, {zoo::GraphWriter::Weights::Absent, 1, 0}, {}));
        PlanRequest request;
        request.target = *m_catalog.find(target.toStdString());
        request.graph = *loadGraph(file, {}, {});
        request.overrides.set({"", "placement", "pim"});
        request.options.verifyDrafts = kVerifiedDrafts;
        const auto plan = compile(m_backends, request);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        Evaluator evaluator(m_backends, m_catalog, {});
        const auto compared =
            evaluator.compare(taken(gemvOf(heads, length, 1)), target.toStdString(), kStrict, {});
        QVERIFY(compared);
        const OpPlan& op = (*plan)->ops[0];
        QVERIFY(op.draftCheck && op.draftCheck->simulated > 1);
        const CostSplit &compiled = op.cost, &chosen = (*compared)->chosen.cost;
        QVERIFY2(std::abs(compiled.computeNs / chosen.computeNs - 1) < 0.005 &&
                     std::abs(compiled.modeSwitchNs - chosen.modeSwitchNs) < 1,
                 qPrintable(QString("compute %1 and %2 ns").arg(compiled.computeNs).arg(chosen.computeNs)));
    }

    void chosenProgramsComputeTheKernel() {
        Evaluator evaluator(m_backends, m_catalog, {2, 2});
        for (const auto& [kernel, target] :
             {std::pair{taken(vectorsOf(KernelKind::Reduce, 1000, 3)), "attacc"},
              std::pair{taken(vectorsOf(KernelKind::Relu, 1024, 2)), "hbm-pim-hbm3"},
              std::pair{taken(gemvOf(8, 128, 1)), "hbm-pim-hbm3"},
              std::pair{taken(attentionOf(8, 128, 1)), "attacc"},
              std::pair{taken(gemvOf(32, 512, 1)), "attacc"},
              std::pair{taken(linearOf(640, 512, 3)), "attacc"}}) {
            const auto compared = evaluator.compare(kernel, target, kStrict, {});
            QVERIFY2(compared, compared ? "" : compared.error().text().c_str());
            const auto result = checkChosen(evaluator, **compared, {});
            QVERIFY2(result, result ? "" : result.error().text().c_str());
            QVERIFY2(result->wrong == 0 && result->elements > 0,
                     qPrintable(QString("%1: %2 of %3 wrong, %4")
                                    .arg(QString::fromStdString(result->program))
                                    .arg(result->wrong)
                                    .arg(result->elements)
                                    .arg(result->maxRelative)));
        }
    }

    void aFigureHasAReportAndItsReasonsNumbers() {
        Evaluator evaluator(m_backends, m_catalog, {1, 2});
        Evaluation evaluation;
        Figure figure;
        figure.number = 7;
        figure.title = "Kernels on HBM-PIM";
        figure.quantity = "Speed-up over the GPU";
        FigurePoint point;
        point.group = "RELU on HBM-PIM";
        point.label = "dim 1024, batch 1";
        point.paper = {0.94, 1.67};
        const EvaluatedKernel kernel = taken(vectorsOf(KernelKind::Relu, 1024, 1));
        point.strict = *evaluator.compare(kernel, "hbm-pim-hbm3", kStrict, {});
        point.asInPaper = *evaluator.compare(kernel, "hbm-pim-hbm3", kAsInPaper, {});
        point.ours = {point.strict->fixedSpeedup(), point.strict->chosenSpeedup()};
        point.assumed = {point.asInPaper->fixedSpeedup(), point.asInPaper->chosenSpeedup()};
        figure.points.push_back(point);
        evaluation.figures.push_back(figure);
        evaluation.claims = claimsOf(evaluation.figures);
        QCOMPARE(evaluation.claims.size(), std::size_t{2});
        const std::string reason = reasonOf(figure, groupMeans(figure).front());
        QVERIFY(reason.find("between the modes") != std::string::npos);
        const std::string html = report::htmlText(evaluationDocument(evaluation));
        QVERIFY(html.find("RELU on HBM-PIM") != std::string::npos && html.find("<svg") != std::string::npos);
        QVERIFY(evaluationJson(evaluation).find("\"paper\"") != std::string::npos);
        QCOMPARE(evaluationText(evaluation), evaluationText(evaluation));
    }

    /// 64 MACs of a row 2 clocks apart, 12 + 32 to close it, two changes of mode and 3 clocks of results: 237; of half a row
    /// 173 each. One load is 128 clocks: 3.3 % beside 16 rows.
    void passesThatGainNothingAreBounded() {
        Evaluator evaluator(m_backends, m_catalog, {});
        Figure figure;
        figure.number = 6;
        FigurePoint point;
        point.group = "GEMV on AttAcc";
        point.strict = *evaluator.compare(taken(gemvOf(32, 512, 1, 128)), "attacc", kStrict, {});
        figure.points.push_back(point);
        Target aim = **m_catalog.find("aim");
        const auto said = passesWithoutGain({figure}, aim);
        QCOMPARE(said.size(), std::size_t{2});
        QVERIFY2(said[0].find("of figure 6") != std::string::npos, said[0].c_str());
        QVERIFY2(said[1].find("takes 346 clocks in two openings instead of 237") != std::string::npos,
                 said[1].c_str());
        QVERIFY2(said[1].find("3.3 % of the time with 16 rows") != std::string::npos, said[1].c_str());
        aim.parameters.at("timing.nMODCH").value = 40;
        QVERIFY2(passesWithoutGain({}, aim)[1].find("takes 378 clocks") != std::string::npos,
                 "16 more for each half");

        Evaluation evaluation;
        evaluation.withoutGain = said;
        QVERIFY(evaluationText(evaluation).find(said[1]) != std::string::npos);
        QVERIFY(evaluationJson(evaluation).find("passes_without_gain") != std::string::npos);
    }

    void anUnknownFigureIsRefused() {
        Evaluator evaluator(m_backends, m_catalog, {});
        const auto figure = computeFigure(3, evaluator, {});
        QVERIFY(!figure);
        QVERIFY(figure.error().text().find("2, 6, 7, 8, 9, 10") != std::string::npos);
    }

    void runsAreStoredAndCanBeMadeAgain() {
        QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("dcc.pimproj").toStdString();
        const auto stored = storeRuns(m_backends, m_catalog, 0, file, {});
        QVERIFY2(stored, stored ? "" : stored.error().text().c_str());
        QCOMPARE(stored->size(), std::size_t{4});
        const auto project = Project::open(file, Project::Mode::ReadOnly);
        QVERIFY(project);
        const auto published = (*project)->run((*stored)[0]), chosen = (*project)->run((*stored)[1]);
        QVERIFY(published && chosen);
        QCOMPARE(published->label, std::string("published mapping"));
        QVERIFY(chosen->totalNs < published->totalNs);
        const auto recipe = (*project)->recipe((*stored)[0]);
        QVERIFY(recipe && std::filesystem::exists(recipe->modelPath));
        QCOMPARE(recipe->options.mapping, MappingChoice::Fixed);
    }
};

QTEST_APPLESS_MAIN(TestEvaluation)
#include "tst_app_evaluation.moc"
