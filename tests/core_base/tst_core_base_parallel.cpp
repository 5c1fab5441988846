// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The pool of threads: everything once, exceptions, calls within calls, few and many threads.
#include "core/base/parallel.h"

#include <QTest>

#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace pim;

class TestParallel : public QObject {
    Q_OBJECT

private slots:
    void init() { setJobs(0); }

    void everyPieceOnce_data() {
        QTest::addColumn<int>("threads");
        for (const int threads : {0, 1, 2, 64})
            QTest::addRow("%d threads", threads) << threads;
    }
    void everyPieceOnce() {
        QFETCH(int, threads);
        for (const std::size_t count :
             {std::size_t(0), std::size_t(1), std::size_t(3), std::size_t(10'000)}) {
            std::vector<std::atomic<int>> done(count);
            parallelFor(count, threads, [&](std::size_t i) { ++done[i]; });
            for (const auto& times : done)
                QCOMPARE(times.load(), 1);
        }
    }

    /// Pieces that wait for each other: as many threads as asked for are there, on any machine.
    void asManyAtOnceAsAskedFor() {
        std::atomic<int> there{0};
        parallelFor(8, 8, [&](std::size_t) {
            ++there;
            while (there < 8)
                std::this_thread::yield();
        });
        QCOMPARE(there.load(), 8);
    }

    void oneJobIsNoThread() {
        setJobs(1);
        QCOMPARE(jobs(), 1);
        std::set<std::thread::id> threads;
        parallelFor(100, 0, [&](std::size_t) { threads.insert(std::this_thread::get_id()); });
        QCOMPARE(threads.size(), std::size_t(1));
        QVERIFY(threads.contains(std::this_thread::get_id()));
        setJobs(5000);
        QCOMPARE(jobs(), kMostJobs);
        setJobs(-3);
        QVERIFY(jobs() >= 1);
    }

    void callsWithinCalls() {
        std::atomic<int> done{0};
        parallelFor(16, 4, [&](std::size_t) {
            parallelFor(16, 4, [&](std::size_t) { parallelFor(16, 4, [&](std::size_t) { ++done; }); });
        });
        QCOMPARE(done.load(), 16 * 16 * 16);
    }

    void callsFromSeveralThreads() {
        std::atomic<int> done{0};
        {
            std::vector<std::jthread> callers;
            for (int c = 0; c < 6; ++c)
                callers.emplace_back([&] {
                    for (int k = 0; k < 200; ++k)
                        parallelFor(7, 3, [&](std::size_t) { ++done; });
                });
        }
        QCOMPARE(done.load(), 6 * 200 * 7);
    }

    void theFirstExceptionEndsIt() {
        std::atomic<int> done{0};
        QVERIFY_EXCEPTION_THROWN(parallelFor(100'000, 4,
                                             [&](std::size_t i) {
                                                 ++done;
                                                 if (i == 10)
                                                     throw std::runtime_error("ten");
                                             }),
                                 std::runtime_error);
        QVERIFY(done < 100'000);
        parallelFor(100, 4, [&](std::size_t) { ++done; }); // the pool is as before
    }
};

QTEST_APPLESS_MAIN(TestParallel)
#include "tst_core_base_parallel.moc"
