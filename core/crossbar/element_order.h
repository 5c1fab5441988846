// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How the elements of a tensor lie in the map that holds them. Reshapes and transposes change the order, not the map, until
/// somebody needs the elements elsewhere.
#include "core/crossbar/network.h"

#include <memory>
#include <optional>

namespace pim {

/// Element i of the tensor (row-major) is element at(i) of the map of \ref layer.
struct HeldTensor {
    enum class Order : std::uint8_t {
        Linear,  ///< i: tokens, vectors, NHWC.
        Planar,  ///< Channels outermost: NCHW.
        Explicit ///< As \ref from says; -1 is zero.
    };
    int layer = -1; ///< -1: nobody holds it.
    Order order = Order::Linear;
    std::shared_ptr<const std::vector<std::int32_t>> from;

    std::int32_t at(std::int64_t i, const PixelMap& map) const {
        if (order == Order::Explicit)
            return (*from)[std::size_t(i)];
        if (order == Order::Linear)
            return std::int32_t(i);
        return std::int32_t(i % map.pixels() * map.channels + i / map.pixels());
    }
};

/// The same elements moved by \p op (Reshape, Transpose, Slice, Pad with zeros, …), first input \p held; nullopt where the op does
/// more than move. Linear and Planar are recognised again.
std::optional<HeldTensor> movedBy(const Graph& graph, const Op& op, std::size_t output, const HeldTensor& held, const PixelMap& map);

/// Extents of a tensor of this shape where it is a map of its own; nullopt for a batch. Four axes are NCHW, fewer are tokens.
std::optional<PixelMap> mapOf(const Shape& shape);
HeldTensor::Order orderOf(const Shape& shape);

} // namespace pim
