// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network as the layout of its weights sees it: what every replica takes and computes, and which pixels
/// move between which layers. Built once; every strategy and the cost read it. Flow: CrossbarNetwork +
/// CrossbarChip + partitions -> [CrossbarLayoutModel] -> CrossbarLayoutCost, packing, strategies.
#include "backends/crossbar/mapping.h"

#include <cstdint>
#include <vector>

namespace pim {

/// Part of a map: rows and columns [begin, end). Columns count in parts of one, kColumnParts: borders of
/// strips that change from row to row lie between two columns on average.
struct MapPart {
    static constexpr int kColumnParts = 64;
    int xBegin = 0, xEnd = 0, yBegin = 0, yEnd = 0;
    std::int64_t area() const {
        return xEnd > xBegin && yEnd > yBegin ? std::int64_t(xEnd - xBegin) * (yEnd - yBegin) : 0;
    }
    MapPart meet(const MapPart& other) const;
};

/// A worker of a layer: replicas that lie alike.
struct StripWorker {
    CoreId core;
    double weight = 1;
};

/// Strips of columns, and parts of rows where there are more workers than columns; as the schedules deal out,
/// on average over the rows. One a worker; empty for workers there are no pixels for.
std::vector<MapPart> stripsOf(const PixelMap& map, const std::vector<StripWorker>& workers);

/// Data that one layer reads from another: position in CrossbarLayoutModel::flows.
using FlowId = Id<struct CrossbarFlowTag>;

/// Data that one layer reads from another; layers that only join maps are passed through.
struct CrossbarFlow {
    LayerId from, to;       ///< Neither is passed through.
    int channelAt = 0;      ///< Where channel 0 of \ref from lies in the input of \ref to.
    bool windowed = false;  ///< A window slides over it.
    bool placewise = false; ///< Pixel by pixel; neither: all of it is read.
    PixelWindow window;
    PixelMap source;
    bool local = false; ///< HT: a fused layer takes it from its own core.

    /// What a part of the target reads of the source.
    MapPart needs(const MapPart& target) const;
};

/// A matrix layer, its weights and its work.
struct CrossbarLayoutLayer {
    LayerId layer;
    const LayerPartition* partition = nullptr;
    std::int64_t windows = 0;      ///< Products of an array group, see productsOfGroup().
    bool spans = false;            ///< Products are for several windows.
    int phases = 1;                ///< Of output pixels: a group works on the pixels of one.
    int groups = 0, crossbars = 0; ///< Of a replica.
    int arrayKind = 0;             ///< Which size of array, position in CrossbarLayoutModel::kinds.
    int maxReplicas = 1;
    double vectorNs = 0;    ///< Of one window on one vector unit: sums, bias, activation.
    double columnBytes = 0; ///< Of the sum of one column, when it goes to the core of results.
    std::vector<std::pair<int, int>> groupChannels; ///< Input channels a group reads: [begin, end).
    std::vector<std::pair<int, int>> groupColumns;  ///< Output channels it sums up: [begin, end).
    FlowId pool; ///< HT: flow into a pool that is computed with it, strip by strip; its borders are
                 ///< computed twice.
};

/// A layer that vector units compute.
struct CrossbarVectorLayer {
    LayerId layer;
    MatrixId home;       ///< Whose cores compute it; invalid: one core, its input lies in
                         ///< global memory.
    bool alike = false;  ///< In the strips of that layer; else in even ones.
    bool alone = false;  ///< In the first of those cores only.
    double vectorNs = 0; ///< Of one pixel.
};

struct CrossbarLayoutModel {
    const CrossbarNetwork* network = nullptr;
    const CrossbarChip* chip = nullptr;
    CrossbarReferee referee = CrossbarReferee::Profiler; ///< By whose clocks layouts are compared in LL.
    std::vector<LayerPartition> partitions;
    std::vector<CrossbarLayoutLayer> layers;  ///< One a matrix layer, as CrossbarNetwork::matrixLayers.
    std::vector<CrossbarVectorLayer> vectors; ///< Topological order.
    std::vector<CrossbarFlow> flows;
    std::vector<std::vector<FlowId>> flowsFrom, flowsTo; ///< [layer of the network]
    std::vector<MatrixId> entryOf; ///< [layer of the network] -> entry of \ref layers, if it has one.
    std::vector<std::vector<int>> homeVectors;    ///< [entry] -> positions in \ref vectors.
    std::vector<bool> inGlobalMemory;             ///< [layer] network inputs and what the host computes.
    std::vector<std::pair<int, int>> kinds;       ///< Sizes of arrays: rows, columns.
    std::vector<std::vector<int>> capacity;       ///< [kind][core] arrays.
    std::vector<int> wantedReplicas;              ///< [entry] what the user asks for; 0: free.
    std::vector<std::vector<PinnedGroup>> pinned; ///< [entry] These stay as they are.
    std::vector<bool> mustStore; ///< [layer of the network] the user or the host reads its map.
    /// HT: what goes to global memory in any case, see CrossbarSchedule::mapAddress.
    std::int64_t storedBytes = 0;
    std::int64_t outputBytes = 0; ///< LL: results of the network.

    int cores() const { return chip->cores(); }
    FirstIds<MatrixId> allEntries() const { return FirstIds<MatrixId>(std::ssize(layers)); }
    FirstIds<CoreId> allCores() const { return FirstIds<CoreId>(cores()); }
};

/// Errors: Internal where a partition is missing; IllegalOverride for a wish about a layer, replica, group or
/// core there is not.
Result<CrossbarLayoutModel> crossbarLayoutModel(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                std::vector<LayerPartition> partitions,
                                                const std::vector<LayerWish>& wishes = {});

} // namespace pim
