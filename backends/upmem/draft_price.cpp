// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/draft_price.h"

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr double kSumBytes = 4;        ///< Sums leave a DPU as int32.
constexpr double kImpossibleNs = 1e15; ///< Of a draft that no program can be: none takes as long.

class Pricer final : public KernelPricer {
public:
    Pricer(const TilingSpace& space, const Target& target, std::vector<Residency> residency)
        : m_kernel(space.kernel()), m_machine(machineOf(target)), m_residency(std::move(residency)),
          m_hostBytesPerNs(std::max(target.host.memoryBytesPerNs, 1e-9)),
          m_leastInstructions(leastInstructions(space.kernel())) {}

    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        KernelPrice price;
        price.modeSwitchNs = m_machine.link.launchNs;
        const auto tile = tileOf(m_kernel, draft, m_machine.timing);
        if (!tile) {
            price.computeNs = kImpossibleNs;
            return price;
        }
        price.computeNs = tile->tile.cycles(m_machine.timing) * m_machine.timing.cycleNs();
        for (int t = 0; t < std::ssize(m_kernel.tensors); ++t) {
            if (m_kernel.tensors[std::size_t(t)].role != TensorRole::Input)
                price.busOutputNs +=
                    m_machine.link.transferNs(outputTransfer(draft, *tile)) + mergedNs(draft, t);
            else if (m_residency[std::size_t(t)] != Residency::Resident)
                price.busInputNs += m_machine.link.transferNs(inputTransfer(m_kernel, draft, *tile, t));
        }
        return price;
    }

    double boundNs(const Draft&, const DraftSummary& draft) const override {
        const double work = double(draft.iterationsPerCore);
        const DpuTiming& timing = m_machine.timing;
        // All tasklets issue one instruction a cycle, one of them one in 11; each byte of a tile passes the DMA engine, and the link.
        const double issued =
            work * m_leastInstructions * std::max(double(draft.coresUsed), double(timing.revolverCycles));
        double bytes = 0, linkNs = 0;
        for (int t = 0; t < std::ssize(m_kernel.tensors); ++t) {
            const TensorShare& share = draft.tensors[std::size_t(t)];
            const std::int64_t least = share.groupElements * bytesOf(m_kernel.tensors[std::size_t(t)].dtype);
            const bool isInput = m_kernel.tensors[std::size_t(t)].role == TensorRole::Input;
            if (!isLookedUp(t)) // of a table, only what indices name
                bytes += double(least);
            if (isInput && m_residency[std::size_t(t)] == Residency::Resident)
                continue;
            const bool same = isInput && draft.groupsUsed > 1 && share.groupsPerCopy >= draft.groupsUsed;
            linkNs += m_machine.link.transferNs({isInput ? Direction::ToDpu : Direction::FromDpu,
                                                 same ? TransferKind::Broadcast : TransferKind::Parallel,
                                                 least, int(draft.groupsUsed)});
        }
        return m_machine.link.launchNs + linkNs +
               std::max(issued, bytes * timing.cyclesPerByte) * timing.cycleNs();
    }

    double residentLoadNs(int tensor, const DraftSummary& draft) const override {
        const auto tile = tileOf(m_kernel, draft, m_machine.timing);
        return tile ? m_machine.link.transferNs(inputTransfer(m_kernel, draft, *tile, tensor))
                    : kImpossibleNs;
    }

    double leastLoadNs() const override { return m_machine.link.callNs; }

    const Machine& machine() const { return m_machine; }

private:
    /// Of one iteration: a product and its sum, a load, and another that up to four share (TileBlocks::vectorsAtOnce); element by
    /// element a load and a store at least.
    static double leastInstructions(const Kernel& kernel) {
        constexpr double kLoads = 1 + 1.0 / 4;
        if (kernel.body != BodyKind::Mac)
            return 2;
        switch (kernel.tensors.front().dtype) {
        case DataType::I8:
            return kLoads + 2; // mul_sl_sl, add
        case DataType::I16:
            return kLoads + 8; // seven for the product
        case DataType::I32:
            return kLoads + 8; // __mulsi3 of a factor that is 0
        default:
            return kLoads + 71 + 183; // soft float [PrIM, arXiv:2105.03814, figure 4]
        }
    }

    bool isLookedUp(int tensor) const {
        return std::ranges::any_of(m_kernel.accesses, [&](const TensorAccess& access) {
            return access.tensor == tensor && !access.gathered.empty();
        });
    }

    /// The host adds up what several DPUs have of a result.
    double mergedNs(const DraftSummary& draft, int tensor) const {
        const TensorShare& share = draft.tensors[std::size_t(tensor)];
        return share.partialGroups > 1
                   ? double(share.groupElements) * kSumBytes * double(draft.groupsUsed) / m_hostBytesPerNs
                   : 0;
    }

    const Kernel& m_kernel;
    Machine m_machine;
    std::vector<Residency> m_residency;
    double m_hostBytesPerNs, m_leastInstructions;
};

class Measurer final : public DraftMeasurer {
public:
    explicit Measurer(const Target& target) : m_target(target) {}

    Result<KernelPrice> measure(const TilingSpace& space, const Draft& draft,
                                const std::vector<Residency>& residency,
                                const TaskContext& task) const override {
        const Pricer pricer(space, m_target, residency);
        const DraftSummary summary = space.summarize(draft);
        const DpuTiming& timing = pricer.machine().timing;
        PIM_TRY(const KernelTile tile, tileOf(space.kernel(), summary, timing));
        KernelPrice price = pricer.price(draft, summary);
        PIM_TRY(const double cycles, tile.tile.simulatedCycles(timing, task));
        price.computeNs = cycles * timing.cycleNs();
        return price;
    }
    std::string inputsHash() const override { return {}; } // the engine knows no file beside the target

private:
    const Target& m_target;
};

} // namespace

std::unique_ptr<KernelPricer> draftPricer(const TilingSpace& space, const Target& target,
                                          const std::vector<Residency>& residency) {
    return std::make_unique<Pricer>(space, target, residency);
}

std::unique_ptr<DraftMeasurer> draftMeasurer(const Target& target) {
    return std::make_unique<Measurer>(target);
}

} // namespace pim::upmem
