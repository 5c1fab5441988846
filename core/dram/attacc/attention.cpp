// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Kept from the generators of AttAcc although they are mistakes, because results are compared with theirs:
///  - a share of the overlapped moves is the total divided by the steps, rounded down; what is left is
///  dropped;
///  - the context of the second head of a pair reads the addresses of the first;
///  - one MAC of the first head is issued twice (meant to open the row early);
///  - heads lie maxTokens * headSize / 64 bytes apart, which counts elements as bytes.
#include "core/dram/attacc/attention.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::int64_t kStep = 16;                             ///< MAC groups between barriers of the scores.
constexpr std::uint64_t kValueOffset = std::uint64_t(1) << 23; ///< V lies in the upper half of the rows.
constexpr std::int64_t kGroups = 4, kRanks = 2, kPseudo = 2,
                       kNumbers = 4; ///< Bank groups, ranks, ..., banks.

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Places of a channel that hold different tokens.
std::int64_t tokenPlaces(AttAccVariant variant) {
    return variant == AttAccVariant::Buffer ? kPseudo : kPseudo * kRanks * kGroups;
}

} // namespace

std::string_view attAccVariantName(AttAccVariant variant) {
    switch (variant) {
    case AttAccVariant::Bank:
        return "bank";
    case AttAccVariant::BankGroup:
        return "bg";
    case AttAccVariant::Buffer:
        break;
    }
    return "buffer";
}

Result<AttAccVariant> attAccVariant(std::string_view name) {
    for (const AttAccVariant variant : {AttAccVariant::Bank, AttAccVariant::BankGroup, AttAccVariant::Buffer})
        if (attAccVariantName(variant) == name)
            return variant;
    return fail(ErrorCode::Usage, fmt::format("unknown variant \"{}\"", name), {},
                "bank, bg and buffer say where the multipliers sit");
}

Result<AttAccAttentionTrace> AttAccAttentionTrace::create(const AttAccAttention& attention) {
    struct Range {
        const char* what;
        std::int64_t value, most;
    };
    // Limits far beyond any model that keep products within 64 bits.
    for (const Range& range :
         {Range{"heads", attention.heads, 1 << 20}, Range{"sequence length", attention.tokens, 1 << 24},
          Range{"head size", attention.headSize, 1 << 16},
          Range{"longest sequence", attention.maxTokens, 1 << 24}})
        if (range.value < 1 || range.value > range.most)
            return fail(ErrorCode::Usage,
                        fmt::format("{} is {}; 1 to {} are possible", range.what, range.value, range.most));
    if (attention.elementBytes != 1 && attention.elementBytes != 2 && attention.elementBytes != 4)
        return fail(ErrorCode::Usage,
                    fmt::format("an element of {} bytes; 1, 2 and 4 are possible", attention.elementBytes));
    AttAccAttentionTrace trace(attention);
    // The last access of K and of V must stay within its half of the rows, or it would fall into other banks.
    const std::uint64_t lastHead = trace.unitAddress(List::Query, trace.m_iterations - 1, 0);
    std::uint64_t span = 0;
    for (const List list : {List::Score, List::Context})
        span = std::max(span, (trace.macAddress(trace.units(list) - 1) & (kAttAccBankStride - 1)) +
                                  kAttAccAccessBytes);
    const bool carried = trace.units(List::Score) / (attention.variant == AttAccVariant::Bank        ? 1
                                                     : attention.variant == AttAccVariant::BankGroup ? 4
                                                                                                     : 32) >
                         std::int64_t(kValueOffset / kAttAccAccessBytes);
    if (carried || lastHead + span > kValueOffset)
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} heads of {} tokens need {} rows of each bank for keys alone; there are {}",
                        attention.heads, attention.tokens,
                        carried ? std::string("more than 8192")
                                : std::to_string((lastHead + span + 1023) / kAttAccRowStride),
                        kValueOffset / kAttAccRowStride),
            {}, "fewer heads per stack or shorter sequences fit");
    trace.build();
    return trace;
}

AttAccAttentionTrace::AttAccAttentionTrace(const AttAccAttention& attention)
    : m_attention(attention), m_lanes(kAttAccAccessBytes / attention.elementBytes),
      m_tokenSteps(ceilDiv(attention.tokens, tokenPlaces(attention.variant))) {
    // banks share a head's elements
    const std::int64_t wide = attention.variant == AttAccVariant::Bank ? kNumbers : 1;
    m_scoreMacs = ceilDiv(attention.headSize, wide * m_lanes);
    m_outSteps = m_scoreMacs;
    m_iterations = int(ceilDiv(attention.heads, kAttAccChannels));
}

int AttAccAttentionTrace::channels(int iteration) const {
    return int(std::min<std::int64_t>(kAttAccChannels,
                                      m_attention.heads - std::int64_t(iteration) * kAttAccChannels));
}

