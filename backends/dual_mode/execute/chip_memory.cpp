// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/execute/chip_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace pim {

namespace {

tl::unexpected<Error> refused(std::string message) {
    return fail(ErrorCode::InvalidFile, std::move(message));
}

std::string_view modeName(ArrayMode mode) {
    return mode == ArrayMode::Memory ? "memory" : "compute";
}

} // namespace

ChipMemory::ChipMemory(const DualModeFlow& flow)
    : m_flow(flow), m_main(static_cast<std::size_t>(flow.mainBytes)),
      m_owner(static_cast<std::size_t>(flow.mainBytes), -1), m_buffer(flow.tensors.size()),
      m_bufferWritten(flow.tensors.size()), m_arrays(static_cast<std::size_t>(flow.arrays)),
      m_places(flow.tensors.size()) {}

Result<void> ChipMemory::switchTo(ArrayMode mode, const ArrayList& arrays) {
    for (const int id : arrays.numbers()) {
        Array& a = array(id);
        if (a.mode == mode)
            return refused(fmt::format("array {} is in {} mode already", id, modeName(mode)));
        if (a.held >= 0)
            return refused(fmt::format("array {} still holds bytes of \"{}\"; they would be lost", id,
                                       tensor(a.held).name));
        a.mode = mode;
        a.tile = ArrayTile();
        a.bytes.assign(mode == ArrayMode::Memory ? static_cast<std::size_t>(m_flow.arrayBytes) : 0,
                       std::byte(0));
        a.written.assign(a.bytes.size(), 0);
        ++m_switches;
    }
    return {};
}

std::vector<ChipMemory::Place> ChipMemory::placesOf(const Held& held) const {
    std::vector<Place> places;
    const auto count = static_cast<std::int64_t>(held.arrays.size());
    const std::int64_t share = (held.runs.run + count - 1) / count;
    for (std::int64_t r = 0; r < held.runs.count; ++r)
        for (std::int64_t i = 0; i < count && i * share < held.runs.run; ++i) {
            const std::int64_t begin = held.runs.begin + r * held.runs.stride + i * share;
            places.push_back({begin, begin + std::min(share, held.runs.run - i * share),
                              held.arrays[static_cast<std::size_t>(i)], r * share});
        }
    return places;
}

Result<void> ChipMemory::hold(const FlowOperator& op) {
    Held held{op.tensor, op.runs, op.window, op.arrays.numbers()};
    for (const int id : held.arrays) {
        Array& a = array(id);
        if (a.mode != ArrayMode::Memory)
            return refused(fmt::format("array {} is in compute mode and cannot hold bytes of \"{}\"", id,
                                       tensor(op.tensor).name));
        if (a.held >= 0)
            return refused(fmt::format("array {} holds bytes of \"{}\" already", id, tensor(a.held).name));
    }
    if (!held.window) {
        auto places = placesOf(held);
        auto& all = m_places[static_cast<std::size_t>(op.tensor)];
        all.insert(all.end(), places.begin(), places.end());
        std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.begin < b.begin; });
        for (std::size_t i = 1; i < all.size(); ++i)
            if (all[i].begin < all[i - 1].end)
                return refused(
                    fmt::format("byte {} of \"{}\" is held already", all[i].begin, tensor(op.tensor).name));
        for (const Place& place : places)
            if (place.at + place.end - place.begin > m_flow.arrayBytes)
                return refused(fmt::format("array {} has {} bytes, {} would lie in it", place.array,
                                           m_flow.arrayBytes, place.at + place.end - place.begin));
    }
    for (const int id : held.arrays) {
        array(id).held = op.tensor;
        std::fill(array(id).written.begin(), array(id).written.end(), std::uint8_t(0));
    }
    m_held.push_back(std::move(held));
    return {};
}

Result<std::size_t> ChipMemory::findHeld(const FlowOperator& op) const {
    for (std::size_t i = 0; i < m_held.size(); ++i)
        if (m_held[i].tensor == op.tensor && m_held[i].runs == op.runs)
            return i;
    return refused(fmt::format("these bytes of \"{}\" are held nowhere", tensor(op.tensor).name));
}

