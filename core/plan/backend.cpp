// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/backend.h"

#include "core/plan/bundle_facet.h"
#include "core/plan/command_facet.h"
#include "core/plan/draft_facet.h"
#include "core/plan/number_facet.h"
#include "core/plan/trace_facet.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

Result<std::shared_ptr<const Simulation>> Backend::simulate(const Plan&, const TaskContext&) const {
    return fail(ErrorCode::Unsupported,
                fmt::format("the backend {} has no simulator; its times are predicted", id()));
}

Result<std::vector<SimulatedDraft>>
DraftFacet::simulateDrafts(const Exploration&, std::span<const std::size_t>, int, const TaskContext&) const {
    return fail(ErrorCode::Unsupported, "this machine has no simulator for single drafts");
}

Result<std::vector<std::string>> BundleFacet::writeData(const Plan&, const std::filesystem::path&,
                                                        const TaskContext&) const {
    return std::vector<std::string>();
}

Result<NumberReport> NumberFacet::checkBundle(const NumberBundle& bundle, const NumberOptions& options,
                                              const TaskContext& task) const {
    PIM_TRY(const auto plan, bundle.plan());
    PIM_TRY(NumberReport report, checkPlan(*plan, options, task));
    if (report.problem) {
        report.problem->code = ErrorCode::InvalidFile;
        report.problem->where = bundle.folder.string();
    }
    return report;
}

Result<const DraftFacet*> draftsOf(const Backend& backend, std::string_view object) {
    if (const DraftFacet* const drafts = backend.drafts())
        return drafts;
    const Backend::Instead instead = backend.insteadOfDrafts();
    return fail(ErrorCode::Unsupported,
                instead.what.empty()
                    ? fmt::format("{} have no tiling drafts", backend.machines())
                    : fmt::format("{} have no tiling drafts: {}", backend.machines(), instead.what),
                std::string(object), std::string(instead.lookAt));
}

Result<const CommandFacet*> commandsOf(const Backend& backend) {
    if (const CommandFacet* const commands = backend.commands())
        return commands;
    return fail(ErrorCode::Unsupported,
                fmt::format("{} have no DRAM commands and no banks", backend.machines()));
}

Result<const TraceFacet*> tracesOf(const Backend& backend) {
    if (const TraceFacet* const traces = backend.traces())
        return traces;
    return fail(
        ErrorCode::Unsupported,
        fmt::format("no public simulator is known whose traces {} could be written as", backend.machines()),
        {}, "`pimc compile --out FOLDER` writes the programs in our own form");
}

Result<const TraceFormat*> traceFormat(const Backend& backend, std::string_view id) {
    PIM_TRY(const TraceFacet* const traces, tracesOf(backend));
    std::string known;
    for (const TraceFormat& format : traces->formats()) {
        if (id.empty() || format.id == id)
            return &format;
        known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", format.id, format.simulator);
    }
    return fail(ErrorCode::NotFound,
                fmt::format("{} have no trace format \"{}\"; there are: {}", backend.machines(), id, known));
}

void BackendList::add(std::unique_ptr<Backend> backend) {
    m_backends.push_back(std::move(backend));
}

Result<const Backend*> BackendList::find(std::string_view id) const {
    const auto at =
        std::find_if(m_backends.begin(), m_backends.end(), [id](const auto& b) { return b->id() == id; });
    if (at != m_backends.end())
        return at->get();
    std::string known;
    for (const auto& backend : m_backends)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", backend->id());
    return fail(ErrorCode::NotFound, fmt::format("there is no backend \"{}\"; there are: {}", id, known));
}

} // namespace pim
