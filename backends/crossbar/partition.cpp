// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/compat.h"
#include "backends/crossbar/mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace pim {
namespace {

constexpr std::array<std::pair<Unfolding, std::string_view>, 5> kUnfoldings{
    {{Unfolding::InputByPosition, "i,o,k2"},
     {Unfolding::AllPositions, "i,ok2,1"},
     {Unfolding::RowByRow, "ik,o,k"},
     {Unfolding::RowAcrossWindows, "ik,ok,1"},
     {Unfolding::WholeWindow, "ik2,o,1"}}};
/// Unfoldings whose groups each give sums of one window: those the rule chooses from. The others read less,
/// but add up every product they issue, in several rows at once.
constexpr Unfolding kOneWindow[] = {Unfolding::WholeWindow, Unfolding::RowByRow, Unfolding::InputByPosition};

constexpr std::string_view kAllowed =
    "of ordinary convolutions any; of those in groups ik2,o,1; of transposed ones ik2,o,1; ik,o,k; i,o,k2";

int ceilDiv(std::int64_t a, std::int64_t b) {
    return int((a + b - 1) / b);
}

/// Cuts columns so that no part takes more than \p coreArrays.
void addColumns(LayerPartition& part, ArrayGroupShape shape, int columns, int coreArrays) {
    const int most = coreArrays * part.arrayColumns;
    for (int begin = 0; begin < columns; begin += most) {
        shape.columnBegin = begin;
        shape.columns = std::min(most, columns - begin);
        shape.crossbars = ceilDiv(shape.columns, part.arrayColumns);
        part.groups.push_back(shape);
    }
}

/// \p rows: of a window of the phase, per channel group.
void cutBlocks(LayerPartition& part, const MatrixWork& work, int phase, int rows, int coreArrays) {
    const int perArray = std::min(part.arrayRows / std::max(1, rows), part.arrayColumns / work.outOfGroup());
    for (int block = 0; block < work.groups;) {
        ArrayGroupShape shape;
        shape.phase = phase;
        shape.blockBegin = block;
        shape.blocks = std::clamp(perArray, 1, work.groups - block);
        if (perArray >= 1) {
            shape.rows = rows * shape.blocks;
            shape.columns = work.outOfGroup() * shape.blocks;
            shape.crossbars = 1;
            part.groups.push_back(shape);
        } else {
            for (int row = 0; row < rows; row += part.arrayRows) {
                shape.rowBegin = row;
                shape.rows = std::min(part.arrayRows, rows - row);
                addColumns(part, shape, work.outOfGroup(), coreArrays);
            }
        }
        block += shape.blocks;
    }
}

void cutPhase(LayerPartition& part, const MatrixWork& work, int phase, int coreArrays) {
    const PixelWindow window = phaseWindow(work.window, phase).window;
    if (window.kernel() == 0)
        return;
    const auto [h, w] = unfoldedMatrix(work, window, part.unfolding);
    const std::int64_t matrices =
        std::int64_t(work.inOfGroup()) * work.outOfGroup() * window.kernel() / (h * w);
    part.h = std::max(part.h, h);
    part.w = std::max(part.w, w);
    part.p += matrices;
    if (work.groups > 1) {
        cutBlocks(part, work, phase, int(h), coreArrays);
        return;
    }
    for (std::int64_t matrix = 0; matrix < matrices; ++matrix)
        for (std::int64_t row = 0; row < h; row += part.arrayRows) {
            ArrayGroupShape shape;
            shape.phase = phase;
            shape.rowBegin = int(matrix * h + row);
            shape.rows = int(std::min<std::int64_t>(part.arrayRows, h - row));
            addColumns(part, shape, int(w), coreArrays);
        }
}

struct ArraySize {
    int rows = 0, columns = 0, mostInCore = 0;
    std::int64_t count = 0;
};

std::vector<ArraySize> arraySizes(const CrossbarChip& chip) {
    std::map<std::pair<int, int>, ArraySize> sizes;
    for (const CoreId core : FirstIds<CoreId>(chip.cores()))
        for (const CrossbarGroup& group : chip.arraysOf(core)) {
            ArraySize& size = sizes[{group.rows, group.columns}];
            size.rows = group.rows;
            size.columns = group.columns;
            size.mostInCore = std::max(size.mostInCore, group.count);
            size.count += group.count;
        }
    std::vector<ArraySize> all;
    for (const auto& [key, size] : sizes)
        if (size.count > 0)
            all.push_back(size);
    return all;
}

/// Cells a partition takes: what sizes are compared by.
std::int64_t cells(const LayerPartition& part) {
    return std::int64_t(part.crossbars()) * part.arrayRows * part.arrayColumns;
}

Result<LayerPartition> choosePartition(const CrossbarNetwork& network, LayerId layer,
                                       const std::vector<ArraySize>& sizes,
                                       const std::optional<Unfolding>& wish, CrossbarMode mode) {
    const CrossbarLayer& l = network.layers[layer.index()];
    if (const std::string_view why = wish ? whyNotUnfolded(*l.matrix(), *wish) : std::string_view();
        !why.empty())
        return fail(ErrorCode::IllegalOverride, fmt::format("unfolding {}: {}", name(*wish), why), l.name,
                    std::string(kAllowed));
    const std::vector<Unfolding> choices =
        wish ? std::vector{*wish} : std::vector(std::begin(kOneWindow), std::end(kOneWindow));
    std::optional<LayerPartition> best;
    using Key = std::tuple<std::int64_t, std::size_t, double>;
    Key bestKey{};
    for (const ArraySize& size : sizes)
        for (const Unfolding unfolding : choices) {
            if (!isValidUnfolding(*l.matrix(), unfolding))
                continue;
            PIM_TRY(LayerPartition part,
                    partitionLayer(network, layer, unfolding, size.rows, size.columns, size.mostInCore));
            const UnfoldingFigures figures = unfoldingFigures(l, unfolding);
            const Key key{cells(part), part.groups.size(),
                          mode == CrossbarMode::HighThroughput ? figures.loads : figures.memory};
            if (!best || key < bestKey) {
                best = std::move(part);
                bestKey = key;
            }
        }
    return std::move(*best);
}

const LayerWish* wishFor(const MappingOptions& options, const std::string& layer) {
    for (const LayerWish& wish : options.wishes)
        if (wish.layer == layer)
            return &wish;
    return nullptr;
}

/// The layers that take most, with what is missing in all.
Error deficit(const CrossbarNetwork& network, const std::vector<LayerPartition>& parts,
              const std::vector<ArraySize>& sizes) {
    std::int64_t needed = 0, there = 0;
    for (const LayerPartition& part : parts)
        needed += part.crossbars();
    for (const ArraySize& size : sizes)
        there += size.count;
    std::vector<const LayerPartition*> order;
    for (const LayerPartition& part : parts)
        order.push_back(&part);
    std::ranges::stable_sort(order,
                             [](const auto* a, const auto* b) { return a->crossbars() > b->crossbars(); });
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(order.size(), 8); ++i)
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", network.layers[order[i]->layer.index()].name,
                            order[i]->crossbars());
    if (order.size() > 8)
        list += fmt::format(", {} more layers", order.size() - 8);
    return {ErrorCode::InvalidTarget,
            fmt::format("the weights take {} crossbars once, the machine has {}: {} too few ({})", needed,
                        there, needed - there, list),
            network.name, "use more chips, larger crossbars, or cells of more bits"};
}

} // namespace

