// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/bundle.h"

#include "core/base/hash.h"
#include "core/base/json_number.h"
#include "core/base/mapped_file.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"
#include "core/plan/bundle_facet.h"
#include "core/plan/device.h"
#include "core/program/program.h"
#include "core/report/manifest.h"
#include "core/report/rows_addressed.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <span>

namespace pim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::int64_t kLargestManifest = 64 << 20;
constexpr int kDeepestJson = 64;
constexpr std::array kRequired{"drafts.json", "layout.json", "overrides.json", "plan.json", "target.json"};
constexpr std::size_t kOfSeveral = 3; ///< The last of them are in a bundle for several machines as well.

std::string_view textOf(const MappedFile& file) {
    return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

/// One walk over a bundle; every finding becomes a line of the report.
class Verifier {
public:
    Verifier(const BackendList& backends, fs::path folder, const TaskContext& task)
        : m_backends(backends), m_folder(std::move(folder)), m_task(task) {}

    Result<VerifyReport> run() {
        PIM_TRY(const auto file, MappedFile::open(m_folder / Manifest::kFileName));
        if (file->bytes().size() > kLargestManifest)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("the manifest has {} bytes, at most {} are read", file->bytes().size(),
                                    kLargestManifest),
                        file->path().string(), "write the bundle again");
        PIM_TRY(m_manifest, parseManifest(textOf(*file), file->path().string()));
        if (manifestText(m_manifest) != textOf(*file))
            problem(Manifest::kFileName, "is not in canonical form: it was changed after it was written");
        PIM_CHECK(checkFiles());
        checkNothingElse();
        checkTarget();
        checkOverrides();
        checkPlan();
        if (!m_manifest.parts.empty()) {
            PIM_CHECK(checkParts());
        } else {
            PIM_CHECK(checkDrafts());
            checkLayout();
        }
        for (const auto& [path, mapped] : m_files)
            if (const auto whole = mapped->stillWhole(); !whole)
                problem(path, whole.error().message, whole.error().hint);
        return std::move(m_report);
    }

private:
    struct PlannedOp {
        bool onPim = false;
        std::string placement;
        std::string draft;
        std::set<std::string> resident;           ///< Tensors that lie in PIM before the run.
        std::shared_ptr<const TilingSpace> space; ///< Set where the draft is legal.
    };

    void problem(std::string object, std::string message, std::string hint = "write the bundle again") {
        m_report.problems.push_back(
            {Severity::Error, std::move(object), std::move(message), std::move(hint)});
    }

    /// Sizes and hashes. What passes is kept mapped for the checks after it.
    Result<void> checkFiles() {
        for (const auto& [path, entry] : m_manifest.files) {
            if (m_task.cancelled())
                return TaskContext::cancelledError("verifying the bundle");
            m_task.report("hash files", m_report.files, static_cast<std::int64_t>(m_manifest.files.size()));
            if (!isSafeBundlePath(path)) {
                problem(path, "the manifest names a file outside the bundle; it was not opened");
                continue;
            }
            if (!isPlainFile(path)) {
                problem(path, "is missing, or a link or folder where a file should be");
                continue;
            }
            const auto found = describeFile(m_folder / path);
            if (!found) {
                problem(path, found.error().message, found.error().hint);
                continue;
            }
            ++m_report.files;
            if (found->bytes != entry.bytes)
                problem(path, fmt::format("has {} bytes, the manifest says {}", found->bytes, entry.bytes));
            else if (found->sha256 != entry.sha256)
                problem(path, "was changed: its SHA-256 is not the one in the manifest");
            PIM_TRY(auto mapped, MappedFile::open(m_folder / path));
            m_files.emplace(path, std::move(mapped));
        }
        const std::span<const char* const> required(kRequired);
        for (const char* path : m_manifest.parts.empty() ? required : required.last(kOfSeveral))
            if (!m_manifest.files.contains(path))
                problem(path, "is not in the manifest; every bundle has it");
        return {};
    }

    /// A link could lead out of the bundle, so none is followed.
    bool isPlainFile(const std::string& path) const {
        std::error_code error;
        fs::path at = m_folder;
        const fs::path relative(path);
        for (const fs::path& part : relative) {
            at /= part;
            if (fs::is_symlink(fs::symlink_status(at, error)))
                return false;
        }
        return fs::is_regular_file(at, error);
    }

    void checkNothingElse() {
        std::error_code error;
        std::set<std::string> extra;
        for (fs::recursive_directory_iterator at(m_folder, error), end; !error && at != end;
             at.increment(error)) {
            const std::string path = at->path().lexically_relative(m_folder).generic_string();
            if (path == Manifest::kFileName || m_manifest.files.contains(path))
                continue;
            if (at->is_symlink(error) || !at->is_directory(error))
                extra.insert(path);
        }
        for (const std::string& path : extra)
            problem(path, "is no part of the bundle", "remove it");
        if (error)
            problem(m_folder.string(), "cannot be read: " + error.message(), {});
    }

    std::string_view text(const std::string& path) const {
        const auto found = m_files.find(path);
        return found == m_files.end() ? std::string_view() : textOf(*found->second);
    }

    /// Calls \p check with the parsed file; whatever does not fit is a problem of that file.
    void withJson(const std::string& path, const auto& check) {
        if (!m_files.contains(path))
            return;
        if (jsonDepth(text(path), kDeepestJson) < 0)
            return problem(path, fmt::format("is nested deeper than {} levels", kDeepestJson));
        try {
            check(Json::parse(text(path)));
        } catch (const std::exception& error) {
            problem(path, fmt::format("does not hold what it should: {}", error.what()));
        }
    }

    void checkTarget() {
        if (!m_files.contains("target.json"))
            return;
        const std::string_view json = text("target.json");
        if (jsonDepth(json, kDeepestJson) < 0)
            return problem("target.json", fmt::format("is nested deeper than {} levels", kDeepestJson));
        const std::string hash = sha256Hex(json);
        if (hash != m_manifest.targetHash)
            problem("target.json", "is not the target of the manifest: the SHA-256 differs");
        auto read = targetFromJson(json, "target.json");
        if (!read)
            return problem("target.json", read.error().message, read.error().hint);
        m_target = std::move(*read);
        m_memory = memoryOf(*m_target);
        if (m_target->hash != hash)
            problem("target.json", "is not in canonical form");
        if (m_target->id != m_manifest.targetId || m_target->host.id != m_manifest.host)
            problem("target.json",
                    fmt::format("describes \"{}\" with host \"{}\", the manifest says \"{}\" with \"{}\"",
                                m_target->id, m_target->host.id, m_manifest.targetId, m_manifest.host));
    }

    void checkOverrides() {
        if (!m_files.contains("overrides.json"))
            return;
        const std::string_view json = text("overrides.json");
        if (jsonDepth(json, kDeepestJson) < 0)
            return problem("overrides.json", fmt::format("is nested deeper than {} levels", kDeepestJson));
        const auto overrides = Overrides::fromJson(json, {}, "overrides.json");
        if (!overrides)
            return problem("overrides.json", overrides.error().message, overrides.error().hint);
        m_overrides = *overrides;
        if (m_overrides.json() != json)
            problem("overrides.json", "is not in canonical form");
    }

    void checkPlan() {
        withJson("plan.json", [this](const Json& plan) {
            double total = 0;
            for (const Json& op : plan.at("ops")) {
                const std::string name = op.at("name").get<std::string>();
                const std::string placement = op.at("placement").get<std::string>();
                const auto device = deviceFromName(placement);
                const bool onPim = device && !device->onHost();
                double parts = 0;
                for (const char* part :
                     {"input_ns", "compute_ns", "output_ns", "mode_switch_ns", "rewrite_ns"})
                    parts += op.at(part).get<double>();
                const double claimed = op.at("total_ns").get<double>();
                // What the host does along with another op has no time of its own.
                if (!onPim && claimed != 0 && op.at("host_ns").is_number())
                    parts += op.at("host_ns").get<double>();
                if (!isSum(claimed, parts))
                    problem("plan.json", fmt::format("total_ns of \"{}\" is {}, its parts add up to {}", name,
                                                     claimed, parts));
                total += parts;
                const std::string draft =
                    onPim && op.at("draft").is_string() ? op.at("draft").get<std::string>() : "";
                PlannedOp planned{onPim, placement, draft, {}, nullptr};
                for (const Json& tensor : op.at("tensors"))
                    if (onPim && tensor.at("residency") == "resident")
                        planned.resident.insert(tensor.at("name").get<std::string>());
                if (!m_plannedOps.emplace(name, std::move(planned)).second)
                    problem("plan.json", fmt::format("has two ops named \"{}\"", name));
                if (const std::string* wanted = m_overrides.find(name, "placement");
                    wanted && *wanted != placement)
                    problem("plan.json", fmt::format("\"{}\" is on {}, overrides.json puts it on {}", name,
                                                     placement, *wanted));
            }
            const double claimed = plan.at("total_ns").get<double>();
            if (!isSum(claimed, total))
                problem("plan.json", fmt::format("total_ns is {}, the ops add up to {}", claimed, total));
            if (plan.at("target").get<std::string>() != m_manifest.targetId ||
                plan.at("model_hash").get<std::string>() != m_manifest.modelHash)
                problem("plan.json", "was made from another model or target than the manifest says");
        });
        for (const Override& decision : m_overrides.all())
            if (!decision.op.empty() && !m_plannedOps.empty() && !m_plannedOps.contains(decision.op))
                problem("overrides.json",
                        fmt::format("decides about \"{}\", which is no op of the plan", decision.op));
    }

    /// Each part is sound in itself, and every op that the plan puts on a machine is on it in a part for that machine.
    Result<void> checkParts() {
        std::map<std::string, std::string> deviceOf; // by op
        for (const Manifest::Part& part : m_manifest.parts) {
            const std::string manifest = fmt::format("{}/{}", part.folder, Manifest::kFileName);
            if (!m_files.contains(manifest)) {
                problem(manifest, "is not in the bundle, whose manifest lists the part");
                continue;
            }
            Verifier inside(m_backends, m_folder / part.folder, m_task);
            PIM_TRY(const VerifyReport found, inside.run());
            m_report.programs += found.programs;
            for (const Diagnostic& each : found.problems)
                problem(fmt::format("{}: {}", part.folder, each.object), each.message, each.hint);
            if (inside.m_manifest.targetId != part.targetId || inside.m_manifest.backend != part.backend)
                problem(manifest,
                        fmt::format("is for {} ({}), the bundle says {} ({})", inside.m_manifest.targetId,
                                    inside.m_manifest.backend, part.targetId, part.backend));
            for (const auto& [op, planned] : inside.m_plannedOps)
                if (planned.onPim && !deviceOf.emplace(op, part.device).second)
                    problem(part.folder, fmt::format("has \"{}\", which another part has too", op));
        }
        for (const auto& [op, planned] : m_plannedOps) {
            const auto found = deviceOf.find(op);
            const std::string there = found == deviceOf.end() ? "host" : found->second;
            if (there != planned.placement)
                problem("plan.json", fmt::format("has \"{}\" on {}, the parts have it on {}", op,
                                                 planned.placement, there));
        }
        return {};
    }

    /// Parts may be summed in another order than the total was: rounding may differ, a wrong figure may not.
    static bool isSum(double total, double parts) {
        return std::abs(total - parts) <= 1e-9 * std::max(std::abs(total), std::abs(parts));
    }

    Result<void> checkDrafts() {
        bool cancelled = false;
        withJson("drafts.json", [&](const Json& drafts) {
            std::vector<std::shared_ptr<const TilingSpace>> spaces;
            for (const Json& kernel : drafts.at("kernels"))
                spaces.push_back(tilingSpace(kernel, spaces.size()));
            std::set<std::string> programs;
            for (const auto& [op, entry] : drafts.at("ops").items()) {
                cancelled = cancelled || m_task.cancelled();
                if (cancelled)
                    return;
                const std::string program = entry.at("program").get<std::string>();
                const std::string draft = entry.value("draft", "");
                m_programOf[op] = program;
                checkDraft(op, entry, draft, spaces);
                if (programs.insert(program).second)
                    checkProgram(program, draft);
            }
            for (const auto& [op, planned] : m_plannedOps)
                if (planned.onPim && !drafts.at("ops").contains(op))
                    problem("drafts.json", fmt::format("lacks \"{}\", which the plan puts on PIM", op));
            for (const auto& [path, file] : m_files)
                if (path.starts_with("programs/") && !programs.contains(path))
                    problem(path, "belongs to no op");
        });
        if (cancelled)
            return TaskContext::cancelledError("verifying the bundle");
        return {};
    }

    std::shared_ptr<const TilingSpace> tilingSpace(const Json& entry, std::size_t number) {
        const std::string where = fmt::format("drafts.json: kernel {}", number);
        auto kernel = parseKernel(entry.at("text").get<std::string>(), {}, where);
        if (!kernel) {
            problem(where, kernel.error().message, kernel.error().hint);
            return nullptr;
        }
        const TilingResources machine{
            wholeNumber<int>(entry.at("groups")),     wholeNumber<int>(entry.at("cores_per_group")),
            wholeNumber<int>(entry.at("simd_lanes")), wholeNumber<std::int64_t>(entry.at("core_bytes")),
            entry.value("code_choices", false),       entry.value("looks_up", false)};
        auto space = TilingSpace::create(std::move(*kernel), machine);
        if (!space) {
            problem(where, space.error().message, space.error().hint);
            return nullptr;
        }
        return *space;
    }

    void checkDraft(const std::string& op, const Json& entry, const std::string& draft,
                    const std::vector<std::shared_ptr<const TilingSpace>>& spaces) {
        const auto planned = m_plannedOps.find(op);
        if (planned == m_plannedOps.end() || !planned->second.onPim)
            return problem(op, "is in drafts.json, but not on PIM in plan.json");
        if (planned->second.draft != draft)
            problem(op, fmt::format("has the draft {} in drafts.json, {} in plan.json", draft,
                                    planned->second.draft));
        if (const std::string* wanted = m_overrides.find(op, "draft");
            wanted && withoutCode(*wanted) != withoutCode(draft))
            problem(op, fmt::format("has the draft {}, overrides.json wants {}", draft, *wanted));
        if (!entry.contains("kernel"))
            return; // a machine that does not work by drafts
        const auto kernel = wholeNumber<std::size_t>(entry.at("kernel"));
        if (kernel >= spaces.size())
            return problem(op, fmt::format("names kernel {}, drafts.json has {}", kernel, spaces.size()));
        if (!spaces[kernel])
            return; // said before
        const auto parsed = spaces[kernel]->draftFromText(draft);
        const auto legal =
            parsed ? spaces[kernel]->check(*parsed) : Result<void>(tl::unexpected<Error>(parsed.error()));
        if (legal)
            planned->second.space = spaces[kernel];
        else
            problem(op, "its draft is not legal: " + legal.error().message, legal.error().hint);
    }

    void checkProgram(const std::string& path, const std::string& draft) {
        if (!path.starts_with("programs/") || !m_manifest.files.contains(path))
            return problem(path, "drafts.json names it as a program, the manifest does not");
        if (!m_files.contains(path))
            return; // said before
        ++m_report.programs;
        if (const BundleFacet* const family = familyOf(path)) {
            const auto names = [this](const std::string& file) { return m_manifest.files.contains(file); };
            for (Diagnostic& found :
                 family->verifyProgram({path, text(path), m_folder, m_target.get(), names}))
                m_report.problems.push_back(std::move(found));
            return;
        }
        const auto program = parseProgram(text(path), path);
        if (!program)
            return problem(program.error().where.empty() ? path : program.error().where,
                           program.error().message, program.error().hint);
        if (programText(*program) != text(path))
            problem(path, "does not give the same bytes when it is read and written again");
        if (program->draft != draft)
            problem(path,
                    fmt::format("was made for the draft {}, drafts.json says {}", program->draft, draft));
        m_rowsOfProgram[path] = rowsAddressed(*program, m_memory ? m_memory->rows : kMostRows);
        if (program->target != m_manifest.targetId)
            problem(path, fmt::format("is for the target \"{}\", the bundle for \"{}\"", program->target,
                                      m_manifest.targetId));
    }

    /// The family whose programs have this ending; null: the common form of DRAM commands.
    const BundleFacet* familyOf(const std::string& path) const {
        for (const auto& backend : m_backends.all())
            if (const BundleFacet* const facet = backend->bundleParts();
                facet && !facet->programEnding().empty() && path.ends_with(facet->programEnding()))
                return facet;
        return nullptr;
    }

    /// Every op whose code is here has rows, as many as its code addresses; what is kept there, nobody else
    /// writes to.
    void checkLayout() {
        withJson("layout.json", [this](const Json& layout) {
            if (m_memory && (layout.at("row_bytes") != m_memory->rowBytes ||
                             layout.at("access_bytes") != m_memory->accessBytes))
                problem("layout.json", "was made for memory of other sizes than target.json has");
            std::set<std::string> placed;
            std::int64_t keptEnd = 0, end = 0, freeBegin = kMostRows;
            for (const Json& entry : layout.at("regions")) {
                const auto first = wholeNumber<std::int64_t>(entry.at("first_row"));
                const auto rows = wholeNumber<std::int64_t>(entry.at("rows"));
                if (first < 0 || rows < 0 || first > kMostRows || rows > kMostRows)
                    return problem("layout.json",
                                   fmt::format("has rows {} and {} more, which no memory has", first, rows));
                if (!entry.at("kept").get<bool>())
                    freeBegin = std::min(freeBegin, first);
                else if (first < keptEnd)
                    problem("layout.json", fmt::format("gives row {} to two regions that are kept", first));
                else
                    keptEnd = first + rows;
                end = std::max(end, first + rows);
                for (const Json& op : entry.at("ops"))
                    if (!placed.insert(op.get<std::string>()).second)
                        problem("layout.json", fmt::format("gives \"{}\" rows twice", op.get<std::string>()));
                    else
                        checkRegion(op.get<std::string>(), entry, rows);
            }
            if (freeBegin < keptEnd)
                problem("layout.json",
                        fmt::format("lets ops that keep nothing write to row {}, which is kept", freeBegin));
            if (layout.at("rows_used") != end)
                problem("layout.json", fmt::format("rows_used is {}, the regions end at row {}",
                                                   layout.at("rows_used").dump(), end));
            if (const auto all = wholeNumber<std::int64_t>(layout.at("rows_of_bank")); all > 0 && end > all)
                problem("layout.json", fmt::format("uses {} rows of banks that have {}", end, all));
            if (layout.at("row_bytes") == 0)
                return; // the machine has no rows to give
            for (const auto& [op, planned] : m_plannedOps)
                if (planned.space && !placed.contains(op))
                    problem("layout.json",
                            fmt::format("has no rows for \"{}\", which the plan puts on PIM", op));
        });
    }

    void checkRegion(const std::string& op, const Json& entry, std::int64_t rows) {
        const auto planned = m_plannedOps.find(op);
        if (planned == m_plannedOps.end() || !planned->second.onPim)
            return problem("layout.json", fmt::format("gives rows to \"{}\", which is not on PIM", op));
        if (entry.at("draft") != planned->second.draft)
            problem("layout.json", fmt::format("has rows for another draft than \"{}\" has", op));
        if (entry.at("kept").get<bool>() == planned->second.resident.empty())
            problem("layout.json", fmt::format("and plan.json disagree about what \"{}\" keeps in PIM", op));
        const auto addressed = m_rowsOfProgram.find(m_programOf[op]);
        if (addressed != m_rowsOfProgram.end() && addressed->second > rows)
            problem("layout.json", fmt::format("gives \"{}\" {} rows, its program addresses row {}", op, rows,
                                               addressed->second - 1));
    }

    const BackendList& m_backends;
    fs::path m_folder;
    const TaskContext& m_task;
    std::optional<BankMemory> m_memory;
    std::map<std::string, std::string> m_programOf;      ///< By op.
    std::map<std::string, std::int64_t> m_rowsOfProgram; ///< By path.
    std::shared_ptr<const Target> m_target;              ///< Null where it cannot be read.
    Manifest m_manifest;
    VerifyReport m_report;
    Overrides m_overrides;
    std::map<std::string, std::shared_ptr<const MappedFile>> m_files;
    std::map<std::string, PlannedOp> m_plannedOps;
};

} // namespace

Result<VerifyReport> verifyBundle(const BackendList& backends, const fs::path& folder,
                                  const TaskContext& task) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        return fail(ErrorCode::NotFound, "is no folder, so no bundle", folder.string(),
                    "give the folder of a bundle");
    if (!fs::exists(folder / Manifest::kFileName, error))
        return fail(ErrorCode::InvalidFile, "is no bundle: there is no manifest.json in it", folder.string(),
                    "give the folder of a bundle");
    return Verifier(backends, folder, task).run();
}

} // namespace pim
