// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/builtin.h"
#include "core/base/file_io.h"
#include "core/base/hash.h"
#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/hardware/catalog.h"
#include "core/report/bundle.h"
#include "core/report/manifest.h"
#include "tests/support/two_planned_devices.h"

#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <random>

using namespace pim;

namespace {

QByteArray readAll(const QString& file) {
    QFile in(file);
    return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

void writeAll(const QString& file, const QByteArray& bytes) {
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(out.write(bytes), bytes.size());
}

/// All files by path; a link counts as its target's path.
std::map<QString, QByteArray> filesOf(const QString& folder) {
    std::map<QString, QByteArray> files;
    for (QDirIterator at(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); at.hasNext();) {
        const QString path = at.next();
        files[QDir(folder).relativeFilePath(path)] = readAll(path);
    }
    return files;
}

/// Makes the manifest agree with a file that was changed, as somebody who wants to deceive would.
void sign(const QString& folder, const QString& path) {
    const QString file = folder + "/manifest.json";
    auto manifest = parseManifest(readAll(file).toStdString(), "test");
    QVERIFY(manifest.has_value());
    const std::string bytes = readAll(folder + "/" + path).toStdString();
    manifest->files[path.toStdString()] = {static_cast<std::int64_t>(bytes.size()), sha256Hex(bytes)};
    if (path == "target.json")
        manifest->targetHash = sha256Hex(bytes);
    writeAll(file, QByteArray::fromStdString(manifestText(*manifest)));
}

QString problemsOf(const QString& folder) {
    const auto report = verifyBundle(builtinBackends(), folder.toStdString());
    if (!report)
        return "error: " + QString::fromStdString(report.error().text());
    QString text;
    for (const Diagnostic& problem : report->problems)
        text += QString::fromStdString(problem.object + ": " + problem.message + "\n");
    return text;
}

} // namespace

class TestBundle : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_folders = 0;
    BackendList m_backends = builtinBackends();
    std::shared_ptr<const Plan> m_plan;
    CompileOptions m_options;

