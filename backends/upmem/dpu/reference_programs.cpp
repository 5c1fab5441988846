// SPDX-License-Identifier: GPL-3.0-or-later
// Register pairs are chosen as a compiler would that knows of the two banks, so that the loops of VA have no conflict.
#include "backends/upmem/dpu/reference_programs.h"

#include "backends/upmem/dpu/code.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

namespace pim::upmem {
namespace {

using enum DpuCondition;

// WRAM: what the runtime keeps, then the shared data of the kernel, then the heap.
constexpr std::int32_t kHeapEnd = 0, kBarrier = 16, kMessages = 64, kStacks = 256, kShared = 1024;
constexpr std::int32_t kFrameBytes = 16, kStackShift = 5; // two frames for each tasklet
constexpr int kHeapLock = 0, kBarrierLock = 1, kBinLocks = 16;
constexpr int kColumns = 64, kBins = 256;

/// The same numbers on every machine.
class Numbers {
public:
    std::uint32_t below(std::uint32_t bound) {
        m_state = m_state * 6364136223846793005ULL + 1442695040888963407ULL;
        return std::uint32_t(m_state >> 33) % bound;
    }

private:
    std::uint64_t m_state = 20260;
};

/// Start, heap and first barrier, as main() of PrIM begins.
void begin(DpuCode& code, int tasklets, std::int32_t heap) {
    code.start(tasklets);
    const std::string others = code.freshLabel("others");
    code.jumpIf(DpuReg::Id, NotEqual, 0, others);
    code.note("mem_reset()");
    code.set(reg(0), heap);
    code.op(DpuOp::Sw, reg(0), DpuReg::Zero, kHeapEnd);
    code.label(others);
    code.set(reg(0), kStacks);
    code.shiftAdd(reg(22), reg(0), DpuReg::Id, kStackShift);
    code.barrier(tasklets, kBarrier, kBarrierLock);
}

/// Calls a function that keeps its return address on the stack, r22.
void callWithFrame(DpuCode& code, std::string_view function) {
    code.op(DpuOp::Sd, reg(22), reg(22), 0);
    code.op(DpuOp::Add, reg(22), reg(22), kFrameBytes);
    code.call(function);
    code.op(DpuOp::Ld, reg(22), reg(22), -kFrameBytes);
}

/// Bytes of this block into r2, r18 being its first: the last block may be shorter.
void bytesOfBlock(DpuCode& code, std::int64_t bytes, int blockBytes) {
    const std::string whole = code.freshLabel("whole");
    code.note("bytes of the block");
    code.set(reg(3), static_cast<std::int32_t>(bytes));
    code.op(DpuOp::Add, reg(2), reg(18), blockBytes);
    code.jumpIf(reg(2), LessUnsigned, reg(3), whole);
    code.move(reg(2), reg(3));
    code.label(whole);
    code.op(DpuOp::Sub, reg(2), reg(2), reg(18));
}

/// The blocks of a tasklet: \p body for each, r18 is the first byte of the block.
template <class Body>
void eachBlock(DpuCode& code, std::int64_t bytes, int tasklets, int blockBytes, Body&& body) {
    code.note("first block of the tasklet");
    code.set(reg(18), 0);
    code.move(reg(0), DpuReg::Id);
    const std::string next = code.freshLabel("block"), done = code.freshLabel("done"),
                      add = code.freshLabel("offset");
    code.label(add); // id * block, by additions: a product would take longer to set up
    const std::string ready = code.freshLabel("ready");
    code.jumpIf(reg(0), Equal, 0, ready);
    code.op(DpuOp::Add, reg(18), reg(18), blockBytes);
    code.op(DpuOp::Sub, reg(0), reg(0), 1, {Always, add});
    code.label(ready);
    code.label(next);
    code.jumpIf(reg(18), NotLessUnsigned, static_cast<std::int32_t>(bytes), done);
    body();
    code.op(DpuOp::Add, reg(18), reg(18), blockBytes * tasklets);
    code.jump(next);
    code.label(done);
}

// ---- The kernels ----

/// B = A + B of int32, 7 instructions per element.
void vectorAdd(DpuCode& code, const ReferenceCase& one) {
    const std::int32_t second = static_cast<std::int32_t>(one.size) * 4;
    code.allocate(reg(20), one.blockBytes, kHeapEnd, kHeapLock);
    code.allocate(reg(21), one.blockBytes, kHeapEnd, kHeapLock);
    eachBlock(code, one.size * 4, one.tasklets, one.blockBytes, [&] {
        bytesOfBlock(code, one.size * 4, one.blockBytes);
        code.set(reg(6), 0); // where the data begins in MRAM
        code.op(DpuOp::Add, reg(8), reg(6), reg(18));
        code.load(reg(20), reg(8), one.blockBytes);
        code.set(reg(19), second);
        code.op(DpuOp::Add, reg(19), reg(8), reg(19));
        code.op(DpuOp::Sw, reg(18), reg(22), 8); // the caller's registers
        code.op(DpuOp::Sw, reg(19), reg(22), 12);
        code.load(reg(21), reg(19), one.blockBytes);
        code.move(reg(10), reg(20));
        code.move(reg(13), reg(21));
        code.op(DpuOp::Lsr, reg(17), reg(2), 2);
        callWithFrame(code, "add");
        code.op(DpuOp::Lw, reg(18), reg(22), 8);
        code.op(DpuOp::Lw, reg(19), reg(22), 12);
        code.store(reg(21), reg(19), one.blockBytes);
    });
    code.exit();
    code.label("add");
    code.note("a + b");
    code.op(DpuOp::Lw, reg(0), reg(10), 0);
    code.op(DpuOp::Lw, reg(3), reg(13), 0);
    code.op(DpuOp::Add, reg(0), reg(0), reg(3));
    code.op(DpuOp::Sw, reg(0), reg(13), 0);
    code.op(DpuOp::Add, reg(13), reg(13), 4);
    code.op(DpuOp::Add, reg(10), reg(10), 4);
    code.op(DpuOp::Add, reg(17), reg(17), -1, {NotZero, "add"});
    code.ret();
}

/// Sum of int64, 5 instructions per element; tasklet 0 adds up the partial sums.
void reduce(DpuCode& code, const ReferenceCase& one) {
    code.allocate(reg(20), one.blockBytes, kHeapEnd, kHeapLock);
    code.set(reg(4), 0);
    code.set(reg(5), 0);
    eachBlock(code, one.size * 8, one.tasklets, one.blockBytes, [&] {
        bytesOfBlock(code, one.size * 8, one.blockBytes);
        code.move(reg(8), reg(4)); // the sum so far, as the caller keeps it
        code.move(reg(9), reg(5));
        code.load(reg(20), reg(18), one.blockBytes);
        code.move(reg(11), reg(20));
        code.op(DpuOp::Lsr, reg(16), reg(2), 3);
        code.set(reg(4), 0);
        code.set(reg(5), 0);
        callWithFrame(code, "sum");
        code.op(DpuOp::Add, reg(4), reg(4), reg(8));
        code.op(DpuOp::AddC, reg(5), reg(5), reg(9));
    });
    code.op(DpuOp::Sd, reg(4), DpuReg::Id8, kMessages);
    code.barrier(one.tasklets, kBarrier, kBarrierLock);
    const std::string end = code.freshLabel("end");
    code.jumpIf(DpuReg::Id, NotEqual, 0, end);
    code.set(reg(4), 0);
    code.set(reg(5), 0);
    code.set(reg(11), kMessages);
    code.set(reg(16), one.tasklets);
    code.call("sum");
    code.op(DpuOp::Sd, reg(4), DpuReg::Zero, kMessages);
    code.label(end);
    code.exit();
    code.label("sum");
    code.op(DpuOp::Ld, reg(2), reg(11), 0);
    code.op(DpuOp::Add, reg(4), reg(4), reg(2));
    code.op(DpuOp::AddC, reg(5), reg(5), reg(3));
    code.op(DpuOp::Add, reg(11), reg(11), 8);
    code.op(DpuOp::Add, reg(16), reg(16), -1, {NotZero, "sum"});
    code.ret();
}

/// r0: address of the bin of the pixel at r10, from the histogram at r20.
void binOfPixel(DpuCode& code) {
    code.op(DpuOp::Lw, reg(0), reg(10), 0);
    code.set(reg(1), kBins);
    code.call("mulsi3");
    code.op(DpuOp::Lsr, reg(0), reg(0), 12);
    code.shiftAdd(reg(0), reg(20), reg(0), 2);
}

void increment(DpuCode& code) {
    code.op(DpuOp::Lw, reg(3), reg(0), 0);
    code.op(DpuOp::Add, reg(3), reg(3), 1);
    code.op(DpuOp::Sw, reg(3), reg(0), 0);
}

/// Zeroes the bins of the histogram at r20.
void clear(DpuCode& code) {
    const std::string again = code.freshLabel("clear");
    code.set(reg(1), 0);
    code.label(again);
    code.shiftAdd(reg(0), reg(20), reg(1), 2);
    code.op(DpuOp::Sw, DpuReg::Zero, reg(0), 0);
    code.op(DpuOp::Add, reg(1), reg(1), 1);
    code.jumpIf(reg(1), NotEqual, kBins, again);
}

void writeHistogram(DpuCode& code, const ReferenceCase& one) {
    const std::string end = code.freshLabel("end");
    code.barrier(one.tasklets, kBarrier, kBarrierLock);
    code.jumpIf(DpuReg::Id, NotEqual, 0, end);
    code.set(reg(0), kShared);
    code.set(reg(1), static_cast<std::int32_t>(one.size) * 4);
    code.store(reg(0), reg(1), kBins * 4);
    code.label(end);
    code.exit();
    code.label("mulsi3");
    code.mulsi3();
}

/// \p update for each pixel of the blocks of a tasklet, the address of its bin in r0.
template <class Update>
void eachPixel(DpuCode& code, const ReferenceCase& one, Update&& update) {
    eachBlock(code, one.size * 4, one.tasklets, one.blockBytes, [&] {
        const std::string again = code.freshLabel("pixel");
        bytesOfBlock(code, one.size * 4, one.blockBytes);
        code.load(reg(21), reg(18), one.blockBytes);
        code.move(reg(10), reg(21));
        code.op(DpuOp::Lsr, reg(17), reg(2), 2);
        code.label(again);
        binOfPixel(code);
        update();
        code.op(DpuOp::Add, reg(10), reg(10), 4);
        code.op(DpuOp::Add, reg(17), reg(17), -1, {NotZero, again});
    });
}

/// A histogram for each tasklet; bins are split over the tasklets to add them up.
void histogramSmall(DpuCode& code, const ReferenceCase& one) {
    code.allocate(reg(21), one.blockBytes, kHeapEnd, kHeapLock);
    code.note("histogram of the tasklet");
    code.set(reg(20), kShared);
    code.move(reg(0), DpuReg::Id);
    code.op(DpuOp::Lsl, reg(0), reg(0), 10);
    code.op(DpuOp::Add, reg(20), reg(20), reg(0));
    clear(code);
    eachPixel(code, one, [&] { increment(code); });
    code.barrier(one.tasklets, kBarrier, kBarrierLock);
    // Tasklet t adds up bins t, t + T, … of all histograms into the first.
    const std::string bin = code.freshLabel("bin"), merged = code.freshLabel("merged"),
                      add = code.freshLabel("add");
    code.op(DpuOp::Add, reg(10), DpuReg::Id4, kShared);
    code.label(bin);
    code.jumpIf(reg(10), NotLessUnsigned, kShared + kBins * 4, merged);
    code.set(reg(5), 0);
    code.set(reg(7), 0);
    code.label(add);
    code.shiftAdd(reg(4), reg(10), reg(5), 10);
    code.op(DpuOp::Lw, reg(6), reg(4), 0);
    code.op(DpuOp::Add, reg(7), reg(7), reg(6));
    code.op(DpuOp::Add, reg(5), reg(5), 1);
    code.jumpIf(reg(5), NotEqual, one.tasklets, add);
    code.op(DpuOp::Sw, reg(7), reg(10), 0);
    code.op(DpuOp::Add, reg(10), reg(10), one.tasklets * 4);
    code.jump(bin);
    code.label(merged);
    writeHistogram(code, one);
}

/// One histogram, a lock around each update.
void histogramLarge(DpuCode& code, const ReferenceCase& one) {
    code.allocate(reg(21), one.blockBytes, kHeapEnd, kHeapLock);
    code.set(reg(20), kShared);
    const std::string others = code.freshLabel("others");
    code.jumpIf(DpuReg::Id, NotEqual, 0, others);
    clear(code);
    code.label(others);
    code.barrier(one.tasklets, kBarrier, kBarrierLock);
    eachPixel(code, one, [&] {
        code.set(reg(5), kBinLocks); // the mutex
        code.acquire(reg(5));
        increment(code);
        code.release(reg(5));
    });
    code.barrier(one.tasklets, kBarrier, kBarrierLock);
    writeHistogram(code, one);
}

/// y = A x of uint32, 64 columns; two rows at a time, since results are written in 8 bytes.
void matrixVector(DpuCode& code, const ReferenceCase& one) {
    const auto rows = static_cast<std::int32_t>(one.size), rowBytes = kColumns * 4;
    const std::int32_t vector = rows * rowBytes, result = vector + std::max(rowBytes, one.blockBytes);
    code.allocate(reg(20), one.blockBytes, kHeapEnd, kHeapLock);
    code.allocate(reg(14), one.blockBytes, kHeapEnd, kHeapLock);
    code.allocate(reg(15), 8, kHeapEnd, kHeapLock);
    // Pairs of rows in turn: tasklet t has pairs t, t + T, …
    code.op(DpuOp::Add, reg(18), DpuReg::Id, 0);
    const std::string pair = code.freshLabel("pair"), done = code.freshLabel("done");
    code.label(pair);
    code.jumpIf(reg(18), NotLessUnsigned, rows / 2, done);
    code.op(DpuOp::Lsl, reg(13), reg(18), 9); // first byte of the pair's rows
    code.set(reg(16), 0);
    const std::string row = code.freshLabel("row");
    code.label(row);
    code.load(reg(20), reg(13), one.blockBytes);
    code.set(reg(1), vector);
    code.load(reg(14), reg(1), one.blockBytes);
    callWithFrame(code, "dot");
    code.shiftAdd(reg(1), reg(15), reg(16), 2);
    code.op(DpuOp::Sw, reg(9), reg(1), 0);
    code.op(DpuOp::Add, reg(13), reg(13), rowBytes);
    code.op(DpuOp::Add, reg(16), reg(16), 1);
    code.jumpIf(reg(16), LessUnsigned, 2, row);
    code.set(reg(1), result);
    code.shiftAdd(reg(1), reg(1), reg(18), 3);
    code.store(reg(15), reg(1), 8);
    code.op(DpuOp::Add, reg(18), reg(18), one.tasklets);
    code.jump(pair);
    code.label(done);
    code.exit();
    code.label("dot");
    code.note("sum of products of a row");
    code.move(reg(17), reg(23));
    code.move(reg(19), reg(14));
    code.move(reg(21), reg(20));
    code.set(reg(9), 0);
    code.set(reg(11), 0);
    const std::string element = code.freshLabel("element");
    code.label(element);
    code.shiftAdd(reg(4), reg(21), reg(11), 2);
    code.op(DpuOp::Lw, reg(5), reg(4), 0);
    code.shiftAdd(reg(6), reg(19), reg(11), 2);
    code.op(DpuOp::Lw, reg(8), reg(6), 0);
    code.move(reg(1), reg(5));
    code.move(reg(0), reg(8));
    code.call("mulsi3");
    code.move(reg(10), reg(0));
    code.op(DpuOp::Add, reg(9), reg(9), reg(10));
    code.op(DpuOp::Add, reg(11), reg(11), 1);
    code.jumpIf(reg(11), LessUnsigned, kColumns, element);
    code.op(DpuOp::Jump, DpuReg::Zero, reg(17), 0);
    code.label("mulsi3");
    code.mulsi3();
}

// ---- Data and results ----

template <class T>
bool same(const std::vector<T>& got, const std::vector<T>& wanted) {
    return got == wanted;
}

struct Prepared {
    void (*write)(DpuCode&, const ReferenceCase&);
    int elementBytes; ///< Of what is read block by block.
    std::int32_t (*heap)(const ReferenceCase&);
};

constexpr std::array<std::string_view, 5> kKernels{"VA", "RED", "HST-S", "HST-L", "GEMV"};

Prepared prepared(std::string_view kernel) {
    const auto plain = [](const ReferenceCase&) { return kShared + kBins * 4; };
    const auto small = [](const ReferenceCase& one) { return kShared + kBins * 4 * one.tasklets; };
    if (kernel == "VA")
        return {vectorAdd, 4, plain};
    if (kernel == "RED")
        return {reduce, 8, plain};
    if (kernel == "HST-S")
        return {histogramSmall, 4, small};
    if (kernel == "HST-L")
        return {histogramLarge, 4, plain};
    return {matrixVector, 4, plain};
}

tl::unexpected<Error> unusable(std::string message, std::string hint = {}) {
    return fail(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

Result<void> checkCase(const ReferenceCase& one, const DpuTiming& timing) {
    if (std::ranges::find(kKernels, one.kernel) == kKernels.end())
        return unusable(fmt::format("there is no kernel \"{}\"", one.kernel),
                        "there are VA, RED, HST-S, HST-L and GEMV");
    if (one.tasklets < 1 || one.tasklets > kMaxTasklets)
        return unusable(fmt::format("{} tasklets; a DPU has 1 to {}", one.tasklets, kMaxTasklets));
    if (one.blockBytes < kLeastDmaBytes || one.blockBytes > kMostDmaBytes ||
        one.blockBytes % kDmaAlignment != 0)
        return unusable(fmt::format("a DMA of {} bytes; {} to {} in steps of {} are possible", one.blockBytes,
                                    kLeastDmaBytes, kMostDmaBytes, kDmaAlignment));
    const int elementBytes = prepared(one.kernel).elementBytes;
    const bool matrix = one.kernel == "GEMV";
    if (one.size < 1 || one.size > (16 << 20) / (matrix ? kColumns * 4 : elementBytes))
        return unusable(fmt::format("{} elements; 1 to {} have room", one.size,
                                    (16 << 20) / (matrix ? kColumns * 4 : elementBytes)));
    if (matrix ? one.size % 2 != 0 || one.blockBytes < kColumns * 4
               : one.size * elementBytes % one.blockBytes != 0)
        return unusable(
            matrix ? fmt::format("{} rows in blocks of {} B; an even number of rows and at least {} B a "
                                 "block are needed",
                                 one.size, one.blockBytes, kColumns * 4)
                   : fmt::format("{} elements of {} B make no whole blocks of {} B", one.size, elementBytes,
                                 one.blockBytes));
    const int buffers = one.kernel == "VA" ? 2 : matrix ? 2 : 1;
    const std::int64_t wram =
        prepared(one.kernel).heap(one) + std::int64_t(one.tasklets) * (buffers * one.blockBytes + 8);
    if (wram > timing.wramBytes)
        return unusable(fmt::format("buffers of {} tasklets take {} B of WRAM, there are {}", one.tasklets,
                                    wram, timing.wramBytes),
                        "use fewer tasklets or smaller blocks");
    return {};
}

struct ReferenceJob {
    Dpu& dpu;
    const ReferenceCase& one;
    const DpuProgram& program;
    const TaskContext& task;
};

/// Fills MRAM with \p count elements, runs, compares.
template <class T, class Make, class Check>
Result<DpuRun> runOn(const ReferenceJob& job, std::size_t count, Make&& make, Check&& check) {
    auto& [dpu, one, program, task] = job;
    std::vector<T> data(count);
    std::ranges::generate(data, make);
    dpu.write<T>(0, data);
    auto run = dpu.run(program, one.tasklets, {}, task);
    if (run && !check(data))
        return fail(ErrorCode::Internal, "a wrong number came out", one.kernel);
    return run;
}

} // namespace

std::span<const std::string_view> referenceKernels() {
    return kKernels;
}

Result<DpuRun> runReference(const ReferenceCase& one, const DpuTiming& timing, const TaskContext& task) {
    PIM_CHECK(checkCase(one, timing));
    const Prepared kernel = prepared(one.kernel);
    DpuCode code(one.kernel, static_cast<std::int32_t>(timing.wramBytes));
    begin(code, one.tasklets, kernel.heap(one));
    kernel.write(code, one);
    PIM_TRY(const DpuProgram program, code.finish());
    Dpu dpu(timing);
    Numbers numbers;
    const auto n = std::size_t(one.size);
    const ReferenceJob job{dpu, one, program, task};
    if (one.kernel == "VA")
        return runOn<std::int32_t>(
            job, 2 * n, [&] { return std::int32_t(numbers.below(1000)); },
            [&](const auto& data) {
                std::vector<std::int32_t> sums(n);
                for (std::size_t i = 0; i < n; ++i)
                    sums[i] = data[i] + data[n + i];
                return sums == dpu.read<std::int32_t>(one.size * 4, n);
            });
    if (one.kernel == "RED")
        return runOn<std::int64_t>(
            job, n, [&] { return std::int64_t(numbers.below(1000)); },
            [&](const auto& data) {
                std::int64_t sum = 0;
                std::memcpy(&sum, &dpu.wram()[kMessages], 8);
                return sum == std::accumulate(data.begin(), data.end(), std::int64_t{0});
            });
    if (one.kernel == "GEMV")
        return runOn<std::uint32_t>(
            job, (n + 1) * kColumns, [&] { return numbers.below(50); },
            [&](const auto& data) {
                std::vector<std::uint32_t> sums(n);
                for (std::size_t r = 0; r < n; ++r)
                    for (std::size_t c = 0; c < kColumns; ++c)
                        sums[r] += data[r * kColumns + c] * data[n * kColumns + c];
                return sums == dpu.read<std::uint32_t>(
                                   one.size * kColumns * 4 + std::max(kColumns * 4, one.blockBytes), n);
            });
    return runOn<std::uint32_t>(
        job, n, [&] { return numbers.below(4096); },
        [&](const auto& data) {
            std::vector<std::uint32_t> bins(kBins);
            for (const std::uint32_t pixel : data)
                ++bins[pixel * kBins >> 12];
            return bins == dpu.read<std::uint32_t>(one.size * 4, kBins);
        });
}

// ---- Loops of one instruction ----

namespace {

constexpr std::array<std::string_view, 8> kMicroTests{"dma_read",        "dma_write",   "alu_add_imm_x20",
                                                      "alu_add_rrr_x20", "wram_lw_x20", "wram_sw_x20",
                                                      "wram_ld_x20",     "mulsi3"};

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// "15 x 15"
std::optional<std::pair<std::int32_t, std::int32_t>> factors(std::string_view text) {
    const std::size_t cross = text.find(" x ");
    if (cross == std::string_view::npos)
        return std::nullopt;
    const auto a = wholeNumber(text.substr(0, cross)), b = wholeNumber(text.substr(cross + 3));
    if (!a || !b || *a < 0 || *b < 0 || *a > INT32_MAX || *b > INT32_MAX)
        return std::nullopt;
    return std::pair(std::int32_t(*a), std::int32_t(*b));
}

/// What is repeated, r16 being an address in WRAM and r18 one in MRAM.
Result<void> microBody(DpuCode& code, const MicroCase& one) {
    const auto repeat = [&](auto&& instruction) {
        for (int i = 0; i < 20; ++i)
            instruction();
    };
    if (one.test == "dma_read" || one.test == "dma_write") {
        const auto bytes = wholeNumber(one.argument);
        if (!bytes || *bytes < kLeastDmaBytes || *bytes > kMostDmaBytes || *bytes % kDmaAlignment != 0)
            return unusable(fmt::format("a DMA of \"{}\" bytes; {} to {} in steps of {} are possible",
                                        one.argument, kLeastDmaBytes, kMostDmaBytes, kDmaAlignment));
        if (one.test == "dma_read")
            code.load(reg(16), reg(18), std::int32_t(*bytes));
        else
            code.store(reg(16), reg(18), std::int32_t(*bytes));
        code.op(DpuOp::Add, reg(18), reg(18), std::int32_t(*bytes));
    } else if (one.test == "alu_add_imm_x20") {
        repeat([&] { code.op(DpuOp::Add, reg(0), reg(0), 1); });
    } else if (one.test == "alu_add_rrr_x20") {
        repeat([&] { code.op(DpuOp::Add, reg(0), reg(2), reg(4)); });
    } else if (one.test == "wram_lw_x20") {
        repeat([&] { code.op(DpuOp::Lw, reg(1), reg(16), 0); });
    } else if (one.test == "wram_sw_x20") {
        repeat([&] { code.op(DpuOp::Sw, reg(1), reg(16), 0); });
    } else if (one.test == "wram_ld_x20") {
        repeat([&] { code.op(DpuOp::Ld, reg(2), reg(16), 0); });
    } else if (one.test == "mulsi3") {
        const auto both = factors(one.argument);
        if (!both)
            return unusable(fmt::format("\"{}\" is no product", one.argument), "write 15 x 15");
        code.set(reg(0), both->first);
        code.set(reg(1), both->second);
        code.call("mulsi3");
    } else {
        return unusable(fmt::format("there is no test \"{}\"", one.test),
                        fmt::format("there are {}", fmt::join(kMicroTests, ", ")));
    }
    return {};
}

Result<DpuRun> runLoop(const MicroCase& one, int turns, const DpuTiming& timing, const TaskContext& task) {
    DpuCode code(one.test);
    code.start(one.tasklets);
    code.op(DpuOp::Lsl, reg(16), DpuReg::Id, 11);
    code.op(DpuOp::Lsl, reg(18), DpuReg::Id, 20);
    code.set(reg(20), turns);
    code.label("turn");
    PIM_CHECK(microBody(code, one));
    code.op(DpuOp::Add, reg(20), reg(20), -1, {NotZero, "turn"});
    code.exit();
    code.label("mulsi3");
    code.mulsi3();
    PIM_TRY(const DpuProgram program, code.finish());
    return Dpu(timing).run(program, one.tasklets, {}, task);
}

} // namespace

std::span<const std::string_view> microTests() {
    return kMicroTests;
}

Result<MicroResult> runMicro(const MicroCase& one, const DpuTiming& timing, const TaskContext& task) {
    if (one.tasklets < 1 || one.tasklets > kMaxTasklets)
        return unusable(fmt::format("{} tasklets; a DPU has 1 to {}", one.tasklets, kMaxTasklets));
    // What start and end cost falls out of the difference of two runs.
    constexpr int kFew = 32, kMany = 96;
    PIM_TRY(const DpuRun few, runLoop(one, kFew, timing, task));
    PIM_TRY(const DpuRun many, runLoop(one, kMany, timing, task));
    const auto perTurn = [](std::int64_t more, std::int64_t less) {
        return double(more - less) / (kMany - kFew);
    };
    return MicroResult{perTurn(many.cycles, few.cycles), perTurn(many.instructions, few.instructions),
                       perTurn(many.conflicts, few.conflicts)};
}

} // namespace pim::upmem
