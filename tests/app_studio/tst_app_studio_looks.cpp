// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What a picky user would see first: texts that are cut, panels squeezed to nothing, tables whose figures
/// are out of sight on a small screen, pictures that are blurred where pixels are small.
#include <QTest>
#include <string>

#include "app/studio/known_drafts_dialog.h"
#include "app/studio/language.h"
#include "tests/app_studio/studio_fixture.h"
#include "views/common/line_label.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"
#include "views/graph/graph_canvas.h"
#include "views/hardware/floorplan.h"
#include "views/tiles/heatmap.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QProcess>
#include <QTabBar>
#include <QToolButton>

using namespace pim;
using namespace pim::studio;
using namespace pim::views;
using pim::test::Studio;

namespace {

constexpr QSize kSmall(1280, 720), kLarge(1920, 1080);

/// "inspector: label "Residency" needs 120, has 80" for everything in there that is cut.
QStringList cutIn(const QWidget& root) {
    QStringList faults;
    const auto fault = [&](const QWidget* widget, const QString& text, int needs, int has) {
        faults << QStringLiteral("%1: %2 \"%3\" needs %4, has %5")
                      .arg(root.objectName(), QLatin1String(widget->metaObject()->className()), text.left(50))
                      .arg(needs)
                      .arg(has);
    };
    for (const QWidget* widget : root.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty())
            continue;
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            if (label->text().isEmpty() || qobject_cast<const LineLabel*>(widget))
                continue; // these tell that they are cut, and their tip has all of it
            if (label->wordWrap() && label->heightForWidth(label->width()) > label->height() + 2)
                fault(widget, label->text(), label->heightForWidth(label->width()), label->height());
            else if (!label->wordWrap() && label->minimumSizeHint().width() > label->width() + 1)
                fault(widget, label->text(), label->minimumSizeHint().width(), label->width());
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            const auto* tool = qobject_cast<const QToolButton*>(widget);
            if (button->text().isEmpty() ||
                (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull()))
                continue;
            QString shown = button->text();
            const int needs = button->fontMetrics().horizontalAdvance(shown.remove(QLatin1Char('&')));
            if (needs > button->width())
                fault(widget, button->text(), needs, button->width());
        }
    }
    return faults;
}

/// Columns of these names lie in the table's viewport as a whole.
QStringList outOfSight(const QTableView& table, const QStringList& names) {
    QStringList missing;
    for (const QString& name : names) {
        int found = -1;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            if (table.model()->headerData(column, Qt::Horizontal).toString() == name)
                found = column;
        if (found < 0)
            missing << name + QStringLiteral(" (no such column)");
        else if (const int left = table.columnViewportPosition(found);
                 left < 0 || left + table.columnWidth(found) > table.viewport()->width() + 1)
            missing << QStringLiteral("%1 (%2 to %3 of %4)")
                           .arg(name)
                           .arg(left)
                           .arg(left + table.columnWidth(found))
                           .arg(table.viewport()->width());
    }
    return missing;
}

