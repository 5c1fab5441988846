// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/split_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace pim::upmem::detail {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
/// Sums here are made in another order than in the cost model: what lies so close is compared by the cost model.
constexpr double kRounding = 1e-12;
/// Powers of two that loads are made of: up to 512 features or codebooks, 2048 of both.
constexpr int kLog2Load = 9, kLog2Size = 11;

int log2Of(std::int64_t power) {
    return std::countr_zero(static_cast<std::uint64_t>(power));
}

std::vector<std::int64_t> dividing(const std::vector<std::int64_t>& divisors, std::int64_t number) {
    std::vector<std::int64_t> tiles;
    for (const std::int64_t divisor : divisors)
        if (number % divisor == 0)
            tiles.push_back(divisor);
    return tiles;
}

/// All loads of a tile in the order of the space.
template <class Visit>
void forEachLoad(const LutSpace& space, const LutKernel& tile, const Visit& visit) {
    LutKernel kernel = tile;
    kernel.load = LutLoad::Static;
    visit(kernel);
    kernel.load = LutLoad::Fine;
    kernel.loadFeatures = kDmaStep; // longer ones take more cycles a feature, and more WRAM
    if (tile.features % kDmaStep == 0)
        visit(kernel);
    kernel.load = LutLoad::Coarse;
    if (tile.features % 3 == 0 || tile.codebooks % 3 == 0)
        return;
    if (space.reading != LutReading::Released) {
        for (const LutSpace::CoarseLoad& load : space.coarse) {
            kernel.loadFeatures = load.features;
            kernel.loadCodebooks = load.codebooks;
            if (tile.features % load.features == 0 && tile.codebooks % load.codebooks == 0)
                visit(kernel);
        }
        return;
    }
    for (const std::int64_t features : dividing(space.featureDivisors, tile.features))
        for (const std::int64_t codebooks : dividing(space.codebookTiles, tile.codebooks)) {
            kernel.loadFeatures = features;
            kernel.loadCodebooks = codebooks;
            visit(kernel);
        }
}

} // namespace

std::vector<std::int64_t> divisors(std::int64_t number) {
    std::vector<std::int64_t> small, large;
    for (std::int64_t divisor = 1; divisor <= number / divisor; ++divisor)
        if (number % divisor == 0) {
            small.push_back(divisor);
            if (divisor != number / divisor)
                large.push_back(number / divisor);
        }
    small.insert(small.end(), large.rbegin(), large.rend());
    return small;
}

LutSpace::LutSpace(const LutLayer& itsLayer, LutReading itsReading)
    : layer(itsLayer), reading(itsReading), rowDivisors(divisors(itsLayer.rows)),
      featureDivisors(divisors(itsLayer.features)), codebookTiles(divisors(itsLayer.codebooks)) {
    for (const CoarseReduce& measured : coarseReduces()) {
        const std::int64_t size = measured.features * measured.codebooks, bytes = size * layer.centroids;
        if (!isPiece(bytes))
            continue;
        coarse.push_back(
            {measured.features, measured.codebooks, bytes,
             measured.cycles / static_cast<double>(layer.tasklets * size),
             coarseTableCycles(static_cast<double>(bytes / layer.tasklets)) / static_cast<double>(size),
             log2Of(measured.features), log2Of(measured.codebooks)});
    }
}

bool LutSpace::isPiece(std::int64_t bytes) const {
    return isTaskletPiece(bytes, layer.tasklets, reading);
}

std::optional<BestKernel> bestKernel(const LutSpace& space, const LutSplit& split, const LutTimes& transfers,
                                     const LutKernel& tile) {
    std::optional<BestKernel> best;
    forEachLoad(space, tile, [&](LutKernel kernel) {
        if (refusalOf(space.layer, {split, kernel}, space.reading))
            return;
        // fnc takes what nfc takes, cnf what ncf takes, fcn and cfn never less: the first of equals is one of these.
        for (const LutLoopOrder order : {LutLoopOrder::Nfc, LutLoopOrder::Ncf}) {
            kernel.order = order;
            const LutTimes times = lutTimes(space.layer, {split, kernel}, transfers);
            if (!best || times.kernel() < best->times.kernel())
                best = BestKernel{kernel, times};
        }
    });
    return best;
}

std::string whyNoKernel(const LutSpace& space, const LutSplit& split, const LutKernel& tile) {
    std::string reason;
    std::array<bool, 3> said{};
    forEachLoad(space, tile, [&](const LutKernel& kernel) {
        const LutMapping mapping{split, kernel};
        const auto refusal = refusalOf(space.layer, mapping, space.reading);
        if (!refusal || std::exchange(said[static_cast<std::size_t>(kernel.load)], true))
            return;
        // What holds for every load is said once.
        if (refusal->rule < LutRule::TablePiece)
            said.fill(true);
        reason +=
            fmt::format("{}{}{}{}", reason.empty() ? "" : "; ", said[2] && said[1] ? "" : name(kernel.load),
                        said[2] && said[1] ? "" : ": ", text(*refusal, space.layer, mapping));
    });
    return reason;
}

