// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/interrupt.h"

#include <pthread.h>
#include <unistd.h>

namespace pim::cli {

Interrupt::Interrupt() {
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    sigaddset(&m_signals, SIGUSR1); // a scheduler says that the time is nearly up
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_thread = std::jthread([this](const std::stop_token& over) {
        constexpr int kStopped = 130;
        int number = 0;
        while (!over.stop_requested() && sigwait(&m_signals, &number) == 0) {
            if (!over.stop_requested() && !m_source.request_stop())
                _exit(kStopped);
        }
    });
}

Interrupt::~Interrupt() {
    m_thread.request_stop();
    pthread_kill(m_thread.native_handle(), SIGUSR1);
}

} // namespace pim::cli
