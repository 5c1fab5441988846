// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/predictor_store.h"

#include "core/base/base64.h"
#include "core/predict/learned_predictor.h"

namespace pim {
namespace {

const std::string kKey = "predictor/"; ///< In front of the digest, among the settings.

} // namespace

Result<void> storePredictor(const Database& database, const CompileOptions& options) {
    const auto learned = std::dynamic_pointer_cast<const LearnedPredictor>(options.predictor);
    if (!learned)
        return {};
    const std::string key = kKey + learned->digest();
    PIM_TRY(Statement known, database.prepare("SELECT 1 FROM settings WHERE key = ?"));
    PIM_TRY(const bool isThere, known.bind(key).step());
    if (isThere)
        return {};
    const std::string text = toBase64(learned->bytes());
    PIM_TRY(Statement row, database.prepare("INSERT INTO settings VALUES(?, ?)"));
    return row.bind(key, text).run();
}

Result<void> loadPredictor(const Database& database, CompileOptions& options) {
    if (options.predictorVersion.size() != LearnedPredictor::kVersionDigits || options.predictor)
        return {};
    const std::string first = kKey + options.predictorVersion, last = first + 'g'; // behind all digits
    PIM_TRY(Statement row, database.prepare("SELECT key, value FROM settings WHERE key > ? AND key < ?"));
    PIM_TRY(const bool isThere, row.bind(first, last).step());
    if (!isThere)
        return {};
    const auto bytes = fromBase64(row.text(1));
    const auto learned = bytes ? LearnedPredictor::fromBytes(*bytes, database.file().string())
                               : Result<std::shared_ptr<const LearnedPredictor>>(nullptr);
    if (learned && *learned && kKey + (*learned)->digest() == row.text(0))
        options.predictor = *learned;
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
