// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where a variable of a DPU program lives, and what the host may see of it.
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.

/// In WRAM, and known to the host by its name.
#define __host __attribute__((used))
/// Marks pointers into MRAM; on a DPU an address space of its own, here an ordinary pointer (runtime/memory.c).
#define __mram_ptr
/// A global in MRAM whose bytes nobody sets at load. The section is one that compilers give no bytes in the file.
#define __mram_noinit __attribute__((used, section(".persistent.bss")))
/// What a DMA asks of its WRAM side.
#define __dma_aligned __attribute__((aligned(8)))
