// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * \file
 * The driver on a CPU.
 */
#include "memristor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct product {
    int32_t *values, *result;
    int64_t count;
    struct product* next;
};
struct tile {
    int8_t* cells; /* NULL: never written */
    int rows, columns;
    struct product *first, *last; /* nobody has waited for */
};

static struct tile* s_tiles;
static int s_tile_count, s_size;
static struct memristor_counts s_counts;

static void stop(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("memristor: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(3);
}

static void* memory(int64_t bytes) {
    void* made = malloc(bytes > 0 ? (size_t)bytes : 1);
    if (!made)
        stop("%lld bytes of memory are not to be had", (long long)bytes);
    return made;
}

static struct tile* tile_at(int tile) {
    if (tile < 0 || tile >= s_tile_count)
        stop("tile %d is not within the %d there are", tile, s_tile_count);
    return &s_tiles[tile];
}

static int64_t words(int64_t rows, int64_t row_bytes) {
    return rows * ((row_bytes + 3) / 4);
}

void memristor_init(int tiles, int size) {
    if (tiles < 1 || size < 1)
        stop("%d tiles of %d x %d", tiles, size, size);
    if (s_tiles)
        stop("tiles are taken before they were given back");
    s_tiles = memory((int64_t)sizeof *s_tiles * tiles);
    memset(s_tiles, 0, sizeof *s_tiles * (size_t)tiles);
    s_tile_count = tiles;
    s_size = size;
}

static int64_t element(const void* from, int64_t at, int bytes) {
    switch (bytes) {
    case 1:
        return ((const int8_t*)from)[at];
    case 2:
        return ((const int16_t*)from)[at];
    case 4:
        return ((const int32_t*)from)[at];
    case 8:
        return ((const int64_t*)from)[at];
    default:
        stop("elements of %d bytes", bytes);
        return 0;
    }
}

void memristor_copy_tile(int8_t* to, const void* from, int64_t count, int bytes, int digit) {
    for (int64_t i = 0; i < count; ++i) {
        uint64_t rest = (uint64_t)element(from, i, bytes);
        for (int d = 0; d < digit; ++d)
            rest = (rest - (uint64_t)(int64_t)(int8_t)(uint8_t)rest) >> 8;
        to[i] = (int8_t)(uint8_t)rest;
    }
}

void memristor_write_tile(int tile, const int8_t* matrix, int rows, int columns) {
    struct tile* at = tile_at(tile);
    if (rows < 1 || columns < 1 || rows > s_size || columns > s_size)
        stop("%d x %d does not fit a tile of %d x %d", rows, columns, s_size, s_size);
    free(at->cells);
    at->cells = memory((int64_t)rows * columns);
    memcpy(at->cells, matrix, (size_t)rows * (size_t)columns);
    at->rows = rows;
    at->columns = columns;
    ++s_counts.tile_writes;
    s_counts.matrix_bytes += (int64_t)rows * columns;
    s_counts.words_written += words(rows + 1, columns);
}

/* The low bytes with their sign: what a converter of so many bits gives. */
static int32_t low_bytes(int32_t value, int bytes) {
    const int unused = 32 - 8 * bytes;
    return (int32_t)((uint32_t)value << unused) >> unused;
}

void memristor_gemm(int tile, const int8_t* rows, int m, int k, int32_t* result, int result_bytes) {
    struct tile* at = tile_at(tile);
    if (!at->cells || at->rows != k)
        stop("rows of %d meet a tile that holds %d x %d", k, at->rows, at->columns);
    if (m < 1 || result_bytes < 1 || result_bytes > 4)
        stop("%d rows, results of %d bytes", m, result_bytes);
    struct product* made = memory((int64_t)sizeof *made);
    made->count = (int64_t)m * at->columns;
    made->values = memory(made->count * (int64_t)sizeof(int32_t));
    made->result = result;
    made->next = NULL;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < at->columns; ++j) {
            int32_t sum = 0;
            for (int64_t r = 0; r < k; ++r)
                sum += rows[i * k + r] * at->cells[r * at->columns + j];
            made->values[i * at->columns + j] = low_bytes(sum, result_bytes);
        }
    if (at->last)
        at->last->next = made;
    else
        at->first = made;
    at->last = made;
    ++s_counts.products;
    s_counts.words_written += words(m, k);
    s_counts.words_read += words(m, (int64_t)at->columns * result_bytes);
}

void memristor_gemv(int tile, const int8_t* row, int k, int32_t* result, int result_bytes) {
    memristor_gemm(tile, row, 1, k, result, result_bytes);
}

void memristor_barrier(int tile) {
    struct tile* at = tile_at(tile);
    for (struct product *done = at->first, *next; done; done = next) {
        next = done->next;
        memcpy(done->result, done->values, (size_t)done->count * sizeof(int32_t));
        free(done->values);
        free(done);
    }
    at->first = at->last = NULL;
}

void memristor_barrier_all(void) {
    for (int tile = 0; tile < s_tile_count; ++tile)
        memristor_barrier(tile);
}

void memristor_store_tile(int32_t* to, const int32_t* result, int64_t count) {
    for (int tile = 0; tile < s_tile_count; ++tile)
        for (const struct product* at = s_tiles[tile].first; at; at = at->next)
            if (at->result == result)
                stop("tile %d was not waited for", tile);
    memcpy(to, result, (size_t)count * sizeof(int32_t));
}

void memristor_release(void) {
    for (int tile = 0; tile < s_tile_count; ++tile) {
        if (s_tiles[tile].first)
            stop("products of tile %d were never waited for", tile);
        free(s_tiles[tile].cells);
    }
    free(s_tiles);
    s_tiles = NULL;
    s_tile_count = 0;
}

struct memristor_counts memristor_counted(void) {
    return s_counts;
}
