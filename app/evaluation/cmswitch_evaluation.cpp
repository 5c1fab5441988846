// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/cmswitch_evaluation.h"

#include "app/evaluation/published_rows.h"
#include "backends/dual_mode/paper_networks.h"
#include "backends/dual_mode/speed_map.h"
#include "core/base/parallel.h"
#include "core/base/parse_number.h"
#include "core/graph/zoo/zoo_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

namespace pim::evaluation {
namespace {

constexpr std::array kBatches{1, 4, 8, 16};
constexpr std::array<std::int64_t, 7> kLengths{32, 64, 128, 256, 512, 1024, 2048};
constexpr std::int64_t kTokens = 64; ///< In, and for decoders as many more out. [CMSwitch §5.2]

const DualModeTransformer* transformerNamed(std::string_view name) {
    for (const DualModeTransformer* shape : {&kBertLarge, &kOpt6B, &kOpt13B, &kLlama7B})
        if (name == shape->name)
            return shape;
    return nullptr;
}

struct CmSwitchPlace {
    PaperRow row;
    std::string place;
};

/// Rows of the paper in their order, to be filled with ours.
Result<std::vector<CmSwitchPlace>> publishedByCmSwitch() {
    PIM_TRY(const auto lines, publishedRows("cmswitch.csv", 7));
    std::vector<CmSwitchPlace> places;
    for (const PublishedRow& line : lines) {
        CmSwitchPlace place;
        place.place = line[0];
        place.row.subject = line[1];
        place.row.what = line[2];
        place.row.published = {parseNumber<double>(line[3]), parseNumber<double>(line[4]),
                               parseNumber<double>(line[5])};
        places.push_back(std::move(place));
    }
    return places;
}

/// A network of the zoo as the paper has it: of VGG16 its convolutions.
Result<DualModeWorkload> convolutions(const std::string& name, const TaskContext& task) {
    PIM_TRY(const auto graph, zooGraph(name, {}, task));
    PIM_TRY(DualModeWorkload workload, dualModeWorkload(*graph));
    if (name.starts_with("vgg"))
        std::erase_if(workload.ops, [](const DualModeOp& op) { return op.m == 1; });
    return workload;
}

class CmSwitch {
public:
    CmSwitch(const TargetCatalog& catalog, const TaskContext& task) : m_catalog(catalog), m_task(task) {
        m_options.jointBorders = false; // nothing but what minimises each segment, as the paper has it
    }

    Result<void> start() {
        PIM_TRY(m_chip, chipOf("dynaplasia"));
        for (const char* name : {"mobilenetv2", "resnet18", "vgg16", "resnet50"}) {
            PIM_TRY(m_networks[name], convolutions(name, m_task));
        }
        return {};
    }

    /// Ours for a row; a row of nothing that is computed here is an internal mistake.
    Result<void> fill(CmSwitchPlace& place) {
        PaperRow& row = place.row;
        if (place.place == "Figure 14")
            return row.subject == "all" ? fillAll(row) : fillSpeedUps(row, m_chip, "");
        if (place.place == "Figure 15b")
            return fillShares(row);
        if (place.place == "Figure 16")
            return fillLengths(row);
        if (place.place == "Figure 17a")
            return fillOutputs(row);
        if (place.place == "Section 5.5")
            return fillSwitches(row);
        if (place.place == "Section 5.5 PRIME")
            return fillPrime(row);
        if (place.place == "Figure 5")
            return fillMix(row);
        if (place.place == "Figure 6")
            return fillIntensity(row);
        return fail(ErrorCode::InvalidFile, fmt::format("\"{}\" is no place that is computed", place.place),
                    "cmswitch.csv");
    }

