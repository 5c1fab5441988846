// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Operations of look-ups (figure 3), whole blocks beside products (figure 10), where their time goes (figure 11).
#include "app/evaluation/pimdl_parts.h"
#include "backends/host/roofline.h"
#include "core/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::evaluation {
namespace {

using namespace upmem;

constexpr std::array kSubVectors{2, 4};

/// Seconds of one block of a network, each way it is run.
struct WaysOfABlock {
    const PimDlModel* model = nullptr;
    double gpu = 0; ///< Float32 on an A100 at its roofline.
    /// As PimDlRow has them; calibrated of processors: as published.
    struct Times {
        std::optional<double> published, ours, calibrated;
    };
    Times floats, bytes, products;
    std::array<Times, kSubVectors.size()> lookUps;
    std::array<std::string, kSubVectors.size()> lookUpReasons;
    std::array<double, kSubVectors.size()> simulatedLookUps{}; ///< With our kernels on the simulated DPU.
    DpuProducts dpus;
};

std::optional<double> ratio(const std::optional<double>& over, const std::optional<double>& under) {
    return over && under && *under > 0 ? std::optional(*over / *under) : std::nullopt;
}

std::optional<double> meanOf(const std::vector<std::optional<double>>& values) {
    std::vector<double> known;
    for (const auto& value : values) {
        if (!value)
            return std::nullopt;
        known.push_back(*value);
    }
    return geometricMean(known);
}

Result<WaysOfABlock> waysOf(const PimDlModel& model, const PimDlParts& parts, const BackendList& backends,
                            const TaskContext& task) {
    const auto latency = [&](std::string_view setting) {
        return parts.published("10", model.name, "latency_s", setting);
    };
    WaysOfABlock ways;
    ways.model = &model;
    PIM_TRY(const ProductBlock floats, productBlock(model.encoder, *parts.processor, DataType::F32));
    PIM_TRY(const ProductBlock bytes, productBlock(model.encoder, *parts.processor, DataType::I8));
    PIM_TRY(const ProductBlock gpu, productBlock(model.encoder, *parts.gpu, DataType::F32));
    ways.gpu = gpu.total();
    ways.floats = {latency("cpu-fp32"), floats.total(), latency("cpu-fp32")};
    ways.bytes = {latency("cpu-int8"), bytes.total(), latency("cpu-int8")};
    PIM_TRY(ways.dpus, dpuProducts(model.encoder, parts, backends, task));
    PIM_TRY(const ProductBlock products, productBlock(model.encoder, *parts.server, ways.dpus.seconds));
    ways.products = {latency("pim-gemm-int8"), products.total(),
                     products.linear + kMeasuredHost.other * (products.attention + products.elementWise)};
    for (std::size_t v = 0; v < kSubVectors.size(); ++v) {
        PIM_TRY(const BlockPair pair, blockPair(model.encoder, {kSubVectors[v]}, parts));
        const double host =
            pair.calibrated.search() + pair.calibrated.other() - pair.ours.search() - pair.ours.other();
        ways.lookUpReasons[v] =
            fmt::format("what was measured adds {:.2f} s on the host, {:.2f} s on DPUs and the way to them",
                        host, pair.calibrated.lookUp() - pair.ours.lookUp());
        PIM_TRY(const double kernels, simulatedKernels(pair.ours, task));
        ways.simulatedLookUps[v] = pair.ours.search() + pair.ours.transfers() + kernels + pair.ours.other();
        ways.lookUps[v] = {latency(fmt::format("pimdl-v{}-ct16", kSubVectors[v])), pair.ours.total(),
                           pair.calibrated.total()};
    }
    return ways;
}

/// Cycles of a DPU for a multiply-accumulate of the published products, transfers within.
std::optional<double> publishedCyclesPerMac(const PimDlModel& model, const PimDlParts& parts) {
    const auto latency = parts.published("10", model.name, "latency_s", "pim-gemm-int8");
    const auto other = parts.publishedPart(model.name, "other");
    if (!latency || !other)
        return std::nullopt;
    const double macsPerDpu =
        model.encoder.linearMacs() / static_cast<double>(parts.target->instances("group"));
    return (*latency - *other) * kLutClockHz / macsPerDpu;
}

PimDlTable latencyTable(const std::vector<WaysOfABlock>& all, const PimDlParts& parts) {
    PimDlTable table{"10", "latency of one block", "s", {}, {}};
    for (const WaysOfABlock& ways : all) {
        const PimDlModel& model = *ways.model;
        const auto add = [&](std::string what, const WaysOfABlock::Times& times, bool fitted,
                             std::string reason) {
            table.rows.push_back({std::string(model.name), std::move(what), times.published, times.ours,
                                  fitted ? times.calibrated : std::nullopt, std::move(reason)});
        };
        const auto slower = [](const WaysOfABlock::Times& times) {
            return fmt::format("the baseline, GGML, takes {:.0f} times as long as its processors would at 80 "
                               "% of their peaks",
                               times.published.value_or(0) / times.ours.value_or(1));
        };
        add("processor, float32", ways.floats, false, slower(ways.floats));
        add("processor, int8", ways.bytes, false, slower(ways.bytes));
        add("A100, float32", {std::nullopt, ways.gpu, std::nullopt}, false, "");
        add("products on DPUs, int8", ways.products, true,
            fmt::format("cycles of a DPU for a multiply-accumulate: {:.1f} there, {:.1f} here",
                        publishedCyclesPerMac(model, parts).value_or(0), ways.dpus.cyclesPerMac));
        for (std::size_t v = 0; v < kSubVectors.size(); ++v) {
            const WaysOfABlock::Times& times = ways.lookUps[v];
            add(fmt::format("look-ups, V = {}", kSubVectors[v]), times, true, ways.lookUpReasons[v]);
            add(fmt::format("look-ups, V = {}, kernels simulated", kSubVectors[v]),
                {std::nullopt, ways.simulatedLookUps[v], std::nullopt}, false, "");
            add(fmt::format("look-ups, V = {}, all {} blocks", kSubVectors[v], model.blocks),
                {std::nullopt, *times.ours * model.blocks, *times.calibrated * model.blocks}, true, "");
        }
    }
    table.note =
        "Ours: exact tuner and PIM-DL's cost model, 16 tasklets (its ViT-huge runs 11); products: best "
        "draft, simulated; processors and host: roofline. Calibrated: with factors of DPUs and host that are "
        "fitted to "
        "figures 10 and 11a, so that look-ups are no test of them here; figure 12 is.";
    return table;
}

/// The largest speed-up over products, and what is left of it over ours where all of the rest is as measured.
void addBestSpeedUp(PimDlTable& table, const std::vector<WaysOfABlock>& all, const PimDlParts& parts) {
    const std::size_t longest = kSubVectors.size() - 1;
    std::optional<double> ours, calibrated;
    for (const WaysOfABlock& ways : all) {
        const WaysOfABlock::Times& under = ways.lookUps[longest];
        ours = std::max(ours, ratio(ways.products.ours, under.ours));
        calibrated = std::max(calibrated, ratio(ways.products.published, under.calibrated));
    }
    const std::string subVector = std::to_string(kSubVectors[longest]);
    table.rows.push_back({"most", fmt::format("products on DPUs, V = {}", subVector),
                          parts.published("10", "all", "most speedup pim-gemm-int8", subVector), ours,
                          calibrated, ""});
    for (std::size_t v = 0; v < kSubVectors.size(); ++v) {
        std::vector<std::optional<double>> simulated, calibratedProducts;
        for (const WaysOfABlock& ways : all) {
            simulated.push_back(ratio(ways.products.ours, ways.simulatedLookUps[v]));
            calibratedProducts.push_back(ratio(ways.products.calibrated, ways.lookUps[v].calibrated));
        }
        table.rows.push_back({"geomean", fmt::format("our products on DPUs, V = {}", kSubVectors[v]),
                              std::nullopt, meanOf(simulated), meanOf(calibratedProducts),
                              "ours: both kernels simulated; calibrated: our products beside look-ups and "
                              "host as measured"});
    }
}

PimDlTable speedUpTable(const std::vector<WaysOfABlock>& all, const PimDlParts& parts) {
    PimDlTable table{"10", "speed-up of look-ups over", "", {}, {}};
    struct Baseline {
        std::string_view setting, name;
        WaysOfABlock::Times WaysOfABlock::*times;
    };
    constexpr Baseline kBaselines[] = {{"cpu-fp32", "processor, float32", &WaysOfABlock::floats},
                                       {"cpu-int8", "processor, int8", &WaysOfABlock::bytes},
                                       {"pim-gemm-int8", "products on DPUs", &WaysOfABlock::products}};
    for (const Baseline& baseline : kBaselines) {
        for (std::size_t v = 0; v < kSubVectors.size(); ++v) {
            const std::string what = fmt::format("{}, V = {}", baseline.name, kSubVectors[v]);
            std::vector<std::optional<double>> ours, calibrated, baselines;
            for (const WaysOfABlock& ways : all) {
                const WaysOfABlock::Times& under = ways.lookUps[v];
                const WaysOfABlock::Times& over = ways.*baseline.times;
                baselines.push_back(ratio(over.published, over.ours));
                ours.push_back(ratio(over.ours, under.ours));
                calibrated.push_back(ratio(over.published, under.calibrated));
                table.rows.push_back({std::string(ways.model->name), what,
                                      ratio(over.published, under.published), ours.back(), calibrated.back(),
                                      ""});
            }
            const std::string setting = std::to_string(kSubVectors[v]);
            table.rows.push_back(
                {"geomean", what,
                 parts.published("10", "all", fmt::format("speedup {}", baseline.setting), setting),
                 meanOf(ours), meanOf(calibrated),
                 fmt::format("our baseline takes 1/{:.0f} of the published time",
                             meanOf(baselines).value_or(0))});
        }
    }
    addBestSpeedUp(table, all, parts);
    table.note = "Ours: both sides ours. Calibrated: the published baseline over look-ups as they would be "
                 "measured. Geomeans are those the paper states.";
    return table;
}

/// Energy is power times latency, so it follows from the speed-ups.
PimDlTable energyTable(const PimDlTable& speedUps, const PimDlParts& parts) {
    PimDlTable table{"10", "energy of the baseline over that of look-ups", "", {}, {}};
    const auto watts = [&](std::string_view what) { return parts.published("10", "all", "power_W", what); };
    struct Baseline {
        std::string_view setting, name, power;
    };
    constexpr Baseline kBaselines[] = {{"cpu-fp32", "processor, float32", "cpu"},
                                       {"cpu-int8", "processor, int8", "cpu"},
                                       {"pim-gemm-int8", "products on DPUs", "pim-gemm"}};
    for (const Baseline& baseline : kBaselines)
        for (const int subVector : kSubVectors) {
            const std::string what = fmt::format("{}, V = {}", baseline.name, subVector);
            const auto power = ratio(watts(baseline.power), watts("pimdl"));
            const auto row = std::ranges::find_if(speedUps.rows, [&](const PimDlRow& one) {
                return one.model == "geomean" && one.what == what;
            });
            if (!power || row == speedUps.rows.end())
                continue;
            const auto times = [&](const std::optional<double>& value) {
                return value ? std::optional(*value * *power) : std::nullopt;
            };
            table.rows.push_back({"geomean", what,
                                  parts.published("10", "all", fmt::format("energy {}", baseline.setting),
                                                  std::to_string(subVector)),
                                  times(row->ours), times(row->calibrated), "as the speed-up"});
        }
    table.note =
        fmt::format("Power of the systems as PIM-DL's scripts have it: processors {:.0f} W, look-ups {:.0f} "
                    "W, products on DPUs {:.0f} W.",
                    watts("cpu").value_or(0), watts("pimdl").value_or(0), watts("pim-gemm").value_or(0));
    return table;
}

struct SharedPart {
    std::string_view what, setting;
    double ours = 0, calibrated = 0;
};

Result<PimDlTable> shareTable(const PimDlParts& parts) {
    PimDlTable table{"11a", "shares of a block, V = 4, CT = 16", "", {}, {}};
    struct Range {
        std::optional<double> least, most;
        void add(double value) {
            least = std::min(least.value_or(value), value);
            most = std::max(most.value_or(value), value);
        }
    };
    std::array<Range, 2> ours, calibrated; // look-up; search and look-up
    std::vector<double> hostFactors;
    for (const PimDlModel& model : pimDlModels()) {
        PIM_TRY(const BlockPair pair, blockPair(model.encoder, {}, parts));
        const LutBlock &mine = pair.ours, &fitted = pair.calibrated;
        for (const SharedPart& part : {SharedPart{"look-up", "LUT", mine.lookUp(), fitted.lookUp()},
                                       SharedPart{"search", "CCS", mine.search(), fitted.search()},
                                       SharedPart{"other", "other", mine.other(), fitted.other()}})
            table.rows.push_back({std::string(model.name), std::string(part.what),
                                  parts.published("11a", model.name, "share", part.setting),
                                  part.ours / mine.total(), part.calibrated / fitted.total(), ""});
        hostFactors.push_back((fitted.search() + fitted.other()) / (mine.search() + mine.other()));
        ours[0].add(mine.lookUp() / mine.total());
        ours[1].add((mine.search() + mine.lookUp()) / mine.total());
        calibrated[0].add(fitted.lookUp() / fitted.total());
        calibrated[1].add((fitted.search() + fitted.lookUp()) / fitted.total());
    }
    constexpr std::array kWhat{"look-up", "search and look-up"};
    for (std::size_t i = 0; i < kWhat.size(); ++i) {
        table.rows.push_back({"least", kWhat[i], parts.published("11a", "all", "least share", kWhat[i]),
                              ours[i].least, calibrated[i].least, ""});
        table.rows.push_back({"most", kWhat[i], parts.published("11a", "all", "most share", kWhat[i]),
                              ours[i].most, calibrated[i].most, ""});
    }
    table.note = fmt::format("The host took {:.0f} times as long as its roofline; without that nearly all "
                             "time is the DPUs'. Shares of "
                             "the networks are from the picture of the artifact; the ranges of the text are "
                             "2 to 7 points above them.",
                             geometricMean(hostFactors));
    return table;
}

Result<PimDlTable> layerTable(const PimDlParts& parts) {
    PimDlTable table{"11b", "linear layers, V = 4, CT = 16: search and look-up", "s", {}, {}};
    std::array<std::vector<std::optional<double>>, 5> ours, calibrated; // QKV, O, FFN1, FFN2, all
    for (const PimDlModel& model : pimDlModels()) {
        PIM_TRY(const BlockPair pair, blockPair(model.encoder, {}, parts));
        for (std::size_t i = 0; i < pair.ours.layers.size(); ++i) {
            const LutBlockLayer &mine = pair.ours.layers[i], &fitted = pair.calibrated.layers[i];
            const double mineSeconds = mine.search + mine.tuning.times.total();
            const double fittedSeconds = fitted.search + fitted.tuning.times.total();
            table.rows.push_back({std::string(model.name), std::string(mine.name),
                                  parts.published("11b", model.name, "pimdl_s", mine.name), mineSeconds,
                                  fittedSeconds, ""});
            const Gemm product{static_cast<double>(mine.layer.rows), static_cast<double>(mine.layer.features),
                               static_cast<double>(mine.layer.codebooks * LutSetting().subVector)};
            for (const std::size_t group : {i, std::size_t{4}}) {
                ours[group].push_back(gemmCost(*parts.processor, product, DataType::I8).ns / 1e9 /
                                      mineSeconds);
                calibrated[group].push_back(
                    ratio(parts.published("11b", model.name, "cpu-int8_s", mine.name), fittedSeconds));
            }
        }
    }
    constexpr std::array kLayers{"QKV", "O", "FFN1", "FFN2", "all"};
    for (std::size_t i = 0; i < kLayers.size(); ++i)
        table.rows.push_back({"geomean", fmt::format("speed-up over the processor in int8, {}", kLayers[i]),
                              parts.published("11b", "all", "speedup cpu-int8", kLayers[i]), meanOf(ours[i]),
                              meanOf(calibrated[i]),
                              i + 1 == kLayers.size() ? "rooflines instead of GGML" : ""});
    table.note =
        "The published times of layers add up to about a tenth more than figures 10 and 11a say of the same "
        "runs, and calibration is to the latter.";
    return table;
}

} // namespace

