// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A HostProgram as C in the vendor's calls. Its command line names the files, inputs first; left out, an array "a" is in "a.bin".
/// Calls: SDK 2023.2, as PrIM 9a1498f uses them. Free of warnings under -Wall -Wextra.
#include "backends/upmem/host_program.h"

namespace pim::upmem {

/// Errors: as checkHostProgram().
Result<std::string> hostCode(const HostProgram& program, const TaskletCode& code,
                             std::span<const std::int64_t> sizes, int tasklets);

/// "a.bin"
std::string hostFileName(const std::string& array);

} // namespace pim::upmem
