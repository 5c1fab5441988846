// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A point that tasklets pass together.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <pim_calls.h>
#include <stdint.h>

typedef struct barrier_t {
    uint32_t arrived;
    uint32_t wanted;
} barrier_t;

#define BARRIER_INIT(name, count) barrier_t name = {0, (count)};

static inline void barrier_wait(struct barrier_t* barrier) {
    pim_barrier_wait(&barrier->arrived, barrier->wanted);
}
