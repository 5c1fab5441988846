// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Verbs of the CINM flow.
#include "app/pimc/verbs/verbs.h"

namespace pim::cli {

VerbGroup cinmVerbs();

} // namespace pim::cli
