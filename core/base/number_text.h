// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one way a figure becomes text for a person: four significant digits, a prefix chosen per quantity, always a
/// unit. Machine-readable outputs (JSON, CSV) write plain numbers with the unit in the key instead.
#include <cstdint>
#include <string>

namespace pim {

std::string timeText(double ns);              ///< "0 ns", "812.3 ns", "4.021 µs", "1.250 s"
std::string energyText(double pj);            ///< "640 pJ", "4.021 µJ", "1.250 J"
std::string bytesText(double bytes);          ///< IEC: "640 B", "96.00 KiB", "25.00 GiB"
std::string bandwidthText(double bytesPerNs); ///< SI: "613.0 GB/s" (1 byte/ns = 1 GB/s)
std::string countText(double count);          ///< SI: "640", "3.858 G"
std::string ratioText(double ratio);          ///< "3.20×"
std::string percentText(double fraction);     ///< 0.314 -> "31.4 %"
std::string exactText(std::int64_t value);    ///< digits grouped by thin spaces: "3 858 432"

} // namespace pim
