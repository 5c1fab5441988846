// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/memory_layout/place_map.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pim::views {
namespace {

constexpr std::int64_t kRowPlaces = std::int64_t(1)
                                    << 20; ///< Numbers kept for the places of a row: columns x lanes.
constexpr std::int64_t kPoll = 4096;       ///< Elements between two looks at the stop token.

std::int64_t elementCount(const Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape)
        count *= extent;
    return count;
}

std::string indexText(const std::vector<std::int64_t>& index) {
    std::string made;
    for (const std::int64_t i : index)
        made += (made.empty() ? "" : ", ") + std::to_string(i);
    return made;
}

} // namespace

Result<std::shared_ptr<const PlaceMap>> PlaceMap::build(const OpPlaces& places, int tensor, int group,
                                                        const TaskContext& task) {
    auto map = std::make_shared<PlaceMap>();
    map->m_group = group;
    map->m_banks = places.device->bankCount();
    map->m_rowsOfOp = std::max<std::int64_t>(1, places.rows);
    const std::int64_t elements = elementCount(places.tensors[std::size_t(tensor)].shape);
    map->m_step = std::max<std::int64_t>(1, (elements + kMostElements - 1) / kMostElements);
    std::vector<Run> open;
    std::int64_t looked = 0;
    for (std::int64_t element = 0; element < elements; element += map->m_step, ++looked) {
        if (looked % kPoll == 0) {
            if (task.cancelled())
                return TaskContext::cancelledError("looking for the elements");
            task.report("Looking where elements lie", element, elements);
        }
        std::size_t copy = 0;
        for (const PimPlace& place : places.of(tensor, element))
            if (place.group == group)
                map->add(open, copy++, map->numberOf(place), element);
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
    const bool follows = run.count > 0 && element == run.element + run.count * m_step;
    if (follows && run.count == 1)
        run.placeStep = place - run.place;
    if (follows && run.placeStep != 0 && place == run.place + run.count * run.placeStep) {
        ++run.count;
        return;
    }
    if (run.count > 0)
        m_runs.push_back(run);
    run = {place, element, 1, 0};
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
            visit(place, run.element + i * m_step, in);
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
    std::vector<ElementRange> found;
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
        if (from < to)
            found.push_back({run.element + from * m_step, (to - from - 1) * m_step + 1});
    }
    std::sort(found.begin(), found.end(),
              [](const ElementRange& a, const ElementRange& b) { return a.first < b.first; });
    std::vector<ElementRange> joined;
    for (const ElementRange& range : found) {
        if (!joined.empty() && range.first <= joined.back().first + joined.back().count - 1 + m_step) {
            joined.back().count =
                std::max(joined.back().count, range.first + range.count - joined.back().first);
            continue;
        }
        if (joined.size() == most)
            break;
        joined.push_back(range);
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
    std::vector<std::int64_t> first = indexOf(tensor.shape, range.first);
    const std::vector<std::int64_t> last = indexOf(tensor.shape, range.first + range.count - 1);
    if (range.count == 1)
        return tensor.name + "[" + indexText(first) + "]";
    const std::int64_t from = first.back(), to = last.back();
    first.pop_back();
    if (std::equal(first.begin(), first.end(), last.begin()))
        return tensor.name + "[" + indexText(first) + (first.empty() ? "" : ", ") + std::to_string(from) +
               "…" + std::to_string(to) + "]";
    first.push_back(from);
    return tensor.name + "[" + indexText(first) + "]…[" + indexText(last) + "]";
}

Result<std::vector<std::int64_t>> parseIndex(std::string_view text) {
    std::vector<std::int64_t> index;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (!std::isdigit(static_cast<unsigned char>(*at))) {
            if (std::string_view(" ,;[]()").find(*at) == std::string_view::npos)
                return fail(ErrorCode::Usage, std::string("\"") + *at + "\" is no part of an index", {},
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
