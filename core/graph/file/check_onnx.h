// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Is the model one graph? Every name is defined once and before use, nothing waits for itself, functions do
/// not call themselves. Brings nodes into topological order and notes which outer names subgraphs use.
#include "core/base/task.h"
#include "core/graph/file/onnx_model.h"

namespace pim::file {

/// Errors: InvalidModel naming the node, the tensor and the file; Cancelled.
Result<void> checkModel(RawModel& model, const TaskContext& task);

} // namespace pim::file
