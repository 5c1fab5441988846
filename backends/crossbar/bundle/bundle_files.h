// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a chip of crossbar cores is loaded with beside its program, as files in the folder chip/ of a bundle:
///   mapping.json     array groups, their cores, addresses of maps (mapping_file.h)
///   weights.json     which crossbar holds what; weights.bin: the cells (numeric/weight_image.h)
///   parameters.json  parameter blocks of the vector operations: exponents, biases, factors, constants
///   primitives.json  which sets of primitives the program can be said in, and NAME.txt with it, or why not
/// Files are written as they are made: memory does not depend on the size of the weights.
/// Flow: CrossbarPlan -> [writeCrossbarFiles] -> bundle.
#include "backends/crossbar/plan/plan.h"

#include <filesystem>

namespace pim {

/// Writes into \p folder, which exists. \returns the names of the files. A model whose weights are absent, or
/// cannot be held in fixed point, gets manifests that say so. Errors: Io, Cancelled, Internal.
Result<std::vector<std::string>> writeCrossbarFiles(const CrossbarPlan& plan,
                                                    const std::filesystem::path& folder,
                                                    const TaskContext& task = {});

} // namespace pim
