// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Arrays of NumPy: files of one array each, as data sets for trying networks out come. [NumPy format specification,
/// numpy.lib.format, versions 1.0 to 3.0]
#include "core/graph/semantics/values.h"

#include <filesystem>

namespace pim {

/// Numbers and truth values, brought to C order and little-endian. ErrorCode::Io: it cannot be opened; InvalidFile: it is no such
/// file, is cut off or holds more than its header says; Unsupported: elements that are no numbers.
Result<Value> readNpy(const std::filesystem::path& path);
/// The same from bytes. \param name what errors call them.
Result<Value> parseNpy(std::span<const std::byte> bytes, const std::string& name);

/// Name, without ".npy", of the file of a tensor: all but letters, digits, '.', '-' and '_' become '_', a '.' in front too; cut off
/// after 150 bytes. Different tensors may get the same.
std::string npyName(std::string_view tensor);

/// Version 1.0 of the format. Errors: Io; Unsupported for elements that are no numbers.
Result<void> writeNpy(const std::filesystem::path& path, const Value& array);

/// Samples [first, first + count) of an array whose first dimension counts them, as float32, divided by \p divisor.
/// ErrorCode::Usage where there are not as many.
Result<Value> realSamples(const Value& array, std::int64_t first, std::int64_t count, float divisor = 1);

} // namespace pim
