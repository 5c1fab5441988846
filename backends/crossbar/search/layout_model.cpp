// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/layout_model.h"

#include "backends/crossbar/schedule/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

/// Nothing to do: consumers read through it.
bool isPassedThrough(const CrossbarLayer& layer) {
    const auto* concat = layer.as<ConcatWork>();
    return concat && concat->axis == ConcatAxis::Channels;
}

bool staysInGlobalMemory(const CrossbarLayer& layer) {
    return layer.as<InputWork>() || layer.as<HostWork>();
}

/// Time of one pass of the vector unit over \p elements of \p bytes each.
double passNs(const CrossbarChip& chip, double elements, double bytes) {
    return std::ceil(elements * bytes / chip.vectorBytes) * chip.vectorNs / std::max(1, chip.vectorUnits);
}

/// The window a layer slides over its inputs, if it does.
const PixelWindow* windowOf(const CrossbarLayer& layer) {
    if (const MatrixWork* matrix = layer.matrix())
        return &matrix->window;
    if (const auto* pool = layer.as<WindowWork>())
        return &pool->window;
    return nullptr;
}

int passesOfActivation(const CrossbarLayer& layer) {
    return layer.activation.op == VectorOp::None ? 0 : 1;
}

double vectorNsOfPixel(const CrossbarLayer& layer, const CrossbarChip& chip) {
    double passes = passesOfActivation(layer);
    if (const auto* pool = layer.as<WindowWork>())
        passes += pool->window.kernel();
    else if (layer.as<ElementWork>())
        passes += double(std::max<std::size_t>(1, layer.inputs.size() - 1));
    else if (const auto* normalise = layer.as<NormaliseWork>())
        passes += vectorPasses(vectorOpOf(normalise->kind));
    return passes * passNs(chip, layer.out.channels, chip.activationBytes());
}

struct Builder {
    CrossbarLayoutModel model;
    CrossbarTasks tasks; ///< Of every layer once: who owns and fuses what does not hang on the layout.

    const CrossbarLayer& at(LayerId layer) const { return model.network->layers[layer.index()]; }

    void addKinds() {
        const CrossbarChip& chip = *model.chip;
        for (const auto& groups : chip.groups)
            for (const CrossbarGroup& group : groups)
                if (const std::pair size{group.rows, group.columns};
                    std::ranges::find(model.kinds, size) == model.kinds.end())
                    model.kinds.push_back(size);
        model.capacity.assign(model.kinds.size(), std::vector<int>(std::size_t(chip.cores()), 0));
        for (const CoreId core : FirstIds<CoreId>(chip.cores()))
            for (const CrossbarGroup& group : chip.arraysOf(core)) {
                const auto kind = std::ranges::find(model.kinds, std::pair{group.rows, group.columns});
                model.capacity[std::size_t(kind - model.kinds.begin())][core.index()] += group.count;
            }
    }

    Result<void> addMatrix(LayerId layer, const LayerPartition& partition) {
        const CrossbarChip& chip = *model.chip;
        const MatrixWork& work = *at(layer).matrix();
        CrossbarLayoutLayer entry;
        entry.layer = layer;
        entry.partition = &partition;
        entry.windows = productsOfGroup(*model.network, layer, partition.unfolding);
        entry.spans = spansWindows(work, partition.unfolding);
        entry.phases = work.window.phases();
        entry.groups = int(partition.groups.size());
        entry.crossbars = partition.crossbars();
        const auto kind =
            std::ranges::find(model.kinds, std::pair{partition.arrayRows, partition.arrayColumns});
        if (kind == model.kinds.end() || entry.groups == 0)
            return fail(ErrorCode::Internal, "layer is cut for arrays the chip does not have",
                        at(layer).name);
        entry.arrayKind = int(kind - model.kinds.begin());
        entry.maxReplicas = int(std::clamp<std::int64_t>(model.network->windows(layer), 1, 1 << 20));
        const double wide = double(chip.accumulatorElements()) * chip.activationBytes();
        for (const ArrayGroupShape& group : partition.groups)
            entry.vectorNs += passNs(chip, group.columns, wide) /
                              entry.phases; // every column is added to one window, the first ones to the bias
        entry.vectorNs +=
            passesOfActivation(at(layer)) * passNs(chip, work.outChannels, chip.activationBytes());
        entry.columnBytes = wide;
        for (const ArrayGroupShape& group : partition.groups) {
            const int width = work.inOfGroup() * group.blocks, base = group.blockBegin * work.inOfGroup();
            const int begin = group.rowBegin % width;
            const bool onePlace = group.rowBegin / width == (group.rowBegin + group.rows - 1) / width;
            entry.groupChannels.emplace_back(base + (onePlace ? begin : 0),
                                             base + (onePlace ? begin + group.rows : width));
            entry.groupColumns.push_back(outputChannels(work, group));
        }
        model.entryOf[layer.index()] = MatrixId(std::ssize(model.layers));
        model.layers.push_back(std::move(entry));
        return {};
    }

