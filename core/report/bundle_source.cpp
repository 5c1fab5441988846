// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file_text.h"
#include "core/compile/compiler.h"
#include "core/hardware/catalog.h"
#include "core/report/bundle.h"
#include "core/report/manifest.h"

#include <fmt/format.h>

namespace pim {
namespace {

namespace fs = std::filesystem;

Result<void> checkSame(const fs::path& folder, const std::string& path, const std::string& made) {
    PIM_TRY(const std::string stored, fileText(folder / path));
    if (stored == made)
        return {};
    return fail(ErrorCode::InvalidFile,
                "compiling its model again gives another text: another version wrote the bundle",
                (folder / path).string(), "compile again to get a bundle of this version");
}

} // namespace

Result<BundleSource> readBundleSource(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / Manifest::kFileName, error))
        return fail(ErrorCode::NotFound, "is no bundle: there is no manifest.json in it", folder.string(),
                    "give the folder of a bundle");
    const std::string where = (folder / Manifest::kFileName).string();
    PIM_TRY(const std::string manifestJson, fileText(folder / Manifest::kFileName));
    PIM_TRY(const Manifest manifest, parseManifest(manifestJson, where));
    if (!manifest.parts.empty())
        return fail(
            ErrorCode::Unsupported,
            fmt::format("it is for several machines, in {} parts, and cannot be compiled again as one",
                        manifest.parts.size()),
            where, "give the folder of a part: " + manifest.parts.front().folder);
    BundleSource source;
    source.modelFile = manifest.modelFile;
    source.modelHash = manifest.modelHash;
    for (const auto& [symbol, binding] : manifest.bindings)
        source.graphOptions.bindings[symbol] = binding.value;
    source.graphOptions.disabledPasses = manifest.disabledPasses;
    source.graphOptions.passOptions = manifest.passOptions;
    PIM_TRY(source.options, optionsFromJson(manifest.optionsJson, where));
    PIM_TRY(const std::string targetJson, fileText(folder / "target.json"));
    PIM_TRY(source.target, targetFromJson(targetJson, (folder / "target.json").string()));
    PIM_TRY(const std::string overrides, fileText(folder / "overrides.json"));
    PIM_TRY(source.overrides, Overrides::fromJson(overrides, {}, (folder / "overrides.json").string()));
    return source;
}

Result<void> checkModelOfBundle(const BundleSource& source, const Graph& graph) {
    if (graph.source.structureHash == source.modelHash)
        return {};
    return fail(ErrorCode::Usage,
                "is not the model that the bundle was compiled from: its operators or shapes differ",
                graph.source.path.string(), fmt::format("the bundle wants {}", source.modelFile));
}

Result<std::shared_ptr<const Plan>> planOfBundle(const BackendList& backends, const fs::path& folder,
                                                 const BundleSource& source,
                                                 std::shared_ptr<const Graph> graph,
                                                 const TaskContext& task) {
    PIM_CHECK(checkModelOfBundle(source, *graph));
    const PlanRequest request{std::move(graph), source.target, source.overrides, source.options};
    PIM_TRY(auto plan, compile(backends, request, nullptr, task));
    PIM_CHECK(checkSame(folder, "plan.json", planJson(*plan)));
    PIM_TRY(const Backend* backend, backends.find(source.target->backend));
    PIM_TRY(const auto programs, backend->lower(*plan, OpId(), task));
    for (const CodeFile& program : programs)
        PIM_CHECK(checkSame(folder, "programs/" + program.name, program.text));
    return plan;
}

} // namespace pim
