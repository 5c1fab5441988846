// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What `pimc lut-tune` and `pimc lut-predict` have in common: layers in, answers out.
#include "app/pimc/verbs/csv_rows.h"
#include "app/pimc/verbs/upmem/verbs.h"
#include "backends/upmem/lut/tuner.h"

#include <functional>

namespace pim::cli {

struct LutArguments {
    std::string file;
    std::string reading = std::string(name(upmem::LutReading::Strict));
    bool simulates = false;
};
void declareLutOptions(CLI::App& verb, LutArguments& options);

/// The answer to one row of the table.
struct LutAnswer {
    std::optional<upmem::LutLayer> layer; ///< As far as it could be read.
    std::optional<upmem::LutMapping> mapping;
    std::optional<upmem::LutTimes> times;
    std::string reason;                    ///< Why there is no such mapping; empty if there is.
    std::optional<double> simulatedS = {}; ///< Of the kernel, on the engine.
    std::string notSimulated = {};         ///< Why it was not, though it was asked for.
};

/// Columns N, CB, CT, F, pe, tasklets. Errors: InvalidFile for what is no number.
Result<upmem::LutLayer> lutLayerOf(const CsvRows& rows);

/// Reads the table and prints one answer for each row, in order; a row that cannot be read is answered with the reason. Where it is
/// asked for, kernels of answers are simulated.
Result<void> answerRows(Session& session, const LutArguments& options,
                        std::initializer_list<std::string_view> columns,
                        const std::function<Result<LutAnswer>(const CsvRows&, upmem::LutReading)>& answer);

} // namespace pim::cli