Result<void> ChipMemory::load(const FlowOperator& op) {
    PIM_TRY(const std::size_t index, findHeld(op));
    const Held& held = m_held[index];
    for (std::int64_t r = 0; r < held.runs.count; ++r) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(held.runs.run));
        const std::int64_t begin = held.runs.begin + r * held.runs.stride;
        PIM_CHECK(readMainBytes(held.tensor, begin, bytes));
        if (!held.window)
            PIM_CHECK(write(held.tensor, begin, bytes));
    }
    return {};
}

Result<void> ChipMemory::store(const FlowOperator& op) {
    PIM_TRY(const std::size_t index, findHeld(op));
    const Held& held = m_held[index];
    for (std::int64_t r = 0; r < held.runs.count; ++r) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(held.runs.run));
        const std::int64_t begin = held.runs.begin + r * held.runs.stride;
        PIM_CHECK(read(held.tensor, begin, bytes));
        if (!held.window)
            writeMainBytes(held.tensor, begin, bytes);
    }
    return {};
}

Result<void> ChipMemory::release(const FlowOperator& op) {
    PIM_TRY(const std::size_t index, findHeld(op));
    const Held held = m_held[index];
    for (const int id : held.arrays)
        array(id).held = -1;
    if (!held.window) {
        auto& all = m_places[static_cast<std::size_t>(held.tensor)];
        for (const Place& gone : placesOf(held))
            all.erase(
                std::lower_bound(all.begin(), all.end(), gone.begin,
                                 [](const Place& place, std::int64_t begin) { return place.begin < begin; }));
    }
    m_held.erase(m_held.begin() + static_cast<std::ptrdiff_t>(index));
    return {};
}

void ChipMemory::endBlock() {
    for (auto& buffer : m_buffer)
        buffer.clear();
    for (auto& written : m_bufferWritten)
        written.clear();
}

Result<void> ChipMemory::readMainBytes(int id, std::int64_t begin, std::span<std::byte> out) const {
    const auto at = static_cast<std::size_t>(tensor(id).address + begin);
    const auto owner = m_owner.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = owner + static_cast<std::ptrdiff_t>(out.size());
    if (const auto other = std::find_if(owner, end, [id](std::int32_t o) { return o != id; }); other != end) {
        const std::int64_t byte = begin + (other - owner);
        return refused(*other < 0
                           ? fmt::format("byte {} of \"{}\" is read and was never written to main memory",
                                         byte, tensor(id).name)
                           : fmt::format("byte {} of \"{}\" is read and was overwritten by \"{}\"", byte,
                                         tensor(id).name, tensor(*other).name));
    }
    std::memcpy(out.data(), m_main.data() + at, out.size());
    return {};
}

void ChipMemory::writeMainBytes(int id, std::int64_t begin, std::span<const std::byte> in) {
    const auto at = static_cast<std::size_t>(tensor(id).address + begin);
    std::memcpy(m_main.data() + at, in.data(), in.size());
    std::fill_n(m_owner.begin() + static_cast<std::ptrdiff_t>(at), in.size(), static_cast<std::int32_t>(id));
}

/// Calls visit(begin, count, place or null) for stretches that lie together.
template <class Visit>
Result<void> ChipMemory::walk(int id, std::int64_t begin, std::int64_t count, Visit visit) const {
    const auto& places = m_places[static_cast<std::size_t>(id)];
    auto next = std::upper_bound(places.begin(), places.end(), begin,
                                 [](std::int64_t byte, const Place& place) { return byte < place.end; });
    const std::int64_t end = begin + count;
    while (begin < end) {
        const bool held = next != places.end() && next->begin <= begin;
        const std::int64_t stop = std::min(end, held ? next->end : next != places.end() ? next->begin : end);
        PIM_CHECK(visit(begin, stop - begin, held ? &*next : nullptr));
        begin = stop;
        if (held && begin == next->end)
            ++next;
    }
    return {};
}

