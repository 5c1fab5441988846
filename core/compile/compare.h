// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Two drafts set against each other, predictions set against simulations, and what an amount lacks where a
/// draft was rejected. Pure: no state, no clock.
#include "core/compile/facts.h"
#include "core/plan/simulation.h"

#include <optional>
#include <span>

namespace pim {

/// One fact of A and B; absent where one of them does not have it.
struct FactDelta {
    const FactInfo* info = nullptr;
    std::optional<double> a, b;
    double delta() const { return b.value_or(0) - a.value_or(0); }
    std::optional<double>
    relative() const; ///< delta over A; absent where A is 0 or one of both is not known.
};

/// Facts that A or B has, in the order of factInfos().
std::vector<FactDelta> factDeltas(const Facts& a, const Facts& b);

/// What keeps two drafts from being compared cell by cell, one sentence each; empty: same kernel, same
/// machine.
std::vector<std::string> draftDifferences(const TilingSpace& a, const Target& targetA, const TilingSpace& b,
                                          const Target& targetB);

/// How far predictions are off where simulations are known: simulated / predicted - 1.
struct PredictionError {
    std::size_t count = 0; ///< Of what was simulated.
    double median = 0;     ///< Of the absolute errors.
    double worst = 0;      ///< The largest, with its sign.
};
struct PredictedSimulated {
    double predictedNs = 0, simulatedNs = 0;
    double error() const { return predictedNs > 0 ? simulatedNs / predictedNs - 1 : 0; }
};
/// Pairs with a prediction of 0 are left out; absent if none is left.
std::optional<PredictionError> predictionError(std::span<const PredictedSimulated> pairs);
/// One pair a simulated op, or a segment for a machine that is planned as a whole.
std::vector<PredictedSimulated> simulatedPairs(const Simulation& simulation);
/// "median 3.1 %, worst +12.0 % over 47 simulated ops"
std::string errorText(const PredictionError& error, std::string_view what);

/// What a rejected draft needs and what there is, with units. Rules 1 and 3 remove drafts that another one
/// stands for: there is nothing they lack.
struct Shortfall {
    std::string needed, available;
};
std::optional<Shortfall> shortfall(const TilingSpace& space, const Draft& draft, PruneRule rule);

} // namespace pim
