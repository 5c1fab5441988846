// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/facts.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

std::vector<FactInfo> makeInfos() {
    std::vector<FactInfo> infos{{"total_ns", "total", "all parts of the time", FactUnit::Time, ""}};
    for (const CostPartInfo& part : kCostSplitParts)
        infos.push_back({fmt::format("{}_ns", part.key), std::string(part.label), std::string(part.meaning),
                         FactUnit::Time, std::string(part.key)});
    infos.push_back({"rearrangement_ns", "rearrangement in and out",
                     "input and output rearrangement together", FactUnit::Time, ""});
    for (const CostPartInfo& part : kCostSplitParts)
        infos.push_back({fmt::format("{}_share", part.key), fmt::format("share of {}", part.label),
                         fmt::format("{} over the total", part.label), FactUnit::Share, ""});
    infos.push_back({"rearrangement_share", "share of rearrangement",
                     "input and output rearrangement over the total", FactUnit::Share, ""});
    const std::initializer_list<FactInfo> shape{
        {"input_bytes", "bytes to the groups",
         "distinct bytes of streamed inputs that a group needs, summed over the groups with work",
         FactUnit::Bytes, "input"},
        {"input_copies", "groups that get the same input",
         "groups that hold the same tiles of a streamed input: its bytes cross as many buses",
         FactUnit::Count, "input"},
        {"input_run_bytes", "contiguous run of an input",
         "shortest of the longest runs of streamed tiles that are contiguous in memory", FactUnit::Bytes,
         "input"},
        {"cores_used", "cores with work", "cores of all groups that compute something", FactUnit::Count,
         "compute"},
        {"cores_total", "cores of the machine", "over all groups", FactUnit::Count, ""},
        {"core_use_share", "use of the cores",
         "all iterations over what all cores of the machine could do in the time of the busiest one",
         FactUnit::Share, ""},
        {"groups_used", "groups with work", "groups that compute something", FactUnit::Count, "mode_switch"},
        {"groups_total", "groups of the machine", "over all devices", FactUnit::Count, ""},
        {"iterations_per_core", "iterations of the busiest core",
         "loop iterations of the core with most work", FactUnit::Count, "compute"},
        {"padding_share", "waiting for the busiest core",
         "share of the time of working cores in which they have nothing to do because tiles are unequal",
         FactUnit::Share, "compute"},
        {"output_bytes", "bytes from the groups", "results that groups hand back, partial ones included",
         FactUnit::Bytes, "output"},
        {"partial_copies", "partial results of an element",
         "cores whose sums have to be added up to one result", FactUnit::Count, "output"},
        {"bytes_per_core", "memory of the fullest core", "tiles of all tensors in one core", FactUnit::Bytes,
         ""},
        {"core_bytes", "memory of a core", "what there is", FactUnit::Bytes, ""},
        {"memory_share", "use of the memory of a core", "tiles of the fullest core over what there is",
         FactUnit::Share, ""},
        {"commands", "commands", "issued on one channel, refresh included (simulated)", FactUnit::Count,
         "compute"},
        {"waited_ns", "no command went out", "time of a channel in which the controller waited (simulated)",
         FactUnit::Time, "compute"},
        {"refresh_ns", "refresh", "time of a channel spent for refresh (simulated)", FactUnit::Time,
         "compute"},
    };
    infos.insert(infos.end(), shape);
    return infos;
}

} // namespace

const std::vector<FactInfo>& factInfos() {
    static const std::vector<FactInfo> kInfos = makeInfos();
    return kInfos;
}

const FactInfo* findFact(std::string_view key) {
    const auto at = std::find_if(factInfos().begin(), factInfos().end(),
                                 [key](const FactInfo& info) { return info.key == key; });
    return at == factInfos().end() ? nullptr : &*at;
}

