// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one op of a graph is on crossbar cores.
#include "backends/crossbar/element_order.h"

#include <span>

namespace pim {

/// Work of one op and which of its tensors it reads.
struct OpLayer {
    LayerWork work;
    std::vector<TensorId> operands; ///< Not the constants.
    bool asHeld = false;            ///< Operands may stay in the order they are held in.
    bool ownOutput = false;         ///< Its output is a map of its own all the same.
    bool samePixels = false;        ///< Output pixels are those of the input: they keep their rows.
};

/// Numbers without fractions, truth values among them. Cores hold numbers with fractions, in fixed point.
constexpr bool isWhole(DataType type) {
    return type >= DataType::I8 && type <= DataType::Bool;
}

/// Somebody asks for it: another op, or who runs the network.
inline bool isWanted(const Tensor& tensor) {
    return tensor.isOutput || !tensor.consumers.empty();
}

/// Error::Unsupported: why no core can do it.
Result<OpLayer> layerWork(const Graph& graph, const Op& op, std::span<const HeldTensor> held,
                          std::span<const CrossbarLayer> layers, const CrossbarChip& chip);

/// Adds a constant per channel to the bias of \p before, if that is what \p op does; scales are folded where a bias is free.
bool fuseBias(const Graph& graph, const Op& op, TensorId source, CrossbarLayer& before);
/// Makes \p op the activation of \p before, if it is one the vector unit has.
bool fuseActivation(const Graph& graph, const Op& op, const CrossbarChip& chip, CrossbarLayer& before);

} // namespace pim
