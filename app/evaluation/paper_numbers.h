// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The numbers printed in the paper's figures: resources/evaluation/dcc.json.
#include "core/base/result.h"

#include <map>
#include <string>
#include <vector>

namespace pim::evaluation {

/// Pairs of bars in the order in which a figure shows them.
struct PaperSeries {
    std::vector<double> lower, higher;
};

struct PaperNumbers {
    std::map<std::string, PaperSeries> attacc, hbmPim; ///< Fig. 6 and 7, by kernel.
    /// Fig. 8: model and batch, lengths, four bars.
    std::map<std::string, std::map<std::string, std::vector<double>>> llm;
    /// Fig. 9: machine, "b1", by output size.
    std::map<std::string, std::map<std::string, std::vector<double>>> scaling;
    /// Fig. 10: machine, kernel, "b1".
    std::map<std::string, std::map<std::string, std::map<std::string, double>>> breakdown;
    std::map<std::string, std::map<std::string, double>> motivation; ///< Fig. 2: "Reduction b16", size.
    /// Table II: machine and kernel; total, found, percent of the rest.
    std::map<std::string, std::vector<double>> predictor;
};
/// Errors: Io, InvalidFile with what is missing.
Result<PaperNumbers> readPaperNumbers();

} // namespace pim::evaluation
