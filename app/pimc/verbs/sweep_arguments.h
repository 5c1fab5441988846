// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What `pimc sweep` and the verbs below it (plan, run, status, merge, submit) share.
#include "app/pimc/verbs/model_options.h"
#include "app/pimc/verbs/predictor_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/compile/search/search.h"
#include "core/compile/sweep.h"
#include "core/project/project.h"

#include <optional>

namespace pim::cli {

struct SweepArguments {
    ModelOptions model;
    TargetOptions target;
    PredictorOption predictor;
    std::string over, overrides, project, name;
    std::vector<std::string> front;
    std::string search;
    SearchOptions searching;
    std::optional<double> confirm;                   ///< Margin, 0.1: a tenth.
    std::optional<std::string> resume, show, remove; ///< Names; "" for the newest.
    bool list = false, csv = false;
};

/// Prepared. Error::Usage where there is no model, or nothing that varies.
Result<SweepSetup> sweepSetupOf(Session& session, const SweepArguments& options);
/// As table, CSV or JSON, with what stands out.
Result<void> printSweep(Session& session, const SweepArguments& options, const std::vector<SweepAxis>& axes,
                        const std::vector<SweepPoint>& points);
/// The points a project has.
Result<void> printStoredSweep(Session& session, const SweepArguments& options, const Project& project,
                              std::int64_t id);

/// Sees the points of a sweep as they are computed.
class PointWatch {
public:
    /// Says on the progress line what the least time so far is.
    TaskContext task(TaskContext inner);
    void see(const SweepPoint& point);
    /// Warns of points that a predictor was asked about without having learned the like. \param setup theirs.
    void sayOutside(Session& session, const SweepSetup& setup) const;

private:
    double m_quickestNs = 0;
    std::int64_t m_outside = 0;
    std::string m_firstOutside;
};

/// Declares plan, run, status, merge and submit below \p sweep; options they share with it are its own. \return what the one that was given does;
/// nothing where none was.
std::function<std::optional<Result<void>>(Session&)>
declareCampaign(CLI::App& sweep, const std::shared_ptr<SweepArguments>& options);

} // namespace pim::cli
