// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Prints the histogram of 7 * i * i % 4096 for i below ELEMENTS in BINS bins; NR_DPUS divides ELEMENTS.
#include <dpu.h>
#include <stdio.h>
#include <stdlib.h>

#define SLICE (ELEMENTS / NR_DPUS)

int main(void) {
    uint32_t* pixels = malloc(ELEMENTS * sizeof *pixels);
    static uint32_t parts[NR_DPUS][BINS];
    if (pixels == NULL)
        return 2;
    for (uint32_t i = 0; i < ELEMENTS; ++i)
        pixels[i] = 7 * i * i % 4096;

    struct dpu_set_t set, dpu;
    unsigned i;
    DPU_ASSERT(dpu_alloc(NR_DPUS, NULL, &set));
    DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
    uint32_t arguments[2] = {SLICE * sizeof *pixels, SLICE * sizeof *pixels};
    DPU_ASSERT(dpu_prepare_xfer(set, arguments));
    DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_TO_DPU, "arguments", 0, sizeof arguments, DPU_XFER_DEFAULT));
    DPU_FOREACH(set, dpu, i)
    DPU_ASSERT(dpu_prepare_xfer(dpu, pixels + (size_t)i * SLICE));
    DPU_ASSERT(
        dpu_push_xfer(set, DPU_XFER_TO_DPU, DPU_MRAM_HEAP_POINTER_NAME, 0, arguments[0], DPU_XFER_DEFAULT));
    DPU_ASSERT(dpu_launch(set, DPU_ASYNCHRONOUS));
    DPU_ASSERT(dpu_sync(set));
    DPU_FOREACH(set, dpu, i)
    DPU_ASSERT(dpu_prepare_xfer(dpu, parts[i]));
    DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_FROM_DPU, DPU_MRAM_HEAP_POINTER_NAME, arguments[1],
                             sizeof parts[0], DPU_XFER_DEFAULT));
    DPU_ASSERT(dpu_free(set));
    free(pixels);

    for (unsigned bin = 0; bin < BINS; ++bin) {
        uint32_t sum = 0;
        for (unsigned part = 0; part < NR_DPUS; ++part)
            sum += parts[part][bin];
        printf("%u\n", sum);
    }
    return 0;
}
