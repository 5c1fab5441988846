// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/predictor_store.h"

#include "core/base/base64.h"
#include "core/predict/predictor_set.h"

namespace pim {
namespace {

const std::string kKey = "predictor/"; ///< In front of the digest, among the settings.

} // namespace

Result<void> storePredictor(const Database& database, const CompileOptions& options) {
    for (const auto& learned : membersOf(options.predictor)) {
        const std::string key = kKey + learned->digest();
        PIM_TRY(Statement known, database.prepare("SELECT 1 FROM settings WHERE key = ?"));
        PIM_TRY(const bool isThere, known.bind(key).step());
        if (isThere)
            continue;
        const std::string text = toBase64(learned->bytes());
        PIM_TRY(Statement row, database.prepare("INSERT INTO settings VALUES(?, ?)"));
        PIM_CHECK(row.bind(key, text).run());
    }
    return {};
}

namespace {

/// Null where it is not there, or damaged.
Result<std::shared_ptr<const LearnedPredictor>> storedPredictor(const Database& database,
                                                                std::string_view version) {
    if (version.size() != LearnedPredictor::kVersionDigits)
        return nullptr;
    const std::string first = kKey + std::string(version), last = first + 'g'; // behind all digits
    PIM_TRY(Statement row, database.prepare("SELECT key, value FROM settings WHERE key > ? AND key < ?"));
    PIM_TRY(const bool isThere, row.bind(first, last).step());
    if (!isThere)
        return nullptr;
    const auto bytes = fromBase64(row.text(1));
    const auto learned = bytes ? LearnedPredictor::fromBytes(*bytes, database.file().string())
                               : Result<std::shared_ptr<const LearnedPredictor>>(nullptr);
    return learned && *learned && kKey + (*learned)->digest() == row.text(0) ? *learned : nullptr;
}

} // namespace

Result<void> loadPredictor(const Database& database, CompileOptions& options) {
    if (options.predictor)
        return {};
    PredictorSet::Members members;
    for (const std::string_view version : predictorVersions(options.predictorVersion)) {
        PIM_TRY(auto one, storedPredictor(database, version));
        if (!one)
            return {};
        members.push_back(std::move(one));
    }
    options.predictor = predictorOf(std::move(members));
    return {};
}

Result<void> dropUnusedPredictors(const Database& database) {
    return database.run(
        "DELETE FROM settings WHERE key GLOB 'predictor/*' "
        "AND NOT EXISTS (SELECT 1 FROM runs WHERE instr(options_json, substr(settings.key, 11, 16)) > 0) "
        "AND NOT EXISTS (SELECT 1 FROM work WHERE instr(options_json, substr(settings.key, 11, 16)) > 0) "
        "AND NOT EXISTS (SELECT 1 FROM sweeps WHERE instr(options_json, substr(settings.key, 11, 16)) > 0)");
}

} // namespace pim
