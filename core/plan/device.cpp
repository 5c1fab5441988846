// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/device.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

namespace pim {

std::string name(DeviceId device) {
    if (device.onHost())
        return "host";
    return device == DeviceId::first() ? "pim" : fmt::format("pim{}", device.index() + 1);
}

std::optional<DeviceId> deviceFromName(std::string_view name) {
    if (name == "host")
        return DeviceId::host();
    if (name == "pim")
        return DeviceId::first();
    if (!name.starts_with("pim"))
        return std::nullopt;
    const auto number = parsePositive<std::int32_t>(name.substr(3));
    return number ? std::optional(DeviceId(static_cast<std::size_t>(*number - 1))) : std::nullopt;
}

} // namespace pim
