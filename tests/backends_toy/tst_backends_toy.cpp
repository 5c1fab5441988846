// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A fifth family comes in by its own folder, a line in the list of backends and a target file: contract, options, sweeps,
/// bundles, reports and projects work without knowing it.
#include "backends/builtin.h"
#include "backends/host/roofline_host.h"
#include "core/base/paths.h"
#include "core/compile/compiler.h"
#include "core/compile/sweep.h"
#include "core/compile/what_if.h"
#include "core/plan/draft_facet.h"
#include "core/plan/family_options.h"
#include "core/report/bundle.h"
#include "core/report/report.h"
#include "tests/backends/contract.h"
#include "tests/backends_toy/toy.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace pim;

class TestToyFamily : public QObject {
    Q_OBJECT
    BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load({PIM_SOURCE_DIR "/tests/backends_toy"});
    std::shared_ptr<const Target> m_target;
    std::shared_ptr<const Graph> m_graph;
    QTemporaryDir m_folder;

    PlanRequest request(OptionTexts options = {}) const {
        PlanRequest made{m_graph, m_target, {}, {}};
        if (!options.empty())
            made.options.family["toy"] = std::move(options);
        return made;
    }

private slots:
    void initTestCase() {
        m_backends.add(
            std::make_unique<test::ToyBackend>(std::make_shared<const RooflineHost>())); // its one line
        const auto target = m_catalog.find("toy");
        QVERIFY2(target.has_value(), target ? "" : target.error().text().c_str());
        m_target = *target;
        m_graph = loadGraph(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx", {.bindings = {{"past", 3}}}).value();
    }

    void keepsThePromisesOfAllFamilies() {
        const QString broken = test::brokenPromise(m_backends, m_target, m_graph);
        QVERIFY2(broken.isEmpty(), qPrintable(broken));
    }

    void whatWouldHelpItIsNotKnown() {
        const auto result = whatIf(m_backends, request(), Simulation{});
        QVERIFY(!result && result.error().code == ErrorCode::Unsupported && !result.error().hint.empty());
    }

    void itsOptionsAreThoseOfHelpSweepsAndProvenance() {
        const auto all = familyOptions(m_backends);
        const auto own =
            std::find_if(all.begin(), all.end(), [](const auto& o) { return o.name == "toy.careful"; });
        QVERIFY(own != all.end());
        CompileOptions options;
        QVERIFY(setFamilyOption(m_backends, options, "careful", "on", "toy").has_value());
        QCOMPARE(options.of("toy").at("careful"), std::string("on"));
        const auto again = optionsFromJson(optionsJson(options), "test");
        QVERIFY(again && again->family == options.family);
        QVERIFY(setFamilyOption(m_backends, options, "toy.careful", "off").has_value());
        QVERIFY(options.family.empty()); // what is as ever is not kept
        const auto wrong = setFamilyOption(m_backends, options, "toy.careful", "perhaps");
        QVERIFY(!wrong && wrong.error().message.find("on|off") != std::string::npos);
        const auto once = compile(m_backends, request()),
                   twice = compile(m_backends, request({{"careful", "on"}}));
        QVERIFY(once && twice);
        QCOMPARE((*twice)->total.computeNs, 2 * (*once)->total.computeNs);
    }

    void itsOptionIsAnAxisOfASweep() {
        SweepSetup setup;
        setup.model = importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").value();
        setup.request.target = m_target;
        setup.axes = parseSweep("past=1,3;careful=on,off").value();
        const auto ready = prepareSweep(m_backends, setup, m_catalog);
        QVERIFY2(ready.has_value(), ready ? "" : ready.error().text().c_str());
        std::vector<SweepPoint> points;
        QVERIFY(sweep(m_backends, setup, {}, [&](SweepPoint point) -> Result<void> {
                    points.push_back(std::move(point));
                    return {};
                }).has_value());
        QCOMPARE(points.size(), std::size_t(4));
        QVERIFY(points[0].totalNs > points[1].totalNs);
        QCOMPARE(points[0].figures.front().first, std::string("toy_products"));
        setup.axes = parseSweep("toy.careful=on,perhaps").value();
        QVERIFY(!prepareSweep(m_backends, setup, m_catalog));
    }

    void itsSectionIsInTheReport() {
        ReportInput input;
        input.plan = compile(m_backends, request()).value();
        const std::filesystem::path file = m_folder.filePath("report.html").toStdString();
        const auto html = [&] {
            QFile written(QString::fromStdString(file.string()));
            return written.open(QIODevice::ReadOnly) ? QString::fromUtf8(written.readAll()) : QString();
        };
        QVERIFY(writeHtmlReport(input, file).has_value());
        QVERIFY(!html().contains("Products of the toy array"));
        input.backend = m_backends.find("toy").value();
        input.options.family["toy"]["careful"] = "on";
        QVERIFY(writeHtmlReport(input, file).has_value());
        QVERIFY(html().contains("Products of the toy array"));
        QVERIFY(html().contains("--toy careful=on"));
    }

    void itsProgramsAreVerifiedInBundles() {
        const auto plan = compile(m_backends, request()).value();
        const std::filesystem::path bundle = m_folder.filePath("bundle").toStdString();
        QVERIFY(writeBundle(m_backends, *plan, {}, bundle).has_value());
        QVERIFY(verifyBundle(m_backends, bundle).value().problems.empty());
        // The same without the family in the list: nobody can read its programs.
        QVERIFY(!verifyBundle(builtinBackends(), bundle).value().problems.empty());
    }

    void itsRunsAndFiguresAreKept() {
        const PlanRequest asked = request({{"careful", "on"}});
        const auto plan = compile(m_backends, asked).value();
        auto project = Project::open(m_folder.filePath("toy.pimproj").toStdString());
        QVERIFY(project.has_value());
        RunContext context;
        context.options = asked.options;
        const auto run = (*project)->recordRun(*plan, context);
        QVERIFY2(run.has_value(), run ? "" : run.error().text().c_str());
        const auto recipe = (*project)->recipe(*run);
        QVERIFY(recipe.has_value());
        const auto again = compile(m_backends, {m_graph, recipe->target, recipe->overrides, recipe->options});
        QVERIFY(again.has_value());
        QCOMPARE(planJson(**again), planJson(*plan));
        QCOMPARE((*project)->run(*run).value().backend, std::string("toy"));
        QVERIFY(!(*project)->run(*run).value().inFlight);
    }

    void whatItDoesNotHaveItSays() {
        const auto drafts = draftsOf(*m_backends.find("toy").value(), "fc1");
        QVERIFY(!drafts);
        QVERIFY(drafts.error().message.find("toy arrays have no tiling drafts: there is one way") == 0);
        QCOMPARE(drafts.error().hint, std::string("look at the products"));
    }
};

QTEST_GUILESS_MAIN(TestToyFamily)
#include "tst_backends_toy.moc"
