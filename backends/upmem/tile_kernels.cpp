// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/tile_kernels.h"

#include <array>
#include <map>
#include <mutex>

namespace pim::upmem {
namespace {

using Form = TileShape::Form;
using Function = TileShape::Function;

struct SizeName {
    const char *name, *meaning;
};
constexpr std::array<SizeName, kTileSizes> kSizeNames{{
    {"BATCHES", "products of a tasklet that share nothing"},
    {"PASSES", "times that w streams past"},
    {"VECTORS", "held in WRAM at a time"},
    {"BLOCKS", "of outputs"},
    {"ROWS", "outputs of a block"},
    {"PIECES", "DMAs of w to a block"},
    {"PIECE_ROWS", "rows of w in a DMA"},
    {"CHUNK", "elements of a row at a time"},
    {"CHUNKS", "to a row"},
    {"ROW", "elements of a padded row"},
    {"VECTOR_TASKLETS", "tasklets that split the vectors"},
    {"OUTPUT_TASKLETS", "tasklets that split the outputs"},
    {"SUM_TASKLETS", "tasklets that split the sums"},
    {"TASKLETS", "with work"},
    {"X_BYTES", "of x or of an input, of one tasklet"},
    {"W_BYTES", "of w, of one tasklet"},
    {"Y_BYTES", "of results, of one tasklet"},
}};

class Writer {
public:
    Writer(TaskletCode& code, const TileStructure& structure)
        : k(code), m_structure(structure), m_bytes(bytesOf(structure.type)) {
        for (const SizeName& size : kSizeNames)
            m_sizes.push_back(k.size(size.name, size.meaning));
    }

    void write() {
        switch (m_structure.form) {
        case Form::Product:
            return product();
        case Form::Map:
            return map();
        case Form::Sum:
            return sum();
        case Form::LookUp:
            return; // make() has lut_code.h write it
        }
    }

private:
    TaskletValue size(TileSize which) { return m_sizes[std::size_t(which)]; }
    TaskletValue number(std::int64_t n) { return k.constant(n); }

    // ---- y += x w ----

    void product() {
        const bool whole = m_structure.wholeRows;
        const TaskletValue vectors = size(TileSize::Vectors), rows = size(TileSize::Rows),
                           row = size(TileSize::RowElements);
        const TaskletValue chunk = size(TileSize::Chunk), pieceRows = size(TileSize::PieceRows);
        const TaskletValue all = size(TileSize::Tasklets), outputs = size(TileSize::OutputTasklets),
                           sums = size(TileSize::SumTasklets);
        // Tasklets that split the outputs share x, those that split the vectors share w.
        const TaskletValue xArray =
            k.array("x", m_structure.type, all / outputs * size(TileSize::XBytes), "vectors, rows padded");
        const TaskletValue wArray =
            k.array("w", m_structure.type, all / size(TileSize::VectorTasklets) * size(TileSize::WBytes),
                    "rows that stream past the vectors");
        const TaskletValue yArray = k.array("y", Element::I32, all * size(TileSize::YBytes), "sums");
        const TaskletValue held = m_structure.readsVectorsAgain ? vectors * chunk : vectors * row;
        const TaskletValue x = k.own("x_held", m_structure.type, held, "vectors");
        const TaskletValue w = k.own("w_piece", m_structure.type, pieceRows * chunk, "rows of a DMA");
        const TaskletValue y = k.own("y_block", Element::I32, rows * vectors, "sums of a block");
        k.comment("Which tasklet this is, in the order batch, vector, output, sum.");
        const TaskletValue sumPart = k.variable("sum_part", Element::U32, k.me() % sums);
        const TaskletValue outputPart = k.variable("output_part", Element::U32, k.me() / sums % outputs);
        const TaskletValue vectorPart = k.variable("vector_part", Element::U32, k.me() / (sums * outputs));
        const TaskletValue xAt =
            k.variable("x_at", Element::U32, xArray + (vectorPart * sums + sumPart) * size(TileSize::XBytes));
        const TaskletValue batchPart = k.variable("batch_part", Element::U32,
                                                  k.me() / (sums * outputs * size(TileSize::VectorTasklets)));
        const TaskletValue wBatch = k.variable(
            "w_batch", Element::U32,
            wArray + ((batchPart * outputs + outputPart) * sums + sumPart) * size(TileSize::WBytes));
        const TaskletValue yAt = k.variable("y_at", Element::U32, yArray + place() * size(TileSize::YBytes));
        k.count(size(TileSize::Batches), [&] {
            k.count(size(TileSize::Passes), [&] {
                if (!m_structure.readsVectorsAgain) {
                    k.readAll(x, xAt, vectors * row * m_bytes);
                    k.add(xAt, vectors * row * m_bytes);
                }
                const TaskletValue wAt = k.variable("w_at", Element::U32, wBatch);
                k.count(size(TileSize::Blocks), [&] {
                    if (!whole)
                        clear(y, rows * vectors);
                    block(x, w, y, xAt, wAt);
                    k.write(y, yAt, rows * vectors * 4);
                    k.add(yAt, rows * vectors * 4);
                });
                if (m_structure.readsVectorsAgain)
                    k.add(xAt, vectors * row * m_bytes);
            });
            k.add(wBatch, size(TileSize::WBytes) / size(TileSize::Batches));
        });
        if (m_structure.merges)
            merge(yArray, sumPart);
    }

