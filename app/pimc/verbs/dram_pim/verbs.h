// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Verbs for DRAM-PIM machines alone.
#include "app/pimc/verbs/verbs.h"

namespace pim::cli {

VerbGroup dramPimVerbs();

} // namespace pim::cli
