// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Bytes of an .onnx file -> RawModel. Payloads of initializers are located and stepped over.
#include "core/base/task.h"
#include "core/graph/file/onnx_model.h"

#include <span>

namespace pim::file {

/// Errors: InvalidFile (what the file is instead of ONNX, or the byte where it is damaged), InvalidModel (an
/// initializer that contradicts itself), Cancelled.
Result<RawModel> readOnnx(std::span<const std::byte> bytes, const std::filesystem::path& path,
                          const TaskContext& task);

/// Elements of one TensorProto in little-endian order, from whichever field holds them (not external data).
/// \param message the TensorProto; \param type and \param count what its header says.
Result<std::vector<std::byte>> decodeTensor(std::span<const std::byte> message, DataType type,
                                            std::int64_t count, const std::string& where);

/// Do its elements, of 4 bits, lie two to a byte in a file?
bool isInPairs(DataType type);
/// From there to one a byte, as everything else here has them. \param pairs storedBytes() of them.
std::vector<std::byte> oneToAByte(std::span<const std::byte> pairs, DataType type, std::int64_t count);

} // namespace pim::file
