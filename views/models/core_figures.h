// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One figure for each innermost part of a machine (core, bank, array), to colour its floorplan by.
/// Flow: Plan + op -> [CoreFigures] -> floorplan, tree.
#include "core/plan/plan.h"
#include "views/common/palette.h"

#include <QString>

#include <functional>
#include <vector>

namespace pim::views {

/// What parts can be coloured by.
struct FigureChoice {
    int id = 0; ///< Among the choices of a family; kept with a project.
    QString name, meaning;
    bool isSlow = false; ///< Worked out on a worker thread.
};

/// What a part does, where that is one of few things instead of an amount.
struct FigureKind {
    double value = 0;
    Role color = Role::Compute;
    QString letter, words;  ///< On a part and in the legend.
    bool isHatched = false; ///< A second cue beside the colour.
};

/// One figure an innermost instance.
struct CoreFigures {
    FigureChoice choice;
    std::vector<double> values;          ///< Machine order; negative: takes no part. Empty: there are none.
    double most = 0;                     ///< Top of the scale; 0: the largest value.
    std::vector<FigureKind> kinds;       ///< Empty: values lie on a scale.
    std::function<QString(double)> text; ///< A value with its unit.
    QString note;                        ///< Why there are none, in words.

    const FigureKind* kind(double value) const {
        for (const FigureKind& each : kinds)
            if (each.value == value)
                return &each;
        return nullptr;
    }
};

/// Who takes each innermost part of a machine whose parts are not all filled alike.
struct ArrayUses {
    enum class By : std::uint8_t { Nobody, Others, Op };
    std::int64_t arrayBytes = 0; ///< Capacity of one.
    std::vector<By> takenBy;     ///< Machine order.
};

/// The figures of a family whose plans fill the parts one by one. The functions are given its plans alone.
struct ArrayFigures {
    std::vector<FigureChoice> choices; ///< In the order they are offered.
    /// \p op may be invalid. Called on worker threads too.
    std::function<CoreFigures(const Plan& plan, OpId op, int choice)> figures;
    std::function<ArrayUses(const Plan& plan, OpId op)> uses;
};

} // namespace pim::views
