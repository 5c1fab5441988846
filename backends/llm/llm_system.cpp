// SPDX-License-Identifier: GPL-3.0-or-later
// All formulas: AttAcc simulator c600051 (models, devices, system).
#include "backends/llm/llm_system.h"

#include "backends/host/roofline.h"
#include "core/base/parallel.h"
#include "core/dram/attacc/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <set>

namespace pim {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000, kMostBatch = 100'000;
constexpr int kMostGpus = 1024;

// Energy of the softmax unit and of the link. [AttAcc simulator c600051, energy table]
constexpr double kSoftmaxBufferPjPerByte = 0.0034, kMacPj = 0.32, kLinkPjPerByte = 10.4;
/// AttAcc devices in its PIM configuration, not changed with the number of GPUs.
constexpr int kPublishedDevices = 8;
constexpr double kSoftmaxFlops = 5, kNormFlops = 5;
constexpr double kNjPerMj = 1e6, kNsPerMs = 1e6, kPjPerMj = 1e9;

double ceilDiv(double a, double b) {
    return std::ceil(a / b);
}

double activationFlops(LlmFeedForward form) {
    switch (form) {
    case LlmFeedForward::Relu:
        return 1;
    case LlmFeedForward::Gelu:
        return 8;
    case LlmFeedForward::Gated:
        break;
    }
    return 9;
}

/// Bandwidth of the multipliers over that of the stack's interface.
double computeBandwidthScale(const LlmPim& pim) {
    switch (pim.variant) {
    case AttAccVariant::Bank:
        return pim.powerLimit ? 9 : 16;
    case AttAccVariant::BankGroup:
        return pim.powerLimit ? 3 : 8;
    case AttAccVariant::Buffer:
        break;
    }
    return 1;
}

/// Parameters of a host that energy needs.
constexpr std::pair<const char*, const char*> kEnergies[] = {
    {"energy.memory", "pJ/B"},   {"energy.l2", "pJ/B"},   {"energy.l1", "pJ/B"},
    {"energy.register", "pJ/B"}, {"energy.link", "pJ/B"}, {"energy.mac", "pJ"}};

/// Prices the layers of a model on one GPU of the system; energy is of all of them.
class Gpu {
public:
    struct Cost {
        double ns = 0;
        bool memoryBound = true;
        LlmEnergy energy, published;
    };

    Gpu(const LlmSystem& system, DataType type)
        : m_host(system.host), m_gpus(system.gpus), m_type(type), m_bytes(double(bytesOf(type))) {}

    Cost product(const Gemm& gemm) const {
        const GemmCost cost = gemmCost(m_host, gemm, m_type);
        const double operands = 3 * gemm.m * gemm.n * gemm.k;
        Cost result{cost.ns, cost.computeNs <= cost.memoryNs, {}, {}};
        result.published = energy(cost.memoryBytes, cost.l2Bytes, cost.l1Bytes, operands,
                                  2 * gemm.m * gemm.n * gemm.k * gemm.count);
        result.energy = result.published;
        result.energy.registers *= gemm.count;
        return result;
    }
    Cost softmax(double elements, double rows) const {
        return streamed(softmaxCost(m_host, elements, rows, m_type).ns, 2 * elements,
                        kSoftmaxFlops * elements);
    }
    Cost activation(double elements, LlmFeedForward form) const {
        const double tensors = form == LlmFeedForward::Gated ? 3 : 2;
        const double flops = activationFlops(form) * elements;
        return fitted(activationCost(m_host, tensors * elements * m_bytes, 0, m_type), tensors * elements,
                      flops);
    }
    Cost norm(double elements) const {
        const double tensors = 3;
        return fitted(normCost(m_host, tensors * elements * m_bytes, 0, m_type), tensors * elements,
                      kNormFlops * elements);
    }
    Cost allReduce(double elements) const {
        return transfer(allReduceNs(m_host, m_gpus, elements * m_bytes), elements);
    }
    Cost toMemory(double elements) const { return transfer(linkNs(m_host, elements * m_bytes), elements); }

