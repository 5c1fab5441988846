// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The ops of a plan that DPUs run, on numbers. Flow: Plan + budget -> [DpuOps] -> 8-bit or fixed-point run of the network, or op by op.
#include "backends/upmem/execute.h"
#include "core/numeric/quantized_model.h"
#include "core/plan/number_facet.h"

#include <chrono>

namespace pim::upmem {

struct CheckedOp {
    OpId op;
    std::string name;
    std::optional<Arrangement> arrangement; ///< Absent: \ref note says why it is not run.
    std::vector<TensorId> sources;          ///< One a kernel tensor, of the graph.
    std::int64_t instructions = 0;          ///< The engine may take for it.
    bool ran = false;
    OpId sameAs;      ///< Valid: its program is that of this op, which is run instead.
    std::string note; ///< Why it did not run.
    DpuShare share;
    std::int64_t elements = 0, different = 0; ///< Compared: sums of products, results of others.
    std::string first;                        ///< Difference, in words.

    const Kernel& kernel() const { return arrangement->kernel(); }
};

/// What a check takes.
struct DpuBudget {
    std::int64_t instructions = 200'000'000; ///< On the engine, of all ops together.
    double secondsAtMost = 0;                ///< No op is begun after that; 0: no limit.
    int threads = 0;
    bool comparesEach = false;
    bool asksRest = true;
    bool equalCodeOnce = false; ///< Of ops with equal programs the first alone.
    bool takesPossible = false; ///< Also ops that the plan leaves to the host though DPUs can run them.
};

class DpuOps {
public:
    /// \param names parts of names of ops; empty: all. ErrorCode::Usage: a name that no op on DPUs has.
    static Result<DpuOps> of(const Plan& plan, const std::vector<std::string>& names,
                             const DpuBudget& budget);

    std::vector<CheckedOp>& ops() { return m_ops; }
    const std::vector<CheckedOp>& ops() const { return m_ops; }
    CheckedOp* find(OpId op);
    const Plan& plan() const { return *m_plan; }
    /// Sets the result tensor; nothing if there was no time left, with the note set.
    Result<bool> run(CheckedOp& op, KernelNumbers& tensors, const TaskContext& task);

private:
    DpuOps(const Plan& plan, const DpuBudget& budget)
        : m_plan(&plan), m_budget(budget), m_start(std::chrono::steady_clock::now()) {}
    void findEqualCode();
    void share();

    const Plan* m_plan;
    DpuBudget m_budget;
    DpuTiming m_timing;
    std::vector<CheckedOp> m_ops;
    std::chrono::steady_clock::time_point m_start;
};

/// An 8-bit network whose ops on DPUs are run there. Bit for bit what the reference computes, if all is well:
/// * products: the same int32 sums.
/// * element by element: the host brings operands to the smaller exponent on their way, the DPU computes in int16, exact, and the host
///   rounds to the exponent of the result. Operands more than 7 binary places apart have no room in 16 bits and stay on the host.
/// * sums and greatest elements of rows: exact in int32; the host divides means.
/// * look-ups: exact in int32, in tables of 8 bit; the host multiplies by scales and adds the bias.
class DpuDevice final : public QuantizedDevice {
public:
    DpuDevice(DpuOps& ops, const QuantizedModel& model, const TaskContext& task)
        : m_ops(ops), m_model(model), m_task(task) {}

    Result<std::optional<std::vector<std::int32_t>>> sums(const MatrixForm& form,
                                                          std::span<const std::int8_t> input,
                                                          std::span<const std::int8_t> weights) override;
    Result<std::optional<std::vector<pim::Value>>> results(OpId op,
                                                           std::span<const pim::Value> inputs) override;

private:
    Result<std::optional<std::vector<pim::Value>>> elementwise(CheckedOp& op,
                                                               std::span<const pim::Value> inputs);
    Result<std::optional<std::vector<pim::Value>>> lookUps(CheckedOp& op, std::span<const pim::Value> inputs);
    Result<std::optional<std::vector<pim::Value>>> reduction(CheckedOp& op,
                                                             std::span<const pim::Value> inputs);

    DpuOps& m_ops;
    const QuantizedModel& m_model;
    TaskContext m_task;
};

/// Constants that ops on DPUs take element by element are brought to 8 bit, in the model itself: reference and DPUs get the same.
void roundConstants(QuantizedModel& model, const DpuOps& ops);
/// Counts in each op what \p run has otherwise than \p reference.
void compareRuns(DpuOps& ops, const QuantizedRun& run, const QuantizedRun& reference);

/// An op in fixed point, from real operands. Exponents are of the operands at hand: the smallest with all |q| <= M, where M is the
/// greatest number for which no result overflows. Products of n terms: n M M < 2^31, and M < 2^15, as the price of a product assumes.
/// Sums of n terms: n M < 2^31. Element by element, in a type of b bits: sums and differences at one exponent, 2 M < 2^(b-1); products
/// M M < 2^(b-1); others M < 2^(b-1). Never more than 2^23, what a float holds. Nothing: no time was left.
Result<std::optional<std::vector<std::vector<float>>>>
runFixedPoint(DpuOps& ops, CheckedOp& op, std::vector<std::vector<float>> operands, const TaskContext& task);

/// Operands that any op can have, uniform over what the type allows as above.
KernelNumbers randomOperands(const CheckedOp& op, std::uint64_t seed);

} // namespace pim::upmem
