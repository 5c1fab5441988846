// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A stack for handlers of signals, so that a thread whose own stack is used up can still tell where it was.
#include <csignal>
#include <cstddef>
#include <memory>

namespace pim {

/// Of the thread that makes it, as long as it lives. A thread that has one already, as under AddressSanitizer, keeps that.
class SignalStack {
public:
    SignalStack() {
        stack_t before{};
        if (sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0)
            return;
        m_bytes.reset(new std::byte[kBytes]); // not touched, so that it costs no memory
        const stack_t ours{m_bytes.get(), 0, kBytes};
        sigaltstack(&ours, nullptr);
    }
    ~SignalStack() {
        stack_t none{};
        none.ss_flags = SS_DISABLE;
        if (m_bytes)
            sigaltstack(&none, nullptr);
    }
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

private:
    static constexpr std::size_t kBytes = std::size_t{64} << 10; ///< Unwinding takes some 10 KiB.
    std::unique_ptr<std::byte[]> m_bytes;
};

} // namespace pim
