// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sweeps in a project, with a real model and real targets: left and gone on with, one that fails beside those that do
/// not, files of the schema before sweeps were kept.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/base/paths.h"
#include "core/compile/search/confirm.h"
#include "core/project/database.h"
#include "core/project/schema.h"
#include "core/project/sweep_run.h"

#include <QProcess>
#include <QTemporaryDir>
#include <filesystem>

using namespace pim;
namespace fs = std::filesystem;

class TestSweepStore : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();
    int m_files = 0;

    std::string newFile() { return m_folder.filePath(QString("s%1.pimproj").arg(++m_files)).toStdString(); }
    Result<SweepSetup> prepared(const char* over, const std::string& target = "attacc") const {
        SweepSetup setup;
        PIM_TRY(setup.axes, parseSweep(over));
        PIM_TRY(setup.model, importModel(samplesDir() / "tiny-gpt" / "tiny-gpt.onnx"));
        PIM_TRY(setup.request.target, m_catalog.find(target));
        setup.graph.bindings = {{"batch", 2}};
        setup.request.options.groupCommands = false;
        PIM_CHECK(prepareSweep(m_backends, setup, m_catalog));
        return setup;
    }
    /// All but how long it took.
    static std::string text(const SweepPoint& point) {
        std::string all = std::to_string(point.index) + point.problem;
        for (const std::string& value : point.values)
            all += "," + value;
        for (const double number : {point.totalNs, point.hostOnlyNs, point.macs})
            all += "|" + QByteArray::number(number, 'g', 17).toStdString();
        for (const Baseline& baseline : point.baselines)
            all += "|" + baseline.id + baseline.name +
                   QByteArray::number(baseline.totalNs, 'g', 17).toStdString();
        for (const auto& [figure, value] : point.figures)
            all += "|" + figure + QByteArray::number(value, 'g', 17).toStdString();
        return all;
    }
    static std::string text(const std::vector<SweepPoint>& points) {
        std::string all;
        for (const SweepPoint& point : points)
            all += text(point) + "\n";
        return all;
    }

