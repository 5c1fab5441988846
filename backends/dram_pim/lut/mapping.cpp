// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/lut/mapping.h"

#include "backends/dram_pim/lut/hbm_clocks.h"
#include "backends/dram_pim/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace pim::dram {
namespace {

constexpr std::int64_t kMostExtent = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kMostCentroids = 1 << 16;
constexpr int kMostAccumulators = 64;
/// A program of HBM-PIM adds to each register from the even and from the odd bank, and jumps back.
constexpr int kHbmInstructions = 32, kHbmSums = (kHbmInstructions - 1) / 2;
/// Its jump counts in 17 bits, a turn is two visits.
constexpr std::int64_t kHbmMostVisits = std::int64_t(2) << 17;

Result<LutMachine> hbmMachine(const Target& target, LutMachine machine) {
    PIM_TRY(machine.hbm, hbm::Machine::of(target));
    machine.chip = LutChip::HbmPim;
    machine.units = machine.hbm.blocks;
    machine.turns = 2;
    machine.columns = HbmPimGeometry::kBurstsPerRow;
    machine.bankRows = HbmPimGeometry::kDataRows;
    machine.registers = std::min(2 * machine.hbm.registers, kHbmSums);
    if (machine.refreshInterval > 0) {
        machine.refresh = machine.hbm.distances.refresh;
        machine.refreshInterval = machine.hbm.distances.refreshInterval;
    }
    return machine;
}

Result<LutMachine> aimMachine(const Target& target, LutMachine machine, const LutOptions& options) {
    if (options.accumulators < 1 || options.accumulators > kMostAccumulators)
        return fail(ErrorCode::Usage, fmt::format("{} accumulators of 16 lanes", options.accumulators), {},
                    fmt::format("1 to {} are possible", kMostAccumulators));
    const Cycles cycles(target);
    const auto count = [&](const char* name, double fallback) {
        return static_cast<std::int64_t>(cycles(name, fallback));
    };
    machine.chip = LutChip::Aim;
    machine.units = target.level("core")->count;
    machine.turns = 1;
    machine.columns = static_cast<int>(count("organisation.columns", 64));
    machine.bankRows = count("organisation.rows", 16384);
    machine.registers = options.accumulators;
    AimDistances& d = machine.aim;
    d.mac = count("timing.nCCDAB", 2);
    d.openToMac = count("timing.nRCDMAC", 56);
    d.macToClose = count("timing.nRTP", 12);
    d.closeToOpen = count("timing.nRP", 32);
    d.openAgain = count("timing.nRC", 89);
    d.mode = count("timing.nMODCH", 32);
    d.openToWrite = count("timing.nRCDWR", 28);
    d.writeToClose = count("timing.nCWL", 6) + count("timing.nBL", 2) + count("timing.nWR", 33);
    d.registerAccess = count("timing.nCCDS", 2);
    d.readToWrite = count("timing.nRegisterRead", 0) + count("timing.nBL", 2) + count("timing.nRTW", 1);
    if (machine.refreshInterval > 0) {
        machine.refresh = count("timing.nRFC", 240);
        machine.refreshInterval = count("timing.nREFI", 3800);
    }
    if (machine.units != 16 || machine.columns < 1)
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} banks a channel: the sums of 16 banks leave as one word", machine.units),
                    target.id);
    return machine;
}

/// The mapping with \p tileRows x \p tileSlices sums, all else follows.
LutMapping complete(const LutLayer& layer, const LutMachine& machine, LutMapping mapping) {
    const std::int64_t columns = machine.columns, width = layer.centroids * mapping.tileSlices;
    mapping.rowTiles = ceilDiv(mapping.rows, mapping.tileRows);
    mapping.sliceTiles = ceilDiv(mapping.slices, mapping.tileSlices);
    if (width <= columns) {
        mapping.codebooksOfRow = std::min(columns / width, ceilDiv(layer.codebooks, machine.turns));
        mapping.entries = layer.centroids;
        mapping.parts = 1;
    } else {
        mapping.codebooksOfRow = 1;
        mapping.entries = (columns - 1) / mapping.tileSlices;
        mapping.parts = ceilDiv(layer.centroids, mapping.entries);
    }
    mapping.visits = layer.codebooks * mapping.parts;
    mapping.tableRows = ceilDiv(mapping.visits, mapping.codebooksOfRow * machine.turns);
    mapping.resultRows = machine.chip == LutChip::HbmPim
                             ? mapping.sliceTiles * ceilDiv(mapping.rowTiles, columns / machine.hbm.registers)
                             : 0;
    if (machine.sendsIndices) {
        constexpr std::int64_t kIndicesOfWord = 16;
        mapping.indexColumns =
            ceilDiv(ceilDiv(mapping.rows * layer.codebooks, kIndicesOfWord), machine.banks());
        mapping.indexRows = ceilDiv(mapping.indexColumns, columns);
    }
    return mapping;
}

