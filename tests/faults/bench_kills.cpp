// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `kill -9` at random moments, one half of `pimc compile`, one half of a window in which somebody decides: the project is sound
/// afterwards, and nothing is lost that was said to be stored, or that the title of the window showed as saved.
///   bench_kills [--kills 1000] [--seed 1]
#include "core/base/split_mix.h"
#include "core/project/decision_state.h"
#include "tests/app_studio/studio_fixture.h"
#include "tests/faults/work_folder.h"

#include <QApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QRegularExpression>
#include <QUndoStack>

#include <csignal>
#include <cstdio>

using namespace pim;
using namespace pim::test;

namespace {

constexpr int kKillsOfAProject = 25; ///< Then another one begins: a check reads all runs there are.
constexpr int kMostMs = 300'000;     ///< Longer than anything here takes.

QByteArray hashOf(const std::string& text) {
    return QCryptographicHash::hash(QByteArray::fromStdString(text), QCryptographicHash::Sha1).toHex();
}

class Dice {
public:
    explicit Dice(std::uint64_t seed) : m_state(seed) {}
    int below(int limit) { return int(nextRandom(m_state) % std::uint64_t(limit)); }

private:
    std::uint64_t m_state;
};

// The window, which tells on its standard output what it shows, a line each: "did HASH" as soon as something is decided and before
// anything can be written, "saved HASH" while the title has no asterisk, "run ID" when the plan is one of the project.

void say(const char* what, const QByteArray& value) {
    std::printf("%s %s\n", what, value.constData());
    std::fflush(stdout);
}

class Somebody {
public:
    Somebody(Studio& studio, std::uint64_t seed) : m_studio(studio), m_dice(seed) {
        const views::Workspace& workspace = studio.workspace;
        QObject::connect(workspace.undoStack(), &QUndoStack::indexChanged, &studio.window,
                         [&workspace] { say("did", hashOf(workspace.decisionsText())); });
    }

    void decide() {
        views::Workspace& workspace = m_studio.workspace;
        const std::vector<Op>& ops = workspace.graph()->ops;
        const std::string op = ops[std::size_t(m_dice.below(int(ops.size())))].name;
        switch (m_dice.below(8)) {
        case 0:
        case 1:
        case 2:
            workspace.applyOverride({op, "placement", m_dice.below(2) ? "pim" : "host"});
            break;
        case 3:
            workspace.clearOverride(op, "placement");
            break;
        case 4:
            workspace.addNote({.op = op, .text = std::string(std::size_t(1 + m_dice.below(3000)), 'n')});
            break;
        case 5:
            workspace.setBindings({{"batch", 1}, {"past", 1 + m_dice.below(64)}});
            break;
        case 6:
            workspace.branchVariant(QString::number(m_dice.below(1'000'000)));
            break;
        default:
            workspace.undoStack()->undo();
        }
    }
    void rest(int ms) {
        QElapsedTimer waited;
        waited.start();
        do {
            QTest::qWait(2);
            tell();
        } while (waited.elapsed() < ms);
    }

private:
    void tell() {
        const views::Workspace& workspace = m_studio.workspace;
        if (const QByteArray now = hashOf(workspace.decisionsText());
            !m_studio.window.isWindowModified() && now != m_saved)
            say("saved", m_saved = now);
        if (!workspace.isStale() && workspace.lastRun() > m_run)
            say("run", QByteArray::number(qlonglong(m_run = workspace.lastRun())));
    }

