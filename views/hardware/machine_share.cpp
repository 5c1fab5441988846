// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/machine_share.h"

#include <algorithm>

namespace pim::views {

std::shared_ptr<const Plan> shareOf(const std::shared_ptr<const Plan>& plan, DeviceId machine) {
    if (!plan || machine.onHost() || machine.index() >= plan->devices.size())
        return plan;
    auto share = std::make_shared<Plan>(*plan);
    share->target = plan->devices[machine.index()].target;
    share->devices.clear();
    share->parts.clear();
    share->transfers.clear();
    if (const auto part = std::ranges::find(plan->parts, machine, &PlanPart::device);
        part != plan->parts.end()) {
        share->coreBytes = part->plan->coreBytes;
        share->computeType = part->plan->computeType;
    }
    for (OpPlan& op : share->ops) {
        const bool isHere = op.placement == machine;
        op.placement = isHere ? DeviceId::first() : DeviceId::host();
        if (isHere)
            continue;
        op.space = nullptr;
        op.draft.reset();
        op.pimCost.reset();
    }
    return share;
}

} // namespace pim::views
