// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The calls of dpu.h.
#define _GNU_SOURCE
#include "../dpu/pim_calls.h"
#include "../host/dpu.h"
#include "runtime.h"

#include <stdarg.h>
#include <string.h>

#define RANK_DPUS 64u

static struct pim_dpu* g_dpus;
static uint32_t g_dpuCount;

static bool is_valid(struct dpu_set_t set) {
    if (set.pim_count == 0 || set.pim_first >= g_dpuCount || set.pim_count > g_dpuCount - set.pim_first)
        return false;
    for (uint32_t i = 0; i < set.pim_count; ++i)
        if (!g_dpus[set.pim_first + i].used)
            return false;
    return true;
}

/// Also: every DPU has a program.
static dpu_error_t check_set(struct dpu_set_t set) {
    if (!is_valid(set))
        return DPU_ERR_INVALID_DPU_SET;
    for (uint32_t i = 0; i < set.pim_count; ++i)
        if (g_dpus[set.pim_first + i].image == NULL)
            return DPU_ERR_NO_PROGRAM;
    return DPU_OK;
}

dpu_error_t dpu_alloc(uint32_t nr_dpus, const char* profile, struct dpu_set_t* dpu_set) {
    (void)profile;
    const uint32_t count = nr_dpus == DPU_ALLOCATE_ALL ? RANK_DPUS : nr_dpus;
    if (count == 0 || count > UINT32_MAX - g_dpuCount)
        return DPU_ERR_ALLOCATION;
    struct pim_dpu* grown = realloc(g_dpus, (size_t)(g_dpuCount + count) * sizeof *grown);
    if (grown == NULL)
        return DPU_ERR_ALLOCATION;
    g_dpus = grown;
    memset(g_dpus + g_dpuCount, 0, (size_t)count * sizeof *g_dpus);
    for (uint32_t i = 0; i < count; ++i) {
        struct pim_dpu* dpu = &g_dpus[g_dpuCount + i];
        dpu->id = g_dpuCount + i;
        dpu->used = true;
        pim_create_memories(dpu);
    }
    *dpu_set = (struct dpu_set_t){g_dpuCount, count};
    g_dpuCount += count;
    pim_count_dpus(count);
    return DPU_OK;
}

dpu_error_t dpu_load(struct dpu_set_t dpu_set, const char* binary_path, struct dpu_program_t** program) {
    if (program != NULL)
        *program = NULL;
    if (!is_valid(dpu_set))
        return DPU_ERR_INVALID_DPU_SET;
    const char* why = pim_load_images(&g_dpus[dpu_set.pim_first], dpu_set.pim_count, binary_path);
    if (why == NULL)
        return DPU_OK;
    fprintf(stderr, "upmem: cannot load %s: %s\n", binary_path, why);
    return DPU_ERR_ELF_INVALID_FILE;
}

dpu_error_t dpu_get_nr_dpus(struct dpu_set_t dpu_set, uint32_t* nr_dpus) {
    if (!is_valid(dpu_set))
        return DPU_ERR_INVALID_DPU_SET;
    *nr_dpus = dpu_set.pim_count;
    return DPU_OK;
}

dpu_error_t dpu_free(struct dpu_set_t dpu_set) {
    if (!is_valid(dpu_set))
        return DPU_ERR_INVALID_DPU_SET;
    bool anyUsed = false;
    for (uint32_t i = 0; i < dpu_set.pim_count; ++i) {
        struct pim_dpu* dpu = &g_dpus[dpu_set.pim_first + i];
        pim_unload_image(dpu);
        pim_free_memories(dpu);
        if (dpu->log != NULL)
            fclose(dpu->log);
        free(dpu->logText);
        dpu->log = NULL;
        dpu->logText = NULL;
        dpu->used = false;
    }
    for (uint32_t i = 0; i < g_dpuCount; ++i)
        anyUsed = anyUsed || g_dpus[i].used;
    if (!anyUsed) {
        free(g_dpus);
        g_dpus = NULL;
        g_dpuCount = 0;
    }
    return DPU_OK;
}

