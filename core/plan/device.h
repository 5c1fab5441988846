// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where an op runs: on the host, or on one of the machines of a plan.
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pim {

/// The host, or the position of a machine in the list of machines of a plan. Where there is only one, it is the first.
class DeviceId {
public:
    constexpr DeviceId() = default; ///< The host.
    constexpr explicit DeviceId(std::size_t device) : m_value(static_cast<std::int32_t>(device)) {}
    static constexpr DeviceId host() { return DeviceId(); }
    static constexpr DeviceId first() { return DeviceId(0); }

    constexpr bool onHost() const { return m_value < 0; }
    constexpr std::size_t index() const { return static_cast<std::size_t>(m_value); } ///< Not for the host.
    friend constexpr auto operator<=>(DeviceId, DeviceId) = default;

private:
    std::int32_t m_value = -1;
};

/// "host", "pim" for the first device, "pim2" for the second, as stored and as in searches.
std::string name(DeviceId device);
/// Reads it back; "pim1" is the first as well.
std::optional<DeviceId> deviceFromName(std::string_view name);

} // namespace pim
