// SPDX-License-Identifier: GPL-3.0-or-later
/**
 * \file
 * Calls of a driver for memristor tiles: size x size cells of 8 bits that multiply rows with the matrix they hold. Products run
 * on their own once started; results are there after a barrier. Matrices are row-major and without gaps.
 */
#pragma once

#include <stdint.h>

/** Takes tiles; what they hold is lost. */
void memristor_init(int tiles, int size);
/** Digit \p digit of integers of \p bytes each: value = sum of digit i times 256^i, digits from -128 to 127. */
void memristor_copy_tile(int8_t* to, const void* from, int64_t count, int bytes, int digit);
/** Programs [rows][columns] into a tile. */
void memristor_write_tile(int tile, const int8_t* matrix, int rows, int columns);
/** Starts result[m][columns] = rows[m][k] x tile, of which \p result_bytes low bytes count. \p rows may be changed at once,
 *  \p result is written by a barrier. */
void memristor_gemm(int tile, const int8_t* rows, int m, int k, int32_t* result, int result_bytes);
void memristor_gemv(int tile, const int8_t* row, int k, int32_t* result, int result_bytes);
/** Waits until a tile has done all it was given. */
void memristor_barrier(int tile);
void memristor_barrier_all(void);
/** Takes a result that was waited for. */
void memristor_store_tile(int32_t* to, const int32_t* result, int64_t count);
/** Gives the tiles back; no product may be left. */
void memristor_release(void);

/** What was done so far. Words have 32 bits; every row begins one, and a matrix has a bias for each column. */
struct memristor_counts {
    int64_t tile_writes, products, words_written, words_read, matrix_bytes;
};
struct memristor_counts memristor_counted(void);