    void clear(TaskletValue y, TaskletValue elements) {
        const TaskletValue place = k.pointer("place", Element::I32, y);
        k.count(elements, [&] {
            k.store(place, 0, number(0));
            k.set(place, place + 1);
        });
    }

    void block(TaskletValue x, TaskletValue w, TaskletValue y, TaskletValue xAt, TaskletValue wAt) {
        const TaskletValue vectors = size(TileSize::Vectors), chunk = size(TileSize::Chunk);
        const TaskletValue xChunk = k.pointer("x_chunk", m_structure.type, x);
        // Chunks of all vectors lie one behind the other where they are read anew.
        const TaskletValue xFrom =
            m_structure.readsVectorsAgain ? k.variable("x_from", Element::U32, xAt) : xAt;
        const auto one = [&] {
            if (m_structure.readsVectorsAgain) {
                k.readAll(x, xFrom, vectors * chunk * m_bytes);
                k.add(xFrom, vectors * chunk * m_bytes);
            }
            const TaskletValue sums = k.pointer("sums", Element::I32, y);
            k.count(size(TileSize::Pieces), [&] {
                k.read(w, wAt, size(TileSize::PieceRows) * chunk * m_bytes);
                k.add(wAt, size(TileSize::PieceRows) * chunk * m_bytes);
                const TaskletValue wRow = k.pointer("w_row", m_structure.type, w);
                k.count(size(TileSize::PieceRows), [&] {
                    const TaskletValue xRow = k.pointer("x_row", m_structure.type, xChunk);
                    k.count(vectors / m_structure.vectorsAtOnce, [&] { dots(xRow, wRow, sums); });
                    k.set(wRow, wRow + chunk);
                });
            });
            if (!m_structure.readsVectorsAgain)
                k.set(xChunk, xChunk + chunk);
        };
        if (m_structure.wholeRows)
            one();
        else
            k.count(size(TileSize::Chunks), one);
    }

    /// Sums of a row with some vectors, which follow each other in WRAM.
    void dots(TaskletValue xRow, TaskletValue wRow, TaskletValue sums) {
        const std::int64_t n = m_structure.vectorsAtOnce;
        const TaskletValue stride =
            m_structure.readsVectorsAgain ? size(TileSize::Chunk) : size(TileSize::RowElements);
        std::vector<TaskletValue> sum, vector;
        for (std::int64_t v = 0; v < n; ++v) {
            const std::string number = n == 1 ? std::string() : std::to_string(v);
            sum.push_back(k.variable("sum" + number, Element::I32,
                                     m_structure.wholeRows ? this->number(0) : k.load(sums, v)));
            vector.push_back(
                k.pointer("v" + number, m_structure.type, v == 0 ? xRow : vector.back() + stride));
        }
        const TaskletValue weight = k.pointer("weight", m_structure.type, wRow);
        k.count(size(TileSize::Chunk) / kTileUnrolled, [&] {
            k.unrolled(kTileUnrolled, [&](TaskletValue i) {
                if (n == 1) {
                    k.add(sum[0], k.load(vector[0], i) * k.load(weight, i));
                    return;
                }
                const TaskletValue element = k.variable("element", m_structure.type, k.load(weight, i));
                for (std::size_t v = 0; v < sum.size(); ++v)
                    k.add(sum[v], k.load(vector[v], i) * element);
            });
            for (const TaskletValue& v : vector)
                k.set(v, v + kTileUnrolled);
            k.set(weight, weight + kTileUnrolled);
        });
        for (std::int64_t v = 0; v < n; ++v)
            k.store(sums, v, sum[std::size_t(v)]);
        k.set(sums, sums + n);
        k.set(xRow, xRow + stride * n);
    }

