// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Files from outside: drops of all kinds, and files that are damaged or strange. What was open stays open.
#include <QTest>
#include <string>

#include "app/studio/file_drops.h"
#include "app/studio/message_bar.h"
#include "app/studio/panels/problems_panel.h"
#include "core/base/paths.h"
#include "core/report/link.h"
#include "tests/app_studio/studio_fixture.h"
#include "tests/core_graph/onnx_builder.h"

#include <QApplication>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QTreeWidget>
#include <QWindow>

using namespace pim;
using namespace pim::views;
using namespace pim::studio;
using pim::test::OnnxBuilder;
using pim::test::Studio;

class TestFiles : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static QString tinyModel() {
        return QString::fromStdString((samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string());
    }
    QString write(const QString& name, const std::string& bytes) const {
        const QString path = m_folder.filePath(name);
        test::writeFile(path.toStdString(), bytes);
        return path;
    }
    static std::string tinyBytes() {
        QFile file(tinyModel());
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    }
    static std::string wire(int field, int type) {
        return std::string(1, static_cast<char>(field << 3 | type));
    }
    static std::string varint(std::uint64_t value) {
        std::string bytes;
        for (; value >= 128; value >>= 7)
            bytes += static_cast<char>((value & 127) | 128);
        return bytes + static_cast<char>(value);
    }

    /// Offers \p paths to \p widget as a drag; \returns whether it was taken, and dropped if so.
    static bool drop(QWidget* widget, const QStringList& paths, bool alsoDrop) {
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls.append(path.contains(QStringLiteral("://")) ? QUrl(path) : QUrl::fromLocalFile(path));
        mime.setUrls(urls);
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(widget, &enter);
        if (enter.isAccepted() && alsoDrop) {
            QDropEvent event(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(widget, &event);
        }
        return enter.isAccepted();
    }

private slots:
    void initTestCase() { pim::test::isolateSettings(m_folder); }

    void filesAreDroppedAnywhere() {
        Studio studio;
        studio.workspace.setTarget(QStringLiteral("attacc"));
        auto* drops = studio.window.findChild<FileDrops*>();
        const QString other = m_folder.filePath(QStringLiteral("other.onnx"));
        QVERIFY(QFile::copy(tinyModel(), other));
        // One that opens, one that waits, one that cannot.
        QVERIFY(drop(studio.window.centralWidget(), {tinyModel(), other, QStringLiteral("/tmp/letter.odt")},
                     false));
        QVERIFY2(drops->hint().contains(QStringLiteral("tiny-gpt.onnx")) &&
                     drops->hint().contains(QStringLiteral("1 more")) &&
                     drops->hint().contains(QStringLiteral("letter.odt")),
                 qPrintable(drops->hint()));
        QVERIFY(drop(studio.window.centralWidget(), {tinyModel(), other}, true));
        QVERIFY(drops->hint().isEmpty());
        SETTLE(studio);
        QCOMPARE(studio.workspace.modelPath(), tinyModel());
        QVERIFY(studio.settings.recentFiles().contains(other));
        // On a panel that takes other things, too.
        QVERIFY(drop(studio.window.panels().dock(QStringLiteral("hardware"))->widget(), {other}, true));
        QTRY_COMPARE(studio.workspace.modelPath(), other);
        SETTLE(studio);
    }

    void whatIsRefusedSaysWhy_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("reason");
        QTest::newRow("another kind of file")
            << QStringLiteral("/tmp/letter.odt") << QStringLiteral("letter.odt cannot be opened");
        QTest::newRow("a folder") << m_folder.path() << QStringLiteral("is a folder");
        QTest::newRow("a page that is no report") << write(QStringLiteral("page.html"), "<html>Hello</html>")
                                                  << QStringLiteral("no report of a stored run");
        QTest::newRow("some JSON") << write(QStringLiteral("some.json"), "{}")
                                   << QStringLiteral("describes no target");
        QTest::newRow("not on this computer")
            << QStringLiteral("https://example.org/model.onnx") << QStringLiteral("not on this computer");
    }
    void whatIsRefusedSaysWhy() {
        QFETCH(QString, path);
        QFETCH(QString, reason);
        Studio studio;
        QVERIFY(!drop(&studio.window, {path}, false));
        const QString hint = studio.window.findChild<FileDrops*>()->hint();
        QVERIFY2(hint.contains(reason), qPrintable(hint));
        QDragLeaveEvent leave;
        QApplication::sendEvent(studio.window.windowHandle(), &leave);
        QVERIFY(studio.window.findChild<FileDrops*>()->hint().isEmpty());
    }

    void reportsAndTargetsAreDroppedToo() {
        Studio studio;
        QSignalSpy links(&studio.window, &MainWindow::linkChosen);
        const RunLink link{"/data/p.pimproj", 3, "fc1", {}};
        const QString report = write(QStringLiteral("report.html"),
                                     "<html><a href=\"" + formatLink(link) + "\">Run 3</a></html>");
        QVERIFY(drop(&studio.window, {report}, true));
        QCOMPARE(links.size(), 1);
        const auto parsed = parseLink(links.front().front().toString().toStdString());
        QVERIFY(parsed && *parsed == link);
        const QString target = m_folder.filePath(QStringLiteral("mine.json"));
        QVERIFY(
            QFile::copy(QString::fromStdString((resourceDir() / "targets" / "aim.json").string()), target));
        QVERIFY(drop(&studio.window, {target}, true));
        QTRY_VERIFY2(studio.workspace.target() || !studio.failures.isEmpty(), "neither chosen nor told");
    }

