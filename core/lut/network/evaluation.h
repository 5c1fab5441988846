// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How often a network is right on the test samples of a folder, as it is and with its products as look-up tables that are made from
/// the calibration samples there.
/// Flow: Classifier + DataSet + ConversionOptions -> convert -> logitsOf -> Evaluation.
#include "core/lut/network/conversion.h"

namespace pim::lut {

/// Mean of |a - b| over all logits, of which both have as many.
double meanDistance(const Logits& a, const Logits& b);
/// Samples whose largest logit is that of the same class, of which both have as many.
std::int64_t sameAnswers(const Logits& a, const Logits& b);

struct Evaluation {
    std::int64_t samples = 0;        ///< Of the test.
    double dense = 0, converted = 0; ///< Shares of them that are right.
    double meanLogitError = 0;       ///< Of converted and dense.
    Conversion conversion;
    LayerUses uses; ///< Of the test samples.
};

struct EvaluationOptions {
    ConversionOptions conversion;
    std::int64_t keptRows = 0; ///< Inputs of each layer that LayerUse::rows keeps.
    StepWatch watch;           ///< Of training; may be empty.
    /// Told the accuracy as the network is, before it is converted; may be empty.
    std::function<void(double dense)> onDense;
};

/// Errors: those of readSamples(), convert() and logitsOf().
Result<Evaluation> evaluate(const Classifier& classifier, const DataSet& set, const Samples& test,
                            const EvaluationOptions& options, const TaskContext& task = {});

} // namespace pim::lut
