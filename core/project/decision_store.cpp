// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/decision_store.h"

#include "core/base/hash.h"
#include "core/hardware/catalog.h"
#include "core/project/predictor_store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

namespace fs = std::filesystem;

Result<void> storeVariants(const Database& database, const DecisionState& state,
                           const std::vector<std::string>& removed) {
    PIM_TRY(Statement remove, database.prepare("DELETE FROM variants WHERE name = ?"));
    for (const std::string& name : removed)
        PIM_CHECK(remove.bind(name).run());
    PIM_TRY(Statement place,
            database.prepare(
                "UPDATE variants SET position = ?2, parent_id = (SELECT id FROM variants WHERE name = ?3) "
                "WHERE name = ?1"));
    for (const Variant& variant : state.variants)
        PIM_CHECK(storeVariant(database, variant.name, variant.overrides, {}));
    // parents may come later in the list after a rename, so they are set when all are there
    std::int64_t position = 0;
    for (const Variant& variant : state.variants)
        PIM_CHECK(place.bind(variant.name, position++, variant.parent).run());
    return {};
}

Result<void> storeNotes(const Database& database, const std::vector<Note>& notes) {
    PIM_CHECK(database.run("DELETE FROM work_notes"));
    PIM_TRY(Statement row,
            database.prepare(
                "INSERT INTO work_notes(id, op, timeline, from_ns, to_ns, text) VALUES(?,?,?,?,?,?)"));
    for (const Note& note : notes)
        PIM_CHECK(row.bind(note.id, note.op, note.timeline, note.fromNs, note.toNs, note.text).run());
    return {};
}

Result<void> storeMarks(const Database& database, const OpMarks& marks) {
    PIM_CHECK(database.run("DELETE FROM work_marks"));
    PIM_TRY(Statement row, database.prepare("INSERT INTO work_marks VALUES(?,?,?,?,?,?,?,?)"));
    for (const auto& [op, mark] : marks) {
        const std::string inputs =
            nlohmann::json(mark.inputs).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        PIM_CHECK(
            row.bind(op, mark.type, mark.shapes, mark.position, mark.nth, mark.alike, mark.output, inputs)
                .run());
    }
    return {};
}

Result<void> storeModel(const Database& database, const DecisionState& state) {
    PIM_CHECK(insertTarget(database, *state.target));
    const std::string path = state.modelPath.string(),
                      relative = relativeModel(database.file(), state.modelPath),
                      options = optionsJson(state.options), hash = storedHash(*state.target);
    PIM_TRY(Statement row, database.prepare("INSERT OR REPLACE INTO work VALUES(1,?,?,?,?,?,?)"));
    PIM_CHECK(row.bind(path, relative, state.modelHash, hash, options, state.variant).run());
    PIM_CHECK(database.run("DELETE FROM work_bindings; DELETE FROM work_disabled_passes; "
                           "DELETE FROM work_pass_options"));
    PIM_TRY(Statement binding, database.prepare("INSERT INTO work_bindings VALUES(?,?)"));
    for (const auto& [symbol, value] : state.graph.bindings)
        PIM_CHECK(binding.bind(symbol, value).run());
    PIM_TRY(Statement pass, database.prepare("INSERT INTO work_disabled_passes VALUES(?)"));
    for (const std::string& name : state.graph.disabledPasses)
        PIM_CHECK(pass.bind(name).run());
    PIM_TRY(Statement option, database.prepare("INSERT INTO work_pass_options VALUES(?,?,?)"));
    for (const auto& [name, texts] : state.graph.passOptions)
        for (const auto& [key, value] : texts)
            PIM_CHECK(option.bind(name, key, value).run());
    PIM_CHECK(storePredictor(database, state.options));
    PIM_CHECK(dropUnusedPredictors(database));
    return dropUnusedTargets(database);
}

Result<void> loadModel(const Database& database, DecisionState& state) {
    PIM_CHECK(forEachRow(database, "SELECT symbol, value FROM work_bindings",
                         [&](const Statement& row) -> Result<void> {
                             state.graph.bindings[row.text(0)] = row.integer(1);
                             return {};
                         }));
    PIM_CHECK(forEachRow(database, "SELECT name FROM work_disabled_passes",
                         [&](const Statement& row) -> Result<void> {
                             state.graph.disabledPasses.insert(row.text(0));
                             return {};
                         }));
    return forEachRow(database, "SELECT pass, option, value FROM work_pass_options",
                      [&](const Statement& row) -> Result<void> {
                          state.graph.passOptions[row.text(0)][row.text(1)] = row.text(2);
                          return {};
                      });
}

