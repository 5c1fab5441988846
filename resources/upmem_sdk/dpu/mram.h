// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The 64 MB memory of a DPU. Programs reach it by DMA alone: 8 .. 2048 bytes, size and both addresses multiples of 8.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <attributes.h>
#include <pim_calls.h>
#include <stdint.h>

/// First byte after the program's own variables in MRAM.
#define DPU_MRAM_HEAP_POINTER ((__mram_ptr void*)(uintptr_t)0x08000000)

static inline void mram_read(const __mram_ptr void* from, void* to, unsigned int nb_of_bytes) {
    pim_mram_read(from, to, nb_of_bytes);
}

static inline void mram_write(const void* from, __mram_ptr void* to, unsigned int nb_of_bytes) {
    pim_mram_write(from, to, nb_of_bytes);
}
