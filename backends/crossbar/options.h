// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a user chooses about a whole network on a machine of crossbar cores.
#include <cstdint>
#include <optional>
#include <string>

namespace pim {

enum class CrossbarMode : std::uint8_t {
    HighThroughput, ///< Layers work on different samples; one group of the program is one round of windows.
    LowLatency      ///< A layer begins as soon as the pixels it needs are there.
};

/// Whose time decides between the programs a search finds, and by whose clocks programs are made.
enum class CrossbarReferee : std::uint8_t {
    Profiler,      ///< profile.h
    PimcompCompat, ///< compat.h, a product of 800 ns: for comparisons on equal terms with PIMCOMP-NN.
    PimcompNominal ///< compat.h, a product as long as the target says.
};

/// Values of CrossbarOptions::layersAStage that are no number of layers.
constexpr int kMappedStages = -1;   ///< What CrossbarMapping::layersAStage says.
constexpr int kAutomaticStages = 0; ///< As many as cost the period little, see schedule/stage_groups.h.
/// Of CrossbarOptions::evaluations: by the size of a program, see search/search_budget.h.
constexpr int kAutomaticEvaluations = 0;
/// Of CrossbarOptions::tilesFromRows.
constexpr int kMappedTiles = -1; ///< What CrossbarMapping::tiles says.

struct CrossbarOptions {
    CrossbarMode mode = CrossbarMode::HighThroughput;
    std::string strategy = "search"; ///< Who replicates and places: one of mappingStrategies().
    /// High throughput: layers that wait for each other within a round; or one of the values above.
    int layersAStage = kMappedStages;
    /// Low latency: layers whose maps have so many rows or more are dealt out in tiles, 0: none; or the value above.
    int tilesFromRows = kMappedTiles;
    /// What a search may spend: programs made and timed, and estimates in proportion; or the value above. The same
    /// mapping on every machine and with any number of threads.
    int evaluations = kAutomaticEvaluations;
    /// What a search may spend instead: what it finds then depends on the machine.
    std::optional<double> seconds;
    CrossbarReferee referee = CrossbarReferee::Profiler;
    int population = 200;  ///< Of the genetic algorithm. [PIMCOMP §VIII-D]
    int iterations = 1000; ///< Likewise.

    friend bool operator==(const CrossbarOptions&, const CrossbarOptions&) = default;
};

} // namespace pim
