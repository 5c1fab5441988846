// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/sweep_list.h"

#include <nlohmann/json.hpp>

namespace pim {
namespace {

using ListDocument = nlohmann::ordered_json;

ListDocument searchDocument(const StoredSearch& search) {
    return {{"method", name(search.options.method)},
            {"evaluations", search.options.evaluations},
            {"seed", search.options.seed},
            {"objectives", search.objectives},
            {"finished", search.isFinished}};
}

} // namespace

std::string sweepsJson(std::span<const SweepInfo> sweeps) {
    ListDocument all = ListDocument::array();
    for (const SweepInfo& sweep : sweeps)
        all.push_back({{"sweep", sweep.id},
                       {"name", sweep.name},
                       {"started_utc", sweep.startedUtc},
                       {"model", sweep.modelName},
                       {"model_path", sweep.modelPath},
                       {"target", sweep.targetId},
                       {"over", sweepText(sweep.axes)},
                       {"points", sweep.size()},
                       {"wanted", sweep.wanted()},
                       {"finished", sweep.finished},
                       {"failed", sweep.failed},
                       {"search", sweep.search ? searchDocument(*sweep.search) : ListDocument()}});
    return all.dump(2, ' ', false, ListDocument::error_handler_t::replace) + "\n";
}

} // namespace pim
