// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Counters of cycles and instructions. There is no clock here, so they stand still: what a program takes is the
/// simulator's to say.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <stdbool.h>
#include <stdint.h>

typedef uint64_t perfcounter_t;
typedef enum { COUNT_SAME, COUNT_CYCLES, COUNT_INSTRUCTIONS, COUNT_NOTHING } perfcounter_config_t;

static inline perfcounter_t perfcounter_config(perfcounter_config_t config, bool reset_value) {
    (void)config;
    (void)reset_value;
    return 0;
}

static inline perfcounter_t perfcounter_get(void) {
    return 0;
}
