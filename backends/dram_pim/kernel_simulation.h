// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One kernel under one draft, command by command: its code on the target's device under the controller
/// `strict`, in the parts of a CostSplit. Flow: kernel + draft -> DramPimBackend::generate -> timeProgram ->
/// [KernelRun].
#include "backends/dram_pim/dram_pim_backend.h"
#include "core/dram_pim/chain.h"
#include "core/dram_pim/sequencer.h"

#include <map>
#include <set>

namespace pim::dram {

/// Times of one channel; all channels run the same commands at the same time.
struct KernelRun {
    std::shared_ptr<const SequenceTiming> timing;
    int channels = 0;
    /// The phases, added up exactly: "input" and "output" by name, "mode…" as mode switches, all others as
    /// compute. A phase lasts from the end of the one before it to its own.
    CostSplit cost;
    double loadNs = 0;  ///< Of the phase "load", where it was asked for.
    double mergeNs = 0; ///< Additions of the host that make results of partial ones; not in \ref cost.
    std::map<std::string, double>
        energyPj;                        ///< By command, of all channels; only of those that have a figure.
    std::set<std::string> withoutEnergy; ///< Commands that open rows or access data and have no figure.
};

class KernelSimulator {
public:
    static Result<KernelSimulator> create(const DramPimBackend& backend, const Target& target);

    /// \param load also the phase "load". Error::Unsupported where the backend cannot run the draft,
    /// InvalidFile where its code is none that the device can run; Cancelled.
    Result<KernelRun> run(const TilingSpace& space, const Draft& draft,
                          const std::vector<Residency>& residency, const CodePasses& passes, bool load,
                          const TaskContext& task) const;
    /// Ops that hand their results on in place, one after the other without a pause: what each adds to those before it.
    Result<std::vector<KernelRun>> runChain(std::span<const ChainedKernel> ops, const CodePasses& passes,
                                            const TaskContext& task) const;
    const DramDevice& device() const { return m_device; }
    SequencerOptions options() const;

private:
    KernelSimulator(const DramPimBackend& backend, const Target& target, DramDevice device);
    void addMerge(KernelRun& run, const TilingSpace& space, const PimCode& code) const;
    void addEnergy(KernelRun& run) const;

    const DramPimBackend* m_backend;
    const Target* m_target;
    DramDevice m_device;
    double m_hostAddsPerNs = 0;
};

/// The code of a chain, and the codes it is made of.
struct ChainCode {
    std::vector<PimCode> codes; ///< One an op.
    ChainedCode chain;
};
Result<ChainCode> chainCodeOf(const DramPimBackend& backend, std::span<const ChainedKernel> ops,
                              const Target& target, const CodePasses& passes);

/// Bursts that the commands of a program bring to the host for one tensor, on one channel.
std::int64_t burstsToHost(const Program& program, int tensor);

} // namespace pim::dram
