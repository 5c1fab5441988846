// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A network as the layout of its weights sees it: what every replica takes and computes, and which pixels move between which
/// layers. Built once; every strategy and the cost read it.
/// Flow: CrossbarNetwork + CrossbarChip + partitions -> [CrossbarLayoutModel] -> CrossbarLayoutCost, packing, strategies.
#include "core/crossbar/mapping.h"

#include <cstdint>
#include <vector>

namespace pim {

/// Pixels of a layer, numbered in raster order, that one reader needs from another: see CrossbarFlow::needs().
struct PixelSpan {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end > begin ? end - begin : 0; }
};

/// Data that one layer reads from another; layers that only rename elements (views, concatenations) are passed through.
struct CrossbarFlow {
    int from = 0, to = 0;      ///< Positions in CrossbarNetwork::layers; neither is passed through.
    double pixelBytes = 0;     ///< Of one pixel of \ref from.
    bool windowed = false;     ///< A window slides over it; else pixels meet in proportion.
    PixelWindow window;
    PixelMap source, target;
    double density = 1;        ///< Part of the pixels between first and last that is read: strides leave some out.

    /// Pixels of the source that target pixels [begin, end) read, from the first to the last.
    PixelSpan needs(PixelSpan target) const;
};

/// A matrix layer, its weights and its work.
struct CrossbarLayoutLayer {
    int layer = 0;              ///< Position in CrossbarNetwork::layers.
    const LayerPartition* partition = nullptr;
    std::int64_t windows = 0;
    int groups = 0, crossbars = 0; ///< Of a replica.
    int arrayKind = 0;          ///< Which size of array, position in CrossbarLayoutModel::kinds.
    int maxReplicas = 1;
    double vectorNs = 0;        ///< Of one window on one vector unit: sums, bias, activation.
    double gatherBytes = 0;     ///< Of one window from each core that holds some of its groups but not the first.
    int channels = 0;           ///< Input channels of the blocks …
    std::vector<PixelSpan> groupChannels; ///< … and which of them a group reads; end - begin of them, modulo channels.
};

/// A layer that vector units compute; its pixels belong to the cores that hold those of its first input.
struct CrossbarVectorLayer {
    int layer = 0;
    int owner = -1;         ///< Layer whose cores compute it; -1: the host or the input, which lie in global memory.
    double vectorNs = 0;    ///< Of one pixel.
};

struct CrossbarLayoutModel {
    const CrossbarNetwork* network = nullptr;
    const CrossbarChip* chip = nullptr;
    std::vector<LayerPartition> partitions;
    std::vector<CrossbarLayoutLayer> layers;      ///< One a matrix layer, as CrossbarNetwork::matrixLayers.
    std::vector<CrossbarVectorLayer> vectors;     ///< Topological order.
    std::vector<CrossbarFlow> flows;
    std::vector<std::vector<int>> flowsFrom, flowsTo; ///< [layer of the network] -> flows.
    std::vector<int> entryOf;                     ///< [layer of the network] -> entry of \ref layers, or -1.
    std::vector<std::vector<int>> ownedVectors;   ///< [layer of the network] -> entries of \ref vectors it owns at first hand.
    std::vector<bool> inGlobalMemory;             ///< [layer] network inputs and what the host computes.
    std::vector<std::pair<int, int>> kinds;       ///< Sizes of arrays: rows, columns.
    std::vector<std::vector<int>> capacity;       ///< [kind][core] arrays.
    std::vector<int> wantedReplicas;                     ///< [entry] what the user asks for; 0: free.
    std::vector<std::vector<std::pair<int, int>>> pinned; ///< [entry] (replica * groups + group, core); then it stays as it is.
    double inputBytes = 0, outputBytes = 0;       ///< Of the network, through global memory in any case.

    int cores() const { return chip->cores(); }
};

/// Errors: Internal where a partition is missing; IllegalOverride for a wish about a layer, replica, group or core there is not.
Result<CrossbarLayoutModel> crossbarLayoutModel(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                std::vector<LayerPartition> partitions,
                                                const std::vector<LayerWish>& wishes = {});

} // namespace pim
