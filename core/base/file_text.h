// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Whole files as text. All that is read this way is small, so what is not says so: a folder that came from somewhere may have a
/// pipe in the place of a file, which nobody will ever write to, or a link to a device that never ends.
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace pim {

/// Bytes. No description, list of decisions or plan of ours comes near it.
inline constexpr std::int64_t kLargestText = std::int64_t{256} << 20;

/// Contents of a regular file. Error::Io with the reason of the system if there is none or it cannot be read, if it is
/// a folder, pipe or device, or if it has more than \p most bytes. \p hint: what a person may do about either.
Result<std::string> fileText(const std::filesystem::path& file, std::string hint = {},
                             std::int64_t most = kLargestText);

/// The same for a name on a command line: "-" is standard input, and a pipe (`<(…)` of a shell) is read to its end. Who waits for it
/// can stop.
Result<std::string> inputText(const std::string& name, const TaskContext& task = {});

} // namespace pim
