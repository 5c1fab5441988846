// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/bundle.h"

#include "core/base/file_io.h"
#include "core/base/file_text.h"
#include "core/base/hash.h"
#include "core/base/parallel.h"
#include "core/base/version.h"
#include "core/compile/compiler.h"
#include "core/hardware/catalog.h"
#include "core/plan/bundle_facet.h"
#include "core/plan/command_facet.h"
#include "core/report/manifest.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mutex>

namespace pim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr const char* kMachineData = "chip"; ///< Folder.

std::string dump(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// Files of a bundle as they are made, by path; by several threads if need be.
class Contents {
public:
    Contents(fs::path folder, Manifest& manifest) : m_folder(std::move(folder)), m_manifest(manifest) {}

    Result<void> add(const std::string& path, const std::string& text) {
        PIM_CHECK(replaceFile(m_folder / path, text));
        note(path, {static_cast<std::int64_t>(text.size()), sha256Hex(text)});
        return {};
    }
    /// A file that lies there already; it can be larger than memory.
    Result<void> addWritten(const std::string& path) {
        PIM_TRY(auto file, describeFile(m_folder / path));
        note(path, std::move(file));
        return {};
    }

private:
    void note(const std::string& path, Manifest::File file) {
        const std::lock_guard lock(m_mutex);
        m_manifest.files[path] = std::move(file);
    }

    std::mutex m_mutex;
    fs::path m_folder;
    Manifest& m_manifest;
};

Result<void> makeFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, "cannot make the folder: " + error.message(), folder.string(),
                    "choose a folder you may write to");
    return {};
}

/// What the machine is loaded with beside programs.
Result<void> writeMachineData(const Backend& backend, const Plan& plan, const fs::path& folder,
                              Contents& contents, const TaskContext& task) {
    const BundleFacet* const own = backend.bundleParts();
    if (!own)
        return {};
    const fs::path chip = folder / kMachineData;
    PIM_CHECK(makeFolder(chip));
    PIM_TRY(const auto files, own->writeData(plan, chip, task));
    for (const std::string& file : files)
        PIM_CHECK(contents.addWritten(fmt::format("{}/{}", kMachineData, file)));
    std::error_code error;
    if (files.empty())
        fs::remove(chip, error);
    return {};
}

/// Which kernel, draft and program each op on PIM has. Enough to check a draft without the model.
class DraftIndex {
public:
    explicit DraftIndex(const Plan& plan) : m_plan(plan) {}

    void add(std::size_t op, const std::string& program) {
        const OpPlan& planned = m_plan.ops[op];
        Json& entry = m_ops[m_plan.graph->op(planned.op).name];
        entry["program"] = program;
        if (!planned.space || !planned.draft)
            return; // a machine that does not work by drafts
        const TilingSpace& space = *planned.space;
        const TilingResources& machine = space.resources();
        Json kernel{{"text", space.kernel().text()},
                    {"groups", machine.groups},
                    {"cores_per_group", machine.coresPerGroup},
                    {"simd_lanes", machine.simdLanes},
                    {"core_bytes", machine.coreBytes}};
        if (machine.hasCodeChoices)
            kernel["code_choices"] = true;
        if (machine.looksUp && space.kernel().gathers())
            kernel["looks_up"] = true;
        const auto [found, fresh] = m_kernelNumbers.try_emplace(dump(kernel), m_kernels.size());
        if (fresh)
            m_kernels.push_back(kernel);
        entry["kernel"] = found->second;
        entry["draft"] = space.draftText(*planned.draft);
    }
    std::string text() const { return dump({{"kernels", m_kernels}, {"ops", m_ops}}); }

private:
    const Plan& m_plan;
    std::map<std::string, std::size_t> m_kernelNumbers;
    Json m_kernels = Json::array(), m_ops = Json::object();
};

Manifest describe(const Plan& plan, const CompileOptions& options) {
    Manifest manifest;
    manifest.toolVersion = PIM_VERSION;
    manifest.backend = plan.target->backend;
    manifest.modelName = plan.graph->name;
    manifest.modelFile = plan.graph->source.path.filename().string();
    manifest.modelHash = plan.graph->source.structureHash;
    for (const DimBinding& binding : plan.graph->bindings)
        manifest.bindings[binding.symbol] = {binding.value, binding.assumed};
    for (const PassRecord& pass : plan.graph->passes) {
        if (!pass.enabled)
            manifest.disabledPasses.insert(pass.name);
        if (!pass.options.empty())
            manifest.passOptions[pass.name] = pass.options;
    }
    manifest.targetId = plan.target->id;
    manifest.host = plan.target->host.id;
    manifest.optionsJson = optionsJson(options);
    return manifest;
}

Result<void> writePrograms(const Backend& backend, const Plan& plan, Contents& contents, DraftIndex& index,
                           const TaskContext& task) {
    PIM_TRY(const auto files, backend.lower(plan, OpId(), task));
    for (const CodeFile& file : files) {
        const std::string path = "programs/" + file.name;
        PIM_CHECK(contents.add(path, file.text));
        for (const OpId op : file.ops)
            index.add(op.index(), path);
    }
    return {};
}

