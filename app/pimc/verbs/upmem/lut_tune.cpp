// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The best mapping of LUT layers: shapes in, mappings and times out, in the same order. One verb for all machines, as the question is
/// the same; the answer of a DRAM-PIM target is dram_pim/lut_layers.h, all others are UPMEM's.
#include "app/pimc/verbs/dram_pim/lut_layers.h"
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

struct TuneArguments : LutArguments {
    std::string target;
    std::optional<int> accumulators;
    bool sendsIndices = false;
};

/// On a target that is none of UPMEM's.
Result<void> answerOnTarget(Session& session, const TuneArguments& options, bool hasReading,
                            const Target& target) {
    if (hasReading)
        return fail(ErrorCode::Usage, "--reading is for UPMEM, whose tuner was published", target.id);
    return answerLutLayers(session, target,
                           {options.file, options.simulates, options.accumulators, options.sendsIndices});
}

} // namespace

Action lutTuneVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<TuneArguments>();
    declareLutOptions(verb, *options);
    verb.add_option("--target", options->target,
                    "hbm-pim, aim-32, or one of their kind; without it, DPUs of UPMEM")
        ->type_name("ID|FILE");
    verb.add_option(
            "--accumulators", options->accumulators,
            "AiM: sums of 16 lanes that a bank keeps (16 if not said), which the chip is not known to have")
        ->type_name("1..64");
    verb.add_flag("--send-indices", options->sendsIndices,
                  "HBM-PIM and AiM: write the indices into the banks first, instead of commands that carry "
                  "them for nothing");
    verb.footer(
        "Columns of the file, in any order, others are ignored: N,CB,CT,F,pe,tasklets\n"
        "  N rows, CB codebooks, CT centroids of each, F features, pe DPUs, tasklets of each\n"
        "loop_order 0 to 5 is nfc, ncf, fnc, fcn, cnf, cfn, outermost loop first; load_type 0 static, 1 "
        "fine, 2 "
        "coarse.\n"
        "t_calibrated_s is the total with constants fitted to PIM-DL's measurements.\n"
        "With --target of HBM-PIM or AiM the columns are N,CB,CT,F: commands carry the indices, the table "
        "stays in "
        "the banks, and --simulate runs every command on the device.\n\n"
        "Examples:\n"
        "  printf 'N,CB,CT,F,pe,tasklets\\n32768,384,16,2304,1024,16\\n' > qkv.csv && pimc lut-tune qkv.csv\n"
        "  pimc lut-tune layers.csv --reading released --json\n"
        "  pimc lut-tune layers.csv --target hbm-pim --simulate");
    return [options, &verb](Session& session) -> Result<void> {
        if (!options->target.empty()) {
            PIM_TRY(const auto target, session.target(options->target));
            if (target->backend != "upmem")
                return answerOnTarget(session, *options, verb.count("--reading") > 0, *target);
        }
        if (options->accumulators || options->sendsIndices)
            return fail(ErrorCode::Usage,
                        options->accumulators ? "--accumulators is for AiM"
                                              : "--send-indices is for HBM-PIM and AiM",
                        {}, "name such a target with --target");
        return answerRows(session, *options, {"N", "CB", "CT", "F", "pe", "tasklets"}, tuned);
    };
}

} // namespace pim::cli
