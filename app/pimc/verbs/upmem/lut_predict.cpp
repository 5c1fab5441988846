// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Given mappings of LUT layers on UPMEM by PIM-DL's cost model: times, or why a mapping cannot be.
#include "app/pimc/verbs/upmem/lut_answer.h"
#include "core/base/line_reader.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace pim::cli {
namespace {

using namespace upmem;

template <class Value>
Result<Value> namedField(const CsvRows& rows, const char* column, const char* values,
                         std::optional<Value> (*named)(std::string_view)) {
    PIM_TRY(const std::string text, rows.text(column));
    if (const auto value = named(text))
        return *value;
    return fail(ErrorCode::InvalidFile, fmt::format("line {}, column {}: \"{}\" is none of {}", rows.line(),
                                                    column, shownText(text), values));
}

Result<LutMapping> mappingOf(const CsvRows& rows) {
    LutMapping mapping;
    LutKernel& kernel = mapping.kernel;
    PIM_TRY(kernel.order, namedField(rows, "loop_order", "0 to 5, nfc to cfn", lutLoopOrderNamed));
    PIM_TRY(kernel.load, namedField(rows, "load_type", "0 static, 1 fine, 2 coarse", lutLoadNamed));
    const std::pair<const char*, std::int64_t*> numbers[] = {{"n_stile", &mapping.split.rows},
                                                             {"f_stile", &mapping.split.features},
                                                             {"n_mtile", &kernel.rows},
                                                             {"f_mtile", &kernel.features},
                                                             {"cb_mtile", &kernel.codebooks}};
    for (const auto& [column, number] : numbers) {
        PIM_TRY(*number, rows.number(column));
    }
    PIM_TRY(kernel.loadFeatures, rows.number("f_load", 0));
    PIM_TRY(kernel.loadCodebooks, rows.number("cb_load", 0));
    return mapping;
}

Result<LutAnswer> predicted(const CsvRows& rows, LutReading reading) {
    PIM_TRY(const LutLayer layer, lutLayerOf(rows));
    PIM_TRY(const LutMapping mapping, mappingOf(rows));
    if (const auto checked = checkLayer(layer); !checked)
        return LutAnswer{layer, mapping, {}, checked.error().message};
    const LutPrediction prediction = predict(layer, mapping, reading);
    return LutAnswer{layer, mapping, prediction.times,
                     prediction.refusal ? text(*prediction.refusal, layer, mapping) : std::string()};
}

} // namespace

Action lutPredictVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<LutArguments>();
    declareLutOptions(verb, *options);
    verb.footer("Columns of the file, in any order, others are ignored:\n"
                "  N,CB,CT,F,pe,tasklets                     the layer, as for pimc lut-tune\n"
                "  n_stile,f_stile                           rows and features of a DPU\n"
                "  loop_order,load_type                      0 to 5 or nfc, ncf, fnc, fcn, cnf, cfn; 0 to 2 "
                "or static, "
                "fine, coarse\n"
                "  n_mtile,f_mtile,cb_mtile,f_load,cb_load   tiles in WRAM, and what is loaded of the table "
                "at a time\n"
                "A mapping that cannot be is answered with the reason, and with what the model says of it, "
                "if anything.\n\n"
                "Example:\n"
                "  pimc lut-predict mappings.csv --json");
    return [options](Session& session) {
        return answerRows(session, *options,
                          {"N", "CB", "CT", "F", "pe", "tasklets", "n_stile", "f_stile", "loop_order",
                           "load_type", "n_mtile", "f_mtile", "cb_mtile", "f_load", "cb_load"},
                          predicted);
    };
}

} // namespace pim::cli
