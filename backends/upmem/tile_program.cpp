// SPDX-License-Identifier: GPL-3.0-or-later
// One description of a tile's work, written twice: into a program, and into counts. Registers: r8 to r11 addresses in MRAM, r12 to
// r16 in WRAM, r17 to r21 loops, r0 to r7 values.
#include "backends/upmem/tile_program.h"

#include "backends/upmem/dpu/code.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace pim::upmem {
namespace {

using enum DpuCondition;

constexpr std::int64_t kUnrolled = 8; ///< Elements; rows are padded to as many.
constexpr std::int64_t kRuntimeBytes = 16'384 + 656;
constexpr double kBitsOfFactor =
    16; ///< Steps of a 32-bit product: those of its smaller factor; an assumption.
constexpr std::uint32_t kEvenRegisters = 0x55555555;
constexpr std::int64_t kLeastChunk =
    64; ///< Bytes of a DMA below which its fixed part costs more than a product.

std::int64_t roundUp(std::int64_t value, std::int64_t to) {
    return (value + to - 1) / to * to;
}

std::int64_t elementBytes(DataType type) {
    switch (type) {
    case DataType::I8:
        return 1;
    case DataType::I16:
        return 2;
    default:
        return 4;
    }
}

std::int64_t paddedLength(const TileShape& tile) {
    return roundUp(tile.length, std::max(kUnrolled, 8 / elementBytes(tile.type)));
}

/// Counts what a program would do.
class Counter {
public:
    void op(DpuOp op, DpuReg rc, DpuReg ra, std::int32_t) { count({op, rc, ra}); }
    void op(DpuOp op, DpuReg rc, DpuReg ra, DpuReg rb) { count({op, rc, ra, rb, false}); }
    void dma(bool toWram, DpuReg wram, DpuReg mram, std::int64_t bytes) {
        count({toWram ? DpuOp::Ldma : DpuOp::Sdma, DpuReg::Zero, wram, mram, false});
        dmas += m_times;
        dmaBytes += m_times * double(bytes);
    }
    template <class Body>
    void loop(DpuReg counter, std::int64_t times, Body&& body) {
        count({DpuOp::Or, counter});
        const double before = m_times;
        m_times *= double(times);
        body();
        count({DpuOp::Add, counter, counter});
        m_times = before;
    }
    void
    product() { // call, __mulsi3; each step reads two registers of a bank, and so does its first comparison
        instructions += m_times * (1 + 6 + kBitsOfFactor);
        conflicts += m_times * (1 + kBitsOfFactor);
        m_written = 0;
    }

    double instructions = 0, conflicts = 0, dmas = 0, dmaBytes = 0;

private:
    void count(const DpuInstruction& in) {
        const RegisterUse use = registerUse(in);
        const std::uint32_t banks = use.reads | m_written;
        m_written = use.writes;
        instructions += m_times;
        conflicts += m_times *
                     (std::popcount(banks & kEvenRegisters) / 2 + std::popcount(banks & ~kEvenRegisters) / 2);
    }
    double m_times = 1;
    std::uint32_t m_written = 0; ///< By the instruction before.
};

/// Writes it.
class Writer {
public:
    explicit Writer(DpuCode& code) : m_code(code) {}
    void op(DpuOp op, DpuReg rc, DpuReg ra, std::int32_t imm) { m_code.op(op, rc, ra, imm); }
    void op(DpuOp op, DpuReg rc, DpuReg ra, DpuReg rb) {
        if (op == DpuOp::LslAdd)
            m_code.shiftAdd(rc, ra, rb, 8);
        else
            m_code.op(op, rc, ra, rb);
    }
    void dma(bool toWram, DpuReg wram, DpuReg mram, std::int64_t bytes) {
        if (toWram)
            m_code.load(wram, mram, std::int32_t(bytes));
        else
            m_code.store(wram, mram, std::int32_t(bytes));
    }
    template <class Body>
    void loop(DpuReg counter, std::int64_t times, Body&& body) {
        const std::string again = m_code.freshLabel("loop");
        m_code.set(counter, std::int32_t(times));
        m_code.label(again);
        body();
        m_code.op(DpuOp::Add, counter, counter, -1, {NotZero, again});
    }
    void product() { m_code.call("mulsi3"); }

private:
    DpuCode& m_code;
};

/// The work of a tile, said to a Counter or a Writer.
template <class Sink>
class TileWork {
public:
    TileWork(const TileShape& tile, const TileBlocks& blocks, Sink& sink)
        : m_tile(tile), m_blocks(blocks), m_sink(sink), m_bytes(elementBytes(tile.type)),
          m_row(blocks.rowElements() * m_bytes) {}

