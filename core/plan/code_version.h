// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which code this is. Other code may find other drafts and times, so what is kept for later says which code
/// found it.
#include <string_view>

namespace pim {

/// SHA-256 over the sources of core and backends, the compiler and the kind of build, taken when they were
/// compiled (resources/cmake/code_version.cmake).
std::string_view codeVersion();

} // namespace pim