    /// Convolutions of VGG16 by segment, as figure 15a draws them.
    Result<PaperTable> vggSegments() const {
        DualModeOptions options = m_options;
        options.caps = {m_chip.arrays};
        PIM_TRY(const auto plan, planDualMode(m_networks.at("vgg16"), m_chip, options, {}, m_task));
        PaperTable table{"Figure 15a", "Segments of VGG16", {}, {}};
        std::vector<std::string> ranges;
        std::size_t alone = 0;
        for (const DualModeSegment& segment : plan->segmentation.segments) {
            const auto number = [&](int subOp) { return plan->subOps[std::size_t(subOp)].op + 1; };
            if (segment.first == segment.last)
                ++alone;
            else
                ranges.push_back(fmt::format("{}–{}", number(segment.first), number(segment.last)));
        }
        std::string text;
        for (const std::string& range : ranges)
            text += (text.empty() ? "" : ", ") + range;
        table.note =
            fmt::format("The paper: convolutions 1–4, 5–6, then each alone. Ours: {}, then {} pieces of "
                        "the others alone.",
                        text, alone);
        table.rows.push_back({"convolutions in the first two segments",
                              "count",
                              {{}, 6.0, {}},
                              {{}, double(first(*plan)), {}},
                              ""});
        return table;
    }

private:
    static int first(const DualModePlan& plan) {
        const auto& segments = plan.segmentation.segments;
        return segments.size() < 2 ? 0 : plan.subOps[std::size_t(segments[1].last)].op + 1;
    }

    Result<DualModeChip> chipOf(std::string_view id) const {
        PIM_TRY(const auto target, m_catalog.find(id));
        return dualModeChip(*target);
    }

    Result<DualModeCost> cost(const std::string& name, int batch, const DualModeChip& chip) const {
        const DualModeTransformer* const shape = transformerNamed(name);
        if (!shape)
            return costOf(withBatch(m_networks.at(name), batch), chip, m_options);
        if (shape == &kBertLarge)
            return costOfLayers(*shape, batch, kTokens, kTokens, chip, m_options);
        return costOfGeneration(*shape, batch, kTokens, kTokens, chip, m_options);
    }

    /// \p count costs side by side, in their order.
    Result<std::vector<DualModeCost>>
    costs(std::size_t count, const std::function<Result<DualModeCost>(std::size_t)>& one) const {
        std::vector<DualModeCost> all(count);
        std::optional<Error> wrong;
        std::mutex mutex;
        parallelFor(count, 0, [&](std::size_t i) {
            if (m_task.cancelled())
                return;
            auto cost = one(i);
            if (cost) {
                all[i] = *cost;
                return;
            }
            const std::lock_guard lock(mutex);
            wrong = cost.error();
        });
        if (m_task.cancelled())
            return TaskContext::cancelledError("the evaluation of CMSwitch");
        if (wrong)
            return tl::unexpected<Error>(std::move(*wrong));
        return all;
    }

    static std::vector<double> speedUps(const std::vector<DualModeCost>& costs) {
        std::vector<double> all;
        for (const DualModeCost& one : costs)
            all.push_back(one.speedup());
        return all;
    }

    Result<void> fillSpeedUps(PaperRow& row, const DualModeChip& chip, std::string reason) {
        PIM_TRY(const auto found,
                costs(kBatches.size(), [&](std::size_t i) { return cost(row.subject, kBatches[i], chip); }));
        const std::vector<double> all = speedUps(found);
        if (&chip == &m_chip) {
            m_all.insert(m_all.end(), all.begin(), all.end());
            for (const DualModeCost& one : found)
                m_switching.push_back(one.switching / one.cycles);
        }
        row.ours = spreadOf(all);
        row.reason = std::move(reason);
        if (!row.reason.empty() || !row.published.high)
            return {};
        const double most = row.published.mean.value_or(*row.published.high);
        row.reason = *row.ours.mean < *row.published.low
                         ? "the paper leaves out how operators are cut and how long weights take to write"
                     : *row.ours.mean > *row.published.high
                         ? "cuts of operators: caps of 24 to 96 arrays are tried for both chips"
                     : std::abs(*row.ours.mean / most - 1) < 0.1 ? ""
                                                                 : "within the range that is printed";
        return {};
    }

    Result<void> fillAll(PaperRow& row) {
        row.ours = spreadOf(m_all);
        row.reason = "of the rows above; the paper has OPT-6.7B as well";
        return {};
    }

