// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/llm/llm_model.h"

#include "core/base/file_text.h"
#include "core/base/parse_number.h"

#include "core/base/paths.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace pim {
namespace {

using nlohmann::json;

constexpr std::int64_t kMostLayers = 100'000, kMostHidden = 10'000'000;

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return result;
}

/// A number, or "8/3": a quotient that no decimal writes exactly.
double ratio(const json& value) {
    if (value.is_number())
        return value.get<double>();
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos)
        return 0;
    const auto above = parsePositive<double>(std::string_view(text).substr(0, slash)),
               below = parsePositive<double>(std::string_view(text).substr(slash + 1));
    return above && below ? *above / *below : 0;
}

Result<LlmModel> modelOf(const json& entry, const std::string& where) {
    const auto wrong = [&](std::string_view key, std::string_view allowed) {
        return fail(ErrorCode::InvalidFile, fmt::format("\"{}\" has to be {}", key, allowed), where);
    };
    const auto whole = [&](const char* key) {
        const auto found = entry.find(key);
        return found != entry.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
    };
    const auto text = [&](const char* key) {
        const auto found = entry.find(key);
        return found != entry.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    LlmModel model;
    model.name = text("name");
    if (model.name.empty())
        return wrong("name", "a text");
    for (const json& alias : entry.value("aliases", json::array()))
        if (alias.is_string())
            model.aliases.push_back(alias.get<std::string>());
    model.layers = whole("layers");
    if (model.layers < 1 || model.layers > kMostLayers)
        return wrong("layers", fmt::format("a whole number from 1 to {}", kMostLayers));
    model.hidden = whole("hidden");
    if (model.hidden < 1 || model.hidden > kMostHidden)
        return wrong("hidden", fmt::format("a whole number from 1 to {}", kMostHidden));
    model.heads = whole("heads");
    if (model.heads < 1 || model.hidden % model.heads != 0)
        return wrong("heads", fmt::format("a divisor of hidden, {}", model.hidden));
    model.feedForwardScale = entry.contains("feedForwardScale") ? ratio(entry["feedForwardScale"]) : 0;
    if (!(model.feedForwardScale > 0 && model.feedForwardScale < 1000))
        return wrong("feedForwardScale", "a positive number or a quotient such as \"8/3\"");
    const std::string form = text("feedForward");
    if (form == "relu")
        model.feedForward = LlmFeedForward::Relu;
    else if (form == "gelu")
        model.feedForward = LlmFeedForward::Gelu;
    else if (form == "glu")
        model.feedForward = LlmFeedForward::Gated;
    else
        return wrong("feedForward", "relu, gelu or glu");
    model.source = text("source");
    return model;
}

} // namespace

double LlmModel::weights() const {
    const double products = feedForward == LlmFeedForward::Gated ? 3 : 2;
    return double(layers) * double(hidden) * double(hidden) * (4 + products * feedForwardScale);
}

Result<std::vector<LlmModel>> readLlmModels(const std::filesystem::path& file) {
    PIM_TRY(const std::string text, fileText(file));
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object() || !root.contains("models") || !root["models"].is_array())
        return fail(ErrorCode::InvalidFile, "is no list of models", file.string(),
                    R"(it has to be {"models": [{"name": ..., "layers": ...}]})");
    std::vector<LlmModel> models;
    for (std::size_t i = 0; i < root["models"].size(); ++i) {
        PIM_TRY(LlmModel model,
                modelOf(root["models"][i], fmt::format("{}: $.models[{}]", file.string(), i)));
        models.push_back(std::move(model));
    }
    return models;
}

Result<std::vector<LlmModel>> llmModels() {
    return readLlmModels(resourceDir() / "llm" / "models.json");
}

Result<LlmModel> llmModelNamed(std::string_view name) {
    PIM_TRY(const std::vector<LlmModel> models, llmModels());
    const std::string wanted = lower(name);
    std::vector<std::string> names;
    for (const LlmModel& model : models) {
        const auto same = [&](const std::string& other) { return lower(other) == wanted; };
        if (same(model.name) || std::any_of(model.aliases.begin(), model.aliases.end(), same))
            return model;
        names.push_back(model.name);
    }
    return fail(ErrorCode::NotFound, fmt::format("no language model is called {}", name), {},
                fmt::format("there are {}", fmt::join(names, ", ")));
}

} // namespace pim
