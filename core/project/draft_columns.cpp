// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/draft_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstring>

namespace pim {
namespace {

static_assert(std::endian::native == std::endian::little, "the columns are written as they lie in memory");

constexpr std::array<char, 4> kMagic{'P', 'D', 'C', '1'};
enum class Kind : std::uint8_t { SameInteger, U8, U16, U32, SameReal, F32 };
constexpr std::array kTimes{&CostSplit::inputNs, &CostSplit::computeNs, &CostSplit::outputNs,
                            &CostSplit::modeSwitchNs, &CostSplit::hostNs};

/// Appends values; the whole buffer grows once a column.
class Writer {
public:
    template <class T>
    void add(T value) {
        const auto at = m_bytes.size();
        m_bytes.resize(at + sizeof(T));
        std::memcpy(m_bytes.data() + at, &value, sizeof(T));
    }

    template <class T>
    void addAll(std::size_t count, const auto& value) {
        const auto at = m_bytes.size();
        m_bytes.resize(at + count * sizeof(T));
        std::byte* out = m_bytes.data() + at;
        for (std::size_t i = 0; i < count; ++i, out += sizeof(T)) {
            const T item = static_cast<T>(value(i));
            std::memcpy(out, &item, sizeof(T));
        }
    }

    void integers(std::size_t count, const auto& value) {
        std::uint64_t low = count ? value(0) : 0, high = low;
        for (std::size_t i = 1; i < count; ++i) {
            low = std::min<std::uint64_t>(low, value(i));
            high = std::max<std::uint64_t>(high, value(i));
        }
        if (low == high) {
            add(Kind::SameInteger);
            add(low);
        } else if (high <= 0xff) {
            add(Kind::U8);
            addAll<std::uint8_t>(count, value);
        } else if (high <= 0xffff) {
            add(Kind::U16);
            addAll<std::uint16_t>(count, value);
        } else {
            add(Kind::U32);
            addAll<std::uint32_t>(count, value);
        }
    }

    void reals(std::size_t count, const auto& value) {
        const double first = count ? value(0) : 0;
        bool same = true;
        for (std::size_t i = 1; i < count && same; ++i)
            same = value(i) == first;
        if (same) {
            add(Kind::SameReal);
            add(first);
        } else {
            add(Kind::F32);
            addAll<float>(count, value);
        }
    }

    std::vector<std::byte> take() { return std::move(m_bytes); }
    void reserve(std::size_t bytes) { m_bytes.reserve(bytes); }

private:
    std::vector<std::byte> m_bytes;
};

class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : m_rest(bytes) {}

    template <class T>
    T get() {
        T value{};
        if (m_rest.size() < sizeof(T))
            m_good = false;
        else {
            std::memcpy(&value, m_rest.data(), sizeof(T));
            m_rest = m_rest.subspan(sizeof(T));
        }
        return value;
    }

    /// Calls \p store(i, value) for each draft.
    void integers(std::size_t count, const auto& store) {
        switch (get<Kind>()) {
        case Kind::SameInteger:
            return same(count, get<std::uint64_t>(), store);
        case Kind::U8:
            return each<std::uint8_t>(count, store);
        case Kind::U16:
            return each<std::uint16_t>(count, store);
        case Kind::U32:
            return each<std::uint32_t>(count, store);
        default:
            m_good = false;
        }
    }
    void reals(std::size_t count, const auto& store) {
        switch (get<Kind>()) {
        case Kind::SameReal:
            return same(count, get<double>(), store);
        case Kind::F32:
            return each<float>(count, store);
        default:
            m_good = false;
        }
    }

    bool good() const { return m_good; }
    bool atEnd() const { return m_rest.empty(); }
    std::size_t left() const { return m_rest.size(); }

private:
    template <class T>
    void same(std::size_t count, T value, const auto& store) {
        for (std::size_t i = 0; i < count && m_good; ++i)
            store(i, value);
    }
    template <class T>
    void each(std::size_t count, const auto& store) {
        if (m_rest.size() / sizeof(T) < count) {
            m_good = false;
            return;
        }
        for (std::size_t i = 0; i < count; ++i)
            store(i, get<T>());
    }
    std::span<const std::byte> m_rest;
    bool m_good = true;
};

} // namespace

std::vector<std::byte> packDrafts(std::span<const Draft> drafts, std::span<const CostSplit> costs, int sets) {
    PIM_ASSERT(drafts.size() == costs.size(), "one cost a draft");
    const std::size_t count = drafts.size();
    Writer out;
    out.reserve(64 + count * (static_cast<std::size_t>(sets) * 5 + 20));
    for (const char c : kMagic)
        out.add(c);
    out.add(static_cast<std::uint32_t>(count));
    out.add(static_cast<std::uint32_t>(sets));
    for (std::size_t set = 0; set < static_cast<std::size_t>(sets); ++set)
        for (const auto field : {&DraftPart::groups, &DraftPart::cores, &DraftPart::mapping})
            out.integers(count, [&](std::size_t i) {
                return static_cast<std::uint64_t>(drafts[i].parts[set].*field);
            });
    out.integers(count, [&](std::size_t i) { return static_cast<std::uint64_t>(drafts[i].strategy); });
    for (const auto time : kTimes)
        out.reals(count, [&](std::size_t i) { return costs[i].*time; });
    return out.take();
}

Result<UnpackedDrafts> unpackDrafts(std::span<const std::byte> bytes) {
    const auto damaged = [] {
        return fail(ErrorCode::Database, "the stored draft columns are damaged", {}, "compile the run again");
    };
    Reader in(bytes);
    for (const char c : kMagic)
        if (in.get<char>() != c)
            return damaged();
    const std::size_t count = in.get<std::uint32_t>();
    const std::size_t sets = in.get<std::uint32_t>();
    // Every column takes nine bytes or more unless it holds a value per draft: no header can ask for endless
    // memory.
    constexpr std::size_t kMostDrafts = 20'000'000;
    if (!in.good() || sets > in.left() / 9 || count > kMostDrafts || sets * count > kMostDrafts)
        return damaged();

    UnpackedDrafts result;
    result.drafts.resize(count);
    result.costs.resize(count);
    for (Draft& draft : result.drafts)
        draft.parts.resize(sets);
    for (std::size_t set = 0; set < sets; ++set)
        for (const auto field : {&DraftPart::groups, &DraftPart::cores, &DraftPart::mapping})
            in.integers(count, [&](std::size_t i, auto value) {
                result.drafts[i].parts[set].*field = static_cast<int>(value);
            });
    in.integers(count, [&](std::size_t i, auto value) {
        result.drafts[i].strategy = value != 0 ? IndexStrategy::ExactSet : IndexStrategy::ExpandedRange;
    });
    for (const auto time : kTimes)
        in.reals(count,
                 [&](std::size_t i, auto value) { result.costs[i].*time = static_cast<double>(value); });
    if (!in.good() || !in.atEnd())
        return damaged();
    return result;
}

} // namespace pim
