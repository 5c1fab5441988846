// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/database.h"
#include "core/project/project.h"
#include "core/project/schema.h"
#include "tests/core_project/sample_plan.h"
#include "tests/support/two_devices.h"

#include <fmt/format.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <random>
#include <thread>

using namespace pim;

namespace {

std::unique_ptr<Project> opened(const std::string& file, Project::Mode mode = Project::Mode::ReadWrite) {
    auto project = Project::open(file, mode);
    if (!project)
        qWarning("%s", project.error().text().c_str());
    return project ? std::move(*project) : nullptr;
}

QByteArray contents(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void writeAll(const QString& file, const QByteArray& bytes) {
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(out.write(bytes), bytes.size());
}

} // namespace

class TestStore : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    QString path() { return m_folder.filePath(QString("p%1.pimproj").arg(++m_files)); }
    std::string newFile() { return path().toStdString(); }

private slots:
    void givesBackARunAsItWasRecorded() {
        const auto plan = sample::plan(30);
        plan->overrides.set({plan->graph->ops[0].name, "placement", "pim"});
        RunContext context{
            .variant = "main", .label = "first", .options = {}, .compileMs = 42.5, .explorations = {}};
        context.options.seed = 0xffffffffffffffff;
        const std::string file = newFile();
        std::int64_t id = 0;
        {
            const auto project = opened(file);
            QVERIFY(project);
            const auto recorded = project->recordRun(*plan, context);
            QVERIFY2(recorded.has_value(), recorded ? "" : recorded.error().text().c_str());
            id = *recorded;
        }
        const auto project = opened(file, Project::Mode::ReadOnly);
        QVERIFY(project && project->readOnly() && project->problems().empty());
        const auto run = project->run(id);
        QVERIFY(run.has_value());
        QCOMPARE(run->label, std::string("first"));
        QCOMPARE(run->modelPath, std::string("/models/chain.onnx"));
        QCOMPARE(run->modelHash, plan->graph->source.structureHash);
        QCOMPARE(run->targetId, std::string("attacc"));
        QCOMPARE(run->targetHash, plan->target->hash);
        QCOMPARE(run->host, plan->target->host.id);
        QCOMPARE(run->bindings, std::string("batch=4,past=1"));
        QCOMPARE(run->overridesJson, plan->overrides.json());
        QCOMPARE(run->optionsJson, optionsJson(context.options));
        QCOMPARE(run->seed, context.options.seed);
        QCOMPARE(run->compileMs, 42.5);
        QCOMPARE(run->totalNs, plan->total.totalNs());
        QCOMPARE(run->hostOnlyNs, plan->hostOnlyNs);
        QCOMPARE(run->residentLoadNs, plan->residentLoadNs);
        QVERIFY(run->toolVersion.size() >= 5 && run->startedUtc.size() == 20 &&
                run->startedUtc.back() == 'Z');
        const auto ops = project->runOps(id);
        QCOMPARE(ops->size(), plan->ops.size());
        CostSplit sum;
        for (std::size_t i = 0; i < ops->size(); ++i) {
            const OpPlan& planned = plan->ops[i];
            QCOMPARE((*ops)[i].name, plan->graph->ops[i].name);
            QCOMPARE((*ops)[i].reason, planned.reason);
            QCOMPARE((*ops)[i].hostOnlyNs, planned.hostNs);
            QCOMPARE((*ops)[i].draftsKept, planned.draftsKept);
            QCOMPARE((*ops)[i].draft,
                     !planned.onHost() ? planned.space->draftText(*planned.draft) : std::string());
            sum += (*ops)[i].cost;
        }
        QCOMPARE(sum.totalNs(), run->totalNs);
        const auto stages = project->runStages(id);
        QCOMPARE(stages->size(), std::size_t{2});
        QCOMPARE(stages->at(0).name, std::string("search"));
    }

    void namesTheRunsThereAreWhenOneIsMissing() {
        const auto project = opened(newFile());
        QCOMPARE(project->run(1).error().code, ErrorCode::NotFound);
        QVERIFY(project->run(1).error().hint.find("no runs yet") != std::string::npos);
        QCOMPARE(*project->recordRun(*sample::plan(3), {}), std::int64_t{1});
        QCOMPARE(*project->recordRun(*sample::plan(3), {}), std::int64_t{2});
        for (const Error& error :
             {project->run(9).error(), project->runOps(9).error(), project->setRunNote(9, "x").error(),
              project->deleteRun(9).error(), project->recipe(9).error()}) {
            QCOMPARE(error.code, ErrorCode::NotFound);
            QVERIFY(error.hint.find("2, 1") != std::string::npos);
        }
        QCOMPARE(project->runs()->front().id, std::int64_t{2});
    }

