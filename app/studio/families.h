// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one list of families of hardware that the window knows.
#include "views/models/family_panels.h"

namespace pim::studio {

views::FamilyList families();

} // namespace pim::studio
