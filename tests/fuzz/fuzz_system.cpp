// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/system.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    static const TargetCatalog catalog = TargetCatalog::load();
    const auto system = findSystem(fuzz::fileOf("system.json", fuzz::textOf(data, size)).string(), catalog);
    if (!system)
        return 0;
    for (std::size_t node = 0; node < system->nodes.size(); ++node)
        fuzz::require(system->route(0, node).nsPerByte >= 0, "every node is reached from the host");
    return 0;
}
