// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where the weights of a network lie on a machine of crossbar cores: how each layer is unfolded into matrices and cut into
/// array groups, how often it is there (replicas), which core holds which array group.
/// Flow: CrossbarNetwork + CrossbarChip -> partition -> [CrossbarMapping] -> schedule.
#include "backends/crossbar/ids.h"
#include "backends/crossbar/network.h"
#include "backends/crossbar/options.h"
#include "core/base/task.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pim {

std::string_view name(CrossbarMode mode); ///< "ht", "ll"
std::optional<CrossbarMode> crossbarModeNamed(std::string_view text);

/// (H, W, P): P matrices of H rows and W columns. I, O channels of a group, K kernel rows and columns. [PIMCOMP Table IV]
enum class Unfolding : std::uint8_t {
    InputByPosition,  ///< (I, O, K^2): a matrix for each place of the kernel.
    AllPositions,     ///< (I, O K^2, 1): a product for each input pixel, results of K^2 windows.
    RowByRow,         ///< (I K, O, K): a matrix for each row of the kernel.
    RowAcrossWindows, ///< (I K, O K, 1): a kernel row at a time, results of K windows.
    WholeWindow       ///< (I K^2, O, 1)
};
std::string_view name(Unfolding unfolding); ///< "i,o,k2" … as in overrides and tables.
std::optional<Unfolding> unfoldingNamed(std::string_view text);

/// Part of one replica's weights that one mvm drives: arrays of a core that share their input.
///
/// Rows are numbered over the window: (ky * kernelX + kx) * C + c, c over the input channels of the blocks it
/// holds. WholeWindow, RowByRow and InputByPosition differ only in where rows are cut; so the rows of such a
/// group are a range. A group of blocks (grouped convolution) holds its channel groups block-diagonally:
/// input channels [blockBegin * I, (blockBegin + blocks) * I), output channels [blockBegin * O + columnBegin,
/// …); it then has all K^2 * I rows. A group of a transposed convolution is for the pixels of one phase: its
/// rows are numbered over the window of that phase (phaseWindow()), and it works when a pixel of the phase is
/// computed. Columns of AllPositions are numbered (ky * kernelX + kx) * O + o, those of RowAcrossWindows ky *
/// O + o: see spansWindows().
struct ArrayGroupShape {
    int blockBegin = 0, blocks = 1;   ///< Channel groups of the convolution; 0, 1 for an ordinary one.
    int rowBegin = 0, rows = 0;       ///< Of the K^2 * I * blocks rows of a window (one matrix column).
    int columnBegin = 0, columns = 0; ///< Output channels it gives, within those of its blocks; where it
                                      ///< spans windows, of all of them.
    int crossbars = 0;                ///< Arrays it takes.
    int phase = 0;                    ///< PixelWindow::phaseOf() of its output pixels.

    friend bool operator==(const ArrayGroupShape&, const ArrayGroupShape&) = default;
};

/// One matrix layer cut for one size of array.
struct LayerPartition {
    LayerId layer{0};
    Unfolding unfolding = Unfolding::WholeWindow;
    /// Of the unfolding, per channel group; of phases the largest h and the sum of p.
    std::int64_t h = 0, w = 0, p = 0;
    int arrayRows = 0, arrayColumns = 0;
    std::vector<ArrayGroupShape> groups; ///< Of one replica.
    int crossbars() const {
        int sum = 0;
        for (const ArrayGroupShape& group : groups)
            sum += group.crossbars;
        return sum;
    }

    friend bool operator==(const LayerPartition&, const LayerPartition&) = default;
};

struct LayerMapping {
    LayerPartition partition;
    int replicas = 1;
    std::vector<CoreId> cores;  ///< [replica * groups + group]
    ArrayGroupId firstGroup{0}; ///< Its first one in the whole machine.
    int groups() const { return int(partition.groups.size()); }
    /// Position of a replica's array group in \ref cores, which pins name too.
    int position(ReplicaId replica, GroupId group) const { return replica.value * groups() + group.value; }
    CoreId core(ReplicaId replica, GroupId group) const {
        return cores[std::size_t(position(replica, group))];
    }
    /// Its number in the machine: CrossbarInstruction::index of an mvm.
    ArrayGroupId number(ReplicaId replica, GroupId group) const {
        return ArrayGroupId(firstGroup.value + position(replica, group));
    }

    friend bool operator==(const LayerMapping&, const LayerMapping&) = default;
};

