// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/address.h"

namespace pim {

DramAddressMap::DramAddressMap(const DramDevice& device) : m_size(std::uint64_t(1) << device.addressBits()) {
    int shift = device.offsetBits();
    for (const DramAddressField& field : device.addressMap) {
        const Part part{shift, (std::uint64_t(1) << field.bits) - 1,
                        field.level <= device.bankLevel ? device.banksUnder(field.level) : 1};
        shift += field.bits;
        if (field.level == device.rowLevel)
            m_row = part;
        else if (field.level > device.rowLevel)
            m_column = part;
        else if (field.bits > 0)
            m_bank.push_back(part);
    }
}

DramPlace DramAddressMap::place(std::uint64_t address) const {
    DramPlace place;
    for (const Part& part : m_bank)
        place.bank += int((address >> part.shift) & part.mask) * part.times;
    place.row = std::int64_t((address >> m_row.shift) & m_row.mask);
    place.column = std::int64_t((address >> m_column.shift) & m_column.mask);
    return place;
}

std::uint64_t DramAddressMap::address(const DramPlace& place) const {
    std::uint64_t address = (std::uint64_t(place.row) & m_row.mask) << m_row.shift;
    address |= (std::uint64_t(place.column) & m_column.mask) << m_column.shift;
    for (const Part& part : m_bank)
        address |= (std::uint64_t(place.bank / part.times) & part.mask) << part.shift;
    return address;
}

} // namespace pim
