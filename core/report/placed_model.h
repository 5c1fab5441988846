// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The model of a plan as ONNX again, with what was decided as metadata of its nodes. Flow: Plan -> [placedModel] ->
/// core/graph/model_metadata.h -> .onnx, which Netron shows and every reader of ONNX opens.
#include "core/graph/model_metadata.h"
#include "core/plan/plan.h"

namespace pim {

/// Keys begin with "pimstudio.". Of the model: target, host, total_ns, host_only_ns, speedup, origin, bindings. Of a node: op (what
/// the passes made of it, all nodes of a fused op alike), placement, device, ns and share of that op (of all of them where the node
/// became several), draft, reason. A node that no op stands for was computed before the network runs, or is not needed.
ModelMetadata placedModel(const Plan& plan);

} // namespace pim
