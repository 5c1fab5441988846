// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/dpu_ops.h"

#include "backends/upmem/upmem.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {

Result<DpuOps> DpuOps::of(const Plan& plan, const std::vector<std::string>& names, const DpuBudget& budget) {
    DpuOps made(plan, budget);
    made.m_timing = machineOf(*plan.target).timing;
    std::vector<bool> used(names.size(), false);
    for (const OpPlan& planned : plan.ops) {
        if (planned.onHost() || !planned.space || !planned.draft)
            continue;
        CheckedOp op;
        op.op = planned.op;
        op.name = plan.graph->op(planned.op).name;
        bool wanted = names.empty();
        for (std::size_t i = 0; i < used.size(); ++i)
            if (op.name.find(names[i]) != std::string::npos)
                wanted = used[i] = true;
        if (!wanted)
            continue;
        op.note = "not reached";
        for (const TensorPlan& tensor : planned.tensors)
            op.sources.push_back(tensor.tensor);
        auto arrangement = Arrangement::of(planned.space, *planned.draft, made.m_timing);
        if (!arrangement)
            op.note = arrangement.error().text();
        else if (const DataType type = arrangement->tile().tile.shape().type; !computes(type))
            op.note = fmt::format(
                "{} on a DPU is computed by a library of soft floats, which the engine does not run",
                pim::name(type));
        else
            op.arrangement = std::move(*arrangement);
        made.m_ops.push_back(std::move(op));
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (!used[i])
            return fail(ErrorCode::Usage, "no op on DPUs has this in its name", names[i]);
    made.share();
    return made;
}

/// Small ops are run whole, what they leave is shared equally by the others; each has its first and last DPU if one alone is not too much.
void DpuOps::share() {
    std::vector<CheckedOp*> open;
    for (CheckedOp& op : m_ops)
        if (op.arrangement)
            open.push_back(&op);
    const auto whole = [](const CheckedOp* op) {
        return instructionsOf(*op->arrangement) * op->arrangement->dpus();
    };
    std::ranges::stable_sort(open, {}, whole);
    auto left = double(m_budget.instructions);
    for (std::size_t i = 0; i < open.size(); ++i) {
        const double given = std::min(whole(open[i]), left / double(open.size() - i));
        left -= given;
        const double one = instructionsOf(*open[i]->arrangement);
        double least = 0;
        for (const int dpus : {1, 2})
            if (dpus * one <= double(m_budget.instructions))
                least = dpus * one;
        open[i]->instructions = std::int64_t(std::max(given, least)) + 1;
    }
}

CheckedOp* DpuOps::find(OpId op) {
    const auto found = std::ranges::find(m_ops, op, &CheckedOp::op);
    return found == m_ops.end() || !found->arrangement ? nullptr : &*found;
}

Result<bool> DpuOps::run(CheckedOp& op, KernelNumbers& tensors, const TaskContext& task) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    if (m_budget.secondsAtMost > 0 && seconds > m_budget.secondsAtMost) {
        op.note = fmt::format("not run: the {:g} s allowed were over", m_budget.secondsAtMost);
        return false;
    }
    task.report("running on DPUs", &op - m_ops.data(), std::ssize(m_ops));
    PIM_TRY(op.share,
            runOnDpus(*op.arrangement, tensors, m_timing,
                      {op.instructions, m_budget.threads, m_budget.asksRest, m_budget.comparesEach}, task));
    op.ran = true;
    op.note.clear();
    op.elements += op.share.compared;
    op.different += op.share.different;
    op.first = op.share.first;
    return true;
}

} // namespace pim::upmem