    /// Flows from whatever really computes \p from into \p to, where its channels begin at \p at.
    void addFlows(LayerId from, LayerId to, int at_) {
        const CrossbarLayer& source = at(from);
        if (isPassedThrough(source)) {
            for (const LayerId inner : source.inputs) {
                addFlows(inner, to, at_);
                at_ += at(inner).out.channels;
            }
            return;
        }
        const CrossbarLayer& target = at(to);
        CrossbarFlow flow;
        flow.from = from;
        flow.to = to;
        flow.channelAt = at_;
        flow.source = source.out;
        flow.local = tasks.fusedWith[to.index()] == from;
        if (const PixelWindow* window = windowOf(target)) {
            flow.windowed = true;
            flow.window = *window;
        } else {
            flow.placewise = source.out.height == target.out.height && source.out.width == target.out.width &&
                             !target.as<ViewWork>() && !target.as<HostWork>();
        }
        model.flows.push_back(flow);
    }

    void addLayer(LayerId layer) {
        const CrossbarLayer& current = at(layer);
        model.inGlobalMemory[layer.index()] = staysInGlobalMemory(current);
        if (current.isOutput)
            model.outputBytes += current.out.elements() * model.chip->activationBytes();
        if (current.as<InputWork>() || isPassedThrough(current))
            return;
        for (const LayerId input : current.inputs)
            addFlows(input, layer, 0);
        if (!current.matrix() && !current.as<HostWork>())
            addVector(layer);
    }

    void addVector(LayerId layer) {
        const CrossbarLayer& current = at(layer);
        CrossbarVectorLayer vector;
        vector.layer = layer;
        vector.vectorNs = vectorNsOfPixel(current, *model.chip);
        // In the tasks that were asked, every matrix layer has a core of its own, which is its entry.
        const auto& shares = tasks.shares[layer.index()];
        // What reads the network's input alone is dealt out to any cores; there may be no matrix layer at
        // all.
        const bool inOneCore = !shares.empty() && std::ranges::all_of(shares, [&](const TaskShare& share) {
            return share.core == shares.front().core;
        });
        if (inOneCore && shares.front().core.value < std::ssize(model.layers))
            vector.home = MatrixId(shares.front().core.value);
        vector.alone = current.as<ViewWork>() || current.as<ConcatWork>();
        const auto* pool = current.as<WindowWork>();
        const LayerId with = tasks.fusedWith[layer.index()];
        vector.alike = with.valid() && !pool;
        if (with.valid() && pool && model.entryOf[with.index()].valid())
            model.layers[model.entryOf[with.index()].index()].pool = FlowId(std::ssize(model.flows) - 1);
        model.vectors.push_back(vector);
    }

