// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A stretch of windows of a matrix layer while its instructions are emitted.
#include "backends/crossbar/schedule/row_engine.h"

#include <optional>

namespace pim {

struct RowEngine::Running {
    struct Taken {
        CoreId core;
        std::uint32_t address = 0, elements = 0;
    };
    RowJob job;
    std::span<const InputPiece> pieces; ///< Of a layer whose products span windows: what they are for.
    std::vector<Part> parts;            ///< One a member.
    std::uint32_t received = 0, receivedElements = 0; ///< Sums that come from another core.
    std::vector<Taken> taken;                         ///< Of local memory, while it runs.
    std::vector<Lanes::PieceName> kept;               ///< Pieces of rows it reads or writes.
    std::optional<Output> output;
    int finished = 0;                                  ///< Windows that have had bias and activation.
    std::uint64_t elements(std::size_t member) const { ///< Of local memory, while it runs.
        return std::uint64_t(parts[member].sumElements) +
               (member == 0 ? std::max(receivedElements, parts[0].sumElements) : 0);
    }
};

} // namespace pim
