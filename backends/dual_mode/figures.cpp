// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/plan.h"

namespace pim {

std::vector<std::pair<std::string, double>> DualModePlan::figures() const {
    double switched = 0;
    for (const DualModePlacement& place : placement)
        switched += static_cast<double>(place.toMemory.size() + place.toCompute.size());
    std::vector<std::pair<std::string, double>> figures{
        {"segments", static_cast<double>(segmentation.segments.size())},
        {"memory_share", memoryShare()},
        {"switched_arrays", switched},
        {"cap", static_cast<double>(cap)},
        {"cycles", segmentation.cycles}};
    if (traffic)
        figures.insert(figures.end(),
                       {{"main_memory_bytes", traffic->main}, {"array_bytes", traffic->arrays}});
    return figures;
}

} // namespace pim
