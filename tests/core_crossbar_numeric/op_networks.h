// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Small networks that together have every kind of layer crossbar cores know.
#include "core/graph/graph.h"

#include <memory>
#include <string>
#include <vector>

namespace pim::test {

std::vector<std::string> opNetworkNames();
Result<std::shared_ptr<const Graph>> opNetwork(const std::string& name);

} // namespace pim::test
