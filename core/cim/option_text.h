// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// CimOptions as text: KEY=VALUE on the command line, a JSON object of the same keys in projects and bundles.
#include "core/base/option_table.h"
#include "core/cim/options.h"

#include <map>
#include <string>
#include <string_view>

namespace pim {

/// In the order they are listed in help.
const std::vector<OptionInfo>& cimOptionInfos();

/// Error::Usage names the key or value not understood and what is allowed.
Result<void> setCimOption(CimOptions& options, std::string_view key, std::string_view value);

/// Every option that is not at its default, key to value; setCimOption() reads them back.
std::map<std::string, std::string> cimOptionTexts(const CimOptions& options);

} // namespace pim
