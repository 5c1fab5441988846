// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The smallest family of hardware there can be: an array that multiplies matrices at one speed, and leaves all else to the
/// host. It shows what a family has to bring, and that nothing else has to know it.
#include "core/plan/backend.h"
#include "core/plan/bundle_facet.h"
#include "core/plan/host_model.h"
#include "core/plan/report_facet.h"

namespace pim::test {

/// What is chosen about a toy array.
struct ToyOptions {
    bool careful = false; ///< Everything is computed twice.
};

struct ToyPlan final : PlanDetail {
    int products = 0;
    bool careful = false;
    std::string_view kind() const override { return "toy"; }
    std::string json() const override;
    std::vector<std::pair<std::string, double>> figures() const override {
        return {{"toy_products", products}};
    }
};

class ToyBackend final : public Backend, public BundleFacet, public ReportFacet {
public:
    explicit ToyBackend(std::shared_ptr<const HostModel> host) : m_host(std::move(host)) {}

    std::string_view id() const override { return "toy"; }
    std::string_view summary() const override { return "Toy arrays: one speed, matrix products alone"; }
    std::string_view machines() const override { return "toy arrays"; }
    const OptionTable* options() const override;
    Diagnostics checkTarget(const Target& target) const override;
    Result<std::shared_ptr<const Plan>> plan(const PlanRequest& request, PlanCache* cache,
                                             const TaskContext& task) const override;
    std::vector<OverrideField> overrideFields(const Plan& plan, OpId op) const override;
    Result<void> checkOverride(const Plan& plan, const Override& decision) const override;
    Result<std::vector<CodeFile>> lower(const Plan& plan, OpId op, const TaskContext& task) const override;
    Instead insteadOfDrafts() const override {
        return {"there is one way to do a product", "look at the products"};
    }

    const BundleFacet* bundleParts() const override { return this; }
    std::string_view programEnding() const override { return ".toy"; }
    Diagnostics verifyProgram(const BundleProgram& program) const override;

    const ReportFacet* reportSections() const override { return this; }
    std::vector<report::Section> sections(const Plan& plan) const override;

private:
    std::shared_ptr<const HostModel> m_host;
};

} // namespace pim::test
