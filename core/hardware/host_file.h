// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Reads one file of resources/targets/hosts.
#include "core/hardware/target.h"

namespace pim {

/// All violations go to \p problems, each with its JSON path; the error sums them up.
Result<Host> readHost(const std::filesystem::path& file, Diagnostics& problems);

} // namespace pim
