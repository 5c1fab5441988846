// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// One channel of a PIM memory as far as data goes: banks, buffers, registers, units. Each backend brings its
/// own, with the arithmetic of its hardware; time is none of its business.
#include "core/base/result.h"
#include "core/dram_pim/pim_code.h"

#include <functional>

namespace pim {

/// The channel's side of the bus.
class PimPort {
public:
    virtual ~PimPort() = default;
    virtual PimWord read(std::int64_t tensor, std::int64_t burst) = 0;                    ///< From the host.
    virtual void write(std::int64_t tensor, std::int64_t burst, const PimWord& word) = 0; ///< To the host.
};

class PimChannel {
public:
    virtual ~PimChannel() = default;
    /// Does what the command does to data. \param opcode index into Program::opcodes of the code it was made
    /// for. Error::InvalidFile where the hardware could not do it: a row that is not open, a buffer slot
    /// there is not, a mode it is not in; says command, place, what there is.
    virtual Result<void> run(int opcode, std::span<const std::int64_t> operands, PimPort& port) = 0;
};

/// A new channel with memory all zero. Called once a group.
using PimChannelMaker = std::function<std::unique_ptr<PimChannel>(const PimCode& code)>;

} // namespace pim
