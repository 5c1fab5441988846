// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tables of published numbers: resources/evaluation/*.csv. Lines of a '#' say where they are from, the first other line names
/// the columns; no field holds a comma.
#include "core/base/result.h"

#include <string_view>
#include <vector>

namespace pim::evaluation {

using PublishedRow = std::vector<std::string>;

/// All rows but the names. \param columns how many there are.
/// Errors: Io; InvalidFile for another number of fields, or no rows.
Result<std::vector<PublishedRow>> publishedRows(std::string_view file, std::size_t columns);

} // namespace pim::evaluation