    /// Of the results of a tasklet. Those that are complete in the end lie first, so that the host fetches one stretch.
    TaskletValue place() {
        if (!m_structure.merges)
            return k.me();
        const TaskletValue sums = size(TileSize::SumTasklets);
        return k.me() % sums * (size(TileSize::Tasklets) / sums) + k.me() / sums;
    }

    /// The first tasklet of those that share sums adds up what the others have.
    void merge(TaskletValue yArray, TaskletValue sumPart) {
        const TaskletValue mine = k.own("mine", Element::I32, number(kMergedSums), "sums of this tasklet");
        const TaskletValue theirs = k.own("theirs", Element::I32, number(kMergedSums), "sums of another");
        k.barrier();
        k.when(
            sumPart == 0,
            [&] {
                const TaskletValue first =
                    k.variable("first", Element::U32, yArray + place() * size(TileSize::YBytes));
                const TaskletValue at = k.variable("at", Element::U32, number(0));
                k.count(size(TileSize::YBytes) / (kMergedSums * 4), [&] {
                    const TaskletValue from = k.variable("from", Element::U32, first + at);
                    k.read(mine, from, number(kMergedSums * 4));
                    const TaskletValue other =
                        k.variable("other", Element::U32,
                                   from + size(TileSize::Tasklets) / size(TileSize::SumTasklets) *
                                              size(TileSize::YBytes));
                    k.count(size(TileSize::SumTasklets) - 1, [&] {
                        k.read(theirs, other, number(kMergedSums * 4));
                        k.add(other, size(TileSize::Tasklets) / size(TileSize::SumTasklets) *
                                         size(TileSize::YBytes));
                        const TaskletValue a = k.pointer("a", Element::I32, mine),
                                           b = k.pointer("b", Element::I32, theirs);
                        k.count(number(kMergedSums / kTileUnrolled), [&] {
                            k.unrolled(kTileUnrolled, [&](TaskletValue i) {
                                k.store(a, i, combined(k.load(a, i), k.load(b, i)));
                            });
                            k.set(a, a + kTileUnrolled);
                            k.set(b, b + kTileUnrolled);
                        });
                    });
                    k.write(mine, from, number(kMergedSums * 4));
                    k.add(at, number(kMergedSums * 4));
                });
            },
            {}, 1);
    }

    TaskletValue combined(TaskletValue a, TaskletValue b) {
        return m_structure.form == Form::Sum ? applied(a, b) : a + b;
    }

    // ---- Element by element, and rows ----

    void map() {
        const TaskletValue chunk = size(TileSize::Chunk), bytes = chunk * m_bytes,
                           all = size(TileSize::Tasklets);
        const TaskletValue aArray =
            k.array("a", m_structure.type, all * size(TileSize::XBytes), "first operand");
        const TaskletValue bArray =
            m_structure.inputs > 1
                ? k.array("b", m_structure.type, all * size(TileSize::XBytes), "second operand")
                : aArray;
        const TaskletValue yArray = k.array("y", m_structure.type, all * size(TileSize::XBytes), "result");
        const TaskletValue a = k.own("a_chunk", m_structure.type, chunk, "and the result");
        const TaskletValue b = m_structure.inputs > 1 ? k.own("b_chunk", m_structure.type, chunk, "") : a;
        const TaskletValue at = k.variable("at", Element::U32, k.me() * size(TileSize::XBytes));
        k.count(size(TileSize::Chunks), [&] {
            k.read(a, aArray + at, bytes);
            if (m_structure.inputs > 1)
                k.read(b, bArray + at, bytes);
            const TaskletValue p = k.pointer("p", m_structure.type, a);
            const TaskletValue q = m_structure.inputs > 1 ? k.pointer("q", m_structure.type, b) : p;
            k.count(chunk / kTileUnrolled, [&] {
                k.unrolled(kTileUnrolled,
                           [&](TaskletValue i) { k.store(p, i, applied(k.load(p, i), k.load(q, i))); });
                k.set(p, p + kTileUnrolled);
                if (m_structure.inputs > 1)
                    k.set(q, q + kTileUnrolled);
            });
            k.write(a, yArray + at, bytes);
            k.add(at, bytes);
        });
    }

