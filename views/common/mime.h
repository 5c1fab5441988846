// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is dragged from one view to another.

namespace pim::views {

inline constexpr const char* kMimeOp = "application/x-pim-op"; ///< Op name, UTF-8.

} // namespace pim::views
