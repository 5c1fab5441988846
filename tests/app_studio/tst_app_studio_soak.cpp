// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Somebody who tries everything: random commands, clicks, keys, drags, decisions and machines, from a seed. The window has to
/// stand it, and not to grow.
///   PIM_SOAK_ACTIONS  how many, 500 if not given; PIM_SOAK_MINUTES instead, for a long soak; PIM_SOAK_SEED  1 if not given
///   PIM_SOAK_TRACE    a file that gets every action before it is done: the last line is what broke it; and what took the UI thread
///                     a quarter of a second or more
#include <QTest>

#include <string>

#include "app/studio/commands.h"
#include "core/base/split_mix.h"
#include "tests/app_studio/studio_fixture.h"
#include "tests/app_studio/ui_watchdog.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDialog>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>
#include <QTimer>
#include <QUndoStack>
#include <QWheelEvent>

#include <cstdio>
#include <fstream>
#include <malloc.h>
#include <vector>

using namespace pim;
using namespace pim::test;

namespace {

/// Those that leave the window, or that start another program.
bool isLeftOut(const QString& id) {
    return id == u"file.quit" || id == u"file.close" || id == u"file.new-window" || id == u"file.open-folder";
}

double residentMiB() {
    malloc_trim(0);
    std::ifstream stat("/proc/self/statm");
    double total = 0, resident = 0;
    stat >> total >> resident;
    return resident * 4096 / (1 << 20);
}

class Somebody : public QObject {
    Q_OBJECT
public:
    Somebody(Studio& studio, std::uint64_t seed) : m_studio(studio), m_random(seed) {
        connect(&m_hands, &QTimer::timeout, this, &Somebody::leaveDialogs);
        m_hands.start(15);
        if (const QByteArray file = qgetenv("PIM_SOAK_TRACE"); !file.isEmpty())
            m_trace.open(file.toStdString());
    }

    void act() {
        static constexpr std::pair<int, void (Somebody::*)()> kHabits[] = {
            {30, &Somebody::runCommand}, {25, &Somebody::click},       {10, &Somebody::press},
            {10, &Somebody::turnWheel},  {8, &Somebody::drag},         {6, &Somebody::selectOp},
            {4, &Somebody::decide},      {3, &Somebody::changeTarget}, {2, &Somebody::resize},
            {2, &Somebody::changeSize}};
        int habit = number(100);
        for (const auto& [share, act] : kHabits)
            if ((habit -= share) < 0) {
                (this->*act)();
                break;
            }
        rest();
    }
    void tell(const QString& what) {
        if (m_trace.is_open())
            m_trace << what.toStdString() << std::endl;
    }
    /// As after a fresh start, apart from what should not stay.
    void startOver() {
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window != &m_studio.window && window->isVisible())
                window->close();
        m_studio.workspace.cancelTasks();
        m_studio.window.resize(1280, 720);
        m_studio.workspace.openModel(sampleModel("tiny-gpt"), {{"batch", 1}, {"past", 32}}, "attacc");
        QTRY_VERIFY_WITH_TIMEOUT(m_studio.settled(), 120000);
        // Undo of what was decided in another document is no part of this one.
        m_studio.workspace.undoStack()->clear();
        QTest::qWait(200);
    }

private:
    int number(int below) { return int(nextRandom(m_random) % std::uint64_t(below)); }
    template <class Items>
    auto any(const Items& items) {
        return items[std::size_t(number(int(std::size(items))))];
    }

