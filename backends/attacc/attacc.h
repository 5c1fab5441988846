// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// AttAcc: HBM3 with a GEMV unit at every bank and a softmax unit and accumulator at every channel.
/// [Park et al., ASPLOS 2024; DCC §V]
#include "backends/attacc/traces.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/fixed_mapping.h"

namespace pim {

class AttAccBackend : public DramPimBackend {
public:
    using DramPimBackend::DramPimBackend;
    std::string_view id() const override { return "attacc"; }
    std::string_view machines() const override { return "AttAcc memories"; }
    std::string_view summary() const override {
        return "AttAcc: matrix-vector units at the banks, softmax and accumulator at the channels of HBM3";
    }
    std::span<const CodePassInfo> codePasses() const override;
    Diagnostics checkTarget(const Target& target) const override;
    dram::UnitCommands unitCommands() const override {
        return {{{"MACAB"}}, {"RD", "WR", "WRGB", "RDSB", "WRSB", "MVSB", "MVGB"}};
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
    std::unique_ptr<KernelPricer> pricer(const TilingSpace& space, const Target& target,
                                         const std::vector<Residency>& residency,
                                         const CompileOptions& options) const override;

private:
    AttAccTraces m_traces{*this};
};

} // namespace pim