    /// HT: a map goes to global memory if anything but its fused readers reads it.
    void addStores() {
        std::vector<bool> stored(model.network->layers.size(), false);
        for (std::size_t layer = 0; layer < stored.size(); ++layer)
            stored[layer] = at(LayerId(layer)).isOutput && !isPassedThrough(at(LayerId(layer)));
        for (const CrossbarFlow& flow : model.flows)
            if (!flow.local && !staysInGlobalMemory(at(flow.from)))
                stored[flow.from.index()] = true;
        model.mustStore.assign(stored.size(), false);
        for (std::size_t layer = 0; layer < stored.size(); ++layer) {
            const auto isHost = [&](LayerId reader) { return at(reader).as<HostWork>() != nullptr; };
            model.mustStore[layer] =
                at(LayerId(layer)).isOutput || std::ranges::any_of(at(LayerId(layer)).readers, isHost);
        }
        for (std::size_t layer = 0; layer < stored.size(); ++layer)
            if (stored[layer])
                model.storedBytes += at(LayerId(layer)).out.elements() * model.chip->activationBytes();
    }

    Result<void> addWish(const LayerWish& wish) {
        const auto entry = std::ranges::find_if(model.layers, [&](const CrossbarLayoutLayer& layer) {
            return at(layer.layer).name == wish.layer;
        });
        if (entry == model.layers.end())
            return fail(ErrorCode::IllegalOverride, "no layer of this name has weights", wish.layer);
        const auto index = std::size_t(entry - model.layers.begin());
        if (wish.replicas && (*wish.replicas < 1 || *wish.replicas > entry->maxReplicas))
            return fail(ErrorCode::IllegalOverride,
                        fmt::format("{} replicas; from 1 to {} can have a window each", *wish.replicas,
                                    entry->maxReplicas),
                        wish.layer);
        model.wantedReplicas[index] = wish.replicas.value_or(0);
        for (const auto& [group, core] : wish.cores) {
            if (group < 0 || !core.valid() || core.value >= model.cores())
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("array group {} on core {}: cores are 0 to {}", group, core.value,
                                        model.cores() - 1),
                            wish.layer);
            const int replica = group / entry->groups;
            if (wish.replicas && replica >= *wish.replicas)
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("array group {} belongs to replica {}, there are {}", group, replica,
                                        *wish.replicas),
                            wish.layer);
            if (!wish.replicas)
                model.wantedReplicas[index] = std::max(model.wantedReplicas[index], replica + 1);
        }
        model.pinned[index] = wish.cores;
        return {};
    }

    void index() {
        const std::size_t count = model.network->layers.size();
        model.flowsFrom.resize(count);
        model.flowsTo.resize(count);
        for (std::size_t i = 0; i < model.flows.size(); ++i) {
            model.flowsFrom[model.flows[i].from.index()].push_back(FlowId(i));
            model.flowsTo[model.flows[i].to.index()].push_back(FlowId(i));
        }
        model.homeVectors.resize(model.layers.size());
        for (std::size_t i = 0; i < model.vectors.size(); ++i)
            if (model.vectors[i].home.valid())
                model.homeVectors[model.vectors[i].home.index()].push_back(int(i));
    }
};

/// All layers once, each in a core of its own: the one that is its entry.
CrossbarMapping anyMapping(const CrossbarNetwork& network, const std::vector<LayerPartition>& partitions) {
    CrossbarMapping mapping;
    for (std::size_t i = 0; i < network.matrixLayers.size(); ++i)
        mapping.layers.push_back({partitions[i], 1,
                                  std::vector(partitions[i].groups.size(), CoreId(std::int64_t(i))),
                                  ArrayGroupId(0)});
    mapping.number();
    return mapping;
}

} // namespace

MapPart MapPart::meet(const MapPart& other) const {
    return {std::max(xBegin, other.xBegin), std::min(xEnd, other.xEnd), std::max(yBegin, other.yBegin),
            std::min(yEnd, other.yEnd)};
}

