// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Prints the sum of i * i % 1009 - 400 for i below ELEMENTS, NR_DPUS divides ELEMENTS.
#include <dpu.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SLICE (ELEMENTS / NR_DPUS)

int main(void) {
    int64_t* values = malloc(ELEMENTS * sizeof *values);
    if (values == NULL)
        return 2;
    for (int64_t i = 0; i < ELEMENTS; ++i)
        values[i] = i * i % 1009 - 400;

    struct dpu_set_t set, dpu;
    uint32_t i;
    DPU_ASSERT(dpu_alloc(NR_DPUS, NULL, &set));
    DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
    const uint32_t bytes = SLICE * sizeof *values;
    DPU_ASSERT(dpu_broadcast_to(set, "bytes", 0, &bytes, sizeof bytes, DPU_XFER_DEFAULT));
    DPU_FOREACH(set, dpu, i)
    DPU_ASSERT(dpu_prepare_xfer(dpu, values + (size_t)i * SLICE));
    DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_TO_DPU, DPU_MRAM_HEAP_POINTER_NAME, 0, bytes, DPU_XFER_DEFAULT));
    DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));

    int64_t sum = 0;
    DPU_FOREACH(set, dpu) {
        int64_t total;
        DPU_ASSERT(dpu_copy_from(dpu, "total", 0, &total, sizeof total));
        sum += total;
    }
    DPU_ASSERT(dpu_free(set));
    free(values);
    printf("%" PRId64 "\n", sum);
    return 0;
}
