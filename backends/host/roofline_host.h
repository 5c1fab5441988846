// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Prices every op of a graph on the host: the formulas of roofline.h applied to the shapes of the op.
#include "core/plan/host_model.h"

namespace pim {

class RooflineHost final : public HostModel {
public:
    HostCost cost(const Graph& graph, OpId op, const Host& host, DataType computeType) const override;
};

} // namespace pim
