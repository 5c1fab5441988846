// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ctrl-C as a stop token.
#include <csignal>
#include <stop_token>
#include <thread>

namespace pim::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGUSR1 asks the work to stop; the second ends the process at once.
/// Make it before any other thread, so that all of them inherit the blocked signals.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    sigset_t m_signals{};
    std::jthread m_thread;
};

} // namespace pim::cli
