// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// All groups run the same stream on data of their own, so they run side by side; what they send to the host
/// is merged in order of the groups, each as soon as those before it are done, and then forgotten. Where
/// nothing comes back from the host that a group has sent (no scratch tensor), a group runs all phases in one
/// go and its memory is freed.
#include "core/dram_pim/run.h"

#include "core/base/bfloat16.h"
#include "core/base/half_float.h"
#include "core/base/parallel.h"
#include "core/dram_pim/flat_program.h"
#include "core/dram_pim/weighed_operands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

namespace pim {
namespace {

constexpr std::int64_t kPollRunEvery = 1 << 14; // commands between looks at the stop button

struct SentWord {
    int phase = 0;
    std::int64_t tensor = 0, burst = 0;
    PimWord word{};
    auto place() const { return std::tie(phase, tensor, burst); }
};

std::uint16_t toBits(DataType type, float value) {
    return type == DataType::BF16 ? floatToBfloat(value) : floatToHalf(value);
}
float fromBits(DataType type, std::uint16_t bits) {
    return type == DataType::BF16 ? bfloatToFloat(bits) : halfToFloat(bits);
}

/// The tensors as the host has them: inputs as given, outputs and scratch as merged so far.
class HostTensors {
public:
    HostTensors(const PimCode& code, const Kernel& kernel, std::vector<std::vector<float>> tensors)
        : m_code(code), m_weighed(dynamic_cast<const WeighedOperands*>(code.operands.get())),
          m_kernel(kernel), m_tensors(std::move(tensors)) {}

    /// Puts outputs in their first state. Error::Usage for sizes that do not fit.
    Result<void> prepare() {
        if (m_code.type != DataType::F16 && m_code.type != DataType::BF16)
            return fail(ErrorCode::Unsupported, "code for values that are neither F16 nor BF16",
                        m_code.program.op);
        if (m_tensors.size() != m_kernel.tensors.size())
            return fail(
                ErrorCode::Usage,
                fmt::format("{} tensors given, the kernel has {}", m_tensors.size(), m_kernel.tensors.size()),
                m_kernel.name);
        if (m_kernel.body == BodyKind::Reduce)
            m_merge = m_kernel.function == "max"   ? Merge::Max
                      : m_kernel.function == "min" ? Merge::Min
                                                   : Merge::Add;
        m_written.resize(m_tensors.size());
        for (std::size_t t = 0; t < m_tensors.size(); ++t) {
            const KernelTensor& tensor = m_kernel.tensors[t];
            const auto elements = std::size_t(elementCount(tensor.shape).value_or(0));
            if (tensor.role == TensorRole::Output) {
                m_tensors[t].assign(elements, start());
                m_written[t].assign(elements, false);
            } else if (m_tensors[t].size() != elements) {
                return fail(ErrorCode::Usage,
                            fmt::format("{} elements given, tensor {} has {}", m_tensors[t].size(),
                                        tensor.name, elements),
                            m_kernel.name);
            }
        }
        if (m_code.scratchElements > 0) {
            std::vector<float>& scratch = m_tensors.emplace_back(std::size_t(m_code.scratchElements), 0.0F);
            if (m_weighed) {
                const std::vector<float> constants = m_weighed->scratchConstants();
                scratch.insert(scratch.end(), constants.begin(), constants.end());
            }
        }
        return {};
    }

    /// From now on groups read from the scratch tensor what has been merged until now.
    void beginPhase() {
        if (m_code.scratchElements > 0)
            m_scratch = m_tensors.back();
    }

