// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Counts of threads as people write them.
#include "core/base/jobs.h"

#include <QTest>

using namespace pim;

class TestJobs : public QObject {
    Q_OBJECT

private slots:
    void readsCounts() {
        QCOMPARE(readJobs("1", "--jobs").value(), 1);
        QCOMPARE(readJobs("1024", "--jobs").value(), kMostJobs);
    }

    void refusesEverythingElse_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"0", "-1", "1025", "1000000000", "10000000000000000000", "four", "4x", "2.5", "", " 2"})
            QTest::newRow(*text ? text : "nothing") << QByteArray(text);
    }
    void refusesEverythingElse() {
        QFETCH(QByteArray, text);
        const auto count = readJobs(text.toStdString(), "--jobs");
        QVERIFY(!count);
        QCOMPARE(count.error().code, ErrorCode::Usage);
        QCOMPARE(QByteArray::fromStdString(count.error().text()),
                 "--jobs: \"" + text + "\" is not a number of threads from 1 to 1024. " +
                     "leave it out for as many as the machine has cores");
    }

    void variable() {
        qputenv("PIM_JOBS", "3");
        QVERIFY(checkJobsVariable());
        QCOMPARE(jobs(), 3); // asked for the first time in this process
        setJobs(7);
        QCOMPARE(jobs(), 7);
        setJobs(0);
        QCOMPARE(jobs(), 3);
        qputenv("PIM_JOBS", "many");
        const auto checked = checkJobsVariable();
        QVERIFY(!checked);
        QCOMPARE(checked.error().where, std::string("PIM_JOBS"));
        qputenv("PIM_JOBS", "");
        QVERIFY(checkJobsVariable());
        qunsetenv("PIM_JOBS");
        QVERIFY(checkJobsVariable());
    }
};

QTEST_APPLESS_MAIN(TestJobs)
#include "tst_core_base_jobs.moc"
