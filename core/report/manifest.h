// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// manifest.json of a bundle: what it is, where it comes from, and the hash of every file. No times and no
/// paths of the machine it was written on, so that the same input gives the same bytes.
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace pim {

struct Manifest {
    static constexpr int kSchemaVersion = 1;
    static constexpr const char* kFileName = "manifest.json";

    struct File {
        std::int64_t bytes = 0;
        std::string sha256;
    };
    struct Binding {
        std::int64_t value = 1;
        bool assumed = true;
    };

    int schemaVersion = kSchemaVersion;
    std::map<std::string, File> files; ///< By path, "/" between folders; all but the manifest itself.
    std::string toolVersion, backend;
    std::string modelName, modelFile, modelHash;
    std::map<std::string, Binding> bindings;
    std::set<std::string> disabledPasses;
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>
        passOptions; ///< As GraphOptions has them.
    std::string targetId, targetHash, host;
    std::string optionsJson;
};

/// Canonical: sorted keys, two spaces, line feed at the end.
std::string manifestText(const Manifest& manifest);
/// Error::InvalidFile names the key that is wrong; Error::Unsupported for a newer schema. Safe on any input.
Result<Manifest> parseManifest(std::string_view text, std::string_view where);

/// Size and hash of a file, read a piece at a time. Error::Io.
Result<Manifest::File> describeFile(const std::filesystem::path& file);

/// Is \p path one a manifest may name: relative, inside the bundle, in the one spelling it has?
bool isSafeBundlePath(std::string_view path);

/// Deepest nesting of arrays and objects; -1 beyond \p limit. Asked before a parser that may recurse sees the
/// text.
int jsonDepth(std::string_view text, int limit);

} // namespace pim
