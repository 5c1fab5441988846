// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/program.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto program = parseProgram(fuzz::textOf(data, size));
    if (!program)
        return 0;
    (void)commandCounts(*program);
    const auto again = parseProgram(programText(*program));
    fuzz::require(again && *again == *program, "the text of a program is read back the same");
    return 0;
}
