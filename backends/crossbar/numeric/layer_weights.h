// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Weights of one layer in the order of its windows, read from the model a few output channels at a time: a
/// layer of half a gigabyte needs a few megabytes of memory. Flow: CrossbarLayer -> [LayerWeights] ->
/// LayerNumbers, weight image.
#include "backends/crossbar/numeric/group_weights.h"

#include <functional>

namespace pim {

class LayerWeights {
public:
    /// \p layer has MatrixWork; network and layer outlive it. Errors: NotFound where weights are absent;
    /// Unsupported where they do not fit the layer.
    static Result<LayerWeights> open(const CrossbarNetwork& network, const CrossbarLayer& layer);

    int channels() const { return m_work->outChannels; }      ///< Of the output.
    std::int64_t rows() const { return m_places * m_inputs; } ///< Weights of a channel.

    /// Weights of channels [begin, end), with the factor of a Gemm: [channel - begin][(ky * kernelX + kx) *
    /// inOfGroup + i]. Errors: Io.
    Result<void> read(int begin, int end, std::vector<float>& to) const;
    /// Those of \p range as LayerNumbers::weights has them; \p numbers has the exponents.
    Result<void> readFixed(const WeightRange& range, const LayerNumbers& numbers, int bits,
                           std::vector<std::int16_t>& to) const;

    /// Calls \p visit(begin, end, weights) until all channels were there.
    using Visitor = std::function<void(int begin, int end, std::span<const float> weights)>;
    Result<void> forAll(const Visitor& visit) const;

private:
    LayerWeights(const MatrixWork& work, RealConstant constant);
    int channelsAtOnce() const;
    Result<void> readOutputFirst(int begin, int end, std::vector<float>& to) const;
    Result<void> readInputFirst(int begin, int end, std::vector<float>& to) const;
    Result<void> readTurned(int begin, int end, std::vector<float>& to) const;

    const MatrixWork* m_work;
    RealConstant m_constant;
    std::int64_t m_places, m_inputs;
};

} // namespace pim