std::int64_t AttAccAttentionTrace::units(List list) const {
    const bool bank = m_attention.variant == AttAccVariant::Bank,
               buffer = m_attention.variant == AttAccVariant::Buffer;
    switch (list) {
    case List::Query:
        return bank ? kNumbers * m_scoreMacs : m_scoreMacs;
    case List::Score:
        return m_tokenSteps * m_scoreMacs;
    case List::ScoreOut:
        return buffer ? 1 : kGroups * kRanks;
    case List::Softmax:
    case List::Barrier:
        return 1;
    case List::Weights: {
        const std::int64_t columns = ceilDiv(m_attention.tokens, tokenPlaces(m_attention.variant) * m_lanes);
        return buffer ? columns : kRanks * kGroups * columns;
    }
    case List::Context:
        return m_outSteps * m_tokenSteps;
    case List::ContextOut:
        return bank ? kNumbers * kRanks : buffer ? 1 : kRanks;
    }
    return 0;
}

AttAccCommand AttAccAttentionTrace::commandOf(List list) const {
    switch (list) {
    case List::Query:
        return AttAccCommand::WriteGemv;
    case List::ScoreOut:
    case List::ContextOut:
        return AttAccCommand::MoveSoftmax;
    case List::Softmax:
        return AttAccCommand::Softmax;
    case List::Weights:
        return AttAccCommand::MoveGemv;
    case List::Barrier:
        return AttAccCommand::Barrier;
    case List::Score:
    case List::Context:
        break;
    }
    return m_attention.variant == AttAccVariant::Bank        ? AttAccCommand::MacAll
           : m_attention.variant == AttAccVariant::BankGroup ? AttAccCommand::MacSame
                                                             : AttAccCommand::MacPer;
}

std::uint64_t AttAccAttentionTrace::macAddress(std::int64_t index) const {
    std::uint64_t rest = std::uint64_t(index), address = 0;
    const auto take = [&](std::uint64_t count, std::uint64_t stride) {
        address += rest % count * stride;
        rest /= count;
    };
    switch (m_attention.variant) {
    case AttAccVariant::Bank: // column, row
        return rest * kAttAccAccessBytes;
    case AttAccVariant::BankGroup: // column, bank, row
        take(kAttAccColumns, kAttAccAccessBytes);
        take(kNumbers, kAttAccBankStride);
        break;
    case AttAccVariant::Buffer: // bank group and rank, bank, column, row
        take(kGroups * kRanks, kAttAccGroupStride);
        take(kNumbers, kAttAccBankStride);
        take(kAttAccColumns, kAttAccAccessBytes);
        break;
    }
    return address + rest * kAttAccRowStride;
}

std::uint64_t AttAccAttentionTrace::unitAddress(List list, int iteration, std::int64_t unit) const {
    const std::uint64_t apart =
        std::uint64_t(ceilDiv(m_attention.maxTokens * m_attention.headSize, kAttAccBanks));
    const std::uint64_t key = std::uint64_t(iteration) * apart, value = key + kValueOffset;
    const bool bank = m_attention.variant == AttAccVariant::Bank,
               buffer = m_attention.variant == AttAccVariant::Buffer;
    // Buffers are addressed entry by entry, not in bytes: the entry is in the low bits, which no bank looks
    // at.
    const std::uint64_t at = std::uint64_t(unit);
    switch (list) {
    case List::Query: {
        const std::uint64_t entries = std::uint64_t(m_scoreMacs);
        return bank ? key + at / entries * kAttAccBankStride + at % entries : key + at;
    }
    case List::Score:
        return key + macAddress(unit);
    case List::ScoreOut:
        return buffer ? key : key + at % kRanks * kAttAccRankStride + at / kRanks * kAttAccGroupStride;
    case List::Weights: {
        if (buffer)
            return value + at;
        const std::uint64_t entries = std::uint64_t(units(list) / (kRanks * kGroups));
        return value + at / (kGroups * entries) * kAttAccRankStride +
               at / entries % kGroups * kAttAccGroupStride + at % entries;
    }
    case List::Context:
        return value + macAddress(unit);
    case List::ContextOut:
        if (buffer)
            return value;
        return value + at % kRanks * kAttAccRankStride + at / kRanks * kAttAccBankStride;
    case List::Softmax:
    case List::Barrier:
        break;
    }
    return 0;
}

void AttAccAttentionTrace::add(List list, int iteration, std::int64_t first, std::int64_t count) {
    if (count <= 0)
        return;
    const int used = list == List::Barrier ? kAttAccChannels : channels(iteration);
    m_pieces.push_back({list, iteration, first, count});
    m_length += count;
    m_counts[commandOf(list)] += count;
    // Channels run in step as long as each gets its copy of a unit before any gets the next one. Those
    // without a head get barriers only, are never behind and never hold the stream up.
    if (first % used != 0 || count % used != 0)
        m_symmetric = false;
}

