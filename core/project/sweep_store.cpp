// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/sweep_store.h"

#include "core/base/parse_number.h"
#include "core/compile/sweep_networks.h"
#include "core/hardware/catalog.h"
#include "core/project/decision_store.h"
#include "core/project/point_rows.h"
#include "core/project/predictor_store.h"
#include "core/project/search_store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>

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
    PIM_TRY(Statement axisRow, database.prepare("INSERT INTO sweep_axes VALUES(?,?,?,?,?,?)"));
    PIM_TRY(Statement valueRow, database.prepare("INSERT INTO sweep_values VALUES(?,?,?,?,?)"));
    std::int64_t stride = sweepSize(setup.axes);
    for (std::int64_t a = 0; a < std::ssize(setup.axes); ++a) {
        const SweepAxis& axis = setup.axes[static_cast<std::size_t>(a)];
        stride /= std::ssize(axis.values); // the last axis is the fastest
        PIM_CHECK(axisRow.bind(sweep, a, axis.name, name(axis.kind), std::ssize(axis.values), stride).run());
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

Result<void> storeNetworks(const Database& database, std::int64_t sweep, const SweepSetup& setup) {
    PIM_TRY(Statement row, database.prepare("INSERT INTO sweep_models VALUES(?,?,?,?,?,?,?)"));
    std::int64_t position = 0;
    for (const SweepNetwork& network : setup.networks) {
        std::error_code error;
        const fs::path model = fs::absolute(network.path, error);
        const std::string path = model.string(), relative = relativeModel(database.file(), model),
                          bindings = dumped(network.bindings);
        PIM_CHECK(row.bind(sweep, position++, network.name, path, relative, network.hash, bindings).run());
    }
    return {};
}

Result<std::vector<SweepNetwork>> readNetworks(const Database& database, std::int64_t sweep) {
    std::vector<SweepNetwork> networks;
    PIM_TRY(Statement rows,
            database.prepare("SELECT name, model_path, model_relative, model_hash, bindings_json "
                             "FROM sweep_models WHERE sweep_id = ? ORDER BY position"));
    rows.bind(sweep);
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        const json bindings = json::parse(row.text(4), nullptr, false);
        if (!bindings.is_object() ||
            !std::ranges::all_of(bindings, [](const json& value) { return value.is_number_integer(); }))
            return tl::unexpected<Error>(damaged(
                database, fmt::format("sizes of the model \"{}\" that are not understood", row.text(0))));
        networks.push_back({row.text(0), modelSeenFrom(database.file(), row.text(1), row.text(2)),
                            bindings.get<std::map<std::string, std::int64_t>>(), row.text(3), nullptr,
                            nullptr});
        return {};
    }));
    return networks;
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
    PIM_TRY(info.search, readSearch(database, info.id));
    return info;
}

using NamesOfSweep =
    std::map<std::int64_t, std::shared_ptr<const PointNames>>; ///< By the number they are stored under.

Result<NamesOfSweep> readNames(const Database& database, std::int64_t sweep) {
    std::map<std::int64_t, PointNames> all;
    PIM_TRY(Statement rows, database.prepare("SELECT names, baseline IS NULL, coalesce(baseline, ''), name "
                                             "FROM sweep_names WHERE sweep_id = ? ORDER BY names, position"));
    rows.bind(sweep);
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        PointNames& names = all[row.integer(0)];
        if (row.integer(1) != 0)
            names.figures.push_back(row.text(3));
        else
            names.baselines.emplace_back(row.text(2), row.text(3));
        return {};
    }));
    NamesOfSweep shared;
    for (auto& [number, names] : all)
        shared[number] = std::make_shared<const PointNames>(std::move(names));
    return shared;
}

constexpr std::string_view kPredicted = "sweep_rows", kConfirmed = "confirmed_rows";
constexpr std::int64_t kNoNames = -1; ///< In their place.

/// \param table kPredicted or kConfirmed.
std::string selectRows(std::string_view table) {
    return fmt::format(
        "SELECT id, total_ns, host_only_ns, macs, compile_ms, problem, names, numbers FROM {} ", table);
}

/// \param first row of the sweep.
PointRecord recordAt(const Statement& row, std::int64_t first, const NamesOfSweep& names) {
    static const auto kNone = std::make_shared<const PointNames>();
    const auto named = names.find(row.integer(6));
    return {row.integer(0) - first,
            row.real(1),
            row.real(2),
            row.real(3),
            row.real(4),
            row.text(5),
            named == names.end() ? kNone : named->second,
            row.text(7)};
}

/// In both tables. A sweep has as many as it has points, finished or not.
struct RowRange {
    std::int64_t first = 0, count = 0;
    std::int64_t last() const { return first + count - 1; }
};