/// A layout no other one a search met beats in everything, by estimates.
struct MappingTradeOff {
    double periodNs = 0;  ///< In HT.
    double latencyNs = 0; ///< In LL.
    /// Of a sample in the mode that was searched for; 0 where the target has no figures.
    double energyPj = 0;
    std::vector<int> replicas; ///< [entry of CrossbarMapping::layers]
};

/// HT: how layers share the stages of a mapping's program, as a search timed it: with these a schedule makes that program again.
struct MappedStages {
    int layersAStage = 1; ///< That wait for each other in a stage at most.
    /// Layers that take rows from others of their stage, rising; empty: all that layersAStage lets.
    std::vector<LayerId> waiting;
    /// How long a round with a stage for every layer takes, about; 0: that program is made and timed.
    double roundNs = 0;

    friend bool operator==(const MappedStages&, const MappedStages&) = default;
};

/// LL: how maps are dealt out to the cores of their layers.
struct MappedTiles {
    /// Layers whose maps have at least so many rows are dealt out in tiles: each is computed by all its cores at once, which hand on
    /// borders when it is done. 0: none; all are dealt out in strips and follow each other row by row.
    int fromRows = 0;
    /// Strips are cut into so many bands of rows, each of which is handed on as a whole, and computed without a break
    /// where transfers hold cores up until all they have begun is done. 0: row by row.
    int bands = 0;

    friend bool operator==(const MappedTiles&, const MappedTiles&) = default;
};

/// How good a search was when.
struct SearchPoint {
    std::int64_t evaluations = 0; ///< Made until then: HT programs that were timed, LL and genetic estimates.
    double ns = 0;                ///< By those.

    friend bool operator==(const SearchPoint&, const SearchPoint&) = default;
};

struct CrossbarMapping {
    CrossbarMode mode = CrossbarMode::HighThroughput;
    std::vector<LayerMapping> layers; ///< One a matrix layer, in the order of CrossbarNetwork::matrixLayers.
    std::string strategy;             ///< Who made it: "constructive", "search", "genetic", …
    MappedStages stages;              ///< HT: of the schedule, where nobody asks for others.
    MappedTiles tiles;                ///< LL
    /// Best objective after each improvement; empty where nothing was searched.
    std::vector<SearchPoint> history;
    std::vector<MappingTradeOff> tradeOffs; ///< Shortest period first; empty where nothing was searched.

    int arrayGroups() const {
        return layers.empty() ? 0 : layers.back().firstGroup.value + int(layers.back().cores.size());
    }
    /// Sets LayerMapping::firstGroup of all.
    void number();
    /// Entry of a matrix layer; null for other layers.
    const LayerMapping* of(LayerId layer) const;
    const LayerMapping& at(MatrixId entry) const { return layers[entry.index()]; }
    /// Where array group \p number is.
    struct Place {
        MatrixId entry;
        ReplicaId replica;
        GroupId group;
    };
    Place place(ArrayGroupId number) const;
};

/// Array group a user has put in a core.
struct PinnedGroup {
    int position = 0; ///< LayerMapping::position()
    CoreId core;
    friend auto operator<=>(const PinnedGroup&, const PinnedGroup&) = default;
};

/// What a user asks of a layer.
struct LayerWish {
    std::string layer; ///< Name.
    std::optional<Unfolding> unfolding;
    std::optional<int> replicas;
    std::vector<PinnedGroup> cores;
};

struct MappingOptions {
    CrossbarMode mode = CrossbarMode::HighThroughput;
    std::string strategy = "constructive"; ///< See mappingStrategies().
    std::vector<LayerWish> wishes;
    unsigned seed = 1;
    int evaluations = kAutomaticEvaluations; ///< Of a search, see CrossbarOptions.
    std::optional<double> seconds;           ///< In place of evaluations.
    int threads = 0;                         ///< 0: jobs().
    CrossbarReferee referee = CrossbarReferee::Profiler;
    /// HT: of the programs a search times; kMappedStages: it tries some and chooses.
    int layersAStage = kMappedStages;
    int population = 200, iterations = 1000; ///< Of the genetic algorithm. [PIMCOMP §VIII-D]
};

