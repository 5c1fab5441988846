// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How many threads of the process work at once: one number for everything that is shared out. No result depends on it.
#include "core/base/result.h"

namespace pim {

constexpr int kMostJobs = 1024;

/// What setJobs() said, else the variable PIM_JOBS, else as many as there are cores that the process may use.
int jobs();
/// From now on, for work that begins. \param count 1 to kMostJobs; 0: as at the start.
void setJobs(int count);

/// A count as a person writes it. \param source where it stands: "--jobs". Errors: Usage, it is not from 1 to kMostJobs.
Result<int> readJobs(std::string_view text, const std::string& source);
/// Errors: Usage, PIM_JOBS is there and no such count; programs say so before they begin.
Result<void> checkJobsVariable();

} // namespace pim