/// Where a transfer touches one DPU, in this process; null, and why.
static uint8_t* place_of(const struct pim_dpu* dpu, const char* symbol, uint64_t offset, uint64_t length,
                         dpu_error_t* why) {
    uint64_t room = 0;
    uint8_t* at = NULL;
    if (strcmp(symbol, DPU_MRAM_HEAP_POINTER_NAME) == 0) {
        symbol = "the heap of MRAM";
        at = dpu->mram;
        room = pim_mram_heap_bytes(dpu);
    } else {
        at = pim_find_symbol(dpu, symbol, &room);
    }
    if (at == NULL) {
        pim_violation(
            PIM_HOST_SYMBOL, dpu,
            "the program has no variable \"%s\"; declare it as a global of the DPU program, marked __host",
            symbol);
        *why = DPU_ERR_UNKNOWN_SYMBOL;
        return NULL;
    }
    const bool mram = at == dpu->mram || pim_within(&dpu->mramGlobals, at, 1);
    const unsigned unit = mram ? 8 : 4;
    if (offset % unit != 0 || length % unit != 0) {
        pim_violation(
            PIM_HOST_ALIGNMENT, dpu,
            "transfer of %llu bytes at offset %llu of %s: both have to be multiples of %u in %s; pad the "
            "buffers",
            (unsigned long long)length, (unsigned long long)offset, symbol, unit, mram ? "MRAM" : "WRAM");
        *why = mram ? DPU_ERR_INVALID_MRAM_ACCESS : DPU_ERR_INVALID_WRAM_ACCESS;
        return NULL;
    }
    if (offset > room || length > room - offset) {
        pim_violation(
            PIM_HOST_BOUNDS, dpu, "transfer of %llu bytes at offset %llu of %s, which has %llu bytes; %s",
            (unsigned long long)length, (unsigned long long)offset, symbol, (unsigned long long)room,
            mram ? "give each DPU less data" : "move no more than the variable holds");
        *why = DPU_ERR_INVALID_SYMBOL_ACCESS;
        return NULL;
    }
    return at + offset;
}

struct transfer {
    dpu_xfer_t direction;
    const char* symbol;
    uint32_t offset;
    size_t length;
};

/// \param buffer the DPU's own; read where the direction is to it.
static dpu_error_t move(const struct pim_dpu* dpu, const struct transfer* transfer, void* buffer) {
    dpu_error_t why = DPU_OK;
    uint8_t* at = place_of(dpu, transfer->symbol, transfer->offset, transfer->length, &why);
    if (at == NULL)
        return why;
    if (transfer->direction == DPU_XFER_TO_DPU)
        memcpy(at, buffer, transfer->length);
    else
        memcpy(buffer, at, transfer->length);
    return DPU_OK;
}

/// Moves nothing and says so. \return if that is the case.
static bool is_empty(struct dpu_set_t set, const char* symbol, size_t length) {
    if (length == 0)
        pim_violation(PIM_ZERO_LENGTH, &g_dpus[set.pim_first],
                      "transfer of 0 bytes to or from %s; skip the call where there is no data", symbol);
    return length == 0;
}

dpu_error_t dpu_prepare_xfer(struct dpu_set_t dpu_set, void* buffer) {
    if (!is_valid(dpu_set))
        return DPU_ERR_INVALID_DPU_SET;
    for (uint32_t i = 0; i < dpu_set.pim_count; ++i)
        g_dpus[dpu_set.pim_first + i].prepared = buffer;
    return DPU_OK;
}

dpu_error_t dpu_push_xfer(struct dpu_set_t dpu_set, dpu_xfer_t xfer, const char* symbol_name,
                          uint32_t symbol_offset, size_t length, dpu_xfer_flags_t flags) {
    dpu_error_t error = check_set(dpu_set);
    if (error != DPU_OK || is_empty(dpu_set, symbol_name, length))
        return error;
    const struct transfer transfer = {xfer, symbol_name, symbol_offset, length};
    uint64_t moved = 0;
    for (uint32_t i = 0; i < dpu_set.pim_count && error == DPU_OK; ++i) {
        struct pim_dpu* dpu = &g_dpus[dpu_set.pim_first + i];
        if (dpu->prepared == NULL) {
            pim_violation(
                PIM_PUSH_LENGTHS, dpu,
                "a push of %zu bytes to or from %s has no buffer for this DPU, one of %u; all DPUs of a "
                "push move the same length: call dpu_prepare_xfer for each",
                length, symbol_name, dpu_set.pim_count);
            error = DPU_ERR_NO_BUFFER;
        } else {
            error = move(dpu, &transfer, dpu->prepared);
            moved += length;
        }
    }
    for (uint32_t i = 0; i < dpu_set.pim_count && ((unsigned)flags & DPU_XFER_NO_RESET) == 0; ++i)
        g_dpus[dpu_set.pim_first + i].prepared = NULL;
    if (error == DPU_OK)
        pim_count_host(xfer == DPU_XFER_TO_DPU, moved);
    return error;
}