    void write() {
        switch (m_tile.form) {
        case TileShape::Form::Product:
            return eachBatch([this] { product(); });
        case TileShape::Form::Map:
            return map();
        case TileShape::Form::Sum:
            return sum();
        }
    }

private:
    template <class Body>
    void eachBatch(Body&& body) {
        if (m_tile.batches == 1)
            return body();
        m_sink.loop(reg(21), m_tile.batches, body);
    }
    void add(DpuReg r, std::int64_t value) { m_sink.op(DpuOp::Add, r, r, std::int32_t(value)); }
    void move(DpuReg rc, DpuReg ra) { m_sink.op(DpuOp::Or, rc, ra, 0); }
    void set(DpuReg r, std::int64_t value) { m_sink.op(DpuOp::Or, r, DpuReg::Zero, std::int32_t(value)); }

    /// \p bytes from r8, which moves on, to WRAM at r12 in pieces of a DMA.
    void copyIn(std::int64_t bytes) {
        move(reg(7), reg(12));
        const auto piece = [&](std::int64_t size) {
            m_sink.dma(true, reg(7), reg(8), size);
            add(reg(7), size);
            add(reg(8), size);
        };
        if (const std::int64_t whole = bytes / kMostDmaBytes; whole > 0)
            m_sink.loop(reg(17), whole, [&] { piece(kMostDmaBytes); });
        if (const std::int64_t rest = bytes % kMostDmaBytes; rest > 0)
            piece(rest);
    }

    /// Element \p i of the unrolled ones at \p pointer into \p to.
    void element(DpuReg to, DpuReg pointer, std::int64_t i) {
        const DpuOp load = m_bytes == 1 ? DpuOp::Lb : m_bytes == 2 ? DpuOp::Lh : DpuOp::Lw;
        m_sink.op(load, to, pointer, std::int32_t(i * m_bytes));
    }

    /// r4 += r1 * r2
    void multiplyAdd() {
        if (m_bytes == 1) {
            m_sink.op(DpuOp::MulS8, reg(3), reg(1), reg(2));
            m_sink.op(DpuOp::Add, reg(4), reg(4), reg(3));
        } else if (m_bytes == 2) { // a_l b_l + 256 (a_h b_l + b_h a_l) + 65536 a_h b_h, seven instructions
            m_sink.op(DpuOp::MulU8, reg(3), reg(1), reg(2));
            m_sink.op(DpuOp::MulShUl, reg(5), reg(1), reg(2));
            m_sink.op(DpuOp::MulShUl, reg(7), reg(2), reg(1));
            m_sink.op(DpuOp::Add, reg(5), reg(5), reg(7));
            m_sink.op(DpuOp::MulShSh, reg(7), reg(1), reg(2));
            m_sink.op(DpuOp::LslAdd, reg(5), reg(5), reg(7)); // + (r7 << 8)
            m_sink.op(DpuOp::LslAdd, reg(3), reg(3), reg(5)); // + (r5 << 8)
            m_sink.op(DpuOp::Add, reg(4), reg(4), reg(3));
        } else {
            move(reg(0), reg(1));
            move(reg(1), reg(2));
            m_sink.product(); // r0 *= r1; changes r1 and r2
            m_sink.op(DpuOp::Add, reg(4), reg(4), reg(0));
        }
    }

    /// r4 += products of \p elements at r16 and r13.
    void dot(std::int64_t elements) {
        m_sink.loop(reg(17), elements / kUnrolled, [&] {
            for (std::int64_t i = 0; i < kUnrolled; ++i) {
                element(reg(1), reg(13), i); // in this order no two registers of a bank meet
                element(reg(2), reg(16), i);
                multiplyAdd();
            }
            add(reg(16), kUnrolled * m_bytes);
            add(reg(13), kUnrolled * m_bytes);
        });
    }