    /// Arrays in memory mode of the segments that QKV and feed-forward products are in, batch 4.
    Result<void> fillShares(PaperRow& row) {
        PIM_TRY(const auto plan, planDualMode(transformerLayers(kOpt6B, 4, kTokens, kTokens, 1), m_chip,
                                              m_options, {}, m_task));
        std::vector<double> shares;
        for (const DualModeSegment& segment : plan->segmentation.segments) {
            const std::string& name =
                plan->workload->ops[std::size_t(plan->subOps[std::size_t(segment.first)].op)].name;
            const bool isMeant = name == "q" || name == "k" || name == "v" || name.starts_with("ffn");
            const int used = segment.computeArrays() + segment.memoryArrays();
            if (isMeant && used > 0)
                shares.push_back(double(segment.memoryArrays()) / used);
        }
        if (!shares.empty()) {
            double sum = 0;
            for (const double share : shares)
                sum += share;
            const auto [low, high] = std::ranges::minmax(shares);
            row.ours = {low, sum / double(shares.size()), high};
        }
        row.reason = "why ours are lower is not known: the paper does not print the bytes behind its figure";
        return {};
    }

    /// Over the lengths of figure 16, each the mean over batches 4, 8, 16.
    Result<void> fillLengths(PaperRow& row) {
        constexpr std::array batches{4, 8, 16};
        std::string name = row.subject;
        std::vector<std::int64_t> lengths(kLengths.begin(), kLengths.end());
        if (const std::size_t space = name.find(' '); space != std::string::npos) {
            lengths = {parseNumber<std::int64_t>(name.substr(space + 1)).value_or(0)};
            name.resize(space);
        }
        const DualModeTransformer* const shape = transformerNamed(name);
        if (!shape || lengths.front() < 1)
            return fail(ErrorCode::InvalidFile, "no such network and length", row.subject);
        PIM_TRY(const auto found, costs(lengths.size() * batches.size(), [&](std::size_t i) {
                    const std::int64_t length = lengths[i / batches.size()];
                    const int batch = batches[i % batches.size()];
                    return shape == &kBertLarge
                               ? costOfLayers(*shape, batch, length, length, m_chip, m_options)
                               : costOfGeneration(*shape, batch, length, length, m_chip, m_options);
                }));
        const std::vector<double> each = speedUps(found);
        std::vector<double> means;
        for (std::size_t l = 0; l < lengths.size(); ++l)
            means.push_back(*spreadOf({each.begin() + std::ptrdiff_t(l * batches.size()),
                                       each.begin() + std::ptrdiff_t((l + 1) * batches.size())})
                                 .mean);
        row.ours = spreadOf(means);
        row.reason =
            shape == &kBertLarge
                ? "here the bytes of every product cross the bus, scores among them"
                : "prefill and steps; the keys of a quarter and three quarters of the way stand for all";
        return {};
    }

    /// 128 tokens in, 32 to 2048 out, one sequence.
    Result<void> fillOutputs(PaperRow& row) {
        const DualModeTransformer* const shape = transformerNamed(row.subject);
        if (!shape)
            return fail(ErrorCode::InvalidFile, "no such network", row.subject);
        PIM_TRY(const auto found, costs(kLengths.size(), [&](std::size_t i) {
                    return costOfGeneration(*shape, 1, 128, kLengths[i], m_chip, m_options);
                }));
        row.ours = spreadOf(speedUps(found));
        row.reason = "one sequence; the keys of a quarter and three quarters of the way stand for all";
        return {};
    }

    Result<void> fillSwitches(PaperRow& row) {
        const auto [low, high] = std::ranges::minmax(m_switching);
        row.ours = {low, {}, high};
        row.reason =
            "one cycle an array and border, as table 2 says, is too little for what the paper prints";
        return {};
    }

    Result<void> fillPrime(PaperRow& row) {
        PIM_TRY(const DualModeChip prime, chipOf("prime"));
        return fillSpeedUps(row, prime, "most figures of this chip are assumptions");
    }