dpu_error_t dpu_broadcast_to(struct dpu_set_t dpu_set, const char* symbol_name, uint32_t symbol_offset,
                             const void* src, size_t length, dpu_xfer_flags_t flags) {
    (void)flags;
    dpu_error_t error = check_set(dpu_set);
    if (error != DPU_OK || is_empty(dpu_set, symbol_name, length))
        return error;
    const struct transfer transfer = {DPU_XFER_TO_DPU, symbol_name, symbol_offset, length};
    for (uint32_t i = 0; i < dpu_set.pim_count && error == DPU_OK; ++i)
        error = move(&g_dpus[dpu_set.pim_first + i], &transfer, (void*)(uintptr_t)src);
    if (error == DPU_OK)
        pim_count_host(true, (uint64_t)length * dpu_set.pim_count);
    return error;
}

dpu_error_t dpu_copy_to(struct dpu_set_t dpu_set, const char* symbol_name, uint32_t symbol_offset,
                        const void* src, size_t length) {
    return dpu_broadcast_to(dpu_set, symbol_name, symbol_offset, src, length, DPU_XFER_DEFAULT);
}

dpu_error_t dpu_copy_from(struct dpu_set_t dpu_set, const char* symbol_name, uint32_t symbol_offset,
                          void* dst, size_t length) {
    dpu_error_t error = dpu_set.pim_count == 1 ? check_set(dpu_set) : DPU_ERR_INVALID_DPU_SET;
    if (error != DPU_OK || is_empty(dpu_set, symbol_name, length))
        return error;
    const struct transfer transfer = {DPU_XFER_FROM_DPU, symbol_name, symbol_offset, length};
    error = move(&g_dpus[dpu_set.pim_first], &transfer, dst);
    if (error == DPU_OK)
        pim_count_host(false, length);
    return error;
}

dpu_error_t dpu_launch(struct dpu_set_t dpu_set, dpu_launch_policy_t policy) {
    (void)policy;
    const dpu_error_t error = check_set(dpu_set);
    if (error != DPU_OK)
        return error;
    pim_count_launch();
    for (uint32_t i = 0; i < dpu_set.pim_count; ++i)
        if (!g_dpus[dpu_set.pim_first + i].faulted)
            pim_run(&g_dpus[dpu_set.pim_first + i]);
    return dpu_sync(dpu_set);
}

dpu_error_t dpu_sync(struct dpu_set_t dpu_set) {
    if (!is_valid(dpu_set))
        return DPU_ERR_INVALID_DPU_SET;
    for (uint32_t i = 0; i < dpu_set.pim_count; ++i)
        if (g_dpus[dpu_set.pim_first + i].faulted)
            return DPU_ERR_DPU_FAULT;
    return DPU_OK;
}

int pim_dpu_printf(const char* format, ...) {
    struct pim_dpu* dpu = pim_running_dpu();
    if (dpu->log == NULL)
        dpu->log = open_memstream(&dpu->logText, &dpu->logBytes);
    if (dpu->log == NULL)
        pim_die("log of a DPU", "no memory");
    va_list values;
    va_start(values, format);
    const int written = vfprintf(dpu->log, format, values);
    va_end(values);
    return written;
}

dpu_error_t dpu_log_read(struct dpu_set_t dpu_set, FILE* stream) {
    if (!is_valid(dpu_set))
        return DPU_ERR_INVALID_DPU_SET;
    for (uint32_t i = 0; i < dpu_set.pim_count; ++i) {
        struct pim_dpu* dpu = &g_dpus[dpu_set.pim_first + i];
        fprintf(stream, "=== DPU#0x%x ===\n", dpu->id);
        if (dpu->log != NULL) {
            fclose(dpu->log);
            fwrite(dpu->logText, 1, dpu->logBytes, stream);
            free(dpu->logText);
            dpu->log = NULL;
            dpu->logText = NULL;
        }
    }
    return DPU_OK;
}

const char* dpu_error_to_string(dpu_error_t error) {
    switch (error) {
    case DPU_OK:
        return "success";
    case DPU_ERR_ALLOCATION:
        return "allocation error";
    case DPU_ERR_INVALID_DPU_SET:
        return "invalid dpu set";
    case DPU_ERR_NO_PROGRAM:
        return "no program loaded";
    case DPU_ERR_ELF_INVALID_FILE:
        return "invalid program file";
    case DPU_ERR_UNKNOWN_SYMBOL:
        return "undefined symbol";
    case DPU_ERR_INVALID_SYMBOL_ACCESS:
        return "invalid symbol access";
    case DPU_ERR_INVALID_MRAM_ACCESS:
        return "invalid mram access";
    case DPU_ERR_INVALID_WRAM_ACCESS:
        return "invalid wram access";
    case DPU_ERR_NO_BUFFER:
        return "no buffer prepared";
    case DPU_ERR_DPU_FAULT:
        return "dpu is in fault";
    }
    return "unknown error";
}
