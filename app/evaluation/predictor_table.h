// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Table II of DCC [arXiv 2511.15503]: how often the draft that the predictor ranks first is the best there
/// is, and how good it is elsewhere. Sizes are none of those it was trained with; the truth is the simulated
/// optimum of all drafts, of which lower bounds rule out the rest safely. Flow: targets, kernel families ->
/// [PredictorRow] -> evaluation_report.h.
#include "app/evaluation/paper_numbers.h"
#include "core/hardware/catalog.h"
#include "core/plan/backend.h"

#include <span>

namespace pim::evaluation {

/// What is measured on one size.
struct PredictorSize {
    std::int64_t rows = 0, columns = 0; ///< KernelSize: heads and outputs, batch and elements.
    double bestNs = 0, chosenNs = 0;    ///< The optimum; the first of the ranking that has code.
    /// What a compile takes that verifies kVerifiedDrafts (OpwiseBackend::choose).
    double verifiedNs = 0;
    double pricedNs = 0; ///< The cheapest by formula alone.
    double clockNs = 0;  ///< Of the memory.
    bool isExact() const { return chosenNs <= bestNs * (1 + 1e-9); }
    /// Commands take whole clocks; what is less is the host's share of merging, spread over all results.
    bool isFound() const { return chosenNs < bestNs + clockNs; }
    bool isFoundByPrice() const { return pricedNs < bestNs + clockNs; }
    bool isVerified() const { return verifiedNs <= 1.005 * bestNs; }
};

/// One kind of kernel on one machine. Shares in per cent.
struct PredictorRow {
    std::string target, family; ///< Ids: "attacc", "attention".
    std::string paperName;      ///< "AttAcc+ATTN"
    double paperSizes = 0, paperFound = 0, paperRest = 0;
    std::string model; ///< Version of the predictor.
    std::vector<PredictorSize> sizes;

    double found() const { return share(&PredictorSize::isFound); }
    double exact() const { return share(&PredictorSize::isExact); }
    double verified() const { return share(&PredictorSize::isVerified); }
    double foundByPrice() const { return share(&PredictorSize::isFoundByPrice); }
    double rest() const;  ///< Mean share of the optimum where it was not found; 100 where it always was.
    double worst() const; ///< Least of these.
    std::size_t others() const; ///< Sizes whose optimum was not found.

private:
    double share(bool (PredictorSize::*holds)() const) const;
};

/// All rows together, weighed by sizes, as the paper's 89.28 % and 96.25 %.
struct PredictorTotals {
    std::size_t sizes = 0;
    double found = 0, rest = 0, paperFound = 0, paperRest = 0;
};
PredictorTotals totalsOf(std::span<const PredictorRow> rows);

/// Rows of the paper's table, not measured yet.
std::vector<PredictorRow> predictorRows(const PaperNumbers& paper);
/// Measures \p sizes of the second series of core/predict/kernel_families.h. Errors: NotFound without a
/// predictor, those of the search, Cancelled.
Result<void> measureRow(PredictorRow& row, int sizes, const BackendList& backends,
                        const TargetCatalog& catalog, int threads, const TaskContext& task);

} // namespace pim::evaluation
