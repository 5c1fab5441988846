// SPDX-License-Identifier: GPL-3.0-or-later
// VA, RED, SEL: arrays that stream through WRAM in blocks.
#include "backends/upmem/benchmarks/build.h"

#include <numeric>

namespace pim::upmem {
namespace {

constexpr std::int64_t kStreamBlockBytes = 1024; ///< Of PrIM's BL=10.

/// Elements of a DPU, such that its bytes are whole steps of a DMA.
std::int64_t sliceOf(const BenchmarkOptions& options, std::int64_t width) {
    return roundedUp((options.size + options.dpus - 1) / options.dpus, 8 / width);
}

} // namespace

Result<BenchmarkCase> vectorAdd(const BenchmarkOptions& options) {
    BenchmarkBuilder make("VA", "c = a + b", options);
    TaskletCode& code = make.code();
    const std::int64_t slice = sliceOf(options, 4);
    const TaskletValue all = make.size("SLICE_BYTES", slice * 4, "of each array");
    const TaskletValue block = make.size("BLOCK_BYTES", kStreamBlockBytes, "of a DMA");
    const TaskletValue a = make.slices("a", Element::I32, options.size, slice, all, "");
    const TaskletValue b = make.slices("b", Element::I32, options.size, slice, all, "");
    const TaskletValue c = code.array("c", Element::I32, all, "a + b");
    make.host().outputs.push_back({"c", "a + b", Element::I32, options.size, slice});
    const TaskletValue as = code.own("block_a", Element::I32, block / 4, "becomes the sum");
    const TaskletValue bs = code.own("block_b", Element::I32, block / 4, "");
    make.blocks(all, block, [&](TaskletValue base, TaskletValue bytes) {
        code.read(as, a + base, bytes);
        code.read(bs, b + base, bytes);
        code.range("i", make.number(0), bytes / 4, make.number(2), block / 8, [&](TaskletValue i) {
            code.unrolled(2, [&](TaskletValue k) {
                code.store(as, i + k, code.load(as, i + k) + code.load(bs, i + k));
            });
        });
        code.write(as, c + base, bytes);
    });
    const auto x = seededNumbers<std::int32_t>(options.size, -1'000'000, 1'000'000, 1);
    const auto y = seededNumbers<std::int32_t>(options.size, -1'000'000, 1'000'000, 2);
    std::vector<std::int32_t> sum(x.size());
    std::ranges::transform(x, y, sum.begin(), std::plus());
    make.input("a", x);
    make.input("b", y);
    make.expect("c", sum);
    return make.finish();
}

Result<BenchmarkCase> reduction(const BenchmarkOptions& options) {
    BenchmarkBuilder make("RED", "sum of all elements", options);
    TaskletCode& code = make.code();
    const std::int64_t slice = sliceOf(options, 8);
    const TaskletValue all = make.size("SLICE_BYTES", slice * 8, "of a DPU");
    const TaskletValue block = make.size("BLOCK_BYTES", kStreamBlockBytes, "of a DMA");
    const TaskletValue a = make.slices("a", Element::I64, options.size, slice, all, "");
    const TaskletValue elements = code.own("block", Element::I64, block / 8, "");
    const TaskletValue sums = code.shared("sums", Element::I64, make.tasklets(), "of each tasklet");
    const TaskletValue total = code.shared("total", Element::I64, make.number(1), "of the DPU", true);
    make.host().outputs.push_back(
        {"total", "sum of all elements", Element::I64, 1, 1, HostOutput::Merge::Add});
    const TaskletValue sum = code.variable("sum", Element::I64, make.number(0));
    make.blocks(all, block, [&](TaskletValue base, TaskletValue bytes) {
        code.read(elements, a + base, bytes);
        code.range("i", make.number(0), bytes / 8, make.number(1), block / 8,
                   [&](TaskletValue i) { code.add(sum, code.load(elements, i)); });
    });
    code.store(sums, code.me(), sum);
    code.barrier();
    code.when(code.me() == 0, [&] {
        code.range("t", make.number(1), make.tasklets(), make.number(1), make.tasklets(),
                   [&](TaskletValue t) { code.add(sum, code.load(sums, t)); });
        code.store(total, 0, sum);
    });
    const auto x =
        seededNumbers<std::int64_t>(options.size, -(std::int64_t(1) << 40), std::int64_t(1) << 40, 3);
    make.input("a", x);
    make.expect("total", std::vector{std::accumulate(x.begin(), x.end(), std::int64_t(0))});
    return make.finish();
}

/// The number of elements kept so far goes round the tasklets as a token, block by block: elements stay in order, and no tasklet waits
/// for more than the one before it.
Result<BenchmarkCase> selection(const BenchmarkOptions& options) {
    BenchmarkBuilder make("SEL", "odd elements, in their order", options);
    TaskletCode& code = make.code();
    const std::int64_t slice = sliceOf(options, 8);
    const TaskletValue all = make.size("SLICE_BYTES", slice * 8, "of a DPU, padded with 0");
    const TaskletValue block = make.size("BLOCK_BYTES", kStreamBlockBytes, "of a DMA");
    const TaskletValue a = make.slices("a", Element::U64, options.size, slice, all, "");
    const TaskletValue odd = code.array("odd", Element::U64, all, "odd elements");
    const TaskletValue elements =
        code.own("block", Element::U64, block / 8, "kept elements move to its beginning");
    const TaskletValue kept = code.shared("kept_elements", Element::U32, make.number(1), "so far", true);
    make.host().outputs.push_back({"odd",
                                   "odd elements",
                                   Element::U64,
                                   options.size,
                                   slice,
                                   HostOutput::Merge::Compact,
                                   {},
                                   "kept_elements"});
    code.when(code.me() == 0, [&] { code.store(kept, 0, make.number(0)); });
    const TaskletValue round = block * make.tasklets();
    const bool alone = options.tasklets == 1;
    code.range("round", make.number(0), all, round, (all + round - 1) / round, [&](TaskletValue begin) {
        const TaskletValue base = code.variable("base", Element::U32, begin + code.me() * block);
        const TaskletValue count = code.variable("count", Element::U32, make.number(0));
        code.when(
            base < all,
            [&] {
                const TaskletValue bytes = code.variable("bytes", Element::U32, min(block, all - base));
                code.read(elements, a + base, bytes);
                code.range("i", make.number(0), bytes / 8, make.number(1), block / 8, [&](TaskletValue i) {
                    const TaskletValue element =
                        code.variable("element", Element::U64, code.load(elements, i));
                    code.when((narrow(element) & 1) != 0, [&] {
                        code.store(elements, count, element);
                        code.add(count, make.number(1));
                    });
                });
            },
            {}, 1);
        code.comment("Place behind what the tasklet before has kept.");
        const TaskletValue last = make.tasklets() - 1;
        if (!alone)
            code.when(
                code.me() != 0, [&] { code.waitFor(code.me() - 1); },
                [&] { code.when(begin != 0, [&] { code.waitFor(last); }); });
        const TaskletValue place = code.variable("place", Element::U32, code.load(kept, 0));
        code.store(kept, 0, place + count);
        if (!alone)
            code.when(
                code.me() != last, [&] { code.notify(); },
                [&] { code.when(begin + round < all, [&] { code.notify(); }); });
        code.when(
            count != 0, [&] { code.write(elements, odd + place * 8, count * 8); }, {}, 1);
    });
    // As many odd ones as in PrIM: one of two neighbours.
    auto x = seededNumbers<std::uint64_t>(options.size, 0, std::int64_t(1) << 50, 4);
    for (std::size_t i = 1; i < x.size(); i += 2)
        x[i] = (x[i] & ~std::uint64_t(1)) | ((x[i - 1] & 1) ^ 1);
    std::vector<std::uint64_t> wanted;
    std::ranges::copy_if(x, std::back_inserter(wanted), [](std::uint64_t value) { return value % 2 == 1; });
    make.input("a", x);
    make.expect("odd", wanted);
    return make.finish();
}

} // namespace pim::upmem
