// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/project.h"

#include "core/base/log.h"
#include "core/base/version.h"
#include "core/hardware/catalog.h"
#include "core/project/decision_store.h"
#include "core/project/draft_columns.h"
#include "core/project/predictor_store.h"
#include "core/project/project_impl.h"
#include "core/project/schema.h"
#include "core/project/search_store.h"
#include "core/project/sweep_store.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <chrono>
#include <cmath>

namespace pim {

namespace {

namespace fs = std::filesystem;

std::string utcNow(double millisecondsAgo = 0) {
    const std::chrono::duration<double, std::milli> ago(millisecondsAgo);
    const auto then =
        std::chrono::system_clock::now() - std::chrono::duration_cast<std::chrono::microseconds>(ago);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(std::chrono::floor<std::chrono::seconds>(then)));
}

/// What the two numbers in the header and the list of tables say the file is.
struct Header {
    std::int64_t applicationId = 0, version = 0, tables = 0;
    bool empty() const { return applicationId == 0 && version == 0 && tables == 0; }
};

Result<Header> readHeader(const Database& database) {
    Header header;
    PIM_TRY(header.applicationId, database.integer("PRAGMA application_id"));
    PIM_TRY(header.version, database.integer("PRAGMA user_version"));
    PIM_TRY(header.tables, database.integer("SELECT count(*) FROM sqlite_schema"));
    return header;
}

/// Error::Database for what is no project, and for an older one that is not brought up to date because it is \p readOnly.
Result<Header> projectHeader(const Database& database, bool readOnly) {
    PIM_TRY(const Header header, readHeader(database));
    if (!(header.empty() && !readOnly) && header.applicationId != kApplicationId)
        return fail(ErrorCode::Database,
                    header.empty()
                        ? "not a PIM Studio project: the file is empty"
                        : fmt::format("not a PIM Studio project: a database of another program (application "
                                      "id {}, expected {})",
                                      header.applicationId, kApplicationId),
                    database.file().string(), "choose a .pimproj file");
    if (readOnly && header.version < Project::kSchemaVersion)
        return fail(
            ErrorCode::Database,
            fmt::format(
                "an older project (format {}, this program reads {}) must be brought up to date first",
                header.version, Project::kSchemaVersion),
            database.file().string(), "open it once where it can be written");
    return header;
}

Result<void> checkPath(const fs::path& file, Project::Mode mode) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (fs::is_directory(status))
        return fail(ErrorCode::Io, "is a folder, not a project file", file.string(),
                    "choose a .pimproj file in it");
    if (fs::exists(status) && !fs::is_regular_file(status))
        return fail(ErrorCode::Io, "is not a regular file", file.string(), "choose a .pimproj file");
    if (fs::exists(status))
        return {};
    if (mode == Project::Mode::ReadOnly)
        return fail(ErrorCode::NotFound, "there is no such project file", file.string(), "check the path");
    const fs::path folder = fs::absolute(file, error).parent_path();
    if (!fs::is_directory(folder, error))
        return fail(ErrorCode::Io, fmt::format("the folder \"{}\" does not exist", folder.string()),
                    file.string(), "make the folder first");
    return {};
}

Origin originFromText(const std::string& text) {
    return text == name(Origin::Simulated) ? Origin::Simulated : Origin::Predicted;
}

/// As in columns: NULL is the host.
std::optional<std::int64_t> column(DeviceId device) {
    return device.onHost() ? std::nullopt : std::optional(static_cast<std::int64_t>(device.index()));
}
DeviceId deviceAt(const Statement& row, int column) {
    const std::optional<double> device = row.realOrNull(column);
    return device ? DeviceId(static_cast<std::size_t>(*device)) : DeviceId::host();
}

Result<void> insertDevices(const Database& database, std::int64_t run, const Plan& plan) {
    PIM_TRY(Statement deviceRow, database.prepare("INSERT INTO run_devices VALUES(?,?,?,?)"));
    std::vector<Device> devices = plan.devices;
    if (devices.empty())
        devices = {{plan.target->id, plan.target}};
    for (std::size_t d = 0; d < devices.size(); ++d) {
        PIM_CHECK(insertTarget(database, *devices[d].target));
        const std::string hash = storedHash(*devices[d].target);
        PIM_CHECK(deviceRow.bind(run, static_cast<std::int64_t>(d), devices[d].name, hash).run());
    }
    PIM_TRY(Statement partRow, database.prepare("INSERT INTO run_parts VALUES(?,?,?,?,?,?,?)"));
    std::int64_t position = 0;
    for (const PlanPart& part : plan.parts) {
        const PlanDetail* const detail = part.plan->detail.get();
        const std::string kind(detail ? detail->kind() : ""), json = detail ? detail->json() : "";
        PIM_CHECK(partRow
                      .bind(run, position++, column(part.device), part.plan->total.totalNs(),
                            part.plan->hostOnlyNs, kind, json)
                      .run());
    }
    PIM_TRY(Statement transferRow, database.prepare("INSERT INTO run_transfers VALUES(?,?,?,?,?,?,?)"));
    position = 0;
    for (const Transfer& transfer : plan.transfers)
        PIM_CHECK(transferRow
                      .bind(run, position++, plan.graph->tensor(transfer.tensor).name, column(transfer.from),
                            column(transfer.to), transfer.bytes, transfer.ns)
                      .run());
    return {};
}