private slots:
    void optionsOfPassesAreAxes() {
        const auto setup = prepared("fuse_gelu.form=any,tanh");
        QVERIFY2(setup.has_value(), setup ? "" : setup.error().text().c_str());
        QVERIFY(setup->axes[0].kind == SweepAxis::Kind::Option);
        std::vector<SweepPoint> points;
        QVERIFY(sweep(m_backends, *setup, {}, [&](SweepPoint point) -> Result<void> {
                    points.push_back(std::move(point));
                    return {};
                }).has_value());
        QCOMPARE(points.size(), std::size_t{2});
        QVERIFY2(points[0].problem.empty() && points[1].problem.empty(), points[1].problem.c_str());
        QVERIFY(points[0].totalNs != points[1].totalNs); // this network writes it with erf
        const auto wrong = prepared("fuse_gelu.form=some");
        QVERIFY(!wrong.has_value() && wrong.error().text().find("any|erf|tanh") != std::string::npos);
    }

    void keepsOptionsOfPassesWithTheSweep() {
        auto setup = prepared("past=1..2");
        QVERIFY(setup.has_value());
        QVERIFY(setPassOption(setup->graph, "fuse_gelu:form=tanh").has_value());
        const auto project = *Project::open(newFile());
        const auto stored = project->sweep(*project->addSweep(*setup));
        QVERIFY(stored.has_value());
        QCOMPARE(stored->setup.graph.passOptions, setup->graph.passOptions);
    }

    void goesOnWhereItWasLeft() {
        const auto setup = prepared("target=attacc,dynaplasia;past=1..64");
        QVERIFY2(setup.has_value(), setup ? "" : setup.error().text().c_str());
        std::vector<SweepPoint> whole;
        QVERIFY(sweep(m_backends, *setup, {}, [&](SweepPoint point) -> Result<void> {
                    whole.push_back(std::move(point));
                    return {};
                }).has_value());
        QCOMPARE(whole.size(), std::size_t{14});
        // past 64 is too long
        QCOMPARE(
            std::count_if(whole.begin(), whole.end(), [](const SweepPoint& p) { return !p.problem.empty(); }),
            std::ptrdiff_t{2});
        QVERIFY(whole[6].problem.find("takes element 64") != std::string::npos);

        const std::string file = newFile();
        std::int64_t id = 0;
        {
            auto project = *Project::open(file);
            id = *project->addSweep(*setup);
            std::stop_source stop;
            int points = 0;
            const auto paused = resumeSweep(*project, id, *setup, m_backends,
                                            [&](const SweepPoint&) {
                                                if (++points == 5)
                                                    stop.request_stop();
                                            },
                                            {stop.get_token(), {}});
            QVERIFY(!paused && paused.error().code == ErrorCode::Cancelled);
            QCOMPARE(project->sweep(id)->points.size(), std::size_t{5});
        }
        auto project = *Project::open(file); // as after a restart: nothing but the file
        QCOMPARE(project->sweeps()->size(), std::size_t{1});
        const auto stored = project->sweep(*project->findSweep(""));
        QVERIFY2(stored.has_value(), stored ? "" : stored.error().text().c_str());
        QCOMPARE(stored->info.name, std::string("sweep 1"));
        QCOMPARE(stored->info.size(), std::int64_t{14});
        QVERIFY(!stored->info.isComplete());
        QVERIFY(stored->setup.axes == setup->axes);
        const auto loaded = loadSweep(*stored);
        QVERIFY2(loaded.has_value(), loaded ? "" : loaded.error().text().c_str());
        std::vector<std::int64_t> computed;
        const auto done = resumeSweep(*project, id, *loaded, m_backends,
                                      [&](const SweepPoint& point) { computed.push_back(point.index); });
        QVERIFY2(done.has_value(), done ? "" : done.error().text().c_str());
        // none of the first five again
        QVERIFY((computed == std::vector<std::int64_t>{5, 6, 7, 8, 9, 10, 11, 12, 13}));
        QCOMPARE(text(project->sweep(id)->points), text(whole));
        QCOMPARE(project->sweeps()->front().failed, std::int64_t{2});
        computed.clear();
        QVERIFY(resumeSweep(*project, id, *loaded, m_backends, [&](const SweepPoint& point) {
                    computed.push_back(point.index);
                }).has_value());
        QVERIFY(computed.empty());
        QVERIFY(project->checkIntegrity().has_value());
    }

    /// Points find best drafts for the project, and take those it knows.
    void draftsAreKeptAndTaken() {
        auto setup = prepared("past=8,9");
        QVERIFY(setup.has_value());
        setup->request.options.groupCommands = true;
        setup->request.options.verifyDrafts = 3;
        setup->request.options.tiling.walkLimit = 60;
        auto project = *Project::open(newFile());
        std::vector<SweepPoint> alone;
        QVERIFY(sweep(m_backends, *setup, {}, [&](SweepPoint point) -> Result<void> {
                    alone.push_back(std::move(point));
                    return {};
                }).has_value());
        const auto sweptInto = [&] {
            const std::int64_t id = *project->addSweep(*setup);
            return resumeSweep(*project, id, *setup, m_backends, [](const SweepPoint&) {})
                       ? text(project->sweep(id)->points)
                       : std::string();
        };
        QCOMPARE(sweptInto(), text(alone));
        const auto known = project->knownDrafts()->drafts;
        QVERIFY(!known.empty());
        QCOMPARE(sweptInto(), text(alone)); // to the bit
        QCOMPARE(project->knownDrafts()->drafts.size(), known.size());
        std::vector<KnownDraft> wrong = known; // they are asked: what cannot be is found again
        for (KnownDraft& each : wrong)
            each.check.priceNs *= 2;
        QVERIFY(project->storeKnownDrafts(wrong).has_value());
        QCOMPARE(sweptInto(), text(alone));
        const auto mended = project->knownDrafts()->drafts;
        for (const KnownDraft& each : mended)
            QVERIFY(std::ranges::any_of(
                known, [&](const KnownDraft& old) { return old.digest() == each.digest(); }));
    }

    void decisionsOptionsAndDraftsVary() {
        auto setup = prepared("past=8");
        QVERIFY(setup.has_value());
        std::string op;
        for (const Op& each : setup->base->ops)
            if (op.empty() && each.type == "MatMul")
                op = each.name;
        QVERIFY(!op.empty());
        setup->axes =
            *parseSweep("placement:" + op + "=pim,host;draft:" + op + "=1,2,1000000;dtype=f16,bf16");
        const auto ready = prepareSweep(m_backends, *setup, m_catalog);
        QVERIFY2(ready.has_value(), ready ? "" : ready.error().text().c_str());
        std::vector<SweepPoint> points;
        QVERIFY(sweep(m_backends, *setup, {}, [&](SweepPoint point) -> Result<void> {
                    points.push_back(std::move(point));
                    return {};
                }).has_value());
        QCOMPARE(points.size(), std::size_t{12});
        QVERIFY2(points[0].problem.empty() && points[2].problem.empty(),
                 (points[0].problem + points[2].problem).c_str());
        QVERIFY(points[0].totalNs <= points[2].totalNs); // the first draft is the cheapest
        QVERIFY(points[0].totalNs != points[6].totalNs); // the same op on the host
        QVERIFY(points[4].problem.find("there is no draft 1000000") != std::string::npos);
    }

    void whatCannotBeIsToldBeforeItBegins_data() {
        QTest::addColumn<QString>("over");
        QTest::newRow("no such dimension") << "length=4";
        QTest::newRow("no size") << "past=many";
        QTest::newRow("no target") << "target=attacc,nothing";
        QTest::newRow("no option value") << "conv=maybe";
        QTest::newRow("no op") << "draft:nothing=1";
        QTest::newRow("too many") << "past=1..90000+1;batch=1..1048576;conv=gemm,direct;"
                                     "dtype=f16,bf16,f32,i8;overlap-transfer=on,off;group-commands=on,off";
    }
    void whatCannotBeIsToldBeforeItBegins() {
        QFETCH(QString, over);
        const auto setup = prepared(over.toUtf8().constData());
        QVERIFY(!setup.has_value());
        QVERIFY(setup.error().code == ErrorCode::Usage || setup.error().code == ErrorCode::NotFound);
    }

    void aFileOfTheThirdSchemaTakesSweeps() {
        const std::string file = newFile();
        {
            const auto database = *Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(migrate(*database, projectMigrations().first(3)).has_value());
            QVERIFY(database
                        ->run("INSERT INTO settings VALUES('kept', 'yes'); INSERT INTO view_states "
                              "VALUES('graph', '{}')")
                        .has_value());
        }
        const auto setup = prepared("past=1,2");
        const auto project = *Project::open(file);
        QVERIFY(project && !project->readOnly());
        QVERIFY(project->sweeps()->empty());
        QCOMPARE(*project->value("kept"), std::string("yes"));
        const auto id = project->addSweep(*setup, "mine");
        QVERIFY2(id.has_value(), id ? "" : id.error().text().c_str());
        QVERIFY(resumeSweep(*project, *id, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        QVERIFY(project->sweep(*id)->info.isComplete());
        QCOMPARE(*(*Database::open(file, Database::Mode::ReadOnly))
                      ->integer("SELECT count(*) FROM v_sweep_points WHERE sweep = 'mine' AND total_ms > 0"),
                 std::int64_t{2});
        QCOMPARE(*(*Database::open(file, Database::Mode::ReadOnly))
                      ->text("SELECT settings FROM v_sweep_points WHERE point = 1"),
                 std::string("past=2"));
    }

    /// Files of the eighth schema, in which every number was a row, of the ninth, in which every point had its settings, and of the tenth, in which
    /// every point named its sweep.
    void sweepsOfOlderSchemasAreKept_data() {
        QTest::addColumn<int>("version");
        QTest::newRow("eighth") << 8;
        QTest::newRow("ninth") << 9;
        QTest::newRow("tenth") << 10;
    }
    void sweepsOfOlderSchemasAreKept() {
        QFETCH(int, version);
        const auto setup = prepared("target=attacc,dynaplasia;past=1,2;past<100"),
                   other = prepared("past=1,2,4");
        const std::string newest = newFile(), file = newFile();
        std::string before, beforeOther;
        {
            const auto project = *Project::open(newest);
            const std::int64_t id = *project->addSweep(*setup, "mine"), second = *project->addSweep(*other);
            QVERIFY(resumeSweep(*project, id, *setup, m_backends, [](const SweepPoint&) {}).has_value());
            QVERIFY(resumeSweep(*project, second, *other, m_backends, [](const SweepPoint&) {}).has_value());
            before = text(project->sweep(id)->points);
            beforeOther = text(project->sweep(second)->points);
        }
        {
            const auto database = *Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(
                migrate(*database, projectMigrations().first(static_cast<std::size_t>(version))).has_value());
            const std::string points =
                "INSERT INTO sweep_points(sweep_id, point, settings, total_ns, host_only_ns, "
                "macs, compile_ms, problem, finished_utc";
            const std::string values =
                "SELECT sweep_id, point, 'as they were', total_ns, host_only_ns, macs, compile_ms, "
                "problem, '2026-01-01T00:00:00Z'";
            const std::string numbers =
                version == 8
                    ? points + ") " + values +
                          " FROM now.sweep_points;"
                          "INSERT INTO sweep_baselines SELECT sweep_id, point, position, baseline, name, "
                          "total_ns "
                          "FROM now.sweep_baselines;"
                          "INSERT INTO sweep_figures SELECT f.sweep_id, f.point, f.position - (SELECT "
                          "count(*) "
                          "FROM now.sweep_baselines b WHERE b.sweep_id = f.sweep_id AND b.point = f.point), "
                          "f.figure, f.value FROM now.sweep_figures f;"
                    : (version == 9 ? points + ", names, numbers) " + values + ", names, numbers"
                                    : std::string("INSERT INTO sweep_points SELECT *")) +
                          " FROM now.sweep_points; INSERT INTO sweep_names SELECT * FROM now.sweep_names;";
            const std::string columns =
                *database->text("SELECT group_concat(name) FROM pragma_table_info('sweeps')");
            const std::string axisColumns =
                *database->text("SELECT group_concat(name) FROM pragma_table_info('sweep_axes')");
            const auto made =
                database->run("ATTACH '" + newest +
                              "' AS now; BEGIN; INSERT INTO targets SELECT * FROM now.targets; "
                              "INSERT INTO sweeps SELECT " +
                              columns +
                              " FROM now.sweeps; "
                              "INSERT INTO sweep_axes SELECT " +
                              axisColumns +
                              " FROM "
                              "now.sweep_axes; INSERT INTO sweep_values SELECT * FROM now.sweep_values; " +
                              numbers + "COMMIT; DETACH now");
            QVERIFY2(made.has_value(), made ? "" : made.error().text().c_str());
            QVERIFY(database->integer("SELECT count(*) FROM sweep_figures").value() > 2);
            QVERIFY(database->integer("SELECT count(*) FROM sweep_baselines").value() > 1);
        }
        const auto project = Project::open(file);
        QVERIFY2(project.has_value(), project ? "" : project.error().text().c_str());
        QCOMPARE(text((*project)->sweep(1)->points), before);
        QCOMPARE(text((*project)->sweep(2)->points), beforeOther);
        // What is stored from now on has the same names.
        const auto database = *Database::open(file, Database::Mode::ReadWrite);
        const auto names = [&] { return database->integer("SELECT count(*) FROM sweep_names").value(); };
        const std::int64_t known = names();
        QCOMPARE(
            *database->text("SELECT group_concat(settings, ' | ') FROM v_sweep_points WHERE sweep = 'mine'"),
            std::string("target=attacc; past=1 | target=attacc; past=2 | target=dynaplasia; past=1 | "
                        "target=dynaplasia; past=2"));
        QVERIFY(database->run("DELETE FROM sweep_rows WHERE id = 3").has_value());
        QVERIFY(resumeSweep(**project, 1, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        QCOMPARE(names(), known);
        QCOMPARE(text((*project)->sweep(1)->points), before);
    }

    /// The same again is nothing new; with other figures it is an error that changes nothing.
    void aPointIsStoredOnce() {
        const auto setup = prepared("past=1,2,4");
        const auto project = *Project::open(newFile());
        const std::int64_t id = *project->addSweep(*setup, "mine");
        SweepPoint one{0, {}, 100.25, 200, 300, {{"host", "Host", 0.1}}, {{"area_mm2", 1e300}}, 5, {}};
        SweepPoint two = one, failed = one;
        two.index = 2;
        failed.index = 1;
        failed.problem = "too long";
        const auto add = [&](std::vector<SweepPoint> points) {
            std::vector<PointRecord> records(points.size());
            std::ranges::transform(points, records.begin(), recordOf);
            return project->addSweepPoints(id, [&](const auto& take) { return take(records); });
        };
        QVERIFY(add({one, two}).has_value());
        one.compileMs = 7;
        QVERIFY(add({one, failed}).has_value());
        QCOMPARE(project->sweep(id)->points.size(), std::size_t{3});
        QCOMPARE(project->sweep(id)->points[0].compileMs, 5.0);
        QCOMPARE(project->sweep(id)->points[2].figures[0].second, 1e300);
        two.figures[0].second = 1.5;
        const auto other = add({failed, two});
        QVERIFY(!other && other.error().code == ErrorCode::Usage);
        QVERIFY2(other.error().text().find("point 2 is stored with other figures") != std::string::npos,
                 other.error().text().c_str());
        failed.problem = "too short";
        QVERIFY(!add({failed}));
        QCOMPARE(*project->findOrAddSweep(*setup), id);
        QCOMPARE(*project->findOrAddSweep(*setup, "mine"), id);
        QVERIFY(*project->findOrAddSweep(*setup, "another") != id);
        QVERIFY(!project->findOrAddSweep(*prepared("past=1,2"), "mine"));
    }

    /// Alone it needs no write-ahead log; killed in its middle, it leaves the project as it was.
    void manyPointsAreStoredAtOnce() {
        const auto setup = prepared("timing.nRCDRD=1..300+1;timing.nCCDL=1..200+1");
        const std::int64_t points = sweepSize(setup->axes);
        const fs::path file = newFile(), killed = newFile();
        const auto suffixed = [](fs::path path, const char* suffix) { return path += suffix; };
        std::uintmax_t sizeBefore = 0;
        const auto store = [&](const std::function<void()>& inTheMiddle) {
            const auto project = *Project::open(file);
            const std::int64_t id = *project->findOrAddSweep(*setup);
            return project->addSweepPoints(id, [&](const auto& take) -> Result<void> {
                sizeBefore = fs::file_size(file);
                for (std::int64_t p = 0; p < points; ++p) {
                    const SweepPoint point{p, {}, 100.25, 200, 300, {}, {{"area_mm2", 1e300}}, 5, {}};
                    const PointRecord record = recordOf(point);
                    PIM_CHECK(take({&record, 1}));
                }
                inTheMiddle();
                return {};
            });
        };
        std::uintmax_t grown = 0;
        QVERIFY(store([&] {
                    QVERIFY(fs::file_size(suffixed(file, "-journal")) > 0);
                    grown = fs::file_size(file) - sizeBefore;
                    for (const char* suffix : {"", "-journal"})
                        fs::copy_file(suffixed(file, suffix), suffixed(killed, suffix));
                }).has_value());
        QVERIFY(grown > 0); // some of it was written already
        QCOMPARE(Project::open(killed).value()->sweep(1)->points.size(), std::size_t{0});
        const auto stored = Project::open(file).value()->sweep(1);
        QCOMPARE(std::ssize(stored->points), points);
        QVERIFY(!fs::exists(suffixed(file, "-journal")));

        const auto reader = *Database::openForReading(file);
        QCOMPARE(*reader->text("PRAGMA journal_mode"), std::string("wal"));
        QVERIFY(store([&] {
                    QVERIFY(!fs::exists(suffixed(file, "-journal"))); // somebody else has it open
                    QCOMPARE(*reader->integer("SELECT count(*) FROM sweep_rows"), points);
                }).has_value());
    }

    void namesAreUniqueAndDeletingTakesAllWithIt() {
        const std::string file = newFile();
        const auto setup = prepared("target=attacc,hbm-pim;past=1");
        const auto project = *Project::open(file);
        const std::int64_t first = *project->addSweep(*setup), second = *project->addSweep(*setup, "two");
        QVERIFY(resumeSweep(*project, first, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        const auto twice = project->addSweep(*setup, "two");
        QVERIFY(!twice && twice.error().code == ErrorCode::Usage);
        QVERIFY(project->findSweep("three").error().text().find("two") != std::string::npos);
        QVERIFY(resumeSweep(*project, second, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        const std::string kept = text(project->sweep(second)->points);
        QVERIFY(project->deleteSweep(first).has_value());
        QCOMPARE(text(project->sweep(second)->points), kept);
        QVERIFY(project->deleteSweep(second).has_value());
        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        for (const char* table : {"sweeps", "sweep_axes", "sweep_values", "sweep_rows", "sweep_baselines",
                                  "sweep_figures", "targets"})
            QCOMPARE(database->integer(std::string("SELECT count(*) FROM ") + table).value(),
                     std::int64_t{0});
    }

    /// Rows of sweeps are numbers that follow each other; searches have up to 10^15 points, and numbers end somewhere.
    void sweepsThatHaveNoRoomAreRefused() {
        const std::string file = newFile();
        const auto setup = prepared("past=1,2");
        const auto project = *Project::open(file);
        const std::int64_t id = *project->addSweep(*setup, "mine");
        const auto database = *Database::open(file, Database::Mode::ReadWrite);
        QVERIFY(database->run("UPDATE sweeps SET first_row = 9223372036854775803").has_value());
        QVERIFY(resumeSweep(*project, id, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        QCOMPARE(project->sweep(id)->points.size(), std::size_t{2});
        QVERIFY(project->addSweep(*setup, "the last").has_value());
        const auto refused = project->addSweep(*setup, "one more");
        QVERIFY(!refused && refused.error().code == ErrorCode::Usage);
        QVERIFY(refused.error().text().find("no room for 2 points") != std::string::npos);
        QCOMPARE(project->sweeps()->size(), std::size_t{2});
    }

    void onlyOneProcessComputesIt() {
        const std::string file = newFile();
        const auto setup = prepared("past=1,2");
        const auto project = *Project::open(file);
        const std::int64_t id = *project->addSweep(*setup);
        QVERIFY(project->claimSweep(id).has_value());
        QVERIFY(project->claimSweep(id).has_value()); // ours already
        const auto database = *Database::open(file, Database::Mode::ReadWrite);
        // Another process that is alive, then the same one after its end.
        QProcess other;
        other.start(QStringLiteral("sleep"), {QStringLiteral("100")});
        QVERIFY(other.waitForStarted());
        const std::string number = std::to_string(other.processId());
        QProcess stat;
        stat.start(QStringLiteral("cut"),
                   {"-d", " ", "-f", "22", QString::fromStdString("/proc/" + number + "/stat")});
        QVERIFY(stat.waitForFinished());
        const std::string own = *database->text("SELECT runner FROM sweeps");
        const std::string host = own.substr(own.find(' ', own.find(' ') + 1));
        QVERIFY(database
                    ->run("UPDATE sweeps SET runner = '" + number + " " +
                          stat.readAll().trimmed().toStdString() + host + "'")
                    .has_value());
        const auto refused = resumeSweep(*project, id, *setup, m_backends, [](const SweepPoint&) {});
        QVERIFY(!refused.has_value());
        QVERIFY2(refused.error().text().find("process " + number) != std::string::npos,
                 refused.error().text().c_str());
        other.kill();
        QVERIFY(other.waitForFinished());
        QVERIFY(resumeSweep(*project, id, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        QCOMPARE(*database->text("SELECT runner FROM sweeps"), std::string());
    }

    void anotherModelUnderTheSameNameIsRefused() {
        const auto setup = prepared("past=1,2");
        const auto project = *Project::open(newFile());
        const std::int64_t id = *project->addSweep(*setup);
        auto stored = *project->sweep(id);
        stored.modelHash = "another";
        const auto loaded = loadSweep(stored);
        QVERIFY(!loaded.has_value());
        QCOMPARE(loaded.error().code, ErrorCode::InvalidModel);
    }

    /// What is simulated is what a sweep that simulates everything says; the front by it is the same.
    void frontsAreConfirmed() {
        const auto setup = prepared("past=8..64;group.count=10..40;timing.nCCDL=2..4+1");
        const auto all = prepared("past=8..64;group.count=10..40;timing.nCCDL=2..4+1;simulate=on");
        QVERIFY2(setup, setup ? "" : setup.error().message.c_str());
        QVERIFY2(all, all ? "" : all.error().message.c_str());
        const auto pointsOf = [&](const SweepSetup& of) {
            std::vector<SweepPoint> points;
            const auto done = sweep(m_backends, of, {}, [&](SweepPoint point) -> Result<void> {
                points.push_back(std::move(point));
                return {};
            });
            return done ? points : std::vector<SweepPoint>();
        };
        const std::vector<SweepPoint> predicted = pointsOf(*setup), simulated = pointsOf(*all);
        QCOMPARE(predicted.size(), std::size_t(36));
        constexpr double kMargin = 0.02;
        const auto confirmed =
            confirmFront(m_backends, *setup, predicted, {"total_ns", "macs_per_s"}, kMargin);
        QVERIFY2(confirmed, confirmed ? "" : confirmed.error().message.c_str());
        QVERIFY(confirmed->confirmed > 0 && confirmed->confirmed < 36);
        QVERIFY(confirmed->objectives == (std::vector<std::string>{"simulated_ns", "simulated_macs_per_s"}));
        QCOMPARE(confirmed->points.size(), predicted.size());
        std::int64_t known = 0;
        for (std::size_t p = 0; p < predicted.size(); ++p) {
            const SweepPoint& point = confirmed->points[p];
            QCOMPARE(point.index, predicted[p].index);
            QCOMPARE(point.values.size(), predicted[p].values.size());
            QCOMPARE(point.totalNs, predicted[p].totalNs);
            if (const auto ns = point.figure("simulated_ns")) {
                ++known;
                QCOMPARE(*ns, *simulated[p].figure("simulated_ns"));
                QVERIFY(*ns <= point.totalNs * (1 + confirmed->slowest) * (1 + 1e-12));
            }
        }
        QCOMPARE(known, confirmed->confirmed);
        const SweepMarks marks = markSweep(setup->axes, confirmed->points, confirmed->objectives),
                         truth = markSweep(all->axes, simulated, confirmed->objectives);
        QVERIFY2(confirmed->slowest < kMargin, "no prediction is off by more, so nothing can be missed");
        QVERIFY(marks.front == truth.front);
        QVERIFY(std::ranges::count(marks.front, true) > 0);
        QCOMPARE(confirmFront(m_backends, *all, simulated, {"total_ns"}, 0.1).error().code, ErrorCode::Usage);
        QCOMPARE(confirmFront(m_backends, *setup, predicted, {"macs_per_s"}, 0.1).error().code,
                 ErrorCode::Usage);
    }

    /// Left after the first, gone on with, read again: what is predicted stays beside it.
    void confirmedFrontsAreKept_data() {
        QTest::addColumn<QString>("target");
        QTest::newRow("points have no figures, but for those that were simulated") << "hbm-pim";
        QTest::newRow("points have figures") << "attacc";
    }
    void confirmedFrontsAreKept() {
        QFETCH(QString, target);
        const auto setup =
            prepared("past=8..64;group.count=10..40;timing.nCCDL=2..4+1", target.toStdString());
        QVERIFY2(setup, setup ? "" : setup.error().text().c_str());
        const auto project = *Project::open(newFile());
        const std::int64_t id = *project->addSweep(*setup, "mine");
        QVERIFY(resumeSweep(*project, id, *setup, m_backends, [](const SweepPoint&) {}).has_value());
        const StoredSweep before = *project->sweep(id);
        const auto whole = confirmFront(m_backends, *setup, before.points, {"total_ns", "macs_per_s"}, 0.02);
        QVERIFY2(whole, whole ? "" : whole.error().text().c_str());
        std::stop_source stop;
        int simulated = 0;
        const auto left = resumeConfirm(*project, id, *setup, m_backends, {"total_ns", "macs_per_s"}, 0.02,
                                        [&](const SweepPoint&) {
                                            ++simulated;
                                            stop.request_stop();
                                        },
                                        {stop.get_token(), {}});
        QCOMPARE(left.error().code, ErrorCode::Cancelled);
        const auto more = resumeConfirm(*project, id, *setup, m_backends, {"total_ns", "macs_per_s"}, 0.02,
                                        [&](const SweepPoint&) { ++simulated; });
        QVERIFY2(more, more ? "" : more.error().text().c_str());
        QCOMPARE(simulated, int(whole->confirmed));
        QCOMPARE(more->confirmed, whole->confirmed);
        QCOMPARE(more->slowest, whole->slowest);
        QCOMPARE(text(more->points), text(whole->points));
        const StoredSweep after = *project->sweep(id);
        QCOMPARE(text(after.points), text(before.points));
        QCOMPARE(text(after.shownPoints()), text(whole->points));
        QCOMPARE(after.shownObjectives(), whole->objectives);
        QVERIFY(project->deleteSweep(id).has_value());
        const auto database = *Database::open(project->file(), Database::Mode::ReadOnly);
        QCOMPARE(*database->integer("SELECT count(*) FROM confirmed_points"), std::int64_t{0});
    }

    /// Left after some points, gone on with, then with more evaluations: what an uninterrupted one finds, and nothing twice.
    void searchesGoOn() {
        const auto setup =
            prepared("past=8..64;group.count=10..40;timing.nCCDL=1..8+1;timing.nRCDRD=8..24+4");
        QVERIFY2(setup, setup ? "" : setup.error().message.c_str());
        SearchOptions options;
        options.evaluations = 60;
        const auto whole = searchSweep(m_backends, *setup, options, {"total_ns", "macs_per_s"});
        QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
        const auto project = Project::open(newFile());
        QVERIFY2(project, project ? "" : project.error().message.c_str());
        const auto id = (*project)->findOrAddSweep(*setup, "search");
        QVERIFY2(id, id ? "" : id.error().message.c_str());
        std::stop_source stop;
        int computed = 0;
        const auto left =
            resumeSearch(**project, *id, *setup, m_backends, options, {"total_ns", "macs_per_s"},
                         [&](const SweepPoint&) {
                             if (++computed == 20)
                                 stop.request_stop();
                         },
                         {stop.get_token(), {}});
        QCOMPARE(left.error().code, ErrorCode::Cancelled);
        QVERIFY(computed >= 20 && computed < 60);
        QVERIFY(!(*project)->sweep(*id)->info.isComplete());
        const auto resumed = resumeSearch(**project, *id, *setup, m_backends, options,
                                          {"total_ns", "macs_per_s"}, [&](const SweepPoint&) { ++computed; });
        QVERIFY2(resumed, resumed ? "" : resumed.error().message.c_str());
        QCOMPARE(computed, 60);
        const auto textOf = [](const SweepSearch& search) {
            std::string all;
            for (const SweepPoint& point : search.points)
                all += text(point) + "\n";
            return all;
        };
        QCOMPARE(textOf(*resumed), textOf(*whole));
        QCOMPARE((*(*project)->sweep(*id)).points.size(), std::size_t(60));
        // How it was searched is kept, and in which order.
        std::vector<std::int64_t> order;
        QVERIFY(searchSweep(m_backends, *setup, options, {"total_ns", "macs_per_s"},
                            [&](const SweepPoint& point) -> Result<void> {
                                order.push_back(point.index);
                                return {};
                            })
                    .has_value());
        const StoredSweep kept = *(*project)->sweep(*id);
        QCOMPARE(kept.turns, order);
        QVERIFY(!std::ranges::is_sorted(order));
        QVERIFY((kept.info.search == StoredSearch{options, {"total_ns", "macs_per_s"}, true}));
        QVERIFY(kept.info.isComplete());
        QCOMPARE(kept.info.wanted(), std::int64_t{60});
        // A larger budget breeds larger generations: another search, which some of the points are there for.
        options.evaluations = 90;
        const auto more = resumeSearch(**project, *id, *setup, m_backends, options,
                                       {"total_ns", "macs_per_s"}, [&](const SweepPoint&) { ++computed; });
        const auto wholeMore = searchSweep(m_backends, *setup, options, {"total_ns", "macs_per_s"});
        QVERIFY(more && wholeMore);
        QCOMPARE(textOf(*more), textOf(*wholeMore));
        QVERIFY(computed > 60 && computed < 150);
        QCOMPARE((*(*project)->sweep(*id)).points.size(), std::size_t(computed));
        SweepSetup large = *setup;
        large.mostPoints = 100;
        const auto all = resumeSweep(**project, *id, large, m_backends, [](const SweepPoint&) {});
        QCOMPARE(all.error().code, ErrorCode::Usage);
    }
};

QTEST_GUILESS_MAIN(TestSweepStore)
#include "tst_core_project_sweep.moc"