    QString newPath() { return m_folder.filePath(QString("b%1").arg(++m_folders)); }
    QString newBundle() {
        const QString folder = newPath();
        const auto written = writeBundle(m_backends, *m_plan, m_options, folder.toStdString());
        if (!written)
            qWarning("%s", written.error().text().c_str());
        return folder;
    }
    QStringList leftOvers() {
        return QDir(m_folder.path())
            .entryList({".*"}, QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private slots:
    void initTestCase() {
        const auto graph = loadGraph(PIM_SOURCE_DIR "/projects/tiny-gpt/tiny-gpt.onnx");
        QVERIFY2(graph.has_value(), graph ? "" : graph.error().text().c_str());
        const auto target = TargetCatalog::load().find("attacc");
        QVERIFY(target.has_value());
        PlanRequest request{*graph, *target, {}, m_options};
        const auto first = compile(m_backends, request);
        QVERIFY2(first.has_value(), first ? "" : first.error().text().c_str());
        // A decision of the user belongs to a bundle: put the first op PIM can take there.
        for (const OpPlan& op : (*first)->ops)
            if (op.pimCost) {
                request.overrides.set({(*graph)->op(op.op).name, "placement", "pim"});
                break;
            }
        const auto plan = compile(m_backends, request);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        m_plan = *plan;
    }

    /// Over several machines: each part's programs are its own machine's.
    void writesEachPartForItsMachine() {
        const auto plan = test::plannedOnTwo(m_backends, test::twoDeviceGraph());
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        const QString folder = newPath();
        const auto written = writeBundle(m_backends, **plan, m_options, folder.toStdString());
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        QCOMPARE(problemsOf(folder), QString());

        const auto manifest = parseManifest(readAll(folder + "/manifest.json").toStdString(), "test");
        QVERIFY(manifest.has_value());
        QCOMPARE(manifest->schemaVersion, 2);
        QCOMPARE(manifest->parts.size(), std::size_t{2});
        std::int64_t programs = 0;
        for (const Manifest::Part& part : manifest->parts) {
            const std::size_t at = &part == &manifest->parts[0] ? 0 : 1;
            QCOMPARE(part.targetId, (*plan)->devices[at].target->id);
            QCOMPARE(part.backend, (*plan)->devices[at].target->backend);
            const QString inside = folder + "/" + QString::fromStdString(part.folder);
            QCOMPARE(problemsOf(inside), QString()); // a bundle in its own right
            int found = 0;
            const auto files = filesOf(inside + "/programs");
            for (const auto& [path, bytes] : files)
                found +=
                    bytes.contains(QByteArray("target \"") + QByteArray::fromStdString(part.targetId) + "\"");
            QCOMPARE(found, int(files.size()));
            QVERIFY(found > 0);
            programs += found;
        }
        QVERIFY(!QFileInfo::exists(folder + "/programs"));
        QCOMPARE(verifyBundle(m_backends, folder.toStdString())->programs, programs);

        const auto source = readBundleSource(folder.toStdString());
        QVERIFY(!source.has_value());
        QCOMPARE(source.error().code, ErrorCode::Unsupported);

        // A part that is passed off as another machine's is found out, and so is one that is left out.
        Manifest wrong = *manifest;
        std::swap(wrong.parts[0].folder, wrong.parts[1].folder);
        writeAll(folder + "/manifest.json", QByteArray::fromStdString(manifestText(wrong)));
        QVERIFY2(problemsOf(folder).contains("is for hbm-pim"), qPrintable(problemsOf(folder)));
        QVERIFY2(problemsOf(folder).contains("has \"fc0\" on pim, the parts have it on pim2"),
                 qPrintable(problemsOf(folder)));
        wrong = *manifest;
        wrong.parts.pop_back();
        writeAll(folder + "/manifest.json", QByteArray::fromStdString(manifestText(wrong)));
        QVERIFY2(problemsOf(folder).contains("has \"fc4\" on pim2, the parts have it on host"),
                 qPrintable(problemsOf(folder)));
    }

    /// What is no file is written to and stays what it was: a report sent to a pipe must not take its place.
    void pipesAndDevicesKeepTheirPlace() {
        QTemporaryDir folder;
        const std::string pipe = folder.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const int end = ::open(pipe.c_str(), O_RDWR | O_NONBLOCK); // a reader, so that writing does not wait
        QVERIFY(end >= 0);
        QVERIFY(replaceFile(pipe, "report").has_value());
        char read[16] = {};
        QCOMPARE(::read(end, read, sizeof read), ssize_t(6));
        QCOMPARE(QByteArray(read), QByteArray("report"));
        ::close(end);
        QVERIFY(std::filesystem::is_fifo(pipe));
    }

    void writesWhatVerifies() {
        const QString folder = newBundle();
        const auto report = verifyBundle(builtinBackends(), folder.toStdString());
        QVERIFY2(report.has_value(), report ? "" : report.error().text().c_str());
        QCOMPARE(problemsOf(folder), QString());
        QVERIFY(report->programs >= 1);
        QCOMPARE(report->files, static_cast<std::int64_t>(filesOf(folder).size()) - 1);
        for (const char* file :
             {"plan.json", "target.json", "overrides.json", "drafts.json", "layout.json", "manifest.json"})
            QVERIFY2(QFile::exists(folder + "/" + file), file);
        QVERIFY(leftOvers().isEmpty());
    }

    void sameInputGivesSameBytes() {
        const QString first = newBundle(), second = newBundle();
        QVERIFY(filesOf(first) == filesOf(second));
    }

    void replacesAnOlderBundleAndNothingElse() {
        const QString folder = newBundle();
        QVERIFY(writeBundle(m_backends, *m_plan, m_options, (folder + "/").toStdString()).has_value());
        QCOMPARE(problemsOf(folder), QString());
        QVERIFY(leftOvers().isEmpty());

        writeAll(folder + "/my notes.txt", "precious");
        const auto refused = writeBundle(m_backends, *m_plan, m_options, folder.toStdString());
        QCOMPARE(refused.error().code, ErrorCode::Usage);
        QVERIFY(refused.error().message.find("my notes.txt") != std::string::npos);
        QCOMPARE(readAll(folder + "/my notes.txt"), QByteArray("precious"));

        const QString other = newPath();
        QDir().mkpath(other);
        QVERIFY(
            writeBundle(m_backends, *m_plan, m_options, other.toStdString()).has_value()); // empty is fine
        const QString foreign = newPath();
        QDir().mkpath(foreign);
        writeAll(foreign + "/manifest.json", "{\"name\": \"a web app\"}");
        QCOMPARE(writeBundle(m_backends, *m_plan, m_options, foreign.toStdString()).error().code,
                 ErrorCode::Usage);
        QCOMPARE(writeBundle(m_backends, *m_plan, m_options, (foreign + "/manifest.json").toStdString())
                     .error()
                     .code,
                 ErrorCode::Usage);
        QCOMPARE(
            writeBundle(m_backends, *m_plan, m_options, m_folder.filePath("no/such/folder/b").toStdString())
                .has_value(),
            true);
        QVERIFY(leftOvers().isEmpty());
    }

    void noticesEveryChange() {
        const QString folder = newBundle();
        for (const auto& [path, bytes] : filesOf(folder)) {
            if (bytes.isEmpty())
                continue;
            QByteArray changed = bytes;
            changed[changed.size() / 2] = changed[changed.size() / 2] == 'x' ? 'y' : 'x';
            writeAll(folder + "/" + path, changed);
            QVERIFY2(!problemsOf(folder).isEmpty(), qPrintable(path));
            QVERIFY(QFile::remove(folder + "/" + path));
            QVERIFY2(problemsOf(folder).contains(path), qPrintable(path));
            writeAll(folder + "/" + path, bytes);
        }
        QCOMPARE(problemsOf(folder), QString());
        writeAll(folder + "/programs/extra.pim", "x");
        QVERIFY(problemsOf(folder).contains("programs/extra.pim: is no part of the bundle"));
    }

    void noticesChangesThatWereSigned_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QString>("says");
        QTest::newRow("total") << "plan.json" << QByteArray("\"total_ns\": ") << QByteArray("\"total_ns\": 1")
                               << "add up";
        QTest::newRow("part") << "plan.json" << QByteArray("\"compute_ns\": ")
                              << QByteArray("\"compute_ns\": 9") << "add up";
        QTest::newRow("override not kept")
            << "plan.json" << QByteArray("\"placement\": \"pim\"") << QByteArray("\"placement\": \"host\"")
            << "overrides.json puts it on pim";
        QTest::newRow("draft differs")
            << "drafts.json" << QByteArray("\"draft\": \"[[") << QByteArray("\"draft\": \"[[9") << "draft";
        QTest::newRow("kernel broken")
            << "drafts.json" << QByteArray("range(") << QByteArray("rang(") << "drafts.json: kernel 0";
        QTest::newRow("machine differs")
            << "drafts.json" << QByteArray("\"groups\": ") << QByteArray("\"groups\": -") << "drafts.json";
        QTest::newRow("layout") << "layout.json" << QByteArray("\"rows_used\": ")
                                << QByteArray("\"rows_used\": 7") << "rows_used";
        QTest::newRow("layout memory") << "layout.json" << QByteArray("\"row_bytes\": ")
                                       << QByteArray("\"row_bytes\": 1") << "other sizes";
        QTest::newRow("layout row") << "layout.json" << QByteArray("\"rows\": ") << QByteArray("\"rows\": -")
                                    << "layout.json";
        QTest::newRow("override of nothing")
            << "overrides.json" << QByteArray("\"ops\": {")
            << QByteArray("\"ops\": {\"no such op\": {\"placement\": \"pim\"},") << "no such op";
        QTest::newRow("target") << "target.json" << QByteArray("\"id\"") << QByteArray("\"ide\"")
                                << "target.json";
    }
    void noticesChangesThatWereSigned() {
        QFETCH(QString, file);
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QString, says);
        const QString folder = newBundle();
        QByteArray bytes = readAll(folder + "/" + file);
        const qsizetype at = bytes.indexOf(from);
        QVERIFY(at >= 0);
        writeAll(folder + "/" + file, bytes.replace(at, from.size(), to));
        sign(folder, file);
        QVERIFY2(problemsOf(folder).contains(says), qPrintable(problemsOf(folder)));
    }

