// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Verbs for crossbar chips alone.
#include "app/pimc/verbs/verbs.h"

namespace pim::cli {

VerbGroup crossbarVerbs();

} // namespace pim::cli