    double peakFlopsPerNs() const { // streamCost knows which type stands in for one the host does not name
        return 1 / (streamCost(m_host, 0, 1, m_type).computeNs * m_host.flopsEfficiency);
    }
    bool hasEnergy() const {
        return std::all_of(std::begin(kEnergies), std::end(kEnergies), [&](const auto& figure) {
            return m_host.numberOr(figure.first, figure.second, -1) >= 0;
        });
    }
    double peakBytesPerNs() const { return m_host.memoryBytesPerNs; }

private:
    /// The fit of the memory side; arithmetic as AttAcc has it, by one block of threads and so on one core.
    Cost fitted(const HostCost& line, double elements, double flops) const {
        const double oneCoreNs = streamCost(m_host, 0, flops * m_host.cores, m_type).computeNs;
        return streamed(std::max(line.ns, oneCoreNs), elements, flops);
    }
    Cost streamed(double ns, double elements, double flops) const {
        const double bytes = elements * m_bytes;
        const LlmEnergy spent = energy(bytes, bytes, bytes, bytes, flops);
        return {ns, true, spent, spent};
    }
    Cost transfer(double ns, double elements) const {
        LlmEnergy spent;
        spent.link = elements * m_bytes * m_gpus * pj("energy.link", "pJ/B") / kPjPerMj;
        return {ns, true, spent, spent};
    }
    LlmEnergy energy(double memory, double l2, double l1, double registers, double flops) const {
        const LlmEnergy one{memory * pj("energy.memory", "pJ/B"), l2 * pj("energy.l2", "pJ/B"),
                            l1 * pj("energy.l1", "pJ/B"),         registers * pj("energy.register", "pJ/B"),
                            flops / 2 * pj("energy.mac", "pJ"),   0};
        return one * (m_gpus / kPjPerMj);
    }
    double pj(std::string_view parameter, std::string_view unit) const {
        return m_host.numberOr(parameter, unit, 0);
    }

    const Host& m_host;
    int m_gpus;
    DataType m_type;
    double m_bytes;
};

/// Extents of one layer on one of the GPUs, which share it by heads and by columns of the weights.
struct Share {
    double hidden, heads, headSize, feedForward, ownHidden;
    Share(const LlmModel& model, int gpus)
        : hidden(double(model.hidden)), heads(double(model.heads / gpus)), headSize(double(model.headSize())),
          feedForward(model.feedForwardScale * double(model.hidden / gpus)),
          ownHidden(double(model.hidden / gpus)) {}
};

/// What a layer does with \p rows tokens apart from the attention: alike in every step.
class Layer {
public:
    Layer(const Gpu& gpu, const LlmModel& model, const Share& share, double rows) {
        linear(m_ns.qkv, gpu.product({rows, 3 * share.ownHidden, share.hidden}));
        linear(m_ns.projection, gpu.product({rows, share.hidden, share.ownHidden}));
        const Gemm wide{rows, share.feedForward, share.hidden}, back{rows, share.hidden, share.feedForward};
        feedForward(gpu.product(wide));
        if (model.feedForward == LlmFeedForward::Gated)
            feedForward(gpu.product(wide));
        feedForward(gpu.product(back));
        other(m_ns.activation, gpu.activation(rows * share.feedForward, model.feedForward));
        for (int i = 0; i < 2; ++i) {
            other(m_ns.norm, gpu.norm(rows * share.hidden));
            other(m_ns.allReduce, gpu.allReduce(rows * share.hidden));
        }
    }

