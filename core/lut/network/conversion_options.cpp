// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/conversion_options.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
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

constexpr std::int64_t kLongest = 1024, kMostSteps = 1'000'000;

template <class Number>
bool setNumber(Number& to, std::string_view text, std::int64_t least, std::int64_t most) {
    const auto value = parseNumber<std::int64_t>(text);
    if (!value || *value < least || *value > most)
        return false;
    to = static_cast<Number>(*value);
    return true;
}

template <class Choice, std::size_t N>
bool setNamed(Choice& to, std::string_view text, const Choice (&choices)[N]) {
    const auto found = std::ranges::find_if(choices, [&](Choice choice) { return name(choice) == text; });
    if (found == std::end(choices))
        return false;
    to = *found;
    return true;
}

constexpr LutMethod kMethods[] = {LutMethod::KMeans, LutMethod::Refit, LutMethod::Elut};
constexpr LutLoss kLosses[] = {LutLoss::Outputs, LutLoss::OneSided, LutLoss::TwoSided};
constexpr TableScale kScales[] = {TableScale::Layer, TableScale::Column};

using Options = ConversionOptions;
using Entry = OptionEntry<Options>;

Entry lengthEntry() {
    return {{"v", "1..1024", "elements of a sub-vector"},
            [](const Options& o) { return std::to_string(o.size.length); },
            [](Options& o, std::string_view text) { return setNumber(o.size.length, text, 1, kLongest); }};
}
Entry centroidsEntry() {
    return {{"ct", "2..65536", "centroids of a codebook"},
            [](const Options& o) { return std::to_string(o.size.centroids); },
            [](Options& o, std::string_view text) {
                return setNumber(o.size.centroids, text, 2, kMostCentroids);
            }};
}
Entry methodEntry() {
    return {{"method", "kmeans|refit|elut",
             "k-means of the inputs; then tables fitted layer by layer; then all layers trained together"},
            [](const Options& o) { return std::string(name(o.method)); },
            [](Options& o, std::string_view text) { return setNamed(o.method, text, kMethods); }};
}
Entry widthEntry() {
    return {{"int8", "off|layer|column", "tables of 8 bits with one scale for the layer or for each column"},
            [](const Options& o) { return std::string(o.int8 ? name(*o.int8) : "off"); },
            [](Options& o, std::string_view text) {
                if (text == "off") {
                    o.int8.reset();
                    return true;
                }
                TableScale scale{};
                const bool known = setNamed(scale, text, kScales);
                if (known)
                    o.int8 = scale;
                return known;
            }};
}
Entry seedEntry() {
    return {{"seed", "0..9223372036854775807", "of the random numbers"},
            [](const Options& o) { return std::to_string(o.seed); },
            [](Options& o, std::string_view text) {
                return setNumber(o.seed, text, 0, std::numeric_limits<std::int64_t>::max());
            }};
}
Entry lossEntry() {
    return {{"loss", "outputs|one-sided|two-sided",
             "of elut: what is lowered beside the distance of the logits; outputs trains tables, the others "
             "weights, centroids and biases"},
            [](const Options& o) { return std::string(name(o.loss)); },
            [](Options& o, std::string_view text) { return setNamed(o.loss, text, kLosses); }};
}
Entry stepsEntry() {
    return {{"steps", "0..1000000", "of elut: steps of training"},
            [](const Options& o) { return std::to_string(o.steps); },
            [](Options& o, std::string_view text) { return setNumber(o.steps, text, 0, kMostSteps); }};
}
Entry batchEntry() {
    return {{"batch", "1..1000000", "of elut: samples of a step"},
            [](const Options& o) { return std::to_string(o.batch); },
            [](Options& o, std::string_view text) { return setNumber(o.batch, text, 1, kMostSteps); }};
}

Result<void> set(Options& options, const Part& part) {
    auto done = conversionTable().set(options, part.key, part.value);
    if (!done)
        done.error().where = "--lut";
    return done;
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

const TypedOptionTable<ConversionOptions>& conversionTable() {
    static const TypedOptionTable<ConversionOptions> table({lengthEntry(), centroidsEntry(), methodEntry(),
                                                            widthEntry(), seedEntry(), lossEntry(),
                                                            stepsEntry(), batchEntry()});
    return table;
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
            if (part.key != "v" && part.key != "ct")
                return fail(ErrorCode::Usage, fmt::format("{}: a layer has v and ct", part.key),
                            "--lut-layer");
            ConversionOptions own;
            own.size = *rule.size;
            PIM_CHECK(set(own, part));
            rule.size = own.size;
        }
    }
    options.rules.push_back(std::move(rule));
    return {};
}

} // namespace pim::lut
