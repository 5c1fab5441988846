// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Programs of crossbar cores in bundles, and what the chip is loaded with beside them (backends/crossbar/bundle).
#include "core/plan/bundle_facet.h"

namespace pim {

class CrossbarBundleFacet final : public BundleFacet {
public:
    std::string_view programEnding() const override { return ".xbar"; }
    Diagnostics verifyProgram(const BundleProgram& program) const override;
    Result<std::vector<std::string>> writeData(const Plan& plan, const std::filesystem::path& folder,
                                               const TaskContext& task) const override;
};

} // namespace pim
