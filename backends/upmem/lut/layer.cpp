// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/layer.h"

#include "backends/upmem/lut/cost_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <limits>

namespace pim::upmem {
namespace {

constexpr std::string_view kReadings[] = {"strict", "released", "fixed"};
constexpr std::string_view kOrders[] = {"nfc", "ncf", "fnc", "fcn", "cnf", "cfn"};
constexpr std::string_view kLoads[] = {"static", "fine", "coarse"};
constexpr std::int64_t kMostNumber = std::numeric_limits<std::int32_t>::max();

template <class Value, std::size_t Size>
std::optional<Value> valueNamed(const std::string_view (&names)[Size], std::string_view text) {
    for (std::size_t i = 0; i < Size; ++i)
        if (text == names[i] || (text.size() == 1 && text[0] == char('0' + i)))
            return static_cast<Value>(i);
    return std::nullopt;
}

std::int64_t productOrMost(std::initializer_list<std::int64_t> factors) {
    std::int64_t product = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(product, factor, &product))
            return std::numeric_limits<std::int64_t>::max();
    return product;
}

bool divides(std::int64_t part, std::int64_t whole) {
    return part > 0 && whole % part == 0;
}

std::optional<LutRefusal> tileRefusal(const LutLayer& layer, const LutMapping& mapping) {
    const LutKernel& kernel = mapping.kernel;
    if (!divides(kernel.rows, mapping.split.rows))
        return LutRefusal{LutRule::RowTile, kernel.rows, mapping.split.rows};
    if (!divides(kernel.features, mapping.split.features))
        return LutRefusal{LutRule::FeatureTile, kernel.features, mapping.split.features};
    if (!divides(kernel.codebooks, layer.codebooks))
        return LutRefusal{LutRule::CodebookTile, kernel.codebooks, layer.codebooks};
    if (kernel.rows % layer.tasklets != 0)
        return LutRefusal{LutRule::TaskletRows, kernel.rows, layer.tasklets};
    if (kernel.load != LutLoad::Static && !divides(kernel.loadFeatures, kernel.features))
        return LutRefusal{LutRule::FeatureLoad, kernel.loadFeatures, kernel.features};
    if (kernel.load == LutLoad::Coarse && !divides(kernel.loadCodebooks, kernel.codebooks))
        return LutRefusal{LutRule::CodebookLoad, kernel.loadCodebooks, kernel.codebooks};
    return std::nullopt;
}

std::string pieceText(const char* what, std::int64_t bytes, std::int64_t tasklets) {
    const std::string whole =
        bytes % tasklets == 0
            ? fmt::format("{} B", bytes / tasklets)
            : fmt::format("{:.2f} B", static_cast<double>(bytes) / static_cast<double>(tasklets));
    return fmt::format("{} of {} B is {} for each of {} tasklets; a DMA takes whole multiples of {} B, so "
                       "it has to be a multiple of {} B",
                       what, bytes, whole, tasklets, kDmaStep, tasklets * kDmaStep);
}

} // namespace

std::string_view name(LutReading reading) {
    return kReadings[static_cast<std::size_t>(reading)];
}
std::string_view name(LutLoopOrder order) {
    return kOrders[static_cast<std::size_t>(order)];
}
std::string_view name(LutLoad load) {
    return kLoads[static_cast<std::size_t>(load)];
}
std::optional<LutReading> lutReadingNamed(std::string_view text) {
    const auto found = std::ranges::find(kReadings, text);
    return found == std::end(kReadings)
               ? std::nullopt
               : std::optional(static_cast<LutReading>(found - std::begin(kReadings)));
}
std::optional<LutLoopOrder> lutLoopOrderNamed(std::string_view text) {
    return valueNamed<LutLoopOrder>(kOrders, text);
}
std::optional<LutLoad> lutLoadNamed(std::string_view text) {
    return valueNamed<LutLoad>(kLoads, text);
}