Result<void> insertBaselines(const Database& database, std::int64_t run, const Plan& plan) {
    PIM_TRY(Statement row, database.prepare("INSERT INTO run_baselines VALUES(?,?,?,?,?)"));
    std::int64_t position = 0;
    for (const Baseline& baseline : plan.baselines)
        PIM_CHECK(row.bind(run, position++, baseline.id, baseline.name, baseline.totalNs).run());
    return {};
}

Result<void> insertOps(const Database& database, std::int64_t run, const Plan& plan) {
    PIM_TRY(Statement opRow,
            database.prepare(
                "INSERT INTO run_ops(run_id, op_index, name, type, device, part, placement_overridden, "
                "draft, draft_overridden, "
                "reason, origin, input_ns, compute_ns, output_ns, mode_switch_ns, rewrite_ns, host_ns, "
                "host_only_ns, macs, bytes, "
                "drafts_enumerated, drafts_kept) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
    PIM_TRY(Statement tensorRow, database.prepare("INSERT INTO run_tensors VALUES(?,?,?,?,?,?,?,?)"));
    std::vector<std::optional<std::int64_t>> partOf(plan.ops.size());
    for (std::size_t part = 0; part < plan.parts.size(); ++part)
        for (const OpId op : plan.parts[part].ops)
            partOf[op.index()] = static_cast<std::int64_t>(part);
    for (std::size_t index = 0; index < plan.ops.size(); ++index) {
        const OpPlan& planned = plan.ops[index];
        const Op& op = plan.graph->op(planned.op);
        const std::string draft = !planned.onHost() && planned.space && planned.draft
                                      ? planned.space->draftText(*planned.draft)
                                      : std::string();
        const auto at = static_cast<std::int64_t>(index);
        const CostSplit& cost = planned.cost;
        const auto bindOp = [&](const auto& hostOnlyNs) -> Statement& {
            return opRow.bind(run, at, op.name, op.type, column(planned.placement), partOf[index],
                              planned.placementOverridden, draft, planned.draftOverridden, planned.reason,
                              name(planned.origin), cost.inputNs, cost.computeNs, cost.outputNs,
                              cost.modeSwitchNs, cost.rewriteNs, cost.hostNs, hostOnlyNs, op.work.macs,
                              op.work.bytesRead + op.work.bytesWritten, planned.draftsEnumerated,
                              planned.draftsKept);
        };
        PIM_CHECK((planned.hostKnown ? bindOp(planned.hostNs) : bindOp(nullptr)).run());
        std::int64_t position = 0;
        for (const TensorPlan& tensor : planned.tensors)
            PIM_CHECK(tensorRow
                          .bind(run, at, position++, tensor.name, name(tensor.residency), tensor.overridden,
                                tensor.bytes, tensor.loadNs)
                          .run());
    }
    return {};
}

Result<void> insertExploration(const Database& database, std::int64_t run, const Exploration& exploration) {
    const std::int64_t op = exploration.op.value;
    const TilingSpace& space = *exploration.space;
    PIM_TRY(Statement top, database.prepare("INSERT INTO run_drafts_top VALUES(?,?,?,?,?,?,?,?)"));
    for (std::size_t i = 0; i < std::min(Project::kTopDrafts, exploration.drafts.size()); ++i) {
        const CostSplit& cost = exploration.costs[i];
        const std::string text = space.draftText(exploration.drafts[i]);
        PIM_CHECK(top.bind(run, op, static_cast<std::int64_t>(i + 1), text, cost.inputNs, cost.computeNs,
                           cost.outputNs, cost.modeSwitchNs)
                      .run());
    }
    const auto columns =
        packDrafts(exploration.drafts, exploration.costs, static_cast<int>(space.sets().size()));
    const auto& removed = exploration.counts.byRule;
    const auto by = [&removed](PruneRule rule) { return removed[static_cast<std::size_t>(rule)]; };
    const std::string kernel = space.kernel().text();
    PIM_TRY(Statement packed,
            database.prepare("INSERT INTO run_drafts_columns VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
    return packed
        .bind(run, op, static_cast<std::int64_t>(exploration.drafts.size()),
              static_cast<std::int64_t>(space.sets().size()), kernel, space.resources().groups,
              space.resources().coresPerGroup, exploration.counts.enumerated, by(PruneRule::Redundant),
              by(PruneRule::SimdMultiple), by(PruneRule::WorstCore), by(PruneRule::Capacity),
              exploration.counts.passedOver, exploration.milliseconds, std::span<const std::byte>(columns))
        .run();
}

Result<void> insertSteps(const Database& database, std::int64_t run, const Plan& plan) {
    PIM_TRY(Statement binding, database.prepare("INSERT INTO run_bindings VALUES(?,?,?,?)"));
    for (const DimBinding& dim : plan.graph->bindings)
        PIM_CHECK(binding.bind(run, dim.symbol, dim.value, dim.assumed).run());
    PIM_TRY(Statement pass, database.prepare("INSERT INTO run_passes VALUES(?,?,?,?,?,?,?,?,?)"));
    std::int64_t position = 0;
    for (const PassRecord& record : plan.graph->passes) {
        const std::string options = nlohmann::json(record.options).dump();
        PIM_CHECK(pass.bind(run, position++, record.name, record.enabled, record.opsBefore, record.opsAfter,
                            record.changes, record.milliseconds, options)
                      .run());
    }
    PIM_TRY(Statement stage, database.prepare("INSERT INTO run_stages VALUES(?,?,?,?,?,?)"));
    position = 0;
    for (const StageTime& time : plan.stages)
        PIM_CHECK(stage.bind(run, position++, time.name, time.milliseconds, time.items, time.unit).run());
    return {};
}

Result<void> insertFigures(const Database& database, std::int64_t run, const Plan& plan) {
    if (!plan.detail)
        return {};
    PIM_TRY(Statement figure, database.prepare("INSERT INTO run_figures VALUES(?,?,?)"));
    for (const auto& [name, value] : plan.detail->figures())
        if (std::isfinite(value))
            PIM_CHECK(figure.bind(run, name, value).run());
    return {};
}

/// Model and target are stored once, however many runs share them.
Result<void> insertSources(const Database& database, const Plan& plan) {
    const ModelSource& source = plan.graph->source;
    PIM_TRY(Statement model, database.prepare("INSERT OR IGNORE INTO models VALUES(?,?,?,?,?,?)"));
    PIM_CHECK(model
                  .bind(source.structureHash, plan.graph->name, source.producer,
                        static_cast<std::int64_t>(plan.graph->ops.size()), plan.graph->totalWork().macs,
                        source.weightBytes)
                  .run());
    return insertTarget(database, *plan.target);
}

constexpr std::string_view kSelectRuns =
    "SELECT r.id, r.label, r.variant, r.model_path, r.model_hash, m.name, t.target_id, r.target_hash, "
    "t.host, "
    "coalesce((SELECT group_concat(symbol || '=' || value, ',') FROM run_bindings b WHERE b.run_id = r.id), "
    "''), "
    "r.overrides_json, r.options_json, r.tool_version, t.backend, r.seed, r.started_utc, r.compile_ms, "
    "r.total_ns, "
    "r.host_only_ns, r.resident_load_ns, "
    "r.in_flight, r.origin, coalesce(n.text, '') "
    "FROM runs r JOIN models m ON m.hash = r.model_hash JOIN targets t ON t.hash = r.target_hash "
    "LEFT JOIN notes n ON n.run_id = r.id AND n.op = '' ";

RunInfo runInfo(const Statement& row) {
    RunInfo info;
    int at = 0;
    info.id = row.integer(at++);
    for (auto field :
         {&RunInfo::label, &RunInfo::variant, &RunInfo::modelPath, &RunInfo::modelHash, &RunInfo::modelName,
          &RunInfo::targetId, &RunInfo::targetHash, &RunInfo::host, &RunInfo::bindings,
          &RunInfo::overridesJson, &RunInfo::optionsJson, &RunInfo::toolVersion, &RunInfo::backend})
        info.*field = row.text(at++);
    info.seed = std::bit_cast<std::uint64_t>(row.integer(at++));
    info.startedUtc = row.text(at++);
    for (auto field :
         {&RunInfo::compileMs, &RunInfo::totalNs, &RunInfo::hostOnlyNs, &RunInfo::residentLoadNs})
        info.*field = row.real(at++);
    info.inFlight = row.integer(at++) != 0;
    info.origin = originFromText(row.text(at++));
    info.note = row.text(at++);
    return info;
}

} // namespace

Project::Project() : m_impl(std::make_unique<Impl>()) {}
Project::~Project() = default;

const fs::path& Project::file() const {
    return m_impl->database->file();
}
bool Project::readOnly() const {
    return m_impl->readOnly;
}
const Diagnostics& Project::problems() const {
    return m_impl->problems;
}

Result<std::unique_ptr<Database>> openProjectForReading(const fs::path& file) {
    PIM_CHECK(checkPath(file, Project::Mode::ReadOnly));
    PIM_TRY(auto database, Database::openForReading(file));
    PIM_CHECK(projectHeader(*database, true));
    return database;
}

Result<std::unique_ptr<Project>> Project::open(const fs::path& file, Mode mode) {
    PIM_CHECK(checkPath(file, mode));
    std::unique_ptr<Project> project(new Project);
    Impl& impl = *project->m_impl;
    const auto readOnlyBecause = [&](std::string message, std::string hint) {
        impl.readOnly = true;
        impl.problems.push_back({Severity::Warning, file.string(), std::move(message), std::move(hint)});
    };

    if (mode == Mode::ReadWrite) {
        PIM_TRY(impl.database, Database::open(file, Database::Mode::ReadWrite));
        if (impl.database->readOnly())
            readOnlyBecause("you may not write to this file", "copy it to a folder you may write to");
    }
    if (mode == Mode::ReadOnly || impl.readOnly) {
        impl.database.reset();
        PIM_TRY(impl.database, Database::openForReading(file));
        impl.readOnly = true;
    }

    PIM_TRY(const Header header, projectHeader(*impl.database, impl.readOnly));
    if (header.version > kSchemaVersion) {
        readOnlyBecause(fmt::format("it was written by a newer PIM Studio (format {}, this one knows {})",
                                    header.version, kSchemaVersion),
                        "update PIM Studio to change this project");
    } else if (!impl.readOnly) {
        // Space of deleted runs goes back to the disk; must be said before the first table is made.
        if (header.empty())
            PIM_CHECK(impl.database->run("PRAGMA auto_vacuum = INCREMENTAL"));
        PIM_CHECK(impl.database->text("PRAGMA journal_mode = WAL"));
        // A run reported as stored survives a power cut too: one flush a run is cheap.
        PIM_CHECK(impl.database->run("PRAGMA synchronous = FULL"));
        PIM_CHECK(migrate(*impl.database, projectMigrations()));
    }
    Log::get().write(impl.readOnly ? LogLevel::Debug : LogLevel::Info, "project",
                     header.empty() ? fmt::format("{}: begun, format {}", file.string(), kSchemaVersion)
                                    : fmt::format("{}: opened{}, format {}{}", file.string(),
                                                  impl.readOnly ? " for reading" : "", header.version,
                                                  !impl.readOnly && header.version < kSchemaVersion
                                                      ? fmt::format(", now {}", kSchemaVersion)
                                                      : ""));
    return project;
}

Result<void> Project::checkIntegrity() const {
    PIM_TRY(Statement check, m_impl->database->prepare("PRAGMA integrity_check(5)"));
    std::string found;
    for (;;) {
        PIM_TRY(const bool row, check.step());
        if (!row)
            break;
        if (check.text(0) != "ok")
            found += (found.empty() ? "" : "; ") + check.text(0);
    }
    PIM_TRY(const std::int64_t orphans,
            m_impl->database->integer("SELECT count(*) FROM pragma_foreign_key_check"));
    if (orphans > 0)
        found += fmt::format("{}{} rows belong to nothing", found.empty() ? "" : "; ", orphans);
    if (!found.empty())
        return fail(ErrorCode::Database, "the project file is damaged: " + found, file().string(),
                    "restore a copy, or try `sqlite3 FILE .recover`");
    return {};
}

Result<void> Project::copyTo(const std::filesystem::path& file) const {
    const Database& database = *m_impl->database;
    PIM_TRY(const std::int64_t onlyReads, database.integer("PRAGMA query_only"));
    PIM_CHECK(database.run("PRAGMA query_only = OFF")); // what is written is another file
    std::error_code ignored;
    const bool isFree =
        !std::filesystem::exists(file, ignored) || std::filesystem::file_size(file, ignored) == 0;
    const auto copy = [&]() -> Result<void> {
        PIM_TRY(Statement statement, database.prepare("VACUUM INTO ?1"));
        return statement.bind(file.string()).run();
    };
    Result<void> copied = copy();
    if (!copied) {
        if (isFree) // half a copy is none
            std::filesystem::remove(file, ignored);
        copied.error().where = file.string();
    }
    if (onlyReads != 0)
        PIM_CHECK(database.run("PRAGMA query_only = ON"));
    return copied;
}

Result<std::int64_t> Project::recordRun(const Plan& plan, const RunContext& context) {
    for (const auto& exploration : context.explorations)
        PIM_ASSERT(exploration && exploration->op.valid() && exploration->op.index() < plan.ops.size(),
                   "an exploration stored with a run is of one of its ops");
    // Whatever needs no lock is made before the transaction begins.
    const std::string targetHash = storedHash(*plan.target), options = optionsJson(context.options),
                      overrides = plan.overrides.json();
    std::error_code error;
    const fs::path model =
        plan.graph->source.path.empty() ? fs::path() : fs::absolute(plan.graph->source.path, error);

    PIM_TRY(Transaction transaction, m_impl->beginChange());
    const Database& database = *m_impl->database;
    PIM_CHECK(insertSources(database, plan));
    PIM_CHECK(storePredictor(database, context.options));
    PIM_TRY(
        Statement row,
        database.prepare(
            "INSERT INTO runs(label, variant, model_hash, model_path, model_relative, "
            "target_hash, overrides_json, "
            "options_json, seed, tool_version, started_utc, compile_ms, origin, input_ns, "
            "compute_ns, output_ns, "
            "mode_switch_ns, rewrite_ns, host_ns, total_ns, host_only_ns, resident_load_ns, resident_bytes, "
            "detail_kind, detail_json, in_flight) "
            "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"));
    const CostSplit& total = plan.total;
    const std::string started = utcNow(context.compileMs), modelText = model.string(),
                      relativeText = relativeModel(file(), model);
    const std::string detailKind(plan.detail ? plan.detail->kind() : ""),
        detailJson = plan.detail ? plan.detail->json() : "";
    PIM_CHECK(row.bind(context.label, context.variant, plan.graph->source.structureHash, modelText,
                       relativeText, targetHash, overrides, options,
                       std::bit_cast<std::int64_t>(context.options.seed), PIM_VERSION, started,
                       context.compileMs, name(plan.origin), total.inputNs, total.computeNs, total.outputNs,
                       total.modeSwitchNs, total.rewriteNs, total.hostNs, total.totalNs(), plan.hostOnlyNs,
                       plan.residentLoadNs, plan.residentBytes, detailKind, detailJson,
                       std::int64_t(plan.firstSampleNs().has_value()))
                  .run());
    const std::int64_t run = database.lastRowId();
    PIM_CHECK(insertSteps(database, run, plan));
    PIM_CHECK(insertBaselines(database, run, plan));
    PIM_CHECK(insertFigures(database, run, plan));
    PIM_CHECK(insertDevices(database, run, plan));
    PIM_CHECK(insertOps(database, run, plan));
    for (const auto& exploration : context.explorations)
        PIM_CHECK(insertExploration(database, run, *exploration));
    PIM_CHECK(transaction.commit());
    return run;
}

Result<std::vector<RunInfo>> Project::runs() const {
    PIM_TRY(Statement rows, m_impl->database->prepare(std::string(kSelectRuns) + "ORDER BY r.id DESC"));
    std::vector<RunInfo> result;
    for (;;) {
        PIM_TRY(const bool row, rows.step());
        if (!row)
            return result;
        result.push_back(runInfo(rows));
    }
}

Result<RunInfo> Project::run(std::int64_t id) const {
    PIM_CHECK(m_impl->requireRun(id));
    PIM_TRY(Statement row, m_impl->database->prepare(std::string(kSelectRuns) + "WHERE r.id = ?"));
    PIM_CHECK(row.bind(id).step());
    return runInfo(row);
}

Result<void> Project::Impl::requireRun(std::int64_t id) const {
    PIM_TRY(Statement found, database->prepare("SELECT 1 FROM runs WHERE id = ?"));
    PIM_TRY(const bool there, found.bind(id).step());
    if (there)
        return {};
    PIM_TRY(const std::string ids, database->text("SELECT coalesce(group_concat(id, ', '), '') FROM (SELECT "
                                                  "id FROM runs ORDER BY id DESC LIMIT 20)"));
    return fail(ErrorCode::NotFound, fmt::format("there is no run {}", id), database->file().string(),
                ids.empty() ? "the project has no runs yet" : "there are runs " + ids);
}

Result<std::vector<RunOp>> Project::runOps(std::int64_t id) const {
    PIM_CHECK(m_impl->requireRun(id));
    PIM_TRY(Statement rows,
            m_impl->database->prepare(
                "SELECT name, type, placement, draft, reason, origin, input_ns, "
                "compute_ns, output_ns, mode_switch_ns, "
                "rewrite_ns, host_ns, host_only_ns, macs, bytes, drafts_enumerated, drafts_kept "
                "FROM run_ops WHERE run_id = ? "
                "ORDER BY op_index"));
    rows.bind(id);
    std::vector<RunOp> result;
    for (;;) {
        PIM_TRY(const bool row, rows.step());
        if (!row)
            return result;
        RunOp op;
        int at = 0;
        for (auto field : {&RunOp::name, &RunOp::type, &RunOp::placement, &RunOp::draft, &RunOp::reason})
            op.*field = rows.text(at++);
        op.origin = originFromText(rows.text(at++));
        for (auto field : {&CostSplit::inputNs, &CostSplit::computeNs, &CostSplit::outputNs,
                           &CostSplit::modeSwitchNs, &CostSplit::rewriteNs, &CostSplit::hostNs})
            op.cost.*field = rows.real(at++);
        op.hostOnlyNs = rows.real(at++);
        for (auto field : {&RunOp::macs, &RunOp::bytes, &RunOp::draftsEnumerated, &RunOp::draftsKept})
            op.*field = rows.integer(at++);
        result.push_back(std::move(op));
    }
}

Result<RunDevices> Project::runDevices(std::int64_t id) const {
    PIM_CHECK(m_impl->requireRun(id));
    const Database& database = *m_impl->database;
    RunDevices devices;
    PIM_TRY(Statement machines,
            database.prepare("SELECT d.name, t.target_id, t.hash FROM run_devices d "
                             "JOIN targets t ON t.hash = d.target_hash WHERE run_id = ? ORDER BY device"));
    machines.bind(id);
    PIM_CHECK(forEachRow(machines, [&](const Statement& row) -> Result<void> {
        devices.machines.push_back({row.text(0), row.text(1), row.text(2)});
        return {};
    }));
    PIM_TRY(Statement parts,
            database.prepare("SELECT device, total_ns, host_only_ns, detail_kind, detail_json "
                             "FROM run_parts WHERE run_id = ? ORDER BY position"));
    parts.bind(id);
    PIM_CHECK(forEachRow(parts, [&](const Statement& row) -> Result<void> {
        devices.parts.push_back({deviceAt(row, 0), {}, row.real(1), row.real(2), row.text(3), row.text(4)});
        return {};
    }));
    PIM_TRY(Statement ops,
            database.prepare("SELECT part, name FROM run_ops WHERE run_id = ? AND part IS NOT NULL "
                             "ORDER BY op_index"));
    ops.bind(id);
    PIM_CHECK(forEachRow(ops, [&](const Statement& row) -> Result<void> {
        const auto part = static_cast<std::size_t>(row.integer(0));
        if (part >= devices.parts.size())
            return fail(ErrorCode::Database,
                        fmt::format("the op \"{}\" of run {} is in part {} of {}", row.text(1), id, part + 1,
                                    devices.parts.size()),
                        file().string());
        devices.parts[part].ops.push_back(row.text(1));
        return {};
    }));
    PIM_TRY(Statement transfers, database.prepare("SELECT tensor, from_device, to_device, bytes, total_ns "
                                                  "FROM run_transfers WHERE run_id = ? ORDER BY position"));
    transfers.bind(id);
    PIM_CHECK(forEachRow(transfers, [&](const Statement& row) -> Result<void> {
        devices.transfers.push_back(
            {row.text(0), deviceAt(row, 1), deviceAt(row, 2), row.integer(3), row.real(4)});
        return {};
    }));
    return devices;
}

Result<void> Project::setRunLabel(std::int64_t id, const std::string& label) {
    PIM_CHECK(m_impl->requireRun(id));
    return m_impl->change("UPDATE runs SET label = ? WHERE id = ?", label, id);
}

Result<void> Project::setRunNote(std::int64_t id, const std::string& note) {
    PIM_CHECK(m_impl->requireRun(id));
    if (note.empty())
        return m_impl->change("DELETE FROM notes WHERE run_id = ? AND op = ''", id);
    const std::string now = utcNow();
    return m_impl->change(
        "INSERT INTO notes VALUES(?, '', ?, ?) ON CONFLICT DO UPDATE SET text = excluded.text, "
        "changed_utc = excluded.changed_utc",
        id, note, now);
}

Result<void> Project::deleteRun(std::int64_t id) {
    PIM_CHECK(m_impl->requireRun(id));
    {
        PIM_TRY(Transaction transaction, m_impl->beginChange());
        PIM_TRY(Statement statement, m_impl->database->prepare("DELETE FROM runs WHERE id = ?"));
        PIM_CHECK(statement.bind(id).run());
        PIM_CHECK(m_impl->database->run(
            "DELETE FROM models WHERE NOT EXISTS (SELECT 1 FROM runs WHERE model_hash = hash)"));
        PIM_CHECK(dropUnusedTargets(*m_impl->database));
        PIM_CHECK(dropUnusedPredictors(*m_impl->database));
        PIM_CHECK(transaction.commit());
    }
    return m_impl->database->run("PRAGMA incremental_vacuum");
}

Result<std::vector<std::pair<std::string, CostSplit>>> Project::runDrafts(std::int64_t id,
                                                                          const std::string& op) const {
    PIM_CHECK(m_impl->requireRun(id));
    PIM_TRY(
        Statement rows,
        m_impl->database->prepare(
            "SELECT d.draft, d.input_ns, d.compute_ns, d.output_ns, d.mode_switch_ns FROM run_drafts_top d "
            "JOIN run_ops o USING (run_id, op_index) WHERE d.run_id = ? AND o.name = ? ORDER BY d.op_index, "
            "d.rank"));
    rows.bind(id, op);
    std::vector<std::pair<std::string, CostSplit>> result;
    for (;;) {
        PIM_TRY(const bool row, rows.step());
        if (!row)
            return result;
        result.emplace_back(rows.text(0), CostSplit{rows.real(1), rows.real(2), rows.real(3), rows.real(4)});
    }
}

Result<std::vector<StageTime>> Project::runStages(std::int64_t id) const {
    PIM_CHECK(m_impl->requireRun(id));
    PIM_TRY(Statement rows,
            m_impl->database->prepare(
                "SELECT name, time_ms, items, unit FROM run_stages WHERE run_id = ? ORDER BY position"));
    rows.bind(id);
    std::vector<StageTime> result;
    for (;;) {
        PIM_TRY(const bool row, rows.step());
        if (!row)
            return result;
        result.push_back({rows.text(0), rows.real(1), rows.integer(2), rows.text(3)});
    }
}

Result<void> RunRecipe::requireOneMachine() const {
    if (machines.size() < 2)
        return {};
    std::string names;
    for (const std::string& name : machines)
        names += (names.empty() ? "" : ", ") + name;
    return fail(
        ErrorCode::Unsupported,
        fmt::format(
            "the run is spread over several machines ({}) and cannot be made again from what is stored of it",
            names));
}

Result<RunRecipe> Project::recipe(std::int64_t id) const {
    PIM_CHECK(m_impl->requireRun(id));
    const Database& database = *m_impl->database;
    PIM_TRY(const RunDevices devices, runDevices(id));
    PIM_TRY(
        Statement row,
        database.prepare(
            "SELECT r.model_path, r.model_relative, r.model_hash, r.overrides_json, r.options_json, t.json "
            "FROM runs r JOIN targets t ON t.hash = r.target_hash WHERE r.id = ?"));
    PIM_CHECK(row.bind(id).step());
    RunRecipe recipe;
    for (const RunDevices::Machine& machine : devices.machines)
        recipe.machines.push_back(machine.name);
    recipe.modelPath = modelSeenFrom(file(), row.text(0), row.text(1));
    recipe.modelHash = row.text(2);
    const std::string where = fmt::format("{}: run {}", file().string(), id);
    PIM_TRY(recipe.overrides, Overrides::fromJson(row.text(3), {}, where));
    PIM_TRY(recipe.options, optionsFromJson(row.text(4), where));
    PIM_CHECK(loadPredictor(database, recipe.options));
    PIM_TRY(recipe.target, targetFromJson(row.text(5), where));

    PIM_TRY(Statement bindings,
            database.prepare("SELECT symbol, value FROM run_bindings WHERE run_id = ? AND assumed = 0"));
    bindings.bind(id);
    for (;;) {
        PIM_TRY(const bool more, bindings.step());
        if (!more)
            break;
        recipe.graph.bindings[bindings.text(0)] = bindings.integer(1);
    }
    PIM_TRY(Statement passes,
            database.prepare("SELECT name, enabled, options_json FROM run_passes WHERE run_id = ?"));
    passes.bind(id);
    for (;;) {
        PIM_TRY(const bool more, passes.step());
        if (!more)
            return recipe;
        if (passes.integer(1) == 0)
            recipe.graph.disabledPasses.insert(passes.text(0));
        const auto options = nlohmann::json::parse(passes.text(2), nullptr, false);
        if (!options.is_object() || !std::ranges::all_of(options, &nlohmann::json::is_string))
            return fail(ErrorCode::Database,
                        fmt::format("the options of the pass \"{}\" are not understood", passes.text(0)),
                        where);
        if (!options.empty())
            recipe.graph.passOptions[passes.text(0)] = options.get<OptionTexts>();
    }
}

Result<std::int64_t> Project::addSweep(const SweepSetup& setup, const std::string& name) {
    PIM_TRY(Transaction transaction, m_impl->beginChange());
    PIM_TRY(const std::int64_t sweep, storeSweep(*m_impl->database, setup, name));
    PIM_CHECK(transaction.commit());
    return sweep;
}

Result<std::int64_t> Project::findOrAddSweep(const SweepSetup& setup, const std::string& name) {
    PIM_TRY(Transaction transaction, m_impl->beginChange());
    PIM_TRY(std::int64_t sweep, findSameSweep(*m_impl->database, setup, name));
    if (sweep == 0) {
        PIM_TRY(sweep, storeSweep(*m_impl->database, setup, name));
    }
    PIM_CHECK(transaction.commit());
    return sweep;
}

Result<void> Project::recordSweepPoint(std::int64_t sweep, const SweepPoint& point) {
    const PointRecord record = recordOf(point);
    const SweepPointSource one = [&](const auto& add) { return add({&record, 1}); };
    return m_impl->inTransaction(storeSweepPoints, sweep, one);
}

Result<void> Project::addSweepPoints(std::int64_t sweep, const SweepPointSource& produce) {
    const WithoutLog alone(*m_impl->database);
    return m_impl->inTransaction(storeSweepPoints, sweep, produce);
}

Result<void> Project::setSearch(std::int64_t sweep, const StoredSearch& search) {
    return m_impl->inTransaction(storeSearch, sweep, search);
}

Result<void> Project::setConfirmation(std::int64_t sweep, const StoredConfirmation& confirmation) {
    return m_impl->inTransaction(storeConfirmation, sweep, confirmation);
}

Result<void> Project::recordConfirmed(std::int64_t sweep, const SweepPoint& point) {
    return m_impl->inTransaction(storeConfirmed, sweep, point);
}

Result<std::vector<SweepInfo>> Project::sweeps() const {
    return readSweeps(*m_impl->database);
}

Result<StoredSweep> Project::sweep(std::int64_t id) const {
    return readSweep(*m_impl->database, id);
}

Result<std::int64_t> Project::findSweep(const std::string& name) const {
    PIM_TRY(const auto all, sweeps());
    std::string names;
    for (const SweepInfo& sweep : all) {
        if (name.empty() || sweep.name == name)
            return sweep.id;
        names += (names.empty() ? "" : ", ") + sweep.name;
    }
    return fail(ErrorCode::NotFound,
                name.empty() ? "the project has no sweep" : fmt::format("there is no sweep \"{}\"", name),
                file().string(),
                names.empty() ? "`pimc sweep MODEL --over … --project FILE` begins one"
                              : "there are " + names);
}

Result<void> Project::deleteSweep(std::int64_t id) {
    return m_impl->inTransaction(dropSweep, id);
}

Result<void> Project::claimSweep(std::int64_t id) {
    return m_impl->inTransaction(storeSweepClaim, id);
}

Result<void> Project::releaseSweep(std::int64_t id) {
    return m_impl->inTransaction(dropSweepClaim, id);
}

Result<std::vector<VariantInfo>> Project::variants() const {
    return readVariants(*m_impl->database);
}

Result<VariantInfo> Project::variant(const std::string& name) const {
    PIM_TRY(auto all, variants());
    std::string names;
    for (VariantInfo& variant : all) {
        if (variant.name == name)
            return std::move(variant);
        names += (names.empty() ? "" : ", ") + variant.name;
    }
    return fail(ErrorCode::NotFound, fmt::format("there is no variant \"{}\"", name), file().string(),
                "there are " + names);
}

Result<void> Project::saveVariant(const std::string& name, const Overrides& overrides,
                                  const std::string& parent) {
    if (name.empty())
        return fail(ErrorCode::Usage, "a variant needs a name", file().string());
    if (!parent.empty())
        PIM_CHECK(variant(parent));
    PIM_TRY(Transaction transaction, m_impl->beginChange());
    PIM_CHECK(storeVariant(*m_impl->database, name, overrides, parent));
    return transaction.commit();
}

Result<void> Project::removeVariant(const std::string& name) {
    PIM_TRY(const VariantInfo gone, variant(name));
    PIM_TRY(const auto all, variants());
    for (const VariantInfo& other : all)
        if (other.parent == gone.id)
            return fail(ErrorCode::Usage,
                        fmt::format("the variant \"{}\" was branched from \"{}\"", other.name, name),
                        file().string(), "remove that one first");
    PIM_TRY(const auto state, decisions());
    if (state && state->variant == name)
        return fail(ErrorCode::Usage, fmt::format("the variant \"{}\" is in force", name), file().string(),
                    "choose another one first");
    return m_impl->change("DELETE FROM variants WHERE name = ?", name);
}

Result<void> Project::saveDecisions(const DecisionState& state,
                                    const std::vector<std::string>& removedVariants) {
    PIM_TRY(Transaction transaction, m_impl->beginChange());
    PIM_CHECK(storeDecisions(*m_impl->database, state, removedVariants));
    return transaction.commit();
}

Result<std::optional<DecisionState>> Project::decisions() const {
    return loadDecisions(*m_impl->database);
}

Result<void> Project::setValue(const std::string& key, const std::string& value) {
    return m_impl->change(
        "INSERT INTO settings VALUES(?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", key, value);
}

std::optional<std::string> Project::value(const std::string& key) const {
    auto statement = m_impl->database->prepare("SELECT value FROM settings WHERE key = ?");
    if (!statement)
        return std::nullopt;
    const auto found = statement->bind(key).step();
    if (!found || !*found)
        return std::nullopt;
    return statement->text(0);
}

} // namespace pim
