// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the vendor declares dpu_log_read for programs that ask for it by this name.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <dpu.h>