std::string factText(FactUnit unit, double value) {
    switch (unit) {
    case FactUnit::Time:
        return timeText(value);
    case FactUnit::Bytes:
        return bytesText(value);
    case FactUnit::Share:
        return percentText(value);
    case FactUnit::Count:
        break;
    }
    const bool whole = value == std::round(value) && std::abs(value) < 1e6;
    return whole ? exactText(static_cast<std::int64_t>(value)) : countText(value);
}

Facts costFacts(const CostSplit& cost) {
    Facts facts;
    for (const auto& [key, ns] : partsNs(cost))
        facts[key] = ns;
    const double total = cost.totalNs(), rearrangement = cost.inputNs + cost.outputNs;
    facts["rearrangement_ns"] = rearrangement;
    if (total <= 0)
        return facts;
    for (const CostPartInfo& part : kCostSplitParts)
        facts[fmt::format("{}_share", part.key)] = cost.*part.ns / total;
    facts["rearrangement_share"] = rearrangement / total;
    return facts;
}

Facts shapeFacts(const TilingSpace& space, const std::vector<TensorPlan>& tensors, const Draft& draft) {
    const DraftSummary summary = space.summarize(draft);
    const TilingResources& resources = space.resources();
    const Kernel& kernel = space.kernel();
    double inputBytes = 0, outputBytes = 0, inputRun = 0;
    std::int64_t inputCopies = 0, partial = 1;
    for (std::size_t t = 0; t < kernel.tensors.size(); ++t) {
        const TensorShare& share = summary.tensors[t];
        const double element = static_cast<double>(bytesOf(kernel.tensors[t].dtype));
        const double all = static_cast<double>(share.groupElements * summary.groupsUsed) * element;
        const TensorRole role = kernel.tensors[t].role;
        const bool inPlace = t < tensors.size() && tensors[t].residency == Residency::InPlace;
        const bool streamed =
            !inPlace && (t >= tensors.size() || tensors[t].residency != Residency::Resident);
        if (role != TensorRole::Output && streamed) {
            inputBytes += all;
            inputCopies = std::max(inputCopies, share.groupsPerCopy);
            const double run = static_cast<double>(share.contiguousElements) * element;
            inputRun = inputRun > 0 ? std::min(inputRun, run) : run;
        }
        if (role != TensorRole::Input && !inPlace) {
            outputBytes += all;
            partial = std::max(partial, share.partialCores * share.partialGroups);
        }
    }
    const double used = static_cast<double>(summary.groupsUsed * summary.coresUsed);
    const double total = static_cast<double>(resources.groups) * static_cast<double>(resources.coresPerGroup);
    const double busiest = static_cast<double>(summary.iterationsPerCore);
    const double iterations = static_cast<double>(kernel.iterations());
    Facts facts{{"input_bytes", inputBytes},
                {"output_bytes", outputBytes},
                {"partial_copies", static_cast<double>(partial)},
                {"cores_used", used},
                {"cores_total", total},
                {"groups_used", static_cast<double>(summary.groupsUsed)},
                {"groups_total", static_cast<double>(resources.groups)},
                {"iterations_per_core", busiest},
                {"bytes_per_core", static_cast<double>(summary.bytesPerCore)}};
    if (inputCopies > 0) {
        facts["input_copies"] = static_cast<double>(inputCopies);
        facts["input_run_bytes"] = inputRun;
    }
    if (busiest > 0) {
        facts["core_use_share"] = iterations / (busiest * total);
        facts["padding_share"] = std::max(0.0, 1 - iterations / (busiest * used));
    }
    if (resources.coreBytes > 0) {
        facts["core_bytes"] = static_cast<double>(resources.coreBytes);
        facts["memory_share"] =
            static_cast<double>(summary.bytesPerCore) / static_cast<double>(resources.coreBytes);
    }
    return facts;
}

Facts draftFacts(const TilingSpace& space, const std::vector<TensorPlan>& tensors, const Draft& draft,
                 const CostSplit& cost) {
    Facts facts = costFacts(cost);
    facts.merge(shapeFacts(space, tensors, draft));
    return facts;
}

} // namespace pim
