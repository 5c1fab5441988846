// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The pool of threads: everything once, exceptions, stops, calls within calls, few and many threads.
#include "core/base/parallel.h"
#include "core/base/pool.h"

#include <QTest>

#include <set>
#include <stdexcept>
#include <stop_token>
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
    }

    void callsWithinCalls() {
        std::atomic<int> done{0};
        parallelFor(16, 4, [&](std::size_t) {
            parallelFor(16, 4, [&](std::size_t) { parallelFor(16, 4, [&](std::size_t) { ++done; }); });
        });
        QCOMPARE(done.load(), 16 * 16 * 16);
    }

    /// However deep calls are nested, no more threads than the largest call asks for, and the one that calls.
    void nestedCallsShareTheThreads() {
        Pool pool;
        std::atomic<int> now{0}, most{0}, done{0};
        const std::function<void(int)> descend = [&](int levels) {
            if (levels > 0) {
                for (int i = 0; i < 8; ++i)
                    pool.help(2, [&] { descend(levels - 1); });
                return;
            }
            const int here = ++now;
            for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
            }
            std::this_thread::yield();
            --now;
            ++done;
        };
        descend(3);
        QVERIFY2(most <= 3, qPrintable(QString::number(most)));
        QVERIFY(done >= 8 * 8 * 8);
    }

    /// What a stop ends, it ends in all threads; and the pool is as before.
    void stops() {
        for (const int threads : {1, 2, 64}) {
            std::stop_source stop;
            std::atomic<int> done{0};
            parallelFor(100'000, threads, [&](std::size_t) {
                if (stop.stop_requested())
                    return;
                if (++done == 10)
                    stop.request_stop();
            });
            QVERIFY(done >= 10 && done < 10 + threads);
            std::atomic<int> after{0};
            parallelFor(100, threads, [&](std::size_t) { ++after; });
            QCOMPARE(after.load(), 100);
        }
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
                                                 // However long the one that throws has to wait for a processor.
                                                 std::this_thread::sleep_for(std::chrono::microseconds(100));
                                             }),
                                 std::runtime_error);
        QVERIFY(done < 100'000);
        parallelFor(100, 4, [&](std::size_t) { ++done; }); // the pool is as before
    }
};

QTEST_APPLESS_MAIN(TestParallel)
#include "tst_core_base_parallel.moc"