    void runCommand() {
        studio::Commands& commands = m_studio.window.commands();
        const QString id = any(commands.ids());
        if (isLeftOut(id) || !commands.action(id)->isEnabled())
            return;
        tell("command " + id);
        commands.action(id)->trigger();
    }
    /// Something that can be seen.
    QWidget* widget() {
        QWidgetList seen;
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window->isVisible()) {
                const QWidgetList parts = window->findChildren<QWidget*>();
                for (QWidget* part : parts)
                    if (part->isVisible() && part->isEnabled() && !part->visibleRegion().isEmpty())
                        seen.append(part);
            }
        return seen.isEmpty() ? nullptr : any(seen);
    }
    QPoint placeIn(const QWidget& widget) {
        return {number(std::max(1, widget.width())), number(std::max(1, widget.height()))};
    }
    void tellWidget(const char* what, const QWidget& widget, QPoint at) {
        tell(QStringLiteral("%1 %2 \"%3\" \"%4\" at %5, %6")
                 .arg(what, widget.metaObject()->className(), widget.objectName(), widget.accessibleName())
                 .arg(at.x())
                 .arg(at.y()));
    }
    void click() {
        QWidget* const on = widget();
        if (!on)
            return;
        const QPoint at = placeIn(*on);
        tellWidget("click", *on, at);
        const Qt::MouseButton button = number(6) == 0 ? Qt::RightButton : Qt::LeftButton;
        if (number(5) == 0)
            QTest::mouseDClick(on, button, {}, at);
        else
            QTest::mouseClick(on, button,
                              any(std::array<Qt::KeyboardModifiers, 4>{
                                  Qt::NoModifier, Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier}),
                              at);
    }
    void press() {
        static constexpr Qt::Key kKeys[] = {
            Qt::Key_Up,     Qt::Key_Down, Qt::Key_Left,  Qt::Key_Right, Qt::Key_Return, Qt::Key_Tab,
            Qt::Key_Escape, Qt::Key_Home, Qt::Key_End,   Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_F,
            Qt::Key_0,      Qt::Key_1,    Qt::Key_Space, Qt::Key_C,     Qt::Key_PageUp, Qt::Key_Delete};
        QWidget* const on = QApplication::focusWidget() ? QApplication::focusWidget() : &m_studio.window;
        const Qt::Key key = any(kKeys);
        tell(QStringLiteral("key %1 in %2").arg(key).arg(on->metaObject()->className()));
        QTest::keyClick(on, key);
    }
    void turnWheel() {
        QWidget* const on = widget();
        if (!on)
            return;
        const QPoint at = placeIn(*on);
        tellWidget("wheel", *on, at);
        QWheelEvent event(at, on->mapToGlobal(at), {}, {0, number(2) ? 120 : -120}, Qt::NoButton,
                          number(2) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(on, &event);
    }
    void drag() {
        const QPointer<QWidget> on = widget();
        if (!on)
            return;
        const QPoint from = placeIn(*on), to = placeIn(*on);
        tellWidget("drag", *on, from);
        // What a drag begins may be a loop of its own, which nobody would end here.
        if (on->inherits("QAbstractItemView") ||
            (on->parentWidget() && on->parentWidget()->inherits("QAbstractItemView")))
            return;
        QTest::mousePress(on, Qt::LeftButton, {}, from);
        for (int step = 1; on && step <= 4; ++step)
            QTest::mouseMove(on, from + (to - from) * step / 4);
        if (on)
            QTest::mouseRelease(on, Qt::LeftButton, {}, to);
    }
    void selectOp() {
        if (!m_studio.workspace.graph())
            return;
        const OpId op(number(int(m_studio.workspace.graph()->ops.size())));
        tell(QStringLiteral("select op %1").arg(op.value));
        m_studio.workspace.selectOp(op);
    }
    void decide() {
        const auto graph = m_studio.workspace.graph();
        if (!graph)
            return;
        const std::string op = any(graph->ops).name;
        static constexpr const char* kPlaces[] = {"pim", "host", "auto"};
        const char* const place = any(kPlaces);
        tell(QStringLiteral("place %1 on %2").arg(QString::fromStdString(op), QString::fromLatin1(place)));
        if (place == std::string_view("auto"))
            m_studio.workspace.clearOverride(op, "placement");
        else
            m_studio.workspace.applyOverride({op, "placement", place});
    }
    void changeTarget() {
        const QString id = QString::fromStdString(any(m_studio.workspace.catalog().targets())->id);
        tell("target " + id);
        m_studio.workspace.setTarget(id);
    }
    void resize() {
        const QSize size(640 + number(1280), 480 + number(600));
        tell(QStringLiteral("resize %1 x %2").arg(size.width()).arg(size.height()));
        m_studio.window.resize(size);
    }
    void changeSize() {
        const int past = 1 << number(8);
        tell(QStringLiteral("past %1").arg(past));
        m_studio.workspace.setBindings({{"batch", 1 + number(3)}, {"past", past}});
    }

    /// Whoever waits for somebody to answer, gets an answer.
    void leaveDialogs() {
        if (QWidget* const popup = QApplication::activePopupWidget()) {
            tell(QStringLiteral("leave %1").arg(popup->metaObject()->className()));
            popup->close();
            return;
        }
        auto* const dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            return;
        QList<QAbstractButton*> buttons;
        if (!qobject_cast<QFileDialog*>(dialog) && ++m_inDialog < 5)
            for (QAbstractButton* button : dialog->findChildren<QAbstractButton*>())
                if (button->isVisible() && button->isEnabled())
                    buttons.append(button);
        if (buttons.isEmpty()) {
            tell("leave " + dialog->windowTitle());
            m_inDialog = 0;
            dialog->reject();
            return;
        }
        QAbstractButton* const button = any(buttons);
        tell(QStringLiteral("in %1: %2").arg(dialog->windowTitle(), button->text()));
        button->click();
    }
    /// Mostly until what was begun is done, never long.
    void rest() {
        QElapsedTimer waited;
        waited.start();
        const int patience = number(5) == 0 ? 0 : 500;
        do
            QTest::qWait(5);
        while (waited.elapsed() < patience && !m_studio.workspace.tasks()->entries().isEmpty());
        if (m_studio.workspace.tasks()->entries().size() > 3)
            m_studio.workspace.cancelTasks();
        int windows = 0; // of help, of panels that float
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window != &m_studio.window && window->isVisible() && ++windows > 6)
                window->close();
        if (!m_studio.window.isVisible()) {
            tell("show again");
            m_studio.window.show();
        }
    }

    Studio& m_studio;
    std::uint64_t m_random;
    QTimer m_hands;
    std::ofstream m_trace;
    int m_inDialog = 0;
};

