// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/zoo_graph.h"

#include "core/base/scratch_folder.h"

namespace pim {

Result<std::shared_ptr<const Graph>> zooGraph(std::string_view model, ZooOptions options,
                                              const TaskContext& task) {
    options.weights = false;
    options.batch = options.batch.value_or(1);
    PIM_TRY(const ScratchFolder folder, ScratchFolder::make());
    const std::filesystem::path file = folder.path() / "network.onnx";
    PIM_CHECK(writeZooModel(model, file, options, task));
    return loadGraph(file, {}, task);
}

} // namespace pim
