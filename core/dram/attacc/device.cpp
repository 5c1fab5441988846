// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paths.h"
#include "core/dram/attacc/simulator.h"

#include <fmt/format.h>

namespace pim {

Result<DramDevice> attAccDevice(std::string_view speed, bool powerLimit) {
    return loadDramDevice(resourceDir() / "devices", "attacc-hbm3-compat",
                          {{"powerLimit", powerLimit ? 1 : 0}}, speed);
}

void appendAttAccIssue(std::string& text, const AttAccIssue& i) {
    fmt::format_to(std::back_inserter(text), "{}, {}, {}, {}, {}, {}, {}, {}, {}\n", i.cycle,
                   attAccName(i.command), i.channel, i.pseudoChannel, i.rank, i.group, i.bank, i.row,
                   i.column);
}

} // namespace pim
