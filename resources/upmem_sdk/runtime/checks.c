// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Counts what crosses the memories and what breaks their rules. The report is one line of JSON in the file that
/// $PIM_UPMEM_REPORT names, written when the process exits; no pointer or time is in it, so the same run writes the same bytes.
#define _GNU_SOURCE
#include "runtime.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MESSAGES 20u

static const char* const kKindNames[PIM_KINDS] = {
    "dma_size",    "zero_length", "alignment",    "mram_bounds", "wram_bounds", "wram_full", "host_alignment",
    "host_bounds", "host_symbol", "push_lengths", "tasklets",    "handshake",   "deadlock",
};

static struct {
    uint32_t dpus;
    uint64_t launches;
    uint32_t wramBytes;
    uint64_t dmaReads, dmaReadBytes, dmaWrites, dmaWriteBytes;
    uint64_t hostTransfers, hostToBytes, hostFromBytes;
    uint64_t violations, ofKind[PIM_KINDS];
    char* messages[MAX_MESSAGES];
} g_report;

static void write_text(FILE* file, const char* text) {
    fputc('"', file);
    for (; *text != '\0'; ++text)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < 0x20)
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, file);
    fputc('"', file);
}

static void write_report(void) {
    const char* path = getenv("PIM_UPMEM_REPORT");
    FILE* file = path != NULL && *path != '\0' ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "{\"dpus\":%u,\"launches\":%llu,\"wram_bytes\":%u,", g_report.dpus,
            (unsigned long long)g_report.launches, g_report.wramBytes);
    fprintf(file, "\"dma\":{\"reads\":%llu,\"read_bytes\":%llu,\"writes\":%llu,\"write_bytes\":%llu},",
            (unsigned long long)g_report.dmaReads, (unsigned long long)g_report.dmaReadBytes,
            (unsigned long long)g_report.dmaWrites, (unsigned long long)g_report.dmaWriteBytes);
    fprintf(file, "\"host\":{\"transfers\":%llu,\"to_bytes\":%llu,\"from_bytes\":%llu},",
            (unsigned long long)g_report.hostTransfers, (unsigned long long)g_report.hostToBytes,
            (unsigned long long)g_report.hostFromBytes);
    fprintf(file, "\"violations\":{\"total\":%llu", (unsigned long long)g_report.violations);
    for (unsigned kind = 0; kind < PIM_KINDS; ++kind)
        if (g_report.ofKind[kind] != 0)
            fprintf(file, ",\"%s\":%llu", kKindNames[kind], (unsigned long long)g_report.ofKind[kind]);
    fputs("},\"messages\":[", file);
    for (unsigned i = 0; i < MAX_MESSAGES && g_report.messages[i] != NULL; ++i) {
        if (i != 0)
            fputc(',', file);
        write_text(file, g_report.messages[i]);
    }
    fputs("]}\n", file);
    fclose(file);
}

void pim_violation(enum pim_kind kind, const struct pim_dpu* dpu, const char* format, ...) {
    ++g_report.ofKind[kind];
    const uint64_t before = g_report.violations++;
    if (before >= MAX_MESSAGES)
        return;
    char who[64];
    if (kind == PIM_DEADLOCK)
        snprintf(who, sizeof who, "DPU %u, all tasklets", dpu->id);
    else if (pim_running_dpu() == dpu)
        snprintf(who, sizeof who, "DPU %u, tasklet %u", dpu->id, pim_running_tasklet());
    else
        snprintf(who, sizeof who, "DPU %u, host", dpu->id);
    char* what = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&what, format, values) < 0)
        pim_die("a message", "no memory");
    va_end(values);
    if (asprintf(&g_report.messages[before], "%s: %s", who, what) < 0)
        pim_die("a message", "no memory");
    free(what);
    fprintf(stderr, "upmem: %s\n", g_report.messages[before]);
}

void pim_count_dpus(uint32_t dpus) {
    if (g_report.dpus == 0)
        atexit(write_report);
    g_report.dpus += dpus;
}

void pim_count_launch(void) {
    ++g_report.launches;
}

void pim_count_wram(uint32_t bytes) {
    if (bytes > g_report.wramBytes)
        g_report.wramBytes = bytes;
}

void pim_count_dma(bool read, uint32_t bytes) {
    ++*(read ? &g_report.dmaReads : &g_report.dmaWrites);
    *(read ? &g_report.dmaReadBytes : &g_report.dmaWriteBytes) += bytes;
}

void pim_count_host(bool toDpu, uint64_t bytes) {
    ++g_report.hostTransfers;
    *(toDpu ? &g_report.hostToBytes : &g_report.hostFromBytes) += bytes;
}

_Noreturn void pim_die(const char* what, const char* why) {
    fprintf(stderr, "upmem: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}
