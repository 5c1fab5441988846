// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// How ops fill the memory of a PIM core. Flow: what a draft takes of a core (Backend) -> [CoreFill] ->
/// placement, legality of decisions, capacity bars. The fullest core counts, because commands address all
/// cores alike (memory_layout.h). Bytes, in whole rows.
#include "core/plan/plan.h"

#include <set>
#include <tuple>

namespace pim {

/// Adds up what ops on PIM need of a core at once.
class CoreFill {
public:
    /// Ops that agree in kernel, draft and the tensors they keep, keep them in one place.
    /// \param resident the tensors it keeps. \param kept, passing as in OpPlan.
    void add(const TilingSpace& space, const std::string& draft, std::vector<TensorId> resident,
             std::int64_t kept, std::int64_t passing);
    void add(const OpPlan& op); ///< With the draft it has.

    std::int64_t kept() const { return m_kept; }
    std::int64_t passing() const { return m_passing; } ///< Of the op that needs most while it runs.
    std::int64_t bytes() const { return m_kept + m_passing; }

private:
    std::set<std::tuple<const TilingSpace*, std::string, std::vector<TensorId>>> m_seen;
    std::int64_t m_kept = 0, m_passing = 0;
};

/// Of all ops that \p plan has on PIM.
CoreFill coreFill(const Plan& plan);

/// "the ops you placed on PIM need 40.00 MiB of a core, which has 32.00 MiB": why a placement is refused.
std::string overfullText(std::int64_t needed, std::int64_t capacity);
inline constexpr const char* kOverfullHint = "place fewer ops on PIM, or stream some of their weights";

} // namespace pim