    void keepsDraftsInFullAndAsColumns() {
        const auto plan = sample::plan(4);
        const auto explored = sample::exploration(*plan, 1, 5000);
        const std::string file = newFile();
        const auto project = opened(file);
        const auto id = project->recordRun(
            *plan,
            {.variant = "main", .label = {}, .options = {}, .compileMs = 0, .explorations = {explored}});
        QVERIFY(id.has_value());
        const auto drafts = project->runDrafts(*id, plan->graph->ops[1].name);
        QCOMPARE(drafts->size(), Project::kTopDrafts);
        QCOMPARE(drafts->front().first, explored->space->draftText(explored->drafts[0]));
        QCOMPARE(drafts->front().second.totalNs(), explored->costs[0].totalNs());
        auto database = Database::open(file, Database::Mode::ReadOnly);
        QCOMPARE(*(*database)->integer("SELECT drafts FROM run_drafts_columns"), std::int64_t{5000});
        QCOMPARE(*(*database)->integer("SELECT removed_rule1 FROM run_drafts_columns"), std::int64_t{10000});
        QVERIFY(project->runDrafts(*id, "no such op")->empty());
    }

    void recordsABigRun() {
        const auto plan = sample::plan(175); // as many ops as ResNet-50 has nodes
        RunContext context;
        std::size_t explored = 0;
        for (int op = 0; op < 60; ++op)
            if (plan->ops[static_cast<std::size_t>(op)].space) {
                context.explorations.push_back(
                    sample::exploration(*plan, op, 6000, static_cast<unsigned>(op)));
                explored = static_cast<std::size_t>(op);
            }
        const auto project = opened(newFile());
        const auto id = project->recordRun(*plan, context);
        QVERIFY(id.has_value());
        QCOMPARE(project->runOps(*id)->size(), plan->ops.size());
        QCOMPARE(project->runDrafts(*id, plan->graph->ops[explored].name)->size(), Project::kTopDrafts);
    }

    void givesEverythingToRunItAgain() {
        const auto plan = sample::plan(5);
        plan->overrides.set({"", "dtype", "bf16"});
        RunContext context;
        context.options.computeType = DataType::BF16;
        context.options.seed = 11;
        const auto project = opened(newFile());
        const auto id = project->recordRun(*plan, context);
        const auto recipe = project->recipe(*id);
        QVERIFY2(recipe.has_value(), recipe ? "" : recipe.error().text().c_str());
        QCOMPARE(recipe->modelPath.string(), std::string("/models/chain.onnx"));
        QCOMPARE(recipe->modelHash, plan->graph->source.structureHash);
        QVERIFY(recipe->overrides == plan->overrides);
        QCOMPARE(optionsJson(recipe->options), optionsJson(context.options));
        QCOMPARE(recipe->graph.bindings,
                 (std::map<std::string, std::int64_t>{{"batch", 4}})); // past was assumed
        QCOMPARE(recipe->graph.disabledPasses, std::set<std::string>{"fuse_gelu"});
        QCOMPARE(recipe->graph.passOptions.size(), std::size_t{1});
        QCOMPARE(recipe->graph.passOptions.at("fuse_attention"), OptionTexts({{"mask", "none"}}));
        QCOMPARE(recipe->target->hash, plan->target->hash);
        QCOMPARE(targetJson(*recipe->target), targetJson(*plan->target));
    }

    void findsTheModelOfAProjectThatMoved() {
        QTemporaryDir folder;
        QDir(folder.path()).mkpath("old/models");
        writeAll(folder.filePath("old/models/m.onnx"), "x");
        const auto plan = sample::plan(2);
        auto graph = std::make_shared<Graph>(*plan->graph);
        graph->source.path = folder.filePath("old/models/m.onnx").toStdString();
        plan->graph = graph;
        opened(folder.filePath("old/p.pimproj").toStdString())->recordRun(*plan, {}).value();
        QVERIFY(QDir(folder.path()).rename("old", "new"));
        const auto recipe = opened(folder.filePath("new/p.pimproj").toStdString())->recipe(1);
        QVERIFY2(recipe.has_value(), recipe ? "" : recipe.error().text().c_str());
        QCOMPARE(recipe->modelPath.string(), folder.filePath("new/models/m.onnx").toStdString());
    }

