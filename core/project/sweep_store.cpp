// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/sweep_store.h"

#include "core/hardware/catalog.h"
#include "core/project/decision_store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace pim {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kNowUtc = "strftime('%Y-%m-%dT%H:%M:%SZ', 'now')";
constexpr std::string_view kSelectSweeps =
    "SELECT s.id, s.name, s.started_utc, s.model_name, s.model_path, s.model_relative, t.target_id, "
    "(SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id), "
    "(SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id AND p.problem <> ''), "
    "s.model_hash, s.overrides_json, s.options_json, s.bindings_json, s.disabled_passes_json, t.json, "
    "s.pass_options_json "
    "FROM sweeps s JOIN targets t ON t.hash = s.target_hash ";

Error damaged(const Database& database, std::string_view what) {
    return {ErrorCode::Database, fmt::format("a sweep has {}", what), database.file().string(),
            "restore a copy of the project"};
}

std::string dumped(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<std::string> freeName(const Database& database, const std::string& wanted) {
    PIM_TRY(Statement taken, database.prepare("SELECT 1 FROM sweeps WHERE name = ?"));
    for (std::int64_t number = 1;; ++number) {
        const std::string name = wanted.empty() ? fmt::format("sweep {}", number) : wanted;
        PIM_TRY(const bool isTaken, taken.bind(name).step());
        if (!isTaken)
            return name;
        if (!wanted.empty())
            return fail(ErrorCode::Usage, fmt::format("there is a sweep \"{}\" already", wanted),
                        database.file().string(), "give another name, or go on with that one");
    }
}

Result<void> storeAxes(const Database& database, std::int64_t sweep, const SweepSetup& setup) {
    PIM_TRY(Statement axisRow, database.prepare("INSERT INTO sweep_axes VALUES(?,?,?,?)"));
    PIM_TRY(Statement valueRow, database.prepare("INSERT INTO sweep_values VALUES(?,?,?,?,?)"));
    for (std::int64_t a = 0; a < std::ssize(setup.axes); ++a) {
        const SweepAxis& axis = setup.axes[static_cast<std::size_t>(a)];
        PIM_CHECK(axisRow.bind(sweep, a, axis.name, name(axis.kind)).run());
        for (std::int64_t v = 0; v < std::ssize(axis.values); ++v) {
            const auto at = static_cast<std::size_t>(v);
            if (axis.kind != SweepAxis::Kind::Target) {
                PIM_CHECK(valueRow.bind(sweep, a, v, axis.values[at], nullptr).run());
                continue;
            }
            PIM_CHECK(insertTarget(database, *setup.targets[at]));
            const std::string hash = storedHash(*setup.targets[at]);
            PIM_CHECK(valueRow.bind(sweep, a, v, axis.values[at], hash).run());
        }
    }
    return {};
}

Result<std::vector<SweepAxis>> readAxes(const Database& database, std::int64_t sweep) {
    std::vector<SweepAxis> axes;
    PIM_TRY(Statement rows,
            database.prepare("SELECT axis, kind FROM sweep_axes WHERE sweep_id = ? ORDER BY position"));
    PIM_TRY(Statement values,
            database.prepare(
                "SELECT value FROM sweep_values WHERE sweep_id = ? AND axis_position = ? ORDER BY position"));
    rows.bind(sweep);
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        const auto kind = sweepAxisKind(row.text(1));
        if (!kind)
            return tl::unexpected<Error>(
                damaged(database, fmt::format("an axis of the unknown kind \"{}\"", row.text(1))));
        SweepAxis& axis = axes.emplace_back(SweepAxis{row.text(0), {}, *kind});
        values.bind(sweep, std::ssize(axes) - 1);
        return forEachRow(values, [&](const Statement& value) -> Result<void> {
            axis.values.push_back(value.text(0));
            return {};
        });
    }));
    return axes;
}

Result<std::shared_ptr<const Target>> targetOf(const Database& database, const std::string& text) {
    PIM_TRY(Target target, targetFromJson(text, database.file().string()));
    return std::make_shared<const Target>(std::move(target));
}

