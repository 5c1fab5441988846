// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/origin_style.h"

namespace pim::views {

QString figureText(Origin origin, const std::string& figure) {
    const QString text = QString::fromStdString(figure);
    return origin == Origin::Predicted ? QStringLiteral("≈ ") + text : text;
}

QString figureHtml(Origin origin, const std::string& figure) {
    const QString text = figureText(origin, figure).toHtmlEscaped();
    return origin == Origin::Predicted ? QStringLiteral("<i>%1</i>").arg(text) : text;
}

QFont originFont(Origin origin, QFont font) {
    font.setItalic(origin == Origin::Predicted);
    return font;
}

} // namespace pim::views
