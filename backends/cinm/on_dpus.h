// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ops of a cinm program as kernels of the UPMEM family: its search says how they are spread, its model what that takes, its code is
/// what runs. Flow: op -> Kernel -> [Dpus] -> DpuWork -> UnitMapping of the cnm level, engine, C.
#include "backends/cinm/dpu_programs.h"
#include "backends/upmem/execute.h"
#include "backends/upmem/upmem.h"
#include "core/drafts/draft_choice.h"
#include "core/ir/interpret.h"
#include "core/ir/lower/cinm_to_cnm.h"

#include <map>

namespace pim::cinm {

/// "def gemm(A[64][32]: i32, …": an op as a kernel of the neutral kind, for machines that plan op by op. \p constant says which operands
/// stay in their memory from run to run. Error::Unsupported with a sentence: no machine has code for it.
Result<Kernel> kernelOf(const ir::Module& module, const ir::Operation& op, const std::vector<bool>& constant);

struct DpuWork {
    ir::UnitMapping mapping;
    std::vector<ir::UnitLoop> loops;
    /// Null where there is no draft: the op has a \ref program, or the family has no kernel for it, as \ref whyNoKernel says; it then is
    /// spread evenly and runs in the interpreter alone.
    std::shared_ptr<const TilingSpace> space;
    Draft draft;
    std::optional<DpuProgram> program;
    std::string whyNoKernel;
    bool fits = true;  ///< Without a kernel: into the MRAM. The family's drafts all do.
    KernelPrice price; ///< Without a kernel 0.
    bool hasKernel() const { return space || program; }
    std::optional<double> evenNs; ///< DpuSpread::Even instead, where there is code for that.
};

enum class DpuSpread : std::uint8_t {
    Search, ///< The draft the family's search takes.
    /// spreadEvenly(), where there is code for it; of products no row stays in WRAM for several of the other operand. So CINM maps
    /// them without its optimisations. [public artifact, convert-cinm-to-cnm]
    Even
};

/// The DPUs of a target. Equal kernels are searched once.
class Dpus {
public:
    Dpus(std::shared_ptr<const Target> target, DpuSpread spread);

    const Target& target() const { return *m_target; }
    /// Error::Cancelled, or what the search fails with for other reasons than that there is no kernel.
    Result<std::shared_ptr<const DpuWork>> place(const ir::Module& module, const ir::Operation& op,
                                                 const std::vector<bool>& constant, const TaskContext& task);

private:
    Result<DpuWork> searched(Kernel kernel, const ir::Module& module, const ir::Operation& op,
                             const TaskContext& task) const;
    Result<DpuWork> programmed(const ir::Module& module, const ir::Operation& op,
                               const std::vector<bool>& constant, const TaskContext& task) const;
    DpuWork even(const ir::Module& module, const ir::Operation& op, std::string why) const;

    std::shared_ptr<const Target> m_target;
    DpuSpread m_spread;
    UpmemBackend m_backend;
    upmem::Machine m_machine;
    std::map<std::string, std::shared_ptr<const DpuWork>> m_known; ///< By the text of the kernel.
};

/// What upmem.launch says of its kernel: name, way through WRAM, bytes.
ir::Attributes kernelAttributes(const DpuWork& work, const Target& target);

/// Of a DPU, by all tasklets; none without a draft.
std::optional<std::int64_t> wramBytes(const DpuWork& work, const Target& target);

/// Runs an op of the cinm level on the engine of the family. Nothing: it has no kernel, or only one of soft floats.
/// \param instructions the engine may take for it; what it does not reach is computed in plain loops.
Result<std::optional<upmem::DpuShare>> runOnEngine(ir::Interpreter& at, const ir::Operation& op,
                                                   const DpuWork& work, const Target& target,
                                                   std::int64_t instructions, const TaskContext& task);

/// C of the DPUs and of the host, {".dpu.c", ".host.c"}. Error::Unsupported without a kernel.
Result<std::vector<CodeFile>> codeOf(const DpuWork& work, const Target& target, const std::string& name);

} // namespace pim::cinm
