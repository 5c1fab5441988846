// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A model as it may be shown to others: its structure, without the numbers of its weights. Flow: model file -> [modelWithoutWeights] ->
/// model file of some KiB, which opens as one whose weights are elsewhere.
#include "core/base/task.h"

#include <filesystem>
#include <string>

namespace pim {

/// Of initializers, constants of nodes and of training, in all subgraphs and functions, shape and type stay and the numbers go; so do
/// lists of floats in attributes. Kept are lists of up to 8 numbers (an epsilon, the scales of a Resize) and integers of 4 and 8 bytes up to
/// 128 of them: shapes come from those. Names, texts and metadata stay as they are. Weights are not even read.
/// Errors: Io, InvalidFile (damaged, or nested too deep), Cancelled.
Result<std::string> modelWithoutWeights(const std::filesystem::path& model, const TaskContext& task = {});

} // namespace pim