/// What a mapping will cost, without a program. Nanoseconds of one round through all windows of a sample.
struct CrossbarCost {
    double periodNs = 0; ///< HT: the largest of the bounds below with their overlaps; LL: latency.
    double issueNs = 0;  ///< Products of the busiest core.
    double vectorNs = 0, localNs = 0;
    double globalNs = 0;  ///< Loads and stores of the busiest chip.
    double networkNs = 0; ///< Bus or busiest link.
    double offChipNs = 0;
    double energyPj = 0; ///< 0 where the target has no figures.
    std::int64_t loadBytes = 0, storeBytes = 0, networkBytes = 0, offChipBytes = 0;
    CoreId busiestCore;
};

/// Arrays a group of a layer may have where a core has \p coreArrays of them: all, unless its local memory then holds results of few
/// products, and the others would have to wait for these to be added up. \p columns: of the layer's matrix.
int mostGroupArrays(const CrossbarChip& chip, int coreArrays, int arrayColumns, std::int64_t columns);

/// Cuts a layer for arrays of one size. \p coreArrays: a group that needs more arrays is cut in columns.
/// Errors: IllegalOverride for an unfolding that is not valid here.
Result<LayerPartition> partitionLayer(const CrossbarNetwork& network, LayerId layer, Unfolding unfolding,
                                      int arrayRows, int arrayColumns, int coreArrays);
/// PIMCOMP's rule (§V-B): H W P = I O K^2 and the rows, which are summed, do not run over output channels. The five of Table IV
/// keep it; block-diagonal groups hold whole windows, so grouped convolutions have that one alone.
bool isValidUnfolding(const MatrixWork& work, Unfolding unfolding);
/// Why no schedule can have it; empty: it can.
std::string_view whyNotUnfolded(const MatrixWork& work, Unfolding unfolding);
/// Does a product give sums of several windows? AllPositions and RowAcrossWindows, but where kernels have one
/// place, or one row, which are whole windows then.
bool spansWindows(const MatrixWork& work, Unfolding unfolding);
/// Output channels [first, second) an array group has sums for, of whichever windows.
std::pair<int, int> outputChannels(const MatrixWork& work, const ArrayGroupShape& group);
/// Extents of a matrix of an unfolding, per channel group. \p window: of a phase.
struct UnfoldedMatrix {
    std::int64_t rows = 0, columns = 0;
};
UnfoldedMatrix unfoldedMatrix(const MatrixWork& work, const PixelWindow& window, Unfolding unfolding);
/// Products of an array group for a sample: one a window; where they span windows, one for each pair of input
/// row and output column, or each input pixel, that some window reads. Several replicas deal them out;
/// borders of their strips are multiplied twice.
std::int64_t productsOfGroup(const CrossbarNetwork& network, LayerId layer, Unfolding unfolding);

/// Theoretical figures of Table IV, for choices and tables. Elements and products.
struct UnfoldingFigures {
    double cycles = 0, loads = 0, memory = 0;
};
UnfoldingFigures unfoldingFigures(const CrossbarLayer& layer, Unfolding unfolding);

/// One partition a matrix layer: the paper's greedy rule (fewest cycles; then in HT least load, in LL least memory), but never
/// one that takes more arrays than another with as few cycles; wishes first. With mixed sizes: the size that wastes least.
/// Errors: InvalidTarget where the network does not fit once, with the deficit of each layer; IllegalOverride.
Result<std::vector<LayerPartition>> partitionNetwork(const CrossbarNetwork& network, const CrossbarChip& chip,
                                                     const MappingOptions& options);

/// Does every array group lie in a core that has arrays for it? Errors: InvalidTarget with the core and the numbers.
Result<void> checkMapping(const CrossbarMapping& mapping, const CrossbarNetwork& network,
                          const CrossbarChip& chip);

/// Names of strategies mapNetwork() knows, best first.
std::vector<std::string> mappingStrategies();
/// Replication and placement by \p options.strategy. The seed decides everything, unless seconds are asked for.
/// Errors: InvalidTarget (does not fit, with deficits), IllegalOverride, NotFound (strategy), Cancelled.
Result<CrossbarMapping> mapNetwork(const CrossbarNetwork& network, const CrossbarChip& chip,
                                   const MappingOptions& options, const TaskContext& task = {});

/// Fast estimate, agreed with the schedules. Where local memories suffice, HT is up to a third and LL a few percent off the
/// profiler's figure; layouts are ranked as programs are (tests/bench/bench_crossbar_rank).
CrossbarCost estimateCost(const CrossbarNetwork& network, const CrossbarChip& chip,
                          const CrossbarMapping& mapping,
                          CrossbarReferee referee = CrossbarReferee::Profiler);

} // namespace pim
