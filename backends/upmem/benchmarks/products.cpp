// SPDX-License-Identifier: GPL-3.0-or-later
// GEMV and MLP: rows of a matrix by a vector that all tasklets keep in WRAM together.
#include "backends/upmem/benchmarks/build.h"

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr std::int64_t kPieceBytes = 1024; ///< Of a row, at most, in a DMA.

struct RowSizes {
    std::int64_t rows, rowBytes; ///< Of a DPU; padded.
};
RowSizes rowSizes(std::int64_t rows, std::int64_t columns, int dpus) {
    return {roundedUp((rows + dpus - 1) / dpus, 2), roundedUp(columns * 4, 8)};
}

struct RowProduct {
    Element type;
    TaskletValue rows, rowBytes, piece;
    TaskletValue x;      ///< In MRAM.
    TaskletValue matrix; ///< First byte, in MRAM.
    TaskletValue y;      ///< In MRAM.
    bool isRelu = false;
};

/// The vector is read once for a DPU; then each tasklet takes two rows at a time, as two results are one DMA.
void rowProducts(BenchmarkBuilder& make, const RowProduct& p, TaskletValue xs, TaskletValue piece,
                 TaskletValue results) {
    TaskletCode& code = make.code();
    const TaskletValue stride = p.piece * make.tasklets();
    code.range("at", code.me() * p.piece, p.rowBytes, stride, (p.rowBytes + stride - 1) / stride,
               [&](TaskletValue at) { code.read(xs + at / 4, p.x + at, min(p.piece, p.rowBytes - at)); });
    code.barrier();
    const TaskletValue step = make.tasklets() * 2;
    code.range("pair", code.me() * 2, p.rows, step, (p.rows + step - 1) / step, [&](TaskletValue pair) {
        const TaskletValue row = code.variable("row", Element::U32, p.matrix + pair * p.rowBytes);
        code.range("r", make.number(0), make.number(2), make.number(1), [&](TaskletValue r) {
            const TaskletValue sum = code.variable("sum", p.type, make.number(0));
            code.range("at", make.number(0), p.rowBytes, p.piece, [&](TaskletValue at) {
                const TaskletValue bytes =
                    code.variable("bytes", Element::U32, min(p.piece, p.rowBytes - at));
                code.read(piece, row + at, bytes);
                const TaskletValue x = code.pointer("x", p.type, xs + at / 4);
                code.range("i", make.number(0), bytes / 4, make.number(2), p.piece / 8, [&](TaskletValue i) {
                    code.unrolled(2, [&](TaskletValue k) {
                        code.add(sum, code.load(piece, i + k) * code.load(x, i + k));
                    });
                });
            });
            code.store(results, r, p.isRelu ? max(sum, 0) : sum);
            code.add(row, p.rowBytes);
        });
        code.write(results, p.y + pair * 4, make.number(8));
    });
}

HostInput vectorInput(std::string name, Element type, std::int64_t elements, std::int64_t slice) {
    HostInput input;
    input.name = std::move(name);
    input.meaning = "the vector, for every DPU";
    input.type = type;
    input.elements = elements;
    input.split = HostInput::Split::Copies;
    input.slice = slice;
    return input;
}

HostInput matrixInput(std::string name, std::string meaning, Element type, std::int64_t rows,
                      std::int64_t columns, const RowSizes& sizes) {
    HostInput input;
    input.name = std::move(name);
    input.meaning = std::move(meaning);
    input.type = type;
    input.elements = rows * columns;
    input.slice = sizes.rows * sizes.rowBytes / 4;
    if (sizes.rowBytes != columns * 4) {
        input.row = columns;
        input.pitch = sizes.rowBytes / 4;
    }
    return input;
}

} // namespace

