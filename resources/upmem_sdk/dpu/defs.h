// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What every tasklet knows: who it is.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <attributes.h>
#include <pim_calls.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(void*) == 8, "addresses in MRAM are told from those of the host by being below 4 GB");

typedef unsigned int sysname_t;
typedef uint8_t thread_id_t;

/// Number of the calling tasklet, 0 .. NR_TASKLETS - 1.
static inline sysname_t me(void) {
    return pim_me();
}