std::string_view name(CrossbarMode mode) {
    return mode == CrossbarMode::HighThroughput ? "ht" : "ll";
}

std::optional<CrossbarMode> crossbarModeNamed(std::string_view text) {
    for (const CrossbarMode mode : {CrossbarMode::HighThroughput, CrossbarMode::LowLatency})
        if (name(mode) == text)
            return mode;
    return std::nullopt;
}

std::string_view name(Unfolding unfolding) {
    return kUnfoldings[std::size_t(unfolding)].second;
}

std::optional<Unfolding> unfoldingNamed(std::string_view text) {
    for (const auto& [unfolding, name] : kUnfoldings)
        if (name == text)
            return unfolding;
    return std::nullopt;
}

void CrossbarMapping::number() {
    int next = 0;
    for (LayerMapping& layer : layers) {
        layer.firstGroup = ArrayGroupId(next);
        next += int(layer.cores.size());
    }
}

const LayerMapping* CrossbarMapping::of(LayerId layer) const {
    const auto at =
        std::ranges::lower_bound(layers, layer, {}, [](const LayerMapping& m) { return m.partition.layer; });
    return at != layers.end() && at->partition.layer == layer ? &*at : nullptr;
}

CrossbarMapping::Place CrossbarMapping::place(ArrayGroupId number) const {
    const auto at = std::prev(std::ranges::upper_bound(layers, number, {}, &LayerMapping::firstGroup));
    const int within = number.value - at->firstGroup.value;
    return {MatrixId(at - layers.begin()), ReplicaId(within / at->groups()), GroupId(within % at->groups())};
}