    void keepsNotesAndForgetsDeletedRuns() {
        const std::string file = newFile();
        const auto project = opened(file);
        const auto plan = sample::plan(6);
        for (int i = 0; i < 2; ++i)
            QVERIFY(project
                        ->recordRun(*plan, {.variant = "main",
                                            .label = {},
                                            .options = {},
                                            .compileMs = 0,
                                            .explorations = {sample::exploration(*plan, 0, 40000)}})
                        .has_value());
        QVERIFY(project->setRunNote(1, "slow because of the merge").has_value());
        QVERIFY(project->setRunNote(1, "slow, it's the merge; '\"").has_value());
        QCOMPARE(project->run(1)->note, std::string("slow, it's the merge; '\""));
        QVERIFY(project->setRunNote(1, "").has_value());
        QCOMPARE(project->run(1)->note, std::string());
        QVERIFY(project->setRunNote(2, "note").has_value());
        auto database = Database::open(file, Database::Mode::ReadOnly);
        const auto pagesBefore = *(*database)->integer("PRAGMA page_count");
        QVERIFY(project->deleteRun(2).has_value());
        QVERIFY(project->deleteRun(1).has_value());
        for (const char* table : {"runs", "run_ops", "run_tensors", "run_drafts_top", "run_drafts_columns",
                                  "run_stages", "run_passes", "run_bindings", "notes", "models", "targets"})
            QCOMPARE(*(*database)->integer(fmt::format("SELECT count(*) FROM {}", table)), std::int64_t{0});
        QVERIFY(*(*database)->integer("PRAGMA page_count") < pagesBefore / 2);
        QCOMPARE(*project->recordRun(*plan, {}), std::int64_t{3}); // ids are never given twice
    }

    void keepsVariants() {
        const std::string file = newFile();
        Overrides first, second;
        first.set({"Conv_1", "placement", "pim"});
        second.set({"Conv_1", "residency/W", "streamed"});
        second.set({"", "dtype", "f16"});
        {
            const auto project = opened(file);
            QCOMPARE(project->variants()->size(), std::size_t{1});
            QCOMPARE(project->variant("main")->id, std::int64_t{1});
            QVERIFY(project->saveVariant("main", first).has_value());
            QVERIFY(project->saveVariant("try", first, "main").has_value());
            QVERIFY(project->saveVariant("try", second).has_value()); // the parent stays
            QCOMPARE(project->saveVariant("x", first, "nobody").error().code, ErrorCode::NotFound);
            QCOMPARE(project->saveVariant("", first).error().code, ErrorCode::Usage);
        }
        const auto project = opened(file);
        QVERIFY(project->variant("main")->overrides == first);
        QVERIFY(project->variant("try")->overrides == second);
        QCOMPARE(project->variant("try")->parent, std::int64_t{1});
        QVERIFY(project->variant("gone").error().hint.find("main, try") != std::string::npos);
        QCOMPARE(project->removeVariant("main").error().code, ErrorCode::Usage); // "try" comes from it
        QCOMPARE(project->removeVariant("gone").error().code, ErrorCode::NotFound);
        QVERIFY(project->removeVariant("try").has_value());
        QCOMPARE(project->variants()->size(), std::size_t{1});
        QVERIFY(project->saveVariant("try", {}).has_value());
        QVERIFY(project->variant("try")->overrides.empty()); // its decisions went with it
    }

    void keepsSettings() {
        const auto project = opened(newFile());
        QVERIFY(!project->value("layout"));
        QVERIFY(project->setValue("layout", std::string("a\0b", 3)).has_value());
        QVERIFY(project->setValue("layout", "new").has_value());
        QCOMPARE(*project->value("layout"), std::string("new"));
        QVERIFY(project->setValue("empty", "").has_value());
        QCOMPARE(*project->value("empty"), std::string());
    }

