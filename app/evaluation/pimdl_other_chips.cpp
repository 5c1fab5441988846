// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Look-ups on HBM-PIM and AiM beside products on the same chips (figure 14) and on a V100 (figure 15). The paper ran them on a simulator
/// it has not published, with indices inside the commands (section 6.7); so does backends/dram_pim/lut.
#include "app/evaluation/pimdl_chip_times.h"
#include "core/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
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
    double searchFour = 0, searchSixteen = 0; ///< Of closest centroids, on the host.
    double other = 0;                         ///< Attention and element-wise operations, on the host.
    double gpu = 0;                           ///< All of it on a V100.

    double lookUps() const { return chip.four + searchFour + other; }
    double lookUpsSixteen() const { return chip.sixteen + searchSixteen + other; }
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
    block.searchFour = searchSeconds(encoder, 4, *parts.smallGpu);
    block.searchSixteen = searchSeconds(encoder, 16, *parts.smallGpu);
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

void addBlocks(PimDlTable& table, std::string_view chip, const std::vector<Block>& blocks,
               const PimDlParts& parts) {
    const Gain gain = [](const Block& block) {
        return (block.chip.products + block.other) / block.lookUps();
    };
    const std::vector<double> gains = gainsOf(blocks, gain);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        table.rows.push_back({std::string(chip), blocks[i].what(), std::nullopt, gains[i], std::nullopt, ""});
    const auto published = parts.published("14", chip, "speedup pim-gemm", "geomean");
    table.rows.push_back({std::string(chip), "geomean", published, upmem::geometricMean(gains), std::nullopt,
                          "products of the public simulators, and V: see below"});
    table.rows.push_back({std::string(chip), "most", parts.published("14", chip, "speedup pim-gemm", "most"),
                          *std::ranges::max_element(gains), std::nullopt, ""});
}

void addMeans(PimDlTable& table, std::string_view chip, const std::vector<Block>& blocks,
              const PimDlParts& parts) {
    const auto published = parts.published("14", chip, "speedup pim-gemm", "geomean");
    const auto add = [&](std::string what, const Gain& gain, std::optional<double> beside = {},
                         std::string reason = {}) {
        table.rows.push_back({std::string(chip), std::move(what), beside, meanOf(blocks, gain), std::nullopt,
                              std::move(reason)});
    };
    add("linear layers, V = 4", [](const Block& b) { return b.chip.products / b.chip.four; });
    add(
        "linear layers, V = 4, bound", [](const Block& b) { return b.chip.products / b.chip.bound; }, {},
        "every entry once at the full bandwidth of all banks");
    add("linear layers, V = 16", [](const Block& b) { return b.chip.products / b.chip.sixteen; });
    const std::string simulator = chip == "AiM" ? "aim_simulator" : "PIMSimulator";
    add(fmt::format("linear layers, V = 4, over {}'s kernel", simulator),
        [](const Block& b) { return b.chip.publicProducts / b.chip.four; });
    add(
        fmt::format("linear layers, V = 16, over {}'s kernel", simulator),
        [](const Block& b) { return b.chip.publicProducts / b.chip.sixteen; }, published,
        "would be the paper's, if it left the host out and had V = 16");
    add(fmt::format("blocks, V = 4, over {}'s kernel", simulator),
        [](const Block& b) { return (b.chip.publicProducts + b.other) / b.lookUps(); });
    add(
        fmt::format("blocks, V = 16, over {}'s kernel", simulator),
        [](const Block& b) { return (b.chip.publicProducts + b.other) / b.lookUpsSixteen(); }, published,
        "the host's part, which both have");
    if (chip != "AiM")
        return;
    add(
        "linear layers, V = 4, one sum of 16 lanes",
        [](const Block& b) { return b.chip.products / b.chip.oneSum; }, {},
        "every row of a bank opens for every row of the input");
    add(
        "linear layers, V = 4, one-hot vectors",
        [](const Block& b) { return b.chip.products / b.chip.oneHot; }, {},
        "all that the published chip can do: its adder tree takes one of 16 lanes");
}

void addGpu(PimDlTable& table, std::string_view chip, const std::vector<Block>& blocks,
            const PimDlParts& parts) {
    const std::vector<double> gains =
        gainsOf(blocks, [](const Block& block) { return block.gpu / block.lookUps(); });
    for (std::size_t i = 0; i < blocks.size(); ++i)
        table.rows.push_back({std::string(chip), blocks[i].what(), std::nullopt, gains[i], std::nullopt, ""});
    const auto summary = [&](const char* what, double ours, std::string reason) {
        table.rows.push_back({std::string(chip), what, parts.published("15", chip, "speedup gpu-fp32", what),
                              ours, std::nullopt, std::move(reason)});
    };
    summary("geomean", upmem::geometricMean(gains), "V100 and A2 at their rooflines");
    summary("most", *std::ranges::max_element(gains), "");
    table.rows.push_back({std::string(chip), "geomean, V = 16", std::nullopt,
                          meanOf(blocks, [](const Block& b) { return b.gpu / b.lookUpsSixteen(); }),
                          std::nullopt, ""});
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
        addBlocks(blocks, chip.name, made, parts);
        addMeans(means, chip.name, made, parts);
        addGpu(gpu, chip.name, made, parts);
    }
    blocks.note = "Products: best draft. Look-ups: best mapping, CT = 16, indices in the commands. Both "
                  "simulated command by command, "
                  "weights and tables in the banks. Search, attention and the rest on an A2 at its roofline, "
                  "one after the other. "
                  "AiM with 16 sums of 16 lanes at every bank, which the chip is not known to have.";
    means.note =
        "Kernels of the public simulators: the matrix-vector product, once for each row of the input.";
    if (wanted(14)) {
        tables.push_back(std::move(blocks));
        tables.push_back(std::move(means));
    }
    if (wanted(15))
        tables.push_back(std::move(gpu));
    return {};
}

} // namespace pim::evaluation
