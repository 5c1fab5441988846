// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Indices that cannot be mixed up: an OpId is not a TensorId.
#include <string> // first: moc of Qt 6.4 cannot read <compare> before a standard header has set up the library

#include <compare>
#include <cstdint>
#include <functional>

namespace pim {

/// Position in the vector that owns the objects; -1 means none.
template <class Tag>
struct Id {
    std::int32_t value = -1;

    constexpr Id() = default;
    constexpr explicit Id(std::int64_t v) : value(static_cast<std::int32_t>(v)) {}
    constexpr bool valid() const { return value >= 0; }
    constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using OpId = Id<struct OpTag>;
using TensorId = Id<struct TensorTag>;

} // namespace pim

template <class Tag>
struct std::hash<pim::Id<Tag>> {
    std::size_t operator()(pim::Id<Tag> id) const noexcept { return std::hash<std::int32_t>()(id.value); }
};
