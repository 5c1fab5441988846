// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A language model served by GPUs, with the attention of the generation phase on the GPUs or in AttAcc's
/// memory: milliseconds and energy of every part. The rules are those of the AttAcc simulator (c600051:
/// models, xPU and PIM devices, pipelining), so that the baseline of published comparisons can be had at any
/// shape.
///
/// One layer stands for all of a model; every step of the generation is priced at its own length. There is
/// no embedding, no output head, no writing of keys and values, and all requests of a batch have equal
/// lengths.
#include "backends/llm/llm_model.h"
#include "core/base/task.h"
#include "core/dram/attacc/attention.h"
#include "core/hardware/target.h"

#include <array>
#include <map>

namespace pim {

/// AttAcc devices beside the GPUs. [AttAcc simulator c600051, PIM configuration]
struct LlmPim {
    AttAccVariant variant = AttAccVariant::Bank;
    bool powerLimit = true;   ///< Of MACs; and of the bandwidth that computes the feed-forward.
    bool feedForward = false; ///< Memory takes a share of the feed-forward by its bandwidth; a formula.
    bool pipelined = false;   ///< Attention of one head beside the projections of others.
    int stacks = 5;           ///< A GPU.
    double stackBytesPerNs = 670.4;
    double linkBytesPerNs = 600; ///< NVLink 3, both directions, whatever the link between the GPUs.
    std::int64_t stackBytes = 16LL << 30;
};

struct LlmSystem {
    Host host; ///< One GPU.
    int gpus = 1;
    bool attAcc = false; ///< Attention of the generation phase in memory.
    LlmPim pim;          ///< Only if so.
};

struct LlmRequest {
    std::int64_t batch = 1;
    std::int64_t tokensIn = 2048, tokensOut = 128; ///< The first of the tokens out is the prefill's.
    DataType type = DataType::F16;                 ///< F16 or I8.
    /// Attention in memory is simulated at lengths this far apart and is a line between them. AttAcc's
    /// streams are equal for 16 lengths (2 in the buffer variant) in a row, so that up to 16 (2) nothing is
    /// lost.
    std::int64_t tokenStep = 16;
};

/// Milliseconds, or any other measure, of the parts of a model.
struct LlmParts {
    double qkv = 0, attention = 0, projection = 0, feedForward = 0, activation = 0, norm = 0;
    double toMemory = 0; ///< Between GPU and AttAcc.
    double allReduce = 0;
    double sum() const {
        return qkv + attention + projection + feedForward + activation + norm + toMemory + allReduce;
    }
};

/// Millijoules by where they go.
struct LlmEnergy {
    double memory = 0, l2 = 0, l1 = 0, registers = 0, arithmetic = 0, link = 0;
    double onChip() const { return l2 + l1 + registers + arithmetic; }
    double sum() const { return memory + onChip() + link; }
    LlmEnergy& operator+=(const LlmEnergy& other);
    LlmEnergy operator*(double factor) const;
};
/// The same by what it is for.
struct LlmEnergyParts {
    LlmEnergy linear, attention, other;
    LlmEnergy sum() const;
};

struct LlmResult {
    LlmParts prefillMs; ///< All layers.
    LlmParts stepsMs;   ///< All steps of the generation.
    std::int64_t steps = 0;
    /// Mean energy of a step, all GPUs, as the AttAcc simulator adds it up: moves in memory eight times too
    /// low (picojoules a bit applied to bytes), eight AttAcc devices whatever the number of GPUs, arithmetic
    /// of the scores alone, registers of one head alone.
    LlmEnergyParts energyAsPublishedMj;
    LlmEnergyParts energyMj;  ///< With these mended.
    bool energyKnown = false; ///< The host file has all the figures; else both are empty.
    double weightBytes = 0, cacheBytes = 0, capacityBytes = 0;
    std::int64_t simulatedLengths = 0; ///< Attentions that were simulated for this result.
    Diagnostics notes;

    /// Without moving keys and values to memory, which AttAcc's simulator hides behind the prefill.
    double prefillTotalMs() const { return prefillMs.sum() - prefillMs.toMemory; }
    double stepMs() const { return steps > 0 ? stepsMs.sum() / double(steps) : 0; }
};

/// Keeps the attentions it has simulated; one at a time may use it.
class LlmSimulator {
public:
    /// Errors: Usage for numbers out of range, Unsupported where memory cannot hold the caches, Cancelled.
    Result<LlmResult> run(const LlmModel& model, const LlmSystem& system, const LlmRequest& request,
                          const TaskContext& task = {});

private:
    struct Attention {
        double ns = 0;
        double memoryNj = 0, memoryAsPublishedNj = 0; ///< One stack.
    };
    /// Variant, power limit, heads of a stack, head size, element bytes, tokens.
    using Key = std::array<std::int64_t, 6>;

    /// Tokens from \ref first to \ref last; simulated every \ref step of them.
    struct Lengths {
        std::int64_t first = 1, last = 1, step = 1;
    };
    /// Attention of one stack at every length. \p simulated counts those that were.
    Result<std::vector<Attention>> attentions(const LlmPim& pim, AttAccAttention shape,
                                              const Lengths& lengths, std::int64_t& simulated,
                                              const TaskContext& task);

    std::map<Key, Attention> m_known;
};

} // namespace pim
