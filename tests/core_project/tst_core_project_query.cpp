// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// SQL over a project: answers, positions of mistakes, and that nothing but reading gets through, however it
/// is asked.
#include <QTest>
#include <string>

#include "core/project/project.h"
#include "core/project/query.h"
#include "tests/core_project/sample_plan.h"

#include <QCryptographicHash>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <thread>

using namespace pim;

namespace {

QByteArray hashOf(const QString& file) {
    QFile in(file);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return in.open(QIODevice::ReadOnly) && hash.addData(&in) ? hash.result() : QByteArray();
}

} // namespace

class TestQuery : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_file;

    ProjectQuery open() {
        auto query = ProjectQuery::open(m_file.toStdString());
        if (!query)
            qFatal("%s", query.error().text().c_str());
        return std::move(*query);
    }

private slots:
    void initTestCase() {
        m_file = m_folder.filePath("q.pimproj");
        auto project = Project::open(m_file.toStdString());
        QVERIFY(project.has_value());
        const auto plan = sample::plan(40);
        for (const char* label : {"first", "it's \"second\""}) {
            RunContext context;
            context.label = label;
            context.explorations = {sample::exploration(*plan, 0, 500)};
            QVERIFY((*project)->recordRun(*plan, context).has_value());
        }
    }

    void answersWithTypesAndUnits() {
        ProjectQuery query = open();
        const auto result = query.run("SELECT id, label, total_ns, resident_bytes, NULL AS empty, x'0102' "
                                      "AS raw FROM runs ORDER BY id -- all");
        QVERIFY2(result.has_value(), result ? "" : result.error().text().c_str());
        QCOMPARE(result->rows.size(), 2u);
        QCOMPARE(QString::fromStdString(result->columns[2].unit), QStringLiteral("ns"));
        QCOMPARE(QString::fromStdString(result->columns[3].unit), QStringLiteral("B"));
        QCOMPARE(QString::fromStdString(result->columns[1].unit), QString());
        QCOMPARE(std::get<std::int64_t>(result->rows[0][0]), 1);
        QCOMPARE(QString::fromStdString(std::get<std::string>(result->rows[1][1])),
                 QStringLiteral("it's \"second\""));
        QCOMPARE(std::get<double>(result->rows[0][2]), sample::plan(40)->total.totalNs());
        QVERIFY(std::holds_alternative<std::monostate>(result->rows[0][4]));
        QVERIFY(result->rows[0][5] == QueryValue(QueryBlob{2}));
        QVERIFY(!result->more);
    }

    void numbersStayUnrounded() {
        const double odd = 0.1 + 0.2;
        QCOMPARE(QString::fromStdString(queryText(odd)).toDouble(), odd);
        QCOMPARE(QString::fromStdString(queryText(std::int64_t(9223372036854775807))),
                 QStringLiteral("9223372036854775807"));
    }

    void unitsComeFromNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("unit");
        for (const auto& [name, unit] : {std::pair("total_ns", "ns"),
                                         {"compile_ms", "ms"},
                                         {"total_us", "µs"},
                                         {"bytes", "B"},
                                         {"resident_bytes", "B"},
                                         {"share_percent", "%"},
                                         {"macs", "MAC"},
                                         {"name", ""},
                                         {"s", ""},
                                         {"status", ""},
                                         {"columns", ""},
                                         {"energy_pj", "pJ"}})
            QTest::newRow(name) << name << QString::fromUtf8(unit);
    }
    void unitsComeFromNames() {
        QFETCH(QString, name);
        QFETCH(QString, unit);
        QCOMPARE(QString::fromStdString(unitOfColumn(name.toStdString())), unit);
    }

    void listsTablesViewsAndColumns() {
        const auto schema = open().schema();
        QVERIFY2(schema.has_value(), schema ? "" : schema.error().text().c_str());
        const auto find = [&](const char* name) {
            return std::find_if(schema->begin(), schema->end(),
                                [&](const SchemaTable& table) { return table.name == name; });
        };
        QVERIFY(find("runs") != schema->end() && !find("runs")->isView);
        QVERIFY(find("v_runs") != schema->end() && find("v_runs")->isView);
        const auto& columns = find("run_ops")->columns;
        const auto total = std::find_if(columns.begin(), columns.end(),
                                        [](const SchemaColumn& column) { return column.name == "total_ns"; });
        QVERIFY(total != columns.end()); // a generated column is one too
        QCOMPARE(QString::fromStdString(total->unit), QStringLiteral("ns"));
    }

    void everyExampleRuns() {
        ProjectQuery query = open();
        for (const QueryExample& example : queryExamples()) {
            const auto result = query.run(std::string(example.sql));
            QVERIFY2(result.has_value(),
                     result ? "" : (std::string(example.title) + ": " + result.error().text()).c_str());
            QVERIFY(!result->columns.empty());
        }
        QVERIFY(!query.run(std::string(queryExamples()[3].sql))->rows.empty());
    }

    void stopsAtTheLimitAndSaysSo() {
        ProjectQuery query = open();
        const std::string all =
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i FROM n";
        const auto some = query.run(all, 10);
        QCOMPARE(some->rows.size(), 10u);
        QVERIFY(some->more && !some->stoppedBy.empty());
        QCOMPARE(query.run(all, 5000)->rows.size(), 5000u);
        QVERIFY(!query.run(all, 5000)->more);
        QCOMPARE(query.run(all, 0)->rows.size(), 5000u);
    }

    void memoryIsBounded() {
        ProjectQuery query = open();
        const auto wide = query.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
                                    "printf('%.*c', 1000000, 'x') FROM n",
                                    0);
        QVERIFY2(wide.has_value(), wide ? "" : wide.error().text().c_str());
        QVERIFY(wide->more && wide->rows.size() < 100);
        const auto sorted = query.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
                                      "SELECT printf('%.*c', 100000, 'x') || i FROM n ORDER BY 1",
                                      0);
        QVERIFY(!sorted);
        QCOMPARE(sorted.error().code, ErrorCode::Usage);
        QVERIFY2(sorted.error().message.find("MiB") != std::string::npos, sorted.error().text().c_str());
        QVERIFY(!query.run("SELECT zeroblob(1000000000)"));
        QVERIFY(query.run("SELECT count(*) FROM runs").has_value()); // works again after each
    }

    void saysWhereTheMistakeIs() {
        ProjectQuery query = open();
        const auto wrong = query.run("SELECT id,\n       lable\nFROM runs");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, ErrorCode::Usage);
        QCOMPARE(QString::fromStdString(wrong.error().where), QStringLiteral("line 2, column 8"));
        QCOMPARE(query.errorOffset().value(), 18u);
        QVERIFY(wrong.error().message.find("lable") != std::string::npos);
        QVERIFY(query.run("SELECT 1").has_value());
        QVERIFY(!query.errorOffset());
        for (const char* nothing : {"", "  \n ", "-- a remark", ";"})
            QVERIFY2(!query.run(nothing), nothing);
    }

    void onlyReadingGetsThrough_data() {
        QTest::addColumn<QString>("sql");
        const auto row = [](const char* sql) { QTest::newRow(sql) << QString(sql); };
        row("INSERT INTO settings VALUES('a', 'b')");
        row("INSERT INTO settings VALUES('a', 'b') RETURNING key");
        row("REPLACE INTO settings VALUES('a', 'b')");
        row("WITH x AS (SELECT 1) UPDATE runs SET label = 'x'");
        row("UPDATE runs SET label = 'x' RETURNING id");
        row("DELETE FROM runs");
        row("UPDATE sqlite_master SET type = 'view'");
        row("UPDATE sqlite_schema SET sql = '' RETURNING name");
        row("DROP TABLE runs");
        row("CREATE TABLE t(a)");
        row("CREATE TEMP TABLE t(a)");
        row("CREATE TEMP VIEW t AS SELECT 1");
        row("CREATE VIRTUAL TABLE t USING fts5(a)");
        row("ALTER TABLE runs RENAME TO r");
        row("ATTACH 'other.db' AS other");
        row("ATTACH ':memory:' AS other");
        row("DETACH main");
        row("VACUUM");
        row("VACUUM INTO '/var/tmp/pim-query-copy.db'");
        row("REINDEX");
        row("ANALYZE");
        row("BEGIN");
        row("BEGIN IMMEDIATE");
        row("SAVEPOINT a");
        row("COMMIT");
        row("PRAGMA query_only = OFF");
        row("PRAGMA user_version = 99");
        row("PRAGMA journal_mode = DELETE");
        row("PRAGMA writable_schema = ON");
        row("PRAGMA trusted_schema = ON");
        row("PRAGMA wal_checkpoint(TRUNCATE)");
        row("PRAGMA incremental_vacuum");
        row("PRAGMA temp_store_directory = '/var/tmp'");
        row("PRAGMA mmap_size = 1000000");
        row("SELECT * FROM pragma_wal_checkpoint");
        row("SELECT load_extension('evil.so')");
        row("SELECT fts3_tokenizer('simple')");
        row("SELECT writefile('/var/tmp/pim-query', 'x')");
        row("SELECT readfile('/etc/passwd')");
        row("SELECT edit('x')");
        row("EXPLAIN DELETE FROM runs");
        row("SELECT 1; DELETE FROM runs");
        row("SELECT 1; SELECT 2");
    }
    void onlyReadingGetsThrough() {
        QFETCH(QString, sql);
        const QByteArray before = hashOf(m_file);
        ProjectQuery query = open();
        const auto result = query.run(sql.toStdString());
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Usage);
        QVERIFY(!result.error().message.empty());
        QCOMPARE(hashOf(m_file), before);
        QVERIFY(!QFile::exists("other.db") && !QFile::exists("/var/tmp/pim-query") &&
                !QFile::exists("/var/tmp/pim-query-copy.db"));
        QVERIFY(query.run("SELECT count(*) FROM runs").has_value()); // the connection works on
    }

    void readingPragmasAnswer() {
        ProjectQuery query = open();
        QCOMPARE(std::get<std::int64_t>(query.run("PRAGMA user_version")->rows[0][0]),
                 Project::kSchemaVersion);
        QVERIFY(query.run("PRAGMA table_info(runs)")->rows.size() > 20);
        QVERIFY(query.run("SELECT name FROM pragma_table_info('runs')")->rows.size() > 20);
        QVERIFY(query.run("EXPLAIN QUERY PLAN SELECT * FROM v_runs").has_value());
    }

    void anEndlessQueryCanBeStopped_data() {
        QTest::addColumn<QString>("sql");
        QTest::newRow("rows that never come")
            << "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i < 0";
        QTest::newRow("a sum without end")
            << "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
        QTest::newRow("a large product") << "SELECT count(*) FROM run_ops a, run_ops b, run_ops c, run_ops "
                                            "d, run_ops e, run_ops f, run_ops g";
    }
    void anEndlessQueryCanBeStopped() {
        QFETCH(QString, sql);
        ProjectQuery query = open();
        std::stop_source stop;
        TaskContext task;
        task.stop = stop.get_token();
        std::jthread other([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            stop.request_stop();
        });
        const auto result = query.run(sql.toStdString(), 1000, task);
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::Cancelled);
        // The same connection takes the next question; the stop was of the last one.
        QVERIFY(query.run("SELECT count(*) FROM runs").has_value());
    }

    void oneStoppedBeforeItBeginsDoesNotRun() {
        std::stop_source stop;
        stop.request_stop();
        TaskContext task;
        task.stop = stop.get_token();
        const auto result = open().run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", 0,
            task);
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
    }

    void seesRunsThatComeWhileItIsOpen() {
        ProjectQuery query = open();
        const auto count = [&] {
            return std::get<std::int64_t>(query.run("SELECT count(*) FROM runs")->rows[0][0]);
        };
        const std::int64_t before = count();
        auto project = Project::open(m_file.toStdString());
        QVERIFY((*project)->recordRun(*sample::plan(5), {}).has_value());
        QCOMPARE(count(), before + 1);
    }

    void otherFilesAreRefused() {
        const QString text = m_folder.filePath("t.pimproj");
        QFile out(text);
        QVERIFY(out.open(QIODevice::WriteOnly) &&
                out.write("no database at all, but long enough to be looked at") > 0);
        out.close();
        QVERIFY(!ProjectQuery::open(text.toStdString()));
        QVERIFY(!ProjectQuery::open(m_folder.filePath("none.pimproj").toStdString()));
    }
};

QTEST_GUILESS_MAIN(TestQuery)
#include "tst_core_project_query.moc"
