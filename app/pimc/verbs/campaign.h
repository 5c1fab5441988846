// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the verbs below `pimc sweep` share (sweep_arguments.h declares them).
#include "app/pimc/session.h"
#include "core/campaign/chunk_run.h"

#include <memory>

namespace CLI {
class App;
}

namespace pim::cli {

struct SweepArguments;

struct CampaignArguments {
    std::shared_ptr<SweepArguments> sweep; ///< What belongs to the sweep itself, project.
    std::string folder;
    std::int64_t chunkPoints = 0;
    std::string chunks, shard;
    // submit
    std::string with;
    int processes = 0, cores = 1;
    double minutes = 5;
    std::vector<std::string> sbatch;
    std::int64_t atOnce = 0;
    int rounds = 3, round = 1;
    bool dryRun = false, oversubscribe = false;
};

void declareSubmit(CLI::App& submit, CampaignArguments& options);
Result<void> submitCampaign(Session& session, const CampaignArguments& options);

/// All points there are into the project that was named; what is missing is said. \return the sweep.
Result<std::int64_t> mergeCampaign(Session& session, const CampaignArguments& options, Campaign& campaign);
void sayWhatIsMissing(Session& session, const Campaign& campaign, const CampaignStatus& status);

} // namespace pim::cli
