// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimc compile --override` on a model that changed since: each decision applied, moved or stale, as in the
/// window.
#include <QTest>
#include <string>

#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>

using namespace pim::test;

namespace {

Run compileWith(const QJsonObject& decisions, const QStringList& more = {}) {
    return pimc(QStringList{"compile", "sample:tiny-gpt", "--target", "attacc", "--bind", "batch=1,past=32",
                            "--json", "--override", "-"} +
                    more,
                QJsonDocument(decisions).toJson());
}

const QString kOp = QStringLiteral("/layers.0/mlp/fc1/MatMul");

QJsonObject onHost(const QString& op) {
    return {{op, QJsonObject{{"placement", "host"}}}};
}

} // namespace

class TestPimcDecisions : public QObject {
    Q_OBJECT
private slots:
    void aStaleOneFailsUnlessItMayBeSkipped() {
        QJsonObject ops = onHost(kOp);
        ops.insert("gone", QJsonObject{{"placement", "host"}});
        const QJsonObject decisions{{"ops", ops}};
        const Run refused = compileWith(decisions);
        QCOMPARE(refused.code, 1);
        QVERIFY2(refused.err.contains("1 applied, 0 moved, 1 stale") &&
                     refused.err.contains("gone/placement") && refused.err.contains("--skip-stale"),
                 refused.err.constData());
        const Run skipped = compileWith(decisions, {"--skip-stale"});
        QVERIFY2(skipped.code == 0, skipped.err.constData());
        const QJsonObject json = QJsonDocument::fromJson(skipped.out).object();
        const QJsonArray told = json["decisions"].toArray();
        QCOMPARE(told.size(), 2);
        for (const QJsonValue& each : told)
            QCOMPARE(each["state"].toString(),
                     each["op"].toString() == kOp ? QStringLiteral("applied") : QStringLiteral("stale"));
        // The same as without the stale one.
        const QJsonObject without = QJsonDocument::fromJson(compileWith({{"ops", onHost(kOp)}}).out).object();
        QCOMPARE(json["total_ns"].toDouble(), without["total_ns"].toDouble());
    }

    void aMovedOneAppliesAndSaysSo() {
        const QJsonObject plain = QJsonDocument::fromJson(compileWith({{"ops", onHost(kOp)}}).out).object();
        QVERIFY(!plain.isEmpty());
        // What an export of a model with other names would have written: no such name, but the tensor the op
        // makes.
        const QJsonObject mark{{"type", "MatMul"},
                               {"shapes", "?"},
                               {"position", 0},
                               {"nth", 0},
                               {"alike", 1},
                               {"inputs", QJsonArray()},
                               {"output", kOp + "_output_0"}};
        const Run moved = compileWith({{"ops", onHost("fc1 of an older export")},
                                       {"marks", QJsonObject{{"fc1 of an older export", mark}}}},
                                      {"--skip-stale"});
        QVERIFY2(moved.code == 0, moved.err.constData());
        const QJsonObject json = QJsonDocument::fromJson(moved.out).object();
        QVERIFY2(moved.err.contains("0 applied, 1 moved, 0 stale"), moved.err.constData());
        QCOMPARE(json["decisions"].toArray().at(0)["state"].toString(), QStringLiteral("moved"));
        QCOMPARE(json["total_ns"].toDouble(), plain["total_ns"].toDouble());
    }

    /// What the family of a machine lets decide goes the same way: plan and simulation follow, a sweep goes over it, what cannot be
    /// had is refused, and a project keeps it.
    void decisionsOfAFamily() {
        QTemporaryDir folder;
        const QString project = folder.filePath("decided.pimproj");
        const auto compiled = [&](const QJsonObject& fields, const QStringList& more = {}) {
            QJsonObject op{{"placement", "pim"}};
            for (auto field = fields.begin(); field != fields.end(); ++field)
                op.insert(field.key(), field.value());
            return pimc(QStringList{"compile", "sample:tiny-gpt", "--target", "upmem-1", "--dtype", "i8",
                                    "--bind", "batch=16,past=7", "--simulate", "--json", "--override", "-"} +
                            more,
                        QJsonDocument(QJsonObject{{"ops", QJsonObject{{kOp, op}}}}).toJson());
        };
        const auto opOf = [](const Run& run) {
            for (const QJsonValue& op : QJsonDocument::fromJson(run.out).object()["ops"].toArray())
                if (op["op"].toString() == kOp || op["name"].toString() == kOp)
                    return op.toObject();
            return QJsonObject();
        };
        const QJsonObject fields{{"dpus", 4}, {"tasklets", 8}, {"dma", 64}, {"order", "hold-X"}};
        const Run plain = compiled({}), decided = compiled(fields, {"--project", project});
        QVERIFY2(plain.code == 0 && decided.code == 0, decided.err.constData());
        const QString draft = opOf(decided)["draft"].toString();
        QVERIFY2(draft.endsWith("; dma=64, order=hold-X") && !opOf(plain)["draft"].toString().contains(';'),
                 qPrintable(draft));
        QVERIFY(opOf(plain)["compute_ns"] != opOf(decided)["compute_ns"]);
        const auto simulated = [](const Run& run) {
            return QJsonDocument::fromJson(run.out).object()["simulation"].toObject()["total_ns"].toDouble();
        };
        QVERIFY(simulated(plain) > 0 && simulated(decided) > 0 && simulated(plain) != simulated(decided));
        const Run again = pimc({"compile", "sample:tiny-gpt", "--target", "upmem-1", "--dtype", "i8",
                                "--bind", "batch=16,past=7", "--simulate", "--json", "--project", project});
        QVERIFY2(again.code == 0, again.err.constData());
        QCOMPARE(opOf(again)["draft"].toString(), draft);
        const QString bundle = folder.filePath("bundle");
        QVERIFY(compiled(fields, {"--out", bundle}).code == 0);
        const Run verified = pimc({"verify", bundle, "--numeric"});
        QVERIFY2(verified.code == 0, (verified.out + verified.err).constData());
        const Run refused = compiled({{"dma", 12}});
        QVERIFY2(refused.code == 1 && refused.err.contains("a DMA of 12 B; a DPU moves 8 to 2048 B"),
                 refused.err.constData());
        const Run swept = pimc({"sweep", "sample:tiny-gpt", "--target", "upmem-1", "--dtype", "i8", "--bind",
                                "batch=16,past=7", "--over",
                                "placement:" + kOp + "=pim;tasklets:" + kOp + "=1,11", "--json"});
        QVERIFY2(swept.code == 0, swept.err.constData());
        const QJsonArray points = QJsonDocument::fromJson(swept.out).array();
        QCOMPARE(points.size(), 2);
        QVERIFY(points.at(0)["total_ns"].toDouble() > points.at(1)["total_ns"].toDouble());
    }
};

QTEST_GUILESS_MAIN(TestPimcDecisions)
#include "tst_app_pimc_decisions.moc"
