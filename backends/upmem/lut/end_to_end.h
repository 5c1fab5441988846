// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A transformer encoder whose linear layers are look-ups: what host and DPUs do for one block of it, and the same block as
/// products on a processor. [PIM-DL, ASPLOS 2024, sections 3.3, 4.3 and 5.2]
/// Flow: Encoder, LutSetting -> tuner.h, roofline -> [lutBlock] -> LutBlock -> [calibrated]; Encoder -> [productBlock].
///
/// The host holds numbers in 4 bytes, H = hidden, N = batch x sequence, a tensor read or written is counted once:
/// - search of the closest centroids before QKV, O and FFN1 [N, H] and FFN2 [N, 4H]: 3 N H CT operations (section 3.3), input read,
///   indices of 2 bytes written;
/// - attention: scores and context of every head, softmax between them;
/// - element-wise: sums of the DPUs (int32) to numbers, two residual additions, two normalisations, one GELU.
/// Everything happens one after the other, as in PIM-DL's engine.
#include "backends/upmem/lut/tuner.h"
#include "core/hardware/target.h"

namespace pim::upmem {

/// All blocks are alike.
struct Encoder {
    std::int64_t batch = 0, sequence = 0;
    std::int64_t hidden = 0, feedForward = 0, heads = 0;

    std::int64_t rows() const { return batch * sequence; }
    /// Multiply-accumulates of the linear layers of a block.
    double linearMacs() const;
};
/// Errors: Usage for an extent below 1, or a hidden width that heads do not share evenly.
Result<void> checkEncoder(const Encoder& encoder);

/// How linear layers became look-ups, and on what.
struct LutSetting {
    std::int64_t subVector = 4, centroids = 16;
    std::int64_t dpus = 1024, tasklets = 16;
};

/// One linear layer of a block.
struct LutBlockLayer {
    std::string_view name; ///< "QKV"
    LutLayer layer;
    LutTuning tuning; ///< Has a mapping.
    double searchFlop = 0;
    double search = 0; ///< Seconds of the host.
};
/// Seconds of one block.
struct LutBlock {
    std::array<LutBlockLayer, 4> layers;
    double attention = 0, elementWise = 0;

    double search() const;
    double lookUp() const; ///< Transfers and kernels.
    double transfers() const;
    double other() const { return attention + elementWise; }
    double total() const { return search() + lookUp() + other(); }
};
/// Mappings of the exact tuner, times of the authors' cost model, the host at its roofline.
/// Errors: Usage as checkEncoder and checkLayer, or for a sub-vector that does not divide the hidden width; Unsupported (with the
/// tuner's reason) where a layer has no mapping.
Result<LutBlock> lutBlock(const Encoder& encoder, const LutSetting& setting, const Host& host,
                          LutReading reading = LutReading::Strict);

/// Seconds of the search at the roofline: for each of rows x codebooks sub-vectors its numbers read, an index of 2 bytes written,
/// \p flop operations in all.
double searchSeconds(const LutLayer& layer, std::int64_t subVector, double flop, const Host& host);

/// What the authors' host made of its part, as calibration.h has it for DPUs.
struct HostCalibration {
    double searchFlopPerSecond = 0; ///< Of the operations of the search.
    double other = 1;               ///< Times the roofline.
};
/// Fitted by fitHost to BERT-base, BERT-large and ViT-huge with V = 4 and CT = 16: latencies of fig. 10, shares of fig. 11a.
/// [PIM-DL artifact 87aee67, results_ref, digitised to 1 %]
constexpr HostCalibration kMeasuredHost{20.42e9, 6.71};

struct HostMeasurement {
    double searchFlop = 0, searchSeconds = 0; ///< Operations, measured time.
    double other = 0, otherSeconds = 0;       ///< At the roofline, measured; seconds.
};
/// Least squares of relative errors. Errors: Usage for none, or one that is not positive.
Result<HostCalibration> fitHost(std::span<const HostMeasurement> measurements);

/// The block as it would be measured on the authors' server: calibrated() of calibration.h for DPUs, \p calibration for the host.
LutBlock calibrated(const LutBlock& block, const HostCalibration& calibration = kMeasuredHost);

/// Seconds of one block whose linear layers are products.
struct ProductBlock {
    double linear = 0, attention = 0, elementWise = 0;
    double total() const { return linear + attention + elementWise; }
};
/// On a processor at its roofline. \param type of the linear layers; attention and the rest are float32. In 8 bit their results
/// become numbers again as those of DPUs do.
Result<ProductBlock> productBlock(const Encoder& encoder, const Host& host, DataType type);
/// Linear layers on DPUs in \p linear seconds, all else on the host.
Result<ProductBlock> productBlock(const Encoder& encoder, const Host& host, double linear);

/// Operations of a linear layer [rows, in] x [in, out] as look-ups. [PIM-DL, ASPLOS 2024, section 3.3]
struct LutOperations {
    double products = 0, all = 0;
};
LutOperations lutOperations(double rows, double in, double out, double subVector, double centroids);

/// exp of the mean of logarithms; 0 of nothing. \pre all are positive.
double geometricMean(std::span<const double> values);

} // namespace pim::upmem