    void noticesRowsThatDoNotFitThePrograms() {
        const QString folder = newBundle();
        QJsonObject layout = QJsonDocument::fromJson(readAll(folder + "/layout.json")).object();
        QJsonArray regions = layout["regions"].toArray();
        QVERIFY(regions.size() >= 2);
        const auto problemsWith = [&](const std::function<void(QJsonArray&)>& change) {
            QJsonArray changed = regions;
            change(changed);
            QJsonObject document = layout;
            document["regions"] = changed;
            writeAll(folder + "/layout.json", QJsonDocument(document).toJson());
            sign(folder, "layout.json");
            return problemsOf(folder);
        };
        const auto set = [](QJsonArray& all, int at, const char* key, const QJsonValue& value) {
            QJsonObject region = all[at].toObject();
            region[key] = value;
            all[at] = region;
        };
        QVERIFY(problemsWith([](QJsonArray&) {}).isEmpty());
        QVERIFY(problemsWith([&](QJsonArray& all) {
                    set(all, 0, "rows", 0);
                }).contains("its program addresses row"));
        QVERIFY(problemsWith([&](QJsonArray& all) {
                    set(all, 1, "first_row", all[0].toObject()["first_row"]);
                }).contains("kept"));
        QVERIFY(problemsWith([](QJsonArray& all) { all.removeLast(); }).contains("has no rows for"));
        QVERIFY(problemsWith([](QJsonArray& all) { all.append(all[0]); }).contains("rows twice"));
        QVERIFY(problemsWith([&](QJsonArray& all) {
                    set(all, 0, "kept", !all[0].toObject()["kept"].toBool());
                }).contains("disagree about what"));
        QVERIFY(problemsWith([&](QJsonArray& all) { set(all, 0, "draft", "[]"); }).contains("another draft"));
    }

