// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Work that goes on meanwhile: its order, how much at once, what is taken back, exceptions, a process that was forked.
#include "core/base/background.h"
#include "core/base/parallel.h"

#include <QTest>

#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace pim;

class TestBackground : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { setJobs(0); }

    void oneAfterTheOther() {
        std::vector<int> order;
        Background background;
        for (int i = 0; i < 100; ++i)
            background.start([&order, i] { order.push_back(i); });
        background.wait();
        QCOMPARE(order.size(), std::size_t(100));
        QVERIFY(std::ranges::is_sorted(order));
    }

    /// Pieces that wait for each other: all are under way, with one job too, while the pool helps elsewhere.
    void asManyAtOnceAsPromised() {
        for (const int count : {1, 2, 64}) {
            setJobs(count);
            Background background(5);
            std::latch together(5);
            for (int i = 0; i < 5; ++i)
                background.start([&] { together.arrive_and_wait(); });
            parallelFor(1000, 0, [](std::size_t) { std::this_thread::yield(); });
            background.wait();
            QVERIFY(together.try_wait());
        }
    }

    /// Each of four waits for one of its own, which works with the whole pool: nobody waits for a thread that is taken.
    void withinEachOther() {
        std::atomic<int> done{0};
        Background outer(4);
        for (int i = 0; i < 40; ++i)
            outer.start([&] {
                Background inner;
                inner.start([&] { parallelFor(50, 8, [&](std::size_t) { ++done; }); });
                inner.wait();
            });
        outer.wait();
        QCOMPARE(done.load(), 40 * 50);
    }

    void takesBackWhatHasNotBegun() {
        std::atomic<int> done{0};
        const auto held = std::make_shared<int>();
        {
            Background background;
            std::latch begun(1), go(1);
            background.start([&, held] {
                begun.count_down();
                go.wait();
                ++done;
            });
            background.start([&, held] { ++done; });
            begun.wait();
            QVERIFY(!background.isOverWithin(std::chrono::milliseconds(0)));
            go.count_down();
            background.start([&, held] { ++done; });
        }
        QVERIFY(done >= 1 && done <= 3);
        QCOMPARE(held.use_count(), 1L);
    }

    void exceptionsComeToTheOneWhoWaits() {
        Background background;
        background.start([] { throw std::runtime_error("first"); });
        background.start([] { throw std::logic_error("second"); });
        QVERIFY_EXCEPTION_THROWN(background.wait(), std::runtime_error);
        bool isDone = false;
        background.start([&] { isDone = true; });
        background.wait();
        QVERIFY(isDone);
    }

    /// Python's multiprocessing does so: the threads are not in the child.
    void worksInAForkedProcess() {
#ifdef __SANITIZE_ADDRESS__
        QSKIP(
            "another thread may have locked the allocator of AddressSanitizer, which stays so in the child");
#endif
        parallelFor(100, 4, [](std::size_t) {});
        const pid_t child = fork();
        if (child == 0) {
            std::atomic<int> done{0};
            Background background;
            background.start([&] { ++done; });
            parallelFor(100, 4, [&](std::size_t) { ++done; });
            background.wait();
            _exit(done == 101 ? 0 : 1);
        }
        QVERIFY(child > 0);
        int status = -1;
        QCOMPARE(waitpid(child, &status, 0), child);
        QCOMPARE(status, 0);
    }
};

QTEST_APPLESS_MAIN(TestBackground)
#include "tst_core_base_background.moc"
