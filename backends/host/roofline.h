// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Time of one layer on a GPU or CPU: matrix products by the best tile of two cache levels, everything else
/// by traffic and measured overheads. [AttAcc simulator c600051, xPU model]
#include "core/plan/host_model.h"

namespace pim {

/// \p count independent products C[m][n] = A[m][k] * B[k][n]. Extents are real numbers because some networks
/// are described so (LLaMA's hidden width of 8/3 h).
struct Gemm {
    double m = 1, n = 1, k = 1;
    double count = 1;
    /// Where the cores get their work from: the tiles of the product (a linear layer), or one whole product
    /// each (the heads of attention).
    bool coresShareProduct = true;
    /// Bytes of A in memory if they are not m*k elements: a convolution reads its image, not the unfolded
    /// matrix.
    double aBytes = 0;
    double bBytes = 0; ///< The same of B: weights that lie in fewer bits than they are computed in.
};

struct GemmCost {
    double ns = 0, computeNs = 0, memoryNs = 0;
    double operations = 0, operationsPerNs = 0; ///< As HostCost has them.
    double utilisation = 1; ///< Share of cores busy; scales arithmetic and bandwidth alike.
    double memoryBytes = 0; ///< Traffic between memory and the last cache.
    double l2Bytes = 0;     ///< Between the last cache and those of the cores.
    double l1Bytes = 0;     ///< Between these and the registers, in tiles of 16 x 16.
    double l1TileM = 0, l1TileN = 0, l2TileM = 0, l2TileN = 0;
};

/// Constant time: at most 121 tiles of the first level and about 1000 of the second are looked at.
GemmCost gemmCost(const Host& host, const Gemm& gemm, DataType type);

/// \p rows blocks of \p elements / \p rows each, one a core at a time. Five operations an element.
HostCost softmaxCost(const Host& host, double elements, double rows, DataType type);
/// Fitted line over bytes moved; the roofline where the host gives no fit. [overhead.activation.*]
HostCost activationCost(const Host& host, double bytes, double flops, DataType type);
/// The same for layer, RMS and batch normalisation. [overhead.norm.*]
HostCost normCost(const Host& host, double bytes, double flops, DataType type);
/// Whatever is limited by memory or arithmetic alone.
HostCost streamCost(const Host& host, double bytes, double flops, DataType type);

/// Sum of \p bytes over \p hosts, on each of them afterwards: a ring of hosts-1 steps.
double allReduceNs(const Host& host, int hosts, double bytes);
/// One way over the link.
double linkNs(const Host& host, double bytes);

} // namespace pim