Result<RowRange> rowsOf(const Database& database, std::int64_t sweep) {
    PIM_TRY(Statement row, database.prepare("SELECT first_row, points FROM sweeps WHERE id = ?"));
    PIM_TRY(const bool isThere, row.bind(sweep).step());
    if (!isThere)
        return fail(ErrorCode::NotFound, fmt::format("there is no sweep {}", sweep), database.file().string(),
                    "it was deleted meanwhile");
    return RowRange{row.integer(0), row.integer(1)};
}

Result<std::vector<SweepPoint>> readPoints(const Database& database, const SweepInfo& info,
                                           std::string_view table) {
    std::vector<SweepPoint> points;
    PIM_TRY(const NamesOfSweep names, readNames(database, info.id));
    PIM_TRY(const RowRange range, rowsOf(database, info.id));
    if (range.count != info.size())
        return tl::unexpected<Error>(damaged(
            database, fmt::format("{} points, but its axes have {} combinations", range.count, info.size())));
    PIM_TRY(Statement rows, database.prepare(selectRows(table) + "WHERE id BETWEEN ? AND ? ORDER BY id"));
    rows.bind(range.first, range.last());
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        SweepPoint& point = points.emplace_back();
        if (!readRecord(recordAt(row, range.first, names), point))
            return tl::unexpected<Error>(damaged(
                database, fmt::format("numbers at point {} that are none, or not as many as they have "
                                      "names",
                                      point.index)));
        point.values = sweepValues(info.axes, point.index);
        return {};
    }));
    return points;
}

/// Behind the rows of all sweeps.
Result<std::int64_t> firstFreeRow(const Database& database, std::int64_t points) {
    PIM_TRY(const std::int64_t first,
            database.integer("SELECT coalesce(max(first_row + points), 0) FROM sweeps"));
    if (points > std::numeric_limits<std::int64_t>::max() - first)
        return fail(ErrorCode::Usage,
                    fmt::format("there is no room for {} points behind the {} that its sweeps may have",
                                points, first),
                    database.file().string(), "delete the newest sweep, or keep this one in another project");
    return first;
}

/// What decides the points, beside axes and the machines among their values.
constexpr std::array<std::string_view, 7> kOriginColumns{
    "model_hash",    "target_hash",          "overrides_json",   "options_json",
    "bindings_json", "disabled_passes_json", "pass_options_json"};
using SweepOrigin = std::array<std::string, kOriginColumns.size()>;

SweepOrigin sweepOriginOf(const SweepSetup& setup) {
    return {setup.base->source.structureHash, storedHash(*setup.request.target),
            setup.request.overrides.json(),   optionsJson(setup.request.options),
            dumped(setup.graph.bindings),     dumped(setup.graph.disabledPasses),
            dumped(setup.graph.passOptions)};
}

/// Writes points of one sweep.
class PointStore {
public:
    /// \param table kPredicted or kConfirmed.
    static Result<std::unique_ptr<PointStore>> open(const Database& database, std::int64_t sweep,
                                                    std::string_view table) {
        PIM_TRY(const RowRange range, rowsOf(database, sweep));
        auto store = std::make_unique<PointStore>(database, sweep, table, range);
        PIM_TRY(store->m_names, readNames(database, sweep));
        PIM_TRY(Statement last,
                database.prepare(fmt::format(
                    "SELECT coalesce(max(id), ?1 - 1) FROM {} WHERE id BETWEEN ?1 AND ?2", table)));
        PIM_CHECK(last.bind(range.first, range.last()).step());
        store->m_last = last.integer(0) - range.first;
        if (table == kPredicted) {
            PIM_TRY(const auto search, readSearch(database, sweep));
            store->m_hasTurns = search.has_value();
        }
        PIM_CHECK(store->m_rows.attach(database));
        return store;
    }

    PointStore(const Database& database, std::int64_t sweep, std::string_view table, RowRange range)
        : m_database(database), m_sweep(sweep), m_table(table), m_range(range) {
        m_rows.first = range.first;
    }

