// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How several series of one plot are told apart: by colour and by shape, the same in every plot of a sweep.
#include <QColor>
#include <QString>

#include <cstddef>

class QCPGraph;

namespace pim::views {

/// After five series they repeat.
QColor seriesInk(std::size_t series);
/// Pen and points of a line.
void styleSeries(QCPGraph* graph, std::size_t series);
/// The shape in its colour, for a legend in rich text.
QString seriesMark(std::size_t series);

} // namespace pim::views