    /// What crosses the bus to a group.
    Result<PimWord> read(int group, std::int64_t tensor, std::int64_t burst) const {
        if (tensor == -1) {
            if (burst < 0 || burst >= std::int64_t(m_code.constants.size()))
                return fail(ErrorCode::InvalidFile, fmt::format("constant {} is asked for; there are {}",
                                                                burst, m_code.constants.size()));
            return m_code.constants[std::size_t(burst)];
        }
        std::array<std::int64_t, kPimLanes> elements{};
        PIM_CHECK(elementsOf(group, tensor, burst, elements));
        if (isOfKernel(tensor) && role(tensor) != TensorRole::Input)
            return fail(ErrorCode::InvalidFile, fmt::format("tensor {} is read, which is an output", tensor),
                        {}, "what the host sends back is the scratch tensor");
        const std::vector<float>& values = isOfKernel(tensor) ? m_tensors[std::size_t(tensor)] : m_scratch;
        PimWord word{};
        for (std::size_t lane = 0; lane < kPimLanes; ++lane)
            if (elements[lane] >= 0)
                word[lane] = toBits(m_code.type, values[std::size_t(elements[lane])]);
        return word;
    }

    /// Whether a group may send words of a tensor.
    Result<void> mayWrite(std::int64_t tensor) const {
        if (tensor < 0 || tensor >= std::int64_t(m_tensors.size()) ||
            (isOfKernel(tensor) && role(tensor) == TensorRole::Input))
            return fail(ErrorCode::InvalidFile,
                        fmt::format("tensor {} is written, which is no output", tensor));
        return {};
    }

    /// Adds the words of a group: by phase, tensor, burst, lane.
    Result<void> merge(int group, std::vector<SentWord> words) {
        std::sort(words.begin(), words.end(),
                  [](const SentWord& a, const SentWord& b) { return a.place() < b.place(); });
        const auto twice =
            std::adjacent_find(words.begin(), words.end(),
                               [](const SentWord& a, const SentWord& b) { return a.place() == b.place(); });
        if (twice != words.end())
            return fail(ErrorCode::InvalidFile,
                        fmt::format("group {} sends burst {} of tensor {} twice in phase \"{}\"", group,
                                    twice->burst, twice->tensor,
                                    m_code.program.phases[std::size_t(twice->phase)].name),
                        m_code.program.op);
        std::array<std::int64_t, kPimLanes> elements{};
        std::int64_t weighed = -1; // the tensor that the weights are for
        std::vector<float> weights;
        for (const SentWord& sent : words) {
            PIM_CHECK(elementsOf(group, sent.tensor, sent.burst, elements));
            if (sent.tensor != weighed) {
                weights = m_weighed && isOfKernel(sent.tensor)
                              ? m_weighed->weights(int(sent.tensor), group, m_scratch)
                              : std::vector<float>{};
                weighed = sent.tensor;
            }
            for (std::size_t lane = 0; lane < kPimLanes; ++lane)
                if (elements[lane] >= 0) {
                    const auto element = std::size_t(elements[lane]);
                    take(std::size_t(sent.tensor), element,
                         fromBits(m_code.type, sent.word[lane]) *
                             (weights.empty() ? 1.0F : weights[element]));
                }
        }
        return {};
    }

    /// Outputs rounded to what they are kept in. Error::InvalidFile where no result came for an element.
    Result<std::vector<std::vector<float>>> finish() {
        m_tensors.resize(m_kernel.tensors.size());
        for (std::size_t t = 0; t < m_tensors.size(); ++t) {
            if (role(std::int64_t(t)) == TensorRole::Input)
                continue;
            if (const auto missing = std::find(m_written[t].begin(), m_written[t].end(), false);
                missing != m_written[t].end())
                return fail(ErrorCode::InvalidFile,
                            fmt::format("no result of element {} of tensor {} reaches the host",
                                        missing - m_written[t].begin(), m_kernel.tensors[t].name),
                            m_code.program.op);
            for (float& value : m_tensors[t])
                value = fromBits(m_code.type, toBits(m_code.type, value));
        }
        return std::move(m_tensors);
    }

private:
    enum class Merge : std::uint8_t { Add, Max, Min };

