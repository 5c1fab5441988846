// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Points of a sweep as the window shows them: rows of text and figures, and the same as columns of numbers for pictures.
#include "views/models/family_panels.h"
#include "views/sweep/point_brushes.h"

#include <QHash>
#include <QStringList>

#include <cstdint>
#include <string>
#include <vector>

namespace pim::views {

struct SweepRow {
    QStringList values; ///< Of each swept thing, in the order of SweepData::names.
    double ns = 0;
    double baselineNs = 0;
    double macsPerSecond = 0;
    std::vector<double> figures; ///< In the order of SweepData::figures; NaN: the point has none.
    std::int64_t turn = 0;       ///< How many points were computed before it.
    bool isBest = false;         ///< As SweepMarks::best.
    bool isOnFront = false;      ///< As SweepMarks::front.
    QString error;               ///< Why there are no figures; empty if there are.
    bool isLeftOut = false;      ///< By a condition, which is the error.

    double speedup() const { return error.isEmpty() && ns > 0 ? baselineNs / ns : 0; }
};

/// The first name is the x axis, each combination of the others is a line.
struct SweepData {
    QString what;      ///< "BERT-large on dynaplasia"
    QString baseline;  ///< "all arrays compute (CIM-MLC-like)"
    QStringList names; ///< "sequence length", "batch", "target"
    std::vector<SweepRow> rows;
    std::int64_t size = 0;               ///< Rows when it is complete.
    std::vector<SweepFigure> figures;    ///< Of the families swept over; the first is drawn as well.
    std::vector<std::string> objectives; ///< As SweepMarks::objectives.
    int network =
        -1; ///< Which of the names tells networks apart, whose points do not compare; -1: there is one.
    int against = -1; ///< Which of the figures the front sets beside time; -1: work per second.
};

/// What networks are called in a window: without folders and "sample:", unless two of them are then called the same.
QStringList networkNames(const std::vector<std::string>& values);

/// Places of values on an axis: numbers where they are, words one after the other.
class Places {
public:
    /// \param at which of the names.
    explicit Places(const SweepData& data, int at = 0);
    bool isNumeric() const { return m_isNumeric; }
    double of(const QString& word) const { return m_isNumeric ? word.toDouble() : m_places.value(word, -1); }
    const QStringList& words() const { return m_words; }

private:
    QStringList m_words;
    QHash<QString, double> m_places;
    bool m_isNumeric = true;
};

/// What varies, then the figures: time, those of the families and the user's own, and work per second where it is an objective or all there is.
std::vector<PointColumn> pointColumns(const SweepData& data);

} // namespace pim::views
