// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The commands of an AttAcc stack and where a byte address lies in it.
/// Source: AttAcc simulator c600051 (Ramulator 2.0 b7c7027 with its HBM3-PIM device), organisation
/// HBM3_8Gb_2R.
#include <array>
#include <cstdint>
#include <string_view>

namespace pim {

/// Everything a controller can issue. A line of a trace names one of the commands that have a word.
enum class AttAccCommand : std::uint8_t {
    Act,     ///< Host: open one row.
    Pre,     ///< Host: close one bank.
    PreAll,  ///< Close every bank of the channel.
    PreSame, ///< Close before MacSame.
    PrePer,  ///< Close before MacPer.
    Read,    ///< Host: 32 B.
    Write,
    Refresh,     ///< All banks of one pseudo-channel.
    ActAll,      ///< Open one row in all 64 banks of the channel.
    ActSame,     ///< ... in the banks of one number in all 16 bank groups.
    ActPer,      ///< ... in one bank, in both pseudo-channels.
    MacAll,      ///< Bank variant: all banks read 32 B and multiply.
    MacSame,     ///< Bank-group variant.
    MacPer,      ///< Buffer-die variant.
    WriteGemv,   ///< Host to GEMV buffer, 32 B.
    MoveSoftmax, ///< GEMV result to softmax buffer.
    MoveGemv,    ///< Softmax buffer to GEMV buffer.
    Softmax,
    SetModel,
    SetHead,
    Barrier, ///< Orders the stream of one channel.
};
inline constexpr int kAttAccCommands = 21;

/// As the simulator's command log writes it: "MACAB".
std::string_view attAccName(AttAccCommand command);
/// As a trace writes it: "PIM_MAC_AB"; empty for commands that only the controller issues.
std::string_view attAccWord(AttAccCommand command);

/// Of one channel: 2 pseudo-channels, 2 ranks, 4 bank groups, 4 banks.
inline constexpr int kAttAccBanks = 64;
inline constexpr int kAttAccRows = 16384;
inline constexpr int kAttAccColumns = 32;
inline constexpr int kAttAccChannels = 16; ///< Of one stack.
inline constexpr int kAttAccAccessBytes = 32;

/// Strides of the address map in bytes: consecutive data stays in one bank.
inline constexpr std::uint64_t kAttAccRowStride = std::uint64_t(1) << 10,
                               kAttAccBankStride = std::uint64_t(1) << 24,
                               kAttAccGroupStride = std::uint64_t(1) << 26,
                               kAttAccRankStride = std::uint64_t(1) << 28,
                               kAttAccChannelStride = std::uint64_t(1) << 30;

/// The address of the same place by the map above, of an address by the map of the stack as plain memory
/// ("HBM3-Custom" there), which spreads consecutive data: from the lowest bit 5 within an access, 4 channel,
/// 1 pseudo-channel, 2 bank group, 5 column, 1 rank, 2 bank, 14 row.
std::uint64_t attAccFromHostMap(std::uint64_t address);

/// One line of a trace.
struct AttAccRequest {
    AttAccCommand command = AttAccCommand::Read;
    std::uint64_t address = 0; ///< Bytes.

    int channel() const { return int(address / kAttAccChannelStride); }
    /// Number in the channel: pseudo-channel (1 bit), rank (1), bank group (2), bank (2).
    int bank() const { return int((address >> 24) & 63); }
    int row() const { return int((address >> 10) & 16383); }
    int column() const { return int((address >> 5) & 31); }
    bool operator==(const AttAccRequest&) const = default;
};

/// How often each command occurs.
struct AttAccCounts {
    std::array<std::int64_t, kAttAccCommands> of{};
    std::int64_t& operator[](AttAccCommand command) { return of[std::size_t(command)]; }
    std::int64_t operator[](AttAccCommand command) const { return of[std::size_t(command)]; }
    std::int64_t total() const;
};

} // namespace pim
