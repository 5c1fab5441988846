// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes a model file again with metadata of ours at its nodes, which viewers such as Netron show beside them. Flow: model file +
/// what is known of its nodes -> [writeWithMetadata] -> model file.
#include "core/base/task.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace pim {

/// Keys and values. No key stands twice in one list: ONNX forbids it.
using MetadataEntries = std::vector<std::pair<std::string, std::string>>;

struct ModelMetadata {
    std::int64_t fileBytes = 0; ///< Of the file that it is about; 0: whatever it has.
    std::string prefix;         ///< Of all keys; what the file has under it already is replaced.
    MetadataEntries model;      ///< ModelProto::metadata_props
    /// NodeProto::metadata_props by position in graph.node (NodeRef::index). Nodes behind the last, and those of subgraphs and
    /// functions, get none.
    std::vector<MetadataEntries> nodes;
};

/// Copies \p model to \p output with \p metadata; every other byte, weights and fields that we do not know included, stays as it
/// is, and so do the places of external data. Memory: what is added. \p output may be \p model itself.
/// Errors: Io, InvalidFile (damaged, or not of the size that is expected), Cancelled.
Result<void> writeWithMetadata(const std::filesystem::path& model, const ModelMetadata& metadata,
                               const std::filesystem::path& output, const TaskContext& task = {});

} // namespace pim
