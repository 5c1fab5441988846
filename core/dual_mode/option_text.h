// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// DualModeOptions as text: KEY=VALUE on the command line, a JSON object of the same keys in projects and bundles.
#include "core/base/option_table.h"
#include "core/dual_mode/options.h"

#include <map>
#include <string>
#include <string_view>

namespace pim {

/// In the order they are listed in help.
const std::vector<OptionInfo>& dualModeOptionInfos();

/// Error::Usage names the key or value not understood and what is allowed.
Result<void> setDualModeOption(DualModeOptions& options, std::string_view key, std::string_view value);

/// Every option that is not at its default, key to value; setDualModeOption() reads them back.
std::map<std::string, std::string> dualModeOptionTexts(const DualModeOptions& options);

} // namespace pim
