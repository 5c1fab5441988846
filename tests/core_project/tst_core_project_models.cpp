// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Networks as an axis of sweeps: each as if it were alone, several as one point, what a project remembers of them.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/compile/search/sweep_search.h"
#include "core/compile/sweep_networks.h"
#include "core/project/sweep_run.h"

#include <QTemporaryDir>

#include <algorithm>
#include <filesystem>
#include <map>

using namespace pim;
namespace fs = std::filesystem;

class TestSweptModels : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    static fs::path sample(const std::string& id) { return samplesDir() / id / (id + ".onnx"); }
    fs::path copyOf(const std::string& id, const char* name) {
        fs::path copy = m_folder.filePath(QString::fromLatin1(name)).toStdString();
        fs::copy_file(sample(id), copy, fs::copy_options::overwrite_existing);
        return copy;
    }
    /// \param model of a sweep over one; empty: the axis names them.
    Result<SweepSetup> prepared(const std::string& over, const fs::path& model = {},
                                std::map<std::string, std::int64_t> bindings = {}) const {
        SweepSetup setup;
        PIM_TRY(setup.axes, parseSweep(over));
        if (!model.empty()) {
            PIM_TRY(setup.model, importModel(model));
        }
        PIM_TRY(setup.request.target, m_catalog.find("attacc"));
        setup.graph.bindings = std::move(bindings);
        PIM_CHECK(prepareSweep(m_backends, setup, m_catalog));
        return setup;
    }
    /// Times, figures and problems by values, whatever their order.
    std::map<std::string, std::string> results(const Result<SweepSetup>& setup, int threads = 1) const {
        std::map<std::string, std::string> all;
        if (!setup)
            return {{"", setup.error().text()}};
        SweepSetup used = *setup;
        used.request.options.threads = threads;
        const auto done = sweep(m_backends, used, {}, [&](const SweepPoint& point) -> Result<void> {
            std::vector<std::string> values = point.values;
            std::ranges::sort(values);
            std::string key, text = point.problem;
            for (const std::string& value : values)
                key += value + ";";
            if (point.problem.empty()) {
                for (const double number : {point.totalNs, point.hostOnlyNs, point.macs})
                    text += QByteArray::number(number, 'g', 17).toStdString() + "|";
                for (const auto& [name, value] : point.figures)
                    text += name + QByteArray::number(value, 'g', 17).toStdString() + "|";
            }
            all[key] = text;
            return {};
        });
        return done ? all : std::map<std::string, std::string>{{"", done.error().text()}};
    }

