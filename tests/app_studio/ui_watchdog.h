// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How long the UI thread was busy at a stretch: a thread beside it posts a question every few milliseconds and notes how
/// long the answer takes.
#include <QCoreApplication>
#include <QElapsedTimer>

#include <atomic>
#include <chrono>
#include <ctime>
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
                    QMetaObject::invokeMethod(
                        &m_receiver,
                        [this, asked] {
                            const qint64 cpu = threadCpuNs();
                            if (m_watching) {
                                m_longest = std::max(m_longest, m_clock.nsecsElapsed() - asked);
                                m_longestCpu = std::max(m_longestCpu, cpu - m_cpuBefore);
                            }
                            m_cpuBefore = cpu;
                            m_pending = false;
                        },
                        Qt::QueuedConnection);
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
    /// Of the UI thread's own processor time: what counts where other programs want the processor as well.
    double longestCpuMs() const { return static_cast<double>(m_longestCpu) / 1e6; }
    void startOver() {
        QCoreApplication::processEvents();
        m_longest = m_longestCpu = 0;
    }

private:
    static qint64 threadCpuNs() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<qint64>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
    }

    QObject m_receiver;
    QElapsedTimer m_clock;
    std::atomic<bool> m_pending = false;
    bool m_watching = true;
    qint64 m_longest = 0, m_longestCpu = 0;
    qint64 m_cpuBefore = threadCpuNs(); ///< At the last answer; answers come every few milliseconds.
    std::jthread m_thread;              ///< Last: stopped before what it uses is gone.
};

} // namespace pim::test
