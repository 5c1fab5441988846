// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tables and figures of a paper as rows of what was published and what we compute. Flow: rows -> [document, JSON].
#include "core/plan/document.h"

#include <optional>
#include <string>
#include <vector>

namespace pim::evaluation {

/// One number, or the range of several cases.
struct Spread {
    std::optional<double> low, mean, high;
};

struct PaperRow {
    std::string subject; ///< "vgg16, batch 4"
    std::string what;    ///< "speed-up"
    Spread published, ours;
    std::string reason; ///< Why they differ, or what ours is.
};

struct PaperTable {
    std::string place; ///< "Figure 14"
    std::string title;
    std::vector<PaperRow> rows;
    std::string note; ///< For all rows.
};

struct PaperEvaluation {
    std::string paper; ///< "cmswitch"
    std::string headline, lead;
    std::vector<PaperTable> tables;
};

report::Document paperDocument(const PaperEvaluation& evaluation);
std::string paperJson(const PaperEvaluation& evaluation);

/// Geometric mean, least and largest of \p values; nothing of none.
Spread spreadOf(const std::vector<double>& values);

} // namespace pim::evaluation
