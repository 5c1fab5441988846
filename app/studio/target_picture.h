// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A machine as a small picture: its devices side by side, the parts of each as cells, as many as its target
/// file says (a few stand for many). Cells of memory that computes and arrays that switch have colours of
/// their own.
#include <QSize>

class QPainter;
class QRectF;

namespace pim {
struct Target;
}

namespace pim::studio {

void paintTarget(QPainter& painter, const QRectF& where, const Target& target);

} // namespace pim::studio
