// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The best mapping of LUT layers on UPMEM: shapes in, mappings and times out, in the same order.
#include "app/pimc/verbs/upmem/lut_answer.h"

#include <CLI/CLI.hpp>

namespace pim::cli {
namespace {

Result<LutAnswer> tuned(const CsvRows& rows, upmem::LutReading reading) {
    PIM_TRY(const upmem::LutLayer layer, lutLayerOf(rows));
    const auto tuning = upmem::tune(layer, reading);
    if (!tuning)
        return LutAnswer{layer, {}, {}, tuning.error().message};
    return LutAnswer{layer, tuning->mapping, tuning->mapping ? std::optional(tuning->times) : std::nullopt,
                     tuning->reason};
}

} // namespace

Action lutTuneVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<LutArguments>();
    declareLutOptions(verb, *options);
    verb.footer(
        "Columns of the file, in any order, others are ignored: N,CB,CT,F,pe,tasklets\n"
        "  N rows, CB codebooks, CT centroids of each, F features, pe DPUs, tasklets of each\n"
        "loop_order 0 to 5 is nfc, ncf, fnc, fcn, cnf, cfn, outermost loop first; load_type 0 static, 1 "
        "fine, 2 "
        "coarse.\n"
        "t_calibrated_s is the total with constants fitted to PIM-DL's measurements.\n\n"
        "Examples:\n"
        "  printf 'N,CB,CT,F,pe,tasklets\\n32768,384,16,2304,1024,16\\n' > qkv.csv && pimc lut-tune qkv.csv\n"
        "  pimc lut-tune layers.csv --reading released --json");
    return [options](Session& session) {
        return answerRows(session, *options, {"N", "CB", "CT", "F", "pe", "tasklets"}, tuned);
    };
}

} // namespace pim::cli
