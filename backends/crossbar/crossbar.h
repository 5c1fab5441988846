// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Chips of crossbar cores: weights stay where they are, whole networks run in one of two pipelines.
/// backends/crossbar decides and times, this class speaks the compiler's language. [PIMCOMP, arXiv 2411.09159]
#include "backends/crossbar/bundle.h"
#include "backends/crossbar/numbers.h"
#include "backends/crossbar/report.h"
#include "backends/crossbar/traces.h"
#include "core/plan/backend.h"
#include "core/plan/host_model.h"

namespace pim {

class CrossbarBackend final : public Backend {
public:
    explicit CrossbarBackend(std::shared_ptr<const HostModel> hostModel);

    std::string_view id() const override { return "crossbar"; }
    std::string_view machines() const override { return "crossbar chips"; }
    std::string_view summary() const override {
        return "Crossbar chips: weights in analog or digital arrays, replicated and pipelined over many "
               "cores";
    }
    Diagnostics checkTarget(const Target& target) const override;
    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                             const TaskContext& task) const override;
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const override;
    Result<void> checkOverride(const Plan& plan, const Override& decision) const override;
    Instead insteadOfDrafts() const override {
        return {"layers are replicated and placed together", "look at the map of the chips"};
    }
    const OptionTable* options() const override;
    const NumberFacet* numbers() const override { return &m_numbers; }
    const BundleFacet* bundleParts() const override { return &m_bundle; }
    const ReportFacet* reportSections() const override { return &m_report; }
    const TraceFacet* traces() const override { return &m_traces; }
    /// One program for all cores; for one op, the instructions that work on its layer.
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const override;
    /// The profile of the program with its spans: cores, memories and links over time.
    Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan,
                                                       const TaskContext& task) const override;

private:
    std::shared_ptr<const HostModel> m_hostModel;
    CrossbarNumberFacet m_numbers;
    CrossbarBundleFacet m_bundle;
    CrossbarReportFacet m_report;
    CrossbarTraces m_traces;
};

} // namespace pim
