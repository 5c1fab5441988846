// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Generated code for HBM-PIM: ticks of its phases under the controller `strict`, beside what the price of
/// the same draft predicts, for the draft predicted fastest and for the fastest of the best predicted.
/// Figures only.
#include "backends/builtin.h"
#include "backends/dram_pim/device_of_target.h"
#include "backends/hbm_pim/code_layout.h"
#include "backends/hbm_pim/hbm_pim.h"
#include "core/dram_pim/sequencer.h"
#include "core/hardware/catalog.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

#include <algorithm>

using namespace pim;

namespace {

class OpenHbmPim final : public HbmPimBackend {
public:
    OpenHbmPim() : HbmPimBackend(nullptr) {}
    using HbmPimBackend::pricer;
    using HbmPimBackend::resources;
};

struct Candidate {
    Draft draft;
    KernelPrice price;
    double total() const {
        return price.busInputNs + price.computeNs + price.busOutputNs + price.modeSwitchNs;
    }
};

void print(const char* what, const std::string& name, const Target& target, const TilingSpace& space,
           const Candidate& candidate, const std::vector<Residency>& residency) {
    const OpenHbmPim backend;
    const auto code = backend.generate(space, candidate.draft, target, residency);
    const auto device = deviceOf(target);
    if (!code || !device) {
        fmt::print("{:>28} {:8} {}\n", name, what, (code ? device.error() : code.error()).text());
        return;
    }
    const auto timing = timeProgram(*device, code->program);
    if (!timing) {
        fmt::print("{:>28} {:8} {}\n", name, what, timing.error().text());
        return;
    }
    const auto& layout = static_cast<const hbm::CodeLayout&>(*code->operands);
    fmt::print("{:>28} {:8} {:>9.0f} ns, predicted {:>9.0f}:", name, what, timing->ns(timing->ticks),
               candidate.total());
    for (const SequencePhase& phase : timing->phases)
        fmt::print("  {} {} ticks", phase.name, phase.end - phase.begin);
    const double input = candidate.price.busInputNs,
                 compute = candidate.price.computeNs + candidate.price.modeSwitchNs;
    fmt::print("  (predicted {:.0f}, {:.0f}, {:.0f} ns)  {}  {}\n", input, compute,
               candidate.price.busOutputNs, layout.describe(), space.draftText(candidate.draft));
}

void measure(const std::string& name, const std::string& text, const char* targetId) {
    static const TargetCatalog catalog = TargetCatalog::load();
    const auto target = catalog.find(targetId).value();
    const OpenHbmPim backend;
    const Kernel kernel = parseKernel(text).value();
    const auto space = TilingSpace::create(kernel, backend.resources(*target)).value();
    std::vector<Residency> residency;
    for (const KernelTensor& tensor : kernel.tensors)
        residency.push_back(tensor.constant ? Residency::Resident : Residency::Streamed);
    TilingOptions options;
    options.everyAllocation = false;
    const auto drafts = keptDrafts(*space, options, nullptr).value();
    const auto pricer = backend.pricer(*space, *target, residency, {});
    std::vector<Candidate> all;
    for (const Draft& draft : drafts)
        all.push_back({draft, pricer->price(draft, space->summarize(draft))});
    std::sort(all.begin(), all.end(),
              [](const Candidate& a, const Candidate& b) { return a.total() < b.total(); });
    print("best", name, *target, *space, all.front(), residency);
    const auto device = deviceOf(*target);
    const Candidate* fastest = nullptr;
    double least = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(200, all.size()); ++i) {
        const auto code = backend.generate(*space, all[i].draft, *target, residency);
        const auto timing =
            code ? timeProgram(*device, code->program) : Result<SequenceTiming>(tl::unexpected(code.error()));
        if (timing && (!fastest || timing->ns(timing->ticks) < least)) {
            fastest = &all[i];
            least = timing->ns(timing->ticks);
        }
    }
    if (fastest)
        print("fastest", name, *target, *space, *fastest, residency);
}

std::string gemv(int outputs, int inputs) {
    return fmt::format("def gemv(x[{1}]: f16, W[{0}][{1}]: const f16):\n y = DCC.Tensor.zero([{0}], f16)\n "
                       "for o in range({0}):\n"
                       "  for i in range({1}):\n   y[o] += x[i] * W[o][i]\n",
                       outputs, inputs);
}

std::string map(int length, const char* statement, bool binary) {
    return fmt::format("def f(A[{0}]: f16, {2}C[{0}]: f16):\n for i in range({0}):\n  {1}\n", length,
                       statement, binary ? fmt::format("B[{}]: f16, ", length) : "");
}

} // namespace

int main() {
    for (const char* target : {"hbm-pim", "hbm-pim-hbm3"}) {
        fmt::print("{}\n", target);
        measure("GEMV 4096 x 4096", gemv(4096, 4096), target);
        measure("GEMV 1024 x 1024", gemv(1024, 1024), target);
        measure("GEMV 11008 x 4096", gemv(11008, 4096), target);
        measure("ADD 1 Mi", map(1 << 20, "C[i] = A[i] + B[i]", true), target);
        measure("RELU 1 Mi", map(1 << 20, "C[i] = relu(A[i])", false), target);
    }
    return 0;
}
