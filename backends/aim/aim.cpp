// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/aim.h"

#include "backends/aim/channel.h"
#include "backends/aim/channel_work.h"
#include "backends/dram_pim/lower_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

using aim::ChannelModel;
using aim::ChannelWork;

class AimPricer final : public KernelPricer {
public:
    AimPricer(const TilingSpace& space, const Target& target, const std::vector<Residency>& residency,
              bool groupCommands, const aim::Passes& passes)
        : m_space(space), m_target(target), m_model(space, target, residency, groupCommands, passes),
          m_traffic(space, residency, m_model.machine().burstBytes),
          m_refresh(dram::Cycles(target), m_model.timing().refreshes), m_groupCommands(groupCommands) {}

    double boundNs(const Draft&, const DraftSummary& draft) const override {
        const double cycles =
            m_space.kernel().body == BodyKind::Elementwise ? multiplyBound(draft) : productBound(draft);
        return m_refresh.with(cycles) * m_model.timing().nsPerCycle;
    }

    KernelPrice price(const Draft&, const DraftSummary& draft) const override {
        const ChannelWork channel = m_model.of(draft);
        const aim::Timing& timing = m_model.timing();
        KernelPrice price;
        for (const ChannelWork::Write& write : channel.writes)
            price.busInputNs += write.movement.ns;
        double cycles = channel.cycles;
        if (!m_groupCommands && !channel.isMultiply) // MAC and ACT for each bank instead of MAC16 and ACT16
            cycles = dram::bankLevelCycles(m_target, cycles,
                                           static_cast<double>(channel.dots.macs() + 2 * channel.dots.rows()),
                                           static_cast<double>(draft.coresUsed));
        price.computeNs =
            dram::withRefresh(dram::Cycles(m_target), timing.refreshes, cycles) * timing.nsPerCycle;
        price.busOutputNs = channel.read.ns;
        return price;
    }

    double residentLoadNs(int tensor, const DraftSummary& draft) const override {
        return dram::loadNs(m_model.machine(), m_target, draft, tensor, m_model.elementBytes(tensor),
                            m_groupCommands);
    }

private:
    /// The buffer is filled and results leave in the mode of registers, MACs need the other one. Cores that need other
    /// operands take turns: there is one buffer. A bank has one accumulator, so each of its results changes the mode
    /// twice. Rows that are there before: opening, MACs and closing follow one another.
    double productBound(const DraftSummary& draft) const {
        const aim::Timing& timing = m_model.timing();
        const dram::DotProducts work = m_model.work(draft);
        const auto turns = static_cast<double>(m_model.bufferSets(draft, work));
        const double macs = turns * static_cast<double>(work.macs()) * timing.macGap;
        const double results = turns * static_cast<double>(work.results());
        const double bus = m_traffic.inputBursts(draft) * timing.loadGap;
        const double modes = (2 * results - 1) * timing.modeFixed / 2;
        if (m_traffic.isStreamed(work.bankTensor))
            return bus + macs + modes;
        const double rows = std::ceil(m_traffic.tileBursts(draft, work.bankTensor) /
                                      static_cast<double>(m_model.rowBursts()));
        return std::max(bus + macs + modes,
                        rows * (timing.rowFixed + timing.openFixed) - timing.rowFixed + macs);
    }
    double multiplyBound(const DraftSummary& draft) const {
        const aim::Timing& timing = m_model.timing();
        const double bursts = m_traffic.inputBursts(draft) + m_traffic.outputBursts(draft);
        return bursts * timing.loadGap + std::ceil(m_traffic.outputBursts(draft) * kPimLanes /
                                                   static_cast<double>(timing.mulElements)) *
                                             timing.mulGap;
    }

    const TilingSpace& m_space;
    const Target& m_target;
    ChannelModel m_model;
    dram::UnavoidableTraffic m_traffic;
    dram::UnavoidableRefresh m_refresh;
    bool m_groupCommands;
};

