// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is around the views: names for screen readers, layouts, drops, messages, help, dialogs, themes.
#include "app/studio/bindings_dialog.h"
#include "app/studio/command_lines.h"
#include "app/studio/help_window.h"
#include "app/studio/message_bar.h"
#include "tests/app_studio/studio_fixture.h"
#include "views/common/palette.h"
#include "views/decisions/decisions_view.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;
using namespace pim::studio;
using pim::test::Studio;

class TestShell : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static QString tinyModel() {
        return QString::fromStdString((samplesDir() / "tiny-gpt" / "tiny-gpt.onnx").string());
    }
    static void open(Studio& studio) {
        studio.workspace.setTarget(QStringLiteral("attacc"));
        studio.workspace.openModel(tinyModel(), {{"batch", 1}, {"past", 32}});
        SETTLE(studio);
    }

    static bool isInteractive(const QWidget* widget) {
        return qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget) ||
               qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
               qobject_cast<const QAbstractItemView*>(widget) ||
               qobject_cast<const QPlainTextEdit*>(widget) || qobject_cast<const QTextEdit*>(widget) ||
               qobject_cast<const QTabBar*>(widget) || widget->focusPolicy() != Qt::NoFocus;
    }
    /// Parts that Qt makes inside a widget of ours, which is named itself.
    static bool isPartOfAnother(const QWidget* widget) {
        if (qobject_cast<const QScrollBar*>(widget) || qobject_cast<const QHeaderView*>(widget) ||
            widget->objectName().startsWith(QStringLiteral("qt_")))
            return true;
        for (const QWidget* above = widget->parentWidget(); above; above = above->parentWidget())
            if (qobject_cast<const QComboBox*>(above) || qobject_cast<const QAbstractSpinBox*>(above) ||
                qobject_cast<const QLineEdit*>(above) || qobject_cast<const QTabBar*>(above) ||
                qobject_cast<const QTableView*>(above))
                return true;
        return false;
    }
    static QStringList namelessIn(const QWidget& root) {
        QStringList nameless;
        for (const QWidget* widget : root.findChildren<QWidget*>()) {
            if (!isInteractive(widget) || isPartOfAnother(widget))
                continue;
            if (const auto* bar = qobject_cast<const QTabBar*>(widget); bar && bar->count() == 0)
                continue; // kept by Qt for later; nobody can reach it
            QAccessibleInterface* seen = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            if (!seen || seen->text(QAccessible::Name).trimmed().isEmpty()) {
                QString path;
                for (const QWidget* at = widget; at && at != &root; at = at->parentWidget())
                    path = QStringLiteral("/%1%2").arg(QString::fromLatin1(at->metaObject()->className()),
                                                       at->objectName().isEmpty() ? QString()
                                                                                  : u'#' + at->objectName()) +
                           path;
                nameless.append(path);
            }
        }
        nameless.removeDuplicates();
        return nameless;
    }

