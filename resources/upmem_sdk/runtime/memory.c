// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// MRAM and WRAM of a DPU, and the DMA between them. A DMA that breaks a rule is counted and not done; silicon would move
/// other bytes than meant.
#define _GNU_SOURCE
#include "../dpu/pim_calls.h"
#include "runtime.h"

#include <string.h>
#include <sys/mman.h>

static uint8_t* map(size_t bytes, const char* what) {
    void* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        pim_die(what, "no memory; run with fewer DPUs");
    return at;
}

void pim_create_memories(struct pim_dpu* dpu) {
    dpu->mram = map(PIM_MRAM_BYTES, "MRAM of a DPU");
    dpu->heap = map(PIM_WRAM_BYTES, "WRAM of a DPU");
}

void pim_free_memories(struct pim_dpu* dpu) {
    munmap(dpu->mram, PIM_MRAM_BYTES);
    munmap(dpu->heap, PIM_WRAM_BYTES);
    dpu->mram = dpu->heap = NULL;
}

uint32_t pim_mram_heap_bytes(const struct pim_dpu* dpu) {
    return PIM_MRAM_BYTES - (uint32_t)(dpu->mramGlobals.end - dpu->mramGlobals.begin);
}

bool pim_within(const struct pim_span* span, const void* address, uint64_t bytes) {
    const uintptr_t at = (uintptr_t)address, begin = (uintptr_t)span->begin, end = (uintptr_t)span->end;
    return at >= begin && at <= end && bytes <= end - at;
}

void* pim_mem_alloc(uint64_t bytes) {
    struct pim_dpu* dpu = pim_running_dpu();
    const uint64_t rounded = (bytes + 7) / 8 * 8;
    const uint32_t used = dpu->staticBytes + dpu->heapUsed;
    if (bytes > PIM_WRAM_BYTES || used + rounded > PIM_WRAM_BYTES) {
        pim_violation(
            PIM_WRAM_FULL, dpu,
            "mem_alloc of %llu bytes: %u bytes of globals and %u of heap are in use, %u is all WRAM "
            "has; use smaller buffers or fewer tasklets",
            (unsigned long long)bytes, dpu->staticBytes, dpu->heapUsed, PIM_WRAM_BYTES);
        pim_fault();
    }
    uint8_t* given = dpu->heap + dpu->heapUsed;
    dpu->heapUsed += (uint32_t)rounded;
    pim_count_wram(dpu->staticBytes + dpu->heapUsed);
    return given;
}

void* pim_mem_reset(void) {
    struct pim_dpu* dpu = pim_running_dpu();
    dpu->heapUsed = 0;
    return dpu->heap;
}

/// How a message calls an address of the DPU's program.
static void name_wram(const struct pim_dpu* dpu, const void* address, char* text, size_t room) {
    const struct pim_span heap = {dpu->heap, dpu->heap + PIM_WRAM_BYTES};
    const struct pim_span stack = pim_running_stack();
    if (pim_within(&heap, address, 0))
        snprintf(text, room, "heap + %u", (unsigned)((const uint8_t*)address - dpu->heap));
    else if (pim_within(&stack, address, 0))
        snprintf(text, room, "stack - %u", (unsigned)(stack.end - (const uint8_t*)address));
    else
        pim_name_address(dpu, address, text, room);
}

static bool wram_is_legal(const struct pim_dpu* dpu, const char* call, const void* wram, unsigned bytes) {
    char name[160];
    name_wram(dpu, wram, name, sizeof name);
    if ((uintptr_t)wram % 8 != 0) {
        pim_violation(PIM_ALIGNMENT, dpu,
                      "%s of %u bytes: the address in WRAM, %s, is not a multiple of 8; take a buffer of "
                      "mem_alloc or mark it __dma_aligned",
                      call, bytes, name);
        return false;
    }
    const struct pim_span heap = {dpu->heap, dpu->heap + dpu->heapUsed};
    const struct pim_span stack = pim_running_stack();
    if (pim_within(&heap, wram, bytes) || pim_within(&stack, wram, bytes) ||
        (pim_within(&dpu->globals, wram, bytes) && !pim_within(&dpu->mramGlobals, wram, 8)))
        return true;
    pim_violation(PIM_WRAM_BOUNDS, dpu,
                  "%s of %u bytes at %s: not all of it is WRAM that the program has (%u bytes of heap are "
                  "given out); allocate as many bytes as are moved",
                  call, bytes, name, dpu->heapUsed);
    return false;
}

