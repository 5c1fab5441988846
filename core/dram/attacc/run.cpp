// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/attacc/run.h"

namespace pim {
namespace {

/// Energy constants of the AttAcc simulator c600051 (devices and configuration of its PIM).
struct VariantFigures {
    int banks;            ///< That one MAC command of a channel reads.
    double cellPjPerByte; ///< Bank to multiplier.
};
VariantFigures figures(AttAccVariant variant) {
    switch (variant) {
    case AttAccVariant::Bank:
        return {64, 4.4};
    case AttAccVariant::BankGroup:
        return {16, 12.48};
    case AttAccVariant::Buffer:
        break;
    }
    return {2, 26.32};
}
constexpr double kInterposerPj = 0.3; ///< A bit; host moves only.
/// A bit: TSV, bank group to global IO, column to bank group.
constexpr double kInsidePj = 0.5 + 1.23 + 1.01;
constexpr int kInsideStretches = 3;
constexpr double kMacPj = 0.32;

} // namespace

AttAccWork attAccWork(const AttAccAttention& attention, const AttAccCounts& counts) {
    const VariantFigures f = figures(attention.variant);
    const std::int64_t host = counts[AttAccCommand::WriteGemv];
    const std::int64_t moves = host + counts[AttAccCommand::MoveSoftmax] + counts[AttAccCommand::MoveGemv];
    AttAccWork work;
    work.macs =
        counts[AttAccCommand::MacAll] + counts[AttAccCommand::MacSame] + counts[AttAccCommand::MacPer];
    work.bytesMacInternal = work.macs * kAttAccAccessBytes * f.banks;
    work.bytesIo = (host + moves * kInsideStretches) * kAttAccAccessBytes;
    work.cellNj = double(work.bytesMacInternal) * f.cellPjPerByte / 1000;
    work.ioNj = (kInterposerPj * double(host) + kInsidePj * double(moves)) * kAttAccAccessBytes / 1000;
    work.ioCorrectedNj = 8 * work.ioNj;
    work.aluScoreNj =
        kMacPj * double(attention.heads) * double(attention.tokens) * double(attention.headSize) / 1000;
    return work;
}

Result<AttAccAttentionRun> runAttAccAttention(const AttAccAttention& attention, const AttAccOptions& options,
                                              const TaskContext& task) {
    PIM_TRY(AttAccAttentionTrace trace, AttAccAttentionTrace::create(attention));
    AttAccOptions used = options;
    used.channels = trace.symmetric() ? 1 : kAttAccChannels;
    if (trace.symmetric())
        trace.onlyFirstChannel();
    PIM_TRY(const AttAccResult result, simulateAttAcc(trace, used, {}, task));
    AttAccAttentionRun run;
    run.cycles = result.cycles;
    run.microseconds = double(result.cycles) * options.device.tickPs / 1e6;
    run.traceLines = trace.length();
    run.counts = trace.counts();
    run.simulatedChannels = used.channels;
    run.work = attAccWork(attention, trace.counts());
    return run;
}

} // namespace pim
