// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Keeps the odd ones of uint64, in order: a chain of handshakes hands on how many the tasklets before have kept. A run of
/// kept values is written from where the chain says, so every count is of whole 8 bytes.
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <handshake.h>
#include <mram.h>
#include <stdint.h>

#define BLOCK_BYTES 1024u

__host uint32_t bytes; ///< A multiple of BLOCK_BYTES * NR_TASKLETS.
__host uint32_t kept;

BARRIER_INIT(started, NR_TASKLETS)
BARRIER_INIT(rounded, NR_TASKLETS)
static uint32_t before[NR_TASKLETS + 1]; ///< Kept by this round's tasklets below, and before this round.

static unsigned keep_odd(uint64_t* to, const uint64_t* from, unsigned count) {
    unsigned number = 0;
    for (unsigned i = 0; i < count; ++i)
        if (from[i] % 2 != 0)
            to[number++] = from[i];
    return number;
}

int main(void) {
    const unsigned self = me();
    if (self == 0) {
        mem_reset();
        kept = 0;
    }
    barrier_wait(&started);

    uint64_t* cache = mem_alloc(BLOCK_BYTES);
    uint64_t* output = mem_alloc(BLOCK_BYTES);
    const uintptr_t heap = (uintptr_t)DPU_MRAM_HEAP_POINTER;
    for (uint32_t at = self * BLOCK_BYTES; at < bytes; at += NR_TASKLETS * BLOCK_BYTES) {
        mram_read((const __mram_ptr void*)(heap + at), cache, BLOCK_BYTES);
        const unsigned number = keep_odd(output, cache, BLOCK_BYTES / sizeof *cache);
        if (self == 0)
            before[0] = kept;
        else
            handshake_wait_for(self - 1);
        const uint32_t first = before[self];
        before[self + 1] = first + number;
        if (self + 1 < NR_TASKLETS)
            handshake_notify();
        else
            kept = before[NR_TASKLETS];
        if (number != 0)
            mram_write(output, (__mram_ptr void*)(heap + bytes + first * sizeof *output),
                       number * (unsigned)sizeof *output);
        barrier_wait(&rounded);
    }
    return 0;
}
