// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Reads a.bin and b.bin, ELEMENTS int32 each, and writes their sum to sum.bin.
#include <dpu.h>
#include <stdio.h>
#include <stdlib.h>

/// A slice is of even length: its bytes are a multiple of 8.
#define SLICE ((ELEMENTS + NR_DPUS - 1) / NR_DPUS + 1) / 2 * 2

static int32_t* load(const char* path) {
    int32_t* values = calloc((size_t)(SLICE)*NR_DPUS, sizeof *values);
    FILE* file = fopen(path, "rb");
    if (values == NULL || file == NULL || fread(values, sizeof *values, ELEMENTS, file) != ELEMENTS) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    fclose(file);
    return values;
}

static void push(struct dpu_set_t set, dpu_xfer_t direction, int32_t* values, uint32_t offset) {
    struct dpu_set_t dpu;
    uint32_t i;
    DPU_FOREACH(set, dpu, i)
    DPU_ASSERT(dpu_prepare_xfer(dpu, values + (size_t)i * (SLICE)));
    DPU_ASSERT(dpu_push_xfer(set, direction, DPU_MRAM_HEAP_POINTER_NAME, offset, (SLICE) * sizeof *values,
                             DPU_XFER_DEFAULT));
}

int main(void) {
    struct dpu_set_t set, dpu;
    DPU_ASSERT(dpu_alloc(NR_DPUS, NULL, &set));
    DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
    int32_t *a = load("a.bin"), *b = load("b.bin");
    uint32_t arguments[3] = {(SLICE) * sizeof *a, (SLICE) * sizeof *a, 0};
    DPU_FOREACH(set, dpu)
    DPU_ASSERT(dpu_prepare_xfer(dpu, arguments));
    DPU_ASSERT(dpu_push_xfer(set, DPU_XFER_TO_DPU, "arguments", 0, sizeof arguments, DPU_XFER_DEFAULT));
    push(set, DPU_XFER_TO_DPU, a, 0);
    push(set, DPU_XFER_TO_DPU, b, arguments[1]);
    DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
    push(set, DPU_XFER_FROM_DPU, b, arguments[1]);
    DPU_ASSERT(dpu_free(set));

    FILE* file = fopen("sum.bin", "wb");
    const int good = file != NULL && fwrite(b, sizeof *b, ELEMENTS, file) == ELEMENTS && fclose(file) == 0;
    free(a);
    free(b);
    return good ? 0 : 2;
}
