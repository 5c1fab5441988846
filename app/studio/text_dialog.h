// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A text to read and to copy, beside the window rather than in its way.
#include <QString>

class QDialog;
class QWidget;

namespace pim::studio {

/// Shows it; it deletes itself when it is closed. \param heading rich text above \p text.
QDialog* showText(QWidget* parent, const QString& title, const QString& heading, const QString& text);

} // namespace pim::studio
