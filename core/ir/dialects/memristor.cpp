// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/dialects.h"
#include "core/ir/dialects/tile_ops.h"
#include "core/ir/interpret.h"
#include "core/ir/lower/digits.h"
#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

namespace pim::ir {

namespace driver { // sources are compiled together: other dialects have ops of the same names
namespace {

/// Tiles of 8-bit cells, as the interpreter sees them.
struct Tiles : RuntimeObject {
    std::vector<Array> cells; ///< Empty where nothing was written yet.
    std::vector<int> pending; ///< Products of each tile that nobody waited for.
    std::int64_t size = 0;
};
struct TileResult : RuntimeObject {
    Array sums; ///< i32[M,N]
    std::shared_ptr<RuntimeObject> tiles;
    std::size_t tile = 0;
    int product = 0; ///< Of \ref Tiles::pending when it was started.
};

Result<void> verifyProduct(const Module& module, const Operation& op) {
    PIM_CHECK(tiles::verifyTile(module, op));
    const Type &rows = module.type(module.operand(op, 1)), &result = module.type(op.firstResult);
    if (result.rank() != 2 || result.extents()[0] != rows.extents()[0] || result.element() != Scalar::I32)
        return fail(ErrorCode::InvalidFile, fmt::format("gives {} for rows {}, expected {} x … x i32",
                                                        result.text(), rows.text(), rows.extents()[0]));
    if (op.def->name == "memristor.gemv" && rows.extents()[0] != 1)
        return fail(ErrorCode::InvalidFile, fmt::format("takes one row, not {}", rows.extents()[0]), {},
                    "write memristor.gemm");
    return {};
}

Result<void> verifyCopy(const Module& module, const Operation& op) {
    const Scalar element = *module.type(module.operand(op, 0)).element();
    if (isFloat(element) || element == Scalar::Index)
        return fail(ErrorCode::InvalidFile, fmt::format("tiles hold integers, not {}", name(element)), {},
                    "leave the op to the host");
    if (const std::int64_t digit = integerOr(op, "digit", -1); digit < 0 || digit >= digitsOf(element))
        return fail(ErrorCode::InvalidFile, fmt::format("digit {} is not within the {} of {}", digit,
                                                        digitsOf(element), name(element)));
    return {};
}

Result<void> verifyStore(const Module& module, const Operation& op) {
    const Type &future = module.type(module.operand(op, 0)), &value = module.type(op.firstResult);
    if (future.extents() != value.extents())
        return fail(ErrorCode::InvalidFile, fmt::format("stores {} as {}", future.text(), value.text()));
    return {};
}

Result<void> verifyShiftAdd(const Module&, const Operation& op) {
    if (const std::int64_t shift = integerOr(op, "shift", -1); shift < 0 || shift > 56 || shift % 8 != 0)
        return fail(ErrorCode::InvalidFile, fmt::format("{} bits are none of 0, 8, … 56", shift), {},
                    "shift = 8 : i64");
    return {};
}

Result<void> runInit(Interpreter& at, const Operation& op) {
    auto tiles = std::make_shared<Tiles>();
    tiles->cells.resize(static_cast<std::size_t>(integerOr(op, "tiles", 1)));
    tiles->pending.resize(tiles->cells.size());
    tiles->size = integerOr(op, "size", 1);
    at.set(op, std::move(tiles));
    return {};
}

Result<std::size_t> tileOf(Interpreter& at, const Operation& op) {
    const std::size_t tiles = at.object<Tiles>(op, 0).cells.size();
    const auto tile = static_cast<std::size_t>(integerOr(op, "tile", 0));
    if (tile >= tiles)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("tile {} is not within the {} there are", tile, tiles));
    return tile;
}

Result<void> runWrite(Interpreter& at, const Operation& op) {
    auto& tiles = at.object<Tiles>(op, 0);
    PIM_TRY(const std::size_t tile, tileOf(at, op));
    Array value = at.array(op, 1).compact();
    if (value.extents[0] > tiles.size || value.extents[1] > tiles.size)
        return fail(ErrorCode::InvalidFile, fmt::format("{} does not fit a tile of {} x {}",
                                                        shapeText(value.extents), tiles.size, tiles.size));
    tiles.cells[tile] = std::move(value);
    return {};
}

/// Sums of 8-bit products over at most 65536 rows stay within 31 bits.
Array sums(const Array& rows, const Array& cells) {
    const std::int64_t m = rows.extents[0], k = rows.extents[1], n = cells.extents[1];
    const auto* a = reinterpret_cast<const std::int8_t*>(rows.bytes->data());
    const auto* b = reinterpret_cast<const std::int8_t*>(cells.bytes->data());
    Array made = Array::make(Scalar::I32, {m, n});
    auto* out = reinterpret_cast<std::int32_t*>(made.bytes->data());
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t r = 0; r < k; ++r)
            for (std::int64_t j = 0; j < n; ++j)
                out[i * n + j] += std::int32_t{a[i * k + r]} * b[r * n + j];
    return made;
}

Result<void> runProduct(Interpreter& at, const Operation& op) {
    auto& tiles = at.object<Tiles>(op, 0);
    PIM_TRY(const std::size_t tile, tileOf(at, op));
    const Array& cells = tiles.cells[tile];
    const Array rows = at.array(op, 1).compact();
    const std::int64_t columns = at.module().type(op.firstResult).extents()[1];
    if (!cells.bytes || cells.extents[0] != rows.extents[1] || cells.extents[1] != columns)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("rows {} meet a tile that holds {}, expected [{}, {}]",
                                shapeText(rows.extents), cells.bytes ? shapeText(cells.extents) : "nothing",
                                rows.extents[1], columns));
    auto result = std::make_shared<TileResult>();
    result->sums = sums(rows, cells);
    result->tiles = at.operand(op, 0).object;
    result->tile = tile;
    result->product = ++tiles.pending[tile];
    at.set(op, std::move(result));
    return {};
}

