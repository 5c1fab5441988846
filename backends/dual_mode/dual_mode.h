// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Chips whose arrays are compute or memory and switch while the network runs. Planned as a whole: backends/dual_mode decides over
/// segments and arrays, this class speaks the compiler's language. [CMSwitch, ASPLOS 2025]
#include "backends/dual_mode/bundle.h"
#include "backends/dual_mode/numbers.h"
#include "backends/dual_mode/report.h"
#include "core/plan/backend.h"
#include "core/plan/host_model.h"

namespace pim {

class DualModeBackend final : public Backend {
public:
    explicit DualModeBackend(std::shared_ptr<const HostModel> hostModel);

    std::string_view id() const override { return "dual_mode"; }
    std::string_view machines() const override { return "dual-mode chips"; }
    std::string_view summary() const override {
        return "Dual-mode chips: arrays that compute or hold data, segment by segment of the network";
    }
    Diagnostics checkTarget(const Target& target) const override;
    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                             const TaskContext& task) const override;
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const override;
    Result<void> checkOverride(const Plan& plan, const Override& decision) const override;
    Instead insteadOfDrafts() const override {
        return {"arrays are given to operators segment by segment", "look at the segments of the plan"};
    }
    const OptionTable* options() const override;
    const NumberFacet* numbers() const override { return &m_numbers; }
    const BundleFacet* bundleParts() const override { return &m_bundle; }
    const ReportFacet* reportSections() const override { return &m_report; }
    /// One meta-operator flow for the network; for one op, the blocks it takes part in.
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const override;
    /// Event by event: pipelines filling, buses, vector unit. Compared with the plan segment by segment.
    Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan,
                                                       const TaskContext& task) const override;

private:
    /// A network without matrix products: the arrays have nothing to do.
    void planOnHost(Plan& plan, DataType type) const;

    std::shared_ptr<const HostModel> m_hostModel;
    DualModeNumberFacet m_numbers;
    DualModeBundleFacet m_bundle;
    DualModeReportFacet m_report;
};

} // namespace pim
