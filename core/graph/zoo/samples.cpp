// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/samples.h"

#include "core/base/file_text.h"
#include "core/base/paths.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

constexpr const char* kDescription = "sample.json";

} // namespace

Result<Sample> readSample(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kDescription;
    PIM_TRY(const std::string text, fileText(file, "a sample is a folder with a sample.json in it"));
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        Sample sample;
        sample.id = std::filesystem::absolute(folder).lexically_normal().filename().string();
        if (sample.id.empty()) // the path ended in a slash
            sample.id =
                std::filesystem::absolute(folder).lexically_normal().parent_path().filename().string();
        sample.title = json.at("title").get<std::string>();
        sample.summary = json.at("summary").get<std::string>();
        sample.model = folder / json.at("model").get<std::string>();
        sample.target = json.at("target").get<std::string>();
        sample.bindings = json.value("bindings", sample.bindings);
        sample.isMain = json.value("main", false);
        return sample;
    } catch (const nlohmann::json::exception& e) {
        return fail(ErrorCode::InvalidFile, e.what(), file.string(),
                    "it needs the texts title, summary, model and target, and may have bindings and main");
    }
}

std::vector<Sample> bundledSamples(Diagnostics* problems) {
    std::vector<Sample> samples;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(samplesDir(), failure)) {
        if (!std::filesystem::exists(entry.path() / kDescription))
            continue;
        auto sample = readSample(entry.path());
        if (sample)
            samples.push_back(std::move(*sample));
        else if (problems)
            problems->push_back(
                {Severity::Warning, sample.error().where, sample.error().message, sample.error().hint});
    }
    std::sort(samples.begin(), samples.end(),
              [](const Sample& a, const Sample& b) { return a.isMain != b.isMain ? a.isMain : a.id < b.id; });
    return samples;
}

Result<Sample> findSample(const std::string& id) {
    std::string known;
    for (Sample& sample : bundledSamples()) {
        if (sample.id == id)
            return std::move(sample);
        known += (known.empty() ? "" : ", ") + sample.id;
    }
    return fail(ErrorCode::NotFound, "there is no such sample", id,
                known.empty() ? "the folder " + samplesDir().string() + " has none" : "there are: " + known);
}

Result<ModelArgument> findModel(const std::string& text) {
    constexpr std::string_view kPrefix = "sample:";
    const bool named = text.starts_with(kPrefix);
    if (!named && std::filesystem::is_regular_file(text))
        return ModelArgument{text, {}, {}};
    const bool folder = !named && std::filesystem::is_directory(text);
    auto sample = folder ? readSample(text) : findSample(named ? text.substr(kPrefix.size()) : text);
    if (sample)
        return ModelArgument{sample->model, sample->target, sample->bindings};
    if (named || folder)
        return tl::unexpected<Error>(sample.error());
    return fail(ErrorCode::NotFound, "there is no such file, and no sample of that name", text,
                sample.error().hint);
}

} // namespace pim
