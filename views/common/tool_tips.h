// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Tooltips of what is painted, not a widget.
#include <QHelpEvent>
#include <QToolTip>

namespace pim::views {

/// Shows over \p widget what \p tipAt says of the place that \p event asks about; an empty text hides what is shown.
/// \returns whether it asked, and the event is done with.
template <class TipAt>
bool answerToolTip(QEvent* event, QWidget* widget, const TipAt& tipAt) {
    if (event->type() != QEvent::ToolTip)
        return false;
    const auto* const help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), tipAt(help->pos()), widget);
    return true;
}

} // namespace pim::views