    bool isOfKernel(std::int64_t tensor) const { return tensor < std::int64_t(m_kernel.tensors.size()); }
    TensorRole role(std::int64_t tensor) const { return m_kernel.tensors[std::size_t(tensor)].role; }
    float start() const {
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        return m_merge == Merge::Max ? -kInfinity : m_merge == Merge::Min ? kInfinity : 0.0F;
    }

    Result<void> elementsOf(int group, std::int64_t tensor, std::int64_t burst,
                            std::array<std::int64_t, kPimLanes>& elements) const {
        if (tensor < 0 || tensor >= std::int64_t(m_tensors.size()))
            return fail(ErrorCode::InvalidFile,
                        fmt::format("tensor {} is named; there are {}", tensor, m_tensors.size()));
        m_code.operands->elements(int(tensor), group, burst, elements);
        const auto size = std::int64_t(m_tensors[std::size_t(tensor)].size());
        for (const std::int64_t element : elements)
            if (element >= size)
                return fail(ErrorCode::InvalidFile,
                            fmt::format("burst {} of tensor {} carries element {} of {}", burst, tensor,
                                        element, size));
        return {};
    }

    void take(std::size_t tensor, std::size_t element, float value) {
        float& merged = m_tensors[tensor][element];
        if (m_merge == Merge::Add)
            merged += value;
        else if (std::isnan(value) || (m_merge == Merge::Max ? value > merged : value < merged))
            merged = value;
        if (tensor < m_written.size() && !m_written[tensor].empty())
            m_written[tensor][element] = true;
    }

    const PimCode& m_code;
    const WeighedOperands* m_weighed; ///< Null: results are added as they are.
    const Kernel& m_kernel;
    std::vector<std::vector<float>> m_tensors; ///< The scratch tensor is the last.
    std::vector<float> m_scratch; ///< As it was when the phase began: other threads merge meanwhile.
    std::vector<std::vector<bool>> m_written; ///< Of outputs, which elements got a result.
    Merge m_merge = Merge::Add;
};

/// The bus of one group. The port cannot fail, so what went wrong is kept for whoever runs the command.
class GroupPort final : public PimPort {
public:
    GroupPort(const HostTensors& host, int group) : m_host(host), m_group(group) {}

    PimWord read(std::int64_t tensor, std::int64_t burst) override {
        Result<PimWord> word = m_host.read(m_group, tensor, burst);
        if (word)
            return *word;
        if (failure)
            failure = tl::unexpected<Error>(std::move(word).error());
        return {};
    }
    void write(std::int64_t tensor, std::int64_t burst, const PimWord& word) override {
        if (auto allowed = m_host.mayWrite(tensor); !allowed) {
            if (failure)
                failure = allowed;
            return;
        }
        sent.push_back({phase, tensor, burst, word});
    }

    Result<void> failure;
    std::vector<SentWord> sent;
    int phase = 0;

private:
    const HostTensors& m_host;
    int m_group;
};

class Runner {
public:
    Runner(const PimCode& code, HostTensors& host, const PimChannelMaker& makeChannel, int threads,
           const TaskContext& task)
        : m_code(code), m_host(host), m_makeChannel(makeChannel), m_threads(threads), m_task(task) {}

    Result<void> run() {
        for (const Phase& phase : m_code.program.phases) {
            PIM_TRY(FlatPhase flat, flatten(m_code.program, phase));
            m_phases.push_back(std::move(flat));
        }
        m_channels.resize(std::size_t(m_code.groups));
        const int all = int(m_phases.size());
        if (m_code.scratchElements == 0)
            return pass(0, all);
        for (int phase = 0; phase < all; ++phase)
            PIM_CHECK(pass(phase, phase + 1));
        return {};
    }

private:
    /// Some phases of all groups.
    Result<void> pass(int from, int to) {
        m_host.beginPhase();
        m_turn = 0;
        m_finished.assign(m_channels.size(), std::nullopt);
        parallelFor(m_channels.size(), m_threads, [&](std::size_t group) {
            Result<std::vector<SentWord>> words = phasesOf(int(group), from, to);
            const std::lock_guard lock(m_mutex);
            m_finished[group] = std::move(words);
            mergeFinished();
        });
        if (m_task.cancelled())
            return TaskContext::cancelledError("running " + m_code.program.op);
        return m_failure;
    }

