// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// DualModeOptions as text: KEY=VALUE on the command line, a JSON object of the same keys in projects and bundles.
#include "backends/dual_mode/options.h"
#include "core/base/option_table.h"

namespace pim {

const TypedOptionTable<DualModeOptions>& dualModeOptionTable();

} // namespace pim
