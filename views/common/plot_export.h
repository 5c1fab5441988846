// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Export of anything drawn: SVG (text stays text), PDF, PNG at 1x to 4x, CSV of the figures behind it, or a
/// copy as an image. One right-click menu for QCustomPlot and for our own painters.
#include "core/base/result.h"

#include <QSize>
#include <QString>

#include <functional>

class QCustomPlot;
class QImage;
class QMenu;
class QPainter;
class QWidget;

namespace pim::views {

/// A drawing that can be put on any paint device.
struct ExportSource {
    QString name;                         ///< File name offered, without extension.
    std::function<QSize()> size;          ///< In device-independent pixels.
    std::function<void(QPainter&)> paint; ///< Paints all of size(), background included.
    std::function<QString()> csv; ///< Figures, unrounded, header line with units; empty: no CSV offered.
    /// What happened when, as a file for trace viewers (.json); empty: not offered. Errors: Usage, Io.
    std::function<Result<void>(const QString& path)> trace{};
};

ExportSource exportSource(QCustomPlot* plot, const QString& name);

/// Adds SVG, PDF, PNG, CSV and copy actions to a menu; each asks for a file name.
void addExportActions(QMenu* menu, QWidget* parent, const ExportSource& source);

/// The same as the widget's right-click menu.
void installPlotExport(QWidget* widget, const ExportSource& source);
void installPlotExport(QCustomPlot* plot, const QString& name);

/// Writes one file; the suffix (.svg, .pdf, .png, .csv, .json) says what. \p scale counts for PNG: pixels a unit, 1
/// … 4. Errors: Usage (unknown suffix, nothing to draw), Io.
Result<void> exportTo(const ExportSource& source, const QString& path, int scale = 1);
/// Clamped so that no side exceeds 16 384 pixels.
QImage renderImage(const ExportSource& source, int scale);

/// Fields joined for one CSV line; quoted where needed (RFC 4180).
QString csvLine(const QStringList& fields);
/// A number as text that reads back to the same number.
QString exactNumber(double value);

} // namespace pim::views
