// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

constexpr std::int64_t kPollEvery =
    1 << 14; // visited ticks between looks at the stop button: about a millisecond

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

Result<DramScheduler> dramSchedulerNamed(std::string_view schedulerName) {
    if (schedulerName == "FRFCFS")
        return DramScheduler::FrFcfs;
    if (schedulerName == "FRFCFSRowHit")
        return DramScheduler::FrFcfsRowHit;
    if (schedulerName == "FCFS")
        return DramScheduler::Fcfs;
    return fail(ErrorCode::Usage, fmt::format("unknown scheduler \"{}\"", schedulerName), {},
                "schedulers are FRFCFS, FRFCFSRowHit, FCFS");
}

Result<DramRefresh> dramRefreshNamed(std::string_view refreshName) {
    if (refreshName == "off")
        return DramRefresh::Off;
    if (refreshName == "ab")
        return DramRefresh::AllBank;
    if (refreshName == "pb")
        return DramRefresh::PerBank;
    return fail(ErrorCode::Usage, fmt::format("unknown refresh \"{}\"", refreshName), {},
                "refresh is off, ab (all banks) or pb (per bank)");
}

Result<DramControllerConfig> dramControllerNamed(std::string_view controllerName) {
    if (controllerName == "ramulator-2.1")
        return DramControllerConfig{};
    return fail(ErrorCode::Usage, fmt::format("unknown controller \"{}\"", controllerName), {},
                "plain memories have ramulator-2.1");
}

} // namespace pim
