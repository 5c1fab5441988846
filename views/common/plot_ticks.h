// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ticks of plots that a person can read: few, round, with the unit of the figure ("10 µs", not "10^4" with a
/// lonely "ns" beside it), on linear and on logarithmic axes of any extent.
#include <QString>

#include <functional>

#include <qcustomplot.h>

namespace pim::views {

/// "2 ms" of "2.000 ms": a tick is a round number, its trailing zeros say nothing.
QString withoutTrailingZeros(const QString& figure);

class FigureTicker : public QCPAxisTicker {
public:
    /// \p text: what a value is called, with its unit. \p base: what round numbers are powers of, 10 or
    /// (bytes) 2.
    FigureTicker(std::function<QString(double)> text, int base = 10);
    QString text(double value) const { return m_text(value); }

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
    double getTickStep(const QCPRange& range) override;

    int base() const { return m_base; }

private:
    std::function<QString(double)> m_text;
    int m_base;
};

/// The same for a logarithmic axis: 1, 2, 5, 10, … where they fit, else only each so many-th power.
class LogFigureTicker : public FigureTicker {
public:
    using FigureTicker::FigureTicker;

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
};

} // namespace pim::views
