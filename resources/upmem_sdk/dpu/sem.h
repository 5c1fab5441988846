// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Counting semaphores between tasklets.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <pim_calls.h>
#include <stdint.h>

struct sem_t {
    int32_t count;
};

#define SEMAPHORE_INIT(name, counter) struct sem_t name = {(counter)};

static inline void sem_take(struct sem_t* semaphore) {
    pim_sem_take(&semaphore->count);
}

static inline void sem_give(struct sem_t* semaphore) {
    pim_sem_give(&semaphore->count);
}
