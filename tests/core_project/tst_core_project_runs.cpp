// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The history of runs: which are wanted, which is best, how they differ, and that a run made again is the
/// same run.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/compile/compiler.h"
#include "core/hardware/catalog.h"
#include "core/predict/shipped.h"
#include "core/predict/training.h"
#include "core/project/compare_runs.h"
#include "core/project/rerun.h"
#include "core/project/run_filter.h"

#include <QFile>
#include <QTemporaryDir>

using namespace pim;

namespace {

RunInfo info(std::int64_t id, double totalNs, const std::string& target = "attacc",
             const std::string& model = "resnet50") {
    RunInfo run;
    run.id = id;
    run.modelName = model;
    run.modelHash = "hash of " + model;
    run.targetId = target;
    run.targetHash = "hash of " + target;
    run.host = "a100";
    run.bindings = "batch=1";
    run.overridesJson = Overrides().json();
    run.variant = "main";
    run.startedUtc = "2026-05-" + std::to_string(10 + id) + "T10:00:00Z";
    run.toolVersion = "0.1.0";
    run.totalNs = totalNs;
    return run;
}

std::vector<RunOp> ops(double factor, int count = 6) {
    std::vector<RunOp> result;
    for (int i = 0; i < count; ++i) {
        RunOp op;
        op.name = "op" + std::to_string(i);
        op.type = "Conv";
        op.placement = i % 2 ? "pim" : "host";
        if (i % 2)
            op.cost = {100.0 * i, 200.0 * i * factor, 50.0 * i, 5, 3, 0};
        else
            op.cost.hostNs = 400.0 * i;
        result.push_back(op);
    }
    return result;
}

std::string ids(const std::vector<RunInfo>& runs) {
    std::string text;
    for (const RunInfo& run : runs)
        text += (text.empty() ? "" : " ") + std::to_string(run.id);
    return text;
}

} // namespace

class TestRunHistory : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    BackendList m_backends = builtinBackends();
    std::string m_model;

    /// A project with one run of the small model on a target.
    std::unique_ptr<Project> projectOn(const char* target, const char* name,
                                       const Overrides& overrides = {}) {
        const std::string file = m_folder.filePath(name).toStdString();
        GraphOptions options;
        options.bindings = {{"batch", 1}};
        const auto graph = loadGraph(m_model, options);
        if (!graph)
            qFatal("%s", graph.error().text().c_str());
        const auto machine = TargetCatalog::load().find(target);
        const auto plan = compile(m_backends, {*graph, *machine, overrides, {}});
        if (!plan)
            qFatal("%s", plan.error().text().c_str());
        auto project = Project::open(file);
        RunContext context;
        context.compileMs = 90'000;
        if (!project || !(*project)->recordRun(**plan, context))
            qFatal("the run could not be stored");
        return std::move(*project);
    }

