// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/aim/commands.h"

namespace pim::aim {

std::vector<Opcode> opcodes() {
    return {
        {"ACT16", {"row"}, "Open a row in all banks of the channel."},
        {"PREA", {}, "Close the rows of all banks."},
        {"WR", {"bank", "row", "col", "tensor", "burst"}, "Write 32 B of host data into a bank."},
        {"RD", {"bank", "row", "col", "tensor", "burst"}, "Read 32 B of a bank to the host."},
        {"WRGB", {"slot", "tensor", "burst"}, "Write 32 B of host data into the global buffer."},
        {"WRMAC16", {"tensor", "burst"}, "Set the accumulators of all banks, 16 bits each."},
        {"RDMAC16", {"tensor", "burst"}, "Read the accumulators of all banks, 16 bits each."},
        {"MAC16",
         {"row", "col"},
         "Every bank multiplies 16 values with those of the global buffer at that column and adds all."},
        {"EWMUL16", {"row", "col"}, "Bank 0 times bank 1 into bank 2, 16 values in each bank group."},
        {"TMOD", {"registers"}, "Switch between commands to buffer and accumulators (1) and to banks (0)."}};
}

} // namespace pim::aim
