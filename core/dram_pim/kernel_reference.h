// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a kernel computes, in double precision, loop by loop: the truth that code run on PIM units is
/// compared with.
#include "core/base/result.h"
#include "core/kernel/kernel.h"

namespace pim {

/// \param tensors one a tensor of the kernel, row-major; outputs start at zero (max: -inf, min: +inf, InOut:
/// as given). Error::Unsupported for an element-wise function nobody here knows, Error::Usage for sizes that
/// do not fit and indices that a table does not have. Takes time by the iterations of the kernel.
Result<std::vector<std::vector<double>>> runKernel(const Kernel& kernel,
                                                   std::vector<std::vector<double>> tensors);

} // namespace pim