private slots:
    void initTestCase() { pim::test::isolateSettings(m_folder); }

    void everyInteractiveWidgetHasAName() {
        Studio studio;
        QVERIFY2(namelessIn(studio.window).isEmpty(), qPrintable(namelessIn(studio.window).join(u'\n')));
        open(studio);
        studio.workspace.selectOp(studio.costliestOnPim());
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.exploration(), 60000);
        for (int question = 0; question < kQuestions; ++question) {
            studio.window.panels().show(static_cast<Question>(question));
            QCoreApplication::processEvents();
            const QStringList nameless = namelessIn(studio.window);
            QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(u'\n')));
        }
        BindingsDialog dialog(studio.workspace);
        QVERIFY2(namelessIn(dialog).isEmpty(), qPrintable(namelessIn(dialog).join(u'\n')));
    }

    void layoutsAreRememberedAndReset() {
        {
            Studio studio;
            open(studio);
            Panels& panels = studio.window.panels();
            QVERIFY(panels.dock(QStringLiteral("graph"))->isVisible());
            QVERIFY(panels.dock(QStringLiteral("breakdown"))->isVisible());
            QVERIFY(!panels.dock(QStringLiteral("drafts"))->isVisible());
            panels.dock(QStringLiteral("breakdown"))->close();
            panels.show(Question::WhyThisDraft);
            QVERIFY(panels.dock(QStringLiteral("drafts"))->isVisible());
            QVERIFY(panels.dock(QStringLiteral("hardware"))->isVisible());
            panels.show(Question::WhereTimeGoes);
            QVERIFY(!panels.dock(QStringLiteral("breakdown"))->isVisible());
            QVERIFY(studio.window.close());
        }
        Studio studio;
        open(studio);
        QVERIFY(!studio.window.panels().dock(QStringLiteral("breakdown"))->isVisible());
        studio.window.panels().reset();
        QVERIFY(studio.window.panels().dock(QStringLiteral("breakdown"))->isVisible());
        studio.window.panels().setLocked(true);
        QVERIFY(!(studio.window.panels().dock(QStringLiteral("graph"))->features() &
                  QDockWidget::DockWidgetMovable));
        studio.window.panels().setLocked(false);
        QVERIFY(studio.window.panels().dock(QStringLiteral("graph"))->features() &
                QDockWidget::DockWidgetMovable);
    }

    void aFileMayBeDroppedAnywhere() {
        Studio studio;
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(tinyModel())});
        QWidget* somewhere = studio.window.findChild<QListWidget*>()->viewport();
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(somewhere, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(somewhere, &drop);
        SETTLE(studio);
        QMimeData letter;
        letter.setUrls({QUrl::fromLocalFile(QStringLiteral("/tmp/letter.odt"))});
        QDragEnterEvent refused(QPoint(5, 5), Qt::CopyAction, &letter, Qt::LeftButton, Qt::NoModifier);
        refused.ignore();
        QApplication::sendEvent(&studio.window, &refused);
        QVERIFY(!refused.isAccepted());
    }

    void aFailureIsAMessageNotABox() {
        Studio studio;
        studio.window.openFile(QStringLiteral("/no/such/model.onnx"));
        QTRY_VERIFY(studio.window.messageBar()->isVisible());
        QVERIFY(studio.window.messageBar()->text().contains(QStringLiteral("model.onnx")));
        QVERIFY(!QApplication::activeModalWidget());
        QVERIFY(studio.window.centralWidget()->isVisible());
    }

    void dimensionsAreBoundByTheDialog() {
        Studio studio;
        open(studio);
        BindingsDialog dialog(studio.workspace);
        const QList<QSpinBox*> values = dialog.findChildren<QSpinBox*>();
        QVERIFY(!values.isEmpty());
        const auto graph = studio.workspace.graph();
        values.front()->setValue(values.front()->value() + 3);
        emit dialog.findChild<QDialogButtonBox*>()->accepted();
        QTRY_VERIFY(studio.workspace.graph() != graph);
        SETTLE(studio);
        QVERIFY(studio.workspace.undoStack()->canUndo());
    }

    void decisionsGoOutAndComeBack() {
        Studio studio;
        open(studio);
        const OpId op = studio.costliestOnPim();
        studio.workspace.applyOverride({studio.workspace.graph()->op(op).name, "placement", "host"});
        SETTLE(studio);
        auto* panel = studio.window.findChild<views::DecisionsView*>();
        const QString file = m_folder.filePath(QStringLiteral("decisions.json"));
        panel->exportFile(file);
        const std::string json = studio.workspace.overrides().json();
        studio.workspace.replaceOverrides({}, QStringLiteral("none"));
        panel->importFile(file);
        QCOMPARE(studio.workspace.overrides().json(), json);
        SETTLE(studio);
        panel->importFile(tinyModel());
        QVERIFY(studio.window.messageBar()->isVisible());
        QCOMPARE(studio.workspace.overrides().json(), json);
    }

    void theCommandLineNamesEverything() {
        Studio studio;
        open(studio);
        QVERIFY2(compileLine(studio.workspace).startsWith(QStringLiteral("pimc compile ")),
                 qPrintable(compileLine(studio.workspace)));
        QVERIFY(compileLine(studio.workspace).contains(QStringLiteral("--target attacc")));
        QVERIFY(compileLine(studio.workspace).contains(QStringLiteral("batch=1,past=32")));
        studio.workspace.applyOverride(
            {studio.workspace.graph()->op(studio.costliestOnPim()).name, "placement", "host"});
        QVERIFY(compileLine(studio.workspace).contains(QStringLiteral("--override -")));
    }

    void helpPagesAreThere() {
        const QStringList pages = HelpWindow::pages();
        for (const char* page :
             {"overview", "placement", "drafts", "rearrangement", "residency", "overrides", "cli"})
            QVERIFY2(pages.contains(QString::fromLatin1(page)), page);
        HelpWindow help;
        help.showPage(QStringLiteral("drafts"));
        QCOMPARE(help.page(), QStringLiteral("drafts"));
        QVERIFY(help.findChild<QTextBrowser*>()->toPlainText().contains(QStringLiteral("dimension set")));
        QVERIFY2(namelessIn(help).isEmpty(), qPrintable(namelessIn(help).join(u'\n')));
    }

    void themesSwitchLive() {
        Studio studio;
        studio.settings.setTheme(ThemeChoice::Dark);
        QCOMPARE(currentTheme(), Theme::Dark);
        studio.settings.setTheme(ThemeChoice::Light);
        QCOMPARE(currentTheme(), Theme::Light);
        studio.settings.setTheme(ThemeChoice::System);
    }

    void recentFilesMarkMissingOnes() {
        Studio studio;
        studio.settings.addRecentFile(m_folder.filePath(QStringLiteral("gone.onnx")));
        auto* list = studio.window.findChild<QListWidget*>();
        QVERIFY(list->item(0)->text().contains(QStringLiteral("missing")));
        studio.settings.removeRecentFile(m_folder.filePath(QStringLiteral("gone.onnx")));
    }
};

QTEST_MAIN(TestShell)
#include "tst_app_studio_shell.moc"
