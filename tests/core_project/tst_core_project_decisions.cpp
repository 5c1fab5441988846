// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Decisions in the project: what is saved comes back to the byte, in one transaction, from every older
/// schema.
#include <QTest>
#include <string>

#include "core/project/database.h"
#include "core/project/project.h"
#include "core/project/schema.h"
#include "tests/core_project/sample_plan.h"

#include <QTemporaryDir>

#include <random>

using namespace pim;

namespace {

std::unique_ptr<Project> opened(const std::string& file, Project::Mode mode = Project::Mode::ReadWrite) {
    auto project = Project::open(file, mode);
    if (!project)
        qWarning("%s", project.error().text().c_str());
    return project ? std::move(*project) : nullptr;
}

/// Every row of every table that decisions live in, as text.
std::string tablesOf(const std::string& file) {
    const auto database = *Database::open(file, Database::Mode::ReadOnly);
    std::string text;
    for (const char* table :
         {"work", "work_bindings", "work_disabled_passes", "work_pass_options", "work_marks", "work_notes",
          "view_states", "variants", "overrides", "targets"}) {
        const auto columns =
            *database->integer(std::string("SELECT count(*) FROM pragma_table_info('") + table + "')");
        auto rows = *database->prepare(std::string("SELECT * FROM ") + table + " ORDER BY 1");
        text += std::string("\n") + table;
        while (*rows.step())
            for (int column = 0; column < columns; ++column)
                text += '|' + rows.text(column);
    }
    return text;
}

/// A state with something of everything; names and texts that want escaping.
DecisionState randomState(unsigned seed) {
    std::mt19937 random(seed);
    const auto pick = [&](std::initializer_list<const char*> words) {
        return std::string(std::data(words)[random() % words.size()]);
    };
    const auto overrides = [&] {
        Overrides set;
        for (unsigned i = random() % 5; i > 0; --i)
            set.set({pick({"", "Conv_1", "a'b", "Übergabe/ß", "x\"y"}),
                     pick({"placement", "draft", "residency/W/1"}),
                     pick({"pim", "host", "[[1, 2, A]]", ""})});
        return set;
    };
    DecisionState state;
    state.modelPath = "/models/" + pick({"a.onnx", "b c.onnx", "ü.onnx"});
    state.modelHash = std::to_string(random());
    for (unsigned i = random() % 3; i > 0; --i)
        state.graph.bindings[pick({"batch", "past", "q'"})] = 1 + std::int64_t(random() % 100);
    if (random() % 2)
        state.graph.disabledPasses.insert("fold_constants");
    if (random() % 2)
        state.graph.passOptions["fuse_gelu"]["form"] = pick({"erf", "tanh"});
    static const TargetCatalog catalog = TargetCatalog::load();
    state.target = *catalog.find(pick({"attacc", "hbm-pim", "dynaplasia"}));
    state.options.convAsGemm = random() % 2;
    state.options.seed = (std::uint64_t(random()) << 32) | random();
    const std::array names{"main", "try 2", "größer", "z"};
    state.variants.clear();
    const std::size_t count = 1 + random() % names.size(), first = random() % names.size();
    for (std::size_t i = 0; i < count; ++i)
        state.variants.push_back(
            {names[(first + i) % names.size()], i ? state.variants[random() % i].name : "", overrides()});
    state.variant = state.variants[random() % count].name;
    for (const Variant& variant : state.variants)
        for (const Override& decision : variant.overrides.all())
            if (!decision.op.empty())
                state.marks[decision.op] = {
                    "Conv", "[1, 8] -> [1, 8]", std::int64_t(random() % 9), 1, 3, {"in", "", "w'\""}, "out"};
    for (unsigned i = random() % 4; i > 0; --i)
        state.notes.push_back({std::ssize(state.notes) * 3 + 1, pick({"", "Conv_1"}), pick({"", "network"}),
                               double(random()) / 7, double(random()),
                               pick({"slow", "line\nbreak", "ß'\""})});
    state.lastNote = state.notes.empty() ? 0 : state.notes.back().id;
    if (random() % 2)
        state.viewStates["graph"] = R"({"zoom":1.5})";
    return state;
}

} // namespace

