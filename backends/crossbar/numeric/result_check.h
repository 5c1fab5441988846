// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Is a vector that an instruction computed anywhere in the map its layer should have? Finds the first
/// instruction that computes something wrong, without being told which pixel it is for.
#include "backends/crossbar/numeric/reference.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace pim {

class ResultCheck {
public:
    ResultCheck(const CrossbarNetwork& network, const CrossbarMaps& expected)
        : m_network(network), m_expected(expected) {}

    struct Miss {
        std::int64_t pixel = 0, channel = 0, expected = 0,
                     got = 0; ///< Of the first element that differs from the likeliest place.
    };
    /// Nothing if \p values are side by side somewhere in the map of \p layer.
    std::optional<Miss> check(LayerId layer, std::span<const std::int64_t> values);

private:
    const std::unordered_set<std::uint64_t>& hashes(LayerId layer, std::size_t length);
    Miss nearest(LayerId layer, std::span<const std::int64_t> values) const;

    const CrossbarNetwork& m_network;
    const CrossbarMaps& m_expected;
    std::unordered_map<std::uint64_t, std::unordered_set<std::uint64_t>> m_hashes; ///< By layer and length.
};

} // namespace pim
