// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Programs run without a shell, end when they may no longer run, and take what they started with them.
#include "core/base/child_process.h"
#include "core/base/scratch_folder.h"

#include <QTest>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

using namespace pim;

namespace {

class TestChildProcess : public QObject {
    Q_OBJECT
    Result<ScratchFolder> m_folder = ScratchFolder::make();

    /// A script for sh, here only because sh can do what a child may do.
    ChildCall script(const std::string& text) const {
        return {.program = "sh", .arguments = {"-c", text}, .folder = m_folder->path(), .environment = {}};
    }
    bool isEmpty() const { return std::filesystem::is_empty(m_folder->path()); }

private slots:
    void initTestCase() { QVERIFY(m_folder); }

    void exitAndOutputArrive() {
        const auto exit = runChild(script("echo out; echo err >&2; exit 3"));
        QVERIFY(exit);
        QCOMPARE(exit->code, 3);
        QCOMPARE(exit->signal, 0);
        QCOMPARE(exit->out, std::string("out\n"));
        QCOMPARE(exit->err, std::string("err\n"));
        QVERIFY(!exit->good());
        QVERIFY(isEmpty());
    }

    void signalsArrive() {
        const auto exit = runChild(script("kill -SEGV $$"));
        QVERIFY(exit);
        QCOMPARE(exit->signal, SIGSEGV);
        QVERIFY(!exit->good());
    }

    void argumentsAreNotRead() {
        const std::vector<std::string> words{"%s|", "a b", "$HOME", "; echo x", "`id`", "*", ""};
        const auto exit = runChild({"printf", words, m_folder->path(), {}});
        QVERIFY(exit);
        QCOMPARE(exit->out, std::string("a b|$HOME|; echo x|`id`|*||"));
    }

    void environmentIsOursAndMore() {
        qputenv("PIM_TEST_KEPT", "kept");
        qputenv("PIM_TEST_CHANGED", "old");
        ChildCall call = script("echo $PIM_TEST_KEPT $PIM_TEST_CHANGED $PIM_TEST_ADDED");
        call.environment = {{"PIM_TEST_CHANGED", "new"}, {"PIM_TEST_ADDED", "added"}};
        const auto exit = runChild(call);
        QVERIFY(exit);
        QCOMPARE(exit->out, std::string("kept new added\n"));
    }

    void runsInItsFolder() {
        const auto exit = runChild(script("pwd -P"));
        QVERIFY(exit);
        QCOMPARE(exit->out, std::filesystem::canonical(m_folder->path()).string() + "\n");
    }

    void missingProgramIsSaid() {
        const auto exit = runChild({"no-such-program", {}, m_folder->path(), {}});
        QVERIFY(!exit);
        QCOMPARE(exit.error().code, ErrorCode::NotFound);
        QCOMPARE(exit.error().where, std::string("no-such-program"));
    }

    void timeIsUpForItsChildrenToo() {
        ChildCall call = script("sleep 60 & echo $! > child; wait");
        call.limitSeconds = 0.3;
        const auto exit = runChild(call);
        QVERIFY(!exit);
        QCOMPARE(exit.error().code, ErrorCode::Unsupported);
        pid_t child = 0;
        std::ifstream(m_folder->path() / "child") >> child;
        QVERIFY(child > 1);
        QTRY_VERIFY(!isRunning(child));
        std::filesystem::remove(m_folder->path() / "child");
    }

    void cancelEndsIt() {
        std::stop_source stop;
        const std::jthread canceller([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            stop.request_stop();
        });
        const auto exit = runChild(script("sleep 60"), {.stop = stop.get_token(), .onProgress = {}});
        QVERIFY(!exit);
        QCOMPARE(exit.error().code, ErrorCode::Cancelled);
    }

    void endlessOutputEnds() {
        const auto exit = runChild(script("cat /dev/zero"));
        QVERIFY(!exit);
        QCOMPARE(exit.error().message, std::string("printed more than 64 MB"));
        QVERIFY(isEmpty());
    }

private:
    /// Neither gone nor a zombie whose new parent has not asked for it.
    static bool isRunning(pid_t process) {
        std::ifstream file("/proc/" + std::to_string(process) + "/stat");
        std::string number, name, state;
        return file >> number >> name >> state && state != "Z";
    }
};

} // namespace

QTEST_GUILESS_MAIN(TestChildProcess)
#include "tst_core_base_child_process.moc"
