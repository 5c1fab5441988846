// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Products with constant weights as look-ups: which, with what codebooks, and where their numbers come from.
/// [LUT-NN, MobiCom 2023; PIM-DL, ASPLOS 2024, section 3]
#include "core/base/option_table.h"
#include "core/graph/graph.h"

namespace pim {

struct LookUpOptions {
    std::int64_t length = 0;     ///< Of a sub-vector, V; 0: nothing is converted.
    std::int64_t centroids = 16; ///< Of a codebook, CT.
    /// "inner": all products but the first and the last; "all"; else parts of names, separated by commas.
    std::string layers = "inner";
    /// For layers with these parts in their names: "NAME=V/CT" or "NAME=off", separated by commas; the last that fits decides.
    std::string sizes;
    /// Folder with calibrated layers (layers.json), which are converted as they are; empty: without numbers.
    std::string from;
};
const TypedOptionTable<LookUpOptions>& lookUpOptions();

/// A product (MatMul, Gemm, Conv in one group) becomes two ops with its origin, because they run on different machines:
/// pim::ClosestCentroids(x, centroids [CB, CT, V]) -> indices [.., CB], named NAME/closest, and pim::LookUp(table [CB, CT, F], indices,
/// bias, scales), which keeps the name and the result. Of a convolution, pim::Unroll(x) -> [images, rows, columns of the output,
/// channels x kernel] (im2col), named NAME/windows, comes before them, and a Transpose of the sums, which then has the name, behind.
/// Rows that sub-vectors do not divide count as filled up with zeros. Centroids and tables are constants, absent unless
/// LookUpOptions::from has them. Returns the number of layers.
/// Errors: NotFound for a layer of the folder or a part of a name that is no product; Io and InvalidFile for the folder; Usage for
/// layers of the folder that do not fit their product.
Result<int> lookUpTables(Graph& graph, const LookUpOptions& options);

} // namespace pim
