// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/attacc.h"

#include "backends/attacc/attacc_channel.h"
#include "backends/attacc/channel_work.h"
#include "backends/attacc/codegen.h"
#include "backends/dram_pim/lower_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

using attacc::ChannelModel;

class AttAccPricer final : public KernelPricer {
public:
    AttAccPricer(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
                 bool groupCommands, const attacc::Passes& passes)
        : m_space(space), m_target(target), m_model(space, target, residency, passes),
          m_traffic(space, residency, m_model.machine().burstBytes),
          m_refresh(dram::Cycles(target), m_model.timing().refreshes), m_groupCommands(groupCommands) {}

    /// Bus: what comes in, results from the banks to the accumulator and from there to the host. Banks: every MACAB takes
    /// all of them, so they multiply or are written; a row that is there before has to be opened, and nothing else
    /// happens in the banks meanwhile. At the end the last result has its way to the host.
    double boundNs(const Draft&, const DraftSummary& draft) const override {
        const attacc::Timing& timing = m_model.timing();
        const double bus = m_traffic.inputBursts(draft) + 2 * m_traffic.outputBursts(draft);
        const std::int64_t products = dram::ceilDiv(draft.iterationsPerCore, m_space.resources().simdLanes);
        const double sweeps = m_space.kernel().body == BodyKind::Attention ? 2 : 1;
        double written = 0, rows = 0;
        for (const int tensor : m_model.bankTensors())
            if (m_traffic.isStreamed(tensor))
                written += m_traffic.groupBursts(draft, tensor);
            else
                rows +=
                    std::ceil(m_traffic.tileBursts(draft, tensor) / static_cast<double>(m_model.rowBursts()));
        // What is written opens rows bank by bank, which takes no less than all at once for a first MACAB, but writes go on
        // meanwhile.
        const double ready = written > 0 ? std::max(timing.rowFixed - timing.rowClose,
                                                    written * timing.moveGap + timing.writeTurn)
                                         : rows * timing.rowFixed - timing.rowClose;
        const double banks =
            ready + sweeps * static_cast<double>(products) * timing.macGap + timing.lastResult;
        return std::max(bus * timing.moveGap, m_refresh.with(banks)) * timing.nsPerCycle;
    }

    /// Filling buffers is part of the work: it goes on while rows open.
    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        const attacc::PhaseCycles cycles = m_model.of(draft);
        const double nsPerCycle = m_model.timing().nsPerCycle;
        KernelPrice price;
        price.busInputNs = cycles.input * nsPerCycle;
        price.computeNs = cycles.compute * nsPerCycle;
        if (!m_groupCommands)
            price.computeNs =
                nsPerCycle * dram::bankLevelCycles(m_target, cycles.compute, cycles.macs + 2 * cycles.rows,
                                                   static_cast<double>(draft.coresUsed));
        price.busOutputNs = cycles.output * nsPerCycle + m_model.mergeNs(draft, cycles.readSlots);
        return price;
    }

    double residentLoadNs(int tensor, const DraftSummary& draft) const override {
        return dram::loadNs(m_model.machine(), m_target, draft, tensor, m_model.elementBytes(tensor),
                            m_groupCommands);
    }

private:
    const TilingSpace& m_space;
    const Target& m_target;
    ChannelModel m_model;
    dram::UnavoidableTraffic m_traffic;
    dram::UnavoidableRefresh m_refresh;
    bool m_groupCommands;
};

} // namespace

std::span<const CodePassInfo> AttAccBackend::codePasses() const {
    return attacc::kCodePasses;
}

Diagnostics AttAccBackend::checkTarget(const Target& target) const {
    static constexpr std::array kNeeded{"timing.nRCDRD", "timing.nRTPL", "timing.nRP", "timing.nCCDAB",
                                        "timing.nCCDS"};
    Diagnostics problems = dram::checkTarget(target, kNeeded);
    if (const double scores = attacc::softmaxElementsOf(target); scores > 0 && scores < kPimLanes)
        problems.push_back({Severity::Warning, "/parameters/timing.nSFM",
                            fmt::format("the softmax unit takes {:.1f} scores in an SFM, and {} come at once",
                                        scores, kPimLanes),
                            "make timing.nSFM longer, or unit.softmax.flops greater"});
    return problems;
}

Result<void> AttAccBackend::supports(const Kernel& kernel, const Target& target) const {
    switch (kernel.body) {
    case BodyKind::Mac:
        return dram::needProduct(target, kernel,
                                 "a GEMV unit multiplies two different operands, bank by buffer");
    case BodyKind::Reduce:
        return dram::needReduction(target, kernel);
    case BodyKind::Attention:
        PIM_CHECK(dram::needOperation(target, "core", "mac", kernel));
        return dram::needOperation(target, "group", "softmax", kernel);
    case BodyKind::Elementwise: // "sum" of a GEMV unit adds up one operand, it is not ONNX's Sum of several
        return fail(ErrorCode::Unsupported,
                    fmt::format("GEMV units multiply and add; they have no {}", kernel.function),
                    kernel.name);
    }
    return {};
}

std::unique_ptr<KernelPricer> AttAccBackend::pricer(const TilingSpace& space, const Target& target,
                                                    const std::vector<Residency>& residency,
                                                    const CompileOptions& options) const {
    const attacc::Passes passes(options.passes);
    return std::make_unique<AttAccPricer>(space, target, residency,
                                          options.groupCommands && passes.groupCommands, passes);
}

Result<PimCode> AttAccBackend::makeCode(const TilingSpace& space, const Draft& draft, const Target& target,
                                        const std::vector<Residency>& residency, const CodePasses& passes,
                                        CodeDetail detail) const {
    const attacc::Passes on(passes);
    if (!on.groupCommands)
        return dram::noBankCommands(space.kernel(), target);
    return attacc::generateCode(space, draft, target, residency, on, detail);
}

std::unique_ptr<PimChannel> AttAccBackend::makeChannel(const PimCode& code, const Target& target) const {
    return std::make_unique<attacc::AttAccChannel>(code, attacc::Geometry(target));
}

} // namespace pim
