// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a report says, for a person who was not there.
#include "core/plan/document.h"
#include "core/report/report.h"

namespace pim::report {

Document reportDocument(const ReportInput& input);

/// The model as a person calls it: the name of its file, else of its graph.
std::string modelName(const Graph& graph);
/// "n (4 096) over 64 groups × 16 cores, 4 each"; what is not split is left out.
std::string draftInWords(const TilingSpace& space, const Draft& draft);

} // namespace pim::report
