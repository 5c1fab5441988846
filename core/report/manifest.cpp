// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/manifest.h"

#include "core/base/hash.h"
#include "core/base/json_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <vector>

namespace pim {
namespace {

using Json = nlohmann::json; // std::map inside: keys come out sorted
constexpr const char* kFormat = "pim-bundle";
constexpr int kDeepest = 32;

/// Names of ops and files come from outside and need not be UTF-8.
std::string manifestText(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

bool isSha256(const std::string& text) {
    return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

Manifest read(const Json& json) {
    Manifest manifest;
    for (const auto& [path, entry] : json.at("files").items()) {
        const Manifest::File file{wholeNumber<std::int64_t>(entry.at("bytes")),
                                  entry.at("sha256").get<std::string>()};
        if (file.bytes < 0 || !isSha256(file.sha256))
            throw std::invalid_argument(fmt::format("/files/{} has no proper size and SHA-256", path));
        manifest.files.emplace(path, file);
    }
    if (const auto parts = json.find("parts"); parts != json.end())
        for (const Json& part : *parts)
            manifest.parts.push_back(
                {part.at("folder").get<std::string>(), part.at("device").get<std::string>(),
                 part.at("name").get<std::string>(), part.at("target").get<std::string>(),
                 part.at("backend").get<std::string>()});
    const Json& from = json.at("provenance");
    manifest.toolVersion = from.at("tool_version").get<std::string>();
    manifest.backend = from.at("backend").get<std::string>();
    manifest.host = from.at("host").get<std::string>();
    manifest.optionsJson = from.at("options").dump();
    const Json& model = from.at("model");
    manifest.modelName = model.at("name").get<std::string>();
    manifest.modelFile = model.at("file").get<std::string>();
    manifest.modelHash = model.at("structure_sha256").get<std::string>();
    for (const auto& [symbol, binding] : model.at("bindings").items())
        manifest.bindings[symbol] = {wholeNumber<std::int64_t>(binding.at("value")),
                                     binding.at("assumed").get<bool>()};
    for (const Json& pass : model.at("passes_off"))
        manifest.disabledPasses.insert(pass.get<std::string>());
    if (const auto options = model.find("pass_options"); options != model.end())
        manifest.passOptions = options->get<decltype(manifest.passOptions)>();
    const Json& target = from.at("target");
    manifest.targetId = target.at("id").get<std::string>();
    manifest.targetHash = target.at("sha256").get<std::string>();
    return manifest;
}

} // namespace

std::string manifestText(const Manifest& manifest) {
    Json files = Json::object(), bindings = Json::object();
    for (const auto& [path, file] : manifest.files)
        files[path] = {{"bytes", file.bytes}, {"sha256", file.sha256}};
    for (const auto& [symbol, binding] : manifest.bindings)
        bindings[symbol] = {{"value", binding.value}, {"assumed", binding.assumed}};
    Json options = Json::parse(manifest.optionsJson, nullptr, false);
    Json json{
        {"format", kFormat},
        {"schema_version", manifest.schemaVersion},
        {"files", std::move(files)},
        {"provenance",
         {{"tool_version", manifest.toolVersion},
          {"backend", manifest.backend},
          {"host", manifest.host},
          {"model",
           {{"name", manifest.modelName},
            {"file", manifest.modelFile},
            {"structure_sha256", manifest.modelHash},
            {"bindings", std::move(bindings)},
            {"passes_off", manifest.disabledPasses}}},
          {"target", {{"id", manifest.targetId}, {"sha256", manifest.targetHash}}},
          {"options", options.is_discarded() ? Json::object() : std::move(options)}}},
    };
    for (const Manifest::Part& part : manifest.parts)
        json["parts"].push_back({{"folder", part.folder},
                                 {"device", part.device},
                                 {"name", part.name},
                                 {"target", part.targetId},
                                 {"backend", part.backend}});
    if (!manifest.passOptions.empty())
        json["provenance"]["model"]["pass_options"] = manifest.passOptions;
    return manifestText(json);
}

Result<Manifest> parseManifest(std::string_view text, std::string_view where) {
    const auto bad = [&](std::string message) {
        return fail(ErrorCode::InvalidFile, std::move(message), std::string(where), "write the bundle again");
    };
    if (jsonDepth(text, kDeepest) < 0)
        return bad(fmt::format("not a bundle manifest: nested deeper than {} levels", kDeepest));
    try {
        const Json json = Json::parse(text);
        if (!json.is_object() || json.value("format", "") != kFormat)
            return bad(fmt::format("not a bundle manifest: \"format\" is not \"{}\"", kFormat));
        const int version = wholeNumber<int>(json.at("schema_version"));
        if (version > Manifest::kSchemaVersion)
            return fail(ErrorCode::Unsupported,
                        fmt::format("the bundle has format {}, this program reads {}", version,
                                    Manifest::kSchemaVersion),
                        std::string(where), "update PIM Studio");
        if (version < 1)
            return bad(fmt::format("schema_version is {}, the first one was 1", version));
        Manifest manifest = read(json);
        manifest.schemaVersion = version;
        return manifest;
    } catch (const std::exception& error) {
        return bad(fmt::format("not a sound bundle manifest: {}", error.what()));
    }
}

Result<Manifest::File> describeFile(const std::filesystem::path& file) {
    // Small enough for the stack: a buffer of a megabyte is mapped and cleared anew for every file.
    constexpr std::size_t kAtOnce = 64 << 10;
    std::ifstream stream(file, std::ios::binary);
    std::array<char, kAtOnce> part;
    Manifest::File found;
    Sha256 sum;
    while (stream) {
        stream.read(part.data(), std::ssize(part));
        sum.add(std::string_view(part.data(), std::size_t(stream.gcount())));
        found.bytes += stream.gcount();
    }
    if (!stream.eof())
        return fail(ErrorCode::Io, "it cannot be read", file.string());
    found.sha256 = sum.hex();
    return found;
}

bool isSafeBundlePath(std::string_view path) {
    if (path.empty() || path.front() == '/' || path.size() > 1024 ||
        path.find_first_of(std::string_view("\\\0", 2)) != std::string_view::npos)
        return false;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (part.empty() || part == "." || part == "..")
            return false;
        begin = end + 1;
    }
    return path != Manifest::kFileName;
}

int jsonDepth(std::string_view text, int limit) {
    int depth = 0, deepest = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            deepest = std::max(deepest, ++depth);
            if (depth > limit)
                return -1;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return deepest;
}

} // namespace pim