    /// Memory helps with the feed-forward: its bandwidth, or its multipliers, are added to the GPU's.
    void shareFeedForward(const Gpu& gpu, double memoryBytesPerNs, double batch, double elementBytes) {
        m_ns.feedForward = 0;
        for (const Gpu::Cost& cost : m_feedForward) {
            const double own = cost.memoryBound ? gpu.peakBytesPerNs() : gpu.peakFlopsPerNs();
            const double added =
                cost.memoryBound ? memoryBytesPerNs / batch : memoryBytesPerNs / elementBytes * 2;
            m_ns.feedForward += cost.ns * own / (own + added);
        }
    }

    const LlmParts& ns() const { return m_ns; }
    const LlmEnergyParts& energy() const { return m_energy; }
    const LlmEnergyParts& published() const { return m_published; }

private:
    void linear(double& part, const Gpu::Cost& cost) {
        part += cost.ns;
        m_energy.linear += cost.energy;
        m_published.linear += cost.published;
    }
    void feedForward(const Gpu::Cost& cost) {
        linear(m_ns.feedForward, cost);
        m_feedForward.push_back(cost);
    }
    void other(double& part, const Gpu::Cost& cost) {
        part += cost.ns;
        m_energy.other += cost.energy;
        m_published.other += cost.published;
    }

    LlmParts m_ns;
    std::vector<Gpu::Cost> m_feedForward;
    LlmEnergyParts m_energy, m_published;
};

/// Scores, softmax and context of one layer on the GPUs, \p queries tokens of each sequence at once.
Gpu::Cost attentionOnGpu(const Gpu& gpu, const Share& share, double batch, double queries, double tokens) {
    const double heads = share.heads * batch;
    Gpu::Cost sum;
    for (const Gpu::Cost& cost : {gpu.product({queries, tokens, share.headSize, heads, false}),
                                  gpu.softmax(queries * tokens * heads, heads),
                                  gpu.product({queries, share.headSize, tokens, heads, false})}) {
        sum.ns += cost.ns;
        sum.energy += cost.energy;
        sum.published += cost.published;
    }
    return sum;
}

/// What one step of one layer needs of the memory of one GPU beyond the products of its attention.
struct MemoryStep {
    double transferNs = 0; ///< Queries, keys, values in; context out.
    double softmaxNs = 0;  ///< Hidden behind the products; counts only in what can hide behind it.

