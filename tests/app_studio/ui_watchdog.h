// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long the UI thread was busy at a stretch: a thread beside it posts a question every few milliseconds and notes how
/// long the answer takes.
#include <QCoreApplication>
#include <QElapsedTimer>

#include <atomic>
#include <chrono>
#include <thread>

namespace pim::test {

class UiWatchdog {
public:
    UiWatchdog() {
        m_clock.start();
        m_thread = std::jthread([this](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                if (!m_pending.exchange(true)) {
                    const qint64 asked = m_clock.nsecsElapsed();
                    QMetaObject::invokeMethod(&m_receiver, [this, asked] {
                        if (m_watching)
                            m_longest = std::max(m_longest, m_clock.nsecsElapsed() - asked);
                        m_pending = false;
                    }, Qt::QueuedConnection);
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            }
        });
    }
    /// Off while the test itself does something a user never would (grabbing pictures, reading files back).
    void setWatching(bool on) {
        QCoreApplication::processEvents();
        m_watching = on;
    }
    double longestMs() const { return static_cast<double>(m_longest) / 1e6; }

private:
    QObject m_receiver;
    QElapsedTimer m_clock;
    std::atomic<bool> m_pending = false;
    bool m_watching = true;
    qint64 m_longest = 0;
    std::jthread m_thread; ///< Last: stopped before what it uses is gone.
};

} // namespace pim::test
