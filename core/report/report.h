// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The report for a person who was not there: model, target, placement, where time goes, best drafts,
/// overrides, comparison with host only. One document (document.h), written as one self-contained HTML file
/// (inline SVG) or as PDF.
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"
#include "core/plan/plan.h"
#include "core/plan/simulation.h"
#include "core/project/project.h"

#include <filesystem>

namespace pim {

struct WhatIf;

struct ReportInput {
    std::shared_ptr<const Plan> plan;
    const Backend* backend = nullptr; ///< Of the plan: it may have sections of its own. Null: none.
    std::vector<RunInfo> runs; ///< Earlier runs of the same project, for the history table; may be empty.
    std::int64_t runId = 0;    ///< Run the plan was stored as; 0: not stored.
    std::string projectFile;
    std::string bindings;
    CompileOptions options;
    std::vector<Note> notes;                      ///< Of the document; may be empty.
    std::shared_ptr<const Simulation> simulation; ///< Of the plan; null where it was not simulated.
    std::vector<std::shared_ptr<const Exploration>>
        explorations;                   ///< Shown as scatter plots, the first few; may be empty.
    std::shared_ptr<const WhatIf> help; ///< Of the simulation; null where nobody asked what would help.
};

Result<void> writeHtmlReport(const ReportInput& input, const std::filesystem::path& file);
Result<void> writePdfReport(const ReportInput& input, const std::filesystem::path& file);

} // namespace pim
