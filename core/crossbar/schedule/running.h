// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// A stretch of windows of a matrix layer while its instructions are emitted.
#include "core/crossbar/schedule/row_engine.h"

#include <optional>

namespace pim {

struct RowEngine::Running {
    /// Sums that are still to be added where they belong.
    struct Sum {
        std::uint32_t from = 0, to = 0, length = 0;
    };
    /// One core's part.
    struct Part {
        std::uint32_t sums = 0, sumElements = 0;      ///< [window][output channel] accumulators.
        std::uint32_t vectors = 0, vectorElements = 0;///< Ring of input vectors, \ref vectorSlots of the largest group.
        std::uint32_t partials = 0, partialElements = 0;
        std::uint32_t vectorSlots = 1, vectorSize = 0, partialSlots = 1, partialSize = 0;
        std::size_t nextVector = 0, nextPartial = 0;
        std::deque<Sum> pending;
    };
    struct Taken {
        int core = 0;
        std::uint32_t address = 0, elements = 0;
    };
    RowJob job;
    std::vector<Part> parts; ///< One a member.
    std::uint32_t received = 0, receivedElements = 0; ///< Sums that come from another core.
    std::vector<Taken> taken; ///< Of local memory, while it runs.
    std::vector<Lanes::PieceName> kept; ///< Pieces of rows it reads or writes.
    std::optional<Output> output;
    std::uint64_t elements(std::size_t member) const { ///< Of local memory, while it runs.
        const Part& part = parts[member];
        return std::uint64_t(part.sumElements) + part.vectorElements + part.partialElements + (member == 0 ? std::max(receivedElements, part.sumElements) : 0);
    }
};

} // namespace pim
