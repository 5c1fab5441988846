// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a person wrote down about ops and stretches of time, as a section of the report.
#include "core/plan/document.h"
#include "core/project/project.h"

#include <functional>

namespace pim::report {

/// No blocks without notes. \p linkOf: link to an op, empty where there is none.
Section notesSection(const std::vector<Note>& notes,
                     const std::function<std::string(const std::string& op)>& linkOf);

} // namespace pim::report