Result<void> runCopy(Interpreter& at, const Operation& op) {
    const Array from = at.array(op, 0).compact();
    const std::int64_t digit = integerOr(op, "digit", 0);
    Array made = Array::make(Scalar::I8, from.extents);
    for (std::int64_t i = 0; i < from.count(); ++i)
        storeInt(made.bytesAt(i), Scalar::I8, digitAt(loadInt(from.bytesAt(i), from.element), digit));
    at.set(op, std::move(made));
    return {};
}

Result<void> runBarrier(Interpreter& at, const Operation& op) {
    auto& tiles = at.object<Tiles>(op, 0);
    if (!findAttribute(op, "tile")) {
        std::fill(tiles.pending.begin(), tiles.pending.end(), 0);
        return {};
    }
    PIM_TRY(const std::size_t tile, tileOf(at, op));
    tiles.pending[tile] = 0;
    return {};
}

/// A result that was not waited for may not be there yet.
Result<void> runStore(Interpreter& at, const Operation& op) {
    const auto& result = at.object<TileResult>(op, 0);
    const int pending = static_cast<const Tiles&>(*result.tiles).pending[result.tile];
    if (pending >= result.product)
        return fail(ErrorCode::InvalidFile, fmt::format("tile {} was not waited for", result.tile), {},
                    "memristor.barrier in front of it");
    at.set(op, result.sums);
    return {};
}

Result<void> runShiftAdd(Interpreter& at, const Operation& op) {
    Array sum = at.take(op, 0).compact();
    const Array more = at.array(op, 1).compact();
    const std::int64_t shift = integerOr(op, "shift", 0);
    for (std::int64_t i = 0; i < sum.count(); ++i) {
        const auto added = static_cast<std::uint64_t>(loadInt(more.bytesAt(i), Scalar::I32)) << shift;
        const auto value = static_cast<std::uint64_t>(loadInt(sum.bytesAt(i), sum.element)) + added;
        storeInt(sum.bytesAt(i), sum.element, static_cast<std::int64_t>(value));
    }
    at.set(op, std::move(sum));
    return {};
}

Result<void> runRelease(Interpreter& at, const Operation& op) {
    const auto& pending = at.object<Tiles>(op, 0).pending;
    for (std::size_t tile = 0; tile < pending.size(); ++tile)
        if (pending[tile] > 0)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("{} products of tile {} were never waited for", pending[tile], tile));
    return {};
}

constexpr OpDef kMemristorOps[] = {
    {"memristor.init", "Takes tiles of size x size cells of 8 bits.", "-> !memristor.device",
     tiles::verifyTiles, runInit},
    {"memristor.copy_tile",
     "A digit of every element as signed bytes, as cells hold them: the element is the sum of digit i times "
     "256 "
     "to the i.",
     "T[*S] -> i8[*S]", verifyCopy, runCopy},
    {"memristor.write_tile", "Programs bytes into a tile.", "!memristor.device, i8[K,N] ->",
     tiles::verifyTile, runWrite},
    {"memristor.gemm", "Starts the product of rows with the bytes a tile holds.",
     "!memristor.device, i8[M,K] -> !memristor.future", verifyProduct, runProduct},
    {"memristor.gemv", "Starts the product of one row with the bytes a tile holds.",
     "!memristor.device, i8[M,K] -> !memristor.future", verifyProduct, runProduct},
    {"memristor.barrier", "Waits until a tile is done, or all where none is named.", "!memristor.device ->",
     nullptr, runBarrier},
    {"memristor.store_tile", "Takes the result of a product that was waited for.",
     "!memristor.future -> i32[M,N]", verifyStore, runStore},
    {"memristor.shift_add", "Adds a partial result, moved up by some bits, and wraps.",
     "T[*S], i32[*S] -> T[*S]", verifyShiftAdd, runShiftAdd},
    {"memristor.release", "Gives the tiles back.", "!memristor.device ->", nullptr, runRelease},
};

} // namespace
} // namespace driver

const Dialect& memristorDialect() {
    static constexpr Dialect kMemristorDialect{
        "memristor", "Calls of a driver for memristor tiles (CINM, section 3.2.6; Open CIM Compiler).",
        driver::kMemristorOps};
    return kMemristorDialect;
}

} // namespace pim::ir