std::optional<NearMiss> nearestMiss(const LutSpace& space, const LutSplit& split, const LutKernel& tile) {
    std::optional<NearMiss> closest;
    bool possible = false;
    forEachLoad(space, tile, [&](const LutKernel& kernel) {
        const LutMapping mapping{split, kernel};
        const auto refusal = refusalOf(space.layer, mapping, space.reading);
        possible = possible || !refusal;
        if (refusal && (!closest || NearMiss{mapping, *refusal}.isCloserThan(*closest)))
            closest = NearMiss{mapping, *refusal};
    });
    return possible ? std::nullopt : closest;
}

/// A tile of rows: what follows from it, whatever its features are.
struct SplitSearch::RowTile {
    struct Codebooks {
        std::int64_t codebooks = 0, indexBytes = 0;
        double indexCycles = 0; ///< Of all index tiles, each loaded once.
        double turns = 0;       ///< Codebooks over those of the tile.
    };
    RowTile(const LutSpace& space, const LutSplit& split, std::int64_t tileRows);
    /// Least cycles of a coarse load and its additions for each row x feature x codebook.
    double coarse(std::int64_t features, std::int64_t codebooks, std::int64_t roomBytes,
                  std::int64_t centroids) const;

    std::int64_t rows;
    std::vector<Codebooks> codebooks;

private:
    static std::size_t at(int features, int codebooks, int size) {
        return static_cast<std::size_t>((features * (kLog2Load + 1) + codebooks) * (kLog2Size + 1) + size);
    }
    int m_mostFeatures, m_mostCodebooks; ///< Powers of two in the whole layer.
    std::array<double, (kLog2Load + 1) * (kLog2Load + 1) * (kLog2Size + 1)> m_least;
};

SplitSearch::RowTile::RowTile(const LutSpace& space, const LutSplit& split, std::int64_t tileRows)
    : rows(tileRows), m_mostFeatures(std::min(log2Of(split.features), kLog2Load)),
      m_mostCodebooks(std::min(log2Of(space.layer.codebooks), kLog2Load)) {
    for (const std::int64_t tile : space.codebookTiles) {
        const std::int64_t bytes = rows * tile * kLutIndexBytes;
        if (bytes > kLutWramBytes)
            break;
        if (space.isPiece(bytes))
            codebooks.push_back({tile, bytes,
                                 static_cast<double>(split.rows * space.layer.codebooks / (rows * tile)) *
                                     readCycles(static_cast<double>(bytes / space.layer.tasklets)),
                                 static_cast<double>(space.layer.codebooks / tile)});
    }
    m_least.fill(kNever);
    for (const LutSpace::CoarseLoad& load : space.coarse) {
        double& least =
            m_least[at(load.log2Features, load.log2Codebooks, load.log2Features + load.log2Codebooks)];
        least = std::min(least, load.reduce + load.load / static_cast<double>(rows));
    }
    for (int features = 0; features <= m_mostFeatures; ++features)
        for (int codes = 0; codes <= m_mostCodebooks; ++codes)
            for (int size = 0; size <= kLog2Size; ++size) {
                double& least = m_least[at(features, codes, size)];
                if (features > 0)
                    least = std::min(least, m_least[at(features - 1, codes, size)]);
                if (codes > 0)
                    least = std::min(least, m_least[at(features, codes - 1, size)]);
                if (size > 0)
                    least = std::min(least, m_least[at(features, codes, size - 1)]);
            }
}

double SplitSearch::RowTile::coarse(std::int64_t features, std::int64_t codes, std::int64_t roomBytes,
                                    std::int64_t centroids) const {
    const std::int64_t size = roomBytes / centroids;
    if (size < 1 || features % 3 == 0 || codes % 3 == 0)
        return kNever;
    const int log2Size = std::bit_width(static_cast<std::uint64_t>(size)) - 1;
    return m_least[at(std::min(log2Of(features), kLog2Load), std::min(log2Of(codes), kLog2Load),
                      std::min(log2Size, kLog2Size))];
}

SplitSearch::SplitSearch(const LutSpace& space, const LutSplit& split)
    : m_space(space), m_split(split), m_transfers(transferTimes(space.layer, split)),
      m_featureTiles(dividing(space.featureDivisors, split.features)),
      m_work(static_cast<double>(split.rows * split.features * space.layer.codebooks)) {
    for (const std::int64_t tile : space.rowDivisors)
        if (split.rows % tile == 0 && tile % space.layer.tasklets == 0)
            m_rowTiles.push_back(tile);
    // Half a cycle for each byte of index, which every tasklet loads at least once.
    const double index =
        static_cast<double>(split.rows * space.layer.codebooks) / static_cast<double>(space.layer.tasklets);
    m_bound = m_transfers.transfers() + (leastReduce() + index) / kLutClockHz * (1 - kRounding);
}

