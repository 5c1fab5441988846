// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Base of the backends for DRAM with processing units: what can be done with generated code whatever the
/// machine. Derived classes generate the code of a kernel and say what its commands do to data.
#include "backends/dram_pim/machine.h"
#include "backends/dram_pim/report.h"
#include "core/drafts/opwise.h"
#include "core/dram_pim/channel.h"
#include "core/plan/command_facet.h"
#include "core/plan/number_facet.h"

namespace pim {

namespace dram {

/// Code passes that several backends have.
inline constexpr CodePassInfo kGroupCommandsPass{
    "group-commands", "One command makes all banks of a group compute; tiles are padded to equal size."};
inline constexpr CodePassInfo kBroadcastPass{
    "broadcast",
    "Data that several cores need is written to all of them at once instead of one after the other."};
inline constexpr CodePassInfo kOverlapPass{
    "overlap", "Operands come in, rows open and results leave while neighbours are computed."};
inline constexpr CodePassInfo kBlocksPass{"blocks",
                                          "Data of the host passes through its on-chip memory in blocks, so "
                                          "that reads and writes both use all channels."};

/// A command that makes all units of a channel read or write their banks.
struct UnitCommand {
    std::string_view name;
    int accesses = 0; ///< Of banks; 0: one for each unit.
};
/// Commands of a machine by what they keep busy, for rooflines.
struct UnitCommands {
    std::vector<UnitCommand> compute;
    std::vector<std::string_view> bus; ///< An access each over the data bus of the channel.
};

/// \p op and those that take its result in place, each from the one before it.
std::vector<const OpPlan*> chainFrom(const Plan& plan, const OpPlan& op);

/// Why there is no code without group-commands on a device that computes in all banks at once only.
tl::unexpected<Error> noBankCommands(const Kernel& kernel, const Target& target);

} // namespace dram

class DramPimBackend : public OpwiseBackend, public CommandFacet, public NumberFacet {
public:
    using OpwiseBackend::OpwiseBackend;

    const CommandFacet* commands() const final { return this; }
    const NumberFacet* numbers() const final { return this; }
    const ReportFacet* reportSections() const final { return &m_report; }

    /// The commands of a kernel under a draft. Error::Unsupported with the reason where the hardware cannot
    /// run it so. \param residency one a kernel tensor.
    Result<PimCode> generate(const TilingSpace& space, const Draft& draft, const Target& target,
                             const std::vector<Residency>& residency, const CodePasses& passes = {}) const {
        return makeCode(space, draft, target, residency, passes, CodeDetail::Commands);
    }
    /// A channel that runs \p code, memory all zero.
    virtual std::unique_ptr<PimChannel> makeChannel(const PimCode& code, const Target& target) const = 0;
    /// As its device names them.
    virtual dram::UnitCommands unitCommands() const = 0;

    /// The commands of an op on PIM, as trace() times them: with all ops that hand results on in place to it or from it.
    /// Error::Unsupported for an op on the host.
    Result<PimCode> codeWithChain(const Plan& plan, OpId op) const;

    /// Ops on PIM command by command under the controller `strict` (core/dram_pim/sequencer.h), what they
    /// read from and write to the host's memory request by request (host_stream.h), ops on the host as the
    /// plan has them.
    Result<std::shared_ptr<const Simulation>> simulate(const Plan& plan, const TaskContext& task) const final;
    /// Priced as in the exploration: operands come from the host's memory, results go there.
    Result<std::vector<SimulatedDraft>> simulateDrafts(const Exploration& exploration,
                                                       std::span<const std::size_t> drafts, int threads,
                                                       const TaskContext& task) const final;
    Result<std::shared_ptr<const CommandTrace>> trace(const Plan& plan, OpId op,
                                                      const TaskContext& task) const final;
    Result<std::vector<std::vector<float>>> execute(const Plan& plan, OpId op,
                                                    std::vector<std::vector<float>> tensors, int threads,
                                                    const TaskContext& task) const final;
    Result<std::vector<std::vector<float>>> executeDraft(const Exploration& exploration, std::size_t draft,
                                                         std::vector<std::vector<float>> tensors, int threads,
                                                         const TaskContext& task) const final;
    Result<MemoryLayout> layout(const Plan& plan, const TaskContext& task) const final;
    Result<std::shared_ptr<const OpPlaces>> places(const Plan& plan, OpId op) const final;
    /// Each op on PIM against float32 on the same operands (core/execute/numeric_check.h). Of a network that cannot run as
    /// a whole, ops run one by one.
    Result<std::unique_ptr<NumericNetwork>> prepare(const Plan& plan, const NumberOptions& options,
                                                    const TaskContext& task) const final;
    Result<NumberReport> checkPlan(const Plan& plan, const NumberOptions& options,
                                   const TaskContext& task) const final;

protected:
    TilingResources resources(const Target& target) const final { return dram::tilingResources(target); }
    double hostBytesPerNsAtMost(const Target& target) const final;
    virtual Result<PimCode> makeCode(const TilingSpace& space, const Draft& draft, const Target& target,
                                     const std::vector<Residency>& residency, const CodePasses& passes,
                                     CodeDetail detail) const = 0;
    Result<std::unique_ptr<DraftMeasurer>> measurer(const Target& target,
                                                    const CompileOptions& options) const final;
    Result<Program> lowerKernel(const TilingSpace& space, const Draft& draft, const Target& target,
                                const std::vector<Residency>& residency,
                                const CodePasses& passes) const final;
    /// Rows of the code, in all banks of a core.
    Result<std::int64_t> codeBytes(const TilingSpace& space, const Draft& draft, const Target& target,
                                   const std::vector<Residency>& residency,
                                   const CodePasses& passes) const final;

private:
    DramPimReportFacet m_report{*this};
};

} // namespace pim
