// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sum of int64: a partial sum a tasklet, then a tree of handshakes.
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <handshake.h>
#include <mram.h>
#include <stdint.h>

#define BLOCK_BYTES 1024u

__host uint32_t bytes;
__host int64_t total;

BARRIER_INIT(started, NR_TASKLETS)
static int64_t partial[NR_TASKLETS];

static int64_t sum(const int64_t* values, unsigned count) {
    int64_t result = 0;
    for (unsigned i = 0; i < count; ++i)
        result += values[i];
    return result;
}

int main(void) {
    const unsigned self = me();
    if (self == 0)
        mem_reset();
    barrier_wait(&started);

    int64_t* cache = mem_alloc(BLOCK_BYTES);
    partial[self] = 0;
    for (uint32_t at = self * BLOCK_BYTES; at < bytes; at += NR_TASKLETS * BLOCK_BYTES) {
        const uint32_t block = bytes - at < BLOCK_BYTES ? bytes - at : BLOCK_BYTES;
        mram_read((const __mram_ptr void*)((uintptr_t)DPU_MRAM_HEAP_POINTER + at), cache, block);
        partial[self] += sum(cache, block / sizeof(int64_t));
    }
    for (unsigned distance = 1; distance < NR_TASKLETS; distance *= 2) {
        if (self % (2 * distance) != 0) {
            handshake_notify();
            return 0;
        }
        if (self + distance < NR_TASKLETS) {
            handshake_wait_for(self + distance);
            partial[self] += partial[self + distance];
        }
    }
    total = partial[0];
    return 0;
}
