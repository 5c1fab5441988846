// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The main job with the keyboard alone: no widget is called, every key goes to whatever has the focus.
#include <QTest>
#include <string>

#include "app/studio/help_window.h"
#include "tests/app_studio/studio_fixture.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;
using namespace pim::studio;
using pim::test::Studio;

class TestKeyboard : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    /// There is no window manager here that gives the keys back to the window when a dialog over it is gone.
    static void backToFront(Studio& studio) {
        QTest::qWait(20);
        if (QApplication::activeWindow() || QApplication::activePopupWidget())
            return;
        studio.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&studio.window));
    }
    /// What the next key goes to.
    static QWidget* focus(Studio& studio) {
        if (QWidget* popup = QApplication::activePopupWidget())
            return popup->focusWidget() ? popup->focusWidget() : popup;
        if (QWidget* widget = QApplication::focusWidget())
            return widget;
        return QApplication::activeWindow() ? QApplication::activeWindow() : &studio.window;
    }
    static void press(Studio& studio, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(focus(studio), key, modifiers);
        QCoreApplication::processEvents();
    }
    static void type(Studio& studio, const QString& text) {
        for (const QChar letter : text)
            QTest::keyClick(focus(studio), letter.toLatin1());
    }
    /// Types into the finder that the key opens and runs what it finds.
    static void find(Studio& studio, Qt::Key key, Qt::KeyboardModifiers modifiers, const QString& text) {
        press(studio, key, modifiers);
        QTRY_VERIFY2(qobject_cast<QLineEdit*>(focus(studio)), "the finder takes the keys");
        type(studio, text);
        QTest::qWait(100); // long lists are searched in slices
        press(studio, Qt::Key_Return);
        backToFront(studio);
    }
    static void run(Studio& studio, const QString& command) {
        find(studio, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier, command);
    }
    static void goTo(Studio& studio, const QString& thing) {
        find(studio, Qt::Key_K, Qt::ControlModifier, thing);
    }

private slots:
    void initTestCase() { pim::test::isolateSettings(m_folder); }

    void theWholeJob() {
        Studio studio;
        studio.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&studio.window));

        run(studio, QStringLiteral("open sample tiny gpt"));
        QTRY_VERIFY(studio.workspace.graph());
        SETTLE(studio);
        run(studio, QStringLiteral("target attacc"));
        QTRY_COMPARE(studio.workspace.target()->id, std::string("attacc"));
        SETTLE(studio);

        // Go to an op by its name.
        const OpId op = studio.costliestOnPim();
        const std::string name = studio.workspace.graph()->op(op).name;
        goTo(studio, QString::fromStdString(name));
        QTRY_VERIFY(studio.workspace.selection().op.valid());
        QCOMPARE(studio.workspace.graph()->op(studio.workspace.selection().op).name, name);

        // See why; decide; take it back.
        press(studio, Qt::Key_2, Qt::ControlModifier);
        QCOMPARE(studio.window.panels().question(), Question::WhyThisDraft);
        QTRY_VERIFY_WITH_TIMEOUT(studio.workspace.exploration(), 60000);
        const OpId chosen = studio.workspace.selection().op;
        run(studio, QStringLiteral("place on host"));
        SETTLE(studio);
        QCOMPARE(studio.workspace.plan()->opPlan(chosen).placement, DeviceId::host());
        press(studio, Qt::Key_Z, Qt::ControlModifier);
        SETTLE(studio);
        QCOMPARE(studio.workspace.plan()->opPlan(chosen).placement, DeviceId::first());
        press(studio, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        SETTLE(studio);
        QCOMPARE(studio.workspace.plan()->opPlan(chosen).placement, DeviceId::host());
        press(studio, Qt::Key_Z, Qt::ControlModifier);
        SETTLE(studio);

        // A draft typed into the field of the inspector, reached with Tab from the panel.
        QTRY_VERIFY_WITH_TIMEOUT(
            studio.workspace.exploration() && studio.workspace.exploration()->drafts.size() > 1, 60000);
        goTo(studio, QStringLiteral("p inspector"));
        QWidget* const start = focus(studio);
        for (int i = 0; i < 100 && focus(studio)->objectName() != QStringLiteral("override/placement"); ++i)
            press(studio, Qt::Key_Tab);
        QVERIFY2(focus(studio)->objectName() == QStringLiteral("override/placement"),
                 qPrintable(start->accessibleName()));
        QVERIFY(qobject_cast<QComboBox*>(focus(studio)));

        // Every panel of the three questions is reached by its name.
        for (const QString& panel : {QStringLiteral("drafts"), QStringLiteral("hardware"),
                                     QStringLiteral("runs"), QStringLiteral("graph")}) {
            goTo(studio, QStringLiteral("p ") + panel);
            QTRY_COMPARE(studio.window.panels().panelWithFocus(), panel);
        }

        // Help for where one is, and back.
        press(studio, Qt::Key_F1);
        QTRY_VERIFY(qobject_cast<HelpWindow*>(QApplication::activeWindow()));
        press(studio, Qt::Key_Escape);
        studio.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&studio.window));

        // Save: the dialog takes a name.
        const QString project = m_folder.filePath(QStringLiteral("keys.pimproj"));
        studio.window.saveProject(project); // the system's own dialog is not ours to test
        QTRY_VERIFY(studio.workspace.lastRun() > 0);
        press(studio, Qt::Key_3, Qt::ControlModifier);
        QCOMPARE(studio.window.panels().question(), Question::WhatIf);
        QVERIFY2(studio.failures.isEmpty(), qPrintable(studio.lastFailure()));
    }

    void theFirstPageIsWalkedWithTab() {
        Studio studio;
        studio.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&studio.window));
        QSet<QString> reached;
        for (int i = 0; i < 80; ++i) {
            press(studio, Qt::Key_Tab);
            reached.insert(focus(studio)->accessibleName());
        }
        for (const char* name : {"Open a model or a project", "Take the tour of five steps", "Recent files",
                                 "Open the sample Tiny GPT", "Machines to compile for"})
            QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
        for (int i = 0;
             i < 80 && focus(studio)->accessibleName() != QStringLiteral("Open the sample Tiny GPT"); ++i)
            press(studio, Qt::Key_Tab);
        press(studio, Qt::Key_Space);
        QTRY_VERIFY(studio.workspace.graph());
        SETTLE(studio);
    }
};

QTEST_MAIN(TestKeyboard)
#include "tst_app_studio_keyboard.moc"
