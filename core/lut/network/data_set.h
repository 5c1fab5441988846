// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A folder with samples to calibrate and to test a classifier with: calib_x.npy, calib_y.npy, test_x.npy, test_y.npy, and a
/// model.json that says how samples become inputs and which layers are to be converted.
/// Flow: folder -> [DataSet] -> inference.h, conversion.h.
#include "core/lut/network/preprocess.h"
#include "core/numeric/npy.h"

#include <filesystem>
#include <optional>
#include <string>

namespace pim::lut {

struct Samples {
    std::string file;                 ///< Of x, for messages.
    Value x;                          ///< [samples, ...] as stored.
    std::vector<std::int64_t> labels; ///< [samples], >= 0.

    std::int64_t count() const { return x.shape.empty() ? 0 : x.shape.front(); }
    /// Without those after the first \p most.
    Samples first(std::int64_t most) const;
};

/// A layer as model.json names it; either name may be empty.
struct LayerName {
    std::string node;   ///< Of the ONNX file.
    std::string weight; ///< Initializer.
};

struct DataSet {
    std::filesystem::path folder;
    Preprocess preprocess;
    std::string odd; ///< Text of a preprocessing that was not understood; only whole numbers can go without.
    std::optional<std::vector<LayerName>> convert; ///< Nothing: not said.
};

/// What model.json says; without that file nothing is said. Errors: Io, InvalidFile.
Result<DataSet> openDataSet(const std::filesystem::path& folder);

/// \p part is "test" or "calib". \param labelled false: labels may be absent and are not read.
/// Errors: Io where a file is missing; InvalidFile for labels that are negative, fractions, or not one a sample, for no samples, for
/// values that are not finite.
Result<Samples> readSamples(const DataSet& set, const std::string& part, bool labelled = true);

} // namespace pim::lut
