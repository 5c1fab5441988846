// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A machine as a small picture: its devices side by side, the parts of each as cells, as many as its target
/// file says (a few stand for many).
#include "views/common/palette.h"

#include <vector>

class QPainter;
class QRectF;

namespace pim {
struct Target;
}

namespace pim::studio {

/// \param cellColors in turn for the cells, see FamilyPanels; not empty.
void paintTarget(QPainter& painter, const QRectF& where, const Target& target,
                 const std::vector<views::Role>& cellColors);

} // namespace pim::studio
