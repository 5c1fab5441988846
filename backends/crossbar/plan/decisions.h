// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the user may decide about a network on crossbar cores, as text. Of the whole network (op ""): "mode"
/// (ht | ll), "strategy", "stage-layers" (layers per stage of the high-throughput pipeline: mapped | auto | N), "tiles" (of the
/// low-latency pipeline, for maps of so many rows: mapped | none | N). Of a layer, by
/// the name of any op done in it: "replicas", "unfolding", "cores"
/// ("0.2=17 1.0=4": array group 2 of replica 0 lies in core 17, …). Flow: decisions -> CrossbarOptions +
/// LayerWish -> mapNetwork().
#include "backends/crossbar/mapping.h"
#include "core/plan/override.h"

#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// Applies those of the whole network to \p options, gives those of layers. Errors: IllegalOverride with what
/// is allowed.
Result<std::vector<LayerWish>> crossbarWishes(const CrossbarNetwork& network, const CrossbarChip& chip,
                                              const std::vector<Override>& decisions,
                                              CrossbarOptions& options);
/// Would the machine still hold the network with this decision? Cheap: from the arrays that are free in \p
/// mapping.
Result<void> checkCrossbarDecision(const CrossbarNetwork& network, const CrossbarChip& chip,
                                   const CrossbarMapping& mapping, const Override& decision);

/// Matrix layer in which an op is done; invalid: none.
MatrixId crossbarEntryOf(const CrossbarNetwork& network, std::string_view op);

/// Canonical text of pins, sorted; what field "cores" holds.
std::string coresText(std::vector<PinnedGroup> cores, int groups);
/// Reads it. Error::IllegalOverride with the word that is not understood.
Result<std::vector<PinnedGroup>> coresFromText(std::string_view text, int groups);

} // namespace pim