class TestDecisions : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    std::string newFile() { return m_folder.filePath(QString("p%1.pimproj").arg(++m_files)).toStdString(); }

    /// \p file as version \p version left it, with a run of a variant.
    void makeOlder(const std::string& file, std::size_t version) {
        const auto database = *Database::open(file, Database::Mode::ReadWrite);
        QVERIFY(migrate(*database, projectMigrations().first(version)).has_value());
        const auto filled =
            database->run("INSERT INTO variants(name, parent_id) VALUES('second', 1);"
                          "INSERT INTO overrides VALUES(1, 'op', 'placement', 'host');"
                          "INSERT INTO models VALUES('m', 'net', 'p', 1, 5, 6);"
                          "INSERT INTO targets VALUES('t', 'attacc', 'AttAcc', 'attacc', 'a100', '{}');"
                          "INSERT INTO runs(label, variant, model_hash, model_path, model_relative, "
                          "target_hash, overrides_json, options_json, seed, "
                          "tool_version, started_utc, compile_ms, origin, input_ns, compute_ns, output_ns, "
                          "mode_switch_ns, host_ns, total_ns, host_only_ns, "
                          "resident_load_ns, resident_bytes) VALUES('old', 'main', 'm', '/net.onnx', "
                          "'net.onnx', 't', '{}', '{}', 0, '0.1', "
                          "'2026-01-01T00:00:00Z', 1, 'predicted', 1, 2, 3, 4, 5, 15, 30, 0, 0);"
                          "INSERT INTO notes VALUES(1, '', 'of the run', '2026-01-01T00:00:00Z')");
        QVERIFY2(filled.has_value(), filled ? "" : filled.error().text().c_str());
    }

