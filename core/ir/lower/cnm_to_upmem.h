// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// cnm -> upmem: devices are DPUs, units their tasklets, buffers arrays in MRAM; a launch names the kernel of the UPMEM family
/// that does its work.
#include "core/ir/rewrite.h"

namespace pim::ir {

/// What is known of the kernel of a launch, by the op of the cnm level: attributes for it.
using KernelOf = std::function<Attributes(OperationId)>;
Rewriter::Rule toUpmem(KernelOf kernelOf);
Result<Module> lowerToUpmem(const Module& cnm, KernelOf kernelOf = {});

} // namespace pim::ir