Result<void> checkLayer(const LutLayer& layer) {
    const std::pair<const char*, std::int64_t> numbers[] = {
        {"N", layer.rows},     {"CB", layer.codebooks}, {"CT", layer.centroids},
        {"F", layer.features}, {"pe", layer.dpus},      {"tasklets", layer.tasklets}};
    for (const auto& [what, number] : numbers)
        if (number < 1 || number > kMostNumber)
            return fail(ErrorCode::Usage,
                        fmt::format("{} = {} is not between 1 and {}", what, number, kMostNumber));
    if (layer.tasklets > kMostTasklets)
        return fail(ErrorCode::Usage,
                    fmt::format("{} tasklets; a DPU has {}", layer.tasklets, kMostTasklets));
    if (layer.centroids > std::int64_t{1} << (8 * kLutIndexBytes))
        return fail(ErrorCode::Usage,
                    fmt::format("CT = {} centroids; an index of 16 bits names 65536", layer.centroids));
    if (const std::int64_t outputs = layer.rows * layer.features; outputs < kFewestLutOutputs)
        return fail(ErrorCode::Usage,
                    fmt::format("N x F = {} outputs; the time to fetch fewer than {} is not known", outputs,
                                kFewestLutOutputs));
    return {};
}

std::int64_t mramBytes(const LutLayer& layer, const LutSplit& split) {
    std::int64_t sum = 0;
    for (const std::int64_t part : {productOrMost({split.rows, layer.codebooks, kLutIndexBytes}),
                                    productOrMost({layer.codebooks, layer.centroids, split.features}),
                                    productOrMost({split.rows, split.features, kLutOutputBytes})})
        if (__builtin_add_overflow(sum, part, &sum))
            return std::numeric_limits<std::int64_t>::max();
    return sum;
}

bool isTaskletPiece(std::int64_t bytes, std::int64_t tasklets, LutReading reading) {
    if (reading == LutReading::Strict)
        return bytes > 0 && bytes % (tasklets * kDmaStep) == 0;
    const std::int64_t piece = bytes / tasklets;
    return piece >= kDmaStep && piece % kDmaStep == 0;
}

std::int64_t tableBytes(const LutLayer& layer, const LutMapping& mapping) {
    const LutKernel& kernel = mapping.kernel;
    switch (kernel.load) {
    case LutLoad::Static:
        return layer.codebooks * layer.centroids * mapping.split.features;
    case LutLoad::Fine:
        return layer.tasklets * kernel.loadFeatures;
    case LutLoad::Coarse:
        return kernel.loadCodebooks * kernel.loadFeatures * layer.centroids;
    }
    return 0;
}

std::int64_t wramBytes(const LutLayer& layer, const LutMapping& mapping) {
    const LutKernel& kernel = mapping.kernel;
    return kernel.rows * kernel.codebooks * kLutIndexBytes + kernel.rows * kernel.features * kLutOutputBytes +
           tableBytes(layer, mapping);
}

std::optional<LutRefusal> refusalOf(const LutLayer& layer, const LutSplit& split) {
    if (!divides(split.rows, layer.rows))
        return LutRefusal{LutRule::RowSplit, split.rows, layer.rows};
    if (!divides(split.features, layer.features))
        return LutRefusal{LutRule::FeatureSplit, split.features, layer.features};
    const std::int64_t dpus = productOrMost({layer.rows / split.rows, layer.features / split.features});
    if (dpus != layer.dpus)
        return LutRefusal{LutRule::DpuCount, dpus, layer.dpus};
    if (const std::int64_t bytes = mramBytes(layer, split); bytes > kLutMramBytes)
        return LutRefusal{LutRule::Mram, bytes, kLutMramBytes};
    return std::nullopt;
}

std::optional<LutRefusal> refusalOf(const LutLayer& layer, const LutMapping& mapping, LutReading reading) {
    if (const auto refusal = refusalOf(layer, mapping.split))
        return refusal;
    if (const auto refusal = tileRefusal(layer, mapping))
        return refusal;
    const LutKernel& kernel = mapping.kernel;
    const std::int64_t step = layer.tasklets * kDmaStep;
    const std::pair<LutRule, std::int64_t> pieces[] = {
        {LutRule::IndexPiece, kernel.rows * kernel.codebooks * kLutIndexBytes},
        {LutRule::OutputPiece, kernel.rows * kernel.features * kLutOutputBytes},
        {LutRule::TablePiece, tableBytes(layer, mapping)}};
    for (const auto& [rule, bytes] : pieces)
        if (!isTaskletPiece(bytes, layer.tasklets, reading))
            return LutRefusal{rule, bytes, step};
    if (const std::int64_t bytes = wramBytes(layer, mapping); bytes > kLutWramBytes)
        return LutRefusal{LutRule::Wram, bytes, kLutWramBytes};
    if (kernel.load == LutLoad::Coarse && reading != LutReading::Released &&
        coarseReduceCycles(kernel.loadFeatures, kernel.loadCodebooks) == 0)
        return LutRefusal{LutRule::NeverMeasured, kernel.loadFeatures, kernel.loadCodebooks};
    return std::nullopt;
}