Result<void> loadNotes(const Database& database, DecisionState& state) {
    PIM_TRY(state.lastNote,
            database.integer("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'work_notes'"));
    return forEachRow(database, "SELECT id, op, timeline, from_ns, to_ns, text FROM work_notes ORDER BY id",
                      [&](const Statement& row) -> Result<void> {
                          state.notes.push_back({row.integer(0), row.text(1), row.text(2), row.real(3),
                                                 row.real(4), row.text(5)});
                          return {};
                      });
}

Result<void> loadMarks(const Database& database, DecisionState& state) {
    return forEachRow(
        database, "SELECT op, type, shapes, position, nth, alike, output, inputs_json FROM work_marks",
        [&](const Statement& row) -> Result<void> {
            const auto inputs = nlohmann::json::parse(row.text(7), nullptr, false);
            const auto isText = [](const auto& value) { return value.is_string(); };
            if (!inputs.is_array() || !std::all_of(inputs.begin(), inputs.end(), isText))
                return fail(ErrorCode::Database,
                            fmt::format("the mark of \"{}\" names no list of tensors", row.text(0)),
                            database.file().string(), "restore a copy of the project");
            state.marks[row.text(0)] = {row.text(1),    row.text(2),
                                        row.integer(3), row.integer(4),
                                        row.integer(5), inputs.get<std::vector<std::string>>(),
                                        row.text(6)};
            return {};
        });
}

Result<void> loadVariants(const Database& database, DecisionState& state) {
    PIM_TRY(const auto infos, readVariants(database));
    std::map<std::int64_t, std::string> names;
    for (const VariantInfo& info : infos)
        names[info.id] = info.name;
    state.variants.clear();
    for (const VariantInfo& info : infos)
        state.variants.push_back(
            {info.name, info.parent ? names[info.parent] : std::string(), info.overrides});
    if (std::ranges::find(state.variants, state.variant, &Variant::name) == state.variants.end())
        return fail(ErrorCode::Database,
                    fmt::format("the variant in force, \"{}\", is not among the variants", state.variant),
                    database.file().string(), "restore a copy of the project");
    return {};
}

} // namespace

Result<void> storeDecisions(const Database& database, const DecisionState& state,
                            const std::vector<std::string>& removed) {
    PIM_ASSERT(state.target, "a state that is stored has a target");
    PIM_CHECK(storeModel(database, state));
    PIM_CHECK(storeVariants(database, state, removed));
    PIM_CHECK(storeMarks(database, state.marks));
    PIM_CHECK(storeNotes(database, state.notes));
    PIM_CHECK(database.run("DELETE FROM view_states"));
    PIM_TRY(Statement row, database.prepare("INSERT INTO view_states VALUES(?,?)"));
    for (const auto& [view, json] : state.viewStates)
        PIM_CHECK(row.bind(view, json).run());
    return {};
}

Result<std::optional<DecisionState>> loadDecisions(const Database& database) {
    PIM_TRY(Statement row,
            database.prepare(
                "SELECT w.model_path, w.model_relative, w.model_hash, w.options_json, w.variant, t.json "
                "FROM work w JOIN targets t ON t.hash = w.target_hash"));
    PIM_TRY(const bool isThere, row.step());
    if (!isThere)
        return std::nullopt;
    DecisionState state;
    const std::string where = database.file().string();
    state.modelPath = modelSeenFrom(database.file(), row.text(0), row.text(1));
    state.modelHash = row.text(2);
    PIM_TRY(state.options, optionsFromJson(row.text(3), where));
    PIM_CHECK(loadPredictor(database, state.options));
    state.variant = row.text(4);
    PIM_TRY(state.target, targetFromJson(row.text(5), where));
    PIM_CHECK(loadModel(database, state));
    PIM_CHECK(loadVariants(database, state));
    PIM_CHECK(loadMarks(database, state));
    PIM_CHECK(loadNotes(database, state));
    PIM_CHECK(forEachRow(database, "SELECT view, json FROM view_states",
                         [&](const Statement& view) -> Result<void> {
                             state.viewStates[view.text(0)] = view.text(1);
                             return {};
                         }));
    return state;
}