    void comesBackAsThePlanItWasWrittenFor() {
        const QString folder = newBundle();
        const auto source = readBundleSource(folder.toStdString());
        QVERIFY2(source.has_value(), source ? "" : source.error().text().c_str());
        QCOMPARE(source->modelFile, std::string("tiny-gpt.onnx"));
        QVERIFY(source->overrides == m_plan->overrides);
        const auto plan = planOfBundle(m_backends, folder.toStdString(), *source, m_plan->graph);
        QVERIFY2(plan.has_value(), plan ? "" : plan.error().text().c_str());
        QCOMPARE(planJson(**plan), planJson(*m_plan));
        const auto other = loadGraph(PIM_SOURCE_DIR "/projects/resnet50/resnet50.onnx").value();
        QCOMPARE(planOfBundle(m_backends, folder.toStdString(), *source, other).error().code,
                 ErrorCode::Usage);
        const QString program = QDir(folder + "/programs").entryList(QDir::Files).first();
        writeAll(folder + "/programs/" + program, "nonsense");
        const auto changed = planOfBundle(m_backends, folder.toStdString(), *source, m_plan->graph);
        QVERIFY(!changed && changed.error().where.find(program.toStdString()) != std::string::npos);
        QVERIFY(!readBundleSource(m_folder.path().toStdString()));
    }

    void noticesASignedChangeOfAProgram() {
        const QString folder = newBundle();
        const QString program = "programs/" + QDir(folder + "/programs").entryList(QDir::Files).first();
        const QByteArray bytes = readAll(folder + "/" + program);
        writeAll(folder + "/" + program, bytes + "\n");
        sign(folder, program);
        QVERIFY2(problemsOf(folder).contains(program), qPrintable(problemsOf(folder)));
        writeAll(folder + "/" + program, "nonsense");
        sign(folder, program);
        QVERIFY2(problemsOf(folder).contains(program), qPrintable(problemsOf(folder)));
    }

    void neverLeavesTheBundle() {
        for (const char* path : {"../secret", "/etc/passwd", "a/../../b", "programs/./x", "a//b", "", "a\\b",
                                 ".", "manifest.json"})
            QVERIFY2(!isSafeBundlePath(path), path);
        QVERIFY(isSafeBundlePath("programs/0001_Conv.pim"));
        const QString folder = newBundle();
        writeAll(m_folder.filePath("secret"), "secret");
        auto manifest = parseManifest(readAll(folder + "/manifest.json").toStdString(), "test");
        manifest->files["../secret"] = {6, sha256Hex("secret")};
        writeAll(folder + "/manifest.json", QByteArray::fromStdString(manifestText(*manifest)));
        QVERIFY(problemsOf(folder).contains(
            "../secret: the manifest names a file outside the bundle; it was not opened"));

        const QString linked = newBundle();
        QVERIFY(QFile::remove(linked + "/plan.json"));
        QVERIFY(QFile::link(folder + "/plan.json", linked + "/plan.json"));
        QVERIFY(problemsOf(linked).contains("plan.json: is missing, or a link"));
        QFile::remove(m_folder.filePath("secret"));
    }