aim::ChannelShape shapeOf(const Target& target) {
    const auto count = [&](const char* name, double fallback) {
        return std::max<std::int64_t>(1, static_cast<std::int64_t>(target.numberOr(name, fallback)));
    };
    aim::ChannelShape shape;
    shape.bankGroups = static_cast<int>(count("organisation.bankGroups", 4));
    shape.banks = shape.bankGroups * static_cast<int>(count("organisation.banks", 4));
    shape.rows = count("organisation.rows", 16384);
    shape.columns = count("organisation.columns", 64);
    return shape;
}

} // namespace

std::span<const CodePassInfo> AimBackend::codePasses() const {
    return aim::kCodePasses;
}

Diagnostics AimBackend::checkTarget(const Target& target) const {
    static constexpr std::array kNeeded{"timing.nRCDMAC", "timing.nRTP", "timing.nRP", "timing.nCCDAB"};
    Diagnostics problems = dram::checkTarget(target, kNeeded);
    const Level* const core = target.level("core");
    if (const int banks = shapeOf(target).banks; core && core->count > banks)
        problems.push_back(
            {Severity::Error, "/levels/core/count",
             fmt::format("is {} cores at a bank each, a channel has organisation.bankGroups times "
                         "organisation.banks = {} banks",
                         core->count, banks),
             "ranks are not used"});
    return problems;
}

Result<void> AimBackend::supports(const Kernel& kernel, const Target& target) const {
    switch (kernel.body) {
    case BodyKind::Mac:
        return dram::needProduct(target, kernel, "a bank multiplies with the global buffer, not with itself");
    case BodyKind::Attention:
        return dram::needOperation(target, "group", "softmax", kernel);
    case BodyKind::Reduce:
        return dram::needReduction(target, kernel);
    case BodyKind::Elementwise:
        PIM_CHECK(dram::needOperation(target, "core", kernel.function, kernel));
        if (kernel.function != "mul")
            return fail(ErrorCode::Unsupported,
                        "activation functions of " + target.id +
                            " work on results of dot products, not on tensors",
                        kernel.name);
        if (std::count_if(kernel.accesses.begin(), kernel.accesses.end(),
                          [](const TensorAccess& a) { return !a.isWrite; }) != 2)
            return fail(ErrorCode::Unsupported, "the product of two tensors is the only one there is",
                        kernel.name);
        return {};
    }
    return {};
}

std::unique_ptr<KernelPricer> AimBackend::pricer(const TilingSpace& space, const Target& target,
                                                 const std::vector<Residency>& residency,
                                                 const CompileOptions& options) const {
    const aim::Passes passes(options.passes);
    return std::make_unique<AimPricer>(space, target, residency,
                                       options.groupCommands && passes.groupCommands, passes);
}

Result<PimCode> AimBackend::makeCode(const TilingSpace& space, const Draft& draft, const Target& target,
                                     const std::vector<Residency>& residency, const CodePasses& passes,
                                     CodeDetail detail) const {
    const Kernel& kernel = space.kernel();
    PIM_CHECK(supports(kernel, target));
    PIM_CHECK(space.check(draft));
    aim::CodeRequest request{space, draft, {}, shapeOf(target), aim::Passes(passes), detail};
    if (!request.passes.groupCommands)
        return dram::noBankCommands(kernel, target);
    if (request.shape.banks != kPimLanes || request.shape.banksOfGroup() < 3)
        return fail(
            ErrorCode::Unsupported,
            fmt::format(
                "{} banks in {} groups: the accumulators of {} banks leave as one word, and a product "
                "takes three banks of a group",
                request.shape.banks, request.shape.bankGroups, kPimLanes),
            target.id);
    request.resident = dram::residentOnes(residency);
    PIM_TRY(PimCode code, kernel.body == BodyKind::Elementwise
                              ? aim::multiplyCode(request)
                              : aim::productCode(request, aim::Timing(target).costs()));
    code.program.target = target.id;
    canonicalize(code.program);
    return code;
}

std::unique_ptr<PimChannel> AimBackend::makeChannel(const PimCode& code, const Target& target) const {
    return std::make_unique<aim::AimChannel>(code, shapeOf(target));
}

} // namespace pim
