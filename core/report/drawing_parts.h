// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What drawings share: how much room text takes, names that fit it, and the axis of time.
#include "core/plan/document.h"

#include <string_view>

namespace pim::report {

inline constexpr double kTextSize = 11;

/// Pixels of a line of kTextSize, about: fonts differ.
double widthOf(std::string_view text);
/// At most \p most columns beside an ellipsis. Keeps both ends of a name: they are what tells one layer from the next.
std::string shortened(const std::string& text, std::size_t most);
/// "10.00 G" as "10 G": an axis names round values, digits would only claim precision.
std::string rounded(std::string text);
std::string timeTick(double ns);
/// Vertical lines with times below them.
void addTimeAxis(Drawing& drawing, double left, double width, double top, double bottom, double largestNs);

} // namespace pim::report
