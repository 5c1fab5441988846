// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Best drafts in a project: kept to the bit, one a question, and not believed where somebody changed them.
#include <QTest>
#include <string>

#include "core/project/database.h"
#include "core/project/known_drafts.h"
#include "core/project/project.h"
#include "core/project/schema.h"

#include <QFileInfo>
#include <QTemporaryDir>

using namespace pim;

namespace {

KnownDraft draft(const std::string& question, const std::string& target = "attacc") {
    KnownDraft known;
    known.question = question;
    known.code = "code one";
    known.targetId = target;
    known.targetHash = "hash of " + target;
    known.form = "mac w[01] [02] [012]r";
    known.sizes = "b=1 n=" + question;
    known.kernel = "def gemv(…)\n";
    known.residency = "streamed resident streamed";
    known.optionsJson = R"({"verify_drafts":8})";
    known.draft = "[[2, 2, A0=b]] expanded";
    known.price = {0.1, 1.0 / 3, 4e-17, 12345.678901234567};
    known.check.priceNs = 7e300;
    known.check.predictedNs = 0.3;
    known.check.simulatedNs = known.price.totalNs();
    known.check.simulated = 8;
    known.check.rank = 3;
    known.enumerated = 1'234'567'890'123;
    known.kept = 12;
    return known;
}

void run(const std::string& file, const std::string& sql) {
    QVERIFY((*Database::open(file, Database::Mode::ReadWrite))->run(sql).has_value());
}

} // namespace

class TestProjectKnownDrafts : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;
    std::string newFile() { return m_folder.filePath(QString("p%1.pimproj").arg(++m_files)).toStdString(); }
    /// With three drafts of two machines.
    std::string filled() {
        const std::string file = newFile();
        const auto project = *Project::open(file);
        const std::vector<KnownDraft> drafts{draft("1"), draft("2"), draft("3", "aim")};
        if (!project->storeKnownDrafts(drafts))
            qFatal("not stored");
        return file;
    }
    static StoredDrafts stored(const std::string& file) {
        return *(*Project::open(file, Project::Mode::ReadOnly))->knownDrafts();
    }