struct Clocks {
    double input = 0, modes = 0, tables = 0, results = 0, output = 0;
};

/// Both rows of a pair open at the same time: one is read while the other closes and opens again.
Clocks hbmClocks(const LutMapping& mapping, const LutMachine& machine) {
    const hbm::Distances& d = machine.hbm.distances;
    const std::int64_t column = d.column, sums = mapping.sums(), visit = sums * column;
    const std::int64_t readyToWrite = d.openToWrite + d.allBankWindow;
    Clocks clocks;
    const HbmTileClocks tile(d, sums, mapping.codebooksOfRow);
    clocks.tables = double(mapping.tiles()) * double(tile.lastRead(mapping.visits - 1));
    const std::int64_t registersOdd = std::max<std::int64_t>(0, sums - machine.hbm.registers),
                       registersEven = sums - registersOdd;
    const bool lastIsEven = mapping.visits % 2 == 1;
    // From the last read on: the program is stopped while the row of results opens in the banks that were read last, then in the
    // others.
    const std::int64_t stop = std::max(d.readToWrite, d.readToClose + d.closeToOpen + readyToWrite - visit);
    const std::int64_t sameBanks = d.readToClose + d.closeToOpen + readyToWrite;
    const std::int64_t otherBanks =
        std::max(stop + d.writeToClose + d.closeToOpen, d.readToClose + d.closeToOpen + d.openAllToOpen()) +
        readyToWrite;
    const std::int64_t inSame = lastIsEven ? registersEven : registersOdd,
                       inOther = lastIsEven ? registersOdd : registersEven;
    std::int64_t stored = stop;
    if (inSame > 0)
        stored = std::max(stored, sameBanks) + (inSame - 1) * column;
    if (inOther > 0)
        stored = std::max(stored + (inSame > 0 ? column : 0), otherBanks) + (inOther - 1) * column;
    clocks.results = double(mapping.tiles()) * double(stored + d.writeToClose + d.closeToOpen);
    const double leave = double(d.openAllToOpen() + d.openToClose + d.allBankWindow + d.closeToOpen);
    clocks.modes = double(d.enter() + d.openToClose + d.closeToOpen + readyToWrite + 3 * column +
                          d.writeToClose + d.closeToOpen) +
                   leave;
    const int banks = registersOdd > 0 ? machine.banks() : machine.units;
    const double buses = machine.hbm.buses();
    const double words = double(mapping.tiles() * sums * machine.units);
    const double opens =
        double(std::max<std::int64_t>(d.open * banks, d.window * (banks / 4))) / double(machine.hbm.ranks());
    clocks.output =
        words * double(d.otherColumn) / buses +
        double(mapping.resultRows) * (opens + double(d.openToRead + d.readToClose + d.closeToOpen - d.open)) +
        double(d.readDone);
    const std::int64_t allOpens =
        std::max<std::int64_t>(d.open * machine.banks(), d.window * (machine.banks() / 4)) /
        machine.hbm.ranks();
    clocks.input = double(mapping.indexColumns * machine.banks() * d.otherColumn) / buses +
                   double(mapping.indexRows) *
                       double(allOpens + d.openToWrite + d.writeToClose + d.closeToOpen - d.open);
    return clocks;
}

/// One row of all banks is open at a time, nothing hides that it changes; results leave behind the change at the end of a tile.
Clocks aimClocks(const LutMapping& mapping, const LutMachine& machine) {
    const AimDistances& d = machine.aim;
    const std::int64_t additions = mapping.visits * mapping.sums();
    const std::int64_t change = std::max(d.macToClose + d.closeToOpen + d.openToMac, d.openAgain) - d.mac;
    Clocks clocks;
    clocks.tables = double(mapping.tiles()) * double(additions * d.mac + (mapping.tableRows - 1) * change);
    const std::int64_t reads = mapping.sums() * 16 * d.registerAccess,
                       clears = mapping.sums() * d.registerAccess;
    const std::int64_t outside = 2 * d.mode + reads + d.readToWrite + clears;
    const std::int64_t opening = mapping.tableRows > 1 ? d.macToClose + d.closeToOpen : 0;
    clocks.results = double(mapping.tiles()) * double(opening + outside);
    clocks.modes = double(d.openToMac + machine.columns * d.registerAccess);
    clocks.input =
        double(mapping.indexColumns * machine.banks() * d.registerAccess) +
        double(mapping.indexRows) * double(d.openToWrite + d.writeToClose + d.closeToOpen - d.registerAccess);
    return clocks;
}

} // namespace

Result<void> checkLayer(const LutLayer& layer) {
    for (const auto& [name, extent] : {std::pair("N", layer.rows), std::pair("CB", layer.codebooks),
                                       std::pair("CT", layer.centroids), std::pair("F", layer.features)})
        if (extent < 1 || extent > kMostExtent)
            return fail(ErrorCode::Usage, fmt::format("{} = {}", name, extent), {},
                        fmt::format("allowed are 1 to {}", kMostExtent));
    if (layer.centroids > kMostCentroids)
        return fail(ErrorCode::Usage, fmt::format("CT = {} centroids", layer.centroids), {},
                    fmt::format("an index of 16 bits names {} at most", kMostCentroids));
    return {};
}

