// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/series_look.h"

#include "views/common/palette.h"

#include <qcustomplot.h>

#include <array>

namespace pim::views {
namespace {

struct SeriesLook {
    Role ink;
    QCPScatterStyle::ScatterShape shape;
    char16_t mark; ///< The shape as a letter.
};

const SeriesLook& lookOf(std::size_t series) {
    static const std::array kLooks{SeriesLook{Role::Compute, QCPScatterStyle::ssDisc, u'●'},
                                   SeriesLook{Role::MemoryIn, QCPScatterStyle::ssSquare, u'■'},
                                   SeriesLook{Role::Transfer, QCPScatterStyle::ssDiamond, u'◆'},
                                   SeriesLook{Role::Switching, QCPScatterStyle::ssTriangle, u'▲'},
                                   SeriesLook{Role::Rewriting, QCPScatterStyle::ssCross, u'×'}};
    return kLooks[series % kLooks.size()];
}

} // namespace

QColor seriesInk(std::size_t series) {
    return color(lookOf(series).ink);
}

void styleSeries(QCPGraph* graph, std::size_t series) {
    const QColor ink = seriesInk(series);
    graph->setPen(QPen(ink, 2));
    graph->setScatterStyle(QCPScatterStyle(lookOf(series).shape, ink, ink, 8));
}

QString seriesMark(std::size_t series) {
    return QStringLiteral("<span style=\"color:%1\">%2</span>")
        .arg(seriesInk(series).name(), QString(QChar(lookOf(series).mark)));
}

} // namespace pim::views