private slots:
    void whatIsSavedComesBack() {
        const std::string file = newFile();
        QVERIFY(!opened(file)->decisions()->has_value());
        std::vector<std::string> known{"main"};
        for (unsigned seed = 1; seed <= 30; ++seed) { // over each other: nothing of the one before is left
            const DecisionState state = randomState(seed);
            const auto saved = opened(file)->saveDecisions(state, known);
            QVERIFY2(saved.has_value(), saved ? "" : saved.error().text().c_str());
            const auto read = opened(file)->decisions();
            QVERIFY2(read.has_value(), read ? "" : read.error().text().c_str());
            QVERIFY(read->has_value());
            QCOMPARE(decisionsText(**read), decisionsText(state));
            QVERIFY((*read)->viewStates == state.viewStates);
            QVERIFY((*read)->lastNote >= state.lastNote);
            known.clear();
            for (const Variant& variant : state.variants)
                known.push_back(variant.name);
        }
        QVERIFY(opened(file)->checkIntegrity().has_value());
    }

    void equalStatesAreEqualRows() {
        for (unsigned seed = 1; seed <= 10; ++seed) {
            const std::string first = newFile(), second = newFile();
            QVERIFY(opened(first)->saveDecisions(randomState(seed), {"main"}).has_value());
            QVERIFY(opened(second)->saveDecisions(randomState(seed), {"main"}).has_value());
            QVERIFY(tablesOf(first) == tablesOf(second));
            QVERIFY(opened(first)->saveDecisions(randomState(seed)).has_value()); // again
            QVERIFY(tablesOf(first) == tablesOf(second));
            QVERIFY(tablesOf(first).find("|") != std::string::npos);
        }
    }

    void variantsOfAnotherProgramStay() {
        const std::string file = newFile();
        DecisionState state = randomState(3);
        state.variants = {{"main", "", {}}, {"mine", "main", {}}};
        state.variant = "mine";
        QVERIFY(opened(file)->saveDecisions(state).has_value());
        Overrides theirs;
        theirs.set({"op", "placement", "host"});
        QVERIFY(opened(file)->saveVariant("from pimc", theirs, "main").has_value());
        state.variants.back().name = state.variant = "renamed";
        QVERIFY(opened(file)->saveDecisions(state, {"mine"}).has_value());
        const auto read = *opened(file)->decisions();
        QCOMPARE(read->variants.size(), std::size_t{3});
        QCOMPARE(read->variants[1].name, std::string("renamed"));
        QCOMPARE(read->variants[2].name, std::string("from pimc"));
        QVERIFY(read->variants[2].overrides == theirs);
        QCOMPARE(read->variants[2].parent, std::string("main"));
    }

    void idsOfNotesAreNeverGivenTwice() {
        const std::string file = newFile();
        DecisionState state = randomState(5);
        state.notes = {{7, "op", "", 0, 0, "text"}};
        QVERIFY(opened(file)->saveDecisions(state).has_value());
        state.notes.clear();
        QVERIFY(opened(file)->saveDecisions(state).has_value());
        QCOMPARE((*opened(file)->decisions())->lastNote, 7);
    }

    void theTargetOfTheDecisionsOutlivesTheLastRun() {
        const std::string file = newFile();
        const auto plan = sample::plan(4);
        const auto project = opened(file);
        const auto run = project->recordRun(*plan, {});
        DecisionState state = randomState(2);
        state.target = plan->target;
        QVERIFY(project->saveDecisions(state).has_value());
        QVERIFY(project->deleteRun(*run).has_value());
        QCOMPARE((*project->decisions())->target->hash, plan->target->hash);
        state.target = *TargetCatalog::load().find("aim");
        QVERIFY(project->saveDecisions(state).has_value());
        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        QCOMPARE(*database->text("SELECT group_concat(target_id) FROM targets"),
                 std::string("aim")); // the other one is used by nothing
    }

    void comesUpToDateFromEveryOlderVersion_data() {
        QTest::addColumn<int>("version");
        for (int version = 1; version < Project::kSchemaVersion; ++version)
            QTest::addRow("version %d", version) << version;
    }
    void comesUpToDateFromEveryOlderVersion() {
        QFETCH(int, version);
        const std::string file = newFile();
        makeOlder(file, static_cast<std::size_t>(version));
        const auto project = opened(file);
        QVERIFY(project && !project->readOnly());
        QCOMPARE(*(*Database::open(file, Database::Mode::ReadOnly))->integer("PRAGMA user_version"),
                 std::int64_t{Project::kSchemaVersion});
        QCOMPARE(project->run(1)->totalNs, 15.0);
        QCOMPARE(project->run(1)->note, std::string("of the run"));
        QVERIFY(!project->decisions()->has_value());
        const auto variants = *project->variants();
        QCOMPARE(variants.size(), std::size_t{2});
        QCOMPARE(variants[0].overrides.size(), std::size_t{1});
        QCOMPARE(variants[1].parent, variants[0].id);
        const DecisionState state = randomState(9);
        QVERIFY(project->saveDecisions(state, {"main", "second"}).has_value());
        QCOMPARE(decisionsText(**project->decisions()), decisionsText(state));
        QVERIFY(project->checkIntegrity().has_value());
    }

    void aSaveThatFailsChangesNothing() {
        const std::string file = newFile();
        const auto project = opened(file);
        QVERIFY(project->saveDecisions(randomState(4), {"main"}).has_value());
        const std::string before = tablesOf(file);
        DecisionState broken = randomState(8);
        broken.notes = {{1, "", "", 0, 0, "a"}, {1, "", "", 0, 0, "the same id"}};
        QVERIFY(!project->saveDecisions(broken).has_value());
        QVERIFY(tablesOf(file) == before);
    }

    void brokenContentsAreReportedNotTrusted_data() {
        QTest::addColumn<QByteArray>("sql");
        QTest::newRow("variant in force is gone") << QByteArray("UPDATE work SET variant = 'nowhere'");
        QTest::newRow("options are no JSON") << QByteArray("UPDATE work SET options_json = '{'");
        QTest::newRow("target is no target") << QByteArray("UPDATE targets SET json = '[]'");
        QTest::newRow("inputs of a mark are numbers")
            << QByteArray("INSERT INTO work_marks VALUES('x','t','s',0,0,1,'o','[1]')");
    }
    void brokenContentsAreReportedNotTrusted() {
        QFETCH(QByteArray, sql);
        const std::string file = newFile();
        QVERIFY(opened(file)->saveDecisions(randomState(6), {"main"}).has_value());
        QVERIFY((*Database::open(file, Database::Mode::ReadWrite))->run(sql.toStdString()).has_value());
        const auto read = opened(file)->decisions();
        QVERIFY(!read.has_value());
        QVERIFY(!read.error().where.empty());
    }
};

QTEST_GUILESS_MAIN(TestDecisions)
#include "tst_core_project_decisions.moc"
