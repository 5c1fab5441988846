// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// SK hynix GDDR6-AiM: a 16-lane BF16 multiply-accumulate unit at every bank and one operand buffer a
/// channel. [Lee et al., ISSCC 2022; timing measured with aim_simulator 0f28a07]
#include "backends/aim/traces.h"
#include "backends/dram_pim/dram_pim_backend.h"
#include "backends/dram_pim/fixed_mapping.h"

namespace pim {

class AimBackend : public DramPimBackend {
public:
    using DramPimBackend::DramPimBackend;
    std::string_view id() const override { return "aim"; }
    std::string_view machines() const override { return "GDDR6-AiM memories"; }
    std::string_view summary() const override {
        return "GDDR6-AiM: matrix-vector units at all banks fed from a global buffer per channel";
    }
    std::span<const CodePassInfo> codePasses() const override;
    Diagnostics checkTarget(const Target& target) const override;
    /// EWMUL16 reads two banks of each bank group and writes a third. [resources/devices/gddr6-aim.json, its energy]
    dram::UnitCommands unitCommands() const override {
        return {{{"MAC16"}, {"EWMUL16", 12}}, {"RD", "WR", "WRGB", "WRMAC16", "RDMAC16"}};
    }
    int exactTerms() const override { return 16; } ///< Of a MAC16, at least. [channel.h, Arithmetic]
    std::unique_ptr<PimChannel> makeChannel(const PimCode& code, const Target& target) const override;
    const TraceFacet* traces() const override { return &m_traces; }

protected:
    Result<PimCode> makeCode(const TilingSpace& space, const Draft& draft, const Target& target,
                             const std::vector<Residency>& residency, const CodePasses& passes,
                             CodeDetail detail) const override;
    Result<void> supports(const Kernel& kernel, const Target& target) const override;
    Result<Draft> fixedDraft(const TilingSpace& space, const Target& target) const override {
        return dram::aimMapping(space, target);
    }
    std::unique_ptr<KernelPricer> pricer(const TilingSpace& space, const Target& target,
                                         const std::vector<Residency>& residency,
                                         const CompileOptions& options) const override;

private:
    AimTraces m_traces{*this};
};

} // namespace pim
