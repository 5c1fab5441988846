// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Compiled into every DPU program: tells the runtime how many tasklets it was built for.
#include <stdint.h>

extern const uint32_t pim_tasklets;
const uint32_t pim_tasklets = NR_TASKLETS;
