// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How much look-ups could gain on HBM-PIM and AiM at most (figure 14). The paper ran them on a simulator it has not published, with
/// indices inside the commands (section 6.7); nothing here runs them. What holds whatever the commands are: a unit adds at most 16
/// entries of 2 bytes a command, as fast as its bank delivers them, so N CB F of them take no less than N CB F x 2 B over the bandwidth
/// of all banks. The host's part, which both ways have, would only lower the gain.
#include "app/evaluation/pimdl_parts.h"
#include "core/base/parallel.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::evaluation {
namespace {

constexpr double kEntryBytes = 2; ///< FP16, BF16.
/// Section 6.7: length 128, batches of 1 to 8, widths of OPT.
constexpr std::int64_t kLength = 128;
constexpr std::array kBatches{1, 2, 4, 8};
constexpr std::array kWidths{1024, 2048, 2560, 4096, 5120};

struct Chip {
    std::string_view target, name;
};
constexpr std::array kChips{Chip{"hbm-pim", "HBM-PIM"}, Chip{"aim-32", "AiM"}};

/// Bytes/ns of all banks that units compute on.
Result<double> bankBandwidth(const Target& target) {
    const Level* const core = target.level("core");
    if (core != nullptr)
        for (const Memory& memory : core->memories)
            if (memory.name == "bank" && memory.bytesPerNs > 0)
                return memory.bytesPerNs * static_cast<double>(target.instances("core"));
    return fail(ErrorCode::InvalidTarget, "does not say how fast units read their banks", target.id,
                "install the program with its resources");
}

/// Predicted seconds of the best draft of one product.
Result<double> productSeconds(const upmem::LutLayer& layer, const std::shared_ptr<const Target>& target,
                              const Backend& backend, const TaskContext& task) {
    PIM_TRY(const Kernel kernel, productKernel(layer, "f16", "f16"));
    PIM_TRY(const DraftFacet* const drafts, draftsOf(backend, kernel.name));
    PIM_TRY(const auto exploration, drafts->exploreKernel(kernel, target, CompileOptions(), task));
    if (exploration->costs.empty())
        return fail(ErrorCode::Unsupported, "no product of this layer fits", target->id);
    return exploration->costs.front().totalNs() / 1e9;
}

/// Gain of a block's linear layers. \param bandwidth bytes/ns
Result<double> mostGain(const upmem::Encoder& encoder, double bandwidth,
                        const std::shared_ptr<const Target>& target, const Backend& backend,
                        const TaskContext& task) {
    double products = 0;
    for (const upmem::NamedLutLayer& one :
         upmem::transformerLayers({encoder.rows(), encoder.hidden, encoder.feedForward, 1})) {
        PIM_TRY(const double seconds, productSeconds(one.layer, target, backend, task));
        products += seconds;
    }
    const double entries = encoder.linearMacs() / static_cast<double>(upmem::LutSetting().subVector);
    return products / (entries * kEntryBytes / bandwidth / 1e9);
}

} // namespace

Result<void> addOtherChips(PimDlTables& tables, const PimDlParts& parts, const BackendList& backends,
                           const TargetCatalog& catalog, const TaskContext& task) {
    PimDlTable table{"14", "the most that look-ups with V = 4 can gain over products", "", {}, {}};
    for (const Chip& chip : kChips) {
        PIM_TRY(const auto target, catalog.find(chip.target));
        PIM_TRY(const Backend* const backend, backends.find(target->backend));
        PIM_TRY(const double bandwidth, bankBandwidth(*target));
        std::vector<upmem::Encoder> encoders;
        for (const std::int64_t width : kWidths)
            for (const std::int64_t batch : kBatches)
                encoders.push_back({batch, kLength, width, 4 * width, 1});
        std::vector<std::optional<Result<double>>> made(encoders.size());
        task.report(fmt::format("products on {}", chip.name));
        const TaskContext quiet{task.stop, {}};
        parallelFor(encoders.size(), 0, [&](std::size_t i) {
            made[i].emplace(mostGain(encoders[i], bandwidth, target, *backend, quiet));
        });
        if (task.cancelled())
            return TaskContext::cancelledError("the figures of PIM-DL");
        std::vector<double> gains;
        for (std::size_t i = 0; i < encoders.size(); ++i) {
            PIM_TRY(const double gain, *std::move(made[i]));
            gains.push_back(gain);
            table.rows.push_back({std::string(chip.name),
                                  fmt::format("H = {}, batch = {}", encoders[i].hidden, encoders[i].batch),
                                  std::nullopt, gain, std::nullopt, ""});
        }
        const double mean = upmem::geometricMean(gains);
        const auto published = parts.published("14", chip.name, "speedup pim-gemm", "geomean");
        table.rows.push_back(
            {std::string(chip.name), "geomean", published, mean, std::nullopt,
             fmt::format(
                 "our products leave no more; theirs took at least {:.1f} times as long, or V was larger",
                 published.value_or(0) / mean)});
        table.rows.push_back({std::string(chip.name), "most",
                              parts.published("14", chip.name, "speedup pim-gemm", "most"),
                              *std::ranges::max_element(gains), std::nullopt, ""});
    }
    table.note =
        "Products: best draft, predicted. Look-ups: every entry read once at the full bandwidth of all "
        "banks, nothing else; a bound, not a time. The host's part is left out of both.";
    tables.push_back(std::move(table));
    return {};
}

} // namespace pim::evaluation