/// What a machine is given: its programs, where their tensors lie, its data.
Result<void> writeMachine(const BackendList& backends, const Plan& plan, const fs::path& folder,
                          Contents& contents, const TaskContext& task) {
    PIM_TRY(const Backend* backend, backends.find(plan.target->backend));
    MemoryLayout layout; // empty for a machine that has no such banks
    if (const CommandFacet* const commands = backend->commands()) {
        PIM_TRY(layout, commands->layout(plan, task));
    }
    if (!layout.fits())
        return fail(ErrorCode::Unsupported,
                    fmt::format("its code needs {} rows of every bank, there are {}", layout.rowsUsed,
                                layout.rowsOfBank),
                    plan.graph->name, "place fewer ops on PIM, or stream the weights of some");
    PIM_CHECK(contents.add("layout.json", layoutJson(layout, plan)));
    // Side by side: each is tens of megabytes of text for a large network.
    DraftIndex index(plan);
    Result<void> programs, data;
    parallelFor(2, 0, [&](std::size_t part) {
        if (part == 0)
            programs = writePrograms(*backend, plan, contents, index, task);
        else
            data = writeMachineData(*backend, plan, folder, contents, {.stop = task.stop, .onProgress = {}});
    });
    PIM_CHECK(programs);
    PIM_CHECK(data);
    return contents.add("drafts.json", index.text());
}

/// A bundle while it is written.
struct Bundle {
    fs::path folder;
    Manifest& manifest;
    Contents& contents;
};

Result<void> writeParts(const BackendList& backends, const Plan& plan, const CompileOptions& options,
                        const Bundle& bundle, const TaskContext& task);

/// \returns the manifest, which lies in \p folder too.
Result<Manifest> writeContents(const BackendList& backends, const Plan& plan, const CompileOptions& options,
                               const fs::path& folder, const TaskContext& task) {
    Manifest manifest = describe(plan, options);
    Contents contents(folder, manifest);
    const std::string target = targetJson(*plan.target);
    manifest.targetHash = sha256Hex(target);
    PIM_CHECK(contents.add("target.json", target));
    PIM_CHECK(contents.add("plan.json", planJson(plan)));
    PIM_CHECK(contents.add("overrides.json", plan.overrides.json()));
    PIM_CHECK(plan.parts.empty() ? writeMachine(backends, plan, folder, contents, task)
                                 : writeParts(backends, plan, options, {folder, manifest, contents}, task));
    PIM_CHECK(replaceFile(folder / Manifest::kFileName, manifestText(manifest)));
    return manifest;
}

/// Each part is a bundle of its own, written by the backend of its machine. One on the host has no programs.
Result<void> writeParts(const BackendList& backends, const Plan& plan, const CompileOptions& options,
                        const Bundle& bundle, const TaskContext& task) {
    const auto& [folder, manifest, contents] = bundle;
    manifest.schemaVersion = Manifest::kSchemaVersion;
    for (const PlanPart& part : plan.parts) {
        if (part.device.onHost())
            continue;
        const Device& device = plan.devices[part.device.index()];
        const std::string within = fmt::format("parts/{}", manifest.parts.size());
        PIM_CHECK(makeFolder(folder / within / "programs"));
        PIM_TRY(const Manifest written, writeContents(backends, *part.plan, options, folder / within, task));
        for (const auto& [path, file] : written.files)
            manifest.files[fmt::format("{}/{}", within, path)] = file;
        PIM_CHECK(contents.addWritten(fmt::format("{}/{}", within, Manifest::kFileName)));
        manifest.parts.push_back(
            {within, name(part.device), device.name, device.target->id, device.target->backend});
    }
    return {};
}

/// A folder may be replaced if it is empty or a bundle with nothing of the user's in it.
Result<void> checkReplaceable(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(folder, error)))
        return {};
    const auto refuse = [&](const std::string& what) {
        return fail(ErrorCode::Usage, fmt::format("the bundle cannot go there: {}", what), folder.string(),
                    "choose another folder or empty this one");
    };
    if (!fs::is_directory(folder, error))
        return refuse("it is a file");
    if (fs::is_empty(folder, error))
        return {};
    if (error)
        return fail(ErrorCode::Io, "cannot read the folder: " + error.message(), folder.string());
    const auto text = fileText(folder / Manifest::kFileName);
    const auto older = parseManifest(text ? *text : "", folder.string());
    if (!older && older.error().code != ErrorCode::Unsupported)
        return refuse("the folder holds something that is not a bundle");
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        const std::string path = at->path().lexically_relative(folder).generic_string();
        const bool ours = path == Manifest::kFileName || (older && older->files.contains(path));
        if (!ours && (at->is_symlink(error) || !at->is_directory(error)))
            return refuse(fmt::format("\"{}\" in it is no part of the bundle there", path));
    }
    if (error)
        return fail(ErrorCode::Io, "cannot read the folder: " + error.message(), folder.string());
    return {};
}

} // namespace

Result<void> writeBundle(const BackendList& backends, const Plan& plan, const CompileOptions& options,
                         const fs::path& folder, const TaskContext& task) {
    PIM_TRY(const fs::path place, cleanPath(folder));
    PIM_CHECK(checkReplaceable(place));
    const fs::path fresh = temporarySibling(place);
    Cleanup cleanup(fresh);
    std::error_code error;
    fs::remove_all(fresh, error); // left over by an earlier process that had our number
    PIM_CHECK(makeFolder(plan.parts.empty() ? fresh / "programs" : fresh / "parts"));
    PIM_CHECK(writeContents(backends, plan, options, fresh, task));
    PIM_CHECK(replaceFolder(fresh, place));
    cleanup.keep();
    return {};
}

} // namespace pim
