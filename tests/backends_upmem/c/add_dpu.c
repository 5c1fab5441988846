// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// b[i] += a[i] for int32: blocks of the DPU's slice go to the tasklets in turn.
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <stdint.h>

#define BLOCK_BYTES 1024u

/// {bytes of a slice with data, bytes between the starts of a and b, unused}
__host uint32_t arguments[3];

BARRIER_INIT(started, NR_TASKLETS)

static void add(int32_t* b, const int32_t* a, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        b[i] += a[i];
}

int main(void) {
    if (me() == 0)
        mem_reset();
    barrier_wait(&started);

    const uint32_t bytes = arguments[0];
    const uintptr_t a = (uintptr_t)DPU_MRAM_HEAP_POINTER, b = a + arguments[1];
    int32_t* aCache = mem_alloc(BLOCK_BYTES);
    int32_t* bCache = mem_alloc(BLOCK_BYTES);
    for (uint32_t at = me() * BLOCK_BYTES; at < bytes; at += NR_TASKLETS * BLOCK_BYTES) {
        const uint32_t block = bytes - at < BLOCK_BYTES ? bytes - at : BLOCK_BYTES;
        mram_read((const __mram_ptr void*)(a + at), aCache, block);
        mram_read((const __mram_ptr void*)(b + at), bCache, block);
        add(bCache, aCache, block / sizeof(int32_t));
        mram_write(bCache, (__mram_ptr void*)(b + at), block);
    }
    return 0;
}