    Result<void> add(std::span<const PointRecord> points) {
        if (points.empty())
            return {};
        std::vector<PointRecord> news;
        const bool areAllNew = points.front().index > m_last &&
                               std::ranges::is_sorted(points, std::ranges::less_equal(), &PointRecord::index);
        if (!areAllNew) {
            for (const PointRecord& point : points) {
                PIM_TRY(const bool isThere, isStored(point));
                if (!isThere)
                    news.push_back(point);
            }
            points = news;
        }
        std::vector<std::int64_t> names;
        for (const PointRecord& point : points) {
            PIM_ASSERT(point.index >= 0 && point.index < m_range.count, "a point is one of the sweep's");
            PIM_TRY(const std::int64_t number, numberOf(point));
            names.push_back(number);
            m_last = std::max(m_last, point.index);
        }
        m_rows.points = points;
        m_rows.names = names;
        if (!m_insert) {
            PIM_TRY(Statement insert,
                    m_database.prepare(fmt::format("INSERT INTO {} SELECT * FROM new_points", m_table)));
            m_insert.emplace(std::move(insert));
        }
        PIM_CHECK(m_insert->run());
        if (m_hasTurns)
            PIM_CHECK(storeTurns(m_database, m_sweep, points));
        m_unwritten += std::ssize(points);
        if (m_unwritten >= kWrittenAtOnce) {
            m_database.writeBehind();
            m_unwritten = 0;
        }
        return {};
    }

private:
    /// Error::Usage where it is another one.
    Result<bool> isStored(const PointRecord& point) {
        if (!m_stored) {
            PIM_TRY(Statement asks, m_database.prepare(selectRows(m_table) + "WHERE id = ?"));
            m_stored.emplace(std::move(asks));
        }
        Statement& row = m_stored->bind(m_range.first + point.index);
        PIM_TRY(const bool isThere, row.step());
        if (!isThere)
            return false;
        const PointRecord stored = recordAt(row, m_range.first, m_names);
        if (!haveSameResult(stored, point))
            return fail(ErrorCode::Usage,
                        fmt::format("point {} is stored with other figures: {} and now {}", point.index,
                                    resultText(stored), resultText(point)),
                        m_database.file().string(),
                        "one of two machines computes wrongly, or the two are of different versions: keep "
                        "them in two sweeps");
        return true;
    }

    /// Under which its names are stored; they are, from then on.
    Result<std::int64_t> numberOf(const PointRecord& point) {
        if (point.names == m_lastNames.second)
            return m_lastNames.first;
        for (const auto& [number, each] : m_names)
            if (*each == *point.names) {
                m_lastNames = {number, point.names};
                return number;
            }
        if (point.names->size() == 0)
            return kNoNames;
        PIM_TRY(Statement row, m_database.prepare("INSERT INTO sweep_names VALUES(?,?,?,?,?)"));
        // A point is in both tables, so those of what was simulated go down from there.
        const std::int64_t own = m_table == kPredicted
                                     ? point.index
                                     : std::min(kNoNames, m_names.empty() ? 0 : m_names.begin()->first) - 1;
        std::int64_t position = 0;
        for (const auto& [id, name] : point.names->baselines)
            PIM_CHECK(row.bind(m_sweep, own, position++, id, name).run());
        for (const std::string& figure : point.names->figures)
            PIM_CHECK(row.bind(m_sweep, own, position++, nullptr, figure).run());
        m_names[own] = point.names;
        m_lastNames = {own, point.names};
        return own;
    }

    static constexpr std::int64_t kWrittenAtOnce = 50'000; ///< A few megabytes.

    const Database& m_database;
    std::int64_t m_sweep;
    std::string_view m_table;
    RowRange m_range;
    NamesOfSweep m_names;
    std::int64_t m_last = -1; ///< No point behind it is stored.
    bool m_hasTurns = false;
    std::pair<std::int64_t, std::shared_ptr<const PointNames>> m_lastNames;
    PointRows m_rows;
    std::optional<Statement> m_stored; ///< Asks for a point.
    std::optional<Statement> m_insert;
    std::int64_t m_unwritten = 0; ///< Points since the disk was told to begin.
};

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
    PIM_CHECK(storePredictor(database, setup.request.options));
    std::error_code error;
    const ModelSource& source = setup.base->source;
    const fs::path model = source.path.empty() ? fs::path() : fs::absolute(source.path, error);
    const std::string path = model.string(), relative = relativeModel(database.file(), model),
                      networks = networksText(setup);
    const SweepOrigin origin = sweepOriginOf(setup);
    const std::int64_t points = sweepSize(setup.axes);
    PIM_TRY(const std::int64_t first, firstFreeRow(database, points));
    PIM_TRY(Statement row,
            database.prepare(fmt::format("INSERT INTO sweeps(name, started_utc, model_path, "
                                         "model_relative, model_name, points, first_row, runner, {}) "
                                         "VALUES(?,{},?,?,?,?,?,'',?,?,?,?,?,?,?)",
                                         fmt::join(kOriginColumns, ", "), kNowUtc)));
    PIM_CHECK(row.bind(freeOne, path, relative, networks, points, first, origin[0], origin[1], origin[2],
                       origin[3], origin[4], origin[5], origin[6])
                  .run());
    const std::int64_t sweep = database.lastRowId();
    PIM_CHECK(storeAxes(database, sweep, setup));
    PIM_CHECK(storeNetworks(database, sweep, setup));
    return sweep;
}