    MemoryStep(const LlmPim& pim, const Share& share, double batch, double tokens, double elementBytes)
        : m_scores(tokens * share.heads * batch), m_macs(m_scores * share.headSize),
          m_softmaxBytes(2 * m_scores * elementBytes),
          m_moved(batch * (3 * share.ownHidden + share.heads * share.headSize) * elementBytes) {
        const double interface = pim.stackBytesPerNs * pim.stacks; // FLOP/ns of FP16 as well
        softmaxNs = std::max(kSoftmaxFlops * m_scores / (interface * std::floor(2 / elementBytes)),
                             m_softmaxBytes / interface);
        transferNs = m_moved / (pim.linkBytesPerNs / 2);
    }
    /// Of one GPU. \param products that are charged for their arithmetic: scores, or scores and context.
    LlmEnergy energy(double memoryNj, int products) const {
        LlmEnergy spent;
        spent.memory = memoryNj / kNjPerMj + m_softmaxBytes * kSoftmaxBufferPjPerByte / kPjPerMj;
        spent.arithmetic = (products * m_macs + kSoftmaxFlops * m_scores / 2) * kMacPj / kPjPerMj;
        spent.link = m_moved * kLinkPjPerByte / kPjPerMj;
        return spent;
    }

private:
    double m_scores, m_macs, m_softmaxBytes, m_moved;
};

LlmParts scaled(const LlmParts& parts, double f) {
    return {parts.qkv * f,        parts.attention * f, parts.projection * f, parts.feedForward * f,
            parts.activation * f, parts.norm * f,      parts.toMemory * f,   parts.allReduce * f};
}

LlmParts sum(const LlmParts& a, const LlmParts& b) {
    return {a.qkv + b.qkv,
            a.attention + b.attention,
            a.projection + b.projection,
            a.feedForward + b.feedForward,
            a.activation + b.activation,
            a.norm + b.norm,
            a.toMemory + b.toMemory,
            a.allReduce + b.allReduce};
}

/// Mean of a step. \param attention of all steps, \param rest of one; both of one layer.
LlmEnergyParts ofAllLayers(const LlmEnergyParts& attention, const LlmEnergyParts& rest, double layers,
                           std::int64_t steps) {
    LlmEnergyParts result;
    result.linear = rest.linear * layers;
    result.attention = attention.attention * (layers / double(steps));
    result.other = rest.other * layers;
    return result;
}

/// What of one step is left to wait for when attention in memory runs beside other work. \p heads a GPU: work
/// on the first (or last) of them has nothing to run beside.
void overlap(LlmParts& step, double softmaxNs, double heads, bool pipelined) {
    const double alone = 1 / heads, hidden = 1 - alone;
    const double attention = step.attention + softmaxNs;
    const double linear = step.qkv + step.projection;
    const auto hideTransfer = [&](bool behind) {
        step.toMemory = behind ? step.toMemory * alone : step.toMemory - attention * hidden;
    };
    if (!pipelined) {
        hideTransfer(attention > step.toMemory);
    } else if (attention > linear) {
        step.qkv *= alone;
        step.projection *= alone;
        hideTransfer(attention > step.toMemory);
    } else if (linear > step.toMemory) {
        step.toMemory *= alone;
        step.qkv -= attention * hidden * 3 / 4;
        step.projection -= attention * hidden / 4;
    } else {
        hideTransfer(false);
        step.qkv *= alone;
        step.projection *= alone;
    }
}

Result<void> checked(const LlmModel& model, const LlmSystem& system, const LlmRequest& request) {
    const auto inRange = [](std::string_view what, std::int64_t value, std::int64_t least,
                            std::int64_t most) -> Result<void> {
        if (value >= least && value <= most)
            return {};
        return fail(ErrorCode::Usage, fmt::format("{} of {} is not in {} to {}", what, value, least, most));
    };
    PIM_CHECK(inRange("a batch", request.batch, 1, kMostBatch));
    PIM_CHECK(inRange("a number of tokens in", request.tokensIn, 1, kMostTokens));
    PIM_CHECK(inRange("a number of tokens out", request.tokensOut, 1, kMostTokens));
    PIM_CHECK(inRange("a token step", request.tokenStep, 1, kMostTokens));
    PIM_CHECK(inRange("a number of GPUs", system.gpus, 1, std::min<std::int64_t>(kMostGpus, model.heads)));
    PIM_CHECK(inRange("a number of stacks", system.pim.stacks, 1, kMostGpus));
    if (request.type != DataType::F16 && request.type != DataType::I8)
        return fail(ErrorCode::Usage,
                    fmt::format("elements of {} are neither f16 nor i8", name(request.type)));
    return {};
}

Diagnostics notesOn(const LlmModel& model, const LlmSystem& system, const LlmResult& result) {
    Diagnostics notes;
    if (const std::int64_t lost = model.heads % system.gpus; lost != 0)
        notes.push_back(
            {Severity::Warning, model.name,
             fmt::format("{} heads over {} GPUs: {} of them are left out, as in AttAcc's simulator",
                         model.heads, system.gpus, lost),
             "take a number of GPUs that divides the heads"});
    if (const double needed = result.weightBytes + result.cacheBytes; needed > result.capacityBytes)
        notes.push_back({Severity::Warning, model.name,
                         fmt::format("weights and caches take {:.1f} GiB, the system has {:.1f} GiB",
                                     needed / double(1 << 30), result.capacityBytes / double(1 << 30)),
                         "times are those of a system with more memory; take more GPUs or a smaller batch"});
    return notes;
}

} // namespace

