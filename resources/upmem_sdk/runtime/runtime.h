// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The DPUs of a host process: state, and what the files of the runtime ask of each other.
/// Limits of the hardware: UPMEM SDK 2023.2 documentation; address map as in uPIMulator 870d916.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PIM_MAX_TASKLETS 24u
#define PIM_MRAM_BYTES (64u << 20)
#define PIM_WRAM_BYTES (64u << 10)
#define PIM_MAX_DMA_BYTES 2048u
/// Addresses in MRAM are small numbers in pointers: offsets, or offsets from 0x08000000. The hardware keeps 26 bits.
#define PIM_MRAM_BASE 0x08000000u

/// A stretch of this process's memory.
struct pim_span {
    const uint8_t* begin;
    const uint8_t* end;
};

struct pim_dpu {
    uint32_t id;
    bool used;          ///< Allocated and not yet freed.
    bool faulted;       ///< Ended in a way a DPU does not recover from; only its memories can be read.
    void* image;        ///< The program, loaded for this DPU alone: its globals are private.
    int (*entry)(void); ///< main of the program.
    uint32_t tasklets;
    struct pim_span globals;     ///< All of the program's writable and read-only data.
    struct pim_span mramGlobals; ///< __mram_noinit
    uint32_t staticBytes;        ///< Globals in WRAM.
    uint8_t* heap;               ///< Of WRAM.
    uint32_t heapUsed;
    uint8_t* mram;
    void* prepared; ///< Buffer for the next push; null: none.
    uint8_t lockBit0;
    FILE* log; ///< Null until the program prints.
    char* logText;
    size_t logBytes;
};

/// What a check found; the name in the report is its row in checks.c.
enum pim_kind {
    PIM_DMA_SIZE,
    PIM_ZERO_LENGTH,
    PIM_ALIGNMENT,
    PIM_MRAM_BOUNDS,
    PIM_WRAM_BOUNDS,
    PIM_WRAM_FULL,
    PIM_HOST_ALIGNMENT,
    PIM_HOST_BOUNDS,
    PIM_HOST_SYMBOL,
    PIM_PUSH_LENGTHS,
    PIM_TASKLETS,
    PIM_HANDSHAKE,
    PIM_DEADLOCK,
    PIM_KINDS
};

// checks.c
/// Counts what the running tasklet or the host (\p dpu not running) did wrong, and says it: what, numbers seen and allowed,
/// way out.
void pim_violation(enum pim_kind kind, const struct pim_dpu* dpu, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void pim_count_dpus(uint32_t dpus);
void pim_count_launch(void);
void pim_count_wram(uint32_t bytes);
void pim_count_dma(bool read, uint32_t bytes);
/// One call of the host moves \p bytes in all.
void pim_count_host(bool toDpu, uint64_t bytes);
/// Something that ends the process: no memory, no program.
_Noreturn void pim_die(const char* what, const char* why);

// image.c
/// Loads a copy of the program for each of \p count DPUs. \return null, or what is wrong with it.
const char* pim_load_images(struct pim_dpu* dpus, uint32_t count, const char* path);
void pim_unload_image(struct pim_dpu* dpu);
/// Address and size of a global of the program; null: it has none of that name.
uint8_t* pim_find_symbol(const struct pim_dpu* dpu, const char* name, uint64_t* bytes);
/// "results + 16" for an address in the program's globals: the same in every process.
void pim_name_address(const struct pim_dpu* dpu, const void* address, char* text, size_t room);

// memory.c
void pim_create_memories(struct pim_dpu* dpu);
void pim_free_memories(struct pim_dpu* dpu);
/// Bytes of MRAM that programs reach from DPU_MRAM_HEAP_POINTER.
uint32_t pim_mram_heap_bytes(const struct pim_dpu* dpu);
bool pim_within(const struct pim_span* span, const void* address, uint64_t bytes);

// tasklets.c
/// Runs the program of one DPU until all its tasklets have ended, or none can go on.
void pim_run(struct pim_dpu* dpu);
/// Null between launches.
struct pim_dpu* pim_running_dpu(void);
unsigned pim_running_tasklet(void);
/// Lets the next tasklet that can go on have its turn.
void pim_yield(void);
/// The DPU ends here.
_Noreturn void pim_fault(void);
struct pim_span pim_running_stack(void);
