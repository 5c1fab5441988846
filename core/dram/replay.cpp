// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/replay.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

// visited ticks between looks at the stop button: about a millisecond
constexpr std::int64_t kPollEvery = 1 << 14;

// In the order of the enumerators.
constexpr std::array<std::string_view, 3> kSchedulers{"FRFCFS", "FRFCFSRowHit", "FCFS"};
constexpr std::array<std::string_view, 3> kRefreshes{"off", "ab", "pb"};
constexpr std::array<std::string_view, 3> kPagePolicies{"open", "closed", "timeout"};

template <class Kind, std::size_t N>
Result<Kind> named(const char* what, const std::array<std::string_view, N>& names, std::string_view wanted) {
    const auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
        return fail(ErrorCode::Usage, fmt::format("unknown {} \"{}\"", what, wanted), {},
                    fmt::format("there are {}", fmt::join(names, ", ")));
    return static_cast<Kind>(found - names.begin());
}

} // namespace

Result<DramStatistics> replayDram(const DramDevice& device, const DramControllerConfig& config,
                                  IDramSource& source, DramInjection injection, const TaskContext& task,
                                  IDramObserver* observer) {
    PIM_TRY(DramController controller, DramController::create(device, config, observer));
    std::array<DramRequest, 1024> batch;
    std::size_t at = 0, count = 0;
    bool ended = false;
    const auto waiting = [&]() -> Result<bool> {
        if (at == count && !ended) {
            PIM_TRY(count, source.read(batch));
            at = 0;
            ended = count == 0;
        }
        return at < count;
    };
    for (std::int64_t visited = 0;; ++visited) {
        if (visited % kPollEvery == 0) {
            if (task.cancelled())
                return TaskContext::cancelledError("replay");
            task.report("replay", controller.statistics().requests);
        }
        PIM_TRY(bool more, waiting());
        bool offered = false;
        while (more && controller.accepts(batch[at])) {
            controller.offer(batch[at++]);
            offered = true;
            PIM_TRY(more, waiting());
            if (injection == DramInjection::OneATick)
                break;
        }
        const DramTick end = controller.statistics().drained;
        if (!more && controller.idle() && controller.now() >= end)
            break;
        DramTick next = controller.now() + 1;
        if (!offered) {
            next = controller.wake();
            if (!more && controller.idle())
                next = std::min(next, end);
        }
        if (next == kDramNever)
            return fail(ErrorCode::Internal, "requests wait for something that does not come", device.name);
        controller.advance(next);
    }
    return controller.statistics();
}

std::string_view dramSchedulerName(DramScheduler scheduler) {
    return kSchedulers[std::size_t(scheduler)];
}

std::string_view dramPagePolicyName(DramPagePolicy policy) {
    return kPagePolicies[std::size_t(policy)];
}

Result<DramScheduler> dramSchedulerNamed(std::string_view schedulerName) {
    return named<DramScheduler>("scheduler", kSchedulers, schedulerName);
}

Result<DramPagePolicy> dramPagePolicyNamed(std::string_view policyName) {
    return named<DramPagePolicy>("page policy", kPagePolicies, policyName);
}

Result<DramRefresh> dramRefreshNamed(std::string_view refreshName) {
    return named<DramRefresh>("refresh", kRefreshes, refreshName);
}

Result<DramControllerConfig> dramControllerNamed(std::string_view controllerName) {
    DramControllerConfig config;
    if (controllerName == "ramulator-2.1")
        return config;
    if (controllerName == "strict") {
        config.name = "strict";
        config.scheduler = DramScheduler::FrFcfsRowHit;
        config.pagePolicy = DramPagePolicy::Timeout;
        config.wholeAccesses = true;
        return config;
    }
    return fail(ErrorCode::Usage, fmt::format("unknown controller \"{}\"", controllerName), {},
                "plain memories have ramulator-2.1 and strict");
}

} // namespace pim
