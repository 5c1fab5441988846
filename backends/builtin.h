// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one list of backends.
#include "core/plan/backend.h"

namespace pim {

/// Every backend the product ships, ready to hand to compile().
BackendList builtinBackends();

} // namespace pim
