// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// UPMEM: memory modules with a small processor at every 64 MB. A group of the machine is a DPU, a core one of its tasklets.
#include "backends/upmem/kernel_tile.h"
#include "backends/upmem/numbers.h"
#include "backends/upmem/report.h"
#include "core/drafts/opwise.h"
#include "core/plan/bundle_facet.h"

namespace pim {

/// C for DPUs and host, a pair for each different program of the plan.
class UpmemBundle final : public BundleFacet {
public:
    Result<std::vector<std::string>> writeData(const Plan& plan, const std::filesystem::path& folder,
                                               const TaskContext& task) const override;
};

class UpmemBackend final : public OpwiseBackend {
public:
    using OpwiseBackend::OpwiseBackend;

    std::string_view id() const override { return "upmem"; }
    std::string_view summary() const override {
        return "UPMEM modules: general-purpose cores at every 64 MB of DRAM, reached over the memory bus";
    }
    std::string_view machines() const override { return "UPMEM modules"; }
    const BundleFacet* bundleParts() const override { return &m_bundle; }
    Diagnostics checkTarget(const Target& target) const override;
    /// Kernels on a DPU by the engine (backends/upmem/dpu), one of each; transfers as predicted.
    Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan,
                                                       const TaskContext& task) const override;
    /// Compute by the engine, transfers as predicted.
    Result<std::vector<SimulatedDraft>> simulateDrafts(const Exploration& exploration,
                                                       std::span<const std::size_t> drafts, int threads,
                                                       const TaskContext& task) const override;
    const NumberFacet* numbers() const override { return &m_numbers; }
    const ReportFacet* reportSections() const override { return &m_report; }

protected:
    Result<void> supports(const Kernel& kernel, const Target& target) const override;
    TilingResources resources(const Target& target) const override;
    std::unique_ptr<KernelPricer> pricer(const TilingSpace& space, const Target& target,
                                         const std::vector<Residency>& residency,
                                         const CompileOptions& options) const override;
    Result<std::int64_t> codeBytes(const TilingSpace& space, const Draft& draft, const Target& target,
                                   const std::vector<Residency>& residency,
                                   const CodePasses& passes) const override;
    Result<Program> lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                const std::vector<Residency>& residency,
                                const CodePasses& passes) const override;
    Result<std::unique_ptr<DraftMeasurer>> measurer(const Target& target,
                                                    const CompileOptions& options) const override;
    std::span<const std::string_view> codeFields() const override;
    std::vector<OverrideField> codeChoices(const TilingSpace& space, const Draft& draft,
                                           const Target& target) const override;
    Result<std::string> codeText(const Kernel& kernel, const CodeDecisions& decisions) const override;
    Result<Draft> decided(const CodeQuestion& question) const override;

private:
    UpmemBundle m_bundle;
    UpmemNumberFacet m_numbers;
    UpmemReportFacet m_report{*this};
};

namespace upmem {

/// A target in the words of this backend.
struct Machine {
    DpuTiming timing;
    HostLink link;
    int dpus = 1, tasklets = 16;
};
Machine machineOf(const Target& target);

/// What the DPUs run, as a program of the compiler: transfers, then the instructions of all tasklets, then transfers back.
Program programOf(const Kernel& kernel, const DraftSummary& draft, const std::vector<Residency>& residency,
                  const KernelTile& tile, const DpuProgram& code);

} // namespace upmem

} // namespace pim
