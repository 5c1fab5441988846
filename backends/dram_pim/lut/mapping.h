// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A linear layer as look-ups on HBM-PIM and AiM: what the machine offers, how a table lies in the banks of its channels, and how
/// long that takes at least by the distances of the device. Flow: LutLayer + Target -> [mapLut] -> LutMapping -> code.h -> run.h.
/// [look-ups: PIM-DL, ASPLOS 2024, sections 3 and 6.7; "PIM instructions carry the LUT indices and drive the execution of PEs"]
///
/// Commands that compute address the same row and column in all banks of a channel, so an index, which selects a column, serves as
/// many features as a channel has lanes: a slice. Channels share the features, the rows of the input, or both. A unit keeps sums of
/// 16 lanes in its registers; those of some input rows (and slices) are a tile, for which the table passes by once: while a row of
/// a bank is open, every input row of the tile takes its entries from it.
#include "backends/hbm_pim/hbm_pim_machine.h"

#include <vector>

namespace pim::dram {

/// Output [rows, features]: the sum over codebooks of the table's row that an index [rows, codebooks] names.
struct LutLayer {
    std::int64_t rows = 0, codebooks = 0, centroids = 0, features = 0;
    friend bool operator==(const LutLayer&, const LutLayer&) = default;
};
/// Errors: Usage for a number that is not in [1, 2^31 - 1], or more centroids than an index of 16 bits can name.
Result<void> checkLayer(const LutLayer& layer);

enum class LutChip : std::uint8_t { HbmPim, Aim };

/// What no public source says of AiM. Its adder tree makes one number of 16 products, so sums of 16 lanes need what the chip is not
/// known to have: a MAC16 that leaves the tree out, and registers for the sums.
struct LutOptions {
    int accumulators = 16; ///< AiM: sums of 16 lanes of a bank, 1 to 64. HBM-PIM has its registers.
    /// Indices are no part of the commands that go out for nothing: they are written into the banks first, 2 bytes each, as they would
    /// have to be for units that address their bank by themselves.
    bool sendsIndices = false;
};

/// Clocks between commands of AiM, as the device gddr6-aim has them; the target's own where it names them.
struct AimDistances {
    std::int64_t mac = 2, openToMac = 56, macToClose = 12, closeToOpen = 32, openAgain = 89;
    std::int64_t mode = 32, registerAccess = 2, readToWrite = 3;
    std::int64_t openToWrite = 28, writeToClose = 41;
};

struct LutMachine {
    LutChip chip = LutChip::HbmPim;
    int channels = 1;
    int units = 8;                ///< Of a channel, 16 lanes each.
    int turns = 2;                ///< Banks of a unit: HBM-PIM's even and odd ones are open at the same time.
    int columns = 32;             ///< 32 bytes each, of a row of a bank.
    int registers = 15;           ///< Sums of a unit.
    std::int64_t bankRows = 4096; ///< For table and results.
    double tickNs = 1;
    bool sendsIndices = false;                     ///< LutOptions
    std::int64_t refresh = 0, refreshInterval = 0; ///< Clocks; 0: never.
    hbm::Machine hbm;
    AimDistances aim;

    int banks() const { return units * turns; }
    std::int64_t sliceFeatures() const { return std::int64_t(units) * 16; }
    /// Errors: Unsupported for a target whose units cannot do look-ups; Usage for options out of range; InvalidTarget.
    static Result<LutMachine> of(const Target& target, const LutOptions& options = {});
};

/// Where everything lies. Channel = row group x featureGroups + feature group.
struct LutMapping {
    std::int64_t rowGroups = 1, featureGroups = 1;
    std::int64_t rows = 1, slices = 1; ///< Of a channel; the last groups have padding.
    std::int64_t tileRows = 1, tileSlices = 1;
    std::int64_t rowTiles = 1, sliceTiles = 1; ///< Of a channel.
    /// Codebooks side by side in a row of a bank. A codebook that does not fit one lies in several `parts` of `entries` centroids,
    /// with a column of zeros in each: sums take an entry from every part, zeros where the index names another.
    std::int64_t codebooksOfRow = 1, parts = 1, entries = 1;
    std::int64_t visits = 1;    ///< Of a tile: codebooks x parts.
    std::int64_t tableRows = 1; ///< Of a bank, for a tile of slices.
    std::int64_t resultRows =
        0; ///< Of a bank, behind the table. AiM sends its results from the accumulators.

    std::int64_t indexRows = 0;    ///< Of a bank, behind the results; where indices are sent.
    std::int64_t indexColumns = 0; ///< Of all banks that these take.

    std::int64_t channels() const { return rowGroups * featureGroups; }
    std::int64_t sums() const { return tileRows * tileSlices; } ///< Registers of a unit.
    std::int64_t bankRows() const { return sliceTiles * tableRows + resultRows + indexRows; }
    std::int64_t tiles() const { return rowTiles * sliceTiles; }
    /// Commands of a channel that add.
    std::int64_t additions() const { return tiles() * visits * sums(); }
    friend bool operator==(const LutMapping&, const LutMapping&) = default;
};

/// Predicted clocks, refresh included.
struct LutTicks {
    double input = 0;   ///< Indices over the bus, where they are sent.
    double modes = 0;   ///< Entering and leaving the state in which units compute.
    double tables = 0;  ///< Additions, and rows that open with nothing to hide behind.
    double results = 0; ///< Of all tiles: registers cleared and stored or sent.
    double output = 0;  ///< HBM-PIM: results over the bus.
    double refresh = 0;
    double total() const { return input + modes + tables + results + output + refresh; }
};

/// Of one mapping.
LutTicks predict(const LutLayer& layer, const LutMapping& mapping, const LutMachine& machine);

struct LutPlan {
    LutMapping mapping;
    LutTicks ticks;
    std::int64_t candidates = 0; ///< Mappings that were priced.
};
/// The least predicted time of all: channels over features and rows, rows and slices of a tile; the first one in ascending order of
/// feature groups, tile slices, tile rows. Errors: as checkLayer; Unsupported if the table fits no mapping, with the rows it takes
/// and those there are.
/// \param all takes every mapping that was priced, in that order, if given.
Result<LutPlan> mapLut(const LutLayer& layer, const LutMachine& machine,
                       std::vector<LutMapping>* all = nullptr);

} // namespace pim::dram