LlmEnergy& LlmEnergy::operator+=(const LlmEnergy& other) {
    memory += other.memory;
    l2 += other.l2;
    l1 += other.l1;
    registers += other.registers;
    arithmetic += other.arithmetic;
    link += other.link;
    return *this;
}

LlmEnergy LlmEnergy::operator*(double factor) const {
    return {memory * factor,    l2 * factor,         l1 * factor,
            registers * factor, arithmetic * factor, link * factor};
}

LlmEnergy LlmEnergyParts::sum() const {
    LlmEnergy all = linear;
    all += attention;
    all += other;
    return all;
}

Result<std::vector<LlmSimulator::Attention>>
LlmSimulator::attentions(const LlmPim& pim, AttAccAttention shape, const Lengths& lengths,
                         std::int64_t& simulated, const TaskContext& task) {
    const std::int64_t first = lengths.first, last = lengths.last, step = lengths.step;
    // Streams of one bucket of lengths are equal. Points: every stride-th bucket, and the longest there may
    // be.
    const std::int64_t bucket = shape.variant == AttAccVariant::Buffer ? 2 : 16;
    const std::int64_t stride = std::max<std::int64_t>(1, step / bucket);
    while (shape.maxTokens < last)
        shape.maxTokens *= 2; // the layout of its generators is made for 4096
    const auto bucketOf = [&](std::int64_t tokens) { return (tokens + bucket - 1) / bucket; };
    const auto below = [&](std::int64_t b) { return b - (b - 1) % stride; };
    const auto above = [&](std::int64_t b) {
        return b == below(b) ? b : std::min(below(b) + stride, shape.maxTokens / bucket);
    };
    const auto key = [&](std::int64_t b) {
        return Key{std::int64_t(shape.variant), pim.powerLimit, shape.heads, shape.headSize,
                   shape.elementBytes,          b * bucket};
    };
    AttAccOptions options;
    PIM_TRY(options.device, attAccDevice("5.2", pim.powerLimit));
    std::set<std::int64_t> points;
    for (std::int64_t b = bucketOf(first); b <= bucketOf(last); ++b)
        points.insert({below(b), above(b)});
    std::vector<std::int64_t> missing;
    std::copy_if(points.begin(), points.end(), std::back_inserter(missing),
                 [&](std::int64_t b) { return m_known.find(key(b)) == m_known.end(); });
    std::vector<Attention> found(missing.size());
    std::vector<Result<void>> outcomes(missing.size());
    std::atomic<std::int64_t> done = 0;
    parallelFor(missing.size(), 0, [&](std::size_t i) {
        AttAccAttention one = shape;
        one.tokens = missing[i] * bucket;
        const Result<AttAccAttentionRun> run = runAttAccAttention(one, options, TaskContext{task.stop, {}});
        if (!run) {
            outcomes[i] = tl::unexpected(run.error());
            return;
        }
        found[i] = {double(run->cycles) * options.device.tickPs / 1000,
                    run->work.cellNj + run->work.ioCorrectedNj, run->work.cellNj + run->work.ioNj};
        task.report("attention in memory", ++done, std::int64_t(missing.size()));
    });
    for (std::size_t i = 0; i < missing.size(); ++i) {
        PIM_CHECK(outcomes[i]);
        m_known[key(missing[i])] = found[i];
    }
    simulated += std::int64_t(missing.size());

    std::vector<Attention> result;
    result.reserve(std::size_t(last - first + 1));
    for (std::int64_t tokens = first; tokens <= last; ++tokens) {
        const std::int64_t b = bucketOf(tokens), low = below(b), high = above(b);
        const Attention& x = m_known.at(key(low));
        const Attention& y = m_known.at(key(high));
        const double share = high > low ? double(b - low) / double(high - low) : 0;
        const auto between = [&](double lower, double upper) { return lower + share * (upper - lower); };
        result.push_back({between(x.ns, y.ns), between(x.memoryNj, y.memoryNj),
                          between(x.memoryAsPublishedNj, y.memoryAsPublishedNj)});
    }
    return result;
}

