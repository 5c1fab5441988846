// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A CrossbarNetwork with its constants as a chip holds them: fixed point of 8 to 16 bits, or real for
/// comparison.
/// * A map has one exponent, the smallest that holds what calibration saw; from 12 bits on with one bit of
/// room, as other inputs
///   than those of calibration may give larger numbers, which saturate. Maps that memory moves without
/// arithmetic (inputs of
///   a concatenation, views, windows of a max pool) share theirs.
/// * Weights have an exponent for each output channel: the smallest that holds the channel and leaves its
/// sums one bit of room
///   in an accumulator, judged by calibration.
/// * A layer is finished in one step from its exact sums (bias included) to elements; a fused function other
/// than Relu and Clip
///   works on elements with an exponent of their own (preExponent).
/// * Whole numbers of the graph (token ids, masks) stay what they are: the host alone has to do with them.
/// * Functions of single elements, averages and normalisations are computed in double precision and rounded
/// once. Powers of two as scales: Jain et al. 2020, arXiv:1903.08066; per-channel weights: Jacob et al. 2018,
/// arXiv:1712.05877. Flow: CrossbarNetwork + calibration -> [CrossbarNumbers] -> weight image, reference,
/// execution.
#include "backends/crossbar/network.h"
#include "core/base/task.h"
#include "core/numeric/element_access.h"

#include <optional>
#include <span>
#include <vector>

namespace pim {

/// What the network computes in float32, as maps.
struct CrossbarReals {
    std::vector<std::vector<float>> maps; ///< One a layer, as network.h orders elements.
    std::vector<double> largest;          ///< max |x| of each.
    std::vector<double>
        largestBefore; ///< The same of what a layer has before its fused function; 0 if there is nothing.
};

/// Elements of a tensor of the graph as a map. Error::Unsupported where the extents do not fit.
Result<std::vector<float>> mapOfTensor(const Value& tensor, const PixelMap& map, const std::string& layer);
/// The same for whole numbers.
Result<std::vector<std::int64_t>> wholeMapOfTensor(const Value& tensor, const PixelMap& map,
                                                   const std::string& layer);

/// A tensor of the graph from the map that holds it; fractions as F32.
Value tensorOfMap(std::span<const double> held, const PixelMap& map, const ElementOrder& order,
                  const Tensor& tensor);

/// How elements of a layer's value lie in its map. Error::Unsupported where the extents do not fit.
Result<ElementOrder> orderOfValue(const CrossbarNetwork& network, const CrossbarLayer& layer);

/// Runs the graph in float32. Errors of runReal().
Result<CrossbarReals> realMaps(const CrossbarNetwork& network, std::span<const Value> inputs, int threads = 0,
                               const TaskContext& task = {});
/// The same without CrossbarReals::maps.
Result<CrossbarReals> realRanges(const CrossbarNetwork& network, std::span<const Value> inputs,
                                 int threads = 0, const TaskContext& task = {});

struct NumbersOptions {
    int weightBits = 16, activationBits = 16;
    int accumulatorBits = 32;
    bool real = false;   ///< No rounding at all: numbers are float.
    bool weights = true; ///< False: LayerNumbers::weights stay empty; LayerWeights reads them part by part.
    bool perChannel = true;                      ///< False: one exponent for the weights of a layer.
    std::uint64_t seed = 1;                      ///< Of the calibration inputs (sampleInputs) …
    int samples = 1;                             ///< … and how many there are.
    std::vector<std::vector<Value>> calibration; ///< Instead of random ones.
    int threads = 0;
};

/// For the widths of \p chip and of its programs.
NumbersOptions numbersOptions(const CrossbarChip& chip);

/// Constants and exponents of one layer; empty where it has none.
struct LayerNumbers {
    bool whole = false;  ///< Its map is held as it is, without limits: the host's whole numbers.
    int exponent = 0;    ///< Of its map.
    int preExponent = 0; ///< Before the fused function; the same where there is none, or Relu or Clip.
    /// Matrix layers. Weights [output channel][(ky * kernelX + kx) * inOfGroup + i]: int16 or float, as
    /// NumbersOptions::real says.
    std::vector<std::int16_t> weights;
    std::vector<float> realWeights;
    std::vector<int> weightExponents; ///< Of each output channel.
    std::vector<int> sumExponents;    ///< Of its accumulators.
    std::vector<double>
        bias; ///< Of each output channel in units of its accumulator, whole unless real; may be empty.
    std::vector<float>
        constant; ///< Element layers: the second operand, one value for each the broadcast tells apart.
    std::vector<double> factor, shift; ///< Normalisations with factors, of each channel.
};

struct CrossbarNumbers {
    int weightBits = 16, activationBits = 16, accumulatorBits = 32;
    bool real = false;
    std::vector<LayerNumbers> layers;
    double weightError = 0; ///< Of all weights: sqrt(sum of squared rounding errors / sum of squares).

    /// Elements of map \p layer for reals, and back.
    std::vector<std::int64_t> held(LayerId layer, std::span<const float> reals) const;
    std::vector<float> reals(LayerId layer, std::span<const std::int64_t> held) const;
    /// One element for the host, which computes with all its digits, and back.
    double toHost(LayerId layer, std::int64_t held) const;
    std::int64_t fromHost(LayerId layer, double value) const;
};

/// Errors: those of realMaps(); NotFound where weights are absent; Unsupported with the layer.
Result<CrossbarNumbers> quantiseNetwork(const CrossbarNetwork& network, const NumbersOptions& options = {},
                                        const TaskContext& task = {});

} // namespace pim