    TaskletValue applied(TaskletValue a, TaskletValue b) {
        switch (m_structure.function) {
        case Function::Add:
            return a + b;
        case Function::Sub:
            return a - b;
        case Function::Mul:
            return a * b;
        case Function::Relu:
            return max(a, 0);
        case Function::Max:
            return max(a, b);
        case Function::Min:
            return min(a, b);
        case Function::And:
            return a & b;
        case Function::Or:
            return a | b;
        case Function::Xor:
            return a ^ b;
        case Function::Div:
            return signedQuotient(a, b);
        case Function::Not:
            return a ^ number(-1);
        case Function::Ones: // loads keep the sign
            return ones(m_bytes < 4 ? a & ((std::int64_t(1) << (8 * m_bytes)) - 1) : a);
        }
        return a;
    }

    void sum() {
        const TaskletValue chunk = size(TileSize::Chunk), bytes = chunk * m_bytes,
                           all = size(TileSize::Tasklets);
        const TaskletValue xArray = k.array("x", m_structure.type, all * size(TileSize::XBytes), "rows");
        const TaskletValue yArray =
            k.array("y", Element::I32, all * size(TileSize::YBytes), "sums, 8 bytes each");
        const TaskletValue x = k.own("x_chunk", m_structure.type, chunk, "");
        const TaskletValue y = k.own("y_place", Element::I32, number(2), "");
        const TaskletValue xAt = k.variable("x_at", Element::U32, xArray + k.me() * size(TileSize::XBytes));
        const TaskletValue yAt = k.variable("y_at", Element::U32, yArray + place() * size(TileSize::YBytes));
        k.store(y, 1, number(0));
        k.count(size(TileSize::Rows), [&] {
            const TaskletValue total =
                k.variable("total", Element::I32, number(neutralOf(m_structure.function, 4)));
            k.count(size(TileSize::Chunks), [&] {
                k.read(x, xAt, bytes);
                k.add(xAt, bytes);
                const TaskletValue p = k.pointer("p", m_structure.type, x);
                k.count(chunk / kTileUnrolled, [&] {
                    k.unrolled(kTileUnrolled,
                               [&](TaskletValue i) { k.set(total, combined(total, k.load(p, i))); });
                    k.set(p, p + kTileUnrolled);
                });
            });
            k.store(y, 0, total);
            k.write(y, yAt, number(8));
            k.add(yAt, number(8));
        });
        if (m_structure.merges)
            merge(yArray, k.variable("sum_part", Element::U32, k.me() % size(TileSize::SumTasklets)));
    }

    TaskletCode& k;
    const TileStructure& m_structure;
    std::int64_t m_bytes;
    std::vector<TaskletValue> m_sizes;
};

std::shared_ptr<const Tile::Kernel> make(const TileStructure& structure) {
    constexpr std::array<const char*, 4> kNames{"product", "map", "sum", "look_up"};
    auto kernel = std::make_shared<Tile::Kernel>(kNames[std::size_t(structure.form)]);
    if (structure.form == TileShape::Form::LookUp)
        writeLut(kernel->code, structure.lookUps);
    else
        Writer(kernel->code, structure).write();
    auto lowered = lower(kernel->code);
    PIM_ASSERT(lowered, "kernels of tiles have instructions");
    kernel->lowered = std::move(*lowered);
    return kernel;
}

} // namespace

std::shared_ptr<const Tile::Kernel> tileKernel(const TileStructure& structure) {
    // What is kept is a constant of the program that is costly to make: it never changes.
    static std::mutex mutex;
    static std::map<TileStructure, std::shared_ptr<const Tile::Kernel>> known;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const Tile::Kernel>& kernel = known[structure];
    if (!kernel)
        kernel = make(structure);
    return kernel;
}

} // namespace pim::upmem
