// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the headers of a DPU program call: the runtime in the host process, which simulates the DPU. Names of our own, so
/// that a host program may call its functions as the vendor calls a DPU's.
#include <stdint.h>

/// PrIM's HST-L sets the fields of some barriers itself.
typedef struct barrier_t {
    uint8_t wait_queue;    ///< Of the hardware's implementation.
    uint8_t count;         ///< Tasklets that have yet to arrive.
    uint8_t initial_count; ///< Tasklets that pass together.
    uint8_t lock;          ///< Of the hardware's implementation.
} barrier_t;

#pragma GCC visibility push(default) // in a host program whose own symbols are hidden from DPUs

unsigned pim_me(void);
void pim_mram_read(const void* mram, void* wram, unsigned bytes);
void pim_mram_write(const void* wram, void* mram, unsigned bytes);
void* pim_mem_alloc(uint64_t bytes);
void* pim_mem_reset(void);
void pim_barrier_wait(struct barrier_t* barrier);
/// A null lock is lock bit 0 of the DPU, as on silicon.
void pim_mutex_lock(uint8_t* lock);
int pim_mutex_trylock(uint8_t* lock);
void pim_mutex_unlock(uint8_t* lock);
/// Not 0: another tasklet waits for it already, and this one did not wait.
int pim_handshake_wait_for(unsigned notifier);
void pim_handshake_notify(void);
void pim_sem_take(int32_t* count);
void pim_sem_give(int32_t* count);
int pim_dpu_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

#pragma GCC visibility pop