/// One step of the scores: the MACs of 16 groups.
void AttAccAttentionTrace::scoreStep(int iteration, std::int64_t step) {
    const std::int64_t first = step * kStep, last = std::min(first + kStep, m_tokenSteps);
    const std::int64_t group = m_scoreMacs * channels(iteration);
    add(List::Score, iteration, first * group, (last - first) * group);
}

void AttAccAttentionTrace::contextStep(int iteration, std::int64_t step) {
    const std::int64_t group = m_tokenSteps * channels(iteration);
    add(List::Context, iteration, step * group, group);
}

void AttAccAttentionTrace::addShare(List list, int iteration, std::int64_t step, std::int64_t steps) {
    const std::int64_t share = items(list, iteration) / steps;
    add(list, iteration, step * share, share);
}

/// Iterations \p first (called A) and the next (B) together.
void AttAccAttentionTrace::pair(int first) {
    const int a = first, b = first + 1;
    const std::int64_t scores = ceilDiv(m_tokenSteps, kStep);
    addAll(List::Query, a);
    if (a == 0)
        add(List::Score, a, 0, channels(a));
    addBarrier();
    for (std::int64_t step = 0; step <= scores; ++step) { // A scores, B gets its query
        if (step < scores)
            scoreStep(a, step);
        if (step > 0)
            addAll(List::ScoreOut, a);
        if (step < scores) {
            addShare(List::Query, b, step, scores);
            addBarrier();
        }
    }
    const auto moveIn = [&](int iteration, std::int64_t step, std::int64_t steps) { // in the second half
        if (step >= steps / 2)
            addShare(List::Weights, iteration, step - steps / 2, steps - steps / 2);
    };
    for (std::int64_t step = 0; step <= scores; ++step) { // B scores, softmax of A
        if (step < scores)
            scoreStep(b, step);
        if (step > 0)
            addAll(List::ScoreOut, b);
        if (step == 0)
            addAll(List::Softmax, a);
        if (step < scores) {
            moveIn(a, step, scores);
            addBarrier();
        }
    }
    for (std::int64_t step = 0; step <= m_outSteps; ++step) { // context of A, softmax of B
        if (step < m_outSteps)
            contextStep(a, step);
        if (step > 0)
            addAll(List::ContextOut, a);
        if (step == 0)
            addAll(List::Softmax, b);
        if (step < m_outSteps) {
            moveIn(b, step, m_outSteps);
            addBarrier();
        }
    }
    for (std::int64_t step = 0; step <= m_outSteps; ++step) { // context of B, with the addresses of A
        if (step < m_outSteps)
            contextStep(a, step);
        if (step > 0)
            addAll(List::ContextOut, a);
        if (step < m_outSteps)
            addBarrier();
    }
}

void AttAccAttentionTrace::alone(int iteration) {
    const std::int64_t scores = ceilDiv(m_tokenSteps, kStep);
    addAll(List::Query, iteration);
    addBarrier();
    for (std::int64_t step = 0; step <= scores; ++step) {
        if (step < scores)
            scoreStep(iteration, step);
        if (step > 0)
            addAll(List::ScoreOut, iteration);
        if (step < scores)
            addBarrier();
    }
    addAll(List::Softmax, iteration);
    addAll(List::Weights, iteration);
    addBarrier();
    for (std::int64_t step = 0; step <= m_outSteps; ++step) {
        if (step < m_outSteps)
            contextStep(iteration, step);
        if (step > 0)
            addAll(List::ContextOut, iteration);
        if (step < m_outSteps)
            addBarrier();
    }
}

void AttAccAttentionTrace::build() {
    for (int i = 0; i + 1 < m_iterations; i += 2)
        pair(i);
    if (m_iterations % 2 != 0)
        alone(m_iterations - 1);
}

void AttAccAttentionTrace::rewind() {
    m_piece = 0;
    m_item = 0;
}

Result<std::size_t> AttAccAttentionTrace::read(std::span<AttAccRequest> into) {
    std::size_t done = 0;
    while (done < into.size() && m_piece < m_pieces.size()) {
        const Piece& piece = m_pieces[m_piece];
        const int used = piece.list == List::Barrier ? kAttAccChannels : channels(piece.iteration);
        std::int64_t unit = (piece.first + m_item) / used;
        int channel = int((piece.first + m_item) % used);
        const AttAccCommand command = commandOf(piece.list);
        std::uint64_t address = unitAddress(piece.list, piece.iteration, unit);
        for (; m_item < piece.count && done < into.size(); ++m_item) {
            if (channel == 0 || !m_onlyFirst)
                into[done++] = {command, address + std::uint64_t(channel) * kAttAccChannelStride};
            if (++channel == used) {
                channel = 0;
                address = unitAddress(piece.list, piece.iteration, ++unit);
            }
        }
        if (m_item == piece.count) {
            ++m_piece;
            m_item = 0;
        }
    }
    return done;
}

} // namespace pim