    void takesHostileJsonCalmly() {
        const QString folder = newBundle();
        const QByteArray good = readAll(folder + "/manifest.json");
        for (const QByteArray& bad :
             {QByteArray(2'000'000, '['), QByteArray("{\"a\":").repeated(500'000), QByteArray("null"),
              QByteArray("[]"), QByteArray(), QByteArray("{\"format\":\"pim-bundle\"}"),
              QByteArray("{\"format\":\"pim-bundle\",\"schema_version\":1e400}"), QByteArray("\xff\xfe"),
              QByteArray(good).replace("\"bytes\": ", "\"bytes\": -"),
              QByteArray(good).replace("\"sha256\": \"", "\"sha256\": \"zz")}) {
            writeAll(folder + "/manifest.json", bad);
            const auto report = verifyBundle(builtinBackends(), folder.toStdString());
            QVERIFY(!report.has_value());
            QCOMPARE(report.error().code, ErrorCode::InvalidFile);
        }
        writeAll(folder + "/manifest.json",
                 QByteArray(good).replace("\"schema_version\": 1", "\"schema_version\": 9"));
        QCOMPARE(verifyBundle(builtinBackends(), folder.toStdString()).error().code, ErrorCode::Unsupported);
        writeAll(folder + "/manifest.json", good);
        for (const char* file :
             {"plan.json", "drafts.json", "layout.json", "overrides.json", "target.json"}) {
            const QByteArray kept = readAll(folder + "/" + file);
            for (const QByteArray& bad : {QByteArray(1'000'000, '['), QByteArray("{}"),
                                          QByteArray("{\"ops\":[7]}"), QByteArray("3")}) {
                writeAll(folder + "/" + file, bad);
                sign(folder, file);
                QVERIFY2(problemsOf(folder).contains(file), file);
            }
            writeAll(folder + "/" + file, kept);
            sign(folder, file);
        }
        QCOMPARE(problemsOf(folder), QString());
        QCOMPARE(verifyBundle(builtinBackends(), m_folder.path().toStdString()).error().code,
                 ErrorCode::InvalidFile);
        QCOMPARE(verifyBundle(builtinBackends(), newPath().toStdString()).error().code, ErrorCode::NotFound);
    }

    void survivesRandomSignedDamage() {
        const QString folder = newBundle();
        std::mt19937 random(11);
        for (const QString& file : {QString("drafts.json"), QString("layout.json"), QString("plan.json")}) {
            const QByteArray good = readAll(folder + "/" + file);
            for (int turn = 0; turn < 15; ++turn) {
                QByteArray bad = good;
                // Digits stay digits, so that most of it still parses and reaches the checks behind.
                for (int i = 0; i < 20; ++i) {
                    const auto at = static_cast<qsizetype>(random() % static_cast<unsigned>(bad.size()));
                    if (bad[at] >= '0' && bad[at] <= '9')
                        bad[at] = static_cast<char>('0' + random() % 10);
                }
                writeAll(folder + "/" + file, bad);
                sign(folder, file);
                (void)problemsOf(folder);
            }
            writeAll(folder + "/" + file, good);
            sign(folder, file);
        }
        QCOMPARE(problemsOf(folder), QString());
    }

    void leavesNothingHalfWritten() {
        const QString folder = newBundle();
        const auto before = filesOf(folder);
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit old{};
        ::getrlimit(RLIMIT_FSIZE, &old);
        rlimit tight = old;
        tight.rlim_cur = 2000;
        ::setrlimit(RLIMIT_FSIZE, &tight);
        const auto full = writeBundle(m_backends, *m_plan, m_options, folder.toStdString());
        ::setrlimit(RLIMIT_FSIZE, &old);
        QVERIFY(!full.has_value());
        QCOMPARE(full.error().code, ErrorCode::Io);
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled =
            writeBundle(m_backends, *m_plan, m_options, folder.toStdString(), {stop.get_token(), {}});
        QCOMPARE(cancelled.error().code, ErrorCode::Cancelled);
        QCOMPARE(verifyBundle(builtinBackends(), folder.toStdString(), {stop.get_token(), {}}).error().code,
                 ErrorCode::Cancelled);
        QVERIFY(filesOf(folder) == before);
        QVERIFY(leftOvers().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestBundle)
#include "tst_core_report_bundle.moc"