    /// WRAM of the tasklet from r12: vectors, then sums, then a chunk of w (and one of x, if x does not fit).
    void product() {
        const std::int64_t vectors = m_blocks.vectorsInWram;
        const std::int64_t chunkBytes = m_blocks.chunk * m_bytes;
        const std::int64_t heldBytes = m_blocks.streamsVectors ? chunkBytes : vectors * m_row;
        m_sink.loop(reg(20), m_blocks.passes, [&] {
            if (!m_blocks.streamsVectors)
                copyIn(heldBytes);
            move(reg(9), reg(11)); // w from its beginning
            m_sink.loop(reg(19), m_tile.outputs, [&] {
                m_sink.op(DpuOp::Add, reg(14), reg(12), std::int32_t(heldBytes)); // sums
                for (std::int64_t at = 0; at < vectors * 4; at += 4)
                    if (vectors <= 8)
                        m_sink.op(DpuOp::Sw, DpuReg::Zero, reg(14), std::int32_t(at));
                if (vectors > 8)
                    m_sink.loop(reg(17), vectors, [&] {
                        m_sink.op(DpuOp::Sw, DpuReg::Zero, reg(14), 0);
                        add(reg(14), 4);
                    });
                m_sink.op(DpuOp::Add, reg(15), reg(12), std::int32_t(heldBytes + roundUp(vectors * 4, 8)));
                set(reg(6), 0); // first byte of the chunk in its row
                m_sink.loop(reg(18), m_blocks.chunks, [&] { chunk(vectors, chunkBytes, heldBytes); });
                m_sink.op(DpuOp::Add, reg(14), reg(12), std::int32_t(heldBytes));
                m_sink.dma(false, reg(14), reg(10), roundUp(vectors * 4, 8));
                add(reg(10), roundUp(vectors * 4, 8));
            });
            if (m_blocks.streamsVectors)
                add(reg(8), m_row);
        });
    }

    void chunk(std::int64_t vectors, std::int64_t chunkBytes, std::int64_t heldBytes) {
        m_sink.dma(true, reg(15), reg(9), chunkBytes);
        add(reg(9), chunkBytes);
        if (m_blocks.streamsVectors) {
            m_sink.op(DpuOp::Add, reg(7), reg(8), reg(6));
            m_sink.dma(true, reg(12), reg(7), chunkBytes);
            add(reg(6), chunkBytes);
        }
        m_sink.op(DpuOp::Add, reg(14), reg(12), std::int32_t(heldBytes));
        if (!m_blocks.streamsVectors)
            m_sink.op(DpuOp::Add, reg(22), reg(12), reg(6));
        const auto one = [&] {
            move(reg(16), reg(15));
            move(reg(13), m_blocks.streamsVectors ? reg(12) : reg(22));
            m_sink.op(DpuOp::Lw, reg(4), reg(14), 0);
            dot(m_blocks.chunk);
            m_sink.op(DpuOp::Sw, reg(4), reg(14), 0);
        };
        if (vectors == 1)
            one();
        else
            m_sink.loop(reg(0), vectors, [&] {
                m_sink.op(DpuOp::Sw, reg(0), reg(12), -8); // products change r0
                one();
                add(reg(14), 4);
                add(reg(22), m_row);
                m_sink.op(DpuOp::Lw, reg(0), reg(12), -8);
            });
        if (!m_blocks.streamsVectors)
            add(reg(6), chunkBytes);
    }

    void map() {
        const std::int64_t chunkBytes = m_blocks.chunk * m_bytes, all = m_row;
        m_sink.loop(reg(20), m_blocks.chunks, [&] {
            m_sink.dma(true, reg(12), reg(8), chunkBytes);
            move(reg(13), reg(12));
            if (m_tile.inputs > 1) {
                m_sink.op(DpuOp::Add, reg(15), reg(12), std::int32_t(chunkBytes));
                m_sink.op(DpuOp::Add, reg(9), reg(8), std::int32_t(all));
                m_sink.dma(true, reg(15), reg(9), chunkBytes);
                move(reg(16), reg(15));
            }
            m_sink.loop(reg(17), m_blocks.chunk / kUnrolled, [&] {
                for (std::int64_t i = 0; i < kUnrolled; ++i)
                    mapOne(i);
                add(reg(13), kUnrolled * m_bytes);
                if (m_tile.inputs > 1)
                    add(reg(16), kUnrolled * m_bytes);
            });
            m_sink.op(DpuOp::Add, reg(10), reg(8), std::int32_t(all * m_tile.inputs));
            m_sink.dma(false, reg(12), reg(10), chunkBytes);
            add(reg(8), chunkBytes);
        });
    }

