// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/layout_cost.h"
#include "core/crossbar/search/strategies.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {


/// Cuts layers finer until all fit: an array at a time they always do, if there are arrays enough.
Result<std::unique_ptr<CrossbarLayoutModel>> packableModel(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                           const MappingOptions& options) {
    PIM_TRY(std::vector<LayerPartition> partitions, partitionNetwork(network, chip, options));
    for (;;) {
        PIM_TRY(CrossbarLayoutModel model, crossbarLayoutModel(network, chip, partitions, options.wishes));
        auto result = std::make_unique<CrossbarLayoutModel>(std::move(model));
        CrossbarLayout layout(*result);
        const int entry = packOnce(layout);
        if (entry < 0)
            return result;
        LayerPartition& tight = partitions[std::size_t(entry)];
        int largest = 0;
        for (const ArrayGroupShape& group : tight.groups)
            largest = std::max(largest, group.crossbars);
        if (largest <= 1)
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("{} arrays of {} x {} a replica find no room beside the others", tight.crossbars(),
                                    tight.arrayRows, tight.arrayColumns),
                        network.layers[std::size_t(tight.layer)].name, "ask for fewer replicas or remove pinned array groups");
        PIM_TRY(tight, partitionLayer(network, tight.layer, tight.unfolding, tight.arrayRows, tight.arrayColumns, largest / 2));
    }
}

} // namespace

std::vector<std::string> mappingStrategies() { return {"constructive", "once"}; }

Result<CrossbarMapping> mapNetwork(const CrossbarNetwork& network, const CrossbarChip& chip, const MappingOptions& options,
                                   const TaskContext& task) {
    const std::vector<std::string> names = mappingStrategies();
    if (std::ranges::find(names, options.strategy) == names.end())
        return fail(ErrorCode::NotFound, fmt::format("no mapping strategy '{}'", options.strategy), {},
                    fmt::format("there are {}", fmt::join(names, ", ")));
    PIM_TRY(const std::unique_ptr<CrossbarLayoutModel> model, packableModel(network, chip, options));
    if (task.cancelled())
        return TaskContext::cancelledError("the mapping");
    CrossbarLayout once(*model);
    packOnce(once);
    const CrossbarLayout layout = options.strategy == "once" ? once : balancedLayout(once);
    return layout.mapping(options.mode, options.strategy);
}

} // namespace pim
