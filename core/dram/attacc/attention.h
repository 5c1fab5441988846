// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The command stream with which AttAcc computes decode attention on one stack: softmax(q·K^T)·V for `heads`
/// heads, head h on channel h mod 16. Two heads of a channel are interleaved so that the softmax of one runs
/// beside the matrix products of the other. Source: trace generators of the AttAcc simulator c600051; their
/// streams are reproduced command for command, including what they get wrong (see attention.cpp).
#include "core/dram/attacc/trace.h"

#include <vector>

namespace pim {

/// Where the multipliers sit.
enum class AttAccVariant : std::uint8_t { Bank, BankGroup, Buffer };
std::string_view attAccVariantName(AttAccVariant variant); ///< "bank", "bg", "buffer"
Result<AttAccVariant> attAccVariant(std::string_view name);

struct AttAccAttention {
    AttAccVariant variant = AttAccVariant::Bank;
    std::int64_t heads = 1;        ///< On this stack: heads x batch / stacks, rounded up.
    std::int64_t tokens = 1;       ///< Sequence length.
    std::int64_t headSize = 128;   ///< Elements of a head.
    int elementBytes = 2;          ///< 1, 2 or 4.
    std::int64_t maxTokens = 4096; ///< What the caches are laid out for; sets the distance between heads.
};

/// The stream of one attention, made on the fly.
class AttAccAttentionTrace : public AttAccTrace {
public:
    /// Usage if a number is out of range, Unsupported if the caches do not fit into the rows of a bank.
    static Result<AttAccAttentionTrace> create(const AttAccAttention& attention);

    Result<std::size_t> read(std::span<AttAccRequest> into) override;
    void rewind();

    std::int64_t length() const { return m_length; }
    const AttAccCounts& counts() const { return m_counts; }
    /// Channels with a head get the same commands at the same time, so that channel 0 stands for all.
    bool symmetric() const { return m_symmetric; }
    /// Only what channel 0 gets is read from now on, and what it ignores is counted no less in counts().
    void onlyFirstChannel() { m_onlyFirst = true; }

private:
    /// What one list of commands of one iteration (up to 16 heads, one a channel) consists of.
    enum class List : std::uint8_t { Query, Score, ScoreOut, Softmax, Weights, Context, ContextOut, Barrier };
    /// `count` items of a list from `first`; item i is unit i / channels on channel i % channels.
    struct Piece {
        List list = List::Barrier;
        int iteration = 0;
        std::int64_t first = 0, count = 0;
    };
    explicit AttAccAttentionTrace(const AttAccAttention& attention);
    void build();
    void add(List list, int iteration, std::int64_t first, std::int64_t count);
    void addAll(List list, int iteration) { add(list, iteration, 0, items(list, iteration)); }
    void addBarrier() { add(List::Barrier, 0, 0, kAttAccChannels); }
    void scoreStep(int iteration, std::int64_t step);
    void contextStep(int iteration, std::int64_t step);
    void addShare(List list, int iteration, std::int64_t step, std::int64_t steps);
    void pair(int first);
    void alone(int iteration);

    int channels(int iteration) const; ///< In use in an iteration.
    std::int64_t units(List list) const;
    std::int64_t items(List list, int iteration) const { return units(list) * channels(iteration); }
    AttAccCommand commandOf(List list) const;
    std::uint64_t unitAddress(List list, int iteration, std::int64_t unit) const;
    std::uint64_t macAddress(std::int64_t index) const;

    AttAccAttention m_attention;
    std::int64_t m_lanes = 0; ///< Elements of one access.
    /// MAC groups of the scores: tokens over the places that hold different tokens.
    std::int64_t m_tokenSteps = 0;
    std::int64_t m_scoreMacs = 0; ///< MACs of a group.
    std::int64_t m_outSteps = 0;  ///< Groups of the context.
    int m_iterations = 0;
    std::vector<Piece> m_pieces;
    std::int64_t m_length = 0;
    AttAccCounts m_counts;
    bool m_symmetric = true, m_onlyFirst = false;
    std::size_t m_piece = 0; ///< Being read, and how far.
    std::int64_t m_item = 0;
};

} // namespace pim
