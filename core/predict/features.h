// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a learned predictor sees of a draft: numbers about the draft, its price, the kernel and the machine.
/// The list is the documentation: `pimc predictor show --features` prints it. Flow: space + draft + summary + price ->
/// [DraftFeatures] -> one row.
#include "core/predict/linear_price.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

struct FeatureInfo {
    std::string name;    ///< "output.tile"
    std::string unit;    ///< "log2 B", "share", "1"
    std::string meaning; ///< For a person.
};

/// All features in their order.
const std::vector<FeatureInfo>& draftFeatureList();
/// Changes when a feature is added, removed, renamed or measured otherwise; a model fits one list only.
const std::string& draftFeatureHash();

/// Makes rows for the drafts of one kernel on one target. Immutable, thread-safe.
class DraftFeatures {
public:
    /// \param residency one a kernel tensor. \param space, target outlive it.
    DraftFeatures(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency);
    /// \param row as long as draftFeatureList(); NaN where the kernel has no such loop or tensor.
    void write(const Draft& draft, const DraftSummary& summary, const KernelPrice& price,
               std::span<float> row) const;
    PriceTerms terms(const DraftSummary& summary, const KernelPrice& price) const;

private:
    void writeShare(const TensorShare& share, int tensor, std::span<float> row) const;

    const TilingSpace& m_space;
    std::vector<bool> m_resident;     ///< One a kernel tensor.
    std::vector<int> m_tensors;       ///< Output, then the inputs as they are read.
    std::vector<bool> m_isSummed;     ///< One a loop.
    std::vector<float> m_machine;     ///< The same for all drafts.
    double m_groups = 1, m_cores = 1; ///< Of the machine; of a group.
    double m_lanes = 1, m_burstBytes = 32, m_rowBytes = 1024;
};

} // namespace pim
