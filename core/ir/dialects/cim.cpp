// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/dialects/cinm_ops.h"
#include "core/ir/dialects/dialects.h"
#include "core/ir/dialects/tile_ops.h"

#include <fmt/format.h>

namespace pim::ir {

namespace tiles {

Result<void> verifyTiles(const Module&, const Operation& op) {
    const std::int64_t tiles = integerOr(op, "tiles", 0), size = integerOr(op, "size", 0);
    if (tiles < 1 || tiles > 1'000'000 || size < 1 || size > 65536)
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("{} tiles of {} x {} are not within 1 to 1000000 of 1 to 65536", tiles, size, size));
    return {};
}

Result<void> verifyTile(const Module&, const Operation& op) {
    if (const std::int64_t tile = integerOr(op, "tile", -1); tile < 0)
        return fail(ErrorCode::InvalidFile, "names no tile", {}, "tile = 0 : i64");
    return {};
}

} // namespace tiles

namespace {

/// Arrays that hold matrices, as the interpreter sees them.
struct CimDevice : RuntimeObject {
    std::vector<Array> tiles; ///< Empty where nothing was written yet.
    std::int64_t size = 0;
    int pending = 0; ///< Products that nobody has read.
};
struct CimFuture : RuntimeObject {
    Array value;
    std::shared_ptr<RuntimeObject> device;
};

Result<void> verifyExecute(const Module& module, const Operation& op) {
    PIM_CHECK(tiles::verifyTile(module, op));
    const Type &rows = module.type(module.operand(op, 1)), &future = module.type(op.firstResult);
    if (future.rank() != 2 || future.extents()[0] != rows.extents()[0] || future.element() != rows.element())
        return fail(ErrorCode::InvalidFile, fmt::format("gives {} for rows {}", future.text(), rows.text()));
    return {};
}

Result<void> verifyRead(const Module& module, const Operation& op) {
    const Type &future = module.type(module.operand(op, 0)), &value = module.type(op.firstResult);
    if (future.extents() != value.extents() || future.element() != value.element())
        return fail(ErrorCode::InvalidFile, fmt::format("reads {} out of {}", value.text(), future.text()));
    return {};
}

Result<void> runAcquire(Interpreter& at, const Operation& op) {
    auto device = std::make_shared<CimDevice>();
    device->tiles.resize(static_cast<std::size_t>(integerOr(op, "tiles", 1)));
    device->size = integerOr(op, "size", 1);
    at.set(op, std::move(device));
    return {};
}

Result<Array*> tileOf(Interpreter& at, const Operation& op) {
    auto& device = at.object<CimDevice>(op, 0);
    const auto tile = static_cast<std::size_t>(integerOr(op, "tile", 0));
    if (tile >= device.tiles.size())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("tile {} is not within the {} acquired", tile, device.tiles.size()));
    return &device.tiles[tile];
}

Result<void> runWrite(Interpreter& at, const Operation& op) {
    PIM_TRY(Array * tile, tileOf(at, op));
    Array value = at.array(op, 1).compact();
    if (const std::int64_t size = at.object<CimDevice>(op, 0).size;
        value.extents[0] > size || value.extents[1] > size)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} does not fit a tile of {} x {}", shapeText(value.extents), size, size));
    *tile = std::move(value);
    return {};
}

Result<void> runExecute(Interpreter& at, const Operation& op) {
    PIM_TRY(Array * tile, tileOf(at, op));
    const Array rows = at.array(op, 1).compact();
    const Type& type = at.module().type(op.firstResult);
    if (!tile->bytes || tile->extents[0] != rows.extents[1] || tile->extents[1] != type.extents()[1])
        return fail(ErrorCode::InvalidFile,
                    fmt::format("rows {} meet a tile that holds {}, expected {} x {}",
                                shapeText(rows.extents), tile->bytes ? shapeText(tile->extents) : "nothing",
                                rows.extents[1], type.extents()[1]));
    auto future = std::make_shared<CimFuture>();
    future->value = cinm::product(rows, *tile, nullptr);
    future->device = at.operand(op, 0).object;
    ++at.object<CimDevice>(op, 0).pending;
    at.set(op, std::move(future));
    return {};
}

Result<void> runRead(Interpreter& at, const Operation& op) {
    auto& future = at.object<CimFuture>(op, 0);
    --static_cast<CimDevice&>(*future.device).pending;
    at.set(op, future.value);
    return {};
}

Result<void> nothing(Interpreter&, const Operation&) {
    return {};
}

Result<void> runRelease(Interpreter& at, const Operation& op) {
    if (const int pending = at.object<CimDevice>(op, 0).pending; pending > 0)
        return fail(ErrorCode::InvalidFile, fmt::format("{} products were never read", pending));
    return {};
}

constexpr OpDef kCimOps[] = {
    {"cim.acquire", "Takes an accelerator with some tiles of size x size cells, ready to be written.",
     "-> !cim.device", tiles::verifyTiles, runAcquire},
    {"cim.write", "Programs a matrix into a tile.", "!cim.device, T[K,N] ->", tiles::verifyTile, runWrite},
    {"cim.execute", "Starts the product of some rows with the matrix a tile holds.",
     "!cim.device, T[M,K] -> !cim.future", verifyExecute, runExecute},
    {"cim.read", "Waits for a product and takes it.", "!cim.future -> T[M,N]", verifyRead, runRead},
    {"cim.barrier", "Waits until all tiles are done.", "!cim.device ->", nullptr, nothing},
    {"cim.release", "Gives the accelerator back.", "!cim.device ->", nullptr, runRelease},
};

} // namespace

const Dialect& cimDialect() {
    static constexpr Dialect kCimDialect{
        "cim",
        "Arrays that compute where their matrices are stored: Table 3 of the CINM paper (ASPLOS 2025).",
        kCimOps};
    return kCimDialect;
}

} // namespace pim::ir
