// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a CrossbarNetwork has to compute in fixed point: layer by layer on whole maps, with exact sums,
/// knowing nothing of arrays, cores or programs. Flow: CrossbarNetwork + CrossbarNumbers + inputs ->
/// [reference maps] -> comparison.
#include "backends/crossbar/numeric/numbers.h"
#include "core/base/task.h"

#include <functional>

namespace pim {

/// Elements of a map in fixed point; [layer] -> map.
using CrossbarMaps = std::vector<std::vector<std::int64_t>>;

/// \param inputs one a graph input. \param numbers not real. Errors: Usage (inputs that do not fit),
/// Unsupported (a layer of the host nothing here computes), Cancelled.
Result<CrossbarMaps> referenceMaps(const CrossbarNetwork& network, const CrossbarNumbers& numbers,
                                   std::span<const Value> inputs, int threads = 0,
                                   const TaskContext& task = {});

/// Maps of the input layers for \p inputs, in fixed point; the others are empty.
Result<CrossbarMaps> inputMaps(const CrossbarNetwork& network, const CrossbarNumbers& numbers,
                               std::span<const Value> inputs);

/// A layer of the host: its op in float32, or on whole numbers. \param mapOf gives the maps of its inputs.
/// \returns its map. Errors: those of runRealOp().
Result<std::vector<double>> hostLayer(const CrossbarNetwork& network, LayerId layer,
                                      const std::function<std::vector<double>(LayerId input)>& mapOf,
                                      int threads = 0);

} // namespace pim