    void mapOne(std::int64_t i) {
        element(reg(1), reg(13), i);
        if (m_tile.inputs > 1)
            element(reg(2), reg(16), i);
        switch (m_tile.function) {
        case TileShape::Function::Add:
            m_sink.op(DpuOp::Add, reg(4), reg(1), reg(2));
            break;
        case TileShape::Function::Sub:
            m_sink.op(DpuOp::Sub, reg(4), reg(1), reg(2));
            break;
        case TileShape::Function::Mul:
            set(reg(4), 0);
            multiplyAdd();
            break;
        case TileShape::Function::Relu: // x & ~(x >> 31)
            m_sink.op(DpuOp::Asr, reg(3), reg(1), 31);
            m_sink.op(DpuOp::Xor, reg(3), reg(3), -1);
            m_sink.op(DpuOp::And, reg(4), reg(1), reg(3));
            break;
        case TileShape::Function::Max: // b + ((a - b) & ~((a - b) >> 31))
            m_sink.op(DpuOp::Sub, reg(4), reg(1), reg(2));
            m_sink.op(DpuOp::Asr, reg(3), reg(4), 31);
            m_sink.op(DpuOp::Xor, reg(3), reg(3), -1);
            m_sink.op(DpuOp::And, reg(4), reg(4), reg(3));
            m_sink.op(DpuOp::Add, reg(4), reg(4), reg(2));
            break;
        }
        const DpuOp store = m_bytes == 1 ? DpuOp::Sb : m_bytes == 2 ? DpuOp::Sh : DpuOp::Sw;
        m_sink.op(store, reg(4), reg(13), std::int32_t(i * m_bytes));
    }

    void sum() {
        const std::int64_t chunkBytes = m_blocks.chunk * m_bytes;
        m_sink.loop(reg(19), m_tile.outputs, [&] {
            set(reg(4), 0);
            m_sink.loop(reg(20), m_blocks.chunks, [&] {
                m_sink.dma(true, reg(12), reg(8), chunkBytes);
                move(reg(13), reg(12));
                m_sink.loop(reg(17), m_blocks.chunk / kUnrolled, [&] {
                    for (std::int64_t i = 0; i < kUnrolled; ++i) {
                        element(reg(1), reg(13), i);
                        m_sink.op(DpuOp::Add, reg(4), reg(4), reg(1));
                    }
                    add(reg(13), kUnrolled * m_bytes);
                });
                add(reg(8), chunkBytes);
            });
            m_sink.op(DpuOp::Sw, reg(4), reg(12), 0);
            m_sink.op(DpuOp::Sw, DpuReg::Zero, reg(12), 4);
            m_sink.dma(false, reg(12), reg(10), 8);
            add(reg(10), 8);
        });
    }

    const TileShape& m_tile;
    const TileBlocks& m_blocks;
    Sink& m_sink;
    std::int64_t m_bytes, m_row;
};

tl::unexpected<Error> impossible(std::string message, std::string hint = {}) {
    return fail(ErrorCode::Unsupported, std::move(message), {}, std::move(hint));
}

/// Numbers of 16 bits at most, as the price of a product assumes.
void fill(Dpu& dpu, const TileShape& tile) {
    std::minstd_rand random(1);
    const std::int64_t bytes = std::min(kMramBytes, roundUp(layoutOf(tile).end, 8) * tile.tasklets);
    const std::int64_t step = std::min<std::int64_t>(elementBytes(tile.type), 4);
    std::uint8_t* const mram = dpu.mram().data();
    for (std::int64_t at = 0; at + step <= bytes; at += step) {
        const std::uint32_t value = random() & 0xffff;
        std::memcpy(mram + at, &value, std::size_t(step));
    }
}

} // namespace

TileLayout layoutOf(const TileShape& tile) {
    const auto blocks = blocksOf(tile);
    if (!blocks)
        return {};
    const std::int64_t row = blocks->rowElements() * elementBytes(tile.type);
    TileLayout mram;
    mram.rowBytes = row;
    switch (tile.form) {
    case TileShape::Form::Product: {
        const std::int64_t passes = blocks->passes, vectors = blocks->vectorsInWram;
        mram.second = tile.batches * passes * vectors * row;
        mram.result =
            mram.second + tile.outputs * row; // w of one batch: all batches have the same in a program
        mram.end = mram.result + tile.batches * passes * tile.outputs * roundUp(vectors * 4, 8);
        break;
    }
    case TileShape::Form::Map:
        mram.second = row;
        mram.result = row * tile.inputs;
        mram.end = mram.result + row;
        break;
    case TileShape::Form::Sum:
        mram.result = tile.outputs * row;
        mram.end = mram.result + tile.outputs * 8;
        break;
    }
    return mram;
}

std::int64_t wramOfTasklet(int tasklets) {
    return (kWramBytes - kRuntimeBytes) / std::max(tasklets, 1) / 8 * 8;
}

