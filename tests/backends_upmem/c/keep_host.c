// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Prints how many of 3 * i + i / 7 * 8 for i below ELEMENTS are odd, and a sum over them that knows their order.
#include <dpu.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SLICE (ELEMENTS / NR_DPUS)

int main(void) {
    uint64_t* values = malloc(ELEMENTS * sizeof *values);
    if (values == NULL)
        return 2;
    for (uint64_t i = 0; i < ELEMENTS; ++i)
        values[i] = 3 * i + i / 7 * 8;

    struct dpu_set_t set, dpu;
    uint32_t i;
    DPU_ASSERT(dpu_alloc(NR_DPUS, NULL, &set));
    DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
    const uint32_t bytes = SLICE * sizeof *values;
    DPU_ASSERT(dpu_copy_to(set, "bytes", 0, &bytes, sizeof bytes));
    DPU_FOREACH(set, dpu, i)
    DPU_ASSERT(dpu_prepare_xfer(dpu, values + (size_t)i * SLICE));
    DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_TO_DPU, DPU_MRAM_HEAP_POINTER_NAME, 0, bytes, DPU_XFER_DEFAULT));
    DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));

    uint32_t number = 0;
    DPU_FOREACH(set, dpu) {
        uint32_t kept;
        DPU_ASSERT(dpu_copy_from(dpu, "kept", 0, &kept, sizeof kept));
        if (kept != 0)
            DPU_ASSERT(dpu_copy_from(dpu, DPU_MRAM_HEAP_POINTER_NAME, bytes, values + number,
                                     kept * sizeof *values));
        number += kept;
    }
    DPU_ASSERT(dpu_free(set));
    uint64_t sum = 0;
    for (uint32_t k = 0; k < number; ++k)
        sum = sum * 31 + values[k];
    free(values);
    printf("%" PRIu32 " %" PRIu64 "\n", number, sum);
    return 0;
}
