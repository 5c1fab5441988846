// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/predictor_set.h"

#include <algorithm>

namespace pim {
namespace {

constexpr char kBetweenVersions = '+';

} // namespace

PredictorSet::PredictorSet(Members members) : m_members(std::move(members)) {
    for (const auto& member : m_members)
        m_version +=
            (m_version.empty() ? "" : std::string(1, kBetweenVersions)) + std::string(member->version());
}

const DraftPredictor& PredictorSet::of(const Target& target) const {
    const auto at = std::ranges::find_if(
        m_members, [&](const auto& member) { return member->model().targetHash == target.hash; });
    return at == m_members.end() ? static_cast<const DraftPredictor&>(*this) : **at;
}

bool PredictorSet::knows(const Kernel& kernel, const Target& target) const {
    const DraftPredictor& one = of(target);
    return &one != this && one.knows(kernel, target);
}

void PredictorSet::predict(const TilingSpace& space, const Target& target,
                           const std::vector<Residency>& residency, const DraftSpans& drafts,
                           std::span<double> ns) const {
    const DraftPredictor& one = of(target);
    if (&one != this)
        return one.predict(space, target, residency, drafts, ns);
    for (std::size_t i = 0; i < ns.size(); ++i)
        ns[i] = drafts.prices[i].totalNs();
}

std::shared_ptr<const DraftPredictor> predictorOf(PredictorSet::Members members) {
    const auto version = [](const auto& member) { return member->version(); };
    std::ranges::sort(members, {}, version);
    const auto repeated = std::ranges::unique(members, {}, version);
    members.erase(repeated.begin(), repeated.end());
    if (members.empty())
        return nullptr;
    if (members.size() == 1)
        return members.front();
    return std::make_shared<const PredictorSet>(std::move(members));
}

PredictorSet::Members membersOf(const std::shared_ptr<const DraftPredictor>& predictor) {
    if (const auto set = std::dynamic_pointer_cast<const PredictorSet>(predictor))
        return set->members();
    if (auto one = std::dynamic_pointer_cast<const LearnedPredictor>(predictor))
        return {std::move(one)};
    return {};
}

std::shared_ptr<const LearnedPredictor> learnedBy(const std::shared_ptr<const DraftPredictor>& predictor,
                                                  const Target& target) {
    for (const auto& member : membersOf(predictor))
        if (member->model().targetHash == target.hash)
            return member;
    return nullptr;
}

std::vector<std::string_view> predictorVersions(std::string_view version) {
    std::vector<std::string_view> all;
    while (!version.empty()) {
        const std::size_t end = version.find(kBetweenVersions);
        all.push_back(version.substr(0, end));
        version.remove_prefix(end == version.npos ? version.size() : end + 1);
    }
    return all;
}

} // namespace pim
