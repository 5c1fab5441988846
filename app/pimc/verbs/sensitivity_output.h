// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What decides who is first, as text and as JSON.
#include "core/compile/sensitivity.h"

namespace pim::cli {

std::string sensitivityText(const Sensitivity& found);
std::string sensitivityJson(const Sensitivity& found);

} // namespace pim::cli
