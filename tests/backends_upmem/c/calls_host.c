// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Launches twice and prints what calls_dpu.c left: globals keep their values from launch to launch.
#include <dpu.h>
#include <dpu_log.h>
#include <stdio.h>

/// The DPU program has a variable of this name too; each has its own.
uint32_t turns = 1000;

int main(void) {
    struct dpu_set_t set;
    uint32_t count, dpuTurns, refused, early, order[NR_TASKLETS];
    uint64_t table[4] = {1, 2, 3, 4};
    DPU_ASSERT(dpu_alloc(1, "backend=simulator", &set));
    DPU_ASSERT(dpu_load(set, DPU_BINARY, NULL));
    DPU_ASSERT(dpu_get_nr_dpus(set, &count));
    DPU_ASSERT(dpu_copy_to(set, "table", 0, table, sizeof table));
    for (unsigned launch = 0; launch < 2; ++launch) {
        DPU_ASSERT(dpu_launch(set, DPU_SYNCHRONOUS));
        DPU_ASSERT(dpu_copy_from(set, "order", 0, order, sizeof order));
        printf("order");
        for (unsigned i = 0; i < NR_TASKLETS; ++i)
            printf(" %u", order[i]);
        printf("\n");
    }
    DPU_ASSERT(dpu_copy_from(set, "turns", 0, &dpuTurns, sizeof dpuTurns));
    DPU_ASSERT(dpu_copy_from(set, "refused", 0, &refused, sizeof refused));
    DPU_ASSERT(dpu_copy_from(set, "early", 0, &early, sizeof early));
    DPU_ASSERT(dpu_copy_from(set, "table", 8, table, 16));
    printf("%u DPU, turns %u and %u, refused %u, early %u, table %u %u\n", count, turns, dpuTurns, refused,
           early, (unsigned)table[0], (unsigned)table[1]);
    DPU_ASSERT(dpu_log_read(set, stdout));
    DPU_ASSERT(dpu_free(set));
    return 0;
}
