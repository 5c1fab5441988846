// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/paper_numbers.h"

#include "core/base/file_text.h"
#include "core/base/paths.h"

#include <nlohmann/json.hpp>

namespace pim::evaluation {
namespace {

using nlohmann::json;

PaperSeries seriesOf(const json& kernel, const char* lower) {
    return {kernel.at(lower).get<std::vector<double>>(), kernel.at("DCC").get<std::vector<double>>()};
}

PaperNumbers numbersOf(const json& all) {
    PaperNumbers numbers;
    const json& six = all.at("fig6_attacc");
    for (const char* kernel : {"ATTN", "GEMV", "RED"})
        numbers.attacc[kernel] = seriesOf(six.at(kernel), "AttAcc");
    const json& seven = all.at("fig7_hbm_pim");
    for (const char* kernel : {"GEMV", "RED", "VA", "RELU"})
        numbers.hbmPim[kernel] = seriesOf(seven.at(kernel), "HBM-PIM");
    for (const auto& [model, lengths] : all.at("fig8_e2e").items())
        if (lengths.is_object())
            for (const auto& [length, bars] : lengths.items())
                numbers.llm[model][length] = bars.get<std::vector<double>>();
    for (const char* machine : {"HBM-PIM", "AttAcc"}) {
        numbers.scaling[machine] = all.at("fig9_gemv_dcc_over_baseline")
                                       .at(machine)
                                       .get<std::map<std::string, std::vector<double>>>();
        numbers.breakdown[machine] = all.at("fig10_dcc_over_backend")
                                         .at(machine)
                                         .get<std::map<std::string, std::map<std::string, double>>>();
    }
    for (const auto& [group, sizes] : all.at("fig2_best_over_tvm").items())
        if (sizes.is_object())
            numbers.motivation[group] = sizes.get<std::map<std::string, double>>();
    for (const auto& [kernel, row] : all.at("table2_predictor").items())
        if (row.is_array() && row.at(0).is_number())
            numbers.predictor[kernel] = row.get<std::vector<double>>();
    return numbers;
}

} // namespace

Result<PaperNumbers> readPaperNumbers() {
    const auto file = resourceDir() / "evaluation" / "dcc.json";
    PIM_TRY(const std::string text, fileText(file, "install the program with its resources"));
    try {
        return numbersOf(json::parse(text));
    } catch (const json::exception& error) {
        return fail(ErrorCode::InvalidFile, error.what(), file.string());
    }
}

} // namespace pim::evaluation
