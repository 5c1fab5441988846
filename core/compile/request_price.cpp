// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/request_price.h"

namespace pim {

double requestNs(const Plan& plan, const Simulation* simulation) {
    // A first sample is timed through the machine; what the host does of it comes on top, as it does in the total.
    if (const auto first = plan.firstSampleNs())
        return *first + plan.total.hostNs;
    return simulation ? simulation->totalNs : plan.total.totalNs();
}

Result<RequestPrice> requestPrice(const Backend& backend, const Plan& plan, bool simulates,
                                  const TaskContext& task) {
    std::shared_ptr<const Simulation> simulation;
    if (simulates) {
        auto found = backend.simulate(plan, task);
        if (!found && found.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(found.error());
        if (found)
            simulation = std::move(*found);
    }
    RequestPrice price;
    price.origin = simulation ? Origin::Simulated : plan.origin;
    price.ns = requestNs(plan, simulation.get());
    // With samples in flight the plan's own times come from the simulator.
    price.streamNs = simulation && !plan.firstSampleNs() ? simulation->totalNs : plan.total.totalNs();
    price.energy = energyOf(plan, simulation.get(), price.streamNs);
    return price;
}

} // namespace pim