Result<std::int64_t> findSameSweep(const Database& database, const SweepSetup& setup,
                                   const std::string& name) {
    const SweepOrigin origin = sweepOriginOf(setup);
    PIM_TRY(Statement rows,
            database.prepare(fmt::format("SELECT id FROM sweeps WHERE (?1 = '' OR name = ?1) AND "
                                         "{} = ? ORDER BY id DESC",
                                         fmt::join(kOriginColumns, " = ? AND "))));
    PIM_TRY(Statement values,
            database.prepare("SELECT coalesce(target_hash, '') FROM sweep_values WHERE sweep_id = ? "
                             "AND target_hash IS NOT NULL ORDER BY axis_position, position"));
    rows.bind(name, origin[0], origin[1], origin[2], origin[3], origin[4], origin[5], origin[6]);
    std::int64_t same = 0;
    PIM_CHECK(forEachRow(rows, [&](const Statement& row) -> Result<void> {
        PIM_TRY(const std::vector<SweepAxis> axes, readAxes(database, row.integer(0)));
        std::vector<std::string> hashes, wanted;
        values.bind(row.integer(0));
        PIM_CHECK(forEachRow(values, [&](const Statement& value) -> Result<void> {
            hashes.push_back(value.text(0));
            return {};
        }));
        for (const auto& target : setup.targets)
            wanted.push_back(storedHash(*target));
        PIM_TRY(const std::vector<SweepNetwork> networks, readNetworks(database, row.integer(0)));
        if (same == 0 && axes == setup.axes && hashes == wanted &&
            std::ranges::equal(networks, setup.networks, {}, &SweepNetwork::hash, &SweepNetwork::hash))
            same = row.integer(0);
        return {};
    }));
    return same;
}

Result<void> storeSweepPoints(const Database& database, std::int64_t sweep, const SweepPointSource& produce) {
    PIM_TRY(const auto store, PointStore::open(database, sweep, kPredicted));
    return produce([&](std::span<const PointRecord> points) { return store->add(points); });
}

Result<void> storeConfirmed(const Database& database, std::int64_t sweep, const SweepPoint& point) {
    PIM_TRY(const auto store, PointStore::open(database, sweep, kConfirmed));
    const PointRecord record = recordOf(point);
    return store->add({&record, 1});
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
    PIM_CHECK(rowsOf(database, sweep));
    PIM_TRY(Statement row, database.prepare(std::string(kSelectSweeps) + "WHERE s.id = ?"));
    PIM_CHECK(row.bind(sweep).step());
    StoredSweep stored;
    PIM_TRY(stored.info, infoOf(database, row));
    stored.modelHash = row.text(9);
    const std::string where = fmt::format("{}: sweep \"{}\"", database.file().string(), stored.info.name);
    SweepSetup& setup = stored.setup;
    setup.axes = stored.info.axes;
    PIM_TRY(setup.networks, readNetworks(database, sweep));
    PIM_TRY(setup.request.overrides, Overrides::fromJson(row.text(10), {}, where));
    PIM_TRY(setup.request.options, optionsFromJson(row.text(11), where));
    PIM_CHECK(loadPredictor(database, setup.request.options));
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
    PIM_TRY(setup.request.target, targetFromJson(row.text(14), database.file().string()));
    PIM_TRY(Statement targets,
            database.prepare("SELECT t.json FROM sweep_values v JOIN targets t ON t.hash = v.target_hash "
                             "WHERE v.sweep_id = ? ORDER BY v.axis_position, v.position"));
    targets.bind(sweep);
    PIM_CHECK(forEachRow(targets, [&](const Statement& each) -> Result<void> {
        PIM_TRY(auto target, targetFromJson(each.text(0), database.file().string()));
        setup.targets.push_back(std::move(target));
        return {};
    }));
    PIM_TRY(stored.points, readPoints(database, stored.info, kPredicted));
    PIM_TRY(stored.turns, readTurns(database, sweep));
    PIM_TRY(stored.confirmation, readConfirmation(database, sweep));
    if (stored.confirmation) {
        PIM_TRY(stored.confirmation->points, readPoints(database, stored.info, kConfirmed));
    }
    return stored;
}

Result<void> dropSweep(const Database& database, std::int64_t sweep) {
    PIM_CHECK(rowsOf(database, sweep));
    PIM_TRY(Statement row, database.prepare("DELETE FROM sweeps WHERE id = ?"));
    PIM_CHECK(row.bind(sweep).run());
    PIM_CHECK(dropUnusedPredictors(database));
    return dropUnusedTargets(database);
}

Result<void> storeSweepClaim(const Database& database, std::int64_t sweep) {
    PIM_CHECK(rowsOf(database, sweep));
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
