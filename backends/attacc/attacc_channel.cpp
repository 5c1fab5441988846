// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/attacc_channel.h"

#include "core/base/half_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pim::attacc {

namespace {

std::array<float, kPimLanes> toFloats(const PimWord& word) {
    std::array<float, kPimLanes> values{};
    std::transform(word.begin(), word.end(), values.begin(), halfToFloat);
    return values;
}

/// Sums of neighbours, then of neighbouring sums, …
float treeSum(std::array<float, kPimLanes> values) {
    for (std::size_t width = kPimLanes; width > 1; width /= 2)
        for (std::size_t i = 0; i < width / 2; ++i)
            values[i] = values[2 * i] + values[2 * i + 1];
    return values[0];
}

} // namespace

AttAccChannel::AttAccChannel(const PimCode& code, const Geometry& geometry)
    : m_geometry(geometry), m_rows(std::size_t(geometry.allBanks())),
      m_open(std::size_t(geometry.allBanks()), -1), m_units(std::size_t(geometry.allBanks())),
      m_bufferEpochs(std::size_t(geometry.bufferBursts), -1), m_slots(std::size_t(geometry.softmaxSlots)) {
    for (Unit& unit : m_units)
        unit.buffer.resize(std::size_t(geometry.bufferBursts));
    const std::vector<Opcode> known = opcodes();
    for (const Opcode& opcode : code.program.opcodes) {
        const auto at =
            std::find_if(known.begin(), known.end(), [&](const Opcode& o) { return o.name == opcode.name; });
        PIM_ASSERT(at != known.end(), "the code is for this machine");
        m_ops.push_back(Op(at - known.begin()));
    }
}

Result<void> AttAccChannel::within(std::string_view what, std::int64_t number, std::int64_t limit) const {
    if (number < 0 || number >= limit)
        return fail(ErrorCode::InvalidFile, fmt::format("{} {}: there are {}", what, number, limit));
    return {};
}

Result<void> AttAccChannel::open(int bank, std::int64_t row) {
    if (m_open[std::size_t(bank)] >= 0)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("row {} of bank {} is to be opened while row {} is open", row, bank,
                                m_open[std::size_t(bank)]));
    m_open[std::size_t(bank)] = row;
    return {};
}

Result<void> AttAccChannel::access(std::span<const std::int64_t> operands, PimPort& port, bool isWrite) {
    const std::int64_t bank = operands[0], row = operands[1], column = operands[2];
    PIM_CHECK(within("bank", bank, m_geometry.allBanks()));
    PIM_CHECK(within("column", column, m_geometry.columns));
    if (m_open[std::size_t(bank)] != row)
        return fail(ErrorCode::InvalidFile, fmt::format("row {} of bank {} is not open, row {} is", row, bank,
                                                        m_open[std::size_t(bank)]));
    Row& words = m_rows[std::size_t(bank)][row];
    words.resize(std::size_t(m_geometry.columns));
    if (isWrite) {
        words[std::size_t(column)] = port.read(operands[3], operands[4]);
        m_units[std::size_t(bank)].isUsed = true;
    } else {
        port.write(operands[3], operands[4], words[std::size_t(column)]);
    }
    return {};
}

Result<void> AttAccChannel::multiply(std::span<const std::int64_t> operands) {
    const std::int64_t row = operands[0], column = operands[1], slot = operands[2], accumulator = operands[3];
    PIM_CHECK(within("column", column, m_geometry.columns));
    PIM_CHECK(within("slot of the GEMV buffer", slot, m_geometry.bufferBursts));
    PIM_CHECK(within("accumulator", accumulator, kAccumulators * kAccumulatorSets));
    if (m_bufferEpochs[std::size_t(slot)] < 0 || m_bufferEpochs[std::size_t(slot)] == m_epoch)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("slot {} of the GEMV buffers is used before its data is there", slot));
    m_lastMac[std::size_t(accumulator / kAccumulators)] = ++m_macs;
    for (std::size_t bank = 0; bank < m_units.size(); ++bank) {
        if (m_open[bank] != row)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("row {} of bank {} is not open, row {} is", row, bank, m_open[bank]));
        Unit& unit = m_units[bank];
        if (!unit.isUsed) // zeros
            continue;
        const auto words = m_rows[bank].find(row);
        if (words == m_rows[bank].end())
            continue;
        Values products = toFloats(words->second[std::size_t(column)]);
        const Values& operand = unit.buffer[std::size_t(slot)];
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            products[lane] *= operand[lane];
        unit.accumulators[std::size_t(accumulator)] += treeSum(products);
    }
    return {};
}

Result<void> AttAccChannel::fillBuffers(std::int64_t set, std::int64_t slot, const Values& values) {
    PIM_CHECK(within("slot of the GEMV buffer", slot, m_geometry.bufferBursts));
    for (std::size_t bank = 0; bank < m_units.size(); ++bank) {
        const std::int64_t position = m_geometry.positionOf(int(bank), m_together);
        if (position / (m_spread * m_copies) * m_spread + position % m_spread == set)
            m_units[bank].buffer[std::size_t(slot)] = values;
    }
    m_bufferEpochs[std::size_t(slot)] = m_epoch;
    return {};
}