bool isValidUnfolding(const MatrixWork& work, Unfolding unfolding) {
    return unfolding == Unfolding::WholeWindow || work.groups == 1;
}

std::string_view whyNotUnfolded(const MatrixWork& work, Unfolding unfolding) {
    if (!isValidUnfolding(work, unfolding))
        return "convolutions in groups keep whole windows in an array";
    if (work.window.phases() > 1 && std::ranges::find(kOneWindow, unfolding) == std::end(kOneWindow))
        return "its products give sums of several windows at once, and those of a transposed convolution lie "
               "in different array groups";
    return {};
}

bool spansWindows(const MatrixWork& work, Unfolding unfolding) {
    return (unfolding == Unfolding::AllPositions && work.window.kernel() > 1) ||
           (unfolding == Unfolding::RowAcrossWindows && work.window.kernelY > 1);
}

std::pair<int, int> outputChannels(const MatrixWork& work, const ArrayGroupShape& group) {
    const int out = work.outOfGroup(), end = group.columnBegin + group.columns;
    const int base = group.blockBegin * out;
    if (end <= out * group.blocks)
        return {base + group.columnBegin, base + end};
    if (group.columnBegin / out == (end - 1) / out) // a place of the kernel
        return {group.columnBegin % out, (end - 1) % out + 1};
    return {0, out};
}

UnfoldedMatrix unfoldedMatrix(const MatrixWork& work, const PixelWindow& window, Unfolding unfolding) {
    const std::int64_t i = work.inOfGroup(), o = work.outOfGroup();
    switch (unfolding) {
    case Unfolding::InputByPosition:
        return {i, o};
    case Unfolding::AllPositions:
        return {i, o * window.kernel()};
    case Unfolding::RowByRow:
        return {i * window.kernelX, o};
    case Unfolding::RowAcrossWindows:
        return {i * window.kernelX, o * window.kernelY};
    case Unfolding::WholeWindow:
        break;
    }
    return {i * window.kernel(), o};
}

std::int64_t productsOfGroup(const CrossbarNetwork& network, LayerId layer, Unfolding unfolding) {
    const CrossbarLayer& l = network.layers[layer.index()];
    if (!l.matrix() || !spansWindows(*l.matrix(), unfolding))
        return network.windows(layer);
    const PixelWindow& w = l.matrix()->window;
    // Of rows or columns of the input, those some window reads.
    const auto read = [](int in, int out, int kernel, int stride, int pad, int dilation) {
        std::vector<bool> seen(std::size_t(in), false);
        for (int at = 0; at < out; ++at)
            for (int k = 0; k < kernel; ++k)
                if (const int from = at * stride - pad + k * dilation; from >= 0 && from < in)
                    seen[std::size_t(from)] = true;
        return std::int64_t(std::ranges::count(seen, true));
    };
    const std::int64_t rows = read(l.in.height, l.out.height, w.kernelY, w.strideY, w.padTop, w.dilationY);
    return rows * (unfolding == Unfolding::RowAcrossWindows
                       ? l.out.width
                       : read(l.in.width, l.out.width, w.kernelX, w.strideX, w.padLeft, w.dilationX));
}

