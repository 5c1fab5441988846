// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tiles/core_figures.h"

#include "views/tiles/heatmap.h"

namespace pim::views {
namespace {

double valueOf(const TileFigures& figures, std::size_t cell, const CoreMeasure& what) {
    switch (what.what) {
    case CoreMeasure::What::Bytes:
        return figures.bytes(cell, what.index);
    case CoreMeasure::What::Macs:
        return figures.iterations[cell] * figures.space->kernel().macsPerIteration;
    case CoreMeasure::What::LoopFirst:
        return figures.loopFirst[static_cast<std::size_t>(what.index)][cell];
    case CoreMeasure::What::Iterations:
        break;
    }
    return figures.iterations[cell];
}

} // namespace

double TileFigures::bytes(std::size_t cell, int tensor) const {
    if (tensor >= 0)
        return tensorBytes[static_cast<std::size_t>(tensor)][cell];
    double all = 0;
    for (const auto& column : tensorBytes)
        all += column[cell];
    return all;
}

std::shared_ptr<const TileFigures> coreFigures(std::shared_ptr<const TilingSpace> space, const Draft& draft,
                                               const TaskContext& task) {
    auto figures = std::make_shared<TileFigures>();
    figures->groups = space->resources().groups;
    figures->cores = space->resources().coresPerGroup;
    figures->draft = draft;
    const auto all = static_cast<std::size_t>(figures->groups) * static_cast<std::size_t>(figures->cores);
    const Kernel& kernel = space->kernel();
    figures->iterations.resize(all);
    figures->tensorBytes.assign(kernel.tensors.size(), std::vector<double>(all));
    figures->loopFirst.assign(kernel.loops.size(), std::vector<double>(all));
    for (int group = 0; group < figures->groups; ++group) {
        task.report("tiles", group, figures->groups);
        if (task.cancelled())
            return nullptr;
        for (int core = 0; core < figures->cores; ++core) {
            const CoreTile tile = space->tile(draft, group, core);
            const std::size_t cell = figures->at(group, core);
            figures->iterations[cell] = static_cast<double>(tile.iterations);
            for (std::size_t t = 0; t < tile.tensorBytes.size(); ++t)
                figures->tensorBytes[t][cell] = static_cast<double>(tile.tensorBytes[t]);
            for (std::size_t l = 0; l < tile.loops.size(); ++l)
                figures->loopFirst[l][cell] = static_cast<double>(tile.loops[l].first);
        }
    }
    figures->space = std::move(space);
    return figures;
}

std::vector<double> measure(const TileFigures& figures, const CoreMeasure& what) {
    std::vector<double> values(figures.iterations.size(), kNoCell);
    for (std::size_t cell = 0; cell < values.size(); ++cell)
        if (figures.iterations[cell] > 0)
            values[cell] = valueOf(figures, cell, what);
    return values;
}

std::vector<double> measuredDifference(const TileFigures& a, const TileFigures& b, const CoreMeasure& what) {
    std::vector<double> values(b.iterations.size(), kNoCell);
    for (std::size_t cell = 0; cell < values.size() && cell < a.iterations.size(); ++cell) {
        const bool inA = a.iterations[cell] > 0, inB = b.iterations[cell] > 0;
        if (inA || inB)
            values[cell] = (inB ? valueOf(b, cell, what) : 0) - (inA ? valueOf(a, cell, what) : 0);
    }
    return values;
}

} // namespace pim::views
