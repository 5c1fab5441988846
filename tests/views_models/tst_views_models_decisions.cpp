// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Decisions are safe: kept with every change, back after a kill, one writer a project; and every step can be
/// undone to the byte, whatever was done in between.
#include <QTest>
#include <string>

#include "backends/builtin.h"
#include "core/graph/zoo/zoo.h"
#include "core/project/database.h"
#include "tests/support/workspace.h"
#include "views/models/recovery.h"
#include "views/models/workspace.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>

#include <random>

using namespace pim;
using namespace pim::views;

class TestDecisionsKept : public QObject {
    Q_OBJECT

    const BackendList m_backends = builtinBackends();
    const TargetCatalog m_catalog = TargetCatalog::load();

    struct Fixture {
        Workspace workspace;
        QSignalSpy failures;
        explicit Fixture(const TestDecisionsKept& test)
            : workspace(test.m_backends, test.m_catalog), failures(&workspace, &Workspace::failed) {}
        void openTiny(const char* target = "attacc") {
            workspace.setTarget(QString::fromLatin1(target));
            workspace.openModel(test::sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}});
        }
        std::string opName(std::size_t number) const { return workspace.graph()->ops.at(number).name; }
    };
#define SETTLE(f)                                                                                            \
    QTRY_VERIFY2_WITH_TIMEOUT(test::settled((f).workspace), qPrintable(test::lastFailure((f).failures)),     \
                              120000)

    /// Something of every kind of decision.
    static void decideAll(Fixture& f) {
        f.workspace.applyOverride({f.opName(0), "placement", "host"});
        f.workspace.addNote({0, f.opName(1), "network", 10.5, 1e6, "slow: why?"});
        f.workspace.branchVariant(QStringLiteral("second try"));
        f.workspace.applyOverride({f.opName(2), "placement", "host"});
        CompileOptions options = f.workspace.options();
        options.groupCommands = !options.groupCommands;
        f.workspace.setOptions(options);
        f.workspace.setViewState(QStringLiteral("graph"), {{QStringLiteral("zoom"), 1.5}});
    }

    /// Starts the writer, waits until it says that \p notes are safe, kills it. \returns how many it said.
    static long long killedAfter(const QStringList& arguments, long long notes) {
        QProcess writer;
        writer.start(PIM_SESSION_WRITER, arguments);
        long long safe = -1;
        QElapsedTimer clock;
        clock.start();
        while (safe < notes && clock.elapsed() < 120'000 && writer.waitForReadyRead(60'000))
            while (writer.canReadLine())
                safe = writer.readLine().trimmed().toLongLong();
        writer.kill(); // not ::kill(): of a program that never began the id is 0, which is all of us
        writer.waitForFinished(30'000);
        return writer.exitStatus() == QProcess::CrashExit ? safe : -2;
    }

