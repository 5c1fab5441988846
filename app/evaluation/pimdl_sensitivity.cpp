// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Blocks over sub-vectors, centroids, batches and hidden widths (figure 12), and how good tuner and cost model are (figure 13).
#include "app/evaluation/pimdl_parts.h"
#include "backends/upmem/lut/calibration.h"
#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::evaluation {
namespace {

using namespace upmem;

/// All networks of figure 12 have this length, ViT-huge too. [PIM-DL, section 6.5; artifact, sensitivity-analysis/configs]
constexpr std::int64_t kSequence = 512, kBatch = 64;

std::int64_t whole(const std::string& text) {
    return parseNumber<std::int64_t>(text).value_or(0);
}

/// "calibrated to published: mean -3 %, from -10 to +5 %"
std::string deviationText(const PimDlTable& table) {
    double sum = 0, least = 0, most = 0;
    int count = 0;
    for (const PimDlRow& row : table.rows) {
        if (!row.published || !row.calibrated)
            continue;
        const double off = *row.calibrated / *row.published - 1;
        sum += std::abs(off);
        least = count == 0 ? off : std::min(least, off);
        most = count == 0 ? off : std::max(most, off);
        ++count;
    }
    return count == 0
               ? std::string()
               : fmt::format("Calibrated against published: {:.0f} % off on average, {:+.0f} to {:+.0f} %.",
                             100 * sum / count, 100 * least, 100 * most);
}

struct Sweep {
    std::string_view figure, title, symbol;
};

/// Rows of a sweep over all networks. \param change makes setting and encoder those of a point.
template <typename Change>
Result<PimDlTable> sweepTable(const Sweep& sweep, const PimDlParts& parts, Change&& change) {
    PimDlTable table{std::string(sweep.figure), std::string(sweep.title), "s", {}, {}};
    for (const PimDlModel& model : pimDlModels()) {
        for (const std::string& point : parts.settings(sweep.figure, model.name, "latency_s")) {
            Encoder encoder = model.encoder;
            encoder.batch = kBatch;
            encoder.sequence = kSequence;
            LutSetting setting;
            change(whole(point), encoder, setting);
            PIM_TRY(const BlockPair pair, blockPair(encoder, setting, parts));
            table.rows.push_back({std::string(model.name), fmt::format("{} = {}", sweep.symbol, point),
                                  parts.published(sweep.figure, model.name, "latency_s", point),
                                  pair.ours.total(), pair.calibrated.total(), ""});
        }
    }
    table.note = deviationText(table);
    return table;
}

/// What the smallest batches took beyond the model.
std::string smallBatchText(const PimDlTable& table) {
    double least = 0, most = 0;
    std::string model;
    for (const PimDlRow& row : table.rows) {
        if (row.model == model || !row.published || !row.calibrated)
            continue;
        const double beyond = *row.published - *row.calibrated;
        least = model.empty() ? beyond : std::min(least, beyond);
        most = model.empty() ? beyond : std::max(most, beyond);
        model = row.model;
    }
    return fmt::format(
        "At the smallest batch {:.1f} to {:.1f} s are missing: a block costs time that does not "
        "shrink with it, of which the constants know only transfers.",
        least, most);
}

/// Heads of a width. [OPT, arXiv:2205.01068, table 1, from which the paper takes the widths; BERT-large for 1024]
std::int64_t headsOf(std::int64_t hidden) {
    return hidden == 1024 ? 16 : hidden == 5120 ? 40 : 32;
}

Result<PimDlTable> hiddenTable(const PimDlParts& parts) {
    PimDlTable table{"12d", "latency of one block over the hidden width", "s", {}, {}};
    constexpr std::int64_t kCodebooks =
        256; // of QKV, O and FFN1 in all files of sensitivity-analysis/configs/hidden-dim
    std::vector<double> published, calibrated;
    for (const std::string& point : parts.settings("12d", "transformer", "latency_s")) {
        const std::int64_t hidden = whole(point);
        const Encoder encoder{kBatch, kSequence, hidden, 4 * hidden, headsOf(hidden)};
        const auto measured = parts.published("12d", "transformer", "latency_s", point);
        const auto processor = parts.published("12d", "transformer", "cpu-int8_s", point);
        LutSetting setting;
        setting.subVector = hidden / kCodebooks;
        PIM_TRY(const BlockPair fixed, blockPair(encoder, setting, parts));
        table.rows.push_back({"transformer", fmt::format("H = {}, V = {}", point, setting.subVector),
                              measured, fixed.ours.total(), fixed.calibrated.total(), ""});
        if (measured && processor) {
            published.push_back(*processor / *measured);
            calibrated.push_back(*processor / fixed.calibrated.total());
        }
        if (setting.subVector == LutSetting().subVector)
            continue;
        PIM_TRY(const BlockPair pair, blockPair(encoder, {}, parts));
        table.rows.push_back({"transformer", fmt::format("H = {}, V = 4", point), std::nullopt,
                              pair.ours.total(), pair.calibrated.total(),
                              "as the text says, not as it was run"});
    }
    table.note =
        deviationText(table) +
        " The text says V = 4 throughout; the artifact's files have 256 codebooks at every width, so V "
        "grows with it, and its times fit only that.";
    table.rows.push_back({"geomean", "speed-up over the processor in int8, as published",
                          parts.published("12d", "all", "speedup cpu-int8", "all"), std::nullopt,
                          geometricMean(calibrated),
                          fmt::format("points read from the picture: {:.2f}", geometricMean(published))});
    return table;
}

struct MappedLayer {
    std::string model, subVector;
    LutLayer layer;
    LutMapping mapping;
};

/// The artifact's own mappings of figure 10.
Result<std::vector<MappedLayer>> publishedMappings() {
    PIM_TRY(const std::vector<PublishedRow> rows, publishedRows("pimdl_mappings.csv", 18));
    std::vector<MappedLayer> layers;
    for (const PublishedRow& row : rows) {
        const auto order = lutLoopOrderNamed(row[11]);
        const auto load = lutLoadNamed(row[12]);
        if (!order || !load)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("loop order {} or load {} is unknown", row[11], row[12]),
                        "pimdl_mappings.csv", "install the program with its resources");
        layers.push_back(
            {row[0],
             row[1],
             {whole(row[3]), whole(row[4]), whole(row[5]), whole(row[6]), whole(row[7]), whole(row[8])},
             {{whole(row[9]), whole(row[10])},
              {*order, *load, whole(row[13]), whole(row[14]), whole(row[15]), whole(row[16]),
               whole(row[17])}}});
    }
    return layers;
}