bool computes(DataType type) {
    return type == DataType::I8 || type == DataType::I16 || type == DataType::I32;
}

std::optional<MacCost> macCost(DataType type) {
    switch (type) {
    case DataType::I8:
        return MacCost{4, "two loads, mul_sl_sl, add; counted in the program"};
    case DataType::I16:
        return MacCost{10, "two loads, eight for the product and the sum; counted in the program"};
    case DataType::I32:
        return MacCost{5 + 1 + 6 + kBitsOfFactor,
                       "two loads, __mulsi3 of 16-bit factors, add; counted in the program"};
    case DataType::F32:
        return MacCost{2 + 71 + 183,
                       "soft float: 71 instructions an addition, 183 a product [PrIM, arXiv:2105.03814, "
                       "figure 4: 4.91 and 1.91 MOPS at 350 MHz]"};
    default:
        return std::nullopt;
    }
}

Result<TileBlocks> blocksOf(const TileShape& tile) {
    const std::int64_t bytes = elementBytes(tile.type), length = paddedLength(tile);
    const std::int64_t budget = wramOfTasklet(tile.tasklets) - 8; // r0 has a place before the buffers
    TileBlocks blocks;
    if (tile.form != TileShape::Form::Product) {
        const std::int64_t buffers = tile.form == TileShape::Form::Map ? tile.inputs : 1;
        const std::int64_t most =
            std::min<std::int64_t>(kMostDmaBytes, budget / buffers) / bytes / kUnrolled * kUnrolled;
        if (most < kUnrolled)
            return impossible(fmt::format("{} tasklets leave {} B of WRAM to each", tile.tasklets, budget),
                              "use fewer tasklets");
        blocks.chunks = (length + most - 1) / most;
        blocks.chunk = roundUp((length + blocks.chunks - 1) / blocks.chunks, kUnrolled);
        blocks.wramBytes = blocks.chunk * bytes * buffers;
        return blocks;
    }
    // A chunk of w takes up to a quarter of the room, the rest is for vectors: each pass over w serves all of them.
    const std::int64_t most =
        std::max(std::min<std::int64_t>(kMostDmaBytes, budget / 4), std::min(kLeastChunk, budget / 4)) /
        bytes / kUnrolled * kUnrolled;
    if (most < kUnrolled)
        return impossible(fmt::format("{} tasklets leave {} B of WRAM to each", tile.tasklets, budget),
                          "use fewer tasklets");
    blocks.chunks = (length + most - 1) / most;
    blocks.chunk = roundUp((length + blocks.chunks - 1) / blocks.chunks, kUnrolled);
    const std::int64_t row = blocks.rowElements() * bytes, left = budget - blocks.chunk * bytes;
    const std::int64_t fit =
        std::min({tile.vectors, (left - 8) / (row + 4), std::int64_t(kMostDmaBytes / 4)});
    blocks.streamsVectors = fit < 1;
    if (blocks.streamsVectors && 2 * blocks.chunk * bytes + 8 > budget)
        return impossible(fmt::format("{} tasklets leave {} B of WRAM to each", tile.tasklets, budget),
                          "use fewer tasklets");
    const std::int64_t held = std::max<std::int64_t>(fit, 1);
    blocks.passes = (tile.vectors + held - 1) / held;
    blocks.vectorsInWram = (tile.vectors + blocks.passes - 1) / blocks.passes;
    blocks.wramBytes = (blocks.streamsVectors ? blocks.chunk * bytes : blocks.vectorsInWram * row) +
                       roundUp(blocks.vectorsInWram * 4, 8) + blocks.chunk * bytes;
    return blocks;
}

double TileCost::cycles(const DpuTiming& timing, int tasklets) const {
    const double fixed = (timing.readCycles + timing.pipelineStages) * dmas;
    const double alone = timing.revolverCycles * instructions + fixed + timing.cyclesPerByte * dmaBytes;
    const double issue = tasklets * (instructions + conflicts);
    const double engine = tasklets * (timing.engineCycles * dmas + timing.cyclesPerByte * dmaBytes);
    return std::max({alone, issue, engine});
}

