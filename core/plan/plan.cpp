// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

namespace pim {

std::string_view name(Origin origin) {
    return origin == Origin::Simulated ? "simulated" : "predicted";
}

std::map<std::string, double> partsNs(const CostSplit& cost) {
    std::map<std::string, double> parts{{"total_ns", cost.totalNs()}};
    for (const CostPartInfo& part : kCostSplitParts)
        parts[std::string(part.key) + "_ns"] = cost.*part.ns;
    return parts;
}

std::string_view name(Residency residency) {
    switch (residency) {
    case Residency::Resident:
        return "resident";
    case Residency::Streamed:
        return "streamed";
    case Residency::Produced:
        return "produced";
    case Residency::InPlace:
        return "in place";
    }
    return "streamed";
}

std::string deviceName(const Plan& plan, DeviceId device) {
    if (device.onHost())
        return "host";
    return device.index() < plan.devices.size() ? plan.devices[device.index()].name : "PIM";
}

const Target& targetOf(const Plan& plan, DeviceId device) {
    return device.index() < plan.devices.size() ? *plan.devices[device.index()].target : *plan.target;
}

std::string DraftCheck::text() const {
    if (simulated == 0)
        return {};
    std::string text = fmt::format("fastest of {} simulated", simulated);
    if (rank > 1)
        text += fmt::format(", ranked number {} before", rank);
    if (lossAtMost)
        text += fmt::format("; at most {} from the optimum", percentText(*lossAtMost));
    if (wasKnown)
        text += "; from the project's table";
    return text;
}

CostSplit& CostSplit::operator+=(const CostSplit& other) {
    for (const CostPartInfo& part : kCostSplitParts)
        this->*part.ns += other.*part.ns;
    return *this;
}

} // namespace pim