private slots:
    void init() { // every test has the model as it was
        m_model = m_folder.filePath("model.onnx").toStdString();
        QFile::remove(QString::fromStdString(m_model));
        QVERIFY(
            QFile::copy(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx", QString::fromStdString(m_model)));
    }

    /// The project keeps what ranked the drafts, by its digest, for as long as anything names it.
    void runsAreCompleteWithoutTheFileOfTheirPredictor() {
        const std::string file = m_folder.filePath("ranked.pimproj").toStdString();
        const auto target = TargetCatalog::load().find("hbm-pim").value(); // none is shipped for it
        const auto* const backend =
            dynamic_cast<const OpwiseBackend*>(m_backends.find(target->backend).value());
        const auto graph = loadGraph(m_model, {.bindings = {{"batch", 1}}}).value();
        const auto plain = compile(m_backends, {graph, target, {}, {}}).value();
        TrainOptions few;
        few.booster.rounds = 3;
        few.samples = {.cheapest = 3, .quantiles = 2, .diverse = 1, .random = 1};
        const auto samples =
            gatherSamples({*backend, target, {}}, kernelsOf(*plain), few, HoldOut::Some, nullptr).value();
        const auto learned = trainPredictor(*target, {}, samples, few).value();
        CompileOptions options;
        usePredictor(options, learned);
        const auto plan = compile(m_backends, {graph, target, {}, options}).value();
        auto project = Project::open(file).value();
        RunContext context;
        context.options = options;
        QVERIFY(project->recordRun(*plan, context));
        const RunRecipe recipe = project->recipe(1).value();
        QVERIFY(recipe.options.predictor && recipe.options.predictor->version() == learned->version());
        const auto again = rerun(*project, 1, m_backends);
        QVERIFY2(again && again->identical(),
                 again ? again->summary().c_str() : again.error().text().c_str());

        const std::string key = "predictor/" + learned->digest();
        const std::string stored = project->value(key).value();
        std::string damaged = stored;
        damaged[stored.size() / 2] = damaged[stored.size() / 2] == 'A' ? 'B' : 'A';
        QVERIFY(project->setValue(key, damaged));
        QVERIFY(!project->recipe(1).value().options.predictor);
        const auto refused = rerun(*project, 1, m_backends);
        QVERIFY(!refused);
        QVERIFY(QString::fromStdString(refused.error().text()).contains("which is not here any more"));
        QVERIFY(project->setValue(key, stored));

        QVERIFY(project->recordRun(*plan, context));
        QVERIFY(project->deleteRun(1));
        QVERIFY(project->value(key)); // the other run names it
        QVERIFY(project->deleteRun(2));
        QVERIFY(!project->value(key));
    }

    void filtersByWordsAndTerms_data() {
        QTest::addColumn<QString>("filter");
        QTest::addColumn<QString>("wanted");
        QTest::newRow("all") << ""
                             << "4 3 2 1";
        QTest::newRow("word") << "RESNET"
                              << "3 2 1";
        QTest::newRow("two words") << "resnet hbm"
                                   << "2";
        QTest::newRow("term") << "target:attacc"
                              << "4 3 1";
        QTest::newRow("quoted") << "label:\"with gemm\""
                                << "3";
        QTest::newRow("quoted colon") << "\"a: b\""
                                      << "1";
        QTest::newRow("faster") << "faster:1.5us"
                                << "4 2";
        QTest::newRow("slower") << "slower:1500ns"
                                << "3 1";
        QTest::newRow("since") << "since:2026-05-13"
                               << "4 3";
        QTest::newRow("until") << "until:2026-05-12"
                               << "2 1";
        QTest::newRow("number") << "run:2"
                                << "2";
        QTest::newRow("best") << "is:best"
                              << "1";
        QTest::newRow("simulated") << "is:simulated"
                                   << "4";
        QTest::newRow("none") << "target:none"
                              << "";
    }
    void filtersByWordsAndTerms() {
        QFETCH(QString, filter);
        QFETCH(QString, wanted);
        std::vector<RunInfo> runs{info(4, 1000, "attacc", "bert"), info(3, 3000), info(2, 1000, "hbm-pim"),
                                  info(1, 2000)};
        runs[0].origin = Origin::Simulated;
        runs[1].label = "with gemm";
        runs[3].note = "a: b";
        const auto parsed = RunFilter::parse(filter.toStdString());
        QVERIFY2(parsed.has_value(), parsed ? "" : parsed.error().text().c_str());
        QCOMPARE(QString::fromStdString(ids(parsed->apply(runs))), wanted);
    }

    void saysWhatIsWrongWithAFilter() {
        for (const char* wrong : {"size:3", "faster:fast", "faster:3", "faster:-1ms", "since:yesterday",
                                  "since:2026-5-1", "run:x", "is:good"}) {
            const auto parsed = RunFilter::parse(wrong);
            QVERIFY2(!parsed, wrong);
            QCOMPARE(parsed.error().code, ErrorCode::Usage);
            QVERIFY2(!parsed.error().hint.empty(), wrong);
        }
    }

    void theBestIsTheFastestOfItsKind() {
        std::vector<RunInfo> runs{info(1, 30), info(2, 20), info(3, 20), info(4, 10, "hbm-pim"), info(5, 0)};
        QVERIFY(bestRuns(runs) ==
                std::vector<std::int64_t>{2}); // the first of equal ones; one alone is not "best"
        runs.push_back(info(6, 5));
        runs.back().origin = Origin::Simulated; // says something else than a predicted time
        QVERIFY(bestRuns(runs) == std::vector<std::int64_t>{2});
    }

    void comparesAnyNumberAndAddsUp() {
        const auto c =
            compareRuns({info(1, 1), info(2, 1), info(3, 1, "hbm-pim")}, {ops(1), ops(2), ops(5, 4)}, 0);
        QVERIFY(c.sameModel && !c.sameTarget && !c.sameModelAndTarget());
        QVERIFY(c.differences[0].empty() && c.differences[1].empty());
        QCOMPARE(QString::fromStdString(c.differences[2].at(0)), QStringLiteral("Target: attacc → hbm-pim"));
        QCOMPARE(c.ops.size(), 6u);
        for (std::size_t i = 1; i < c.ops.size(); ++i)
            QVERIFY(std::abs(c.deltaNs(c.ops[i - 1], c.farthest(c.ops[i - 1]))) >=
                    std::abs(c.deltaNs(c.ops[i], c.farthest(c.ops[i]))));
        for (std::size_t run = 0; run < 3; ++run) {
            double sum = 0;
            for (const ComparedOp& op : c.ops)
                sum += c.deltaNs(op, run);
            QVERIFY(std::abs(sum - (c.totals[run].totalNs() - c.totals[0].totalNs())) < 1e-9);
            QCOMPARE(c.speedup(run), c.totals[0].totalNs() / c.totals[run].totalNs());
        }
        const auto missing =
            std::find_if(c.ops.begin(), c.ops.end(), [](const ComparedOp& op) { return op.name == "op5"; });
        QVERIFY(!missing->sides[2].there);
        QCOMPARE(QString::fromStdString(c.why(*missing, 2)), QStringLiteral("only in run 1"));
        QVERIFY2(c.why(1).find("run 2") != std::string::npos && c.why(1).find("ompute") != std::string::npos,
                 c.why(1).c_str());
    }

    /// The time of a sample and the time between two of them are no times of the same kind.
    void timesBetweenSamplesAreNotComparedWithTimesOfSamples() {
        std::vector<RunInfo> runs{info(1, 10), info(2, 20), info(3, 30)};
        runs[0].inFlight = true;
        const auto c = compareRuns(runs, {ops(1), ops(2), ops(3)}, 1);
        QVERIFY(c.sameModelAndTarget() && !c.sameClock);
        QCOMPARE(c.speedup(0), 0.0);
        QVERIFY(c.speedup(2) > 0);
        QVERIFY2(c.why(0).find("between two samples") != std::string::npos, c.why(0).c_str());
        QVERIFY(bestRuns(runs) == std::vector<std::int64_t>{2}); // 1 is the only one of its kind
    }

    void theOtherWayRoundIsTheOpposite() {
        const auto there = compareRuns({info(1, 1), info(2, 1)}, {ops(1), ops(2)}, 0);
        const auto back = compareRuns({info(1, 1), info(2, 1)}, {ops(1), ops(2)}, 1);
        for (std::size_t i = 0; i < there.ops.size(); ++i)
            QCOMPARE(there.deltaNs(there.ops[i], 1), -back.deltaNs(back.ops[i], 0));
    }

    void namesWhatDiffers() {
        RunInfo a = info(1, 1), b = info(2, 1, "hbm-pim");
        b.bindings = "batch=4";
        Overrides overrides;
        overrides.set({"op1", "placement", "host"});
        b.overridesJson = overrides.json();
        b.toolVersion = "0.2.0";
        std::string all;
        const auto c = compareRuns({a, b}, {ops(1), ops(1)}, 0);
        for (const std::string& line : c.differences[1])
            all += line + "\n";
        for (const char* wanted : {"attacc → hbm-pim", "batch=1 → batch=4",
                                   "op1 placement: compiler's choice → host", "0.1.0 → 0.2.0"})
            QVERIFY2(all.find(wanted) != std::string::npos, all.c_str());
    }

    void madeAgainItIsTheSameToTheLastBit_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "hbm-pim", "aim", "dynaplasia"})
            QTest::newRow(target) << target;
    }
    void madeAgainItIsTheSameToTheLastBit() {
        QFETCH(QString, target);
        const auto project =
            projectOn(target.toLatin1().constData(), ("same-" + target + ".pimproj").toLatin1().constData());
        const auto again = rerun(*project, 1, m_backends);
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QVERIFY2(again->identical(), again->summary().c_str());
        QVERIFY(again->numbers > 100);
        QVERIFY(again->reasons.empty());
        QVERIFY(again->summary().starts_with("identical"));
        QCOMPARE(project->runs()->size(), 1u); // nothing was stored
    }

    void madeAgainWithDecisionsItIsTheSame() {
        GraphOptions options;
        options.bindings = {{"batch", 1}};
        const auto graph = loadGraph(m_model, options);
        Overrides overrides;
        const auto plain = compile(m_backends, {*graph, *TargetCatalog::load().find("attacc"), {}, {}});
        for (const OpPlan& op : (*plain)->ops)
            if (!op.onHost() && overrides.empty())
                overrides.set({(*graph)->op(op.op).name, "placement", "host"});
        QVERIFY(!overrides.empty());
        const auto project = projectOn("attacc", "decided.pimproj", overrides);
        const auto again = rerun(*project, 1, m_backends);
        QVERIFY(again && again->identical());
        QVERIFY(again->plan->overrides == overrides);
    }

    void aRunSaysWhenItBegan() {
        const auto project = projectOn("attacc", "began.pimproj"); // took 90 s, as it was told
        const auto query =
            QDateTime::fromString(QString::fromStdString(project->run(1)->startedUtc), Qt::ISODate);
        const qint64 ago = query.secsTo(QDateTime::currentDateTimeUtc());
        QVERIFY2(ago >= 89 && ago < 89 + 300, qPrintable(QString::number(ago)));
    }

    void saysWhatDiffersAndWhyOnAChangedModel() {
        const auto project = projectOn("attacc", "changed.pimproj");
        QFile::remove(QString::fromStdString(m_model));
        QVERIFY(
            QFile::copy(PIM_SOURCE_DIR "/projects/resnet50/resnet50.onnx", QString::fromStdString(m_model)));
        const auto again = rerun(*project, 1, m_backends);
        QVERIFY2(again.has_value(), again ? "" : again.error().text().c_str());
        QVERIFY(!again->identical());
        QCOMPARE(QString::fromStdString(again->differences.front().what), QStringLiteral("total time"));
        QVERIFY2(again->summary().find("model.onnx has changed") != std::string::npos,
                 again->summary().c_str());
    }

    void saysThatTheModelIsGone() {
        const auto project = projectOn("attacc", "gone.pimproj");
        QFile::remove(QString::fromStdString(m_model));
        const auto again = rerun(*project, 1, m_backends);
        QVERIFY(!again && again.error().text().find("model.onnx") != std::string::npos);
        QVERIFY(!rerun(*project, 7, m_backends)); // no such run
    }

    void canBeStopped() {
        const auto project = projectOn("attacc", "stopped.pimproj");
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        const auto again = rerun(*project, 1, m_backends, task);
        QVERIFY(!again && again.error().code == ErrorCode::Cancelled);
    }

    void labelsChange() {
        const auto project = projectOn("attacc", "label.pimproj");
        QVERIFY(project->setRunLabel(1, "the one for the paper").has_value());
        QCOMPARE(QString::fromStdString(project->run(1)->label), QStringLiteral("the one for the paper"));
        QVERIFY(!project->setRunLabel(2, "none"));
    }
};

QTEST_GUILESS_MAIN(TestRunHistory)
#include "tst_core_project_runs.moc"
