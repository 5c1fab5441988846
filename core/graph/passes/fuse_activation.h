// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Products x * f(x) * constant in whatever order an exporter multiplies them.
#include "core/graph/passes/rewriter.h"

namespace pim {

/// Follows \p start forward through Mul until it has been multiplied by \p x and by \p factor, once each, in
/// any order and also as x * factor first. Adds the Muls to \p parts. \returns the product; invalid if it is
/// none.
TensorId matchProduct(const Rewriter& rewriter, TensorId start, TensorId x, double factor,
                      std::vector<const Op*>& parts);

} // namespace pim
