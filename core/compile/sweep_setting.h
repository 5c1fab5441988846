// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What one value of an axis of a sweep is to a compile. Used by sweeps alone.
#include "core/compile/sweep.h"

#include <optional>
#include <utility>

namespace pim {

/// Error::Usage for what is no number from 1 on.
Result<std::int64_t> sizeFrom(const std::string& text, const std::string& where);
/// "fuse_gelu.form"
bool isPassOption(std::string_view axis);
/// \param target id of the backend whose options are meant by a name alone. "simulate" and "quick" are checked and change nothing.
Result<void> setOption(const BackendList& backends, CompileOptions& options, const std::string& option,
                       const std::string& value, std::string_view target);
/// "placement:fc1" -> field and op. Either may have a colon in its name, so the op is the one there is.
std::optional<std::pair<std::string, OpId>> decisionOf(const Graph& graph, const std::string& axis);
/// Empty without a target.
std::string_view backendOf(const PlanRequest& request);

} // namespace pim
