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
/// A convolution of 24 channels on 9 x 8 pixels, and a dense layer of 200 that reads all of them.
Result<std::shared_ptr<const Graph>> wideDenseNetwork();

} // namespace pim::test