/// Look-ups of a block as measured: latency less what is not look-up, which does not depend on V.
std::optional<double> measuredLookUp(const PimDlParts& parts, std::string_view model,
                                     std::string_view subVector) {
    const auto latency = parts.published("10", model, "latency_s", fmt::format("pimdl-v{}-ct16", subVector));
    const auto search = parts.publishedPart(model, "CCS");
    const auto other = parts.publishedPart(model, "other");
    return latency && search && other ? std::optional(*latency - *search - *other) : std::nullopt;
}

Result<PimDlTable> accuracyTable(const PimDlParts& parts) {
    PimDlTable table{
        "13", "look-ups of a block in the artifact's mappings: measured and predicted", "s", {}, {}};
    PIM_TRY(const std::vector<MappedLayer> mapped, publishedMappings());
    std::vector<double> errors, fittedErrors;
    for (const PimDlModel& model : pimDlModels())
        for (const std::string_view subVector : {"2", "4"}) {
            double predicted = 0, fitted = 0;
            for (const MappedLayer& one : mapped) {
                if (one.model != model.name || one.subVector != subVector)
                    continue;
                const LutTimes times = lutTimes(one.layer, one.mapping);
                predicted += times.total();
                fitted += calibrated(times, one.layer.tasklets).total();
            }
            const auto measured = measuredLookUp(parts, model.name, subVector);
            if (!measured)
                continue;
            errors.push_back(std::abs(predicted / *measured - 1));
            fittedErrors.push_back(std::abs(fitted / *measured - 1));
            table.rows.push_back(
                {std::string(model.name), fmt::format("V = {}", subVector), measured, predicted, fitted,
                 fmt::format("{:+.1f} %, calibrated {:+.1f} %", 100 * (predicted / *measured - 1),
                             100 * (fitted / *measured - 1))});
        }
    const auto mean = [](const std::vector<double>& all) {
        double sum = 0;
        for (const double one : all)
            sum += one;
        return all.empty() ? 0 : sum / static_cast<double>(all.size());
    };
    const auto most = [](const std::vector<double>& all) {
        return all.empty() ? 0 : *std::ranges::max_element(all);
    };
    table.rows.push_back({"all", "mean error, as a share", parts.published("13", "all", "mean error", "all"),
                          mean(errors), mean(fittedErrors),
                          "the paper's are of mappings of one layer, BERT-large's FFN1"});
    table.rows.push_back({"all", "most error, as a share", parts.published("13", "all", "most error", "all"),
                          most(errors), most(fittedErrors), ""});
    table.note = "Measured: latency of figure 10 less search and other work of figure 11a, taken as the same "
                 "for every V. "
                 "Calibration is fitted to these six.";
    return table;
}

