// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the headers of a DPU program call: the runtime in the host process, which simulates the DPU. Names of our own, so
/// that a host program may call its functions as the vendor calls a DPU's.
#include <stdint.h>

#pragma GCC visibility push(default) // in a host program whose own symbols are hidden from DPUs

unsigned pim_me(void);
void pim_mram_read(const void* mram, void* wram, unsigned bytes);
void pim_mram_write(const void* wram, void* mram, unsigned bytes);
void* pim_mem_alloc(uint64_t bytes);
void* pim_mem_reset(void);
/// Waits until \p wanted tasklets have arrived; \p arrived counts them.
void pim_barrier_wait(uint32_t* arrived, uint32_t wanted);
/// A null lock is lock bit 0 of the DPU, as on silicon.
void pim_mutex_lock(uint8_t* lock);
int pim_mutex_trylock(uint8_t* lock);
void pim_mutex_unlock(uint8_t* lock);
void pim_handshake_wait_for(unsigned notifier);
void pim_handshake_notify(void);
void pim_sem_take(int32_t* count);
void pim_sem_give(int32_t* count);
int pim_dpu_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

#pragma GCC visibility pop
