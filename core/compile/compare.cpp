// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/compare.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {

std::optional<double> FactDelta::relative() const {
    return a && b && *a != 0 ? std::optional(delta() / *a) : std::nullopt;
}

std::vector<FactDelta> factDeltas(const Facts& a, const Facts& b) {
    std::vector<FactDelta> deltas;
    const auto value = [](const Facts& facts, const std::string& key) {
        const auto at = facts.find(key);
        return at == facts.end() ? std::nullopt : std::optional(at->second);
    };
    for (const FactInfo& info : factInfos()) {
        FactDelta delta{&info, value(a, info.key), value(b, info.key)};
        if (delta.a || delta.b)
            deltas.push_back(delta);
    }
    return deltas;
}

std::vector<std::string> draftDifferences(const TilingSpace& a, const Target& targetA, const TilingSpace& b,
                                          const Target& targetB) {
    std::vector<std::string> differences;
    const TilingResources &ra = a.resources(), &rb = b.resources();
    if (targetA.id != targetB.id)
        differences.push_back(fmt::format("A is for the target {}, B for {}", targetA.id, targetB.id));
    else if (targetA.hash != targetB.hash)
        differences.push_back(fmt::format("the target {} was changed between A and B", targetA.id));
    if (ra.groups != rb.groups || ra.coresPerGroup != rb.coresPerGroup)
        differences.push_back(fmt::format("A lies on {} groups of {} cores, B on {} groups of {} cores",
                                          ra.groups, ra.coresPerGroup, rb.groups, rb.coresPerGroup));
    if (a.kernel().text() != b.kernel().text()) {
        const auto extents = [](const Kernel& kernel) {
            std::string text = kernel.name;
            for (const Loop& loop : kernel.loops)
                text += fmt::format(" {}={}", loop.name, loop.extent);
            return text;
        };
        const std::string textA = extents(a.kernel()), textB = extents(b.kernel());
        differences.push_back(textA != textB ? fmt::format("A cuts {}, B cuts {}", textA, textB)
                                             : "A and B compute something different over the same loops");
    }
    return differences;
}

std::optional<PredictionError> predictionError(std::span<const PredictedSimulated> pairs) {
    std::vector<double> errors;
    for (const PredictedSimulated& pair : pairs)
        if (pair.predictedNs > 0)
            errors.push_back(pair.error());
    if (errors.empty())
        return std::nullopt;
    const auto smaller = [](double x, double y) { return std::abs(x) < std::abs(y); };
    std::sort(errors.begin(), errors.end(), smaller);
    const std::size_t middle = errors.size() / 2;
    const double upper = std::abs(errors[middle]);
    const double lower = errors.size() % 2 == 0 ? std::abs(errors[middle - 1]) : upper;
    return PredictionError{errors.size(), (lower + upper) / 2, errors.back()};
}

std::vector<PredictedSimulated> simulatedPairs(const Simulation& simulation) {
    std::vector<PredictedSimulated> pairs;
    for (const SimulatedOp& op : simulation.ops)
        if (op.origin == Origin::Simulated)
            pairs.push_back({op.predicted.totalNs(), op.cost.totalNs()});
    if (simulation.ops.empty())
        for (const SimulatedPhase& phase : simulation.phases)
            pairs.push_back({phase.predictedNs, phase.simulatedNs});
    return pairs;
}

std::string errorText(const PredictionError& error, std::string_view what) {
    return fmt::format("median {}, worst {}{} over {} simulated {}", percentText(error.median),
                       error.worst < 0 ? "−" : "+", percentText(std::abs(error.worst)),
                       exactText(static_cast<std::int64_t>(error.count)), what);
}

std::optional<Shortfall> shortfall(const TilingSpace& space, const Draft& draft, PruneRule rule) {
    const TilingResources& resources = space.resources();
    if (rule == PruneRule::Capacity)
        return Shortfall{bytesText(static_cast<double>(space.summarize(draft).bytesPerCore)) + " per core",
                         bytesText(static_cast<double>(resources.coreBytes)) + " per core"};
    if (rule == PruneRule::SimdMultiple && space.simdSet() >= 0)
        return Shortfall{
            fmt::format("a multiple of {} elements per core, or steps that fewer cores cannot do with",
                        resources.simdLanes),
            fmt::format("{} elements per core", space.tileLength(draft, space.simdSet()))};
    return std::nullopt;
}

} // namespace pim