Result<PimDlTable> tuningTable(const PimDlParts& parts) {
    PimDlTable table{
        "13", "look-ups of a block by the model: the artifact's mappings, and the tuner's", "s", {}, {}};
    PIM_TRY(const std::vector<MappedLayer> mapped, publishedMappings());
    for (const PimDlModel& model : pimDlModels())
        for (const std::int64_t subVector : {2, 4}) {
            double theirs = 0;
            for (const MappedLayer& one : mapped)
                if (one.model == model.name && one.subVector == std::to_string(subVector))
                    theirs += lutTimes(one.layer, one.mapping).total();
            PIM_TRY(const LutBlock block, lutBlock(model.encoder, {subVector}, *parts.server));
            int visited = 0, splits = 0;
            for (const LutBlockLayer& layer : block.layers) {
                visited += layer.tuning.splitsVisited;
                splits += layer.tuning.splits;
            }
            table.rows.push_back({std::string(model.name), fmt::format("V = {}", subVector), theirs,
                                  block.lookUp(), std::nullopt,
                                  fmt::format("{:.1f} % less; {} of {} splits were searched",
                                              100 * (1 - block.lookUp() / theirs), visited, splits)});
        }
    // The case of section 6.6.
    PIM_TRY(const auto splits, landscape({32768, 256, 16, 4096}));
    double least = 0, most = 0;
    for (const LutSplitPoints& split : splits) {
        if (split.best < 0)
            continue;
        const double total = split.points[static_cast<std::size_t>(split.best)].times.total();
        least = least == 0 ? total : std::min(least, total);
        most = std::max(most, total);
    }
    table.rows.push_back({"bert-large", "FFN1, V = 4: worst split over the best, each with its best kernel",
                          parts.published("13", "all", "gap", "splits"), least > 0 ? most / least : 0,
                          std::nullopt, "all splits that fit; the paper shows a part of them"});
    table.note =
        "ViT-huge: the artifact runs 11 tasklets in mappings its cost model prices as if 16 shared the "
        "pipeline. A layer is tuned in hundredths of a millisecond (tests/bench/bench_lut_tuner); the paper "
        "says about 1 s for a model on 40 threads.";
    return table;
}

} // namespace

Result<void> addSensitivity(PimDlTables& tables, const PimDlParts& parts, const TaskContext& task) {
    PIM_TRY(PimDlTable lengths,
            sweepTable({"12a", "latency of one block over the length of sub-vectors", "V"}, parts,
                       [](std::int64_t point, Encoder&, LutSetting& setting) { setting.subVector = point; }));
    PIM_TRY(PimDlTable centroids,
            sweepTable({"12b", "latency of one block over the number of centroids", "CT"}, parts,
                       [](std::int64_t point, Encoder&, LutSetting& setting) { setting.centroids = point; }));
    PIM_TRY(PimDlTable batches,
            sweepTable({"12c", "latency of one block over the batch", "batch"}, parts,
                       [](std::int64_t point, Encoder& encoder, LutSetting&) { encoder.batch = point; }));
    batches.note += smallBatchText(batches);
    PIM_TRY(PimDlTable widths, hiddenTable(parts));
    for (PimDlTable* const table : {&lengths, &centroids, &batches, &widths})
        tables.push_back(std::move(*table));
    if (task.cancelled())
        return TaskContext::cancelledError("the figures of PIM-DL");
    return {};
}

Result<void> addTuner(PimDlTables& tables, const PimDlParts& parts) {
    PIM_TRY(PimDlTable accuracy, accuracyTable(parts));
    PIM_TRY(PimDlTable tuning, tuningTable(parts));
    tables.push_back(std::move(accuracy));
    tables.push_back(std::move(tuning));
    return {};
}

} // namespace pim::evaluation
