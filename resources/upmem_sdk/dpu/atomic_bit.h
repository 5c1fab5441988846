// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Lock bits of a DPU by name; what mutexes are made of. Here a byte each: 0, or 1 + the tasklet that holds it.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <stdint.h>

#define ATOMIC_BIT_GET(name) pim_lock_of_##name
#define ATOMIC_BIT_INIT(name) uint8_t ATOMIC_BIT_GET(name)
