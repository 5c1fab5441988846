// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Locks between tasklets.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <atomic_bit.h>
#include <pim_calls.h>
#include <stdbool.h>
#include <stdint.h>

/// Null is lock bit 0 of the DPU: an array of mutexes that nobody set shares one lock.
typedef uint8_t* mutex_id_t;

#define MUTEX_GET(name) name
#define MUTEX_INIT(name)                                                                                     \
    ATOMIC_BIT_INIT(name);                                                                                   \
    const mutex_id_t name = &ATOMIC_BIT_GET(name);

static inline void mutex_lock(mutex_id_t mutex) {
    pim_mutex_lock(mutex);
}

/// True if the lock is now the caller's.
static inline bool mutex_trylock(mutex_id_t mutex) {
    return pim_mutex_trylock(mutex) != 0;
}

static inline void mutex_unlock(mutex_id_t mutex) {
    pim_mutex_unlock(mutex);
}
