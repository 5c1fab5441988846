// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Look-ups on HBM-PIM and AiM beside products on the same chips (figure 14) and on a V100 (figure 15). The paper ran them on a simulator
/// it has not published, with indices inside the commands (section 6.7); so does backends/dram_pim/lut.
#include "app/evaluation/pimdl_chip_times.h"
#include "core/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace pim::evaluation {
namespace {

/// Section 6.7: length 128, batches of 1 to 8, widths of OPT.
constexpr std::int64_t kLength = 128, kHeadWidth = 64;
constexpr std::array kBatches{1, 2, 4, 8};
constexpr std::array kWidths{1024, 2048, 2560, 4096, 5120};

struct Chip {
    std::string_view target, name;
};
constexpr std::array kChips{Chip{"hbm-pim", "HBM-PIM"}, Chip{"aim-32", "AiM"}};

/// A block, all in seconds.
struct Block {
    upmem::Encoder encoder;
    ChipTimes chip;
    std::array<double, 3> search{}; ///< Of closest centroids, on the host, with V of kChipSubVectors.
    double other = 0;               ///< Attention and element-wise operations, on the host.
    double gpu = 0;                 ///< All of it on a V100.

    double lookUps(SubVector length) const { return chip.lookUps[length] + search[length] + other; }
    double productsOver(SubVector length) const { return (chip.products + other) / lookUps(length); }
    double publicProductsOver(SubVector length) const {
        return (chip.publicProducts + other) / lookUps(length);
    }
    std::string what() const { return fmt::format("H = {}, batch = {}", encoder.hidden, encoder.batch); }
};

double searchSeconds(const upmem::Encoder& encoder, std::int64_t subVector, const Host& host) {
    double seconds = 0;
    for (const upmem::NamedLutLayer& one : upmem::transformerLayers(
             {encoder.rows(), encoder.hidden, encoder.feedForward, subVector, kChipCentroids})) {
        const auto inputs = static_cast<double>(one.layer.rows * one.layer.codebooks * subVector);
        seconds += upmem::searchSeconds(one.layer, subVector, 3 * inputs * kChipCentroids, host);
    }
    return seconds;
}

Result<Block> blockOf(const upmem::Encoder& encoder, const std::shared_ptr<const Target>& target,
                      const Backend& backend, const PimDlParts& parts, const TaskContext& task) {
    Block block;
    block.encoder = encoder;
    PIM_TRY(block.chip, chipTimes(encoder, target, backend, task));
    PIM_TRY(const upmem::ProductBlock host, upmem::productBlock(encoder, *parts.smallGpu, DataType::F32));
    PIM_TRY(const upmem::ProductBlock gpu, upmem::productBlock(encoder, *parts.largeGpu, DataType::F32));
    block.other = host.attention + host.elementWise;
    block.gpu = gpu.total();
    for (std::size_t i = 0; i < kChipSubVectors.size(); ++i)
        block.search[i] = searchSeconds(encoder, kChipSubVectors[i], *parts.smallGpu);
    return block;
}

Result<std::vector<Block>> blocksOf(const Chip& chip, const PimDlParts& parts, const BackendList& backends,
                                    const TargetCatalog& catalog, const TaskContext& task) {
    PIM_TRY(const auto target, catalog.find(chip.target));
    PIM_TRY(const Backend* const backend, backends.find(target->backend));
    std::vector<upmem::Encoder> encoders;
    for (const std::int64_t width : kWidths)
        for (const std::int64_t batch : kBatches)
            encoders.push_back({batch, kLength, width, 4 * width, width / kHeadWidth});
    std::vector<std::optional<Result<Block>>> made(encoders.size());
    task.report(fmt::format("look-ups and products on {}", chip.name));
    const TaskContext quiet{task.stop, {}};
    parallelFor(encoders.size(), 0, [&](std::size_t i) {
        made[i].emplace(blockOf(encoders[i], target, *backend, parts, quiet));
    });
    if (task.cancelled())
        return TaskContext::cancelledError("the figures of PIM-DL");
    std::vector<Block> blocks;
    for (auto& one : made) {
        PIM_TRY(Block block, *std::move(one));
        blocks.push_back(std::move(block));
    }
    return blocks;
}

using Gain = std::function<double(const Block&)>;
std::vector<double> gainsOf(const std::vector<Block>& blocks, const Gain& gain) {
    std::vector<double> gains;
    std::ranges::transform(blocks, std::back_inserter(gains), gain);
    return gains;
}
double meanOf(const std::vector<Block>& blocks, const Gain& gain) {
    return upmem::geometricMean(gainsOf(blocks, gain));
}

/// A row for each block, then mean and most beside what was published.
void addGains(PimDlTable& table, std::string_view chip, const std::vector<Block>& blocks,
              const std::vector<double>& gains, const PimDlParts& parts) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
        table.rows.push_back({std::string(chip), blocks[i].what(), std::nullopt, gains[i], std::nullopt, ""});
    const std::string_view quantity = table.figure == "14" ? "speedup pim-gemm" : "speedup gpu-fp32";
    const char* const reason =
        table.figure == "14" ? "the paper's products and its V: next table" : "the paper's V: below";
    const auto summary = [&](const char* what, double ours) {
        const auto published = parts.published(table.figure, chip, quantity, what);
        table.rows.push_back(
            {std::string(chip), what, published, ours, std::nullopt, published ? reason : ""});
    };
    summary("geomean", upmem::geometricMean(gains));
    summary("most", *std::ranges::max_element(gains));
}

