// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/scale_places.h"

#include <fmt/format.h>

namespace pim {

Result<ScalePlaces> ScalePlaces::of(const Op& op, const Shape& data, const Shape& scale) {
    const auto wrong = [&](const std::string& wanted) {
        return fail(ErrorCode::InvalidModel,
                    fmt::format("its scale has the shape {}, data of {} need {}", shapeText(scale),
                                shapeText(data), wanted),
                    fmt::format("{} \"{}\"", op.type, op.name), "export the model again");
    };
    ScalePlaces places;
    const std::int64_t block = op.intAttribute("block_size", 0);
    if (block < 0)
        return fail(ErrorCode::InvalidModel, fmt::format("its blocks have {} elements", block),
                    fmt::format("{} \"{}\"", op.type, op.name), "export the model again");
    PIM_TRY(const std::int64_t scales, elementCount(scale));
    if (block == 0 && scales == 1)
        return places;
    const auto rank = std::ssize(data);
    std::int64_t axis = op.intAttribute("axis", 1);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return wrong(fmt::format("one number: they have no axis {}", op.intAttribute("axis", 1)));
    const auto at = static_cast<std::size_t>(axis);
    Shape wanted{data[at]};
    if (block > 0) {
        wanted = data;
        wanted[at] = data[at] / block + (data[at] % block != 0 ? 1 : 0);
    }
    if (scale != wanted)
        return wrong(shapeText(wanted));
    for (std::size_t d = at + 1; d < data.size(); ++d)
        places.m_inner *= static_cast<std::size_t>(std::max<std::int64_t>(data[d], 1));
    places.m_extent = static_cast<std::size_t>(std::max<std::int64_t>(data[at], 1));
    places.m_block = static_cast<std::size_t>(std::max<std::int64_t>(block, 1));
    places.m_perBlock = block > 0;
    places.m_parts = block > 0 ? places.m_inner : 1;
    places.m_ofOuter = block > 0 ? static_cast<std::size_t>(wanted[at]) * places.m_inner : 0;
    return places;
}

} // namespace pim