Result<void> ChipMemory::read(int id, std::int64_t begin, std::span<std::byte> out) const {
    if (begin < 0 || begin + static_cast<std::int64_t>(out.size()) > tensor(id).bytes)
        return refused(fmt::format("bytes {} … {} of \"{}\" are read, it has {}", begin,
                                   begin + static_cast<std::int64_t>(out.size()), tensor(id).name,
                                   tensor(id).bytes));
    if (tensor(id).buffered) {
        const auto& written = m_bufferWritten[static_cast<std::size_t>(id)];
        const auto first = static_cast<std::size_t>(begin);
        if (written.empty() ||
            std::find(written.begin() + static_cast<std::ptrdiff_t>(first),
                      written.begin() + static_cast<std::ptrdiff_t>(first + out.size()),
                      0) != written.begin() + static_cast<std::ptrdiff_t>(first + out.size()))
            return refused(fmt::format("\"{}\" is read from the buffer and was not written in this block",
                                       tensor(id).name));
        std::memcpy(out.data(), m_buffer[static_cast<std::size_t>(id)].data() + first, out.size());
        return {};
    }
    return walk(id, begin, static_cast<std::int64_t>(out.size()),
                [&](std::int64_t at, std::int64_t count, const Place* place) -> Result<void> {
                    const auto part =
                        out.subspan(static_cast<std::size_t>(at - begin), static_cast<std::size_t>(count));
                    if (!place)
                        return readMainBytes(id, at, part);
                    const Array& a = array(place->array);
                    const auto from = static_cast<std::ptrdiff_t>(place->at + at - place->begin);
                    const auto flags = a.written.begin() + from;
                    if (const auto hole = std::find(flags, flags + count, 0); hole != flags + count)
                        return refused(
                            fmt::format("byte {} of \"{}\" is read from array {} and was never written there",
                                        at + (hole - flags), tensor(id).name, place->array));
                    std::memcpy(part.data(), a.bytes.data() + from, part.size());
                    return {};
                });
}

Result<void> ChipMemory::write(int id, std::int64_t begin, std::span<const std::byte> in) {
    if (begin < 0 || begin + static_cast<std::int64_t>(in.size()) > tensor(id).bytes)
        return refused(fmt::format("bytes {} … {} of \"{}\" are written, it has {}", begin,
                                   begin + static_cast<std::int64_t>(in.size()), tensor(id).name,
                                   tensor(id).bytes));
    if (tensor(id).buffered) {
        auto& buffer = m_buffer[static_cast<std::size_t>(id)];
        auto& written = m_bufferWritten[static_cast<std::size_t>(id)];
        std::memcpy(buffer.data() + begin, in.data(), in.size());
        std::fill_n(written.begin() + static_cast<std::ptrdiff_t>(begin), in.size(), std::uint8_t(1));
        return {};
    }
    return walk(id, begin, static_cast<std::int64_t>(in.size()),
                [&](std::int64_t at, std::int64_t count, const Place* place) -> Result<void> {
                    const auto part =
                        in.subspan(static_cast<std::size_t>(at - begin), static_cast<std::size_t>(count));
                    if (!place) {
                        writeMainBytes(id, at, part);
                        return {};
                    }
                    Array& a = array(place->array);
                    const auto to = static_cast<std::ptrdiff_t>(place->at + at - place->begin);
                    std::memcpy(a.bytes.data() + to, part.data(), part.size());
                    std::fill_n(a.written.begin() + to, count, std::uint8_t(1));
                    return {};
                });
}

void ChipMemory::prepareWrite(int id) {
    if (!tensor(id).buffered)
        return;
    m_buffer[static_cast<std::size_t>(id)].resize(static_cast<std::size_t>(tensor(id).bytes));
    m_bufferWritten[static_cast<std::size_t>(id)].resize(static_cast<std::size_t>(tensor(id).bytes), 0);
}

Result<std::vector<std::byte>> ChipMemory::readAll(int id) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor(id).bytes));
    PIM_CHECK(read(id, 0, bytes));
    return bytes;
}

Result<std::vector<std::byte>> ChipMemory::readMain(int id) const {
    std::vector<std::byte> bytes(static_cast<std::size_t>(tensor(id).bytes));
    PIM_CHECK(readMainBytes(id, 0, bytes));
    return bytes;
}

Result<ArrayTile*> ChipMemory::tile(int id) {
    if (array(id).mode != ArrayMode::Compute)
        return refused(fmt::format("array {} is in memory mode", id));
    return &array(id).tile;
}

} // namespace pim