/// Takes links, so that no other program is started.
class Links : public QObject {
    Q_OBJECT
public slots:
    void open(const QUrl&) {}
};

} // namespace

class TestSoak : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void initTestCase() {
        isolateSettings(m_folder);
        QVERIFY(QDir::setCurrent(m_folder.path()));
    }

    void standsEverything() {
        const int minutes = qEnvironmentVariableIntValue("PIM_SOAK_MINUTES");
        const int actions = qEnvironmentVariableIsSet("PIM_SOAK_ACTIONS")
                                ? qEnvironmentVariableIntValue("PIM_SOAK_ACTIONS")
                                : 500;
        const auto seed =
            qEnvironmentVariableIsSet("PIM_SOAK_SEED") ? qgetenv("PIM_SOAK_SEED").toULongLong() : 1ULL;
        Links links;
        for (const char* scheme : {"file", "http", "https", "pim"})
            QDesktopServices::setUrlHandler(scheme, &links, "open");
        Studio studio;
        Somebody somebody(studio, seed);
        somebody.startOver();
        UiWatchdog watchdog;
        QElapsedTimer clock;
        clock.start();
        const auto share = [&](int done) {
            return minutes > 0 ? double(clock.elapsed()) / (60'000.0 * minutes) : double(done) / actions;
        };
        constexpr int kLooks = 10, kMostMs = 50;
        std::vector<double> memory; // MiB after each tenth
        int done = 0;
        double longestMs = 0;
        for (; std::ssize(memory) < kLooks; ++done) {
            watchdog.startOver();
            somebody.act();
            longestMs = std::max(longestMs, watchdog.longestCpuMs());
            if (watchdog.longestCpuMs() > kMostMs)
                somebody.tell(
                    QStringLiteral("the UI thread computed for %1 ms").arg(watchdog.longestCpuMs()));
            if (share(done + 1) * kLooks < double(memory.size() + 1))
                continue;
            somebody.startOver();
            memory.push_back(residentMiB());
        }
        for (const char* scheme : {"file", "http", "https", "pim"})
            QDesktopServices::unsetUrlHandler(scheme);
        std::printf("%d actions in %.0f s, seed %llu; the longest the UI thread computed: %.0f ms; MiB after "
                    "each tenth:",
                    done, double(clock.elapsed()) / 1000, seed, longestMs);
        for (const double look : memory)
            std::printf(" %.0f", look);
        std::printf("\n");
        if (done >= 5000) // what is cached has filled up to its limits by half
            QVERIFY2(memory.back() < memory[kLooks / 2] * 1.1, "it grows");
    }
};

QTEST_MAIN(TestSoak)
#include "tst_app_studio_soak.moc"
