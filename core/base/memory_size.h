// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How much memory there is.

namespace pim {

/// Bytes of memory this process may have: what the machine has, or less where a limit is set.
double memoryBytes();

} // namespace pim
