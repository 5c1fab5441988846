// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Computes a MatrixForm on whole tensors, in blocks, on a few threads.
#include "core/base/task.h"
#include "core/numeric/matrix_form.h"

#include <span>

namespace pim {

/// Exact 32-bit sums of 8-bit products, [MatrixForm::outIndex]. The operands are those of the form, whole
/// tensors. Error::Cancelled.
Result<std::vector<std::int32_t>> multiplyExact(const MatrixForm& form, std::span<const std::int8_t> input,
                                                std::span<const std::int8_t> weights, int threads,
                                                const TaskContext& task = {});

/// The same in float32; the sums run over n in ascending order.
Result<std::vector<float>> multiplyReal(const MatrixForm& form, std::span<const float> input,
                                        std::span<const float> weights, int threads,
                                        const TaskContext& task = {});

} // namespace pim