Result<void> AttAccChannel::moveResults(std::span<const std::int64_t> operands) {
    const std::int64_t bank = operands[0], accumulator = operands[1];
    PIM_CHECK(within("bank", bank, m_geometry.allBanks()));
    PIM_CHECK(within("slot of the softmax buffer", operands[2], m_geometry.softmaxSlots));
    PIM_CHECK(within("accumulator", accumulator, kAccumulators * (kAccumulatorSets - 1) + 1));
    if (bank % m_geometry.banks + m_merge > m_geometry.banks)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} banks from bank {} on are not in one bank group", m_merge, bank));
    const std::int64_t last = m_lastMac[std::size_t(accumulator / kAccumulators)];
    if (last > m_ordered && m_macs - last < kPipeline)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("results are moved {} MACABs after the last of them, which takes {}",
                                m_macs - last, kPipeline),
                    {}, "put a BARRIER before");
    Slot& slot = m_slots[std::size_t(operands[2])];
    for (std::size_t i = 0; i < std::size_t(kAccumulators); ++i) {
        float sum = 0;
        for (std::int64_t unit = bank; unit < bank + m_merge; ++unit)
            sum += std::exchange(m_units[std::size_t(unit)].accumulators[std::size_t(accumulator) + i], 0.0F);
        const float sent = halfToFloat(floatToHalf(sum));
        slot.values[i] = operands[3] != 0 ? slot.values[i] + sent : sent;
    }
    slot.epoch = m_epoch;
    return {};
}

Result<const AttAccChannel::Slot*> AttAccChannel::settled(std::int64_t number) const {
    PIM_CHECK(within("slot of the softmax buffer", number, m_geometry.softmaxSlots));
    const Slot& slot = m_slots[std::size_t(number)];
    if (slot.epoch < 0 || slot.epoch == m_epoch)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("slot {} of the softmax buffer is used before its data is there", number), {},
                    "put a BARRIER before");
    return &slot;
}

Result<void> AttAccChannel::takeScores(std::span<const std::int64_t> operands) {
    PIM_CHECK(within("scores beyond those of an SFM,", operands[2], m_geometry.softmaxElements + 1));
    Head& head = m_heads[m_head];
    for (std::int64_t i = 0; i * kPimLanes < operands[2]; ++i) {
        PIM_TRY(const Slot* slot, settled(operands[0] + i * operands[1]));
        const auto begin = slot->values.begin(),
                   end = begin + std::min<std::int64_t>(operands[2] - i * kPimLanes, kPimLanes);
        const float greatest =
            std::max(*std::max_element(begin, end), head.isEmpty ? -INFINITY : head.greatest);
        float sum = head.isEmpty ? 0 : head.sum * std::exp(head.greatest - greatest);
        for (auto score = begin; score != end; ++score)
            sum += std::exp(*score - greatest);
        head.greatest = greatest;
        head.sum = sum;
        head.isEmpty = false;
    }
    head.epoch = m_epoch;
    return {};
}

Result<void> AttAccChannel::moveProbabilities(std::span<const std::int64_t> operands) {
    const auto head = m_heads.find(m_head);
    if (head == m_heads.end() || head->second.isEmpty || head->second.epoch == m_epoch)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("probabilities of head {} are used before its softmax is done", m_head), {},
                    "put a BARRIER before");
    PIM_TRY(const Slot* slot, settled(operands[3]));
    Values probabilities{};
    for (std::size_t i = 0; i < kPimLanes; ++i) {
        const float share =
            std::exp(std::min(0.0F, slot->values[i] - head->second.greatest)) / head->second.sum;
        probabilities[i] = halfToFloat(floatToHalf(share));
    }
    return fillBuffers(operands[1], operands[2], probabilities);
}

Result<void> AttAccChannel::run(int opcode, std::span<const std::int64_t> operands, PimPort& port) {
    switch (m_ops[std::size_t(opcode)]) {
    case Op::SETM:
        m_spread = operands[0];
        m_copies = operands[1];
        m_merge = operands[2];
        m_together = int(operands[3]);
        return {};
    case Op::SETH:
        m_head = operands[0];
        if (operands[1] != 0)
            m_heads[m_head] = {};
        return {};
    case Op::ACT:
        PIM_CHECK(within("bank", operands[0], m_geometry.allBanks()));
        PIM_CHECK(within("row", operands[1], m_geometry.rows));
        return open(int(operands[0]), operands[1]);
    case Op::PRE:
        PIM_CHECK(within("bank", operands[0], m_geometry.allBanks()));
        m_open[std::size_t(operands[0])] = -1;
        return {};
    case Op::WR:
        return access(operands, port, true);
    case Op::RD:
        return access(operands, port, false);
    case Op::PREA:
        std::fill(m_open.begin(), m_open.end(), -1);
        return {};
    case Op::ACTAB:
        PIM_CHECK(within("row", operands[0], m_geometry.rows));
        for (int bank = 0; bank < m_geometry.allBanks(); ++bank)
            PIM_CHECK(open(bank, operands[0]));
        m_ordered = m_macs;
        return {};
    case Op::MACAB:
        return multiply(operands);
    case Op::WRGB:
        return fillBuffers(operands[1], operands[2], toFloats(port.read(operands[3], operands[4])));
    case Op::MVSB:
        return moveResults(operands);
    case Op::SFM:
        return takeScores(operands);
    case Op::MVGB:
        return moveProbabilities(operands);
    case Op::WRSB:
        PIM_CHECK(within("slot of the softmax buffer", operands[1], m_geometry.softmaxSlots));
        m_slots[std::size_t(operands[1])] = {toFloats(port.read(operands[2], operands[3])), m_epoch};
        return {};
    case Op::RDSB: {
        PIM_TRY(const Slot* slot, settled(operands[1]));
        PimWord word;
        std::transform(slot->values.begin(), slot->values.end(), word.begin(), floatToHalf);
        port.write(operands[2], operands[3], word);
        return {};
    }
    case Op::BARRIER:
        ++m_epoch;
        m_ordered = m_macs;
        return {};
    }
    return {};
}

} // namespace pim::attacc
