// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The simplest flow there is: one block an op, all arrays compute, activations in main memory. It uses every
/// way to cut an operator, and as many copies as fit.
#include "backends/dual_mode/flow/flow.h"
#include "core/numeric/quantized_model.h"

namespace pim::test {

DualModeFlow plainFlow(const QuantizedModel& model, int arrays, int rows, int columns);

} // namespace pim::test
