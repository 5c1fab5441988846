// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How the elements of a tensor lie in the map that holds them. Reshapes and transposes change the order, not the map, until
/// somebody needs the elements elsewhere.
#include "backends/crossbar/network.h"

#include <optional>

namespace pim {

/// The same elements moved by \p op (Reshape, Transpose, Slice, Pad with zeros, …), first input \p held; nullopt where the op does
/// more than move. Linear and Planar are recognised again.
std::optional<HeldTensor> movedBy(const Graph& graph, const Op& op, std::size_t output,
                                  const HeldTensor& held, const PixelMap& map);

/// The order that an element order of a map of \p map has, by its name where it has one.
ElementOrder recognisedOrder(std::vector<std::int32_t> from, const PixelMap& map);

/// Extents of a tensor of this shape where it is a map of its own; nullopt for a batch. Four axes are NCHW.
/// Others are tokens: rows of one pixel each, so that a core has to do with whole tokens, however many there
/// are.
std::optional<PixelMap> mapOf(const Shape& shape);
HeldTensor::Order orderOf(const Shape& shape);

} // namespace pim
