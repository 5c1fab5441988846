// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Gather over a large constant (an embedding): of its rows, those that are asked for are read, not the
/// table.
#include "core/numeric/element_access.h"

namespace pim {

/// Constants of at least so many elements are read in parts, where they can be.
constexpr std::int64_t kLargeConstant = 8 << 20;

/// Is \p op a Gather along the first axis of a large constant with fractions?
bool takesTableRows(const Graph& graph, OpId op);
/// Its result, bit for bit that of the op: F32 [indices…, row…]. \param indices whole numbers, negative ones
/// from the end. Errors: InvalidModel for a row that is not there; as RealConstant.
Result<Value> tableRows(const Graph& graph, OpId op, const Value& indices);

} // namespace pim