std::vector<MapPart> stripsOf(const PixelMap& map, const std::vector<StripWorker>& workers) {
    constexpr int unit = MapPart::kColumnParts;
    std::vector<MapPart> parts(workers.size());
    const auto count = std::size_t(std::min<std::int64_t>(map.pixels(), std::ssize(workers)));
    const std::size_t rows = (count + std::size_t(map.width) - 1) / std::size_t(map.width);
    double all = 0, before = 0;
    for (std::size_t i = 0; i < count; ++i)
        all += workers[i].weight;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t first = count * row / rows, last = count * (row + 1) / rows;
        double weight = 0, reached = 0;
        for (std::size_t i = first; i < last; ++i)
            weight += workers[i].weight;
        const int top = int(std::lround(map.height * before / all)),
                  bottom = int(std::lround(map.height * (before + weight) / all));
        int x = 0;
        for (std::size_t i = first; i < last; ++i) {
            reached += workers[i].weight;
            const int to =
                i + 1 == last ? map.width * unit : int(std::lround(map.width * unit * reached / weight));
            parts[i] = {x, to, top, bottom};
            x = to;
        }
        before += weight;
    }
    return parts;
}

MapPart CrossbarFlow::needs(const MapPart& part) const {
    constexpr int unit = MapPart::kColumnParts;
    if (part.area() == 0)
        return {};
    const MapPart all{0, source.width * unit, 0, source.height};
    if (placewise)
        return part;
    if (!windowed)
        return all;
    const int reachX = (window.kernelX - 1) * window.dilationX + 1,
              reachY = (window.kernelY - 1) * window.dilationY + 1;
    MapPart result;
    // Of a transposed convolution these are places of the input spread out, until they are brought together.
    result.xBegin = (part.xBegin * window.strideX - window.padLeft * unit) / window.spreadX;
    result.xEnd = ((part.xEnd - unit) * window.strideX + (reachX - window.padLeft) * unit) / window.spreadX;
    if (part.xEnd - part.xBegin < unit) // less than a column in a row is one column in some rows
        result.xEnd = std::max(result.xEnd, result.xBegin + (part.xEnd - part.xBegin) * reachX);
    // A border that changes from row to row lies one column further out for one of the rows of a kernel.
    if (window.kernelY > window.strideY && part.xBegin % unit != 0)
        result.xBegin -= unit / 2;
    if (window.kernelY > window.strideY && part.xEnd % unit != 0)
        result.xEnd += unit / 2;
    result.yBegin = (part.yBegin * window.strideY - window.padTop) / window.spreadY;
    result.yEnd =
        ((part.yEnd - 1) * window.strideY - window.padTop + reachY + window.spreadY - 1) / window.spreadY;
    return result.meet(all);
}

Result<CrossbarLayoutModel> crossbarLayoutModel(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                std::vector<LayerPartition> partitions,
                                                const std::vector<LayerWish>& wishes) {
    if (partitions.size() != network.matrixLayers.size())
        return fail(ErrorCode::Internal,
                    "one partition a matrix layer is needed, there are " + std::to_string(partitions.size()) +
                        " for " + std::to_string(network.matrixLayers.size()) + " layers",
                    network.name);
    Builder builder;
    CrossbarLayoutModel& model = builder.model;
    model.network = &network;
    model.chip = &chip;
    model.partitions = std::move(partitions);
    model.entryOf.assign(network.layers.size(), MatrixId());
    model.inGlobalMemory.assign(network.layers.size(), false);
    builder.tasks = dealOutTasks(network, chip, anyMapping(network, model.partitions), true);
    builder.addKinds();
    for (std::size_t i = 0; i < network.matrixLayers.size(); ++i)
        PIM_CHECK(builder.addMatrix(network.matrixLayers[i], model.partitions[i]));
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
        builder.addLayer(LayerId(layer));
    builder.addStores();
    builder.index();
    model.wantedReplicas.assign(model.layers.size(), 0);
    model.pinned.resize(model.layers.size());
    for (const LayerWish& wish : wishes)
        PIM_CHECK(builder.addWish(wish));
    return std::move(builder.model);
}

} // namespace pim
