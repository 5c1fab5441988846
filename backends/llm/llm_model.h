// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Shapes of decoder-only language models, as far as the time of a token depends on them.
/// Figures: resources/llm/models.json.
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// What lies between the attention of a layer and the next: two products with ReLU or GELU between, or the
/// gated form with three (LLaMA).
enum class LlmFeedForward : std::uint8_t { Relu, Gelu, Gated };

struct LlmModel {
    std::string name;                 ///< "GPT3-13B"
    std::vector<std::string> aliases; ///< Names others use for it.
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t heads = 0;
    double feedForwardScale = 4; ///< Width of the feed-forward over hidden; 8/3 for LLaMA.
    LlmFeedForward feedForward = LlmFeedForward::Gelu;
    std::string source;

    std::int64_t headSize() const { return hidden / heads; }
    /// Matrices of all layers; no embedding.
    double weights() const;
};

/// Error with the path of what is wrong in the file.
Result<std::vector<LlmModel>> readLlmModels(const std::filesystem::path& file);
/// The shipped ones.
Result<std::vector<LlmModel>> llmModels();
/// By name or alias, case ignored; NotFound lists the names there are.
Result<LlmModel> llmModelNamed(std::string_view name);

} // namespace pim
