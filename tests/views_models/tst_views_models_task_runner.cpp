// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Work on worker threads: results on the UI thread, cancel at once, our own mistakes survive.
#include "views/models/task_runner.h"

#include <QSemaphore>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

using namespace pim;
using namespace pim::views;

class TestTaskRunner : public QObject {
    Q_OBJECT
private slots:
    void init() { m_crashes.clear(); }

    void deliversOnTheUiThread() {
        TaskRunner tasks(remember());
        QThread* worker = nullptr;
        QThread* delivered = nullptr;
        tasks.start(QStringLiteral("work"), [&](const TaskContext&) -> std::function<void()> {
            worker = QThread::currentThread();
            return [&] { delivered = QThread::currentThread(); };
        });
        QCOMPARE(tasks.entries().size(), 1);
        QTRY_COMPARE(delivered, QThread::currentThread());
        QVERIFY(worker != QThread::currentThread());
        QVERIFY(tasks.entries().isEmpty());
    }

    void aRemarkIsNoFailure() {
        TaskRunner tasks(remember());
        QList<std::pair<TaskList::Outcome, QString>> ends;
        connect(&tasks, &TaskList::ended, this,
                [&](const TaskList::Entry&, TaskList::Outcome outcome, const QString& message) {
                    ends.append({outcome, message});
                });
        const QString remark = QStringLiteral("read-only here"), failure = QStringLiteral("no such file");
        const auto run = [&](const std::function<void()>& deliver) {
            const qsizetype before = ends.size();
            tasks.start(QStringLiteral("work"), [deliver](const TaskContext&) { return deliver; });
            QTRY_COMPARE(ends.size(), before + 1);
        };
        run([&] { // said where failures are said, then taken back
            tasks.noteFailure(remark);
            tasks.noteRemark(remark);
        });
        run([&] {
            tasks.noteFailure(failure);
            tasks.noteRemark(remark);
        });
        run([] {});
        using Ends = QList<std::pair<TaskList::Outcome, QString>>;
        QCOMPARE(ends, Ends({{TaskList::Outcome::Done, remark},
                             {TaskList::Outcome::Failed, failure},
                             {TaskList::Outcome::Done, QString()}}));
    }

    void cancelTakesEffectAtOnceAndStays() {
        TaskRunner tasks(remember());
        QSemaphore started, goOn;
        bool delivered = false, told = false;
        std::stop_token seen;
        const int id = tasks.start(
            QStringLiteral("deaf work"),
            [&](const TaskContext& task) -> std::function<void()> {
                seen = task.stop;
                started.release();
                goOn.acquire(); // does not look at the stop token
                return [&] { delivered = true; };
            },
            [&] { told = true; });
        started.acquire();
        tasks.cancel(id);
        QVERIFY(told);
        QVERIFY(seen.stop_requested());
        QVERIFY(tasks.entries().isEmpty());
        goOn.release();
        bool later = false;
        tasks.start(QStringLiteral("later"),
                    [&](const TaskContext&) -> std::function<void()> { return [&] { later = true; }; });
        QTRY_VERIFY(later);
        tasks.stopAndWait();
        QCoreApplication::sendPostedEvents();
        QVERIFY(!delivered);
    }

    void showsProgressOfAChattyWorker() {
        TaskRunner tasks(remember());
        QSemaphore said, goOn;
        tasks.start(QStringLiteral("count"), [&](const TaskContext& task) -> std::function<void()> {
            for (int i = 1; i <= 100'000; ++i)
                task.report("counting", i, 100'000);
            said.release();
            goOn.acquire();
            return {};
        });
        QSignalSpy changes(&tasks, &TaskList::changed);
        said.acquire();
        const TaskList::Entry entry = tasks.entries().value(0);
        QCOMPARE(entry.stage, QStringLiteral("counting"));
        QCOMPARE(entry.done, 100'000);
        QCOMPARE(entry.total, 100'000);
        QVERIFY(changes.size() < 100);
        goOn.release();
        QTRY_VERIFY(tasks.entries().isEmpty());
    }

    void aThrowingWorkerIsReported() {
        TaskRunner tasks(remember());
        tasks.start(QStringLiteral("broken"), [](const TaskContext&) -> std::function<void()> {
            throw std::logic_error("what should hold");
        });
        QTRY_COMPARE(m_crashes, QStringList{QStringLiteral("broken: what should hold")});
        QVERIFY(tasks.entries().isEmpty());
    }

    void destructionWaitsForWorkers() {
        std::atomic<bool> finished = false;
        bool delivered = false;
        {
            TaskRunner tasks(remember());
            QSemaphore started;
            tasks.start(QStringLiteral("until stopped"),
                        [&](const TaskContext& task) -> std::function<void()> {
                            started.release();
                            while (!task.cancelled())
                                std::this_thread::yield();
                            finished = true;
                            return [&] { delivered = true; };
                        });
            started.acquire();
        }
        QVERIFY(finished);
        QCoreApplication::sendPostedEvents();
        QVERIFY(!delivered);
    }

private:
    std::function<void(const QString&, const QString&)> remember() {
        return [this](const QString& name, const QString& what) {
            m_crashes.append(name + QStringLiteral(": ") + what);
        };
    }
    QStringList m_crashes;
};

QTEST_GUILESS_MAIN(TestTaskRunner)
#include "tst_views_models_task_runner.moc"