Result<LutMachine> LutMachine::of(const Target& target, const LutOptions& options) {
    const bool isHbm = target.backend == "hbm_pim", isAim = target.backend == "aim";
    if (!isHbm && !isAim)
        return fail(ErrorCode::Unsupported, "has no units that add what a column command reads to a sum",
                    target.id, "HBM-PIM and AiM do: hbm-pim, aim-32 and their relatives");
    LutMachine machine;
    machine.channels = static_cast<int>(target.instances("group"));
    if (machine.channels < 1 || target.level("core") == nullptr)
        return fail(ErrorCode::InvalidTarget, "has no channels with units", target.id,
                    "levels \"group\" and \"core\"");
    machine.tickNs = Cycles(target).nsPerCycle();
    machine.sendsIndices = options.sendsIndices;
    machine.refreshInterval = target.isOn("policy.refresh") ? 1 : 0;
    return isHbm ? hbmMachine(target, machine) : aimMachine(target, machine, options);
}

LutTicks predict(const LutLayer&, const LutMapping& mapping, const LutMachine& machine) {
    const bool isHbm = machine.chip == LutChip::HbmPim;
    const Clocks clocks = isHbm ? hbmClocks(mapping, machine) : aimClocks(mapping, machine);
    LutTicks ticks{clocks.input, clocks.modes, clocks.tables, clocks.results, clocks.output, 0};
    if (machine.refreshInterval <= 0)
        return ticks;
    const auto interval = double(machine.refreshInterval);
    double each = double(machine.refresh);
    if (isHbm) { // every other interval two of them, with rows that have to be closed and opened again
        const hbm::Distances& d = machine.hbm.distances;
        each +=
            double(d.readToClose + d.closeToOpen + d.openAllToOpen() + d.openToRead + d.allBankWindow) / 2;
    }
    const double without = ticks.total();
    ticks.refresh = without >= interval ? without * each / (interval - each) : 0;
    return ticks;
}

Result<LutPlan> mapLut(const LutLayer& layer, const LutMachine& machine, std::vector<LutMapping>* all) {
    PIM_CHECK(checkLayer(layer));
    const std::int64_t words = ceilDiv(layer.features, 16);
    std::optional<LutPlan> best;
    std::int64_t candidates = 0, fewestRows = std::numeric_limits<std::int64_t>::max();
    const auto consider = [&](LutMapping mapping) {
        mapping = complete(layer, machine, mapping);
        fewestRows = std::min(fewestRows, mapping.bankRows());
        const bool countable = machine.chip != LutChip::HbmPim || mapping.visits <= kHbmMostVisits;
        if (mapping.bankRows() > machine.bankRows || !countable)
            return;
        ++candidates;
        if (all)
            all->push_back(mapping);
        const LutTicks ticks = predict(layer, mapping, machine);
        if (!best || ticks.total() < best->ticks.total())
            best = LutPlan{mapping, ticks, 0};
    };
    for (std::int64_t groups = 1; groups <= machine.channels; ++groups) {
        LutMapping mapping;
        mapping.slices = ceilDiv(ceilDiv(words, groups), machine.units);
        mapping.featureGroups = ceilDiv(words, mapping.slices * machine.units);
        if (mapping.featureGroups != groups)
            continue; // fewer channels do the same
        mapping.rows = ceilDiv(layer.rows, machine.channels / groups);
        mapping.rowGroups = ceilDiv(layer.rows, mapping.rows);
        const std::int64_t mostSlices =
            std::min<std::int64_t>({mapping.slices, machine.registers, machine.columns - 1});
        for (mapping.tileSlices = 1; mapping.tileSlices <= mostSlices; ++mapping.tileSlices) {
            const std::int64_t most = std::min(mapping.rows, machine.registers / mapping.tileSlices);
            for (mapping.tileRows = 1; mapping.tileRows <= most; ++mapping.tileRows)
                if (ceilDiv(mapping.rows, ceilDiv(mapping.rows, mapping.tileRows)) == mapping.tileRows)
                    consider(mapping);
        }
    }
    if (!best)
        return fail(ErrorCode::Unsupported,
                    fmt::format("the table takes {} rows of every bank at least, with what it adds up to; "
                                "there are {}",
                                fewestRows, machine.bankRows),
                    fmt::format("N = {}, CB = {}, CT = {}, F = {}", layer.rows, layer.codebooks,
                                layer.centroids, layer.features),
                    "take fewer centroids or codebooks, split the features, or a target with more channels");
    best->candidates = candidates;
    return *best;
}

} // namespace pim::dram
