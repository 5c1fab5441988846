// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Verbs for dual-mode chips alone.
#include "app/pimc/verbs/verbs.h"

namespace pim::cli {

VerbGroup dualModeVerbs();

} // namespace pim::cli
