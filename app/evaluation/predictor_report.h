// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Table II in the report of the evaluation. Flow: [PredictorRow] -> section, text, JSON.
#include "app/evaluation/predictor_table.h"
#include "core/plan/document.h"

#include <span>
#include <string>

namespace pim::evaluation {

report::Section predictorSection(std::span<const PredictorRow> rows);
/// A table for a terminal.
std::string predictorText(std::span<const PredictorRow> rows);
/// JSON. Shares in per cent, times in ns; every size with what was chosen and what is best.
std::string predictorJson(std::span<const PredictorRow> rows);

} // namespace pim::evaluation