/// Means with one thing changed at a time, so that what makes up the difference can be seen.
void addMeans(PimDlTable& table, std::string_view chip, const std::vector<Block>& blocks) {
    const std::string simulator = chip == "AiM" ? "aim_simulator" : "PIMSimulator";
    const auto add = [&](std::string what, const Gain& gain, std::string reason = {}) {
        table.rows.push_back({std::string(chip), std::move(what), std::nullopt, meanOf(blocks, gain),
                              std::nullopt, std::move(reason)});
    };
    add(
        "linear layers, bound for V = 4", [](const Block& b) { return b.chip.products / b.chip.bound; },
        "every entry once at the full bandwidth of all banks");
    for (const SubVector v : {kTwo, kFour, kSixteen})
        add(fmt::format("linear layers, V = {}", kChipSubVectors[v]),
            [v](const Block& b) { return b.chip.products / b.chip.lookUps[v]; });
    for (const SubVector v : {kTwo, kFour, kSixteen})
        add(
            fmt::format("linear layers, V = {}, over {}'s kernel", kChipSubVectors[v], simulator),
            [v](const Block& b) { return b.chip.publicProducts / b.chip.lookUps[v]; },
            v == kTwo ? "a matrix-vector product for each row of the input" : "");
    for (const SubVector v : {kTwo, kFour, kSixteen})
        add(fmt::format("blocks, V = {}, over {}'s kernel", kChipSubVectors[v], simulator),
            [v](const Block& b) { return b.publicProductsOver(v); });
    if (chip != "AiM")
        return;
    add(
        "linear layers, V = 4, one sum of 16 lanes",
        [](const Block& b) { return b.chip.products / b.chip.oneSum; },
        "every row of a bank opens for every row of the input");
    add(
        "linear layers, V = 4, one-hot vectors",
        [](const Block& b) { return b.chip.products / b.chip.oneHot; },
        "all that the published chip can do: its adder tree takes one of 16 lanes");
}

} // namespace

Result<void> addOtherChips(PimDlTables& tables, std::span<const int> figures, const PimDlParts& parts,
                           const BackendList& backends, const TargetCatalog& catalog,
                           const TaskContext& task) {
    const auto wanted = [&](int figure) {
        return figures.empty() || std::ranges::find(figures, figure) != figures.end();
    };
    PimDlTable blocks{
        "14", "blocks as look-ups with V = 4 over products on the same chip, times as quick", "", {}, {}};
    PimDlTable means{"14", "the same in parts and by settings, geometric means", "", {}, {}};
    PimDlTable gpu{"15", "blocks as look-ups with V = 4 over a V100 in fp32, times as quick", "", {}, {}};
    for (const Chip& chip : kChips) {
        PIM_TRY(const std::vector<Block> made, blocksOf(chip, parts, backends, catalog, task));
        addGains(blocks, chip.name, made, gainsOf(made, [](const Block& b) { return b.productsOver(kFour); }),
                 parts);
        addMeans(means, chip.name, made);
        addGains(gpu, chip.name, made, gainsOf(made, [](const Block& b) { return b.gpu / b.lookUps(kFour); }),
                 parts);
        for (const SubVector v : {kTwo, kSixteen})
            gpu.rows.push_back(
                {std::string(chip.name), fmt::format("geomean, V = {}", kChipSubVectors[v]), std::nullopt,
                 meanOf(made, [v](const Block& b) { return b.gpu / b.lookUps(v); }), std::nullopt, ""});
    }
    blocks.note = "Products: best draft. Look-ups: best mapping, CT = 16, indices in the commands. Both "
                  "simulated command by command, "
                  "weights and tables in the banks. Search, attention and the rest on an A2 at its roofline, "
                  "one after the other. "
                  "AiM with 16 sums of 16 lanes at every bank, which the chip is not known to have.";
    means.note =
        "The paper does not say V. What makes up the difference is told in the help, look-up tables.";
    gpu.note = "V100 and A2 at their rooflines, the search on the A2.";
    if (wanted(14)) {
        tables.push_back(std::move(blocks));
        tables.push_back(std::move(means));
    }
    if (wanted(15))
        tables.push_back(std::move(gpu));
    return {};
}

} // namespace pim::evaluation