private slots:
    void aProjectBringsBackEveryDecision() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("all.pimproj"));
        std::string text;
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY(f.workspace.project());
            decideAll(f);
            QTRY_VERIFY_WITH_TIMEOUT(!f.workspace.hasUnsavedChanges(),
                                     30000); // the mark of what is saved follows by itself
            SETTLE(f);
            f.workspace.undoStack()->undo();
            f.workspace.undoStack()->redo();
            text = f.workspace.decisionsText();
        } // closing writes what is left
        Fixture f(*this);
        QSignalSpy views(&f.workspace, &Workspace::viewStatesLoaded);
        f.workspace.openProject(file);
        SETTLE(f);
        QCOMPARE(f.workspace.decisionsText(), text);
        QCOMPARE(f.workspace.variant(), QStringLiteral("second try"));
        QCOMPARE(f.workspace.notes().size(), std::size_t{1});
        QCOMPARE(f.workspace.viewState(QStringLiteral("graph")).value(QStringLiteral("zoom")).toDouble(),
                 1.5);
        QCOMPARE(views.size(), 1);
        QVERIFY(!f.workspace.undoStack()->canUndo());
        QVERIFY(!f.workspace.hasUnsavedChanges());
        f.workspace.addNote({0, "", "", 0, 0, "next"});
        QVERIFY(f.workspace.notes().back().id > f.workspace.notes().front().id);
        f.workspace.switchVariant(QStringLiteral("main"));
        QCOMPARE(f.workspace.overrides().size(), std::size_t{1});
        SETTLE(f);
    }

    void aProjectWithoutARunOpensToo() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("norun.pimproj"));
        std::string text;
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY(f.workspace.lastRun() > 0);
            QTRY_VERIFY(!f.workspace.hasUnsavedChanges());
            text = f.workspace.decisionsText();
            QVERIFY(f.workspace.project()->deleteRun(f.workspace.lastRun()).has_value());
        }
        Fixture f(*this);
        f.workspace.openProject(file);
        SETTLE(f);
        QCOMPARE(f.workspace.decisionsText(), text);
    }

    void openingTheSameProjectAgainStaysOurs() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("again.pimproj"));
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.saveProject(file);
        QTRY_VERIFY(f.workspace.lastRun() > 0);
        decideAll(f);
        const std::string text = f.workspace.decisionsText();
        f.workspace.openProject(file);
        QTRY_VERIFY(!f.workspace.undoStack()->canUndo());
        SETTLE(f);
        QVERIFY(!f.workspace.project()->readOnly());
        QCOMPARE(f.workspace.decisionsText(), text);
        Fixture other(*this);
        other.workspace.openProject(file);
        SETTLE(other);
        QVERIFY(other.workspace.project()->readOnly()); // still locked
    }

    void theSecondWindowIsReadOnlyAndSaysSo() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("shared.pimproj"));
        auto first = std::make_unique<Fixture>(*this);
        first->openTiny();
        SETTLE(*first);
        first->workspace.saveProject(file);
        QTRY_VERIFY(first->workspace.lastRun() > 0);
        {
            Fixture second(*this);
            second.workspace.openProject(file);
            SETTLE(second);
            QVERIFY(second.workspace.project()->readOnly());
            QVERIFY2(test::lastFailure(second.failures).contains(QStringLiteral("read-only")),
                     qPrintable(test::lastFailure(second.failures)));
            second.workspace.applyOverride(
                {second.opName(0), "placement", "host"}); // can be tried, is not stored
            SETTLE(second);
            QVERIFY(second.workspace.hasUnsavedChanges());
            const auto failures = second.failures.size();
            second.workspace.saveProject(file);
            QCOMPARE(second.failures.size(), failures + 1);
            second.workspace.saveProject(folder.filePath(QStringLiteral("mine.pimproj")));
            QTRY_VERIFY_WITH_TIMEOUT(!second.workspace.hasUnsavedChanges(), 30000);
            QVERIFY(!second.workspace.project()->readOnly());
        }
        QVERIFY(first->workspace.overrides().empty());
        first.reset();
        Fixture third(*this);
        third.workspace.openProject(file);
        SETTLE(third);
        QVERIFY(!third.workspace.project()->readOnly());
        QVERIFY(third.workspace.overrides().empty());
    }

    void aKilledWindowLeavesAllThatWasSaved() {
        QTemporaryDir folder;
        const long long safe = killedAfter({folder.path(), QStringLiteral("recovery")}, 5);
        QVERIFY2(safe >= 5, qPrintable(QString::number(safe)));
        const auto sessions = recoverableSessions(folder.path());
        QCOMPARE(sessions.size(), 1);
        QVERIFY2(sessions[0].problem.isEmpty(), qPrintable(sessions[0].problem));
        QCOMPARE(sessions[0].modelPath, test::sampleModel("tiny-gpt"));
        QCOMPARE(sessions[0].target, QStringLiteral("attacc"));
        QCOMPARE(sessions[0].decisions, 1);
        QVERIFY(sessions[0].notes >= safe);
        QVERIFY(sessions[0].when.secsTo(QDateTime::currentDateTime()) < 600);
        {
            Fixture f(*this);
            f.workspace.keepRecovery(folder.path());
            f.workspace.recover(sessions[0].id);
            SETTLE(f);
            QVERIFY(std::ssize(f.workspace.notes()) >= safe);
            QCOMPARE(f.workspace.overrides().size(), std::size_t{1});
            QVERIFY(f.workspace.project() && !f.workspace.savedProject());
            QVERIFY(!f.workspace.project()->runs()->empty()); // those the killed one made
            QVERIFY(f.workspace.hasUnsavedChanges());         // it is nowhere the user put it
            QVERIFY(!f.workspace.undoStack()->canUndo());
            QVERIFY(recoverableSessions(folder.path()).isEmpty()); // ours now, and alive
            Fixture other(*this);
            other.workspace.keepRecovery(folder.path());
            other.workspace.recover(sessions[0].id);
            QTRY_COMPARE(other.failures.size(), 1);
            QVERIFY(!other.workspace.graph());
        }
        QVERIFY(recoverableSessions(folder.path()).isEmpty()); // closed cleanly: nothing is left
        QVERIFY(QDir(folder.path()).entryList({QStringLiteral("*.pimproj*")}, QDir::Files).isEmpty());
    }

    void aKilledWindowOnAProjectHasItInTheProject() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("work.pimproj"));
        {
            Fixture f(*this);
            f.openTiny();
            SETTLE(f);
            f.workspace.saveProject(file);
            QTRY_VERIFY(f.workspace.lastRun() > 0);
        }
        const long long safe = killedAfter({folder.path(), file}, 5);
        QVERIFY2(safe >= 5, qPrintable(QString::number(safe)));
        Fixture f(*this);
        f.workspace.openProject(file); // the lock of a dead process is no lock
        SETTLE(f);
        QVERIFY(!f.workspace.project()->readOnly());
        QVERIFY(std::ssize(f.workspace.notes()) >= safe);
        QVERIFY(f.workspace.project()->checkIntegrity().has_value());
    }

    void sessionsCanBeDiscardedAndBrokenOnesSayWhy() {
        QTemporaryDir folder;
        QVERIFY(killedAfter({folder.path(), QStringLiteral("recovery")}, 1) >= 1);
        QFile broken(folder.filePath(QStringLiteral("20260101-000000-1-1.pimproj")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("this is no database, but it is long enough to look like a file of some kind");
        broken.close();
        auto sessions = recoverableSessions(folder.path());
        QCOMPARE(sessions.size(), 2);
        for (const RecoverableSession& session : sessions) {
            QCOMPARE(session.problem.isEmpty(), !broken.fileName().contains(session.id));
            QVERIFY(discardSession(folder.path(), session.id).has_value());
        }
        QVERIFY(recoverableSessions(folder.path()).isEmpty());
        QVERIFY(!discardSession(folder.path(), QStringLiteral("../../etc/passwd")).has_value());
        QVERIFY(!discardSession(folder.path(), QStringLiteral("nothing")).has_value());
        Fixture f(*this);
        f.workspace.keepRecovery(folder.path());
        f.workspace.recover(QStringLiteral("../x"));
        QTRY_COMPARE(f.failures.size(), 1);
    }

    /// What a window that was killed now would have left; those not worth keeping are gone.
    static QList<RecoverableSession> leftIn(const QTemporaryDir& folder) {
        const QTemporaryDir left;
        for (const QString& name : QDir(folder.path()).entryList(QDir::Files))
            if (!name.endsWith(QStringLiteral(".lock")))
                QFile::copy(folder.filePath(name), left.filePath(name));
        return recoverableSessions(left.path());
    }

    void undoingEverythingNeedsNoRecovery() {
        QTemporaryDir folder;
        Fixture f(*this);
        f.workspace.keepRecovery(folder.path(), std::chrono::milliseconds(20));
        f.openTiny();
        SETTLE(f);
        QTRY_VERIFY(f.workspace.lastRun() > 0);
        QVERIFY(leftIn(folder).isEmpty());
        f.workspace.addNote({0, "", "", 0, 0, "something"});
        QTRY_COMPARE_WITH_TIMEOUT(leftIn(folder).size(), 1, 20000);
        f.workspace.undoStack()->undo();
        QTRY_COMPARE_WITH_TIMEOUT(leftIn(folder).size(), 0, 20000);
    }

    /// Runs are kept from the first compile on, and go along when the project gets a name.
    void runsOfAnUnsavedProjectGoIntoTheSavedOne() {
        QTemporaryDir folder;
        const QString recovery = folder.filePath(QStringLiteral("recovery")),
                      file = folder.filePath(QStringLiteral("named.pimproj"));
        Fixture f(*this);
        f.workspace.keepRecovery(recovery);
        f.openTiny();
        SETTLE(f);
        QTRY_VERIFY(f.workspace.lastRun() > 0);
        QVERIFY(f.workspace.project() && !f.workspace.savedProject() && !f.workspace.hasUnsavedChanges());
        f.workspace.setTarget(QStringLiteral("hbm-pim"));
        SETTLE(f);
        QTRY_COMPARE(f.workspace.project()->runs()->size(), std::size_t{2});
        QVERIFY(f.workspace.project()->setRunLabel(1, "the first").has_value());
        QVERIFY(f.workspace.hasUnsavedChanges());
        f.workspace.setTarget(QStringLiteral("aim"));
        f.workspace.saveProject(file); // while it plans
        QTRY_VERIFY_WITH_TIMEOUT(f.workspace.savedProject() && !f.workspace.hasUnsavedChanges(), 30000);
        SETTLE(f);
        QTRY_COMPARE(f.workspace.project()->runs()->size(), std::size_t{3});
        QCOMPARE(f.workspace.project()->file(), std::filesystem::path(file.toStdString()));
        QCOMPARE(f.workspace.project()->runs()->back().label, std::string("the first"));
        QCOMPARE(f.workspace.project()->runs()->front().targetId, std::string("aim"));
        QVERIFY(f.workspace.project()->checkIntegrity().has_value());
        QVERIFY(QDir(recovery).entryList({QStringLiteral("*.pimproj*")}, QDir::Files).isEmpty());
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    /// Undone before it was written, a decision is in the project for a moment after all.
    void backAtWhatWasSavedIsSavedOnlyWhenItIs() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("mine.pimproj"));
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.saveProject(file);
        QTRY_VERIFY(f.workspace.savedProject() && !f.workspace.hasUnsavedChanges());
        SETTLE(f);
        QTRY_VERIFY(f.workspace.lastRun() > 0);
        const auto other = Database::open(file.toStdString(), Database::Mode::ReadWrite);
        QVERIFY(other.has_value());
        QVERIFY((*other)->run("BEGIN IMMEDIATE").has_value()); // what the window writes waits
        f.workspace.addNote({0, "", "", 0, 0, "something"});
        QTest::qWait(200); // begun
        f.workspace.undoStack()->undo();
        QVERIFY(f.workspace.hasUnsavedChanges());
        QVERIFY((*other)->run("COMMIT").has_value());
        QTRY_VERIFY(!f.workspace.hasUnsavedChanges());
        const auto kept = f.workspace.savedProject()->decisions();
        QVERIFY(kept && *kept && (*kept)->notes.empty());
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    /// Nowhere to keep it is no reason not to open a model.
    void withoutAPlaceForRecoveryAModelOpensAllTheSame() {
        QTemporaryDir folder;
        QFile inTheWay(folder.filePath(QStringLiteral("recovery")));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        Fixture f(*this);
        f.workspace.keepRecovery(inTheWay.fileName());
        f.openTiny();
        SETTLE(f);
        QVERIFY(!f.workspace.project());
        QCOMPARE(f.failures.size(), 1); // told once, with the way out
        QVERIFY2(test::lastFailure(f.failures).contains(QStringLiteral("save the project")),
                 qPrintable(test::lastFailure(f.failures)));
        f.workspace.addNote({0, "", "", 0, 0, "something"});
        f.workspace.saveProject(folder.filePath(QStringLiteral("mine.pimproj")));
        QTRY_VERIFY(f.workspace.savedProject() && f.workspace.lastRun() > 0);
        QTRY_VERIFY(!f.workspace.hasUnsavedChanges());
    }

    /// A place that cannot be written to costs nothing of what there is.
    void savingThatFailsKeepsTheRuns() {
        QTemporaryDir folder;
        Fixture f(*this);
        f.workspace.keepRecovery(folder.path());
        f.openTiny();
        SETTLE(f);
        QTRY_VERIFY(f.workspace.lastRun() > 0);
        f.workspace.saveProject(folder.filePath(QStringLiteral("there/is/no/such/folder.pimproj")));
        QTRY_COMPARE(f.failures.size(), 1);
        f.workspace.setTarget(QStringLiteral("hbm-pim"));
        SETTLE(f);
        QTRY_COMPARE(f.workspace.project()->runs()->size(), std::size_t{2});
        QVERIFY(!f.workspace.savedProject());
    }

    /// Whoever opens another model finds the decisions about the first again.
    void anotherModelLeavesUnsavedWorkBehind() {
        QTemporaryDir folder;
        Fixture f(*this);
        QSignalSpy left(&f.workspace, &Workspace::unsavedLeft);
        f.workspace.keepRecovery(folder.path());
        f.openTiny();
        SETTLE(f);
        f.openTiny(); // nothing was decided
        SETTLE(f);
        QVERIFY(left.isEmpty() && recoverableSessions(folder.path()).isEmpty());
        f.workspace.addNote({0, "", "", 0, 0, "something"});
        f.openTiny();
        QTRY_COMPARE(left.size(), 1);
        SETTLE(f);
        QVERIFY(f.workspace.notes().empty());
        const auto sessions = recoverableSessions(folder.path());
        QCOMPARE(sessions.size(), 1);
        QCOMPARE(sessions.front().notes, 1);
        f.workspace.recover(sessions.front().id);
        QTRY_COMPARE(f.workspace.notes().size(), std::size_t{1});
        SETTLE(f);
        QVERIFY(f.workspace.hasUnsavedChanges());
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    void cancellingALoadLeavesTheOldDocument() {
        QTemporaryDir folder;
        const QString big = folder.filePath(QStringLiteral("big.onnx"));
        const auto written = writeZooModel("llama2-33b-decode", big.toStdString(),
                                           {.weights = false, .batch = {}, .past = {}, .seq = {}});
        QVERIFY2(written.has_value(), written ? "" : written.error().text().c_str());
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        const std::string before = f.workspace.decisionsText();
        const auto plan = f.workspace.plan();
        const QStringList files = QDir(folder.path()).entryList(QDir::Files | QDir::Hidden);
        QSignalSpy graphs(&f.workspace, &Workspace::graphChanged);
        for (const int milliseconds : {0, 5, 40, 120}) { // in whatever step it is
            f.workspace.openModel(big);
            QTest::qWait(milliseconds);
            if (!graphs.isEmpty())
                break; // this machine had it open by then
            QVERIFY(!f.workspace.tasks()->entries().isEmpty());
            f.workspace.cancelTasks();
            QVERIFY(f.workspace.tasks()->entries().isEmpty()); // at once, not when the worker notices
            QCOMPARE(f.workspace.decisionsText(), before);
            QCOMPARE(f.workspace.plan(), plan);
            QVERIFY(!f.workspace.isStale());
        }
        if (graphs.isEmpty()) {
            f.workspace.addNote({0, "", "", 0, 0, "work goes on"});
            f.workspace.undoStack()->undo();
            QTest::qWait(1000); // a result that came late would be installed by now
            QCOMPARE(graphs.size(), 0);
            QCOMPARE(f.workspace.decisionsText(), before);
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), files);
        QVERIFY2(f.failures.isEmpty(), qPrintable(test::lastFailure(f.failures)));
    }

    void notesTypedQuicklyAreOneStep() {
        Fixture f(*this);
        f.openTiny();
        SETTLE(f);
        f.workspace.addNote({0, f.opName(0), "", 0, 0, ""});
        const std::int64_t id = f.workspace.notes().front().id;
        for (const char* text : {"s", "sl", "slow"})
            f.workspace.editNote(id, QString::fromLatin1(text));
        QCOMPARE(f.workspace.undoStack()->count(), 2);
        f.workspace.undoStack()->undo();
        QCOMPARE(f.workspace.notes().front().text, std::string());
        f.workspace.undoStack()->redo();
        QCOMPARE(f.workspace.notes().front().text, std::string("slow"));
    }

    void aRandomWalkOverEveryKindOfStepComesBack_data() {
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<unsigned>("seed");
        QTest::newRow("attacc") << QByteArray("attacc") << 1U;
        QTest::newRow("hbm-pim") << QByteArray("hbm-pim") << 2U;
        QTest::newRow("aim") << QByteArray("aim") << 3U;
        QTest::newRow("dynaplasia") << QByteArray("dynaplasia") << 4U;
    }
    void aRandomWalkOverEveryKindOfStepComesBack() {
        QFETCH(QByteArray, target);
        QFETCH(unsigned, seed);
        Fixture f(*this);
        f.openTiny(target.constData());
        SETTLE(f);
        Workspace& w = f.workspace;
        QUndoStack& undo = *w.undoStack();
        const std::string before = w.decisionsText(), planBefore = planJson(*w.plan());
        std::mt19937 random(seed);
        const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        std::map<int, int> done;
        const auto variantName = [&] { return QStringLiteral("v%1").arg(pick(6)); };
        const auto someVariant = [&] {
            return QString::fromStdString(w.variants()[pick(w.variants().size())].name);
        };
        for (int step = 0; step < 500; ++step) {
            const int index = undo.index(), kind = static_cast<int>(random() % 20);
            switch (kind) {
            case 0:
            case 1:
            case 2:
            case 3:
                undo.undo();
                break;
            case 4:
            case 5:
                undo.redo();
                break;
            case 6:
                w.addNote({0, f.opName(pick(w.graph()->ops.size())), "network", double(pick(9)),
                           double(9 + pick(9)), "note"});
                break;
            case 7:
                if (!w.notes().empty())
                    w.editNote(w.notes()[pick(w.notes().size())].id, QString::number(random()));
                break;
            case 8:
                if (!w.notes().empty())
                    w.removeNote(w.notes()[pick(w.notes().size())].id);
                break;
            case 9:
                w.branchVariant(variantName());
                break;
            case 10:
                w.switchVariant(someVariant());
                break;
            case 11:
                w.renameVariant(someVariant(), variantName());
                break;
            case 12:
                w.deleteVariant(someVariant());
                break;
            case 13:
                if (step % 5 == 0)
                    w.setTarget(
                        QString::fromLatin1(std::array{"attacc", "hbm-pim", "aim", "dynaplasia"}[pick(4)]));
                break;
            case 14: {
                CompileOptions options = w.options();
                (pick(2) ? options.groupCommands : options.overlapHostTransfer) ^= true;
                w.setOptions(options);
                break;
            }
            case 15:
                if (step % 4 == 0) {
                    w.setBindings(
                        {{"batch", 1 + std::int64_t(pick(3))}, {"past", 16 * (1 + std::int64_t(pick(3)))}});
                    SETTLE(f);
                }
                break;
            case 16:
                if (step % 4 == 0) {
                    w.setDisabledPasses(pick(2) ? std::set<std::string>{"fuse_attention"}
                                                : std::set<std::string>());
                    SETTLE(f);
                }
                break;
            default: {
                if (!w.plan() || w.plan()->target != w.target())
                    break;
                const OpId op(static_cast<std::int64_t>(pick(w.graph()->ops.size())));
                const auto fields = w.backendOf(*w.plan()->target)->overrideFields(*w.plan(), op);
                if (fields.empty())
                    break;
                const OverrideField& field = fields[pick(fields.size())];
                if (kind == 17)
                    w.clearOverride(f.opName(op.index()), field.field);
                else if (!field.values.empty())
                    w.applyOverride(
                        {f.opName(op.index()), field.field, field.values[pick(field.values.size())].value});
            }
            }
            done[kind] += undo.index() != index;
            if (step % 20 == 0)
                SETTLE(f);
        }
        SETTLE(f);
        QVERIFY2(undo.count() > 20, qPrintable(QString::number(undo.count())));
        QVERIFY(done.size() > 15);
        undo.setIndex(undo.count());
        SETTLE(f);
        const std::string after = w.decisionsText(), planAfter = planJson(*w.plan());
        for (int index = undo.count(); index > 0; --index)
            undo.undo();
        SETTLE(f);
        QCOMPARE(w.decisionsText(), before);
        QCOMPARE(planJson(*w.plan()), planBefore);
        undo.setIndex(undo.count());
        SETTLE(f);
        QCOMPARE(w.decisionsText(), after);
        QCOMPARE(planJson(*w.plan()), planAfter);
        for (int index = 0; index < undo.count(); ++index)
            QVERIFY(undo.text(index).size() > 8);
    }
};

QTEST_GUILESS_MAIN(TestDecisionsKept)
#include "tst_views_models_decisions.moc"
