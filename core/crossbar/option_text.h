// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// CrossbarOptions as text: KEY=VALUE on the command line, a JSON object of the same keys in projects and
/// bundles.
#include "core/base/option_table.h"
#include "core/crossbar/options.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// In the order they are listed in help.
const std::vector<OptionInfo>& crossbarOptionInfos();

/// Error::Usage names the key or value not understood and what is allowed.
Result<void> setCrossbarOption(CrossbarOptions& options, std::string_view key, std::string_view value);

/// CrossbarOptions::layersAStage: "mapped", "auto" or a number. Nothing: none of these, or more than
/// kMostLayersAStage.
std::string layersAStageText(int layers);
std::optional<int> layersAStageFromText(std::string_view text);
constexpr int kMostLayersAStage = 1000;

/// CrossbarOptions::tilesFromRows: "mapped", "none" or a number of rows. Nothing: none of these.
std::string tilesText(int fromRows);
std::optional<int> tilesFromText(std::string_view text);
constexpr int kMostTileRows = 1000000;

/// Every option that is not at its default, key to value; setCrossbarOption() reads them back.
std::map<std::string, std::string> crossbarOptionTexts(const CrossbarOptions& options);

} // namespace pim
