// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/control_text.h"

#include <fmt/format.h>

namespace pim {

std::string withoutControl(const std::string& text) {
    std::string shown;
    for (const char c : text)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            shown += fmt::format("\\x{:02x}", c);
        else
            shown += c;
    return shown;
}

} // namespace pim