/// Where an address in MRAM lies in this process; null: the program may not touch it, and that has been said.
static uint8_t* mram_at(const struct pim_dpu* dpu, const char* call, const void* address, unsigned bytes) {
    const uint64_t value = (uint64_t)(uintptr_t)address;
    const bool number = value <= UINT32_MAX; // objects of this process lie above 4 GB
    const uint64_t offset = value >= PIM_MRAM_BASE ? value - PIM_MRAM_BASE : value;
    if (value % 8 != 0) {
        char name[160] = "a global";
        if (number)
            snprintf(name, sizeof name, "offset %llu", (unsigned long long)offset);
        else
            pim_name_address(dpu, address, name, sizeof name);
        pim_violation(
            PIM_ALIGNMENT, dpu,
            "%s of %u bytes: the address in MRAM, %s, is not a multiple of 8; start each buffer and "
            "each tasklet's part of it at a multiple of 8 bytes",
            call, bytes, name);
        return NULL;
    }
    if (!number) {
        if (pim_within(&dpu->mramGlobals, address, bytes))
            return (uint8_t*)(uintptr_t)address;
        char name[160];
        name_wram(dpu, address, name, sizeof name);
        pim_violation(
            PIM_MRAM_BOUNDS, dpu,
            "%s of %u bytes: %s is no address in MRAM; use DPU_MRAM_HEAP_POINTER plus an offset, or a "
            "__mram_noinit variable that is large enough",
            call, bytes, name);
        return NULL;
    }
    if (offset + bytes > pim_mram_heap_bytes(dpu)) {
        pim_violation(
            PIM_MRAM_BOUNDS, dpu,
            "%s of %u bytes at offset %llu ends beyond the %u bytes of MRAM the heap has; give each "
            "DPU less data",
            call, bytes, (unsigned long long)offset, pim_mram_heap_bytes(dpu));
        return NULL;
    }
    return dpu->mram + offset;
}

static bool size_is_legal(const struct pim_dpu* dpu, const char* call, unsigned bytes) {
    if (bytes == 0) {
        pim_violation(PIM_ZERO_LENGTH, dpu,
                      "%s of 0 bytes: the hardware moves 2048 then; skip the call where there is no data",
                      call);
        return false;
    }
    if (bytes % 8 != 0 || bytes > PIM_MAX_DMA_BYTES) {
        pim_violation(PIM_DMA_SIZE, dpu, "%s of %u bytes: a DMA moves 8 to %u bytes in multiples of 8; %s",
                      call, bytes, PIM_MAX_DMA_BYTES,
                      bytes > PIM_MAX_DMA_BYTES ? "split it" : "round the size up and pad the buffers");
        return false;
    }
    return true;
}

void pim_mram_read(const void* mram, void* wram, unsigned bytes) {
    const struct pim_dpu* dpu = pim_running_dpu();
    if (size_is_legal(dpu, "mram_read", bytes) && wram_is_legal(dpu, "mram_read", wram, bytes)) {
        const uint8_t* from = mram_at(dpu, "mram_read", mram, bytes);
        if (from != NULL) {
            memcpy(wram, from, bytes);
            pim_count_dma(true, bytes);
        }
    }
    pim_yield();
}

void pim_mram_write(const void* wram, void* mram, unsigned bytes) {
    const struct pim_dpu* dpu = pim_running_dpu();
    if (size_is_legal(dpu, "mram_write", bytes) && wram_is_legal(dpu, "mram_write", wram, bytes)) {
        uint8_t* to = mram_at(dpu, "mram_write", mram, bytes);
        if (to != NULL) {
            memcpy(to, wram, bytes);
            pim_count_dma(false, bytes);
        }
    }
    pim_yield();
}