Result<SweepInfo> infoOf(const Database& database, const Statement& row) {
    SweepInfo info;
    info.id = row.integer(0);
    info.name = row.text(1);
    info.startedUtc = row.text(2);
    info.modelName = row.text(3);
    info.modelPath = modelSeenFrom(database.file(), row.text(4), row.text(5)).string();
    info.targetId = row.text(6);
    info.finished = row.integer(7);
    info.failed = row.integer(8);
    PIM_TRY(info.axes, readAxes(database, info.id));
    return info;
}

Result<std::vector<SweepPoint>> readPoints(const Database& database, const SweepInfo& info) {
    std::vector<SweepPoint> points;
    PIM_TRY(
        Statement rows,
        database.prepare("SELECT point, total_ns, host_only_ns, macs, compile_ms, problem FROM sweep_points "
                         "WHERE sweep_id = ? ORDER BY point"));
    rows.bind(info.id);
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        SweepPoint& point = points.emplace_back();
        point.index = row.integer(0);
        if (point.index < 0 || point.index >= info.size())
            return tl::unexpected<Error>(
                damaged(database, fmt::format("a point {}, but its axes have {} combinations", point.index,
                                              info.size())));
        point.values = sweepValues(info.axes, point.index);
        point.totalNs = row.real(1);
        point.hostOnlyNs = row.real(2);
        point.macs = row.real(3);
        point.compileMs = row.real(4);
        point.problem = row.text(5);
        return {};
    }));
    const auto pointAt = [&](std::int64_t index) -> SweepPoint& {
        return *std::lower_bound(points.begin(), points.end(), index,
                                 [](const SweepPoint& p, std::int64_t i) { return p.index < i; });
    };
    PIM_TRY(Statement baselines,
            database.prepare("SELECT point, baseline, name, total_ns FROM sweep_baselines WHERE sweep_id = ? "
                             "ORDER BY point, position"));
    baselines.bind(info.id);
    PIM_CHECK(forEachRow(baselines, [&](const Statement& row) -> Result<void> {
        pointAt(row.integer(0)).baselines.push_back({row.text(1), row.text(2), row.real(3)});
        return {};
    }));
    PIM_TRY(
        Statement figures,
        database.prepare(
            "SELECT point, figure, value FROM sweep_figures WHERE sweep_id = ? ORDER BY point, position"));
    figures.bind(info.id);
    PIM_CHECK(forEachRow(figures, [&](const Statement& row) -> Result<void> {
        pointAt(row.integer(0)).figures.emplace_back(row.text(1), row.real(2));
        return {};
    }));
    return points;
}

/// "seq=32; target=aim"
std::string settingsText(const std::vector<SweepAxis>& axes, const SweepPoint& point) {
    std::string settings;
    for (std::size_t a = 0; a < axes.size() && a < point.values.size() && !axes[a].isCondition(); ++a)
        settings += fmt::format("{}{}={}", settings.empty() ? "" : "; ", axes[a].name, point.values[a]);
    return settings;
}

Result<void> requireSweep(const Database& database, std::int64_t sweep) {
    PIM_TRY(Statement row, database.prepare("SELECT 1 FROM sweeps WHERE id = ?"));
    PIM_TRY(const bool isThere, row.bind(sweep).step());
    if (!isThere)
        return fail(ErrorCode::NotFound, fmt::format("there is no sweep {}", sweep), database.file().string(),
                    "it was deleted meanwhile");
    return {};
}

/// When a process began, in ticks since the machine did; empty: there is no such process.
std::string startOf(const std::string& process) {
    std::ifstream in("/proc/" + process + "/stat");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    std::size_t at = text.rfind(')'); // the name before it may hold anything
    constexpr int kFieldsBetween = 20;
    for (int field = 0; field < kFieldsBetween && at != std::string::npos; ++field)
        at = text.find(' ', at + 1);
    return at == std::string::npos ? std::string() : text.substr(at + 1, text.find(' ', at + 1) - at - 1);
}

/// A number alone would be taken by another process some day.
std::string thisRunner() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    const std::string process = std::to_string(getpid());
    return fmt::format("{} {} {}", process, startOf(process), host.data());
}

bool isAlive(const std::string& runner) {
    const std::size_t first = runner.find(' '), second = runner.find(' ', first + 1);
    if (second == std::string::npos)
        return false;
    const std::string now = thisRunner();
    const bool isHere = runner.substr(second) == now.substr(now.find(' ', now.find(' ') + 1));
    return isHere && startOf(runner.substr(0, first)) == runner.substr(first + 1, second - first - 1);
}

} // namespace