std::string text(const LutRefusal& refusal, const LutLayer& layer, const LutMapping& mapping) {
    const auto undivided = [&](const char* part, const char* whole) {
        return fmt::format("{} = {} does not divide {} = {}", part, refusal.seen, whole, refusal.allowed);
    };
    const LutKernel& kernel = mapping.kernel;
    switch (refusal.rule) {
    case LutRule::RowSplit:
        return undivided("n_stile", "N");
    case LutRule::FeatureSplit:
        return undivided("f_stile", "F");
    case LutRule::DpuCount:
        return fmt::format("N / n_stile x F / f_stile = {} x {} = {} DPUs, not the {} there are",
                           layer.rows / mapping.split.rows, layer.features / mapping.split.features,
                           refusal.seen, refusal.allowed);
    case LutRule::Mram:
        return fmt::format("indices, table and output of a DPU ({} x {}) need {} B of MRAM, which has {} B",
                           mapping.split.rows, mapping.split.features, refusal.seen, refusal.allowed);
    case LutRule::RowTile:
        return undivided("n_mtile", "n_stile");
    case LutRule::FeatureTile:
        return undivided("f_mtile", "f_stile");
    case LutRule::CodebookTile:
        return undivided("cb_mtile", "CB");
    case LutRule::TaskletRows:
        return fmt::format("n_mtile = {} rows cannot be dealt out evenly to {} tasklets", refusal.seen,
                           refusal.allowed);
    case LutRule::FeatureLoad:
        return undivided("f_load", "f_mtile");
    case LutRule::CodebookLoad:
        return undivided("cb_load", "cb_mtile");
    case LutRule::IndexPiece:
        return pieceText("an index tile", refusal.seen, layer.tasklets);
    case LutRule::OutputPiece:
        return pieceText("an output tile", refusal.seen, layer.tasklets);
    case LutRule::TablePiece:
        return pieceText("a LUT tile", refusal.seen, layer.tasklets);
    case LutRule::Wram:
        return fmt::format("index, output and LUT buffers need {} B of WRAM, buffers may take {} B",
                           refusal.seen, refusal.allowed);
    case LutRule::NeverMeasured:
        return fmt::format("a coarse load of f_load = {} and cb_load = {} was never measured, so its time is "
                           "not known; measured for f_load = {}: cb_load {}",
                           kernel.loadFeatures, kernel.loadCodebooks, kernel.loadFeatures,
                           measuredCodebooksText(kernel.loadFeatures));
    }
    return {};
}

Result<std::vector<std::int64_t>> dmaLengths(std::int64_t bytes, std::int64_t address) {
    if (bytes <= 0)
        return fail(ErrorCode::Usage, fmt::format("a DMA of {} bytes", bytes), {},
                    "the hardware takes a length of 0 for 2048 bytes; leave the DMA out");
    if (bytes % kDmaStep != 0 || address % kDmaStep != 0)
        return fail(ErrorCode::Usage, fmt::format("a DMA of {} bytes at {}: both have to be multiples of {}",
                                                  bytes, address, kDmaStep));
    if (bytes > kLutMramBytes)
        return fail(ErrorCode::Usage, fmt::format("a DMA of {} bytes; MRAM has {}", bytes, kLutMramBytes));
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(bytes / kLongestDma), kLongestDma);
    if (bytes % kLongestDma != 0)
        lengths.push_back(bytes % kLongestDma);
    return lengths;
}

std::array<NamedLutLayer, 4> transformerLayers(const TransformerShape& shape, LutReading reading) {
    const auto layer = [&](std::int64_t in, std::int64_t out) {
        return LutLayer{shape.rows, in / shape.subVector, shape.centroids, out, shape.dpus, shape.tasklets};
    };
    return {{{"QKV", layer(shape.hidden, 3 * shape.hidden)},
             {"O", layer(shape.hidden, shape.hidden)},
             {"FFN1", layer(shape.hidden, shape.feedForward)},
             {"FFN2",
              layer(shape.feedForward, reading == LutReading::Released ? shape.feedForward : shape.hidden)}}};
}

} // namespace pim::upmem
