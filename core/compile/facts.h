// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Named figures of one way to run an op: what tables compare, sentences mention and rules ask for.
/// Flow: CostSplit, Draft -> [Facts] -> compare.h, explain.h, advice.h.
#include "core/plan/plan.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace pim {

/// What a fact measures; decides how it is written for a person.
enum class FactUnit : std::uint8_t { Time, Bytes, Count, Share };

struct FactInfo {
    std::string key; ///< "cores_used": its name in rules and in JSON. Times end in "_ns", shares in "_share".
    std::string label;   ///< "cores with work"
    std::string meaning; ///< For a person who was not there.
    FactUnit unit = FactUnit::Count;
    std::string part; ///< Key of the part of a CostSplit that it says something about; empty: of none.
};

/// All facts there are, in the order in which they are shown.
const std::vector<FactInfo>& factInfos();
const FactInfo* findFact(std::string_view key); ///< Null if there is none of that name.

/// By key. A fact that is not known is not there.
using Facts = std::map<std::string, double, std::less<>>;

/// "3.20 µs", "64.00 KiB", "31.4 %"; whole counts below a million in full.
std::string factText(FactUnit unit, double value);

/// Times and shares of a cost.
Facts costFacts(const CostSplit& cost);
/// The same, and what the draft does with cores, memory and buses. \param tensors residency, one a kernel
/// tensor; empty: all inputs are streamed.
Facts draftFacts(const TilingSpace& space, const std::vector<TensorPlan>& tensors, const Draft& draft,
                 const CostSplit& cost);
/// Of the draft alone: known for one that was never priced, too.
Facts shapeFacts(const TilingSpace& space, const std::vector<TensorPlan>& tensors, const Draft& draft);

} // namespace pim
