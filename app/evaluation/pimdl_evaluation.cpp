// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/pimdl_evaluation.h"

#include "app/evaluation/document_text.h"
#include "app/evaluation/pimdl_parts.h"
#include "core/base/parse_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim::evaluation {
namespace {

using nlohmann::ordered_json;

constexpr std::array kPimDlFigures{3, 10, 11, 12, 13, 14, 15};

// Batches and lengths: section 6.3; a ViT's 257 patches are padded to 264.
constexpr PimDlModel kPimDlModels[] = {{"bert-base", 12, {64, 512, 768, 3072, 12}},
                                       {"bert-large", 24, {64, 512, 1024, 4096, 16}},
                                       {"vit-huge", 32, {128, 264, 1280, 5120, 16}}};

Result<std::shared_ptr<const Host>> hostNamed(const TargetCatalog& catalog, std::string_view id) {
    for (const auto& host : catalog.hosts())
        if (host->id == id)
            return host;
    return fail(ErrorCode::NotFound, fmt::format("there is no host \"{}\"", id), {},
                "install the program with its resources");
}

std::string numberText(const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : std::string("-");
}

ordered_json numberJson(const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

} // namespace

std::span<const int> pimDlFigures() {
    return kPimDlFigures;
}

std::span<const PimDlModel> pimDlModels() {
    return kPimDlModels;
}

Result<PimDlParts> PimDlParts::load(const TargetCatalog& catalog) {
    PimDlParts parts;
    PIM_TRY(parts.numbers, publishedRows("pimdl.csv", 6));
    PIM_TRY(parts.processor, hostNamed(catalog, "xeon-5218-2"));
    PIM_TRY(parts.gpu, hostNamed(catalog, "a100"));
    PIM_TRY(parts.smallGpu, hostNamed(catalog, "a2"));
    PIM_TRY(parts.largeGpu, hostNamed(catalog, "v100"));
    PIM_TRY(parts.target, catalog.find("upmem-pimdl"));
    parts.server = std::shared_ptr<const Host>(parts.target, &parts.target->host);
    return parts;
}

std::optional<double> PimDlParts::published(std::string_view figure, std::string_view model,
                                            std::string_view quantity, std::string_view setting) const {
    for (const PublishedRow& row : numbers)
        if (row[0] == figure && row[1] == model && row[2] == quantity && row[3] == setting)
            return parseNumber<double>(row[4]);
    return std::nullopt;
}

std::vector<std::string> PimDlParts::settings(std::string_view figure, std::string_view model,
                                              std::string_view quantity) const {
    std::vector<std::string> all;
    for (const PublishedRow& row : numbers)
        if (row[0] == figure && row[1] == model && row[2] == quantity)
            all.push_back(row[3]);
    return all;
}

std::optional<double> PimDlParts::publishedPart(std::string_view model, std::string_view part) const {
    const auto latency = published("10", model, "latency_s", "pimdl-v4-ct16");
    const auto share = published("11a", model, "share", part);
    return latency && share ? std::optional(*latency * *share) : std::nullopt;
}

Result<BlockPair> blockPair(const upmem::Encoder& encoder, const upmem::LutSetting& setting,
                            const PimDlParts& parts) {
    PIM_TRY(upmem::LutBlock block, upmem::lutBlock(encoder, setting, *parts.server));
    return BlockPair{block, upmem::calibrated(block)};
}

Result<PimDlEvaluation> computePimDl(const BackendList& backends, const TargetCatalog& catalog,
                                     std::span<const int> figures, const TaskContext& task) {
    for (const int figure : figures)
        if (std::ranges::find(kPimDlFigures, figure) == kPimDlFigures.end())
            return fail(ErrorCode::Usage, fmt::format("figure {} of PIM-DL is not computed", figure),
                        "reproduce pim-dl", "choose of 3 and 10 to 15");
    const auto wanted = [&](int figure) {
        return figures.empty() || std::ranges::find(figures, figure) != figures.end();
    };
    PIM_TRY(const PimDlParts parts, PimDlParts::load(catalog));
    PimDlEvaluation evaluation;
    if (wanted(3))
        addOperations(evaluation.tables, parts);
    if (wanted(10))
        PIM_CHECK(addEndToEnd(evaluation.tables, parts, backends, task));
    if (wanted(11))
        PIM_CHECK(addBreakdown(evaluation.tables, parts));
    if (wanted(12))
        PIM_CHECK(addSensitivity(evaluation.tables, parts, task));
    if (wanted(13))
        PIM_CHECK(addTuner(evaluation.tables, parts));
    if (wanted(14) || wanted(15))
        PIM_CHECK(addOtherChips(evaluation.tables, figures, parts, backends, catalog, task));
    return evaluation;
}

report::Document pimDlDocument(const PimDlEvaluation& evaluation) {
    report::Document document;
    document.eyebrow = "Evaluation";
    document.headline = "The evaluation of PIM-DL, recomputed";
    document.lead =
        "PIM-DL (ASPLOS 2024): networks as look-up tables on UPMEM, HBM-PIM and AiM. Calibrated: with "
        "what is fitted to measurements of the paper.";
    document.footer = "PIM Studio";
    for (const PimDlTable& table : evaluation.tables) {
        std::vector<std::vector<std::string>> rows;
        for (const PimDlRow& row : table.rows)
            rows.push_back({row.model, row.what, numberText(row.published), numberText(row.ours),
                            numberText(row.calibrated), row.reason});
        document.sections.push_back(tableSection(
            fmt::format("Figure {}: {}{}", table.figure, table.title,
                        table.unit.empty() ? "" : ", " + table.unit),
            {"model", "what", ">published", ">ours", ">calibrated", "why they differ"}, std::move(rows)));
        addNote(document.sections.back(), table.note);
    }
    return document;
}

std::string pimDlJson(const PimDlEvaluation& evaluation) {
    ordered_json tables = ordered_json::array();
    for (const PimDlTable& table : evaluation.tables) {
        ordered_json rows = ordered_json::array();
        for (const PimDlRow& row : table.rows)
            rows.push_back({{"model", row.model},
                            {"what", row.what},
                            {"published", numberJson(row.published)},
                            {"ours", numberJson(row.ours)},
                            {"calibrated", numberJson(row.calibrated)},
                            {"reason", row.reason}});
        tables.push_back({{"figure", table.figure},
                          {"title", table.title},
                          {"unit", table.unit},
                          {"rows", rows},
                          {"note", table.note}});
    }
    return ordered_json{{"tables", tables}}.dump(2) + "\n";
}

} // namespace pim::evaluation
