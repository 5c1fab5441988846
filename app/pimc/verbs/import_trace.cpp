// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Checks, counts and times traces in the formats of public simulators, whoever wrote them.
#include "app/pimc/verbs/trace_output.h"
#include "app/pimc/verbs/verbs.h"
#include "core/plan/trace_facet.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace pim::cli {
namespace {

struct ImportTraceArguments {
    std::string file, format, target;
};

struct KnownFormat {
    const Backend* backend = nullptr;
    const TraceFormat* format = nullptr;
};

Result<KnownFormat> formatNamed(const BackendList& backends, const std::string& id) {
    std::string known;
    for (const auto& backend : backends.all())
        if (const TraceFacet* const facet = backend->traces())
            for (const TraceFormat& format : facet->formats()) {
                if (format.id == id)
                    return KnownFormat{backend.get(), &format};
                known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", format.id, format.simulator);
            }
    return fail(ErrorCode::NotFound,
                fmt::format("there is no trace format \"{}\"; there are: {}", id, known));
}

Result<void> importTrace(Session& session, const ImportTraceArguments& options) {
    PIM_TRY(const KnownFormat known, formatNamed(session.backends(), options.format));
    std::error_code none;
    if (std::filesystem::is_directory(options.file, none))
        return fail(ErrorCode::Io, "is a folder, must be a trace", options.file);
    std::shared_ptr<const Target> target;
    if (!options.target.empty()) {
        PIM_TRY(target, session.target(options.target));
        if (target->backend != known.backend->id())
            return fail(ErrorCode::Usage,
                        fmt::format("{} is no target of the format {}, which is for {}", target->id,
                                    options.format, known.backend->machines()),
                        {}, "`pimc targets` lists them");
    }
    PIM_TRY(const TraceSummary summary,
            known.backend->traces()->read(options.format, options.file, target.get(), session.task()));
    const TraceTitle title{options.file,
                           options.format,
                           std::string(known.format->simulator),
                           {},
                           target ? target->id : std::string()};
    return session.print(session.json ? traceJson(title, summary) : traceText(title, summary));
}

} // namespace

Action importTraceVerb(CLI::App& verb, const BackendList& backends) {
    auto options = std::make_shared<ImportTraceArguments>();
    verb.add_option("FILE", options->file, "Trace, plain or gzip")->required()->type_name("");
    std::string formats;
    for (const auto& backend : backends.all())
        if (const TraceFacet* const facet = backend->traces())
            for (const TraceFormat& format : facet->formats())
                formats += fmt::format("\n  {}: {}. {}", format.id, format.simulator, format.summary);
    verb.add_option("--format", options->format, "Whose format it is:" + formats)->required()->type_name("F");
    verb.add_option(
            "-t,--target", options->target,
            "Machine whose sizes and times count, where the engine can take them; if not given, those of the "
            "simulator")
        ->type_name("ID");
    verb.footer("Every line is checked; the first that makes no sense is an error with its number. The time "
                "is that of our\n"
                "engine under the rules of the original simulator.\n"
                "Examples:\n"
                "  pimc import-trace attention.trace --format attacc\n"
                "  pimc import-trace squeezenet.batch.stream.csv.gz --format pimcomp --json");
    return [options](Session& session) { return importTrace(session, *options); };
}

} // namespace pim::cli