    void answersCommonQuestionsInViews() {
        const std::string file = newFile();
        const auto plan = std::make_shared<Plan>(*sample::plan(21));
        plan->baselines = {{"all-compute", "all arrays compute", 123456.5}};
        QVERIFY(opened(file)
                    ->recordRun(*plan, {.variant = "main",
                                        .label = {},
                                        .options = {},
                                        .compileMs = 0,
                                        .explorations = {sample::exploration(*plan, 0, 10)}})
                    .has_value());
        auto database = Database::open(file, Database::Mode::ReadOnly);
        for (const char* view :
             {"v_runs", "v_time", "v_slowest_ops", "v_placement", "v_best_drafts", "v_baselines"})
            QVERIFY2(*(*database)->integer(fmt::format("SELECT count(*) FROM {}", view)) > 0, view);
        QCOMPARE(*(*database)->integer("SELECT count(*) FROM v_overrides"), std::int64_t{0});
        QCOMPARE(*(*database)->integer("SELECT count(*) FROM run_ops WHERE host_only_ns IS NULL"),
                 std::int64_t{3}); // unknown, not 0
        QCOMPARE(*(*database)->integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT "
                                       "LIKE 'sqlite%' AND sql NOT LIKE '%STRICT%'"),
                 std::int64_t{0});
        QCOMPARE(*(*database)->text("PRAGMA journal_mode"), std::string("wal"));
    }

    // --- files that are not as they should be

    void refusesWhatIsNoProject_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("text") << QByteArray("hello, this is a text file and not a database")
                              << "no SQLite database";
        QTest::newRow("zip") << QByteArray("PK\3\4").append(QByteArray(5000, 'x')) << "no SQLite database";
        QTest::newRow("header only") << QByteArray("SQLite format 3\0", 16) << "project";
    }
    void refusesWhatIsNoProject() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const QString file = path();
        writeAll(file, bytes);
        for (const auto mode : {Project::Mode::ReadWrite, Project::Mode::ReadOnly}) {
            const auto project = Project::open(file.toStdString(), mode);
            QVERIFY(!project.has_value());
            QCOMPARE(project.error().code, ErrorCode::Database);
            QVERIFY2(QString::fromStdString(project.error().message).contains(says),
                     project.error().message.c_str());
        }
        QCOMPARE(contents(file), bytes); // and leaves it alone
    }

    void refusesTheDatabaseOfAnotherProgram() {
        const std::string file = newFile();
        QVERIFY((*Database::open(file, Database::Mode::ReadWrite))
                    ->run("CREATE TABLE mine(a); INSERT INTO mine VALUES(1)")
                    .has_value());
        const auto project = Project::open(file);
        QVERIFY(!project.has_value());
        QVERIFY(project.error().message.find("another program") != std::string::npos);
        QCOMPARE(*(*Database::open(file, Database::Mode::ReadOnly))->integer("SELECT a FROM mine"),
                 std::int64_t{1});
    }

    void refusesPathsThatCannotBeAFile() {
        QCOMPARE(Project::open(m_folder.path().toStdString()).error().code, ErrorCode::Io);
        QVERIFY(Project::open(m_folder.path().toStdString()).error().message.find("folder") !=
                std::string::npos);
        QCOMPARE(Project::open(m_folder.filePath("no/such/p.pimproj").toStdString()).error().code,
                 ErrorCode::Io);
        QCOMPARE(Project::open(newFile(), Project::Mode::ReadOnly).error().code, ErrorCode::NotFound);
        QCOMPARE(Project::open("/dev/null").error().code, ErrorCode::Io);
        const QString empty = path();
        writeAll(empty, {});
        QCOMPARE(Project::open(empty.toStdString(), Project::Mode::ReadOnly).error().code,
                 ErrorCode::Database);
        QVERIFY(
            Project::open(empty.toStdString()).has_value()); // a file just made by a dialog is a new project
        QVERIFY(Project::open(m_folder.filePath("odd ?#%41 name.pimproj").toStdString()).has_value());
        QVERIFY(QFile::exists(m_folder.filePath("odd ?#%41 name.pimproj")));
    }

    void tellsAboutDamageAndNeverCrashes() {
        const QString file = path();
        {
            const auto project = opened(file.toStdString());
            const auto plan = sample::plan(40);
            QVERIFY(project
                        ->recordRun(*plan, {.variant = "main",
                                            .label = {},
                                            .options = {},
                                            .compileMs = 0,
                                            .explorations = {sample::exploration(*plan, 0, 2000)}})
                        .has_value());
        }
        const QByteArray good = contents(file);
        QVERIFY(good.size() > 50000);
        std::mt19937 random(3);
        int noticed = 0;
        for (int turn = 0; turn < 60; ++turn) {
            QByteArray bad = good;
            if (turn % 3 == 0)
                bad.truncate(static_cast<qsizetype>(random() % static_cast<unsigned>(good.size())));
            else
                for (int i = 0; i < 200; ++i)
                    bad[static_cast<qsizetype>(random() % static_cast<unsigned>(good.size()))] =
                        static_cast<char>(random());
            const QString damaged = path();
            writeAll(damaged, bad);
            auto project = Project::open(damaged.toStdString());
            const bool sound = project && (*project)->checkIntegrity() && (*project)->runs() &&
                               (*project)->runOps(1) && (*project)->recipe(1);
            noticed += !sound;
        }
        QVERIFY2(noticed > 50, qPrintable(QString::number(noticed)));
    }

    /// As it is now, by whoever reads it, over nothing or an empty file; where it cannot be, nothing is left.
    void isCopiedWhileOthersWrite() {
        const std::string file = newFile(), copy = newFile();
        const auto project = opened(file);
        QVERIFY(project->recordRun(*sample::plan(3), {}).has_value());
        QVERIFY(project->setValue("a", "b").has_value());
        const auto reader = Project::open(file, Project::Mode::ReadOnly);
        QVERIFY((*reader)->copyTo(copy).has_value());
        QVERIFY(!(*reader)->setValue("a", "c").has_value()); // still
        QCOMPARE(*opened(copy)->value("a"), std::string("b"));
        QCOMPARE(opened(copy)->runs()->size(), std::size_t{1});
        QVERIFY(opened(copy)->checkIntegrity().has_value());
        QVERIFY(project->setValue("a", "d").has_value());
        QVERIFY(!project->copyTo(copy).has_value()); // there is something
        QCOMPARE(*opened(copy)->value("a"), std::string("b"));
        const std::string nowhere = file + ".none/copy.pimproj";
        QVERIFY(!project->copyTo(nowhere).has_value());
    }

    void opensANewerProjectForReadingOnly() {
        const std::string file = newFile();
        QVERIFY(opened(file)->recordRun(*sample::plan(3), {}).has_value());
        QVERIFY((*Database::open(file, Database::Mode::ReadWrite))
                    ->run("PRAGMA user_version = 99; ALTER TABLE runs ADD COLUMN future TEXT")
                    .has_value());
        const auto project = opened(file);
        QVERIFY(project && project->readOnly());
        QCOMPARE(project->problems().size(), std::size_t{1});
        QVERIFY(project->problems()[0].message.find("newer") != std::string::npos);
        QCOMPARE(project->runs()->size(), std::size_t{1});
        const auto refused = project->recordRun(*sample::plan(3), {});
        QCOMPARE(refused.error().code, ErrorCode::Database);
        QVERIFY(refused.error().message.find("newer") != std::string::npos);
        QVERIFY(!project->setValue("a", "b").has_value());
    }

    void bringsAnOlderFileUpToDate() {
        const std::string file = newFile();
        QVERIFY(opened(file)->setValue("kept", "yes").has_value());
        const auto database = *Database::open(file, Database::Mode::ReadWrite);
        const int now = Project::kSchemaVersion;
        const std::array next{
            Migration{1, "CREATE TABLE never(a) STRICT"}, // long done
            Migration{now + 1, "ALTER TABLE settings ADD COLUMN changed TEXT NOT NULL DEFAULT 'old'"},
            Migration{now + 2,
                      "CREATE TABLE extra(a TEXT) STRICT; INSERT INTO extra SELECT changed FROM settings"}};
        QVERIFY(migrate(*database, next).has_value());
        QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{now + 2});
        QCOMPARE(*database->text("SELECT a FROM extra"), std::string("old"));
        QCOMPARE(*database->text("SELECT value FROM settings WHERE key = 'kept'"), std::string("yes"));
        QVERIFY(migrate(*database, next).has_value()); // nothing left to do
    }

    /// A file of the first schema, with a run in it, opens and takes new runs.
    void readsRunsOfTheFirstSchema() {
        const std::string file = newFile();
        {
            const auto database = *Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(migrate(*database, projectMigrations().first(1)).has_value());
            QVERIFY(database
                        ->run("INSERT INTO models VALUES('m', 'net', 'p', 1, 5, 6);"
                              "INSERT INTO targets VALUES('t', 'attacc', 'AttAcc', 'attacc', 'a100', '{}');"
                              "INSERT INTO runs VALUES(7, 'old', 'main', 'm', '/net.onnx', 'net.onnx', 't', "
                              "'{}', '{}', 0, '0.1', "
                              "'2026-01-01T00:00:00Z', 1, 'predicted', 1, 2, 3, 4, 5, 15, 30, 0, 0);"
                              "INSERT INTO run_ops(run_id, op_index, name, type, placement, "
                              "placement_overridden, draft, draft_overridden, "
                              "reason, origin, input_ns, compute_ns, output_ns, mode_switch_ns, host_ns, "
                              "macs, bytes, drafts_enumerated, "
                              "drafts_kept) VALUES(7, 0, 'op', 'MatMul', 'pim', 0, 'd', 0, 'r', 'predicted', "
                              "1, 2, 3, 4, 5, 9, 9, 9, 9)")
                        .has_value());
        }
        const auto project = opened(file);
        QVERIFY(project && !project->readOnly());
        QCOMPARE(project->run(7)->totalNs, 15.0);
        const auto ops = *project->runOps(7);
        QCOMPARE(ops.size(), std::size_t{1});
        QCOMPARE(ops[0].cost.hostNs, 5.0);
        QCOMPARE(ops[0].cost.rewriteNs, 0.0);
        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        QCOMPARE(*database->text("SELECT total_ns FROM run_ops WHERE run_id = 7"), std::string("15.0"));
        QVERIFY(project->recordRun(*sample::plan(3), {}).has_value());
    }

    /// Plans of dual-mode chips went by the published formulas, which was as usual then and is an option now.
    void keepsFormulasOfTheSeventhSchema() {
        const std::string file = newFile();
        {
            const auto database = *Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(migrate(*database, projectMigrations().first(7)).has_value());
            std::string sql =
                "INSERT INTO models VALUES('m', 'net', 'p', 2, 5, 6);"
                "INSERT INTO targets VALUES('d', 'dynaplasia', 'D', 'dual_mode', 'a100', '{}'),"
                "('c', 'older', 'O', 'cim', 'a100', '{}'), ('x', 'attacc', 'A', 'attacc', 'a100', '{}');";
            const auto addRun = [&sql](int id, const char* target, const char* options) {
                sql += fmt::format(
                    "INSERT INTO runs(id, label, variant, model_hash, model_path, model_relative, "
                    "target_hash, "
                    "overrides_json, options_json, seed, tool_version, started_utc, compile_ms, origin, "
                    "input_ns, "
                    "compute_ns, output_ns, mode_switch_ns, host_ns, total_ns, host_only_ns, "
                    "resident_load_ns, "
                    "resident_bytes) VALUES({}, 'old', 'main', 'm', '/net.onnx', 'net.onnx', '{}', '{{}}', "
                    "'{}', 0, "
                    "'0.1', '2026-01-01T00:00:00Z', 1, 'predicted', 1, 2, 3, 4, 5, 15, 30, 0, 0);",
                    id, target, options);
            };
            addRun(1, "d", R"({"seed":18446744073709551615})");
            addRun(2, "d", R"({"conv_as_gemm":true,"dual_mode":{"traffic":"inputs"},"seed":3})");
            addRun(3, "d", R"({"dual_mode":{"cost":"flow"}})");
            addRun(4, "c", R"({"cim":{"caps":"8,4"}})");
            addRun(5, "x", R"({"seed":1})");
            sql += "INSERT INTO work VALUES(1, '/net.onnx', 'net.onnx', 'm', 'd', '{}', 'main')";
            const auto filled = database->run(sql);
            QVERIFY2(filled.has_value(), filled ? "" : filled.error().text().c_str());
        }
        QVERIFY(opened(file));
        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        const auto options = [&](int run) {
            return *database->text(fmt::format("SELECT options_json FROM runs WHERE id = {}", run));
        };
        QCOMPARE(options(1), std::string(R"({"dual_mode":{"cost":"formula"},"seed":18446744073709551615})"));
        QCOMPARE(options(2),
                 std::string(
                     R"({"conv_as_gemm":true,"dual_mode":{"cost":"formula","traffic":"inputs"},"seed":3})"));
        QCOMPARE(options(3), std::string(R"({"dual_mode":{"cost":"flow"}})"));
        QCOMPARE(options(4), std::string(R"({"cim":{"caps":"8,4","cost":"formula"}})"));
        QCOMPARE(options(5), std::string(R"({"seed":1})"));
        QCOMPARE(*database->text("SELECT options_json FROM work"),
                 std::string(R"({"dual_mode":{"cost":"formula"}})"));
    }

    /// Of the schema before devices: where ops ran, in words, becomes the first machine or the host.
    void readsPlacementsOfTheSixthSchema() {
        const std::string file = newFile();
        {
            const auto database = *Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(migrate(*database, projectMigrations().first(6)).has_value());
            QVERIFY(
                database
                    ->run(
                        "INSERT INTO models VALUES('m', 'net', 'p', 2, 5, 6);"
                        "INSERT INTO targets VALUES('t', 'attacc', 'AttAcc', 'attacc', 'a100', '{}');"
                        "INSERT INTO runs(id, label, variant, model_hash, model_path, model_relative, "
                        "target_hash, "
                        "overrides_json, options_json, seed, tool_version, started_utc, compile_ms, origin, "
                        "input_ns, compute_ns, output_ns, mode_switch_ns, host_ns, total_ns, host_only_ns, "
                        "resident_load_ns, resident_bytes) VALUES(7, 'old', 'main', 'm', '/net.onnx', "
                        "'net.onnx', "
                        "'t', '{}', '{}', 0, '0.1', '2026-01-01T00:00:00Z', 1, 'predicted', 1, 2, 3, 4, 5, "
                        "15, "
                        "30, 0, 0);"
                        "INSERT INTO run_ops(run_id, op_index, name, type, placement, placement_overridden, "
                        "draft, "
                        "draft_overridden, reason, origin, input_ns, compute_ns, output_ns, mode_switch_ns, "
                        "host_ns, "
                        "macs, bytes, drafts_enumerated, drafts_kept) VALUES"
                        "(7, 0, 'a', 'MatMul', 'pim', 0, 'd', 0, 'r', 'predicted', 1, 2, 3, 4, 0, 9, 9, 9, "
                        "9),"
                        "(7, 1, 'b', 'MatMul', 'host', 0, '', 0, 'r', 'predicted', 0, 0, 0, 0, 5, 9, 9, 9, "
                        "9)")
                    .has_value());
        }
        const auto project = opened(file);
        QVERIFY(project && !project->readOnly());
        const auto ops = *project->runOps(7);
        QCOMPARE(ops.size(), std::size_t{2});
        QCOMPARE(ops[0].placement, std::string("pim"));
        QCOMPARE(ops[0].cost.totalNs(), 10.0);
        QCOMPARE(ops[1].placement, std::string("host"));
        const RunDevices devices = *project->runDevices(7);
        QCOMPARE(devices.machines.size(), std::size_t{1});
        QCOMPARE(devices.machines[0].name, std::string("attacc"));
        QVERIFY(devices.parts.empty() && devices.transfers.empty());
        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{Project::kSchemaVersion});
        QCOMPARE(*database->text("SELECT group_concat(placement || ' ' || ops, ', ') FROM v_placement"),
                 std::string("host 1, pim 1"));
        QCOMPARE(*database->text("SELECT device || ' ' || ops FROM v_devices"), std::string("attacc 1"));
        QVERIFY(project->checkIntegrity().has_value());
        QVERIFY(project->deleteRun(7).has_value());
        QCOMPARE(*database->integer("SELECT count(*) FROM targets"), std::int64_t{0});
    }

    void keepsRunsOverSeveralMachines() {
        const auto plan = test::twoDevicePlan();
        const std::string file = newFile();
        const std::int64_t id = *opened(file)->recordRun(*plan, {});
        const auto project = opened(file);
        const RunDevices devices = *project->runDevices(id);
        QCOMPARE(devices.machines.size(), std::size_t{2});
        for (std::size_t d = 0; d < 2; ++d) {
            QCOMPARE(devices.machines[d].name, plan->devices[d].name);
            QCOMPARE(devices.machines[d].targetId, plan->devices[d].target->id);
        }
        QCOMPARE(devices.parts.size(), std::size_t{2});
        for (std::size_t p = 0; p < 2; ++p) {
            QVERIFY(devices.parts[p].device == DeviceId(p));
            QCOMPARE(devices.parts[p].ops.size(), std::size_t{4});
            QCOMPARE(devices.parts[p].ops.front(), plan->graph->op(plan->parts[p].ops.front()).name);
            QCOMPARE(devices.parts[p].totalNs, plan->parts[p].plan->total.totalNs());
            QCOMPARE(devices.parts[p].hostOnlyNs, plan->parts[p].plan->hostOnlyNs);
        }
        QCOMPARE(devices.transfers.size(), std::size_t{2});
        QCOMPARE(devices.transfers[1].tensor, std::string("fc3_out"));
        QVERIFY(devices.transfers[1].from == DeviceId(0) && devices.transfers[1].to == DeviceId(1));
        QCOMPARE(devices.transfers[1].bytes, std::int64_t{512});
        QCOMPARE(devices.transfers[1].ns, 256.0);
        const auto ops = *project->runOps(id);
        for (std::size_t i = 0; i < ops.size(); ++i)
            QCOMPARE(ops[i].placement, name(plan->ops[i].placement));
        QCOMPARE(project->run(id)->totalNs, plan->total.totalNs());

        const RunRecipe recipe = *project->recipe(id);
        QCOMPARE(recipe.target->id, std::string("aim"));
        const auto again = recipe.requireOneMachine();
        QVERIFY(!again.has_value());
        QCOMPARE(again.error().code, ErrorCode::Unsupported);
        QVERIFY(again.error().message.find("aim, hbm-pim") != std::string::npos);

        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        QCOMPARE(
            *database->text("SELECT group_concat(from_device || ' -> ' || to_device || ' ' || bytes, ', ') "
                            "FROM v_transfers"),
            std::string("aim -> hbm-pim 512, aim -> hbm-pim 512"));
        QVERIFY(project->checkIntegrity().has_value());
        QVERIFY(project->deleteRun(id).has_value());
        QCOMPARE(
            *database->integer("SELECT (SELECT count(*) FROM targets) + (SELECT count(*) FROM run_devices) + "
                               "(SELECT count(*) FROM run_parts) + (SELECT count(*) FROM run_transfers)"),
            std::int64_t{0});
    }

    void runsOnOneMachineHaveNoParts() {
        const auto project = opened(newFile());
        const std::int64_t id = *project->recordRun(*sample::plan(5), {});
        const RunDevices devices = *project->runDevices(id);
        QCOMPARE(devices.machines.size(), std::size_t{1});
        QCOMPARE(devices.machines[0].name, std::string("attacc"));
        QVERIFY(devices.parts.empty() && devices.transfers.empty());
        QVERIFY(project->recipe(id)->requireOneMachine().has_value());
    }

    void leavesTheFileAsItWasWhenAMigrationFails() {
        const std::string file = newFile();
        QVERIFY(opened(file)->setValue("kept", "yes").has_value());
        const auto database = *Database::open(file, Database::Mode::ReadWrite);
        const int now = Project::kSchemaVersion;
        const std::array broken{
            Migration{now + 1, "DROP TABLE settings"},
            Migration{now + 2, "CREATE TABLE a(x INTEGER) STRICT; INSERT INTO a VALUES('no number')"}};
        const auto failed = migrate(*database, broken);
        QVERIFY(!failed.has_value());
        QVERIFY(failed.error().message.find("version " + std::to_string(now + 2)) != std::string::npos);
        QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{now});
        QCOMPARE(*opened(file)->value("kept"), std::string("yes"));
    }

    void readsFromAReadOnlyMedium() {
        QTemporaryDir mountPoint;
        const QByteArray where = mountPoint.path().toUtf8();
        if (::mount("tmpfs", where.constData(), "tmpfs", 0, "size=8m") != 0)
            QSKIP("mounting a file system is not allowed here");
        {
            const auto project = opened(mountPoint.filePath("p.pimproj").toStdString());
            QVERIFY(project && project->recordRun(*sample::plan(5), {}).has_value());
        }
        QCOMPARE(::mount("tmpfs", where.constData(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0);
        {
            const auto project = opened(mountPoint.filePath("p.pimproj").toStdString());
            QVERIFY(project && project->readOnly());
            QCOMPARE(project->problems().size(), std::size_t{1});
            QCOMPARE(project->runs()->size(), std::size_t{1});
            QVERIFY(!project->recordRun(*sample::plan(5), {}).has_value());
            const auto fresh = Project::open(mountPoint.filePath("new.pimproj").toStdString());
            QCOMPARE(fresh.error().code, ErrorCode::Io);
        }
        ::umount(where.constData());
    }

    void saysThatTheDiskIsFullAndKeepsWhatWasThere() {
        const std::string file = newFile();
        const auto project = opened(file);
        const auto plan = sample::plan(10);
        QVERIFY(project->recordRun(*plan, {}).has_value());
        const auto big = sample::exploration(*plan, 0, 200000);
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        rlimit tight = before;
        tight.rlim_cur = 1 << 20;
        ::setrlimit(RLIMIT_FSIZE, &tight);
        const auto failed = project->recordRun(
            *plan, {.variant = "main", .label = {}, .options = {}, .compileMs = 0, .explorations = {big}});
        ::setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!failed.has_value());
        QCOMPARE(failed.error().code, ErrorCode::Io);
        QVERIFY2(failed.error().message.find("nothing of this change was stored") != std::string::npos,
                 failed.error().message.c_str());
        QCOMPARE(project->runs()->size(), std::size_t{1});
        QVERIFY(project->checkIntegrity().has_value());
        QVERIFY(project->recordRun(*plan, {}).has_value());
    }

    void waitsForAnotherWriter() {
        const std::string file = newFile();
        QVERIFY(opened(file));
        std::atomic<int> stored = 0;
        const auto work = [&] {
            auto project = Project::open(file);
            const auto plan = sample::plan(20);
            for (int i = 0; i < 8 && project; ++i)
                stored += (*project)->recordRun(*plan, {}).has_value();
        };
        std::thread first(work), second(work);
        first.join();
        second.join();
        QCOMPARE(stored.load(), 16);
        QCOMPARE(opened(file)->runs()->size(), std::size_t{16});
    }
};

QTEST_GUILESS_MAIN(TestStore)
#include "tst_core_project_store.moc"
