// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/plan.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pim {

std::string_view name(Origin origin) { return origin == Origin::Simulated ? "simulated" : "predicted"; }

std::map<std::string, double> partsNs(const CostSplit& cost) {
    std::map<std::string, double> parts{{"total_ns", cost.totalNs()}};
    for (const CostPartInfo& part : kCostSplitParts)
        parts[std::string(part.key) + "_ns"] = cost.*part.ns;
    return parts;
}

std::string_view name(Residency residency) {
    switch (residency) {
    case Residency::Resident: return "resident";
    case Residency::Streamed: return "streamed";
    case Residency::Produced: return "produced";
    }
    return "streamed";
}

std::string_view name(Placement placement) { return placement == Placement::Pim ? "pim" : "host"; }

CostSplit& CostSplit::operator+=(const CostSplit& other) {
    for (const CostPartInfo& part : kCostSplitParts)
        this->*part.ns += other.*part.ns;
    return *this;
}

std::string explainDifference(const CostSplit& a, const CostSplit& b) {
    struct Part {
        std::string_view name;
        double deltaNs;
    };
    std::array<Part, kCostSplitParts.size()> parts;
    std::transform(kCostSplitParts.begin(), kCostSplitParts.end(), parts.begin(),
                   [&](const CostPartInfo& part) { return Part{part.label, b.*part.ns - a.*part.ns}; });
    const double from = a.totalNs(), to = b.totalNs();
    if (from == to && std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.deltaNs == 0; }))
        return "the same time in every part";
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& x, const Part& y) { return std::abs(x.deltaNs) > std::abs(y.deltaNs); });
    std::string text = from == to ? fmt::format("the same total of {}", timeText(from))
                       : to < from ? fmt::format("{} faster ({} instead of {})", to > 0 ? ratioText(from / to) : "all of it",
                                                 timeText(to), timeText(from))
                                   : fmt::format("{} slower ({} instead of {})", from > 0 ? ratioText(to / from) : "much",
                                                 timeText(to), timeText(from));
    std::string_view separator = ": ";
    for (const Part& part : parts) {
        if (part.deltaNs == 0)
            continue;
        text += fmt::format("{}{} {} {}", separator, part.name, part.deltaNs < 0 ? "saves" : "costs",
                            timeText(std::abs(part.deltaNs)) + (part.deltaNs < 0 ? "" : " more"));
        separator = ", ";
    }
    return text;
}

} // namespace pim
