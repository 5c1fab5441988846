// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Timelines as traces for Perfetto: every event by the rules of the Trace Event Format, times to the picosecond, odd names.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include "core/timeline/chrome_trace.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim;

class TestTrace : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QJsonObject traceOf(const Timeline& timeline) {
        const QString path = m_folder.filePath("trace.json");
        const auto written = writeChromeTrace(timeline, "a \"network\" on a chip", path.toStdString());
        if (!written)
            return {};
        QFile file(path);
        QJsonParseError error;
        const auto document = file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll(), &error)
                                                             : QJsonDocument();
        return document.object();
    }

    static Timeline example() {
        Timeline timeline;
        timeline.kinds = {{"compute", SpanRole::Compute}, {"bus \"wait\"", SpanRole::Transfer}};
        timeline.labels = {"", "conv\n1", "fc"};
        timeline.labelOps = {-1, 0, 1};
        timeline.bandWord = "segment";
        timeline.bands = {{"segment 1", 0, 1500}, {"segment 2", 1500, 2000.001}};
        timeline.tracks = {{.name = "array 0", .group = "arrays", .shows = {3}},
                           {.name = "array 1", .group = "arrays", .shows = {3}},
                           {.name = "bus", .group = "buses"},
                           {.name = "both arrays", .group = "arrays", .hidden = true}};
        timeline.spans = {{0.125, 999.875F, 3, 0, 0, 1}, {1500, 500.001F, 2, 1, 1, 0}, {10, 20, 2, 0, 0, 2}};
        timeline.finish();
        return timeline;
    }

private slots:
    void eventsAreThoseOfTheTimeline() {
        const QJsonObject trace = traceOf(example());
        QCOMPARE(trace["displayTimeUnit"].toString(), QStringLiteral("ns"));
        QCOMPARE(trace["otherData"]["title"].toString(), QStringLiteral("a \"network\" on a chip"));
        QMap<int, QString> processes;
        QMap<QPair<int, int>, QString> threads;
        QList<QJsonObject> spans;
        for (const QJsonValue& value : trace["traceEvents"].toArray()) {
            const QJsonObject event = value.toObject();
            QVERIFY(event["pid"].isDouble() && event["tid"].isDouble() && event["name"].isString());
            const int process = event["pid"].toInt(), thread = event["tid"].toInt();
            if (event["ph"].toString() == QStringLiteral("M")) {
                if (event["name"].toString() == QStringLiteral("process_name"))
                    processes[process] = event["args"]["name"].toString();
                if (event["name"].toString() == QStringLiteral("thread_name"))
                    threads[{process, thread}] = event["args"]["name"].toString();
                continue;
            }
            QCOMPARE(event["ph"].toString(), QStringLiteral("X"));
            QVERIFY(event["ts"].toDouble() >= 0 && event["dur"].toDouble() >= 0);
            QVERIFY(processes.contains(process)); // named before it is used
            spans << event;
        }
        QCOMPARE(QStringList(processes.values()), QStringList({"segments", "buses", "arrays"}));
        QCOMPARE(QStringList(threads.values()), QStringList({"segments", "bus", "both arrays (on 2 alike)"}));
        QCOMPARE(spans.size(), 5);
        QCOMPARE(spans[1]["name"].toString(), QStringLiteral("segment 2"));
        QCOMPARE(spans[1]["dur"].toDouble(), 0.500001);
        QCOMPARE(spans[2]["name"].toString(), QStringLiteral("fc"));           // of a track by its start
        QCOMPARE(spans[3]["name"].toString(), QStringLiteral("bus \"wait\"")); // without a label: its kind
        QCOMPARE(spans[3]["ts"].toDouble(), 1.5);
        QCOMPARE(spans[4]["name"].toString(), QStringLiteral("conv\n1"));
        QCOMPARE(spans[4]["cat"].toString(), QStringLiteral("compute"));
        QCOMPARE(spans[4]["ts"].toDouble(), 0.000125);
        QCOMPARE(spans[4]["dur"].toDouble(), 0.999875);
    }

    /// Times are rounded, durations to less than times: what follows begins where the one before it ends.
    void whatFollowsDoesNotOverlap() {
        Timeline timeline;
        timeline.kinds = {{"work"}};
        timeline.tracks = {{.name = "host", .group = ""}};
        timeline.labels = {""};
        const double starts[] = {0.0006, 1.0012, 1000001.0 / 3, 2000000.0 / 3, 1e6};
        for (int i = 0; i < 4; ++i)
            timeline.spans.push_back({starts[i], float(starts[i + 1] - starts[i]), 0, 0, 0xffff, 0});
        timeline.spans.push_back({starts[1] + 5, 10, 0, 0, 0xffff, 0}); // one within another stays there
        timeline.finish();
        qint64 end = -1;
        QList<QPair<qint64, qint64>> spans;
        for (const QJsonValue& event : traceOf(timeline)["traceEvents"].toArray())
            if (event["ph"] == "X")
                spans << qMakePair(qRound64(event["ts"].toDouble() * 1e6),
                                   qRound64((event["ts"].toDouble() + event["dur"].toDouble()) * 1e6));
        QCOMPARE(spans.size(), 5);
        QCOMPARE(spans.takeAt(2), qMakePair(qint64(6001), qint64(16001)));
        for (const auto& span : spans) {
            QVERIFY2(span.first >= end, qPrintable(QStringLiteral("%1 < %2").arg(span.first).arg(end)));
            end = span.second;
        }
    }

    void nothingHappened() {
        Timeline timeline;
        timeline.finish();
        const QJsonObject trace = traceOf(timeline);
        QVERIFY(trace["traceEvents"].isArray() && trace["traceEvents"].toArray().isEmpty());
    }

    void placesThatCannotBe() {
        const auto nowhere = writeChromeTrace(example(), "t", "/nowhere/trace.json");
        QCOMPARE(nowhere.error().code, ErrorCode::Io);
        QVERIFY(nowhere.error().text().find("/nowhere/trace.json") != std::string::npos);
        if (QFile::exists("/dev/full"))
            QCOMPARE(writeChromeTrace(example(), "t", "/dev/full").error().code, ErrorCode::Io);
    }
};

QTEST_GUILESS_MAIN(TestTrace)
#include "tst_core_timeline_trace.moc"
