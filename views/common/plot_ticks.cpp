// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot_ticks.h"

#include <algorithm>
#include <cmath>

namespace pim::views {

QString withoutTrailingZeros(const QString& figure) {
    const qsizetype space = figure.indexOf(QLatin1Char(' ')), end = space < 0 ? figure.size() : space;
    const qsizetype point = figure.indexOf(QLatin1Char('.'));
    if (point < 0 || point > end)
        return figure;
    qsizetype keep = end;
    while (figure[keep - 1] == QLatin1Char('0'))
        --keep;
    if (keep - 1 == point)
        --keep;
    return figure.left(keep) + figure.mid(end);
}

FigureTicker::FigureTicker(std::function<QString(double)> text, int base)
    : m_text(std::move(text)), m_base(base) {
    setTickCount(3); // panels are narrow
}

double FigureTicker::getTickStep(const QCPRange& range) {
    if (m_base == 10)
        return QCPAxisTicker::getTickStep(range);
    const double raw = range.size() / tickCount();
    return raw > 0 ? std::exp2(std::ceil(std::log2(raw))) : 1;
}

QVector<double> FigureTicker::createTickVector(double tickStep, const QCPRange& range) {
    return QCPAxisTicker::createTickVector(tickStep, range);
}

QVector<double> FigureTicker::createSubTickVector(int, const QVector<double>&) {
    return {}; // between so few ticks they would only be read wrong
}

QString FigureTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return withoutTrailingZeros(m_text(tick));
}

QVector<double> LogFigureTicker::createTickVector(double tickStep, const QCPRange& range) {
    if (range.lower <= 0)
        return FigureTicker::createTickVector(tickStep, range);
    const int most = tickCount() + 1;
    const auto thinned = [most](const QVector<double>& all) {
        const qsizetype every = (all.size() + most - 1) / most;
        QVector<double> some;
        for (qsizetype i = 0; i < all.size(); i += every)
            some.append(all[i]);
        return some;
    };
    if (base() == 2) {
        QVector<double> powers;
        for (double at = std::exp2(std::ceil(std::log2(range.lower))); at <= range.upper; at *= 2)
            powers.append(at);
        return powers.size() < 2 ? FigureTicker::createTickVector(getTickStep(range), range)
                                 : thinned(powers);
    }
    const auto within = [&](std::initializer_list<double> factors) {
        QVector<double> ticks;
        const int first = static_cast<int>(std::floor(std::log10(range.lower))),
                  last = static_cast<int>(std::floor(std::log10(range.upper)));
        for (int power = first; power <= last; ++power)
            for (const double factor : factors)
                if (const double at = factor * std::pow(10, power); at >= range.lower && at <= range.upper)
                    ticks.append(at);
        return ticks;
    };
    QVector<double> decades = within({1});
    if (decades.size() > most)
        return thinned(decades);
    for (const auto& finer : {within({1, 2, 5}), within({1, 3}), decades})
        if (finer.size() >= 2 && finer.size() <= most)
            return finer;
    if (decades.size() >= 2)
        return decades;
    // Less than from 1 to 2 or so: round numbers, of which the outer ones stand closest.
    return FigureTicker::createTickVector(getTickStep(range), range);
}

} // namespace pim::views
