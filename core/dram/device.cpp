// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/device.h"

#include <algorithm>
#include <bit>

namespace pim {

int DramDevice::command(std::string_view commandName) const {
    for (std::size_t i = 0; i < commands.size(); ++i)
        if (commands[i].name == commandName)
            return int(i);
    return -1;
}

int DramDevice::level(std::string_view levelName) const {
    for (std::size_t i = 0; i < levels.size(); ++i)
        if (levels[i].name == levelName)
            return int(i);
    return -1;
}

int DramDevice::bankCount() const {
    return banksUnder(0);
}

int DramDevice::banksUnder(int levelIndex) const {
    int banks = 1;
    for (int i = levelIndex + 1; i <= bankLevel; ++i)
        banks *= levels[std::size_t(i)].count;
    return banks;
}

DramTick DramDevice::time(std::string_view timingName) const {
    const auto found = timing.find(timingName);
    return found == timing.end() ? 0 : found->second;
}

int DramDevice::offsetBits() const {
    return std::countr_zero(unsigned(accessBytes));
}

int DramDevice::addressBits() const {
    int bits = offsetBits();
    for (const DramAddressField& field : addressMap)
        bits += field.bits;
    return bits;
}

} // namespace pim