Result<std::int64_t> storeSweep(const Database& database, const SweepSetup& setup, const std::string& name) {
    PIM_ASSERT(setup.base && setup.request.target, "a sweep is stored after it was prepared");
    PIM_TRY(const std::string freeOne, freeName(database, name));
    PIM_CHECK(insertTarget(database, *setup.request.target));
    std::error_code error;
    const ModelSource& source = setup.base->source;
    const fs::path model = source.path.empty() ? fs::path() : fs::absolute(source.path, error);
    const std::string path = model.string(), relative = relativeModel(database.file(), model),
                      hash = storedHash(*setup.request.target), overrides = setup.request.overrides.json(),
                      options = optionsJson(setup.request.options), bindings = dumped(setup.graph.bindings),
                      passes = dumped(setup.graph.disabledPasses),
                      passOptions = dumped(setup.graph.passOptions);
    PIM_TRY(Statement row,
            database.prepare(fmt::format(
                "INSERT INTO sweeps(name, started_utc, model_path, model_relative, model_hash, model_name, "
                "target_hash, "
                "overrides_json, options_json, bindings_json, disabled_passes_json, pass_options_json, "
                "points, runner) "
                "VALUES(?,{},?,?,?,?,?,?,?,?,?,?,?,'')",
                kNowUtc)));
    PIM_CHECK(row.bind(freeOne, path, relative, source.structureHash, setup.base->name, hash, overrides,
                       options, bindings, passes, passOptions, sweepSize(setup.axes))
                  .run());
    const std::int64_t sweep = database.lastRowId();
    PIM_CHECK(storeAxes(database, sweep, setup));
    return sweep;
}

Result<void> storeSweepPoint(const Database& database, std::int64_t sweep, const SweepPoint& point) {
    return storeSweepPoints(database, sweep, {&point, 1});
}

Result<void> storeSweepPoints(const Database& database, std::int64_t sweep,
                              std::span<const SweepPoint> points) {
    PIM_TRY(const std::vector<SweepAxis> axes, readAxes(database, sweep));
    PIM_CHECK(requireSweep(database, sweep));
    PIM_TRY(Statement there, database.prepare("SELECT 1 FROM sweep_points WHERE sweep_id = ? AND point = ?"));
    PIM_TRY(Statement row,
            database.prepare(fmt::format("INSERT INTO sweep_points VALUES(?,?,?,?,?,?,?,?,{})", kNowUtc)));
    PIM_TRY(Statement baseline, database.prepare("INSERT INTO sweep_baselines VALUES(?,?,?,?,?,?)"));
    PIM_TRY(Statement figure, database.prepare("INSERT INTO sweep_figures VALUES(?,?,?,?,?)"));
    for (const SweepPoint& point : points) {
        PIM_TRY(const bool isThere, there.bind(sweep, point.index).step());
        if (isThere)
            continue;
        const std::string settings = settingsText(axes, point);
        PIM_CHECK((point.problem.empty()
                       ? row.bind(sweep, point.index, settings, point.totalNs, point.hostOnlyNs, point.macs,
                                  point.compileMs, point.problem)
                       : row.bind(sweep, point.index, settings, nullptr, nullptr, nullptr, point.compileMs,
                                  point.problem))
                      .run());
        std::int64_t position = 0;
        for (const Baseline& each : point.baselines)
            PIM_CHECK(baseline.bind(sweep, point.index, position++, each.id, each.name, each.totalNs).run());
        position = 0;
        for (const auto& [what, value] : point.figures)
            PIM_CHECK(figure.bind(sweep, point.index, position++, what, value).run());
    }
    return {};
}

Result<std::vector<SweepInfo>> readSweeps(const Database& database) {
    std::vector<SweepInfo> all;
    PIM_CHECK(forEachRow(database, std::string(kSelectSweeps) + "ORDER BY s.id DESC",
                         [&](const Statement& row) -> Result<void> {
                             PIM_TRY(SweepInfo info, infoOf(database, row));
                             all.push_back(std::move(info));
                             return {};
                         }));
    return all;
}

