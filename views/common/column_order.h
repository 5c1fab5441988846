// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which columns of a table are in sight where its panel is narrow.
#include <vector>

class QTableView;

namespace pim::views {

/// Puts these columns of the model before all others, which keep their order. The user may move them.
void showFirst(QTableView& table, const std::vector<int>& columns);

} // namespace pim::views