std::string storedHash(const Target& target) {
    return target.hash.empty() ? sha256Hex(targetJson(target)) : target.hash;
}

Result<void> insertTarget(const Database& database, const Target& target) {
    const std::string hash = storedHash(target);
    PIM_TRY(Statement known, database.prepare("SELECT 1 FROM targets WHERE hash = ?"));
    PIM_TRY(const bool isThere, known.bind(hash).step());
    if (isThere)
        return {};
    PIM_TRY(Statement row, database.prepare("INSERT INTO targets VALUES(?,?,?,?,?,?)"));
    return row.bind(hash, target.id, target.name, target.backend, target.host.id, targetJson(target)).run();
}

Result<void> dropUnusedTargets(const Database& database) {
    return database.run("DELETE FROM targets WHERE NOT EXISTS (SELECT 1 FROM runs WHERE target_hash = hash) "
                        "AND NOT EXISTS (SELECT 1 FROM run_devices WHERE target_hash = hash) "
                        "AND NOT EXISTS (SELECT 1 FROM work WHERE target_hash = hash) "
                        "AND NOT EXISTS (SELECT 1 FROM sweeps WHERE target_hash = hash) "
                        "AND NOT EXISTS (SELECT 1 FROM sweep_values WHERE target_hash = hash)");
}

Result<std::vector<VariantInfo>> readVariants(const Database& database) {
    PIM_TRY(Statement decisions,
            database.prepare("SELECT op, field, value FROM overrides WHERE variant_id = ?"));
    std::vector<VariantInfo> result;
    PIM_CHECK(forEachRow(
        database,
        "SELECT id, name, coalesce(parent_id, 0) FROM variants ORDER BY position IS NULL, position, id",
        [&](const Statement& row) -> Result<void> {
            VariantInfo& variant = result.emplace_back();
            variant.id = row.integer(0);
            variant.name = row.text(1);
            variant.parent = row.integer(2);
            decisions.bind(variant.id);
            return forEachRow(decisions, [&](const Statement& decision) -> Result<void> {
                variant.overrides.set({decision.text(0), decision.text(1), decision.text(2)});
                return {};
            });
        }));
    return result;
}

Result<void> storeVariant(const Database& database, const std::string& name, const Overrides& overrides,
                          const std::string& parent) {
    PIM_TRY(Statement insert,
            database.prepare("INSERT INTO variants(name) VALUES(?) ON CONFLICT DO NOTHING"));
    PIM_CHECK(insert.bind(name).run());
    if (!parent.empty() && parent != name) {
        PIM_TRY(
            Statement branch,
            database.prepare(
                "UPDATE variants SET parent_id = (SELECT id FROM variants WHERE name = ?2) WHERE name = ?1"));
        PIM_CHECK(branch.bind(name, parent).run());
    }
    PIM_TRY(Statement clear,
            database.prepare(
                "DELETE FROM overrides WHERE variant_id = (SELECT id FROM variants WHERE name = ?)"));
    PIM_CHECK(clear.bind(name).run());
    PIM_TRY(Statement decide,
            database.prepare("INSERT INTO overrides SELECT id, ?2, ?3, ?4 FROM variants WHERE name = ?1"));
    for (const Override& decision : overrides.all())
        PIM_CHECK(decide.bind(name, decision.op, decision.field, decision.value).run());
    return {};
}

fs::path modelSeenFrom(const fs::path& project, const std::string& absolute, const std::string& relative) {
    std::error_code error;
    const fs::path moved = (fs::absolute(project, error).parent_path() / relative).lexically_normal();
    return !relative.empty() && !fs::exists(absolute, error) && fs::exists(moved, error) ? moved
                                                                                         : fs::path(absolute);
}

std::string relativeModel(const fs::path& project, const fs::path& model) {
    std::error_code error;
    return model.empty() ? std::string()
                         : model.lexically_relative(fs::absolute(project, error).parent_path()).string();
}

} // namespace pim
