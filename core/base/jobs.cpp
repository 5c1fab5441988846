// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/jobs.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

namespace pim {
namespace {

constexpr char kJobsVariable[] = "PIM_JOBS";

/// 0: the variable does not say, or is empty.
Result<int> jobsOfTheVariable() {
    const char* const text =
        std::getenv(kJobsVariable); // NOLINT(concurrency-mt-unsafe): nothing here sets it
    if (!text || *text == '\0')
        return 0;
    return readJobs(text, kJobsVariable);
}

int jobsAtTheStart() {
    const Result<int> wanted = jobsOfTheVariable();
    return wanted && *wanted > 0
               ? *wanted
               : static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, unsigned(kMostJobs)));
}

std::atomic<int> chosenJobs{0};

} // namespace

int jobs() {
    static const int kAtTheStart = jobsAtTheStart();
    const int chosen = chosenJobs;
    return chosen > 0 ? chosen : kAtTheStart;
}

void setJobs(int count) {
    PIM_ASSERT(count >= 0 && count <= kMostJobs, "counts of threads are checked where they are read");
    chosenJobs = count;
}

Result<int> readJobs(std::string_view text, const std::string& source) {
    if (const auto count = parsePositive<int>(text, kMostJobs))
        return *count;
    return fail(ErrorCode::Usage,
                fmt::format("\"{}\" is not a number of threads from 1 to {}", text, kMostJobs), source,
                "leave it out for as many as the machine has cores");
}

Result<void> checkJobsVariable() {
    PIM_CHECK(jobsOfTheVariable());
    return {};
}

} // namespace pim
