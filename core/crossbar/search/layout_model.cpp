// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/layout_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim {
namespace {

constexpr double kAccumulatorElements = 2; // an accumulator is as wide as two activations, see CrossbarProgram

/// Nothing to do: consumers read through it.
bool isPassedThrough(const CrossbarLayer& layer) {
    if (const auto* view = layer.as<ViewWork>())
        return view->from.empty();
    return layer.as<ConcatWork>() != nullptr;
}

bool staysInGlobalMemory(const CrossbarLayer& layer) { return layer.as<InputWork>() || layer.as<HostWork>(); }

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

int passesOfActivation(const CrossbarLayer& layer) { return layer.activation.op == VectorOp::None ? 0 : 1; }

double vectorNsOfPixel(const CrossbarLayer& layer, const CrossbarChip& chip) {
    double passes = passesOfActivation(layer);
    if (const auto* pool = layer.as<WindowWork>())
        passes += pool->window.kernel();
    else if (layer.as<ElementWork>())
        passes += double(std::max<std::size_t>(1, layer.inputs.size() - 1));
    else if (layer.as<NormaliseWork>())
        passes += 1;
    return passes * passNs(chip, layer.out.channels, chip.activationBytes());
}

struct Builder {
    CrossbarLayoutModel model;

    const CrossbarLayer& at(int layer) const { return model.network->layers[std::size_t(layer)]; }

    void addKinds() {
        const CrossbarChip& chip = *model.chip;
        for (const auto& groups : chip.groups)
            for (const CrossbarGroup& group : groups)
                if (const std::pair size{group.rows, group.columns};
                    std::ranges::find(model.kinds, size) == model.kinds.end())
                    model.kinds.push_back(size);
        model.capacity.assign(model.kinds.size(), std::vector<int>(std::size_t(chip.cores()), 0));
        for (int core = 0; core < chip.cores(); ++core)
            for (const CrossbarGroup& group : chip.arraysOf(core)) {
                const auto kind = std::ranges::find(model.kinds, std::pair{group.rows, group.columns});
                model.capacity[std::size_t(kind - model.kinds.begin())][std::size_t(core)] += group.count;
            }
    }

    Result<void> addMatrix(int layer, const LayerPartition& partition) {
        const CrossbarChip& chip = *model.chip;
        const MatrixWork& work = *at(layer).matrix();
        CrossbarLayoutLayer entry;
        entry.layer = layer;
        entry.partition = &partition;
        entry.windows = model.network->windows(layer);
        entry.groups = int(partition.groups.size());
        entry.crossbars = partition.crossbars();
        const auto kind = std::ranges::find(model.kinds, std::pair{partition.arrayRows, partition.arrayColumns});
        if (kind == model.kinds.end() || entry.groups == 0)
            return fail(ErrorCode::Internal, "layer is cut for arrays the chip does not have", at(layer).name);
        entry.arrayKind = int(kind - model.kinds.begin());
        entry.maxReplicas = int(std::clamp<std::int64_t>(entry.windows, 1, 1 << 20));
        const double wide = kAccumulatorElements * chip.activationBytes();
        for (const ArrayGroupShape& group : partition.groups)
            entry.vectorNs += passNs(chip, group.columns, wide); // every group's result is added once, the first to the bias
        entry.vectorNs += passesOfActivation(at(layer)) * passNs(chip, work.outChannels, chip.activationBytes());
        entry.gatherBytes = work.outChannels * wide;
        entry.channels = work.inChannels;
        for (const ArrayGroupShape& group : partition.groups) {
            const int blockChannels = work.inOfGroup() * group.blocks;
            const int first = group.blockBegin * work.inOfGroup();
            const int rows = std::min(group.rows, blockChannels);
            const int begin = group.rows >= blockChannels ? first : first + group.rowBegin % std::max(1, blockChannels);
            entry.groupChannels.push_back({begin, begin + rows});
        }
        model.entryOf[std::size_t(layer)] = int(model.layers.size());
        model.layers.push_back(std::move(entry));
        return {};
    }

    /// Flows from whatever really computes \p from into \p to.
    void addFlows(int from, int to) {
        const CrossbarLayer& source = at(from);
        if (isPassedThrough(source)) {
            for (const int input : source.inputs)
                addFlows(input, to);
            return;
        }
        const CrossbarLayer& target = at(to);
        CrossbarFlow flow;
        flow.from = from;
        flow.to = to;
        flow.pixelBytes = double(source.out.channels) * model.chip->activationBytes();
        flow.source = source.out;
        flow.target = target.out;
        // A window counts on the map it slides over; behind a view that renames pixels there is another one.
        if (const PixelWindow* window = windowOf(target);
            window && source.out.height == target.in.height && source.out.width == target.in.width) {
            flow.windowed = true;
            flow.window = *window;
            flow.density = std::min(1.0, double(window->kernelX) / window->strideX) *
                           std::min(1.0, double(window->kernelY) / window->strideY);
        }
        model.flows.push_back(flow);
    }