Result<BenchmarkCase> matrixVector(const BenchmarkOptions& options) {
    const std::int64_t rows = options.size, columns = options.second;
    const RowSizes sizes = rowSizes(rows, columns, options.dpus);
    BenchmarkBuilder make("GEMV", "y = A x", options);
    TaskletCode& code = make.code();
    const TaskletValue rowsHere = make.size("ROWS", sizes.rows, "of a DPU, even");
    const TaskletValue rowBytes = make.size("ROW_BYTES", sizes.rowBytes, "padded to 8");
    const TaskletValue pieceBytes =
        make.size("PIECE_BYTES", std::min(kPieceBytes, sizes.rowBytes), "of a row, in a DMA");
    const TaskletValue a = code.array("a", Element::U32, rowsHere * rowBytes, "rows of the matrix");
    const TaskletValue x = code.array("x", Element::U32, rowBytes, "the vector");
    const TaskletValue y = code.array("y", Element::U32, rowsHere * 4, "a result for each row");
    const TaskletValue xs = code.shared("vector", Element::U32, rowBytes / 4, "all of it");
    const TaskletValue piece = code.own("piece", Element::U32, pieceBytes / 4, "of a row");
    const TaskletValue results = code.own("results", Element::U32, make.number(2), "of two rows");
    make.host().inputs = {matrixInput("a", "rows of the matrix", Element::U32, rows, columns, sizes),
                          vectorInput("x", Element::U32, columns, sizes.rowBytes / 4)};
    make.host().outputs.push_back({"y", "a result for each row", Element::U32, rows, sizes.rows});
    rowProducts(make, {Element::U32, rowsHere, rowBytes, pieceBytes, x, a, y}, xs, piece, results);

    const auto matrix = seededNumbers<std::uint32_t>(rows * columns, 0, 50, 5);
    const auto vector = seededNumbers<std::uint32_t>(columns, 0, 50, 6);
    std::vector<std::uint32_t> wanted(static_cast<std::size_t>(rows));
    for (std::size_t r = 0; r < wanted.size(); ++r)
        for (std::size_t c = 0; c < vector.size(); ++c)
            wanted[r] += matrix[r * vector.size() + c] * vector[c];
    make.input("a", matrix);
    make.input("x", vector);
    make.expect("y", wanted);
    return make.finish();
}

/// Weights of all layers stay in MRAM; between launches the host gives the results of a layer to the next.
Result<BenchmarkCase> perceptron(const BenchmarkOptions& options) {
    constexpr int kLayers = 3;
    const std::int64_t neurons = options.size;
    const RowSizes sizes = rowSizes(neurons, neurons, options.dpus);
    BenchmarkBuilder make("MLP", "three layers, y = max(W x, 0)", options);
    TaskletCode& code = make.code();
    const TaskletValue rows = make.size("ROWS", sizes.rows, "of a layer, in a DPU, even");
    const TaskletValue rowBytes = make.size("ROW_BYTES", sizes.rowBytes, "padded to 8");
    const TaskletValue pieceBytes =
        make.size("PIECE_BYTES", std::min(kPieceBytes, sizes.rowBytes), "of a row, in a DMA");
    const TaskletValue weights =
        code.array("w0", Element::I32, rows * rowBytes, "weights of layer 0, row by row");
    for (int layer = 1; layer < kLayers; ++layer)
        code.array("w" + std::to_string(layer), Element::I32, rows * rowBytes, "right behind");
    const TaskletValue x = code.array("x", Element::I32, rowBytes, "input of the layer");
    const TaskletValue y = code.array("y", Element::I32, rows * 4, "output of the layer");
    const TaskletValue layer = code.shared("layer", Element::U32, make.number(1), "of this launch", true);
    const TaskletValue xs = code.shared("vector", Element::I32, rowBytes / 4, "all of x");
    const TaskletValue piece = code.own("piece", Element::I32, pieceBytes / 4, "of a row");
    const TaskletValue results = code.own("results", Element::I32, make.number(2), "of two rows");
    for (int l = 0; l < kLayers; ++l)
        make.host().inputs.push_back(matrixInput("w" + std::to_string(l), "weights of a layer", Element::I32,
                                                 neurons, neurons, sizes));
    make.host().inputs.push_back(vectorInput("x", Element::I32, neurons, sizes.rowBytes / 4));
    make.host().outputs.push_back({"y", "output of the last layer", Element::I32, neurons, sizes.rows});
    make.host().arguments.push_back({"layer"});
    make.host().rounds = kLayers;
    make.host().fedBackFrom = "y";
    make.host().fedBackTo = "x";
    const TaskletValue matrix =
        code.variable("matrix", Element::U32, weights + code.load(layer) * (rows * rowBytes));
    rowProducts(make, {Element::I32, rows, rowBytes, pieceBytes, x, matrix, y, true}, xs, piece, results);

    auto activations = seededNumbers<std::int32_t>(neurons, 0, 9, 7);
    make.input("x", activations);
    for (int l = 0; l < kLayers; ++l) {
        const auto w = seededNumbers<std::int32_t>(neurons * neurons, -2, 2, 8 + unsigned(l));
        make.input("w" + std::to_string(l), w);
        std::vector<std::int32_t> next(activations.size());
        for (std::size_t r = 0; r < next.size(); ++r) {
            std::int64_t sum = 0;
            for (std::size_t c = 0; c < activations.size(); ++c)
                sum += std::int64_t(w[r * activations.size() + c]) * activations[c];
            PIM_ASSERT(sum == std::int32_t(sum), "weights are small enough for sums of 32 bits");
            next[r] = std::int32_t(std::max<std::int64_t>(sum, 0));
        }
        activations = std::move(next);
    }
    make.expect("y", activations);
    return make.finish();
}

} // namespace pim::upmem
