// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Attention of one AttAcc stack from its shape to cycles, bytes and energy.
#include "core/dram/attacc/attention.h"
#include "core/dram/attacc/simulator.h"

namespace pim {

/// Bytes and energy of a stream, with the constants of AttAcc's device model.
struct AttAccWork {
    std::int64_t macs = 0;             ///< MAC commands of all channels.
    std::int64_t bytesMacInternal = 0; ///< Read from the banks by them.
    std::int64_t bytesIo = 0;          ///< Of moves, once for each stretch of wire they pass.
    double cellNj = 0;                 ///< Reading the banks.
    /// Moving vectors between host, buffers and banks. AttAcc applies picojoules a bit to bytes: the first is
    /// what it reports, the second eight times that.
    double ioNj = 0, ioCorrectedNj = 0;
    double aluScoreNj = 0; ///< Multiplying, scores only; AttAcc has no figure for the context.
};
AttAccWork attAccWork(const AttAccAttention& attention, const AttAccCounts& counts);

struct AttAccAttentionRun {
    std::int64_t cycles = 0;
    double microseconds = 0;
    std::int64_t traceLines = 0;
    AttAccCounts counts;       ///< Of the stream, all channels.
    int simulatedChannels = 0; ///< 1 where one stands for all.
    AttAccWork work;
};
/// Generates the stream and runs it. Takes the refresh and timing of \p options, not its channels.
Result<AttAccAttentionRun> runAttAccAttention(const AttAccAttention& attention, const AttAccOptions& options,
                                              const TaskContext& task = {});

} // namespace pim