    /// Merges those whose turn it is; the error that remains is that of the first group that has one.
    void mergeFinished() {
        for (; m_turn < m_finished.size() && m_finished[m_turn]; ++m_turn) {
            Result<std::vector<SentWord>> words = std::move(*m_finished[m_turn]);
            m_finished[m_turn].emplace();
            if (!m_failure)
                continue;
            m_failure = words ? m_host.merge(int(m_turn), std::move(*words))
                              : tl::unexpected<Error>(std::move(words).error());
            m_failed = !m_failure;
            m_task.report("running " + m_code.program.op, std::int64_t(m_turn) + 1,
                          std::int64_t(m_finished.size()));
        }
    }

    Result<std::vector<SentWord>> phasesOf(int group, int from, int to) {
        std::unique_ptr<PimChannel>& channel = m_channels[std::size_t(group)];
        if (from == 0)
            channel = m_makeChannel(m_code);
        if (!channel)
            return fail(ErrorCode::Unsupported, "this hardware cannot be run on numbers", m_code.program.op);
        GroupPort port(m_host, group);
        for (int phase = from; phase < to; ++phase) {
            port.phase = phase;
            PIM_CHECK(phaseOf(*channel, port, m_phases[std::size_t(phase)], group));
        }
        if (to == int(m_phases.size()))
            channel.reset();
        return std::move(port.sent);
    }

    Result<void> phaseOf(PimChannel& channel, GroupPort& port, const FlatPhase& phase, int group) const {
        Result<void> done;
        std::int64_t place = 0;
        walkFlat(phase, [&](const FlatNode& node, std::span<const std::int64_t> operands) {
            if (++place % kPollRunEvery == 0 && (m_task.cancelled() || m_failed))
                return false;
            done = channel.run(node.opcode, operands, port);
            if (done)
                done = port.failure;
            if (done)
                return true;
            const Error& error = done.error();
            done =
                fail(error.code, error.message,
                     fmt::format("{}, group {}, phase \"{}\", command {} ({}){}{}", m_code.program.op, group,
                                 phase.name, place, commandText(m_code.program, node.opcode, operands),
                                 error.where.empty() ? "" : ", ", error.where),
                     error.hint);
            return false;
        });
        return done;
    }

    const PimCode& m_code;
    HostTensors& m_host;
    const PimChannelMaker& m_makeChannel;
    int m_threads;
    const TaskContext& m_task;
    std::vector<FlatPhase> m_phases;
    std::vector<std::unique_ptr<PimChannel>> m_channels; ///< One a group, while it is needed.

    std::mutex m_mutex;
    std::vector<std::optional<Result<std::vector<SentWord>>>> m_finished; ///< One a group: not merged yet.
    std::size_t m_turn = 0;                                               ///< Group to be merged next.
    Result<void> m_failure;
    std::atomic<bool> m_failed = false; ///< A group has failed for good; what comes after it need not finish.
};

} // namespace

Result<std::vector<std::vector<float>>> runPimCode(const PimCode& code, const Kernel& kernel,
                                                   std::vector<std::vector<float>> tensors,
                                                   const PimChannelMaker& makeChannel, int threads,
                                                   const TaskContext& task) {
    PIM_ASSERT(code.operands, "code says what its bursts carry");
    HostTensors host(code, kernel, std::move(tensors));
    PIM_CHECK(host.prepare());
    PIM_CHECK(Runner(code, host, makeChannel, threads, task).run());
    return host.finish();
}

} // namespace pim
