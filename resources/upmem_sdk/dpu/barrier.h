// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A point that tasklets pass together.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <atomic_bit.h>
#include <pim_calls.h>
#include <stdint.h>

#define BARRIER_INIT(name, tasklets) barrier_t name = {0xff, (tasklets), (tasklets), 0};

static inline void barrier_wait(barrier_t* barrier) {
    pim_barrier_wait(barrier);
}