/// How much of the contrast between neighbours is lost when every second pixel of a line is left out and made
/// up again, and how much of it is inside the pairs. A picture drawn for fewer pixels than there are has lost
/// it before.
struct Sharpness {
    double lost = 0, inside = 0;
};
Sharpness sharpnessOf(const QImage& picture) {
    double inside = 0, between = 0, again = 0;
    const QImage image = picture.convertToFormat(QImage::Format_Grayscale8);
    const QImage rough = image.scaled(image.size() / 2, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                             .scaled(image.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                             .convertToFormat(QImage::Format_Grayscale8);
    for (int y = 0; y < image.height(); ++y) {
        const uchar *line = image.constScanLine(y), *roughLine = rough.constScanLine(y);
        for (int x = 1; x < image.width(); ++x) {
            const double step = line[x] - line[x - 1], roughStep = roughLine[x] - roughLine[x - 1];
            (x % 2 == 1 ? inside : between) += step * step;
            again += roughStep * roughStep;
        }
    }
    const double all = inside + between;
    return all > 0 ? Sharpness{1 - again / all, inside / all} : Sharpness{};
}

} // namespace

class TestLooks : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QFont m_font;

    static void open(Studio& studio, const char* sample, const char* target) {
        for (const Sample& each : findSamples())
            if (each.id == QLatin1String(sample))
                studio.workspace.openModel(each.modelPath, each.bindings, QLatin1String(target));
        QTRY_VERIFY(studio.workspace.graph());
        SETTLE(studio);
        if (const OpId op = studio.costliestOnPim(); op.valid())
            studio.workspace.selectOp(op);
        else
            studio.workspace.selectOp(
                OpId(static_cast<std::int64_t>(studio.workspace.graph()->ops.size() / 2)));
        SETTLE(studio);
    }
    static void ask(Studio& studio, Question question) {
        studio.window.panels().show(question);
        studio.window.panels().reset();
        QTest::qWait(50);
        SETTLE(studio);
    }
    /// To the front, laid out, with what it shows.
    static void raise(Studio& studio, QDockWidget* dock) {
        dock->show();
        dock->raise();
        QTest::qWait(60);
        SETTLE(studio);
        QTest::qWait(60);
    }
    static void askAndRaise(Studio& studio, Question question, const char* panel) {
        ask(studio, question);
        raise(studio, studio.window.panels().dock(QLatin1String(panel)));
    }

private slots:
    void initTestCase() {
        pim::test::isolateSettings(m_folder);
        useLanguage(qEnvironmentVariable("PIM_TEST_LANGUAGE", QStringLiteral("en")));
        applyTheme(Theme::Light);
        m_font = QApplication::font();
    }
    void cleanup() { QApplication::setFont(m_font); }

    void nothingIsCut_data() {
        QTest::addColumn<QByteArray>("sample");
        QTest::addColumn<QByteArray>("target");
        QTest::addColumn<int>("percent");
        for (const int percent : {100, 150, 200}) {
            QTest::addRow("DRAM, font of %d %%", percent)
                << QByteArray("tiny-gpt") << QByteArray("attacc") << percent;
            QTest::addRow("arrays, font of %d %%", percent)
                << QByteArray("tiny-gpt") << QByteArray("dynaplasia") << percent;
        }
    }
    void nothingIsCut() {
        QFETCH(QByteArray, sample);
        QFETCH(QByteArray, target);
        QFETCH(int, percent);
        QFont font = m_font;
        font.setPointSizeF(m_font.pointSizeF() * percent / 100);
        QApplication::setFont(font);
        const QSize size = percent > 150 ? kLarge : kSmall;
        Studio studio;
        studio.window.resize(size);
        open(studio, sample, target);
        QStringList faults;
        for (int question = 0; question < kQuestions; ++question) {
            ask(studio, static_cast<Question>(question));
            QCOMPARE(studio.window.size(), size); // no panel pushes it beyond the screen
            for (const QTabBar* bar :
                 studio.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
                for (int tab = 0; bar->isVisible() && tab < bar->count() && percent == 100; ++tab)
                    if (bar->tabRect(tab).right() > bar->width())
                        faults << QStringLiteral("tab %1 of question %2 is out of sight")
                                      .arg(bar->tabText(tab))
                                      .arg(question);
            for (const auto& [id, dock] : studio.window.panels().docks()) {
                if (!dock->isVisible())
                    continue;
                raise(studio, dock);
                faults += cutIn(*dock);
                if (dock->widget()->height() < 100)
                    faults << QStringLiteral("%1 is only %2 high").arg(id).arg(dock->widget()->height());
            }
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void knownDraftsAreNotCut_data() {
        QTest::addColumn<int>("percent");
        QTest::newRow("usual font") << 100;
        QTest::newRow("font of 150 %") << 150;
        QTest::newRow("font of 200 %") << 200;
    }
    void knownDraftsAreNotCut() {
        QFETCH(int, percent);
        QFont font = m_font;
        font.setPointSizeF(m_font.pointSizeF() * percent / 100);
        QApplication::setFont(font);
        Studio studio;
        open(studio, "tiny-gpt", "attacc");
        KnownDraftsDialog dialog(studio.workspace);
        dialog.show();
        QTRY_VERIFY(dialog.emptyText().contains(KnownDraftsDialog::tr("No project")));
        QStringList faults = cutIn(dialog);
        studio.workspace.saveProject(m_folder.filePath(QStringLiteral("known-%1.pimproj").arg(percent)));
        QTRY_VERIFY_WITH_TIMEOUT(dialog.table()->model()->rowCount() > 0, 30000);
        SETTLE(studio);
        QTest::qWait(60);
        faults += cutIn(dialog);
        if (percent == 100)
            faults +=
                outOfSight(*dialog.table(), {KnownDraftsDialog::tr("Kernel"), KnownDraftsDialog::tr("Sizes"),
                                             KnownDraftsDialog::tr("Target"), KnownDraftsDialog::tr("Time"),
                                             KnownDraftsDialog::tr("Found"), KnownDraftsDialog::tr("Draft")});
        QVERIFY(dialog.width() <= kSmall.width() && dialog.height() <= kSmall.height());
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(u'\n')));
    }

    void tablesShowWhatMattersOnASmallScreen() {
        Studio studio;
        studio.window.resize(kSmall);
        open(studio, "tiny-gpt", "attacc");
        studio.workspace.saveProject(m_folder.filePath(QStringLiteral("looks.pimproj")));
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.lastRun() != 0, 30000);
        const auto table = [&](const char* panel, const char* name) {
            for (QTableView* each :
                 studio.window.panels().dock(QLatin1String(panel))->findChildren<QTableView*>())
                if (each->accessibleName() == QLatin1String(name))
                    return each;
            return static_cast<QTableView*>(nullptr);
        };
        const auto check = [&](const char* panel, const char* name, const QStringList& columns) {
            const QTableView* shown = table(panel, name);
            const QStringList missing =
                shown ? outOfSight(*shown, columns) : QStringList{QStringLiteral("the table")};
            if (!missing.isEmpty())
                QFAIL(qPrintable(
                    QStringLiteral("%1: %2").arg(QLatin1String(panel), missing.join(QStringLiteral(", ")))));
        };
        askAndRaise(studio, Question::WhyThisDraft, "drafts");
        const QAbstractItemModel& drafts = *table("drafts", "Table of drafts")->model();
        check("drafts", "Table of drafts",
              {QStringLiteral("Total"), drafts.headerData(0, Qt::Horizontal).toString(),
               drafts.headerData(1, Qt::Horizontal).toString()});
        askAndRaise(studio, Question::WhatIf, "runs");
        check("runs", "Table of runs",
              {QStringLiteral("Run"), QStringLiteral("Best"), QStringLiteral("Total"),
               QStringLiteral("Speed-up")});
        askAndRaise(studio, Question::WhereTimeGoes, "pipeline");
        check("pipeline", "Stages of the compile",
              {QStringLiteral("Stage"), QStringLiteral("Before"), QStringLiteral("After"),
               QStringLiteral("Changes")});
        askAndRaise(studio, Question::WhereTimeGoes, "tasks");
        check("tasks", "Running and finished tasks",
              {QStringLiteral("Task"), QStringLiteral("Progress"), QStringLiteral("Elapsed"),
               QStringLiteral("State")});
    }

    void isSharpAtEveryScale_data() {
        QTest::addColumn<QString>("scale");
        for (const char* scale : {"1.5", "2", "3"})
            QTest::newRow(scale) << QString::fromLatin1(scale);
    }
    void isSharpAtEveryScale() {
        QFETCH(QString, scale);
        QProcess self; // the scale holds for a whole program
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_SCALE_FACTOR"), scale);
        self.setProcessEnvironment(environment);
        self.setProcessChannelMode(QProcess::MergedChannels);
        self.start(QCoreApplication::applicationFilePath(), {QStringLiteral("isSharpHere")});
        QVERIFY(self.waitForFinished(120000));
        QVERIFY2(self.exitStatus() == QProcess::NormalExit && self.exitCode() == 0, self.readAll());
    }
    void isSharpHere() {
        if (qApp->devicePixelRatio() < 1.4)
            QSKIP("isSharpAtEveryScale() runs this at other scales");
        Studio studio;
        studio.window.resize(kSmall);
        open(studio, "tiny-gpt", "attacc");
        const auto check = [&](const char* what, QWidget* widget) {
            QVERIFY2(widget && widget->isVisible() && widget->width() > 12, what);
            const QPixmap picture = widget->grab();
            QCOMPARE(picture.size(), (QSizeF(widget->size()) * qApp->devicePixelRatio()).toSize());
            const Sharpness found = sharpnessOf(picture.toImage());
            QVERIFY2(found.lost > 0.25 && found.inside > 0.15,
                     qPrintable(QStringLiteral("%1: contrast lost %2, inside pairs %3")
                                    .arg(QLatin1String(what))
                                    .arg(found.lost)
                                    .arg(found.inside)));
        };
        ask(studio, Question::WhereTimeGoes);
        check("graph", studio.window.findChild<GraphCanvas*>());
        check("breakdown",
              studio.window.panels().dock(QStringLiteral("breakdown"))->findChild<StackedBars*>());
        for (QToolButton* button :
             studio.window.panels().dock(QStringLiteral("graph"))->findChildren<QToolButton*>())
            if (button->isVisible() && button->isEnabled() && !button->icon().isNull())
                check("icon of a button", button);
        for (QAbstractButton* button :
             studio.window.panels()
                 .dock(QStringLiteral("graph"))
                 ->findChildren<QAbstractButton*>(QString(), Qt::FindDirectChildrenOnly))
            if (button->isVisible() && !button->icon().isNull()) { // floats and closes the panel
                const QPixmap icon = button->icon().pixmap(QSize(16, 16), qApp->devicePixelRatio());
                QCOMPARE(icon.size(), (QSizeF(16, 16) * qApp->devicePixelRatio()).toSize());
            }
        ask(studio, Question::WhyThisDraft);
        check("floorplan", studio.window.findChild<Floorplan*>());
        check("heatmap", studio.window.findChild<Heatmap*>());
    }
};

QTEST_MAIN(TestLooks)
#include "tst_app_studio_looks.moc"
