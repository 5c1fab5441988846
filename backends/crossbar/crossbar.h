// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Chips of crossbar cores: weights stay where they are, whole networks run in one of two pipelines.
/// core/crossbar decides and times, this class speaks the compiler's language. [PIMCOMP, arXiv 2411.09159]
#include "core/compile/backend.h"
#include "core/compile/host_model.h"

namespace pim {

class CrossbarBackend final : public Backend {
public:
    explicit CrossbarBackend(std::shared_ptr<const HostModel> hostModel);

    std::string_view id() const override { return "crossbar"; }
    std::string_view summary() const override {
        return "Crossbar chips: weights in analog or digital arrays, replicated and pipelined over many "
               "cores";
    }
    Diagnostics checkTarget(const Target& target) const override;
    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                             const TaskContext& task) const override;
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const override;
    Result<void> checkOverride(const Plan& plan, const Override& decision) const override;
    /// There are no drafts to list: Error::Unsupported, with where to look instead.
    Result<std::shared_ptr<const Exploration>> explore(const PlanRequest& request, OpId op,
                                                       const TaskContext& task) const override;
    Result<std::shared_ptr<const Exploration>> exploreKernel(const Kernel& kernel,
                                                             std::shared_ptr<const Target> target,
                                                             const CompileOptions& options,
                                                             const TaskContext& task) const override;
    /// One program for all cores; for one op, the instructions that work on its layer.
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const override;
    /// Mapping, cells, parameters, primitives: core/crossbar/bundle.
    Result<std::vector<std::string>> writeData(const Plan& plan, const std::filesystem::path& folder,
                                               const TaskContext& task) const override;
    /// The profile of the program with its spans: cores, memories and links over time.
    Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan,
                                                       const TaskContext& task) const override;

private:
    std::shared_ptr<const HostModel> m_hostModel;
};

} // namespace pim