Result<TileCost> costOf(const TileShape& tile, const DpuTiming&) {
    TileShape counted = tile;
    const bool soft = !computes(tile.type);
    const auto mac = macCost(tile.type);
    if (!mac)
        return impossible(fmt::format("a DPU has no instructions for {}", name(tile.type)),
                          "compile with --dtype i8, i16, i32 or f32");
    if (soft) // the same structure with other arithmetic
        counted.type = DataType::I32;
    PIM_TRY(const TileBlocks blocks, blocksOf(counted));
    Counter counter;
    TileWork(counted, blocks, counter).write();
    TileCost cost{counter.instructions, counter.conflicts, counter.dmas, counter.dmaBytes,
                  roundUp(layoutOf(counted).end, 8)};
    if (soft) {
        const double macs = tile.form == TileShape::Form::Product
                                ? double(tile.batches) * double(blocks.passes * blocks.vectorsInWram) *
                                      double(tile.outputs) * double(blocks.rowElements())
                                : double(tile.outputs) * double(blocks.rowElements());
        cost.instructions += macs * (tile.form == TileShape::Form::Product
                                         ? mac->instructions - macCost(DataType::I32)->instructions
                                         : 71);
    }
    return cost;
}

Result<DpuProgram> programOf(const TileShape& tile, std::string name) {
    if (!computes(tile.type))
        return impossible(
            fmt::format("{} is computed by a library that is not part of the program", pim::name(tile.type)));
    PIM_TRY(const TileBlocks blocks, blocksOf(tile));
    const TileLayout mram = layoutOf(tile);
    DpuCode code(std::move(name));
    code.start(tile.tasklets);
    code.note("MRAM and WRAM of the tasklet");
    const std::int64_t each = roundUp(mram.end, 8);
    code.set(reg(8), 0);
    code.set(reg(12), std::int32_t(kRuntimeBytes / 8 * 8 + 8));
    code.move(reg(0), DpuReg::Id);
    const std::string more = code.freshLabel("mine"), found = code.freshLabel("found");
    code.label(more);
    code.jumpIf(reg(0), Equal, 0, found);
    code.op(DpuOp::Add, reg(8), reg(8), std::int32_t(each));
    code.op(DpuOp::Add, reg(12), reg(12), std::int32_t(wramOfTasklet(tile.tasklets)));
    code.op(DpuOp::Sub, reg(0), reg(0), 1, {Always, more});
    code.label(found);
    code.op(DpuOp::Add, reg(11), reg(8), std::int32_t(mram.second));
    code.op(DpuOp::Add, reg(10), reg(8), std::int32_t(mram.result));
    Writer writer(code);
    TileWork(tile, blocks, writer).write();
    code.exit();
    code.label("mulsi3");
    code.mulsi3();
    return code.finish();
}

Result<double> simulatedCycles(const TileShape& tile, const DpuTiming& timing, const TaskContext& task) {
    constexpr std::int64_t kFew = 2, kMore = 6;
    PIM_TRY(const TileBlocks blocks, blocksOf(tile));
    const auto run = [&](std::int64_t batches, std::int64_t passes, std::int64_t rows) -> Result<double> {
        TileShape part = tile;
        part.batches = batches;
        if (tile.form == TileShape::Form::Product) {
            part.vectors = passes * blocks.vectorsInWram;
            part.outputs = rows;
        } else if (tile.form == TileShape::Form::Sum) {
            part.outputs = rows;
        } else {
            part.length = std::min(tile.length, rows * blocks.chunk);
        }
        PIM_TRY(const DpuProgram program, programOf(part, "tile"));
        Dpu dpu(timing);
        fill(dpu, part);
        PIM_TRY(const DpuRun done, dpu.run(program, tile.tasklets, {}, task));
        return double(done.cycles);
    };
    const std::int64_t rows = tile.form == TileShape::Form::Map ? blocks.chunks : tile.outputs;
    const std::int64_t passes = tile.form == TileShape::Form::Product ? blocks.passes : 1;
    if (rows <= kMore && passes <= 2 && tile.batches == 1)
        return run(1, passes, rows);
    PIM_TRY(const double few, run(1, 1, std::min(rows, kFew)));
    PIM_TRY(const double more, run(1, 1, std::min(rows, kMore)));
    const double perRow = rows > kFew ? (more - few) / double(std::min(rows, kMore) - kFew) : 0;
    const double onePass = few + perRow * double(std::max<std::int64_t>(rows - kFew, 0));
    double perPass = onePass;
    if (passes > 1 || tile.batches > 1) {
        PIM_TRY(const double twice, run(1, 2, std::min(rows, kFew)));
        perPass = twice - few + perRow * double(std::max<std::int64_t>(rows - kFew, 0));
    }
    return onePass + perPass * double(passes * tile.batches - 1);
}

} // namespace pim::upmem
