// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One look-up-table layer of PIM-DL and how it can lie on DPUs: what the tuner chooses from. [PIM-DL, ASPLOS 2024, section 5.2]
/// Flow: LutLayer -> tuner.h -> LutMapping -> cost_model.h -> LutTimes.
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim::upmem {

/// output [rows, features] = sum over codebooks of lut [codebooks, centroids, features] at index [rows, codebooks].
struct LutLayer {
    std::int64_t rows = 0;      ///< N
    std::int64_t codebooks = 0; ///< CB: length of an input row over the length of a sub-vector.
    std::int64_t centroids = 0; ///< CT
    std::int64_t features = 0;  ///< F
    std::int64_t dpus = 1024;
    std::int64_t tasklets = 16;
};

/// Whose rules hold.
enum class LutReading : std::uint8_t {
    Strict, ///< What the hardware can do: pieces of tasklets are whole multiples of 8 bytes.
    Released, ///< The shipped tuner: pieces rounded down before they are checked, loads it never measured cost nothing.
    Fixed ///< As shipped, but loads that were never measured are refused.
};
std::string_view name(LutReading reading);
std::optional<LutReading> lutReadingNamed(std::string_view text);

/// Loops over row tiles (n), feature tiles (f) and codebook tiles (c), outermost first; values as in PIM-DL's files.
enum class LutLoopOrder : std::uint8_t { Nfc, Ncf, Fnc, Fcn, Cnf, Cfn };
/// How the table comes to WRAM; values as in PIM-DL's files.
enum class LutLoad : std::uint8_t {
    Static, ///< All of it, once.
    Fine,   ///< Each tasklet fetches the features of one centroid when it needs them.
    Coarse  ///< All centroids of some codebooks and features, for all tasklets.
};
std::string_view name(LutLoopOrder order);
std::string_view name(LutLoad load);
std::optional<LutLoopOrder> lutLoopOrderNamed(std::string_view text); ///< "ncf" or "1".
std::optional<LutLoad> lutLoadNamed(std::string_view text);           ///< "coarse" or "2".

/// What one DPU gets: [rowsPerDpu, featuresPerDpu] of the output. Codebooks are never split over DPUs.
struct LutSplit {
    std::int64_t rows = 0;     ///< n_stile
    std::int64_t features = 0; ///< f_stile
    bool operator==(const LutSplit&) const = default;
};

/// The loops of one DPU.
struct LutKernel {
    LutLoopOrder order = LutLoopOrder::Nfc;
    LutLoad load = LutLoad::Static;
    std::int64_t rows = 0;          ///< n_mtile
    std::int64_t features = 0;      ///< f_mtile
    std::int64_t codebooks = 0;     ///< cb_mtile
    std::int64_t loadFeatures = 0;  ///< f_load; 0 where the table comes as a whole.
    std::int64_t loadCodebooks = 0; ///< cb_load; 0 but for coarse loads.
    bool operator==(const LutKernel&) const = default;
};

struct LutMapping {
    LutSplit split;
    LutKernel kernel;
    bool operator==(const LutMapping&) const = default;
};

constexpr std::int64_t kLutIndexBytes = 2, kLutOutputBytes = 4;
constexpr std::int64_t kLutMramBytes = 64 << 20;
/// 48 KiB less what the runtime takes; the other 16 KiB are stacks. [PIM-DL, artifact leesou/PIM-DL-ASPLOS 87aee67]
constexpr std::int64_t kLutWramBytes = 48 * 1024 - 656;
constexpr std::int64_t kMostTasklets = 24;
/// Below it PIM-DL's fit of the bandwidth from DPUs turns negative: 0.7614 ln(KB) + 1.4376 <= 0 at 4 bytes each.
constexpr std::int64_t kFewestLutOutputs = 39;

/// Why a mapping cannot be.
enum class LutRule : std::uint8_t {
    RowSplit,     ///< n_stile does not divide N.
    FeatureSplit, ///< f_stile does not divide F.
    DpuCount,     ///< N / n_stile x F / f_stile are not all DPUs.
    Mram,
    RowTile,       ///< n_mtile does not divide n_stile.
    FeatureTile,   ///< f_mtile does not divide f_stile.
    CodebookTile,  ///< cb_mtile does not divide CB.
    TaskletRows,   ///< n_mtile is not a multiple of the tasklets.
    FeatureLoad,   ///< f_load does not divide f_mtile.
    CodebookLoad,  ///< cb_load does not divide cb_mtile.
    IndexPiece,    ///< Piece of a tasklet: shorter than 8 bytes or no whole multiple of them.
    OutputPiece,   ///< The same of the output.
    TablePiece,    ///< The same of the table.
    Wram,          ///< Buffers of all tasklets together.
    NeverMeasured, ///< A coarse load that the cost model has no time for.
};
struct LutRefusal {
    LutRule rule{};
    std::int64_t seen = 0, allowed = 0;
};
/// One sentence with the numbers seen and allowed and a way out.
std::string text(const LutRefusal& refusal, const LutLayer& layer, const LutMapping& mapping);

/// Errors: Usage for a number that is not in [1, 2^31 - 1], more than 24 tasklets, more centroids than an index can name, fewer
/// outputs than kFewestLutOutputs.
Result<void> checkLayer(const LutLayer& layer);

/// Bytes a DPU keeps in its MRAM: indices, table, output; 2^63 - 1 if they are more.
std::int64_t mramBytes(const LutLayer& layer, const LutSplit& split);
/// Buffers in WRAM. \pre mramBytes fits.
std::int64_t wramBytes(const LutLayer& layer, const LutMapping& mapping);
/// Bytes of the table that come at once, for all tasklets that share them.
std::int64_t tableBytes(const LutLayer& layer, const LutMapping& mapping);

/// Is \p bytes dealt out to \p tasklets one whole DMA for each? Strict wants every piece whole; the shipped tuner looks at what
/// is left of a division.
bool isTaskletPiece(std::int64_t bytes, std::int64_t tasklets, LutReading reading);

/// The first rule that makes the split impossible.
std::optional<LutRefusal> refusalOf(const LutLayer& layer, const LutSplit& split);
/// The first rule that makes the mapping impossible; \p layer is one that checkLayer takes.
std::optional<LutRefusal> refusalOf(const LutLayer& layer, const LutMapping& mapping, LutReading reading);

constexpr std::int64_t kLongestDma = 2048, kDmaStep = 8;
/// Lengths of the DMAs that bring \p bytes, the longest first. Usage if \p bytes or \p address are no multiples of 8, or there
/// is nothing to bring: the hardware takes a length of 0 for 2048 and drops the low bits of addresses.
Result<std::vector<std::int64_t>> dmaLengths(std::int64_t bytes, std::int64_t address = 0);

/// Linear layers of one transformer layer.
struct TransformerShape {
    std::int64_t rows = 0; ///< Batch x sequence.
    std::int64_t hidden = 0, feedForward = 0;
    std::int64_t subVector = 2, centroids = 16;
    std::int64_t dpus = 1024, tasklets = 16;
};
struct NamedLutLayer {
    std::string_view name;
    LutLayer layer;
};
/// QKV, O, FFN1, FFN2. Released makes FFN2 as wide as it is deep, as the shipped tuner does.
std::array<NamedLutLayer, 4> transformerLayers(const TransformerShape& shape,
                                               LutReading reading = LutReading::Strict);

} // namespace pim::upmem
