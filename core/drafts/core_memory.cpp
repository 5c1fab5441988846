// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/core_memory.h"

#include "core/base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

void CoreFill::add(const TilingSpace& space, const std::string& draft, std::vector<TensorId> resident,
                   std::int64_t kept, std::int64_t passing) {
    m_passing = std::max(m_passing, passing);
    if (kept > 0 && m_seen.emplace(&space, draft, std::move(resident)).second)
        m_kept += kept;
}

void CoreFill::add(const OpPlan& op) {
    if (!op.space || !op.draft)
        return;
    std::vector<TensorId> resident;
    for (const TensorPlan& tensor : op.tensors)
        if (tensor.residency == Residency::Resident)
            resident.push_back(tensor.tensor);
    add(*op.space, op.space->draftText(*op.draft), std::move(resident), op.keptCoreBytes,
        op.passingCoreBytes);
}

CoreFill coreFill(const Plan& plan) {
    CoreFill fill;
    for (const OpPlan& op : plan.ops)
        if (!op.onHost())
            fill.add(op);
    return fill;
}

std::string overfullText(std::int64_t needed, std::int64_t capacity) {
    return fmt::format("the ops you placed on PIM need {} of a core, which has {}",
                       bytesText(static_cast<double>(needed)), bytesText(static_cast<double>(capacity)));
}

} // namespace pim