private slots:
    void givesBackWhatItWasGiven() {
        const StoredDrafts all = stored(filled());
        QCOMPARE(all.damaged, 0);
        QVERIFY(all.problems("p").empty());
        QCOMPARE(all.drafts.size(), std::size_t{3});
        QCOMPARE(all.drafts[0].targetId, std::string("aim")); // by machine, form, sizes
        QCOMPARE(all.drafts[1].digest(), draft("1").digest());
        const KnownDraft& first = all.drafts[1];
        QVERIFY(first.price.busOutputNs == 1.0 / 3 && first.price.computeNs == 4e-17); // to the bit
        QVERIFY(first.price.modeSwitchNs == 12345.678901234567 && *first.check.predictedNs == 0.3);
        QCOMPARE(*first.check.simulatedNs, draft("1").price.totalNs());
        QVERIFY(!first.check.lossAtMost && !first.check.wasKnown);
        QCOMPARE(first.enumerated, 1'234'567'890'123);
        QCOMPARE(first.foundUtc.size(), std::size_t{20});
    }

    void keepsOneAnswerAQuestion() {
        const std::string file = filled();
        run(file, "UPDATE known_drafts SET found_utc = '2001-01-01T00:00:00Z'");
        const auto project = *Project::open(file);
        KnownDraft newer = draft("2");
        newer.code = "code two";
        QVERIFY(project->storeKnownDrafts(std::vector{draft("1"), newer}).has_value());
        QVERIFY(project->storeKnownDrafts({}).has_value());
        const StoredDrafts all = stored(file);
        QCOMPARE(all.drafts.size(), std::size_t{3});
        QCOMPARE(all.drafts[1].foundUtc, std::string("2001-01-01T00:00:00Z")); // nothing new
        QCOMPARE(all.drafts[2].code, std::string("code two"));
        QVERIFY(all.drafts[2].foundUtc > "2001-01-01T00:00:00Z");
    }

    void changedRowsAreNotBelieved_data() {
        QTest::addColumn<QString>("change");
        for (const char* change :
             {"draft = '[[1, 1, A0=b]] expanded'", "compute_ns = 1", "compute_ns = 9e999", "loss_at_most = 0",
              "predicted_ns = NULL", "code = 'code two'", "target_hash = ''", "simulated = -1",
              "kept = 9223372036854775807", "digest = ''", "draft = CAST(x'ff00fe' AS TEXT)",
              "rank = 4294967299"})
            QTest::newRow(change) << change;
    }
    void changedRowsAreNotBelieved() {
        QFETCH(QString, change);
        const std::string file = filled();
        run(file, "UPDATE known_drafts SET " + change.toStdString() + " WHERE question IN ('1', '3')");
        const StoredDrafts all = stored(file);
        QCOMPARE(all.damaged, 2);
        QCOMPARE(all.drafts.size(), std::size_t{1});
        const Diagnostics problems = all.problems(file);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY(problems[0].message.starts_with("2 of 3 best drafts"));
        // A search that finds the answer again puts it right.
        QVERIFY(
            (*Project::open(file))->storeKnownDrafts(std::vector{draft("1"), draft("3", "aim")}).has_value());
        QCOMPARE(stored(file).damaged, 0);
    }

    void forgetsWhenTold() {
        const std::string file = filled();
        const auto project = *Project::open(file);
        QCOMPARE(*project->clearKnownDrafts("aim"), 1);
        QCOMPARE(stored(file).drafts.size(), std::size_t{2});
        QCOMPARE(*project->clearKnownDrafts("none"), 0);
        QCOMPARE(*project->clearKnownDrafts(), 2);
        QVERIFY(stored(file).drafts.empty());
    }

    void tellsHowMuchRoomTheyTake() {
        const std::string file = filled();
        const auto few = knownDraftsBytes(file);
        if (!few && few.error().code == ErrorCode::Usage)
            QSKIP("this SQLite counts no pages");
        const auto project = *Project::open(file);
        std::vector<KnownDraft> many;
        std::int64_t letters = 0;
        for (int i = 0; i < 200; ++i) {
            many.push_back(draft(std::to_string(i)));
            letters += std::ssize(many.back().kernel + many.back().draft + many.back().optionsJson);
        }
        QVERIFY(project->storeKnownDrafts(many).has_value());
        const auto more = knownDraftsBytes(file);
        QVERIFY2(more && *more > *few + letters,
                 qPrintable(QString("%1 B, %2 B, %3 letters").arg(*few).arg(more.value_or(-1)).arg(letters)));
        QVERIFY(*knownDraftsBytes(file) <=
                std::int64_t(QFileInfo(QString::fromStdString(file)).size() +
                             QFileInfo(QString::fromStdString(file + "-wal")).size()));
        QVERIFY(project->clearKnownDrafts().has_value());
        QVERIFY(*knownDraftsBytes(file) <= *few);
        QVERIFY(!knownDraftsBytes(m_folder.filePath("none.pimproj").toStdString()).has_value());
    }

    void readOnlyProjectsTakeNone() {
        const auto project = *Project::open(filled(), Project::Mode::ReadOnly);
        QCOMPARE(project->storeKnownDrafts(std::vector{draft("9")}).error().code, ErrorCode::Database);
        QCOMPARE(project->clearKnownDrafts().error().code, ErrorCode::Database);
        QVERIFY(project->storeKnownDrafts({}).has_value());
    }

    /// A file of the schema before, with a sweep in it, knows no drafts and takes some.
    void comesUpToDateFromTheSchemaBefore() {
        const std::string file = newFile();
        {
            const auto database = *Database::open(file, Database::Mode::ReadWrite);
            QVERIFY(migrate(*database, projectMigrations().first(4)).has_value());
            QVERIFY(database
                        ->run("INSERT INTO targets VALUES('t', 'attacc', 'AttAcc', 'attacc', 'a100', '{}');"
                              "INSERT INTO sweeps VALUES(3, 'kept', '2026-01-01T00:00:00Z', '/m.onnx', "
                              "'m.onnx', 'h', 'm', 't', '{}', "
                              "'{}', '{}', '[]', 1, '')")
                        .has_value());
        }
        const auto project = *Project::open(file);
        QVERIFY(!project->readOnly());
        QCOMPARE(project->sweeps()->front().name, std::string("kept"));
        QVERIFY(project->knownDrafts()->drafts.empty());
        QVERIFY(project->storeKnownDrafts(std::vector{draft("1")}).has_value());
        const auto database = *Database::open(file, Database::Mode::ReadOnly);
        QCOMPARE(*database->integer("PRAGMA user_version"), std::int64_t{Project::kSchemaVersion});
        QCOMPARE(
            *database->text("SELECT target || ' ' || sizes || ' ' || drafts_simulated FROM v_known_drafts"),
            std::string("attacc b=1 n=1 8"));
    }
};

QTEST_GUILESS_MAIN(TestProjectKnownDrafts)
#include "tst_core_project_known_drafts.moc"
