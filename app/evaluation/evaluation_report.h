// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The evaluation for a person and for a program. Flow: [Figure], [Claim] -> report::Document (HTML, PDF), text, JSON.
#include "app/evaluation/figures.h"
#include "app/evaluation/predictor_table.h"
#include "core/plan/document.h"

namespace pim::evaluation {

/// Do the chosen programs compute the right numbers? See functional_check.h.
struct FunctionalResult {
    std::string program; ///< "GEMV on AttAcc 32x512, batch 1, chosen"
    std::int64_t elements = 0, wrong = 0;
    double maxRelative = 0, tolerance = 0;
    std::string note; ///< What part was run, or why none was.
};

struct Evaluation {
    std::vector<Figure> figures;
    std::vector<PredictorRow> predictor; ///< Table II; empty: not asked for.
    std::vector<Claim> claims;
    std::vector<FunctionalResult> functional; ///< Empty: not asked for.
    std::vector<std::string> withoutGain;     ///< Passes that are left out, and why: passesWithoutGain().
    EvaluationOptions options;
    std::string project; ///< Where the runs are; empty: not stored.
};

report::Document evaluationDocument(const Evaluation& evaluation);
/// Tables for a terminal.
std::string evaluationText(const Evaluation& evaluation);
/// Canonical, two spaces, line feed at the end. Times in ns.
std::string evaluationJson(const Evaluation& evaluation);

} // namespace pim::evaluation
