// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Names of ops are only names, whatever they are: no path, no command, no markup, no code.
#include "core/base/paths.h"
#include "tests/support/pimc_process.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <sys/stat.h>

using namespace pim::test;

namespace {

// As long as each other: a name in an ONNX file has its length before it.
constexpr const char* kName = "/layers.0/mlp/fc1/MatMul";
const QList<QByteArray> kHostile{"../../$(touch x)\"<b>'\\;&", "`touch x`;*/int e;/*</p>",
                                 "\n#include \"/etc/passwd\"\n", "%s%n%x{0}{}\\..\\..\\NULL\x01\x7f"};

} // namespace

class TestPimcHostile : public QObject {
    Q_OBJECT

private slots:
    void namesAreOnlyNames_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("target");
        for (const QByteArray& name : kHostile)
            for (const char* target : {"hbm-pim", "attacc", "aim", "upmem-1"})
                QTest::addRow("%s, name %d", target, int(kHostile.indexOf(name))) << name << target;
    }
    void namesAreOnlyNames() {
        QFETCH(QByteArray, name);
        QFETCH(QString, target);
        QCOMPARE(name.size(), qsizetype(qstrlen(kName)));
        QTemporaryDir place;
        const QString folder = place.filePath("a/b/c");
        QVERIFY(QDir().mkpath(folder));
        QByteArray model =
            readFile(QString::fromStdString((pim::samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string()));
        QVERIFY(model.contains(kName));
        model.replace(kName, name);
        QFile file(folder + "/m.onnx"), decisions(folder + "/d.json");
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(model) == model.size());
        file.close();
        // What could end a line or a text is written as a number: the op is called so from the import on.
        QString inPlan = QString::fromUtf8(name);
        inPlan.replace("\n", "\\x0a").replace("\x01", "\\x01").replace("\x7f", "\\x7f");
        const QJsonObject ops{{inPlan, QJsonObject{{"placement", "pim"}}}};
        QVERIFY(decisions.open(QIODevice::WriteOnly) &&
                decisions.write(QJsonDocument(QJsonObject{{"ops", ops}}).toJson()) > 0);
        decisions.close();

        COMPARE_CODE(
            pimc({"compile", "m.onnx", "--target", target, "--override", "d.json", "--out", "bundle",
                  "--report", "r.html", "--pdf", "r.pdf", "--trace", "t.json", "--project", "p.pimproj"},
                 {}, folder),
            0);
        COMPARE_CODE(pimc({"verify", "bundle"}, {}, folder), 0);
        COMPARE_CODE(pimc({"verify", "bundle", "--numeric", "--model", "m.onnx"}, {}, folder), 0);
        COMPARE_CODE(pimc({"runs", "p.pimproj"}, {}, folder), 0);
        // Nothing lies where a name would have put it.
        QCOMPARE(QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList({"bundle", "d.json", "m.onnx", "p.pimproj", "r.html", "r.pdf", "t.json"}));
        for (const char* above : {"a", "a/b"})
            QCOMPARE(QDir(place.filePath(above))
                         .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)
                         .size(),
                     1);
        for (const QString& written : contentOf(folder + "/bundle").keys())
            QVERIFY2(QRegularExpression("^[A-Za-z0-9._/-]+$").match(written).hasMatch() &&
                         !written.contains(".."),
                     qPrintable(written));
        const QByteArray report = readFile(folder + "/r.html");
        for (const char* markup : {"<b>'", "</p>\"", "<script"})
            QVERIFY(!report.contains(markup));
        QVERIFY(!QJsonDocument::fromJson(readFile(folder + "/t.json")).isNull());
        const QJsonArray plan =
            QJsonDocument::fromJson(readFile(folder + "/bundle/plan.json")).object()["ops"].toArray();
        int found = 0;
        for (const auto& op : plan)
            found += op.toObject()["name"].toString() == inPlan ? 1 : 0;
        QCOMPARE(found, 1); // as it was
    }

    /// In a folder that came from somewhere nobody ever writes to a pipe, and a device has no end.
    void pipesAreNotWaitedFor_data() {
        QTest::addColumn<QString>("pipe");
        QTest::addColumn<QStringList>("words");
        const QString ours =
            QString::fromStdString((pim::samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string());
        QTest::newRow("model") << "x.onnx" << QStringList{"compile", "x.onnx", "--target", "attacc"};
        QTest::newRow("target") << "x.json" << QStringList{"compile", ours, "--target", "x.json"};
        QTest::newRow("system") << "x.json" << QStringList{"system", ours, "--system", "x.json"};
        QTest::newRow("sample") << "sample.json" << QStringList{"compile", ".", "--target", "attacc"};
        QTest::newRow("project") << "x.pimproj" << QStringList{"runs", "x.pimproj"};
        QTest::newRow("bundle") << "manifest.json" << QStringList{"verify", "."};
        QTest::newRow("place of a bundle")
            << "manifest.json" << QStringList{"compile", ours, "--target", "attacc", "--out", "."};
        QTest::newRow("campaign") << "campaign.json" << QStringList{"sweep", "status", "."};
        QTest::newRow("predictor") << "x.predictor" << QStringList{"compile", ours,          "--target",
                                                                   "attacc",  "--predictor", "x.predictor"};
        QTest::newRow("data") << "model.json" << QStringList{"accuracy", ours, "--data", "."};
    }
    void pipesAreNotWaitedFor() {
        QFETCH(QString, pipe);
        QFETCH(QStringList, words);
        QTemporaryDir folder;
        QCOMPARE(::mkfifo(folder.filePath(pipe).toUtf8().constData(), 0600), 0);
        const Run run = pimc(words, {}, folder.path());
        COMPARE_CODE(run, 1);
        QVERIFY2(run.err.contains("pipe or device") || run.err.contains("regular file") ||
                     run.err.contains("not a bundle") || run.err.contains("no such file"),
                 run.err.constData());
    }
};

QTEST_GUILESS_MAIN(TestPimcHostile)
#include "tst_app_pimc_hostile.moc"
