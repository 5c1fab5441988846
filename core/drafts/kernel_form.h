// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What kernels have in common whatever their sizes, and the sizes: what one predictor serves, and what a
/// person looks for in a list of kernels.
#include "core/plan/plan.h"

namespace pim {

/// Body, which loops run over which tensors, and what is resident: "mac w[01] [02] [012]r".
std::string kernelForm(const Kernel& kernel, const std::vector<Residency>& residency);

/// "b=1 n=4096 k=1024", outermost loop first.
std::string kernelSizes(const Kernel& kernel);

} // namespace pim