double SplitSearch::leastReduce() const {
    const LutLayer& layer = m_space.layer;
    const auto tasklets = static_cast<double>(layer.tasklets);
    double least = m_work / (tasklets * double(kDmaStep)) * fineReduceCycles(kDmaStep);
    const std::int64_t table = layer.codebooks * layer.centroids * m_split.features;
    if (table <= kLutWramBytes)
        for (const std::int64_t features : m_featureTiles)
            least = std::min(least, m_work / (tasklets * static_cast<double>(features)) *
                                        staticReduceCycles(features, m_split.rows));
    for (const LutSpace::CoarseLoad& load : m_space.coarse) {
        const std::int64_t mostRows = (kLutWramBytes - load.bytes) /
                                      (load.codebooks * kLutIndexBytes + load.features * kLutOutputBytes);
        if (mostRows >= layer.tasklets && m_split.features % load.features == 0 &&
            layer.codebooks % load.codebooks == 0)
            least = std::min(least, m_work * (load.reduce + load.load / static_cast<double>(mostRows)));
    }
    return least;
}

void SplitSearch::searchFeatures(const RowTile& row, std::int64_t features) {
    const LutLayer& layer = m_space.layer;
    const std::int64_t outputBytes = row.rows * features * kLutOutputBytes;
    if (!m_space.isPiece(outputBytes))
        return;
    const auto piece = static_cast<double>(outputBytes / layer.tasklets);
    const double read = readCycles(piece), write = writeCycles(piece), reset = resetCycles(piece);
    const auto tiles = static_cast<double>(m_split.rows * m_split.features / (row.rows * features));
    const auto featureTurns = static_cast<double>(m_split.features / features);
    const auto tasklets = static_cast<double>(layer.tasklets);

    const std::int64_t table = layer.codebooks * layer.centroids * m_split.features;
    const double wholeTable = m_space.isPiece(table)
                                  ? m_work / (tasklets * static_cast<double>(features)) *
                                            staticReduceCycles(features, m_split.rows) +
                                        staticTableCycles(static_cast<double>(table / layer.tasklets))
                                  : kNever;
    const double fine = features % kDmaStep == 0
                            ? m_work / (tasklets * double(kDmaStep)) * fineReduceCycles(kDmaStep)
                            : kNever;
    for (const RowTile::Codebooks& tile : row.codebooks) {
        const std::int64_t room = kLutWramBytes - outputBytes - tile.indexBytes;
        if (room <= 0)
            break;
        const double nfc = tile.indexCycles * featureTurns, ncf = tile.indexCycles;
        const double moved =
            std::min(nfc + tiles * (reset + write), ncf + tiles * tile.turns * (read + write));
        const double movedCoarse =
            std::min(nfc + tiles * (reset + reset), ncf + tiles * tile.turns * (read + reset));
        double cycles = movedCoarse + m_work * row.coarse(features, tile.codebooks, room, layer.centroids);
        if (layer.tasklets * kDmaStep <= room)
            cycles = std::min(cycles, moved + fine);
        if (table <= room)
            cycles = std::min(cycles, moved + wholeTable);
        if (cycles <= m_least * (1 + kRounding) && cycles < kNever) {
            m_candidates.push_back({cycles, {{}, {}, row.rows, features, tile.codebooks, 0, 0}});
            m_least = std::min(m_least, cycles);
        }
    }
}

double SplitSearch::search() {
    m_least = kNever;
    for (const std::int64_t rows : m_rowTiles) {
        if (rows * kLutIndexBytes > kLutWramBytes)
            break;
        const RowTile row(m_space, m_split, rows);
        if (!row.codebooks.empty())
            for (const std::int64_t features : m_featureTiles)
                searchFeatures(row, features);
    }
    std::erase_if(m_candidates,
                  [&](const Candidate& candidate) { return candidate.cycles > m_least * (1 + kRounding); });
    return m_least / kLutClockHz;
}

std::optional<BestKernel> SplitSearch::winner() const {
    std::optional<BestKernel> best;
    for (const Candidate& candidate : m_candidates) {
        const auto found = bestKernel(m_space, m_split, m_transfers, candidate.tile);
        if (found && (!best || found->times.kernel() < best->times.kernel()))
            best = found;
    }
    return best;
}

std::optional<BestKernel> SplitSearch::winnerOfAll() const {
    std::optional<BestKernel> best;
    forEachTile([&](const LutKernel& tile) {
        const auto found = bestKernel(m_space, m_split, m_transfers, tile);
        if (found && (!best || found->times.kernel() < best->times.kernel()))
            best = found;
    });
    return best;
}

} // namespace pim::upmem::detail
