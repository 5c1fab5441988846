// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the commands of an AttAcc channel do to data: banks, GEMV units with operand buffers and
/// accumulators, softmax buffer and unit.
///
/// Arithmetic. Publications say FP16 units and 32 B results; the rest is our choice, fixed so that runs can
/// be repeated:
/// - a GEMV unit multiplies 16 pairs of FP16 exactly (22 bits fit FP32), adds the products as a tree of
/// neighbours and the
///   sum to its accumulator, all in FP32: with FP16 sums, errors would grow with the length of the vectors;
/// - MVSB adds the results of the banks it merges in order of their position, in FP32, and rounds to FP16,
/// because 16
///   results leave as 32 B; the softmax buffer holds FP32, so that partial results add up without rounding
///   again;
/// - the softmax unit computes in FP32: it keeps the greatest score and the sum of exponentials relative to
/// it while scores
///   come in (online softmax), and gives exp(score - greatest) / sum, no more than 1, rounded to FP16;
/// - the host reads FP16 (RDSB).
///
/// Also checks what the hardware would get wrong silently: data is used only where a BARRIER stands between
/// (for results, ACTAB or kPipeline further MACABs do as well).
#include "backends/attacc/commands.h"
#include "core/dram_pim/channel.h"

#include <unordered_map>

namespace pim::attacc {

class AttAccChannel final : public PimChannel {
public:
    AttAccChannel(const PimCode& code, const Geometry& geometry);
    Result<void> run(int opcode, std::span<const std::int64_t> operands, PimPort& port) override;

private:
    using Values = std::array<float, kPimLanes>;
    using Row = std::vector<PimWord>;
    struct Unit {
        std::vector<Values> buffer;
        std::array<float, std::size_t(kAccumulators* kAccumulatorSets)> accumulators{};
        bool isUsed = false; ///< An operand has been written to its bank.
    };
    struct Head {
        float greatest = 0, sum = 0;
        bool isEmpty = true;
        std::int64_t epoch = -1;
    };
    struct Slot {
        Values values{};
        std::int64_t epoch = -1; ///< Of the last change; -1: never written.
    };

    Result<void> open(int bank, std::int64_t row);
    Result<void> access(std::span<const std::int64_t> operands, PimPort& port, bool isWrite);
    Result<void> multiply(std::span<const std::int64_t> operands);
    Result<void> fillBuffers(std::int64_t set, std::int64_t slot, const Values& values);
    Result<void> moveResults(std::span<const std::int64_t> operands);
    Result<void> takeScores(std::span<const std::int64_t> operands);
    Result<void> moveProbabilities(std::span<const std::int64_t> operands);
    /// A slot of the softmax buffer whose data has arrived.
    Result<const Slot*> settled(std::int64_t slot) const;
    Result<void> within(std::string_view what, std::int64_t number, std::int64_t limit) const;

    Geometry m_geometry;
    std::vector<Op> m_ops;                                     ///< By opcode of the program.
    std::vector<std::unordered_map<std::int64_t, Row>> m_rows; ///< By bank; those that were written.
    std::vector<std::int64_t> m_open;                          ///< By bank; -1: closed.
    std::vector<Unit> m_units;                                 ///< By position.
    std::vector<std::int64_t> m_bufferEpochs;                  ///< By slot of the GEMV buffers.
    std::vector<Slot> m_slots;
    std::unordered_map<std::int64_t, Head> m_heads;
    std::int64_t m_head = -1;
    std::int64_t m_spread = 1, m_copies = 1, m_merge = 1;
    int m_together = 1;       ///< Neighbours in a bank group, see Geometry::bankAt.
    std::int64_t m_epoch = 0; ///< BARRIERs so far.
    std::int64_t m_macs = 0;  ///< MACABs so far,
    std::array<std::int64_t, std::size_t(kAccumulatorSets)>
        m_lastMac{};            ///< the last of each set of accumulators,
    std::int64_t m_ordered = 0; ///< and of those before the last BARRIER or ACTAB.
};

} // namespace pim::attacc