    void aDamagedFileIsOneMessageAndNothingIsLost_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("says"); ///< One of these, by |.
        const std::string whole = tinyBytes();
        QTest::newRow("truncated in the middle")
            << write(QStringLiteral("half.onnx"), whole.substr(0, whole.size() / 2))
            << QStringLiteral("byte|offset|truncated|ends");
        QTest::newRow("truncated at the beginning")
            << write(QStringLiteral("start.onnx"), whole.substr(0, 40))
            << QStringLiteral("byte|offset|truncated|ends|graph");
        QTest::newRow("empty") << write(QStringLiteral("empty.onnx"), {}) << QStringLiteral("empty");
        QTest::newRow("a text") << write(QStringLiteral("text.onnx"),
                                         "Dear Sir or Madam,\nplease find enclosed my network.\n")
                                << QStringLiteral("ONNX");
        // The graph claims three gigabytes of a file of a few bytes.
        QTest::newRow("claims more than 2 GB")
            << write(QStringLiteral("claims.onnx"),
                     wire(1, 0) + varint(8) + wire(7, 2) + varint(3'000'000'000ULL) + "abc")
            << QStringLiteral("byte|offset|GiB|GB|ends");
        OnnxBuilder cycle;
        cycle.input("x", {std::int64_t(1), std::int64_t(4)})
            .node("Add", {"x", "b"}, {"a"}, {}, "first")
            .node("Relu", {"a"}, {"b"}, {}, "second")
            .output("b");
        QTest::newRow("a cycle")
            << QString::fromStdString(
                   cycle.save(m_folder.filePath(QStringLiteral("cycle.onnx")).toStdString()).string())
            << QStringLiteral("cycle");
        QTest::newRow("a project that is none")
            << write(QStringLiteral("none.pimproj"), "not a database at all, only words")
            << QStringLiteral("project|database");
        QTest::newRow("nothing there") << m_folder.filePath(QStringLiteral("nowhere.onnx"))
                                       << QStringLiteral("no such|not there|exist|found|open");
    }
    void aDamagedFileIsOneMessageAndNothingIsLost() {
        QFETCH(QString, path);
        QFETCH(QString, says);
        Studio studio;
        studio.workspace.setTarget(QStringLiteral("attacc"));
        studio.workspace.openModel(tinyModel());
        SETTLE(studio);
        const auto graph = studio.workspace.graph();
        const auto plan = studio.workspace.plan();
        studio.window.openFile(path);
        QTRY_COMPARE(studio.failures.size(), 1);
        QTRY_VERIFY(studio.workspace.tasks()->entries().isEmpty());
        QTest::qWait(20);
        QCOMPARE(studio.failures.size(), 1);
        const QString told = studio.lastFailure();
        qInfo("%s", qPrintable(told));
        QVERIFY2(told.contains(QFileInfo(path).fileName()), qPrintable(told));
        const QStringList words = says.split(u'|');
        QVERIFY2(std::any_of(words.begin(), words.end(),
                             [&](const QString& word) { return told.contains(word, Qt::CaseInsensitive); }),
                 qPrintable(told));
        QVERIFY(!QApplication::activeModalWidget());
        QVERIFY(studio.window.messageBar()->isVisible());
        QCOMPARE(studio.workspace.graph(), graph);
        QCOMPARE(studio.workspace.plan(), plan);
        QCOMPARE(studio.workspace.modelPath(), tinyModel());
    }

    /// These open; what is strange about them is listed.
    void aStrangeFileOpensWithItsProblemsListed_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("says");
        OnnxBuilder unknown;
        unknown.input("x", {std::int64_t(1), std::int64_t(64)})
            .weight("w", {64, 64})
            .node("MatMul", {"x", "w"}, {"y"}, {}, "known")
            .node("Frobnicate", {"y"}, {"z"}, {}, "strange", "com.example")
            .output("z");
        QTest::newRow("an op nobody knows")
            << QString::fromStdString(
                   unknown.save(m_folder.filePath(QStringLiteral("unknown.onnx")).toStdString()).string())
            << QStringLiteral("Frobnicate");
        OnnxBuilder future(99);
        future.input("x", {std::int64_t(1), std::int64_t(64)})
            .weight("w", {64, 64})
            .node("MatMul", {"x", "w"}, {"y"}, {}, "product")
            .output("y");
        QTest::newRow("operator set of the future")
            << QString::fromStdString(
                   future.save(m_folder.filePath(QStringLiteral("future.onnx")).toStdString()).string())
            << QStringLiteral("99");
    }
    void aStrangeFileOpensWithItsProblemsListed() {
        QFETCH(QString, path);
        QFETCH(QString, says);
        Studio studio;
        studio.workspace.setTarget(QStringLiteral("attacc"));
        studio.window.openFile(path);
        SETTLE(studio);
        QCOMPARE(studio.workspace.modelPath(), path);
        const auto* list = studio.window.findChild<ProblemsPanel*>()->findChild<QTreeWidget*>();
        QStringList told;
        for (int i = 0; i < list->topLevelItemCount(); ++i)
            told.append(list->topLevelItem(i)->text(0));
        QVERIFY2(told.join(u'\n').contains(says), qPrintable(told.join(u'\n')));
    }
};

QTEST_MAIN(TestFiles)
#include "tst_app_studio_files.moc"
