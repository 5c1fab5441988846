// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Ways of a tile through WRAM among which the best is looked for. Flow: TileShape, TileDemands -> [blocksOf] -> Tile::best.
#include "backends/upmem/tile.h"

namespace pim::upmem {

inline std::int64_t roundUp(std::int64_t value, std::int64_t to) {
    return (value + to - 1) / to * to;
}
inline std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// What elements of a type are in WRAM; soft floats have the structure of int32.
inline Element elementOf(DataType type) {
    return type == DataType::I8 ? Element::I8 : type == DataType::I16 ? Element::I16 : Element::I32;
}

inline tl::unexpected<Error> impossible(std::string message, std::string hint = {}) {
    return fail(ErrorCode::Unsupported, std::move(message), {}, std::move(hint));
}

/// At least one. \param shape of a type with instructions of its own. ErrorCode::Unsupported: WRAM has room for none, or none is
/// as \p demands want it (sizes seen and allowed).
Result<std::vector<TileBlocks>> blocksOf(const TileShape& shape, const TileDemands& demands);

} // namespace pim::upmem