    Studio& m_studio;
    Dice m_dice;
    QByteArray m_saved;
    std::int64_t m_run = 0;
};

int decideUntilKilled(const QString& folder, std::uint64_t seed) {
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setApplicationName(QStringLiteral("pimstudio-test"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder + "/settings");
    Studio studio;
    studio.workspace.openProject(folder + "/p.pimproj");
    if (!QTest::qWaitFor([&] { return studio.settled(); }, kMostMs)) {
        std::fprintf(stderr, "%s\n", qPrintable(studio.lastFailure()));
        return 1;
    }
    say("opened", hashOf(studio.workspace.decisionsText()));
    Somebody somebody(studio, seed);
    Dice dice(~seed);
    for (;;) {
        somebody.rest(dice.below(150));
        somebody.decide();
    }
}

// Who kills.

class Killer {
public:
    explicit Killer(std::uint64_t seed) : m_dice(seed) {}

    /// \returns what is wrong, or nothing
    QString killCompile() {
        if (m_compiles++ % kKillsOfAProject == 0) {
            begin();
            QElapsedTimer clock;
            clock.start();
            if (const Run whole = compileNow(kMostMs); whole.code != 0)
                return QString::fromUtf8(whole.err);
            m_compileMs = int(clock.elapsed());
            m_runs = 1;
        }
        const Run run = compileNow(m_dice.below(m_compileMs + 1));
        ++(run.code == 0 ? compilesEnded : compilesKilled);
        static const QRegularExpression stored(QStringLiteral("stored as run (\\d+)"));
        if (const auto said = stored.match(QString::fromUtf8(run.err)); said.hasMatch()) {
            m_runs = said.captured(1).toInt();
            ++runsSaid;
        }
        return compiledFolder(m_folder->path(), run, m_runs);
    }

    QString killWindow() {
        if (m_windows++ % kKillsOfAProject == 0) {
            begin();
            if (const Run whole = compileNow(kMostMs); whole.code != 0)
                return QString::fromUtf8(whole.err);
            m_run = 1;
            m_known.clear();
        }
        QProcess window;
        window.setProcessEnvironment(environment());
        window.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        QElapsedTimer clock;
        clock.start();
        window.start(QCoreApplication::applicationFilePath(),
                     {"--window", m_folder->path(), QString::number(m_dice.below(1 << 30))});
        QByteArray out;
        const auto listen = [&](qint64 ms) {
            if (window.waitForReadyRead(int(std::max<qint64>(ms, 1))))
                out += window.readAllStandardOutput();
        };
        const bool whileOpening = m_openMs > 0 && m_dice.below(4) == 0;
        if (!whileOpening) {
            while (!out.contains("opened ") && window.state() != QProcess::NotRunning &&
                   clock.elapsed() < kMostMs)
                listen(100);
            if (!out.contains("opened "))
                return "the window does not open";
            m_openMs = int(clock.elapsed());
        }
        const qint64 end = clock.elapsed() + m_dice.below(whileOpening ? m_openMs : 2000);
        while (clock.elapsed() < end)
            listen(end - clock.elapsed());
        window.kill();
        if (!window.waitForFinished(kMostMs) || window.exitStatus() != QProcess::CrashExit ||
            window.exitCode() != SIGKILL)
            return "the window ended by itself";
        out += window.readAllStandardOutput();
        ++windowsKilled;
        return whatIsLost(out);
    }

    int compilesKilled = 0, compilesEnded = 0, runsSaid = 0;
    int windowsKilled = 0, decided = 0, savesShown = 0, runsShown = 0, ahead = 0;

private:
    void begin() {
        m_folder.emplace();
        QDir(m_folder->path()).mkdir("tmp");
    }
    QProcessEnvironment environment() const {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        environment.insert("HOME", m_folder->path());
        environment.insert("XDG_RUNTIME_DIR", m_folder->path());
        environment.insert("TMPDIR", m_folder->path() + "/tmp");
        return environment;
    }
    Run compileNow(int ms) {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(m_folder->path());
        process.start(PIMC, compileWith(QString::number(1 + m_dice.below(64))));
        if (!process.waitForStarted())
            return {};
        if (!process.waitForFinished(ms)) {
            process.kill();
            process.waitForFinished(kMostMs);
        }
        Run run;
        run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        run.out = process.readAllStandardOutput();
        run.err = process.readAllStandardError();
        return run;
    }

    /// What the file holds has to be what was shown as saved last, or something decided after it.
    QString whatIsLost(const QByteArray& out) {
        QList<QByteArray> mayBe = m_known;
        QByteArray opened;            // of a project without decisions: those of its newest run
        bool isAnythingSaved = false; // that is not as it was opened
        const QList<QByteArray> lines = out.split('\n');
        for (const QByteArray& line : lines) {
            const QByteArray value = line.mid(line.indexOf(' ') + 1);
            if (line.startsWith("opened ")) {
                if (!m_known.isEmpty() && !m_known.contains(value))
                    return "the window opened something else than the project holds";
                opened = value;
            } else if (line.startsWith("did ")) {
                mayBe.append(value);
                ++decided;
            } else if (line.startsWith("saved ")) {
                mayBe = {value};
                isAnythingSaved = isAnythingSaved || value != opened;
                ++savesShown;
            } else if (line.startsWith("run ")) {
                m_run = value.toLongLong();
                ++runsShown;
            }
        }
        const QString file = m_folder->path() + "/p.pimproj";
        if (QString wrong = soundProject(file, 1); !wrong.isEmpty())
            return wrong;
        const auto project = Project::open(file.toStdString(), Project::Mode::ReadOnly);
        if (!project)
            return QString::fromStdString(project.error().text());
        if (const auto run = (*project)->run(m_run); !run)
            return "a run that was shown is lost: " + QString::fromStdString(run.error().text());
        const auto state = (*project)->decisions();
        if (!state)
            return QString::fromStdString(state.error().text());
        if (!*state)
            return m_known.isEmpty() && !isAnythingSaved
                       ? QString()
                       : "no decisions are there, the window said\n" + QString::fromLatin1(out);
        const QByteArray found = hashOf(decisionsText(**state));
        if (!mayBe.isEmpty() && !mayBe.contains(found))
            return "decisions that were shown as saved are lost; the project holds " +
                   QString::fromLatin1(found) + ", the window said\n" + QString::fromLatin1(out);
        ahead += mayBe.size() > 1 && found != mayBe.front() ? 1 : 0;
        m_known = {found};
        return {};
    }

    Dice m_dice;
    std::optional<QTemporaryDir> m_folder;
    int m_compiles = 0, m_compileMs = 0, m_runs = 0, m_windows = 0, m_openMs = 0;
    std::int64_t m_run = 0;
    QList<QByteArray> m_known; ///< The decisions in the project; none: nobody looked.
};

int kill(int kills, std::uint64_t seed) {
    QElapsedTimer clock;
    clock.start();
    Killer compiles(seed), windows(seed + 1);
    for (int i = 0; i < kills; ++i)
        if (const QString wrong = i % 2 == 0 ? compiles.killCompile() : windows.killWindow();
            !wrong.isEmpty()) {
            std::printf("kill %d of seed %llu: %s\n", i + 1, static_cast<unsigned long long>(seed),
                        qPrintable(wrong));
            return 1;
        }
    std::printf("pimc compile: %d killed, %d had ended; %d runs said to be stored, all there\n",
                compiles.compilesKilled, compiles.compilesEnded, compiles.runsSaid);
    std::printf(
        "window: %d killed; %d decisions, %d times shown as saved, %d runs shown, all there; %d times the "
        "project was ahead of what was shown\n",
        windows.windowsKilled, windows.decided, windows.savesShown, windows.runsShown, windows.ahead);
    std::printf("%d kills in %.0f s, seed %llu\n", kills, double(clock.elapsed()) / 1000,
                static_cast<unsigned long long>(seed));
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> given(argv + 1, argv + argc);
    if (given.size() == 3 && given[0] == "--window") {
        const QApplication application(argc, argv);
        return decideUntilKilled(QString::fromStdString(given[1]), std::stoull(given[2]));
    }
    const QCoreApplication application(argc, argv);
    int kills = 1000;
    std::uint64_t seed = 1;
    for (std::size_t i = 0; i + 1 < given.size(); i += 2)
        if (given[i] == "--kills")
            kills = std::stoi(given[i + 1]);
        else if (given[i] == "--seed")
            seed = std::stoull(given[i + 1]);
    return kill(kills, seed);
}
