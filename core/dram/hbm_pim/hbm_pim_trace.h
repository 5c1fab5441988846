// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Bursts that a host asks of HBM-PIM channels as text, one a line, in the order in which they are asked:
///
///     # channels 64          first line; 1, 16 or 64: which bits of an address are the channel
///     W 0xADDRESS DATA       32 B written; DATA 64 hexadecimal digits, byte 0 first, or left out: zeros
///     R 0xADDRESS            32 B read
///     B CHANNEL              what was asked of the channel so far goes out before what follows
///
/// R, W and B are the requests of Samsung's public simulator (PIMSimulator b464dde: MemTraceData of tools/emulator_api); the
/// simulator itself has them in memory only, the text is ours. Addresses are those of its map Scheme8 (src/AddressMapping.cpp),
/// from the lowest bit: 5 within a burst, 0, 4 or 6 channel, 2 bank in its group, 2 bank group, 5 column, 14 row, then rank, 0
/// here. Its class PimSimulator exchanges row bits 12 and 13 before it maps; MultiChannelMemorySystem does not, and the
/// addresses here are meant for the latter.
#include "core/dram/hbm_pim/hbm_pim_run.h"

#include <string>
#include <vector>

namespace pim {

/// Channels that the simulator has a configuration for.
inline constexpr int kHbmPimSystems[] = {1, 16, 64};
/// The smallest of them with that many channels; the largest one if there is none.
int hbmPimSystem(int channels);
/// Ranks it has there, of which PIM works in the first. [system_hbm*.ini with the memory sizes of its tests]
int hbmPimRanks(int system);

std::string hbmPimTraceHead(int system);
/// \param word what a write carries; null: zeros.
void appendHbmPimLine(std::string& text, const HbmPimBurst& burst, const HbmPimWord* word, int channel,
                      int system);
void appendHbmPimBarrier(std::string& text, int channel);

struct HbmPimTrace {
    int system = 64;
    std::vector<HbmPimStream> channels; ///< One each; channels without a burst are empty.
    std::int64_t reads = 0, writes = 0, barriers = 0, lines = 0;
};
/// Plain or gzip. Error::Io; Error::InvalidFile with the line.
Result<HbmPimTrace> readHbmPimTrace(const std::string& file, const TaskContext& task = {});

struct HbmPimTraceRun {
    HbmPimCost cost; ///< Cycles until the last channel is done, counts of all.
    int channels = 0,
        simulated = 0; ///< With bursts; of these, simulated: channels that are asked the same are one.
};
Result<HbmPimTraceRun> runHbmPimTrace(const HbmPimTrace& trace, const HbmPimTiming& timing = {},
                                      const TaskContext& task = {});

} // namespace pim
