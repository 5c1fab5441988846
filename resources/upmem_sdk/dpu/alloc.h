// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The heap in WRAM: given out in order, in multiples of 8 bytes, taken back as a whole.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <attributes.h>
#include <pim_calls.h>
#include <stddef.h>

static inline void* mem_alloc(size_t size) {
    return pim_mem_alloc(size);
}

static inline void* mem_reset(void) {
    return pim_mem_reset();
}
