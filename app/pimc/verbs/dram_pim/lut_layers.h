// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The answer of `pimc lut-tune --target` for HBM-PIM and AiM: layers in, mappings and times out.
#include "app/pimc/session.h"
#include "core/hardware/target.h"

#include <optional>

namespace pim::cli {

struct LutLayerArguments {
    std::string file; ///< Columns N, CB, CT, F.
    bool simulates = false;
    std::optional<int> accumulators; ///< AiM alone.
    bool sendsIndices = false;
};

/// Prints one answer for each row, in order; a row that cannot be read is answered with the reason. Errors: as LutMachine::of; Usage
/// for accumulators of another machine; InvalidFile; Cancelled.
Result<void> answerLutLayers(Session& session, const Target& target, const LutLayerArguments& arguments);

} // namespace pim::cli
