// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/explain.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

struct PartDelta {
    const CostPartInfo* part;
    double a, b;
    double delta() const { return b - a; }
};

/// Parts that differ, the largest difference first, ties in the order of the parts.
std::vector<PartDelta> changedParts(const CostSplit& a, const CostSplit& b) {
    std::vector<PartDelta> changed;
    for (const CostPartInfo& part : kCostSplitParts)
        if (a.*part.ns != b.*part.ns)
            changed.push_back({&part, a.*part.ns, b.*part.ns});
    std::stable_sort(changed.begin(), changed.end(), [](const PartDelta& x, const PartDelta& y) {
        return std::abs(x.delta()) > std::abs(y.delta());
    });
    return changed;
}

/// "1.80× slower"; how much where one of both takes no time at all.
std::string ratioWords(double from, double to) {
    if (to < from)
        return fmt::format("{} faster", to > 0 ? ratioText(from / to) : "all of it");
    return fmt::format("{} slower", from > 0 ? ratioText(to / from) : "much");
}

std::string capital(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// What the facts of a part say about its difference; empty if they say the same of both.
std::string causes(std::string_view part, const Facts& a, const Facts& b) {
    std::string text;
    for (const FactInfo& info : factInfos()) {
        if (info.part != part || info.key == fmt::format("{}_ns", part)) // the time itself is in the sentence
            continue;
        const auto atA = a.find(info.key), atB = b.find(info.key);
        if (atA == a.end() || atB == b.end())
            continue;
        const std::string wordsA = factText(info.unit, atA->second),
                          wordsB = factText(info.unit, atB->second);
        if (wordsA != wordsB)
            text +=
                fmt::format("{}{}: {} instead of {}", text.empty() ? "" : ", ", info.label, wordsB, wordsA);
    }
    return text;
}

} // namespace

std::string explainDifference(const CostSplit& a, const CostSplit& b) {
    const std::vector<PartDelta> changed = changedParts(a, b);
    const double from = a.totalNs(), to = b.totalNs();
    if (changed.empty())
        return "the same time in every part";
    std::string text =
        from == to ? fmt::format("the same total of {}", timeText(from))
                   : fmt::format("{} ({} instead of {})", ratioWords(from, to), timeText(to), timeText(from));
    std::string_view separator = ": ";
    for (const PartDelta& part : changed) {
        text += fmt::format("{}{} {} {}{}", separator, part.part->label, part.delta() < 0 ? "saves" : "costs",
                            timeText(std::abs(part.delta())), part.delta() < 0 ? "" : " more");
        separator = ", ";
    }
    return text;
}

std::string Explanation::text() const {
    std::string all = headline;
    for (const ExplainedPart& part : parts)
        all += "\n" + part.text;
    return all;
}

Explanation explainCosts(const CostSplit& a, const CostSplit& b, const Facts& factsA, const Facts& factsB,
                         std::string_view nameA, std::string_view nameB) {
    Explanation result;
    const std::vector<PartDelta> changed = changedParts(a, b);
    const double from = a.totalNs(), to = b.totalNs();
    if (changed.empty())
        result.headline =
            fmt::format("{} and {} take the same time in every part: {}.", nameA, nameB, timeText(from));
    else if (from == to)
        result.headline = fmt::format("{} and {} take the same total of {}, made of different parts.", nameA,
                                      nameB, timeText(from));
    else
        result.headline = fmt::format("{} is {} than {}: {} instead of {}.", nameB, ratioWords(from, to),
                                      nameA, timeText(to), timeText(from));
    double all = 0;
    for (const PartDelta& part : changed)
        all += std::abs(part.delta());
    for (const PartDelta& part : changed) {
        const bool saves = part.delta() < 0;
        std::string text = fmt::format(
            "{} {} {}{} ({} instead of {}), {} of what changes", capital(std::string(part.part->label)),
            saves ? "saves" : "costs", timeText(std::abs(part.delta())), saves ? "" : " more",
            timeText(part.b), timeText(part.a), percentText(std::abs(part.delta()) / all));
        if (const std::string why = causes(part.part->key, factsA, factsB); !why.empty())
            text += ". " + capital(why);
        result.parts.push_back({std::string(part.part->key), part.a, part.b, text + "."});
    }
    return result;
}

} // namespace pim
