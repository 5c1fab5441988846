// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Mouse and keys as the X server gives them to a program: events made by xdotool (XTEST), not by Qt.
/// Positions are in pixels of the screen.
#include <QEventLoop>
#include <QPoint>
#include <QProcess>
#include <QTest>
#include <QTimer>
#include <QWidget>

namespace pim::test {

class XHands {
public:
    /// Runs xdotool and lets the program under test live meanwhile. \returns false if it failed or hung.
    static bool act(const QStringList& words) {
        QProcess tool;
        QEventLoop loop;
        QObject::connect(&tool, &QProcess::finished, &loop, &QEventLoop::quit);
        QObject::connect(&tool, &QProcess::errorOccurred, &loop, &QEventLoop::quit);
        tool.start(QStringLiteral("xdotool"), words);
        QTimer::singleShot(30'000, &loop, &QEventLoop::quit);
        if (tool.state() != QProcess::NotRunning)
            loop.exec();
        return tool.state() == QProcess::NotRunning && tool.exitStatus() == QProcess::NormalExit &&
               tool.exitCode() == 0;
    }
    static QStringList at(const QPoint& point) {
        return {QStringLiteral("mousemove"), QString::number(point.x()), QString::number(point.y())};
    }
    static QPoint middleOf(const QWidget* widget) { return widget->mapToGlobal(widget->rect().center()); }

    static bool click(const QPoint& point, int times = 1) {
        return act(at(point) + QStringList{"sleep", "0.05", "click", "--repeat", QString::number(times),
                                           "--delay", "60", "1"});
    }
    static bool click(const QWidget* widget) { return click(middleOf(widget)); }
    static bool keys(const QString& combination) { return act({"key", "--clearmodifiers", combination}); }
    static bool type(const QString& text) { return act({"type", "--delay", "12", text}); }

    /// Presses, moves in steps as a hand would (a drag begins only after some way), holds.
    static bool grab(const QPoint& from, const QPoint& to) { return act(way(from, to)); }

    static bool release() { return act({"mouseup", "1"}); }
    /// All at once, for a drag out of a window of this program: Qt waits inside until it is over.
    static bool drag(const QPoint& from, const QPoint& to, const char* holdSeconds) {
        return act(way(from, to) + QStringList{"sleep", holdSeconds, "mouseup", "1"});
    }
    /// Opens a dialog for a file with a key and answers it: Qt waits inside until it is gone. The first
    /// Return may only close the list of files that fit what was typed.
    static bool answer(const QString& combination, const QString& text) {
        return act({"key",       "--clearmodifiers",
                    combination, "sleep",
                    "1.2",       "key",
                    "ctrl+a",    "type",
                    "--delay",   "12",
                    "--args",    "1",
                    text,        "sleep",
                    "0.4",       "key",
                    "Return",    "sleep",
                    "0.6",       "key",
                    "Return"});
    }

private:
    static QStringList way(const QPoint& from, const QPoint& to) {
        QStringList words = at(from) + QStringList{"sleep", "0.1", "mousedown", "1", "sleep", "0.1"};
        constexpr int kSteps = 12;
        for (int step = 1; step <= kSteps; ++step)
            words += at(from + (to - from) * step / kSteps) + QStringList{"sleep", "0.03"};
        words += QStringList{"mousemove_relative", "2", "1", "sleep", "0.2"};
        return words;
    }
};

} // namespace pim::test
