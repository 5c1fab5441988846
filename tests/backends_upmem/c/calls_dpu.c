// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Calls that the other programs have no need of, each with an effect that the host sees.
#include <alloc.h>
#include <atomic_bit.h>
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <perfcounter.h>
#include <sem.h>
#include <stdint.h>
#include <stdio.h>

__host uint32_t turns;   ///< Counted under a lock that nobody set up.
__host uint32_t refused; ///< mutex_trylock of a lock that is held.
__host uint32_t early;   ///< Passed a barrier before all were there.
__host uint32_t order[NR_TASKLETS];
__mram_noinit uint64_t table[4]; ///< In MRAM: the host reads it by its name.

MUTEX_INIT(held)
SEMAPHORE_INIT(given, 0)
ATOMIC_BIT_INIT(byHandLock)[1];
static barrier_t byHand; ///< Set up by the program, as HST-L does.
static uint32_t reached;
static mutex_id_t unset[2];
static uint32_t next;

int main(void) {
    const unsigned self = me();
    uint64_t* cache = mem_alloc(sizeof table);
    if (self == 0) {
        byHand.wait_queue = 0xff;
        byHand.count = byHand.initial_count = NR_TASKLETS;
        byHand.lock = (uint8_t)&ATOMIC_BIT_GET(byHandLock)[0];
    }
    perfcounter_config(COUNT_CYCLES, true);
    if (self == 0)
        mutex_lock(held);
    else if (!mutex_trylock(held))
        ++refused;

    mutex_lock(unset[self % 2]); // a transfer inside: the others come to the lock meanwhile
    const uint32_t before = turns;
    mram_read(table, cache, sizeof table);
    turns = before + 1;
    mutex_unlock(unset[self % 2]);

    if (self + 1 < NR_TASKLETS) // the last one gives to all, one after the other
        sem_take(&given);
    order[self] = next++;
    sem_give(&given);

    if (self == 0) {
        for (unsigned i = 0; i < 4; ++i)
            cache[i] = 100 + i + perfcounter_get();
        mram_write(cache, table, sizeof table);
        printf("tasklet %u of %u\n", self, NR_TASKLETS);
        mutex_unlock(held);
    }

    ++reached;
    barrier_wait(&byHand);
    if (reached % NR_TASKLETS != 0)
        ++early;
    return 0;
}