UnfoldingFigures unfoldingFigures(const CrossbarLayer& layer, Unfolding unfolding) {
    const MatrixWork& work = *layer.matrix();
    const double in = std::sqrt(double(layer.in.pixels())), out = std::sqrt(double(layer.out.pixels()));
    // Of a transposed convolution a window meets the places of the kernel of one phase.
    const double i = work.inOfGroup(), o = work.outOfGroup(),
                 k = std::sqrt(double(work.window.kernel()) / work.window.phases());
    switch (unfolding) {
    case Unfolding::InputByPosition:
        return {out * out, in * out * k * i, k * k * (i + o)};
    case Unfolding::AllPositions:
        return {in * in, in * in * i, i + k * k * o};
    case Unfolding::RowByRow:
        return {out * out, in * out * k * i, k * k * i + k * o};
    case Unfolding::RowAcrossWindows:
        return {in * out, in * out * k * i, k * (i + o)};
    case Unfolding::WholeWindow:
        break;
    }
    return {out * out, out * out * k * k * i, k * k * i + o};
}

Result<LayerPartition> partitionLayer(const CrossbarNetwork& network, LayerId layer, Unfolding unfolding,
                                      int arrayRows, int arrayColumns, int coreArrays) {
    const CrossbarLayer& l = network.layers[layer.index()];
    const MatrixWork& work = *l.matrix();
    if (!isValidUnfolding(work, unfolding))
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("unfolding {} would tear the blocks of a convolution in {} groups apart",
                                name(unfolding), work.groups),
                    l.name, std::string(kAllowed));
    LayerPartition part;
    part.layer = layer;
    part.unfolding = unfolding;
    part.arrayRows = arrayRows;
    part.arrayColumns = arrayColumns;
    for (int phase = 0; phase < work.window.phases(); ++phase)
        cutPhase(part, work, phase, coreArrays);
    return part;
}

int mostGroupArrays(const CrossbarChip& chip, int coreArrays, int arrayColumns, std::int64_t columns) {
    // Cut groups mean more products to issue: only where few results have room, and then enough have. [measured in eight cases,
    // ResNets, GoogLeNet and VGG8 on ISAAC and PUMA, products of 4000 ns: up to 3.5 times as fast in either pipeline, none slower;
    // where 16 and not 10 is what is asked for, GoogLeNet is]
    constexpr std::int64_t kFew = 10, kEnough = 16, kPart = 4; // of the memory, for results
    const auto underWay = std::int64_t(std::ceil(chip.mvmNs / chip.mvmIssueNs));
    const auto held = [&](std::int64_t arrays) {
        return chip.localBytes / chip.activationBytes() / kPart /
               (std::min(columns, arrays * arrayColumns) * chip.accumulatorElements());
    };
    std::int64_t arrays =
        std::clamp<std::int64_t>((columns + arrayColumns - 1) / arrayColumns, 1, coreArrays);
    if (held(arrays) >= std::min({kFew, underWay, coreArrays / arrays}))
        return coreArrays;
    while (arrays > 1 && held(arrays) < std::min(kEnough, underWay))
        --arrays;
    return int(arrays);
}

/// Products of the groups of a replica are issued one after the other for every window. The fewer replicas there is room for, \p room
/// of each, the less they share the windows. [measured on ISAAC and PUMA, products of 4000 ns: BERT base, three replicas, takes 0.62
/// to 0.93 of the time in either pipeline; for ResNet-50, ten, a limit of 3 products' time takes 1.3 to 1.4 times as long as one of 4]
static int leastGroupArrays(const CrossbarChip& chip, const LayerPartition& part, double room) {
    constexpr double kPart = 0.5; // of what the replicas compute in the time of a product
    const auto groupsOfRows = double(std::ranges::count(part.groups, 0, &ArrayGroupShape::columnBegin));
    const std::int64_t columns = (part.w + part.arrayColumns - 1) / part.arrayColumns;
    // groups side by side
    const double most = std::max(1.0, std::floor(kPart * room * chip.mvmNs / chip.mvmIssueNs / groupsOfRows));
    return int(std::ceil(double(columns) / most));
}

