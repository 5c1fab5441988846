// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/conversion_options.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <functional>
#include <limits>

namespace pim::lut {
namespace {

struct Part {
    std::string_view key, value;
};

Result<std::vector<Part>> partsOf(std::string_view text) {
    std::vector<Part> parts;
    while (!text.empty()) {
        const std::string_view part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is not KEY=VALUE", part), "--lut",
                        "write it as v=4,ct=16,method=refit");
        parts.push_back({part.substr(0, equals), part.substr(equals + 1)});
    }
    return parts;
}

Result<std::int64_t> number(const Part& part, std::int64_t least, std::int64_t most) {
    const auto value = parseNumber<std::int64_t>(part.value);
    if (!value || *value < least || *value > most)
        return fail(
            ErrorCode::Usage,
            fmt::format("{}={}: whole numbers from {} to {} are allowed", part.key, part.value, least, most),
            "--lut");
    return *value;
}

tl::unexpected<Error> oneOf(const Part& part, std::string_view allowed) {
    return fail(ErrorCode::Usage, fmt::format("{}={}: one of {} is allowed", part.key, part.value, allowed),
                "--lut");
}

constexpr std::int64_t kLongest = 1024; ///< Sub-vector.

/// False: neither key.
Result<bool> setSize(LutSize& size, const Part& part) {
    if (part.key == "v") {
        PIM_TRY(size.length, number(part, 1, kLongest));
    } else if (part.key == "ct") {
        PIM_TRY(size.centroids, number(part, 2, kMostCentroids));
    } else {
        return false;
    }
    return true;
}

Result<void> set(ConversionOptions& options, const Part& part) {
    PIM_TRY(const bool isSize, setSize(options.size, part));
    if (isSize)
        return {};
    if (part.key == "method") {
        for (const LutMethod method : {LutMethod::KMeans, LutMethod::Refit, LutMethod::Elut})
            if (part.value == name(method)) {
                options.method = method;
                return {};
            }
        return oneOf(part, "kmeans, refit, elut");
    }
    if (part.key == "int8") {
        if (part.value != "off" && part.value != "layer" && part.value != "column")
            return oneOf(part, "off, layer, column");
        options.int8 = std::nullopt;
        if (part.value != "off")
            options.int8 = part.value == "layer" ? TableScale::Layer : TableScale::Column;
        return {};
    }
    if (part.key == "loss") {
        for (const LutLoss loss : {LutLoss::Outputs, LutLoss::OneSided, LutLoss::TwoSided})
            if (part.value == name(loss)) {
                options.loss = loss;
                return {};
            }
        return oneOf(part, "outputs, one-sided, two-sided");
    }
    if (part.key == "seed") {
        PIM_TRY(const std::int64_t seed, number(part, 0, std::numeric_limits<std::int64_t>::max()));
        options.seed = static_cast<std::uint64_t>(seed);
        return {};
    }
    if (part.key == "steps" || part.key == "batch") {
        PIM_TRY(const std::int64_t value, number(part, part.key == "steps" ? 0 : 1, 1'000'000));
        (part.key == "steps" ? options.steps : options.batch) = static_cast<int>(value);
        return {};
    }
    return fail(
        ErrorCode::Usage,
        fmt::format("there is no \"{}\"; there are v, ct, method, int8, seed, loss, steps, batch", part.key),
        "--lut");
}

} // namespace

std::string_view name(LutMethod method) {
    switch (method) {
    case LutMethod::KMeans:
        return "kmeans";
    case LutMethod::Refit:
        return "refit";
    case LutMethod::Elut:
        break;
    }
    return "elut";
}

std::string_view name(LutLoss loss) {
    switch (loss) {
    case LutLoss::Outputs:
        return "outputs";
    case LutLoss::OneSided:
        return "one-sided";
    case LutLoss::TwoSided:
        break;
    }
    return "two-sided";
}

std::optional<LutSize> ConversionOptions::sizeOf(std::string_view layer) const {
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule)
        if (layer.find(rule->part) != std::string_view::npos)
            return rule->size;
    return size;
}

Result<ConversionOptions> parseConversion(std::string_view text) {
    ConversionOptions options;
    PIM_TRY(const auto parts, partsOf(text));
    for (const Part& part : parts)
        PIM_CHECK(set(options, part));
    return options;
}

Result<void> addLayerRule(ConversionOptions& options, std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" names no layer", text), "--lut-layer",
                    "write it as ffn1:v=2,ct=16 or head:off");
    LayerRule rule{std::string(text.substr(0, colon)), std::nullopt};
    const std::string_view value = text.substr(colon + 1);
    if (value != "off") {
        rule.size = options.size;
        PIM_TRY(const auto parts, partsOf(value));
        for (const Part& part : parts) {
            PIM_TRY(const bool isSize, setSize(*rule.size, part));
            if (!isSize)
                return fail(ErrorCode::Usage, fmt::format("{}: a layer has v and ct", part.key),
                            "--lut-layer");
        }
    }
    options.rules.push_back(std::move(rule));
    return {};
}

} // namespace pim::lut