    void addLayer(int layer) {
        const CrossbarLayer& current = at(layer);
        model.inGlobalMemory[std::size_t(layer)] = staysInGlobalMemory(current);
        const double bytes = double(current.out.elements()) * model.chip->activationBytes();
        if (current.as<InputWork>())
            model.inputBytes += bytes;
        if (current.isOutput)
            model.outputBytes += bytes;
        if (current.as<InputWork>() || isPassedThrough(current))
            return;
        for (const int input : current.inputs)
            addFlows(input, layer);
        if (current.matrix() || current.as<HostWork>())
            return;
        CrossbarVectorLayer vector;
        vector.layer = layer;
        vector.vectorNs = vectorNsOfPixel(current, *model.chip);
        vector.owner = ownerOf(current);
        model.vectors.push_back(vector);
    }

    /// The input whose cores do the work: the latest that lies in cores, which is the one that saves most waiting.
    int ownerOf(const CrossbarLayer& layer) const {
        int owner = -1;
        for (int input : layer.inputs) {
            while (isPassedThrough(at(input)) && !at(input).inputs.empty())
                input = *std::ranges::max_element(at(input).inputs);
            if (!staysInGlobalMemory(at(input)))
                owner = std::max(owner, input);
        }
        return owner;
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
                        fmt::format("{} replicas; from 1 to {} can have a window each", *wish.replicas, entry->maxReplicas),
                        wish.layer);
        model.wantedReplicas[index] = wish.replicas.value_or(0);
        for (const auto& [group, core] : wish.cores) {
            if (group < 0 || core < 0 || core >= model.cores())
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("array group {} on core {}: cores are 0 to {}", group, core, model.cores() - 1), wish.layer);
            const int replica = group / entry->groups;
            if (wish.replicas && replica >= *wish.replicas)
                return fail(ErrorCode::IllegalOverride,
                            fmt::format("array group {} belongs to replica {}, there are {}", group, replica, *wish.replicas),
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
            model.flowsFrom[std::size_t(model.flows[i].from)].push_back(int(i));
            model.flowsTo[std::size_t(model.flows[i].to)].push_back(int(i));
        }
        model.ownedVectors.resize(count);
        for (std::size_t i = 0; i < model.vectors.size(); ++i)
            if (model.vectors[i].owner >= 0)
                model.ownedVectors[std::size_t(model.vectors[i].owner)].push_back(int(i));
    }
};

} // namespace

PixelSpan CrossbarFlow::needs(PixelSpan span) const {
    if (span.size() == 0)
        return {};
    const std::int64_t pixels = source.pixels();
    if (!windowed) {
        const std::int64_t all = std::max<std::int64_t>(1, target.pixels());
        return {span.begin * pixels / all, std::min(pixels, (span.end * pixels + all - 1) / all)};
    }
    const PixelRange first = windowOrigin(window, target, span.begin);
    const PixelRange last = windowOrigin(window, target, span.end - 1);
    const auto raster = [&](std::int64_t y, std::int64_t x) {
        if (y < 0)
            return std::int64_t(0);
        if (y >= source.height)
            return pixels;
        return y * source.width + std::clamp<std::int64_t>(x, 0, source.width);
    };
    const std::int64_t begin = raster(first.yBegin, first.xBegin);
    const std::int64_t end = raster(last.yBegin + std::int64_t(window.kernelY - 1) * window.dilationY,
                                    last.xBegin + std::int64_t(window.kernelX - 1) * window.dilationX + 1);
    return {begin, std::max(begin, end)};
}

Result<CrossbarLayoutModel> crossbarLayoutModel(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                std::vector<LayerPartition> partitions,
                                                const std::vector<LayerWish>& wishes) {
    if (partitions.size() != network.matrixLayers.size())
        return fail(ErrorCode::Internal, "one partition a matrix layer is needed, there are " +
                                             std::to_string(partitions.size()) + " for " +
                                             std::to_string(network.matrixLayers.size()) + " layers",
                    network.name);
    Builder builder;
    CrossbarLayoutModel& model = builder.model;
    model.network = &network;
    model.chip = &chip;
    model.partitions = std::move(partitions);
    model.entryOf.assign(network.layers.size(), -1);
    model.inGlobalMemory.assign(network.layers.size(), false);
    builder.addKinds();
    for (std::size_t i = 0; i < network.matrixLayers.size(); ++i)
        PIM_CHECK(builder.addMatrix(network.matrixLayers[i], model.partitions[i]));
    for (std::size_t layer = 0; layer < network.layers.size(); ++layer)
        builder.addLayer(int(layer));
    builder.index();
    model.wantedReplicas.assign(model.layers.size(), 0);
    model.pinned.resize(model.layers.size());
    for (const LayerWish& wish : wishes)
        PIM_CHECK(builder.addWish(wish));
    return std::move(builder.model);
}

} // namespace pim
