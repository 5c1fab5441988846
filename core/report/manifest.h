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
#include <vector>

namespace pim {

struct Manifest {
    static constexpr int kSchemaVersion = 2; ///< 2: knows several machines; what is for one is written as 1.
    static constexpr const char* kFileName = "manifest.json";

    struct File {
        std::int64_t bytes = 0;
        std::string sha256;
    };
    struct Binding {
        std::int64_t value = 1;
        bool assumed = true;
    };

    /// One part of a plan over several machines: a bundle of its own, for that machine alone, in a folder of this one.
    struct Part {
        std::string folder; ///< "parts/0"
        std::string device; ///< As in plan.json: "pim", "pim2".
        std::string name, targetId, backend;
    };

    int schemaVersion = 1;
    std::map<std::string, File> files; ///< By path, "/" between folders; all but the manifest itself.
    std::vector<Part> parts;           ///< In the order in which they run; empty: all is for one machine.
    std::string toolVersion, backend;
    std::string modelName, modelFile, modelHash;
    std::map<std::string, Binding> bindings;
    std::set<std::string> disabledPasses;
    std::map<std::string, std::map<std::string, std::string, std::less<>>, std::less<>>
        passOptions; ///< As GraphOptions has them.
    std::string targetId, targetHash,
        host; ///< With parts, \ref backend and these are those of the first machine.
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
