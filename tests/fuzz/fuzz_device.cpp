// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/device.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto device = parseDramDevice(fuzz::textOf(data, size), "device");
    if (!device)
        return 0;
    (void)device->bankCount();
    (void)device->addressBits();
    return 0;
}
