// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/op_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace pim {
namespace {

/// "BankGroup" -> "bank group"
std::string levelWords(const std::string& level) {
    std::string words;
    for (const char c : level) {
        if (std::isupper(static_cast<unsigned char>(c)) && !words.empty())
            words += ' ';
        words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return words;
}

} // namespace

Result<std::int64_t> elementOf(const Shape& shape, const std::vector<std::int64_t>& index) {
    if (index.size() != shape.size())
        return fail(ErrorCode::Usage,
                    fmt::format("the index [{}] has {} dimensions, the tensor {} has {}",
                                fmt::join(index, ", "), index.size(), shapeText(shape), shape.size()));
    std::int64_t element = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (index[d] < 0 || index[d] >= shape[d])
            return fail(ErrorCode::Usage,
                        fmt::format("index {} of dimension {} is not in 0 … {}", index[d], d, shape[d] - 1));
        element = element * shape[d] + index[d];
    }
    return element;
}

std::string placeText(const OpPlaces& places, const PimPlace& place) {
    const int perStack = std::max(1, places.groupsPerStack);
    std::string text = fmt::format("stack {}, channel {}", place.group / perStack, place.group % perStack);
    const DramDevice& device = *places.device;
    for (int level = 1; level <= device.bankLevel; ++level) {
        const auto& at = device.levels[static_cast<std::size_t>(level)];
        text += fmt::format(", {} {}", levelWords(at.name), place.bank / device.banksUnder(level) % at.count);
    }
    return text +
           fmt::format(", row {}, column {}, lane {}", places.firstRow + place.row, place.column, place.lane);
}

} // namespace pim