Result<StoredSweep> readSweep(const Database& database, std::int64_t sweep) {
    PIM_CHECK(requireSweep(database, sweep));
    PIM_TRY(Statement row, database.prepare(std::string(kSelectSweeps) + "WHERE s.id = ?"));
    PIM_CHECK(row.bind(sweep).step());
    StoredSweep stored;
    PIM_TRY(stored.info, infoOf(database, row));
    stored.modelHash = row.text(9);
    const std::string where = fmt::format("{}: sweep \"{}\"", database.file().string(), stored.info.name);
    SweepSetup& setup = stored.setup;
    setup.axes = stored.info.axes;
    PIM_TRY(setup.request.overrides, Overrides::fromJson(row.text(10), {}, where));
    PIM_TRY(setup.request.options, optionsFromJson(row.text(11), where));
    const json bindings = json::parse(row.text(12), nullptr, false),
               passes = json::parse(row.text(13), nullptr, false),
               passOptions = json::parse(row.text(15), nullptr, false);
    const auto all = [](const json& values, bool (json::*is)() const noexcept) {
        return std::all_of(values.begin(), values.end(), [is](const json& value) { return (value.*is)(); });
    };
    if (!(bindings.is_object() || bindings.is_null()) || !all(bindings, &json::is_number_integer) ||
        !(passes.is_array() || passes.is_null()) || !all(passes, &json::is_string) ||
        !(passOptions.is_object() || passOptions.is_null()) || !all(passOptions, &json::is_object) ||
        !std::ranges::all_of(passOptions, [&](const json& texts) { return all(texts, &json::is_string); }))
        return tl::unexpected<Error>(damaged(database, "bindings or passes that are not understood"));
    if (bindings.is_object())
        setup.graph.bindings = bindings.get<std::map<std::string, std::int64_t>>();
    if (passes.is_array())
        setup.graph.disabledPasses = passes.get<std::set<std::string>>();
    for (const auto& [pass, texts] : passOptions.items())
        setup.graph.passOptions[pass] = texts.get<OptionTexts>();
    PIM_TRY(setup.request.target, targetOf(database, row.text(14)));
    PIM_TRY(Statement targets,
            database.prepare("SELECT t.json FROM sweep_values v JOIN targets t ON t.hash = v.target_hash "
                             "WHERE v.sweep_id = ? ORDER BY v.axis_position, v.position"));
    targets.bind(sweep);
    PIM_CHECK(forEachRow(targets, [&](const Statement& each) -> Result<void> {
        PIM_TRY(auto target, targetOf(database, each.text(0)));
        setup.targets.push_back(std::move(target));
        return {};
    }));
    PIM_TRY(stored.points, readPoints(database, stored.info));
    return stored;
}

Result<void> dropSweep(const Database& database, std::int64_t sweep) {
    PIM_CHECK(requireSweep(database, sweep));
    PIM_TRY(Statement row, database.prepare("DELETE FROM sweeps WHERE id = ?"));
    PIM_CHECK(row.bind(sweep).run());
    return dropUnusedTargets(database);
}

Result<void> storeSweepClaim(const Database& database, std::int64_t sweep) {
    PIM_CHECK(requireSweep(database, sweep));
    const std::string own = thisRunner();
    PIM_TRY(Statement asked, database.prepare("SELECT runner, name FROM sweeps WHERE id = ?"));
    PIM_CHECK(asked.bind(sweep).step());
    const std::string runner = asked.text(0);
    if (runner != own && isAlive(runner))
        return fail(ErrorCode::Usage,
                    fmt::format("the sweep \"{}\" is being computed by process {}", asked.text(1),
                                runner.substr(0, runner.find(' '))),
                    database.file().string(), "wait for it or stop it; what it finishes is kept");
    PIM_TRY(Statement claim, database.prepare("UPDATE sweeps SET runner = ? WHERE id = ?"));
    return claim.bind(own, sweep).run();
}

Result<void> dropSweepClaim(const Database& database, std::int64_t sweep) {
    PIM_TRY(Statement release, database.prepare("UPDATE sweeps SET runner = '' WHERE id = ? AND runner = ?"));
    const std::string own = thisRunner();
    return release.bind(sweep, own).run();
}

} // namespace pim
