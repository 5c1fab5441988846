// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How panels stand in a small window, or with a large font: a panel squeezed to a strip shows nothing, a tab is a
/// click away.
#include "app/studio/arrangement.h"

namespace pim::studio {

/// What of defaultArrangement() a window of this size, counted in lines of its text, has room for. Cells of a column
/// become tabs of one, columns become tabs of another; no panel is left out.
Arrangement fittedArrangement(Question question, PlanKind kind, int linesWide, int linesHigh);

} // namespace pim::studio
