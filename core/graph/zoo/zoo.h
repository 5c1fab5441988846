// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The model zoo: writes ONNX files of the networks the papers of the field measure, node for node as
/// exporters write them (layer normalisation, GELU and attention in their elementary ops), with seeded
/// weights or with none. Flow: name + options -> [ONNX file] -> import.h.
#include "core/base/task.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// What the zoo can write.
struct ZooModel {
    std::string name;            ///< "gpt3-13b-decode"
    std::string summary;         ///< One sentence.
    std::int64_t parameters = 0; ///< Trainable ones, as published; the file holds this number within 1 %.
    std::string source;          ///< Where the shapes and \ref parameters come from.
    std::vector<std::string> symbols; ///< Dimensions left open: "batch", "past", "seq".
};

/// Everything there is, by family.
const std::vector<ZooModel>& zooModels();

struct ZooOptions {
    bool weights = true; ///< False: the graph is complete, its weights point to a file that is not there.
    std::optional<std::int64_t> batch; ///< Fixed extent; unset: the dimension stays open.
    std::optional<std::int64_t> past;  ///< Tokens in the key/value caches of a decode step.
    std::optional<std::int64_t> seq;   ///< Tokens of a prefill or an encoder.
    std::uint64_t seed = 1;            ///< Same name, options and seed: same bytes.
    /// More weights go to a file of their own; protobuf ends at 2 GiB.
    std::int64_t inlineLimitBytes = 1'500'000'000;
};

/// What was written.
struct ZooFile {
    std::string model; ///< ZooModel::name; differs from the name asked for if that was short.
    std::vector<std::filesystem::path> files; ///< The .onnx file, then the external data if there is any.
    std::int64_t parameters = 0;
    std::int64_t weightBytes = 0; ///< All initializers, present or not.
    std::int64_t nodes = 0;
};

/// Finds by name; "gpt3-13b" is short for "gpt3-13b-decode". Error::NotFound lists the names there are.
Result<const ZooModel*> findZooModel(std::string_view name);

/// Writes \p file; weights above the limit go to `FILE.data` beside it. Weights are streamed, never held in
/// memory. On an error or cancel nothing is left behind. Errors: NotFound, Usage (an option the model does
/// not have), Io, Cancelled.
Result<ZooFile> writeZooModel(std::string_view name, const std::filesystem::path& file,
                              const ZooOptions& options = {}, const TaskContext& task = {});

} // namespace pim
