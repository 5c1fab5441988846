// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Verbs for UPMEM alone.
#include "app/pimc/verbs/verbs.h"

namespace pim::cli {

VerbGroup upmemVerbs();

} // namespace pim::cli
