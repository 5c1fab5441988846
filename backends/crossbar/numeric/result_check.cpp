// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/result_check.h"

#include <cstdlib>
#include <limits>

namespace pim {

namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15ULL; // odd: powers never vanish modulo 2^64

/// Polynomial in kBase (Karp and Rabin 1987); elements are spread first, small ones would collide.
std::uint64_t spread(std::int64_t value) {
    std::uint64_t z = (std::uint64_t(value) + 1) * 0xbf58476d1ce4e5b9ULL;
    return z ^ (z >> 29);
}

std::uint64_t hashOf(std::span<const std::int64_t> values) {
    std::uint64_t hash = 0;
    for (const std::int64_t value : values)
        hash = hash * kBase + spread(value);
    return hash;
}

} // namespace

const std::unordered_set<std::uint64_t>& ResultCheck::hashes(LayerId layer, std::size_t length) {
    auto& known = m_hashes[(std::uint64_t(layer.value) << 40) + length];
    const auto& map = m_expected[layer.index()];
    if (!known.empty() || map.size() < length || length == 0)
        return known;
    std::uint64_t out = 1;
    for (std::size_t i = 0; i + 1 < length; ++i)
        out *= kBase;
    std::uint64_t hash = hashOf(std::span(map).first(length));
    known.insert(hash);
    for (std::size_t i = length; i < map.size(); ++i) {
        hash = (hash - spread(map[i - length]) * out) * kBase + spread(map[i]);
        known.insert(hash);
    }
    return known;
}

ResultCheck::Miss ResultCheck::nearest(LayerId layer, std::span<const std::int64_t> values) const {
    const auto& map = m_expected[layer.index()];
    std::size_t best = 0, fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t at = 0; at + values.size() <= map.size() && fewest > 1; ++at) {
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < values.size() && wrong < fewest; ++i)
            wrong += map[at + i] != values[i];
        if (wrong < fewest) {
            fewest = wrong;
            best = at;
        }
    }
    std::size_t i = 0;
    while (i + 1 < values.size() && best + i < map.size() && map[best + i] == values[i])
        ++i;
    const auto channels = std::int64_t(m_network.layers[layer.index()].out.channels);
    const auto element = std::int64_t(best + i);
    return {element / channels, element % channels, best + i < map.size() ? map[best + i] : 0,
            values.empty() ? 0 : values[i]};
}

std::optional<ResultCheck::Miss> ResultCheck::check(LayerId layer, std::span<const std::int64_t> values) {
    if (values.empty() || hashes(layer, values.size()).contains(hashOf(values)))
        return std::nullopt;
    return nearest(layer, values);
}

} // namespace pim
