// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Samsung HBM-PIM: a 16-lane FP16 block at every pair of banks, steered by modes and a small program.
/// [Lee et al., ISCA 2021; timing measured with PIMSimulator b464dde]
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/fixed_mapping.h"
#include "backends/hbm_pim/traces.h"

namespace pim {

class HbmPimBackend : public DramPimBackend {
public:
    using DramPimBackend::DramPimBackend;
    std::string_view id() const override { return "hbm_pim"; }
    std::string_view machines() const override { return "HBM-PIM memories"; }
    std::string_view summary() const override {
        return "HBM-PIM: SIMD blocks between pairs of banks that multiply, add and rectify where the data "
               "lies";
    }
    std::span<const CodePassInfo> codePasses() const override;
    Diagnostics checkTarget(const Target& target) const override;
    dram::UnitCommands unitCommands() const override {
        return {{{"RD_AB"}, {"WR_AB"}}, {"RD", "WR", "WRR_AB"}};
    }
    std::unique_ptr<PimChannel> makeChannel(const PimCode& code, const Target& target) const override;
    const TraceFacet* traces() const override { return &m_traces; }

protected:
    Result<PimCode> makeCode(const TilingSpace& space, const Draft& draft, const Target& target,
                             const std::vector<Residency>& residency, const CodePasses& passes,
                             CodeDetail detail) const override;
    Result<void> supports(const Kernel& kernel, const Target& target) const override;
    Result<Draft> fixedDraft(const TilingSpace& space, const Target& target) const override {
        return dram::attAccMapping(space, target);
    }
    /// Of element-wise ops over the same elements, whose operands are streamed or taken in place.
    bool fitsInPlace(const ChainedKernel& first, const ChainedKernel& second, const Target& target,
                     const CodePasses& passes) const override;
    std::unique_ptr<KernelPricer> pricer(const TilingSpace& space, const Target& target,
                                         const std::vector<Residency>& residency,
                                         const CompileOptions& options) const override;

private:
    HbmPimTraces m_traces{*this};
};

} // namespace pim
