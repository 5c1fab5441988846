// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Calibrated look-up-table layers in a folder: layers.json, and arrays of NumPy beside it [core/lut/network, Conversion::save()]. Only
/// where the numbers lie is found out; nobody reads them before they are asked for.
#include "core/base/result.h"
#include "core/graph/graph.h"

namespace pim {

struct LayerFiles {
    std::string op; ///< Name of the product that was replaced.
    std::int64_t codebooks = 0, centroids = 0, length = 0, features = 0;
    InitializerRef centroidData; ///< float32 [codebooks, centroids, length]
    InitializerRef tableData;    ///< [codebooks, centroids, features], float32 or, with scales, int8.
    std::optional<InitializerRef> scaleData; ///< float32 [scales]
    std::int64_t scales = 0;                 ///< 1 or features.
};

/// Errors: Io where a file is not there, InvalidFile where it is not what layers.json says.
Result<std::vector<LayerFiles>> readLayerFiles(const std::filesystem::path& folder);

} // namespace pim