void addOperations(PimDlTables& tables, const PimDlParts& parts) {
    PimDlTable table{
        "3", "operations of a product over those of look-ups, N = H = F = 1024, CT = 16", "", {}, {}};
    constexpr double kExtent = 1024, kCentroids = 16;
    constexpr std::array kLengths{2, 4, 8, 16};
    for (const int length : kLengths) {
        const LutOperations operations = lutOperations(kExtent, kExtent, kExtent, length, kCentroids);
        const bool first = length == kLengths.front(), last = length == kLengths.back();
        const auto claim = [&](std::string_view what) {
            return first || last
                       ? parts.published("3", "all", fmt::format("{} {}", first ? "least" : "most", what),
                                         "all")
                       : std::nullopt;
        };
        table.rows.push_back({"all", fmt::format("reduction, V = {}", length), claim("reduction"),
                              2 * kExtent * kExtent * kExtent / operations.all, std::nullopt, ""});
        table.rows.push_back({"all", fmt::format("multiplications among them, V = {}", length),
                              claim("products"), operations.products / operations.all, std::nullopt, ""});
    }
    tables.push_back(std::move(table));
}

Result<void> addEndToEnd(PimDlTables& tables, const PimDlParts& parts, const BackendList& backends,
                         const TaskContext& task) {
    const std::span<const PimDlModel> models = pimDlModels();
    std::vector<std::optional<Result<WaysOfABlock>>> made(models.size());
    task.report("blocks on the simulated DPU");
    const TaskContext quiet{task.stop, {}};
    parallelFor(models.size(), 0,
                [&](std::size_t i) { made[i].emplace(waysOf(models[i], parts, backends, quiet)); });
    if (task.cancelled())
        return TaskContext::cancelledError("the figures of PIM-DL");
    std::vector<WaysOfABlock> all;
    for (auto& one : made) {
        PIM_TRY(WaysOfABlock ways, *std::move(one));
        all.push_back(std::move(ways));
    }
    tables.push_back(latencyTable(all, parts));
    PimDlTable speedUps = speedUpTable(all, parts);
    PimDlTable energy = energyTable(speedUps, parts);
    tables.push_back(std::move(speedUps));
    tables.push_back(std::move(energy));
    return {};
}

Result<void> addBreakdown(PimDlTables& tables, const PimDlParts& parts) {
    PIM_TRY(PimDlTable shares, shareTable(parts));
    PIM_TRY(PimDlTable layers, layerTable(parts));
    tables.push_back(std::move(shares));
    tables.push_back(std::move(layers));
    return {};
}

} // namespace pim::evaluation
