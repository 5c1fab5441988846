// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The bundled sample projects: one folder a sample under projects/, each with a sample.json and its model.
#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pim {

/// What sample.json says.
struct Sample {
    std::string id; ///< Name of the folder.
    std::string title;
    std::string summary; ///< What there is to see; one or two sentences.
    std::filesystem::path model;
    std::string target;
    std::map<std::string, std::int64_t> bindings;
    bool isMain = false; ///< The one the first start opens.
};

/// All samples, the main one first, then by id. A folder that cannot be read is listed in \p problems.
std::vector<Sample> bundledSamples(Diagnostics* problems = nullptr);

/// Reads one folder. Errors: Io, InvalidFile with the key that is wrong.
Result<Sample> readSample(const std::filesystem::path& folder);

/// By id. Error::NotFound lists the ids there are.
Result<Sample> findSample(const std::string& id);

/// A model as named on a command line.
struct ModelArgument {
    std::filesystem::path path;
    std::string target; ///< Of the sample; empty for a plain file.
    std::map<std::string, std::int64_t> bindings;
};
/// A path, `sample:resnet50`, or the name of a sample where no file has that name.
Result<ModelArgument> findModel(const std::string& text);

} // namespace pim
