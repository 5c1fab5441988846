// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// printf of a DPU program writes to the DPU's log, which the host reads with dpu_log_read.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <pim_calls.h>
#include_next <stdio.h>

#undef printf
#define printf(...) pim_dpu_printf(__VA_ARGS__)