private slots:
    /// Whichever was planned before it, and however many at once.
    void eachIsAsIfItWereAlone() {
        const std::string machines = "target=attacc,dynaplasia,isaac;quick=on";
        const auto together = results(prepared("model=sample:tiny-gpt,sample:mobilenetv2;" + machines));
        QCOMPARE(together.size(), std::size_t{6});
        QCOMPARE(results(prepared(machines + ";model=sample:mobilenetv2,sample:tiny-gpt"), 3), together);
        for (const char* const id : {"tiny-gpt", "mobilenetv2"}) {
            const auto bindings = prepared(std::string("model=sample:") + id)->networks.at(0).bindings;
            for (const auto& [key, text] : results(prepared(machines, sample(id), bindings))) {
                const auto same = std::ranges::find_if(together, [&](const auto& other) {
                    return other.first.find(id) != std::string::npos && other.first.starts_with(key);
                });
                QVERIFY2(same != together.end(), key.c_str());
                QCOMPARE(same->second, text);
            }
        }
    }

    /// What one of them cannot be is no reason to leave out the others.
    void whatOneLacksIsItsOwnProblem() {
        const auto all = results(prepared("model=sample:tiny-gpt,sample:mobilenetv2,worst(sample:tiny-gpt,"
                                          "sample:mobilenetv2);past=8,16"));
        QCOMPARE(all.size(), std::size_t{6});
        for (const auto& [key, text] : all)
            QCOMPARE(text.find("no open dimension \"past\"") != std::string::npos,
                     key.find("mobilenetv2") != std::string::npos);
        // Decisions about ops of one concern that one.
        auto setup = *prepared("model=sample:tiny-gpt,sample:mobilenetv2");
        const auto free = results(setup);
        const Graph& graph = *setup.networks[0].base;
        for (const Op& op : graph.ops)
            setup.request.overrides.set({op.name, "placement", "host"});
        const auto decided = results(setup);
        QVERIFY(decided.at("sample:tiny-gpt;") != free.at("sample:tiny-gpt;"));
        QCOMPARE(decided.at("sample:mobilenetv2;"), free.at("sample:mobilenetv2;"));
    }

    void bindingsGoToThoseThatHaveThem() {
        const auto setup = prepared("model=sample:tiny-gpt,sample:mobilenetv2", {}, {{"past", 5}});
        QVERIFY2(setup, setup ? "" : setup.error().text().c_str());
        QCOMPARE(setup->networks[0].bindings.at("past"), std::int64_t{5});
        QVERIFY(!setup->networks[1].bindings.contains("past"));
        QVERIFY(setup->model == setup->networks[0].model);
        QCOMPARE(networksText(*setup), setup->base->name + " and 1 more");
    }

    void whatCannotBeIsSaid_data() {
        QTest::addColumn<QString>("over");
        QTest::addColumn<QString>("said");
        QTest::newRow("no file") << "model=nothing.onnx,sample:tiny-gpt"
                                 << "no such file, and no sample of that name";
        QTest::newRow("twice")
            << QString("model=sample:tiny-gpt,%1").arg(QString::fromStdString(sample("tiny-gpt").string()))
            << "is the same network as \"sample:tiny-gpt\"";
        QTest::newRow("nobody's axis") << "model=sample:tiny-gpt,sample:mobilenetv2;length=4"
                                       << "batch, past";
    }
    void whatCannotBeIsSaid() {
        QFETCH(QString, over);
        QFETCH(QString, said);
        const auto setup = prepared(over.toStdString());
        QVERIFY(!setup);
        QVERIFY2(QString::fromStdString(setup.error().text()).contains(said), setup.error().text().c_str());
        QVERIFY(prepared("model=sample:tiny-gpt", {}, {{"length", 3}})
                    .error()
                    .text()
                    .find("none of the models has") != std::string::npos);
    }

    /// Points of several networks are not compared with each other.
    void searchesTakeModelsTogether() {
        SearchOptions options;
        options.evaluations = 12;
        const auto apart = searchSweep(
            m_backends, *prepared("model=sample:tiny-gpt,sample:mobilenetv2;group.count=2..8"), options, {});
        QVERIFY(!apart);
        QCOMPARE(apart.error().code, ErrorCode::Usage);
        const auto setup =
            prepared("model=sum(sample:tiny-gpt,sample:mobilenetv2);group.count=2..8;timing.nCCDL=2..8+1");
        QVERIFY2(setup, setup ? "" : setup.error().text().c_str());
        const auto found = searchSweep(m_backends, *setup, options, {"total_ns"});
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QCOMPARE(found->points.size(), std::size_t{12});
        QVERIFY(std::ranges::all_of(found->points, [](const SweepPoint& p) { return p.problem.empty(); }));
    }

    /// Capacity and time: what does not hold is left out, and nothing else is.
    void conditionsHoldInSearches() {
        SearchOptions options;
        options.evaluations = 20;
        const auto setup =
            prepared("core.bank.capacity=2MiB..16MiB;group.count=2..32;timing.nCCDL=2..8+1;"
                     "core.bank.capacity*group.count<=128MiB;core.bank.capacity>=4MiB;total_ns<1s",
                     sample("tiny-gpt"));
        QVERIFY2(setup, setup ? "" : setup.error().text().c_str());
        const auto found = searchSweep(m_backends, *setup, options, {"total_ns"});
        QVERIFY2(found, found ? "" : found.error().text().c_str());
        QCOMPARE(found->points.size(), std::size_t{20});
        int held = 0;
        for (const SweepPoint& point : found->points) {
            const int mib = std::stoi(point.values[0]), groups = std::stoi(point.values[1]);
            const bool holds = mib * groups <= 128 && mib >= 4;
            held += holds ? 1 : 0;
            QVERIFY2(holds ? point.problem.empty() : point.isLeftOut(), point.problem.c_str());
        }
        QVERIFY(held > 0 && held < 20);
    }

    /// Energy by time; a condition leaves out what takes more, and says so where no energy is known.
    void powerIsAFigure() {
        const auto setup = prepared("target=attacc,isaac;simulate=on", sample("tiny-gpt"));
        std::vector<SweepPoint> points;
        QVERIFY(sweep(m_backends, *setup, {}, [&](SweepPoint point) -> Result<void> {
                    points.push_back(std::move(point));
                    return {};
                }).has_value());
        for (const SweepPoint& point : points) {
            QVERIFY2(point.problem.empty(), point.problem.c_str());
            QCOMPARE(*point.figure("power_w"),
                     *point.figure("system_energy_pj") / *point.figure("simulated_ns") / 1e3);
        }
        const auto powerOf = [&](std::size_t p) { return *points[p].figure("power_w"); };
        const double between = (powerOf(0) + powerOf(1)) / 2;
        const auto held = results(
            prepared("target=attacc,isaac;simulate=on;power_w<=" + std::to_string(between * 1e3) + "mW",
                     sample("tiny-gpt")));
        int leftOut = 0;
        for (const auto& [key, text] : held) {
            const bool isMore = powerOf(key.find("isaac") != std::string::npos ? 1 : 0) > between;
            leftOut += isMore ? 1 : 0;
            QCOMPARE(text.starts_with("left out: power_w<="), isMore);
        }
        QCOMPARE(leftOut, 1);
        const std::string unknown =
            results(prepared("target=attacc;power_w<=9", sample("tiny-gpt"))).begin()->second;
        QVERIFY2(unknown.starts_with("condition: \"power_w<=9\" names the unknown \"power_w\". the energy") &&
                     unknown.ends_with("add simulate=on"),
                 unknown.c_str());
        const std::string formula =
            results(prepared("target=attacc;cost:=2*none", sample("tiny-gpt"))).begin()->second;
        QVERIFY2(formula.starts_with("cost: \"2*none\" names the unknown \"none\". formulas know"),
                 formula.c_str());
    }

    void aProjectKnowsEachOfThem() {
        const fs::path tiny = copyOf("tiny-gpt", "a.onnx"), mobile = copyOf("mobilenetv2", "b.onnx");
        const std::string over =
            "model=" + tiny.string() + "," + mobile.string() + ";target=attacc,hbm-pim;batch=2";
        const auto setup = prepared(over);
        QVERIFY2(setup, setup ? "" : setup.error().text().c_str());
        const auto project = *Project::open(m_folder.filePath("models.pimproj").toStdString());
        const std::int64_t id = *project->findOrAddSweep(*setup, "models");
        QCOMPARE(*project->findOrAddSweep(*setup), id);
        std::stop_source stop;
        const auto left =
            resumeSweep(*project, id, *setup, m_backends, [&](const SweepPoint&) { stop.request_stop(); },
                        {stop.get_token(), {}});
        QCOMPARE(left.error().code, ErrorCode::Cancelled);
        const auto begun = *project->sweep(id);
        QVERIFY(begun.info.finished >= 1 && begun.info.finished < 4);
        const auto loaded = loadSweep(begun);
        QVERIFY2(loaded, loaded ? "" : loaded.error().text().c_str());
        QCOMPARE(loaded->networks.size(), std::size_t{2});
        QVERIFY(resumeSweep(*project, id, *loaded, m_backends, [](const SweepPoint&) {}).has_value());
        const auto whole = *project->sweep(id);
        QVERIFY(whole.info.isComplete());
        std::vector<double> times;
        QVERIFY(sweep(m_backends, *setup, {}, [&](const SweepPoint& point) -> Result<void> {
                    times.push_back(point.totalNs);
                    return {};
                }).has_value());
        for (std::size_t p = 0; p < times.size(); ++p)
            QCOMPARE(whole.points[p].totalNs, times[p]);

        // The second is another network now: neither the same sweep nor one that goes on.
        fs::copy_file(sample("bert-base"), mobile, fs::copy_options::overwrite_existing);
        const auto changed = loadSweep(whole);
        QVERIFY(!changed);
        QCOMPARE(changed.error().code, ErrorCode::InvalidModel);
        QCOMPARE(changed.error().where, mobile.string());
        QVERIFY(*project->findOrAddSweep(*prepared(over)) != id);
    }
};

QTEST_GUILESS_MAIN(TestSweptModels)
#include "tst_core_project_models.moc"
