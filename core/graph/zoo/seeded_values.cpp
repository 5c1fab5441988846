// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/seeded_values.h"

#include "core/base/half_float.h"
#include "core/base/split_mix.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace pim::zoo {
namespace {

/// FNV-1a: independent of the standard library, so that seeds mean the same everywhere.
std::uint64_t nameHash(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

template <class Element>
Element encode(float value) {
    if constexpr (sizeof(Element) == 2)
        return floatToHalf(value);
    else
        return std::bit_cast<Element>(value);
}

/// Calls \p value(i) for every element and passes the bytes on.
template <class Element, class Value>
Result<void> pour(std::int64_t count, const ByteSink& sink, Value value) {
    constexpr std::int64_t kPiece = (1 << 20) / static_cast<std::int64_t>(sizeof(Element));
    std::vector<Element> piece(static_cast<std::size_t>(std::min(count, kPiece)));
    for (std::int64_t begin = 0; begin < count; begin += kPiece) {
        const auto length = static_cast<std::size_t>(std::min(kPiece, count - begin));
        for (std::size_t i = 0; i < length; ++i)
            piece[i] = value(begin + static_cast<std::int64_t>(i));
        PIM_CHECK(sink(std::as_bytes(std::span(piece).first(length))));
    }
    return {};
}

template <class Element>
Result<void> stream(const Fill& fill, const Shape& shape, std::int64_t count, std::uint64_t seed,
                    std::string_view name, const ByteSink& sink) {
    if (fill.kind == Fill::Kind::Random) {
        // 65536 levels looked up by 16 random bits: billions of elements cost a nanosecond each.
        std::vector<Element> levels(1 << 16);
        for (std::size_t i = 0; i < levels.size(); ++i) {
            const double unit = (static_cast<double>(i) - 32767.5) / 32768.0;
            levels[i] = encode<Element>(static_cast<float>(fill.center + fill.spread * unit));
        }
        std::uint64_t state = nameHash(name) + seed * 0x9e3779b97f4a7c15ULL;
        std::uint64_t bits = 0;
        return pour<Element>(count, sink, [&](std::int64_t i) {
            bits = i % 4 == 0 ? nextRandom(state) : bits >> 16;
            return levels[bits & 0xffff];
        });
    }
    const std::int64_t columns = shape.back();
    if (fill.kind == Fill::Kind::CausalMask) {
        const std::int64_t rows = shape[shape.size() - 2];
        const auto open = encode<Element>(0), closed = encode<Element>(static_cast<float>(fill.spread));
        return pour<Element>(
            count, sink, [&](std::int64_t i) { return i % columns > i / columns % rows ? closed : open; });
    }
    return pour<Element>(count, sink, [&](std::int64_t i) {
        const std::int64_t half = columns / 2;
        const double frequency =
            std::pow(10000.0, -2.0 * static_cast<double>(i % columns % half) / static_cast<double>(columns));
        const double angle = static_cast<double>(i / columns) * frequency;
        return encode<Element>(
            static_cast<float>(fill.kind == Fill::Kind::RotaryCos ? std::cos(angle) : std::sin(angle)));
    });
}

} // namespace

Result<void> streamValues(const Fill& fill, DataType type, const Shape& shape, std::uint64_t seed,
                          std::string_view tensorName, const ByteSink& sink) {
    PIM_TRY(const std::int64_t count, elementCount(shape));
    if (type == DataType::F16)
        return stream<std::uint16_t>(fill, shape, count, seed, tensorName, sink);
    PIM_ASSERT(type == DataType::F32, "zoo weights are f16 or f32");
    return stream<std::uint32_t>(fill, shape, count, seed, tensorName, sink);
}

} // namespace pim::zoo
