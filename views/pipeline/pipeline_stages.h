// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The steps from the model file to commands, with what went in, what came out and how long it took; and, for
/// one of them, what it changed op by op. Flow: Graph, Plan -> [stages, changes] -> tables. Knows no widget.
#include "core/base/task.h"
#include "core/graph/import.h"
#include "core/plan/backend.h"

#include <QString>

#include <vector>

namespace pim::views {

struct FamilyPanels;

struct PipelineStage {
    enum class Kind { Pass, Planning, Code };
    Kind kind = Kind::Pass;
    std::string id;            ///< PassRecord::name, StageTime::name, "code".
    QString title, summary;    ///< "Fuse attention"; one sentence.
    bool enabled = true;       ///< False: a pass that is switched off.
    QString before, after;     ///< "124 ops", "98 ops"
    std::int64_t changes = -1; ///< -1: not known yet.
    double milliseconds = -1;  ///< -1: not known yet.
};

/// One op before and after a stage; either side may be empty.
struct StageChange {
    QString before, after;
    OpId op;             ///< In the graph as it is now; invalid: it is not in there.
    int edit = 0;        ///< Changes of one rewrite have one number.
    bool isSame = false; ///< The stage left it as it was.
};

struct StageChanges {
    std::vector<StageChange> rows;
    QString summary;          ///< "12 rewrites: 36 ops became 12"
    std::int64_t changes = 0; ///< As PipelineStage.
    double milliseconds = 0;  ///< Of generating code; 0 for other stages, whose time is known.
};

/// Graph and plan may be null; \p family is that of the plan's target. \p code: what the stage "code" found, where it has been looked at.
std::vector<PipelineStage> pipelineStages(const Graph* graph, const Plan* plan, const FamilyPanels& family,
                                          const StageChanges* code);

/// What changesOf() needs; \p plan and \p backend may be null for passes.
struct StageQuestion {
    PipelineStage stage;
    std::shared_ptr<const ImportedModel> model;
    GraphOptions options;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Plan> plan;
    const Backend* backend = nullptr;
    const FamilyPanels* family = nullptr; ///< As in pipelineStages(); not null.
};
/// For a worker thread.
Result<StageChanges> changesOf(const StageQuestion& question, const TaskContext& task);

} // namespace pim::views