Result<std::vector<LayerPartition>> partitionNetwork(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                     const MappingOptions& options) {
    const auto sizes = arraySizes(chip);
    const CrossbarChip timed = chipOfReferee(chip, options.referee);
    for (const LayerWish& wish : options.wishes)
        if (std::ranges::none_of(network.matrixLayers, [&](LayerId layer) {
                return network.layers[layer.index()].name == wish.layer;
            }))
            return fail(ErrorCode::IllegalOverride, "has no weights in crossbars", wish.layer,
                        "take the name of a convolution or a product with constant weights");
    std::vector<LayerPartition> parts;
    double arrays = 0, once = 0;
    for (const LayerId layer : network.matrixLayers) {
        const LayerWish* wish = wishFor(options, network.layers[layer.index()].name);
        PIM_TRY(LayerPartition part,
                choosePartition(network, layer, sizes, wish ? wish->unfolding : std::nullopt, options.mode));
        once += part.crossbars();
        parts.push_back(std::move(part));
    }
    for (const ArraySize& size : sizes)
        arrays += double(size.count);
    for (LayerPartition& part : parts) {
        const auto size = std::ranges::find_if(sizes, [&](const ArraySize& one) {
            return one.rows == part.arrayRows && one.columns == part.arrayColumns;
        });
        const int most = std::max(mostGroupArrays(timed, size->mostInCore, part.arrayColumns, part.w),
                                  leastGroupArrays(timed, part, arrays / once));
        if (most <
            std::min<std::int64_t>(size->mostInCore, (part.w + part.arrayColumns - 1) / part.arrayColumns)) {
            PIM_TRY(part, partitionLayer(network, part.layer, part.unfolding, part.arrayRows,
                                         part.arrayColumns, most));
        }
    }
    // Layers chosen for one size may overfill it although others are free; the whole capacity is what is checked here.
    for (const ArraySize& size : sizes) {
        std::int64_t needed = 0;
        for (const LayerPartition& part : parts)
            if (part.arrayRows == size.rows && part.arrayColumns == size.columns)
                needed += part.crossbars();
        if (needed > size.count)
            return tl::unexpected<Error>(deficit(network, parts, sizes));
    }
    return parts;
}

Result<void> checkMapping(const CrossbarMapping& mapping, const CrossbarNetwork& network,
                          const CrossbarChip& chip) {
    std::map<std::tuple<CoreId, int, int>, std::int64_t> used;
    for (const LayerMapping& layer : mapping.layers) {
        const std::string& name = network.layers[layer.partition.layer.index()].name;
        if (layer.replicas < 1 || std::ssize(layer.cores) != std::int64_t(layer.replicas) * layer.groups())
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("{} replicas of {} array groups, but {} have a core", layer.replicas,
                                    layer.groups(), layer.cores.size()),
                        name);
        for (const ReplicaId replica : FirstIds<ReplicaId>(layer.replicas))
            for (const GroupId group : FirstIds<GroupId>(layer.groups())) {
                const CoreId core = layer.core(replica, group);
                if (!core.valid() || core.value >= chip.cores())
                    return fail(ErrorCode::InvalidTarget,
                                fmt::format("array group {} lies in core {}, there are cores 0 to {}",
                                            group.value, core.value, chip.cores() - 1),
                                name);
                used[{core, layer.partition.arrayRows, layer.partition.arrayColumns}] +=
                    layer.partition.groups[group.index()].crossbars;
            }
    }
    for (const auto& [key, count] : used) {
        const auto [core, rows, columns] = key;
        std::int64_t there = 0;
        for (const CrossbarGroup& group : chip.arraysOf(core))
            if (group.rows == rows && group.columns == columns)
                there += group.count;
        if (count > there)
            return fail(ErrorCode::InvalidTarget,
                        fmt::format("core {} has {} crossbars of {}x{}, {} were given to it", core.value,
                                    there, rows, columns, count),
                        network.name, "move array groups to other cores or take a replica away");
    }
    return {};
}

} // namespace pim
