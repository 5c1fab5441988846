// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What a DPU runs for a LUT layer: one program for each load and loop order, whatever the sizes are.
/// Flow: LutLayer, LutMapping -> [LutStructure, sizes] -> TaskletCode -> instructions, C, price.
///
/// In a DPU [PIM-DL, ASPLOS 2024, section 5.1; artifact leesou/PIM-DL-ASPLOS 87aee67]: indices [CB / cb_mtile][n_stile][cb_mtile], sums
/// [f_stile / f_mtile][n_stile][f_mtile], the table [f_stile / f_load][CB][CT][f_load] (static: f_load = f_stile). Rows of a tile are
/// dealt out to the tasklets in stretches. Unlike there, 8 sums stay in registers while codebooks pass, and the first tile of codebooks
/// begins at zero without reading what is to be overwritten.
#include "backends/upmem/lut/layer.h"
#include "backends/upmem/tasklet/code.h"

namespace pim::upmem {

/// What makes another program, rather than other sizes of the same.
struct LutStructure {
    LutLoad load = LutLoad::Static;
    LutLoopOrder order = LutLoopOrder::Nfc;
    std::int64_t group = 1;    ///< Features whose sums are in registers.
    bool isOneGroup = false;   ///< A fine load is.
    std::int64_t unrolled = 1; ///< Look-ups, one behind the other.
    friend auto operator<=>(const LutStructure&, const LutStructure&) = default;
};
LutStructure lutStructure(const LutMapping& mapping);
/// Arrays "index", "table" and "sums", in this order.
void writeLut(TaskletCode& code, const LutStructure& structure);
/// Values of its sizes.
std::vector<std::int64_t> lutSizes(const LutLayer& layer, const LutMapping& mapping);

/// Errors: as checkLayer; Unsupported for a mapping that the strict reading refuses (coarse loads that were never measured are
/// possible), and for fine loads with places beyond 16 bits.
Result<void> checkLutCode(const LutLayer& layer, const LutMapping& mapping);

/// Features that lie together in MRAM.
std::int64_t loadedFeatures(const LutMapping& mapping);
/// What stands for a centroid in the indices of a DPU: its place in what is loaded of the table.
std::uint16_t lutPlace(const LutLayer& layer, const LutMapping& mapping, std::int64_t codebook,
                       std::int64_t centroid);
/// Where in the table of a DPU the entry of its first features lies, in bytes. \param feature of the DPU.
std::int64_t lutEntry(const LutLayer& layer, const LutMapping& mapping, std::int64_t codebook,
                      std::int64_t centroid, std::int64_t feature);

} // namespace pim::upmem