    /// 100 arrays with the ratios of figure 1b.
    Result<void> fillMix(PaperRow& row) {
        PIM_TRY(DualModeChip chip, chipOf("dynaplasia-fig1b"));
        chip.arrays = 100;
        const DualModeTransformer* const shape = transformerNamed(row.subject);
        PIM_TRY(const SpeedMap map,
                speedMap(shape ? transformerLayers(*shape, 1, 1, kTokens, 1) : m_networks.at(row.subject),
                         chip, m_options));
        row.ours.mean = map.bestCompute / 100.0;
        row.reason = "the fewest arrays that reach the best";
        return {};
    }

    /// Of single products, every byte once.
    Result<void> fillIntensity(PaperRow& row) {
        std::vector<double> all;
        const auto add = [&](const DualModeWorkload& workload) {
            for (const DualModeOp& op : workload.ops)
                all.push_back(2.0 * double(op.macs()) / double(op.inBytes + op.outBytes + op.weightBytes));
        };
        if (const DualModeTransformer* const shape = transformerNamed(row.subject))
            for (const std::int64_t length : kLengths)
                add(transformerLayers(*shape, 1, length, length, 1));
        else
            add(m_networks.at(row.subject));
        row.ours = spreadOf(all);
        row.reason = "8-bit data; the paper does not say what a byte or an operation is";
        return {};
    }

    const TargetCatalog& m_catalog;
    const TaskContext& m_task;
    DualModeOptions m_options;
    DualModeChip m_chip;
    std::map<std::string, DualModeWorkload> m_networks;
    std::vector<double> m_all, m_switching; ///< Of figure 14.
};

std::string titleOf(std::string_view place) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTitles{
        {{"Figure 14", "End to end, over CIM-MLC"},
         {"Figure 15b", "Arrays of one layer in memory mode, batch 4"},
         {"Figure 16", "Lengths of 32 to 2048 tokens in and out"},
         {"Figure 17a", "Outputs of 32 to 2048 tokens"},
         {"Section 5.5", "Mode switches"},
         {"Section 5.5 PRIME", "Another chip"},
         {"Figure 5", "The best mix of 100 arrays"},
         {"Figure 6", "Arithmetic intensity of single products"}}};
    const auto* const found = std::ranges::find(kTitles, place, [](const auto& row) { return row.first; });
    return found != kTitles.end() ? std::string(found->second) : std::string();
}

} // namespace

Result<PaperEvaluation> computeCmSwitch(const TargetCatalog& catalog, const TaskContext& task) {
    PIM_TRY(auto places, publishedByCmSwitch());
    CmSwitch ours(catalog, task);
    PIM_CHECK(ours.start());
    PaperEvaluation evaluation;
    evaluation.paper = "cmswitch";
    evaluation.headline = "The evaluation of CMSwitch, recomputed";
    evaluation.lead = "CMSwitch (ASPLOS 2025): dual-mode chips over the same chip with all arrays computing, "
                      "planned by the "
                      "same program with the same cuts. By the formulas of the paper, nothing is simulated; "
                      "batches of 1, 4, "
                      "8 and 16, data of 8 bits, on DynaPlasia. Mean and, in brackets, range.";
    for (std::size_t i = 0; i < places.size(); ++i) {
        CmSwitchPlace& place = places[i];
        task.report(fmt::format("{}, {}", place.place, place.row.subject), std::int64_t(i),
                    std::ssize(places));
        PIM_CHECK(ours.fill(place));
        if (evaluation.tables.empty() || evaluation.tables.back().place != place.place) {
            if (place.place == "Figure 15b") {
                PIM_TRY(evaluation.tables.emplace_back(), ours.vggSegments());
            }
            evaluation.tables.push_back({place.place, titleOf(place.place), {}, {}});
        }
        evaluation.tables.back().rows.push_back(std::move(place.row));
    }
    evaluation.tables.back().note =
        "Figure 18 compares times of compilers on one machine; those of this one are printed by "
        "bench_dual_mode.";
    return evaluation;
}

} // namespace pim::evaluation
