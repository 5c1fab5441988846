// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dram_pim/place_map.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace pim::views {
namespace {

constexpr std::int64_t kRowPlaces = std::int64_t(1)
                                    << 20;      ///< Numbers kept for the places of a row: columns x lanes.
constexpr std::int64_t kElementsPerPoll = 4096; ///< Elements between two looks at the stop token.

std::int64_t elementCount(const Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

/// The elements a channel can hold, in row-major order.
class Candidates {
public:
    Candidates(const Shape& shape, const HeldIndices& held) : m_held(held), m_all(elementCount(shape)) {
        std::int64_t stride = 1;
        m_strides.resize(shape.size());
        for (std::size_t d = shape.size(); d-- > 0; stride *= shape[d])
            m_strides[d] = stride;
        if (!m_held.empty()) {
            m_all = 1;
            for (const std::vector<std::int64_t>& indices : m_held)
                m_all *= std::int64_t(indices.size());
        }
    }
    std::int64_t count() const { return m_all; }
    std::int64_t element(std::int64_t i) const {
        if (m_held.empty())
            return i;
        std::int64_t element = 0;
        for (std::size_t d = m_held.size(); d-- > 0; i /= std::int64_t(m_held[d].size()))
            element += m_held[d][std::size_t(i % std::int64_t(m_held[d].size()))] * m_strides[d];
        return element;
    }

private:
    const HeldIndices& m_held;
    std::vector<std::int64_t> m_strides;
    std::int64_t m_all;
};

std::string indexText(const std::vector<std::int64_t>& index) {
    std::string made;
    for (const std::int64_t i : index)
        made += (made.empty() ? "" : ", ") + std::to_string(i);
    return made;
}

} // namespace

Result<std::shared_ptr<const PlaceMap>> PlaceMap::build(const OpPlaces& places, int tensor, int group,
                                                        const HeldIndices& held, const TaskContext& task) {
    auto map = std::make_shared<PlaceMap>();
    map->m_group = group;
    map->m_banks = places.device->bankCount();
    map->m_rowsOfOp = std::max<std::int64_t>(1, places.rows);
    const Candidates candidates(places.tensors[std::size_t(tensor)].shape, held);
    const std::int64_t elements = candidates.count();
    map->m_step = std::max<std::int64_t>(1, (elements + kMostElements - 1) / kMostElements);
    std::vector<Run> open;
    std::int64_t looked = 0;
    for (std::int64_t i = 0; i < elements; i += map->m_step, ++looked) {
        if (looked % kElementsPerPoll == 0) {
            if (task.cancelled())
                return TaskContext::cancelledError("locating the elements");
            task.report("Locating elements", i, elements);
        }
        const std::int64_t element = candidates.element(i);
        std::size_t copy = 0;
        for (const PimPlace& place : places.of(tensor, element))
            if (place.group == group) {
                if (place.bank < 0 || place.bank >= map->m_banks || place.row < 0 ||
                    place.row >= map->m_rowsOfOp)
                    return fail(
                        ErrorCode::Internal,
                        fmt::format("Element {} of {} is said to be in bank {}, row {} of {}, which has {} "
                                    "banks and {} rows",
                                    element, places.tensors[std::size_t(tensor)].name, place.bank, place.row,
                                    places.op, map->m_banks, map->m_rowsOfOp));
                map->add(open, copy++, map->numberOf(place), element);
            }
    }
    map->m_runs.insert(map->m_runs.end(), open.begin(), open.end());
    std::erase_if(map->m_runs, [](const Run& run) { return run.count == 0; });
    map->fillRows();
    return map;
}

std::int64_t PlaceMap::numberOf(const PimPlace& place) const {
    return (std::int64_t(place.bank) * m_rowsOfOp + place.row) * kRowPlaces +
           std::int64_t(place.column) * kPimLanes + place.lane;
}

void PlaceMap::add(std::vector<Run>& open, std::size_t copy, std::int64_t place, std::int64_t element) {
    if (open.size() <= copy)
        open.resize(copy + 1);
    ++m_copies;
    Run& run = open[copy];
    if (run.count == 1) {
        run.placeStep = place - run.place;
        run.elementStep = element - run.element;
    }
    if (run.count > 0 && run.placeStep != 0 && element == run.element + run.count * run.elementStep &&
        place == run.place + run.count * run.placeStep) {
        ++run.count;
        return;
    }
    if (run.count > 0)
        m_runs.push_back(run);
    run = {place, element, 1, 0, 1};
}

void PlaceMap::fillRows() {
    std::int64_t low = m_rowsOfOp, high = -1;
    const auto rowOf = [&](std::int64_t place) { return place / kRowPlaces % m_rowsOfOp; };
    // A run meets each row between its ends only if it steps through rows; look at all its places then.
    const auto forRows = [&](const Run& run, const auto& visit) {
        for (std::int64_t i = 0; i < run.count;) {
            const std::int64_t place = run.place + i * run.placeStep, cell = place / kRowPlaces;
            std::int64_t in = run.count - i;
            if (run.placeStep > 0)
                in = std::min(in, ((cell + 1) * kRowPlaces - place + run.placeStep - 1) / run.placeStep);
            else if (run.placeStep < 0)
                in = std::min(in, (place - cell * kRowPlaces) / -run.placeStep + 1);
            visit(place, run.element + i * run.elementStep, in);
            i += in;
        }
    };
    for (const Run& run : m_runs)
        forRows(run, [&](std::int64_t place, std::int64_t, std::int64_t) {
            low = std::min(low, rowOf(place));
            high = std::max(high, rowOf(place));
        });
    if (high < low)
        return;
    m_firstRow = low;
    m_rows = high - low + 1;
    m_content.resize(std::size_t(m_banks) * std::size_t(m_rows));
    for (const Run& run : m_runs)
        forRows(run, [&](std::int64_t place, std::int64_t element, std::int64_t count) {
            const std::int64_t bank = place / kRowPlaces / m_rowsOfOp;
            RowContent& content = m_content[std::size_t(bank * m_rows + rowOf(place) - low)];
            content.elements += count;
            content.first = content.first < 0 ? element : std::min(content.first, element);
        });
}

const RowContent& PlaceMap::at(int bank, std::int64_t row) const {
    static const RowContent kNothing;
    return bank < 0 || bank >= m_banks || row < 0 || row >= m_rows
               ? kNothing
               : m_content[std::size_t(bank * m_rows + row)];
}

std::vector<ElementRange> PlaceMap::elementsIn(int bank, std::int64_t row, std::size_t most) const {
    std::vector<std::int64_t> found;
    const std::int64_t begin = (std::int64_t(bank) * m_rowsOfOp + m_firstRow + row) * kRowPlaces,
                       end = begin + kRowPlaces;
    for (const Run& run : m_runs) {
        // Places of the run in [begin, end): an interval of its elements.
        std::int64_t from = 0, to = run.count;
        if (run.placeStep > 0) {
            from = run.place >= begin ? 0 : (begin - run.place + run.placeStep - 1) / run.placeStep;
            to = run.place >= end
                     ? 0
                     : std::min(run.count, (end - run.place + run.placeStep - 1) / run.placeStep);
        } else if (run.placeStep < 0) {
            from = run.place < end ? 0 : (run.place - end) / -run.placeStep + 1;
            to = run.place < begin ? 0 : std::min(run.count, (run.place - begin) / -run.placeStep + 1);
        } else if (run.place < begin || run.place >= end) {
            continue;
        }
        for (std::int64_t i = from; i < to; ++i)
            found.push_back(run.element + i * run.elementStep);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::vector<ElementRange> joined;
    for (const std::int64_t element : found) {
        if (!joined.empty()) {
            ElementRange& last = joined.back();
            if (last.count == 1)
                last.step = element - last.first;
            if (element == last.first + last.count * last.step) {
                ++last.count;
                continue;
            }
            if (last.count == 1)
                last.step = 1;
        }
        if (joined.size() == most)
            break;
        joined.push_back({element, 1, 1});
    }
    return joined;
}

std::vector<std::int64_t> indexOf(const Shape& shape, std::int64_t element) {
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = element % shape[d];
        element /= shape[d];
    }
    return index;
}

std::string rangeText(const PlacedTensor& tensor, const ElementRange& range) {
    if (tensor.shape.empty())
        return tensor.name;
    const std::vector<std::int64_t> first = indexOf(tensor.shape, range.first);
    const std::vector<std::int64_t> last =
        indexOf(tensor.shape, range.first + (range.count - 1) * range.step);
    std::string open = tensor.name + "[" + indexText(first) + "]";
    if (range.count == 1)
        return open;
    // Along one dimension, if no other index changes and each index of it is reached.
    std::size_t along = first.size();
    std::int64_t stride = 1;
    for (std::size_t d = first.size(); d-- > 0; stride *= tensor.shape[d])
        if (first[d] != last[d]) {
            if (along != first.size() || stride != range.step)
                return open + "…[" + indexText(last) + "]";
            along = d;
        }
    std::string text = tensor.name + "[";
    for (std::size_t d = 0; d < first.size(); ++d)
        text += (d > 0 ? ", " : "") + std::to_string(first[d]) +
                (d == along ? "…" + std::to_string(last[d]) : "");
    return text + "]";
}

Result<std::vector<std::int64_t>> parseIndex(std::string_view text) {
    std::vector<std::int64_t> index;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (!std::isdigit(static_cast<unsigned char>(*at))) {
            if (std::string_view(" ,;[]()").find(*at) == std::string_view::npos)
                return fail(ErrorCode::Usage, fmt::format("\"{}\" is no part of an index", *at), {},
                            "write whole numbers, \"3, 5\"");
            ++at;
            continue;
        }
        std::int64_t value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc())
            return fail(ErrorCode::Usage, "a number of the index is too large");
        index.push_back(value);
        at = next;
    }
    return index;
}

} // namespace pim::views
