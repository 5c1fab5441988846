// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One tasklet waits for another. Both calls meet: who comes first waits.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <defs.h>
#include <pim_calls.h>

/// 0, or not 0 where another tasklet waits for the same one already: a notify wakes one.
static inline int handshake_wait_for(sysname_t notifier) {
    return pim_handshake_wait_for(notifier);
}

static inline void handshake_notify(void) {
    pim_handshake_notify();
}
