// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/memory_layout.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {

const LayoutRegion* MemoryLayout::regionOf(OpId op) const {
    for (const LayoutRegion& region : regions)
        if (std::binary_search(region.ops.begin(), region.ops.end(), op))
            return &region;
    return nullptr;
}

std::string layoutJson(const MemoryLayout& layout, const Plan& plan) {
    using Json = nlohmann::ordered_json;
    Json regions = Json::array();
    for (const LayoutRegion& region : layout.regions) {
        Json ops = Json::array(), tensors = Json::array();
        for (const OpId op : region.ops)
            ops.push_back(plan.graph->op(op).name);
        const OpPlan& first = plan.opPlan(region.ops.front());
        for (std::size_t t = 0; t < first.tensors.size(); ++t) {
            const KernelTensor& tensor = first.space->kernel().tensors[t];
            if (first.tensors[t].residency == Residency::Resident)
                tensors.push_back({{"tensor", first.tensors[t].name},
                                   {"kernel_tensor", tensor.name},
                                   {"shape", tensor.shape},
                                   {"dtype", name(tensor.dtype)}});
        }
        regions.push_back({{"first_row", region.firstRow},
                           {"rows", region.rows},
                           {"kept", region.kept},
                           {"draft", first.space->draftText(*first.draft)},
                           {"ops", std::move(ops)},
                           {"tensors", std::move(tensors)}});
    }
    const Json json{{"row_bytes", layout.rowBytes},
                    {"access_bytes", layout.accessBytes},
                    {"banks_of_channel", layout.banksOfChannel},
                    {"channels", layout.channels},
                    {"rows_of_bank", layout.rowsOfBank},
                    {"rows_used", layout.rowsUsed},
                    {"regions", std::move(regions)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace pim
