// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// CrossbarOptions as text: KEY=VALUE on the command line, a JSON object of the same keys in projects and
/// bundles.
#include "backends/crossbar/options.h"
#include "core/base/option_table.h"

#include <optional>
#include <string>
#include <string_view>

namespace pim {

const TypedOptionTable<CrossbarOptions>& crossbarOptionTable();

/// CrossbarOptions::layersAStage: "mapped", "auto" or a number. Nothing: none of these, or more than
/// kMostLayersAStage.
std::string layersAStageText(int layers);
std::optional<int> layersAStageFromText(std::string_view text);
constexpr int kMostLayersAStage = 1000;

/// CrossbarOptions::tilesFromRows: "mapped", "none" or a number of rows. Nothing: none of these.
std::string tilesText(int fromRows);
std::optional<int> tilesFromText(std::string_view text);
constexpr int kMostTileRows = 1000000;

} // namespace pim
