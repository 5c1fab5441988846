// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Boxes, edges and blocks are numbered in 32 bits, -1 being none; containers want their own type.
#include <cstddef>
#include <cstdint>

namespace pim::views {

inline std::size_t at(std::int32_t index) {
    return static_cast<std::size_t>(index);
}

} // namespace pim::views
