// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/backend.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {

std::string optionsJson(const CompileOptions& options) {
    // No "threads": the result does not depend on them.
    nlohmann::json json{{"compute_type", name(options.computeType)},
                              {"conv_as_gemm", options.convAsGemm},
                              {"overlap_host_transfer", options.overlapHostTransfer},
                              {"group_commands", options.groupCommands},
                              {"seed", options.seed},
                              {"tiling",
                               {{"rule1", options.tiling.rule1},
                                {"rule2", options.tiling.rule2},
                                {"rule3", options.tiling.rule3},
                                {"both_strategies", options.tiling.bothStrategies},
                                {"every_allocation", options.tiling.everyAllocation},
                                {"max_kept", options.tiling.maxKept}}}};
    if (options.tiling.walkLimit != TilingOptions{}.walkLimit)
        json["tiling"]["walk_limit"] = options.tiling.walkLimit;
    return json.dump();
}

void BackendList::add(std::unique_ptr<Backend> backend) { m_backends.push_back(std::move(backend)); }

Result<const Backend*> BackendList::find(std::string_view id) const {
    const auto at = std::find_if(m_backends.begin(), m_backends.end(), [id](const auto& b) { return b->id() == id; });
    if (at != m_backends.end())
        return at->get();
    std::string known;
    for (const auto& backend : m_backends)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", backend->id());
    return fail(ErrorCode::NotFound, fmt::format("there is no backend \"{}\"; there are: {}", id, known));
}

} // namespace pim