Result<LlmResult> LlmSimulator::run(const LlmModel& model, const LlmSystem& system, const LlmRequest& request,
                                    const TaskContext& task) {
    PIM_CHECK(checked(model, system, request));
    const Gpu gpu(system, request.type);
    const Share share(model, system.gpus);
    const LlmPim& pim = system.pim;
    const double batch = double(request.batch), tokensIn = double(request.tokensIn);
    const double layers = double(model.layers), bytes = double(bytesOf(request.type));
    const double heads = share.heads * batch;
    const double allTokens = double(request.tokensIn + request.tokensOut - 1);

    LlmResult result;
    result.weightBytes = model.weights() * bytes;
    result.cacheBytes = layers * 2 * allTokens * double(model.hidden) * bytes * batch;
    result.capacityBytes = double(system.host.memoryBytes) * system.gpus;
    if (system.attAcc)
        result.capacityBytes += double(pim.stackBytes) * pim.stacks * system.gpus;
    result.notes = notesOn(model, system, result);

    const Layer prefill(gpu, model, share, batch * tokensIn);
    result.prefillMs = prefill.ns();
    result.prefillMs.attention = attentionOnGpu(gpu, share, batch, tokensIn, tokensIn).ns;
    if (system.attAcc)
        result.prefillMs.toMemory = gpu.toMemory(batch * tokensIn * 2 * share.ownHidden).ns;
    result.prefillMs = scaled(result.prefillMs, layers / kNsPerMs);

    result.steps = request.tokensOut - 1;
    if (result.steps == 0)
        return result;
    Layer layer(gpu, model, share, batch);
    if (system.attAcc && pim.feedForward)
        layer.shareFeedForward(gpu, pim.stackBytesPerNs * pim.stacks * computeBandwidthScale(pim), batch,
                               bytes);
    std::vector<Attention> inMemory;
    if (system.attAcc) {
        AttAccAttention shape;
        shape.variant = pim.variant;
        shape.heads = std::int64_t(ceilDiv(heads, pim.stacks));
        shape.headSize = model.headSize();
        shape.elementBytes = int(bytes);
        PIM_TRY(inMemory,
                attentions(pim, shape,
                           {request.tokensIn + 1, request.tokensIn + result.steps, request.tokenStep},
                           result.simulatedLengths, task));
    }
    LlmEnergyParts energy, published;
    for (std::int64_t i = 0; i < result.steps; ++i) {
        if (task.cancelled())
            return TaskContext::cancelledError("the generation");
        const double tokens = tokensIn + 1 + double(i);
        LlmParts step = layer.ns();
        if (system.attAcc) {
            const Attention& attention = inMemory[std::size_t(i)];
            const MemoryStep memory(pim, share, batch, tokens, bytes);
            step.attention = attention.ns;
            step.toMemory = memory.transferNs;
            overlap(step, memory.softmaxNs, double(model.heads) / system.gpus, pim.pipelined);
            energy.attention += memory.energy(attention.memoryNj * pim.stacks, 2) * system.gpus;
            published.attention +=
                memory.energy(attention.memoryAsPublishedNj * pim.stacks, 1) * kPublishedDevices;
        } else {
            const Gpu::Cost attention = attentionOnGpu(gpu, share, batch, 1, tokens);
            step.attention = attention.ns;
            energy.attention += attention.energy;
            published.attention += attention.published;
        }
        result.stepsMs = sum(result.stepsMs, step);
    }
    result.stepsMs = scaled(result.stepsMs, layers / kNsPerMs);
    result.energyKnown = gpu.hasEnergy();
    if (!result.energyKnown)
        return result;
    result.energyMj = ofAllLayers(energy, layer.energy(), layers, result.steps);
    result.energyAsPublishedMj = ofAllLayers(published, layer.published(), layers, result.steps);
    return result;
}

} // namespace pim
