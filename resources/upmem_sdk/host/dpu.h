// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The host's side of UPMEM's SDK: allocate DPUs, load a program, move bytes, launch. DPUs run one after the other in the
/// process of the caller (runtime/).
/// Source: API of the UPMEM SDK 2023.2, as PrIM (CMU-SAFARI/prim-benchmarks 9a1498f) calls it.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum dpu_error_t {
    DPU_OK = 0,
    DPU_ERR_ALLOCATION,
    DPU_ERR_INVALID_DPU_SET,
    DPU_ERR_NO_PROGRAM,
    DPU_ERR_ELF_INVALID_FILE,
    DPU_ERR_UNKNOWN_SYMBOL,
    DPU_ERR_INVALID_SYMBOL_ACCESS,
    DPU_ERR_INVALID_MRAM_ACCESS,
    DPU_ERR_INVALID_WRAM_ACCESS,
    DPU_ERR_NO_BUFFER,
    DPU_ERR_DPU_FAULT,
} dpu_error_t;

/// A run of DPUs of this process.
struct dpu_set_t {
    uint32_t pim_first;
    uint32_t pim_count;
};

struct dpu_program_t;

typedef enum { DPU_XFER_TO_DPU, DPU_XFER_FROM_DPU } dpu_xfer_t;
typedef enum {
    DPU_XFER_DEFAULT = 0,
    DPU_XFER_NO_RESET = 1, ///< Prepared buffers stay for the next push.
    DPU_XFER_ASYNC = 2,    ///< Done when the call returns, as every transfer here.
} dpu_xfer_flags_t;
typedef enum { DPU_ASYNCHRONOUS, DPU_SYNCHRONOUS } dpu_launch_policy_t;

#define DPU_ALLOCATE_ALL UINT32_MAX ///< Here the DPUs of one rank: 64.
#define DPU_MRAM_HEAP_POINTER_NAME "__sys_used_mram_end"

/// \param profile ignored.
dpu_error_t dpu_alloc(uint32_t nr_dpus, const char* profile, struct dpu_set_t* dpu_set);
/// \param program may be null.
dpu_error_t dpu_load(struct dpu_set_t dpu_set, const char* binary_path, struct dpu_program_t** program);
dpu_error_t dpu_get_nr_dpus(struct dpu_set_t dpu_set, uint32_t* nr_dpus);
dpu_error_t dpu_free(struct dpu_set_t dpu_set);

/// The buffer of one DPU, or one for all of a set, in the next push.
dpu_error_t dpu_prepare_xfer(struct dpu_set_t dpu_set, void* buffer);
/// MRAM: offset and length are multiples of 8; WRAM: of 4.
dpu_error_t dpu_push_xfer(struct dpu_set_t dpu_set, dpu_xfer_t xfer, const char* symbol_name,
                          uint32_t symbol_offset, size_t length, dpu_xfer_flags_t flags);
dpu_error_t dpu_copy_to(struct dpu_set_t dpu_set, const char* symbol_name, uint32_t symbol_offset,
                        const void* src, size_t length);
/// From the one DPU of the set.
dpu_error_t dpu_copy_from(struct dpu_set_t dpu_set, const char* symbol_name, uint32_t symbol_offset,
                          void* dst, size_t length);
dpu_error_t dpu_broadcast_to(struct dpu_set_t dpu_set, const char* symbol_name, uint32_t symbol_offset,
                             const void* src, size_t length, dpu_xfer_flags_t flags);

/// Returns when all DPUs have ended, whatever the policy.
dpu_error_t dpu_launch(struct dpu_set_t dpu_set, dpu_launch_policy_t policy);
dpu_error_t dpu_sync(struct dpu_set_t dpu_set);
/// Writes what the DPUs have printed.
dpu_error_t dpu_log_read(struct dpu_set_t dpu_set, FILE* stream);
const char* dpu_error_to_string(dpu_error_t error);

#define DPU_ASSERT(statement)                                                                                \
    do {                                                                                                     \
        const dpu_error_t pim_error = (statement);                                                           \
        if (pim_error != DPU_OK) {                                                                           \
            fprintf(stderr, "%s:%d(%s): DPU Error (%s)\n", __FILE__, __LINE__, __func__,                     \
                    dpu_error_to_string(pim_error));                                                         \
            exit(EXIT_FAILURE);                                                                              \
        }                                                                                                    \
    } while (0)

struct pim_dpu_iterator {
    struct dpu_set_t set;
    uint32_t index;
};

/// The index-th DPU as a set of one; after the last an empty set.
static inline struct dpu_set_t pim_dpu_at(const struct pim_dpu_iterator* at) {
    return (struct dpu_set_t){at->set.pim_first + at->index, at->index < at->set.pim_count};
}

/// DPU_FOREACH(set, dpu) or DPU_FOREACH(set, dpu, index)
#define DPU_FOREACH(...) PIM_FOREACH_PICK(__VA_ARGS__, PIM_FOREACH_INDEXED, PIM_FOREACH_PLAIN, 0)(__VA_ARGS__)
#define PIM_FOREACH_PICK(set, dpu, index, name, ...) name
#define PIM_FOREACH_PLAIN(set, dpu)                                                                          \
    for (struct pim_dpu_iterator pim_at = {(set), 0}; (dpu) = pim_dpu_at(&pim_at), (dpu).pim_count != 0;     \
         ++pim_at.index)
#define PIM_FOREACH_INDEXED(set, dpu, i)                                                                     \
    for (struct pim_dpu_iterator pim_at = {(set), 0};                                                        \
         (dpu) = pim_dpu_at(&pim_at), (i) = pim_at.index, (dpu).pim_count != 0; ++pim_at.index)
