// SPDX-License-Identifier: GPL-3.0-or-later
// HST-L: one histogram in WRAM for each tasklet where there is room, else one for all under a lock.
#include "backends/upmem/benchmarks/build.h"

#include <fmt/format.h>

#include <bit>

namespace pim::upmem {
namespace {

constexpr int kDepthBits = 12; ///< Of a value. [PrIM: images of 12 bits]
constexpr std::int64_t kPixelBlockBytes = 1024;

} // namespace

Result<BenchmarkCase> histogram(const BenchmarkOptions& options) {
    const std::int64_t bins = options.second;
    if (!std::has_single_bit(std::uint64_t(bins)) || bins < 2 || bins > 1 << kDepthBits)
        return fail(ErrorCode::Usage, fmt::format("{} bins; powers of two from 2 to 4096 are possible", bins),
                    "HST-L");
    const int shift = kDepthBits - std::countr_zero(std::uint64_t(bins));
    const std::int64_t slice = roundedUp((options.size + options.dpus - 1) / options.dpus, 2);
    const bool isPrivate =
        (bins * (options.tasklets + 1)) * 4 + options.tasklets * kPixelBlockBytes <= kBufferWramBytes - 64;
    BenchmarkBuilder make("HST-L", "histogram of values of 12 bits", options);
    TaskletCode& code = make.code();
    const TaskletValue all = make.size("SLICE_BYTES", slice * 4, "of a DPU");
    const TaskletValue block = make.size("BLOCK_BYTES", kPixelBlockBytes, "of a DMA");
    const TaskletValue binCount = make.size("BINS", bins, "of the histogram");
    const TaskletValue a = make.slices("a", Element::U32, options.size, slice, all, "values");
    const TaskletValue pixels = code.own("block", Element::U32, block / 4, "");
    const TaskletValue share = code.shared("values", Element::U32, make.number(1), "of this DPU", true);
    const TaskletValue counts = code.shared("histogram", Element::U32, binCount, "of the DPU", true);
    make.host().arguments.push_back({"values", HostArgument::What::Share, "a"});
    make.host().outputs.push_back(
        {"histogram", "values in each bin", Element::U32, bins, bins, HostOutput::Merge::Add});
    const auto clear = [&](TaskletValue from, TaskletValue step, TaskletValue to) {
        code.range("bin", from, binCount, step, (binCount + step - 1) / step,
                   [&](TaskletValue bin) { code.store(to, bin, make.number(0)); });
    };
    const auto walk = [&](const std::function<void(TaskletValue)>& count) {
        const TaskletValue step = block * make.tasklets();
        code.range("base", code.me() * block, code.load(share) * 4, step, (all + step - 1) / step,
                   [&](TaskletValue base) {
                       code.read(pixels, a + base, min(block, all - base));
                       const TaskletValue here =
                           code.variable("here", Element::U32, min(block / 4, code.load(share) - base / 4));
                       code.range("i", make.number(0), here, make.number(1), block / 4,
                                  [&](TaskletValue i) { count(code.load(pixels, i) >> shift); });
                   });
    };
    if (isPrivate) {
        const TaskletValue parts =
            code.shared("parts", Element::U32, binCount * make.tasklets(), "a histogram each");
        const TaskletValue mine = code.pointer("mine", Element::U32, parts + code.me() * binCount);
        clear(make.number(0), make.number(1), mine);
        walk([&](TaskletValue bin) { code.store(mine, bin, code.load(mine, bin) + 1); });
        code.barrier();
        code.comment("Tasklets share the bins.");
        code.range("bin", code.me(), binCount, make.tasklets(),
                   (binCount + make.tasklets() - 1) / make.tasklets(), [&](TaskletValue bin) {
                       const TaskletValue sum = code.variable("sum", Element::U32, make.number(0));
                       code.range("at", bin, binCount * make.tasklets(), binCount, make.tasklets(),
                                  [&](TaskletValue at) { code.add(sum, code.load(parts, at)); });
                       code.store(counts, bin, sum);
                   });
    } else {
        clear(code.me(), make.tasklets(), counts);
        code.barrier();
        walk([&](TaskletValue value) {
            const TaskletValue bin = code.variable("bin", Element::U32, value);
            code.lock(0);
            code.store(counts, bin, code.load(counts, bin) + 1);
            code.unlock(0);
        });
    }
    const auto values = seededNumbers<std::uint32_t>(options.size, 0, (1 << kDepthBits) - 1, 11);
    std::vector<std::uint32_t> wanted(static_cast<std::size_t>(bins));
    for (const std::uint32_t value : values)
        ++wanted[std::size_t(value) * std::size_t(bins) >> kDepthBits];
    make.input("a", values);
    make.expect("histogram", wanted);
    return make.finish();
}

} // namespace pim::upmem
