// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A DRAM device as data: how it is built, which commands it has and how long they keep one another waiting.
/// Flow: resources/devices/*.json -> [this] -> DramEngine -> controller. Nothing here knows a standard by
/// name: a processing-in-memory command is one more row of `commands` and some more rows of `constraints`.
/// Times are controller ticks throughout (a tick is tickPs picoseconds long).
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

using DramTick = std::int64_t;

/// Which command bus carries it; devices with one bus have only Any. None: no command of the memory (a
/// processing unit starts, a barrier).
enum class DramBus : std::uint8_t { Any, Row, Column, None };
/// What a command does to the row buffers of the banks it addresses.
/// (Prepares: first half of a split activation; the bank is neither closed nor readable after it).
enum class DramRowEffect : std::uint8_t { None, Prepares, Opens, Closes };
enum class DramAccess : std::uint8_t { None, Read, Write, Other };

/// One row of the command table.
struct DramCommand {
    std::string name;
    /// It addresses one node of this level (index into DramDevice::levels) and all banks below it.
    int level = 0;
    /// Level over whose nodes the command is repeated, -1 if it is not: with `level` = Bank and
    /// `repeatedOver` = BankGroup it addresses the bank of that number in every bank group of the channel;
    /// with a level of bank pairs, all even or all odd banks.
    int repeatedOver = -1;
    /// A check of the command looks at constraints of this level and above; the level of banks for all honest
    /// devices, less to reproduce simulators that stop early.
    int checkedTo = 0;
    DramRowEffect row = DramRowEffect::None;
    DramAccess access = DramAccess::None;
    bool refreshes = false;
    bool switchesMode = false; ///< Between commands of the host and of the units; for pictures.
    DramBus bus = DramBus::Any;
    int ticks = 1; ///< How long it occupies its bus.
    /// From the command until its data is where it belongs: at the host, in the cells, in a buffer.
    DramTick dataTicks = 0;
    bool waitsForData = false; ///< Goes out only when the data of all commands before it is at its place.
    std::string energy; ///< In pJ, over the parameters of a target (core/base/expression.h); empty: unknown.
};

/// Issuing one of `before` keeps each of `after` back until `ticks` later, in the same node of `level`.
struct DramConstraint {
    int level = 0;
    std::vector<int> before, after; ///< Indices into DramDevice::commands.
    DramTick ticks = 0;
    int window = 1; ///< Counted from the window-th last issue (4 for the four-activate window).
    /// Holds in the other nodes of the level under the same parent, not in the node itself.
    bool siblings = false;
    std::string text; ///< What `ticks` was computed from: "nRCDRD + 3*nFAW"; empty if a number was given.
};

struct DramLevel {
    std::string name;
    int count = 1; ///< Nodes under one node of the level above.
};

/// One part of an address, least significant first.
struct DramAddressField {
    int level = 0;
    int bits = 0;
};

struct DramDevice {
    std::string name;         ///< "DDR4_2R"
    std::string standard;     ///< "DDR4"
    std::string organisation; ///< "DDR4_8Gb_x8"
    std::string speedGrade;   ///< "DDR4_2400R"
    std::string source;       ///< Where the numbers come from.
    /// How commands have to be paced, one of "one-bus", "two-bus", "half-clock", "split-activate"; see
    /// controller.h.
    std::string protocol;
    std::vector<DramLevel> levels; ///< From channel down to column; banks are the level above "Row".
    int bankLevel = 0;             ///< Index of "Bank".
    int rowLevel = 0;              ///< Index of "Row", bankLevel + 1.
    int accessBytes = 0;           ///< Moved by one read or write.
    std::vector<DramAddressField> addressMap;
    int ticksPerClock = 1; ///< Ticks in a clock of the data sheet.
    int tickPs = 0;        ///< Length of a tick.
    DramTick readLatency = 0;
    std::map<std::string, DramTick, std::less<>> timing; ///< By data sheet name: "nREFI".
    std::vector<DramCommand> commands;
    std::vector<DramConstraint> constraints;

    /// Index into `commands`, -1 if there is none of that name.
    int command(std::string_view commandName) const;
    /// Index into `levels`, -1 if there is none of that name.
    int level(std::string_view levelName) const;
    /// Banks of the whole channel.
    int bankCount() const;
    /// Banks under one node of a level at or above banks.
    int banksUnder(int levelIndex) const;
    /// A timing value, 0 if the device has none of that name.
    DramTick time(std::string_view timingName) const;
    /// Offset bits within an access.
    int offsetBits() const;
    /// Bits of a byte address the device understands.
    int addressBits() const;
};

/// Values that replace those of `timing`, by name, before anything is computed from them.
using DramOverrides = std::map<std::string, DramTick, std::less<>>;

/// Reads and checks a device. \p where names the text in messages. Overrides of names the device has not are
/// left alone. \p grade one of the file's speed grades; empty: its own. The error names the JSON path of the
/// first thing wrong, what was seen and what is allowed.
Result<DramDevice> parseDramDevice(std::string_view text, std::string_view where,
                                   const DramOverrides& overrides = {}, std::string_view grade = {});
/// The device `NAME` of \p folder (`NAME.json`); NotFound lists the names there are.
Result<DramDevice> loadDramDevice(const std::filesystem::path& folder, std::string_view deviceName,
                                  const DramOverrides& overrides = {}, std::string_view grade = {});
/// Names in \p folder, sorted; empty if there is no such folder.
std::vector<std::string> dramDeviceNames(const std::filesystem::path& folder);

} // namespace pim
