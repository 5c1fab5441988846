// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Where in a channel a byte address lies, by the address map of the device.
#include "core/dram/device.h"

namespace pim {

struct DramPlace {
    int bank = 0; ///< Counted over the whole channel, outermost level first.
    std::int64_t row = 0;
    std::int64_t column = 0; ///< In accesses, not in columns of the data sheet.
};

class DramAddressMap {
public:
    explicit DramAddressMap(const DramDevice& device);
    DramPlace place(std::uint64_t address) const;
    /// The way back: first byte of an access. Rows and columns the map has no bits for are cut.
    std::uint64_t address(const DramPlace& place) const;
    /// First address the device has not.
    std::uint64_t size() const { return m_size; }

private:
    struct Part {
        int shift = 0;
        std::uint64_t mask = 0;
        int times = 1; ///< Banks under one node of the level.
    };
    std::vector<Part> m_bank;
    Part m_row, m_column;
    std::uint64_t m_size = 0;
};

} // namespace pim
