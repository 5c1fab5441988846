// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/execute.h"

#include "core/base/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace pim::upmem {
namespace {

/// Do the operands fit the type that the DPU holds them in?
Result<void> checkOperands(const Arrangement& arrangement, const KernelNumbers& tensors) {
    const DataType type = arrangement.tile().tile.shape().type;
    if (const LutTile* const lookUps = arrangement.tile().tile.lookUps()) {
        const TensorAccess& access = arrangement.kernel().accesses[std::size_t(arrangement.tile().held)];
        for (const std::int32_t index : tensors[std::size_t(access.tensor)])
            if (index < 0 || index >= lookUps->layer.centroids)
                return fail(ErrorCode::Internal,
                            fmt::format("an index is {}, a codebook has {} centroids", index,
                                        lookUps->layer.centroids),
                            arrangement.kernel().name);
    }
    const std::int64_t limit = type == DataType::I8    ? std::int64_t(1) << 7
                               : type == DataType::I16 ? std::int64_t(1) << 15
                                                       : std::int64_t(1) << 31;
    for (const int operand : operandsOf(arrangement.kernel(), arrangement.tile())) {
        const int tensor = arrangement.kernel().accesses[std::size_t(operand)].tensor;
        if (arrangement.kernel().tensors[std::size_t(tensor)].dtype == DataType::U16)
            continue; // indices, not numbers
        for (const std::int32_t value : tensors[std::size_t(tensor)])
            if (value < -limit || value >= limit)
                return fail(ErrorCode::Internal,
                            fmt::format("{} holds {}, which is no {}",
                                        arrangement.kernel().tensors[std::size_t(tensor)].name, value,
                                        name(type)),
                            arrangement.kernel().name);
    }
    return {};
}

class EngineRun {
public:
    EngineRun(const Arrangement& arrangement, KernelNumbers& tensors, const DpuTiming& timing,
              const DpuRunLimits& limits, const TaskContext& task)
        : m_arrangement(arrangement), m_tensors(tensors), m_timing(timing), m_limits(limits), m_task(task) {}

    Result<DpuShare> run() {
        PIM_TRY(m_program, m_arrangement.tile().tile.program());
        PIM_CHECK(checkOperands(m_arrangement, m_tensors));
        const std::vector<int> chosen = dpusOnEngine(m_arrangement, m_limits.instructions);
        m_share.dpus = m_arrangement.dpus();
        m_share.onEngine = int(chosen.size());
        m_result = m_arrangement.emptyResult();
        PIM_CHECK(engine(chosen));
        if (m_limits.asksRest)
            PIM_CHECK(rest(chosen));
        m_tensors[std::size_t(m_arrangement.resultTensor())] = std::move(m_result);
        return std::move(m_share);
    }

private:
    /// As many at a time as there are threads; results are joined in the order of the DPUs.
    Result<void> engine(const std::vector<int>& chosen) {
        const std::size_t threads =
            std::min(chosen.size(), std::size_t(m_limits.threads > 0 ? m_limits.threads : jobs()));
        std::vector<std::unique_ptr<Dpu>> dpus(threads);
        for (std::size_t first = 0; first < chosen.size(); first += threads) {
            const std::size_t count = std::min(threads, chosen.size() - first);
            std::vector<std::optional<Error>> wrong(count);
            std::vector<std::int64_t> issued(count, 0);
            parallelFor(count, int(threads), [&](std::size_t i) {
                if (!dpus[i])
                    dpus[i] = std::make_unique<Dpu>(m_timing);
                m_arrangement.send(chosen[first + i], m_tensors, dpus[i]->mram());
                auto done = dpus[i]->run(m_program.program, m_arrangement.tile().tile.shape().tasklets(), {},
                                         {m_task.stop, {}});
                if (done)
                    issued[i] = done->instructions;
                else
                    wrong[i] = done.error();
            });
            for (std::size_t i = 0; i < count; ++i) {
                if (wrong[i])
                    return tl::unexpected<Error>(std::move(*wrong[i]));
                m_share.instructions += issued[i];
                m_arrangement.fetch(chosen[first + i], dpus[i]->mram(), m_result);
                if (m_limits.comparesEach)
                    compare(chosen[first + i], dpus[i]->mram());
            }
        }
        return {};
    }

    void compare(int dpu, std::span<const std::uint8_t> mram) {
        if (m_got.empty())
            m_got = m_wanted = m_arrangement.emptyResult();
        m_arrangement.fetch(dpu, mram, m_got);
        m_arrangement.compute(dpu, m_tensors, m_wanted);
        const std::int32_t empty = m_arrangement.emptyValue();
        for (const std::int64_t element : m_arrangement.resultsOf(dpu)) {
            std::int32_t &got = m_got[std::size_t(element)], &wanted = m_wanted[std::size_t(element)];
            ++m_share.compared;
            if (got != wanted && m_share.different++ == 0)
                m_share.first =
                    fmt::format("element {} of DPU {} is {} instead of {}", element, dpu, got, wanted);
            got = wanted = empty; // for the next one
        }
    }

    Result<void> rest(const std::vector<int>& chosen) {
        std::vector<int> others;
        for (int dpu = 0; dpu < m_arrangement.dpus(); ++dpu)
            if (!std::ranges::binary_search(chosen, dpu))
                others.push_back(dpu);
        // Where several DPUs have parts of a result, they are joined one after the other.
        const bool shared =
            m_arrangement.draft().tensors[std::size_t(m_arrangement.resultTensor())].partialGroups > 1;
        parallelFor(others.size(), shared ? 1 : m_limits.threads, [&](std::size_t i) {
            if (!m_task.cancelled())
                m_arrangement.compute(others[i], m_tensors, m_result);
        });
        if (m_task.cancelled())
            return TaskContext::cancelledError("running on DPUs");
        return {};
    }

    const Arrangement& m_arrangement;
    KernelNumbers& m_tensors;
    const DpuTiming& m_timing;
    const DpuRunLimits& m_limits;
    const TaskContext& m_task;
    TaskletProgram m_program;
    std::vector<std::int32_t> m_result;
    std::vector<std::int32_t> m_got, m_wanted; ///< Results of one DPU.
    DpuShare m_share;
};

} // namespace

double instructionsOf(const Arrangement& arrangement) {
    const Tile& tile = arrangement.tile().tile;
    return std::max(1.0, tile.counts().instructions * tile.shape().tasklets());
}

std::vector<int> dpusOnEngine(const Arrangement& arrangement, std::int64_t instructions) {
    const int dpus = arrangement.dpus();
    const auto count = int(std::clamp(double(instructions) / instructionsOf(arrangement), 0.0, double(dpus)));
    std::vector<int> chosen;
    for (int i = 0; i < count; ++i)
        chosen.push_back(count == 1 ? 0 : int(std::int64_t(i) * (dpus - 1) / (count - 1)));
    return chosen;
}

Result<DpuShare> runOnDpus(const Arrangement& arrangement, KernelNumbers& tensors, const DpuTiming& timing,
                           const DpuRunLimits& limits, const TaskContext& task) {
    return EngineRun(arrangement, tensors, timing, limits, task).run();
}

} // namespace pim::upmem
