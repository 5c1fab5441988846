// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/zoo_graph.h"

#include "core/base/scratch_folder.h"
#include "core/graph/zoo/zoo.h"

namespace pim {

Result<std::shared_ptr<const Graph>> zooGraph(std::string_view model, const TaskContext& task) {
    PIM_TRY(const ScratchFolder folder, ScratchFolder::make());
    const std::filesystem::path file = folder.path() / "network.onnx";
    PIM_CHECK(writeZooModel(model, file, {.weights = false}, task));
    return loadGraph(file, {.bindings = {{"batch", 1}}}, task);
}

} // namespace pim
