// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Histogram of uint32 of 12 bits in one array that all tasklets share; a mutex for each group of bins.
#include <alloc.h>
#include <barrier.h>
#include <defs.h>
#include <mram.h>
#include <mutex.h>
#include <stdint.h>

#define BLOCK_BYTES 1024u

__host uint32_t arguments[2]; ///< {bytes of pixels, offset of the histogram in MRAM}

BARRIER_INIT(cleared, NR_TASKLETS)
BARRIER_INIT(counted, NR_TASKLETS)
MUTEX_INIT(lowBins)
MUTEX_INIT(highBins)
__dma_aligned static uint32_t bins[BINS];

static void count(const uint32_t* pixels, unsigned number) {
    for (unsigned i = 0; i < number; ++i) {
        const uint32_t bin = pixels[i] * BINS >> 12;
        const mutex_id_t mutex = bin < BINS / 2 ? lowBins : highBins;
        mutex_lock(mutex);
        ++bins[bin];
        mutex_unlock(mutex);
    }
}

int main(void) {
    if (me() == 0)
        mem_reset();
    for (unsigned bin = me(); bin < BINS; bin += NR_TASKLETS)
        bins[bin] = 0;
    barrier_wait(&cleared);

    const uintptr_t heap = (uintptr_t)DPU_MRAM_HEAP_POINTER;
    uint32_t* cache = mem_alloc(BLOCK_BYTES);
    for (uint32_t at = me() * BLOCK_BYTES; at < arguments[0]; at += NR_TASKLETS * BLOCK_BYTES) {
        const uint32_t left = arguments[0] - at, block = left < BLOCK_BYTES ? left : BLOCK_BYTES;
        mram_read((const __mram_ptr void*)(heap + at), cache, block);
        count(cache, block / sizeof(uint32_t));
    }
    barrier_wait(&counted);
    if (me() == 0)
        mram_write(bins, (__mram_ptr void*)(heap + arguments[1]), sizeof bins);
    return 0;
}
