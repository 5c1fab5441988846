// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/compat.h"
#include "backends/crossbar/instruction.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto program = parseCrossbarText(fuzz::textOf(data, size));
    // Loops unfold; what is read is not always worth the time to write it again.
    constexpr std::size_t kSmall = 10'000;
    if (!program || program->size() > kSmall || program->cores.size() > kSmall)
        return 0;
    const std::string text = crossbarText(*program);
    const auto again = parseCrossbarText(text);
    fuzz::require(again && again->cores == program->cores && again->groupEnds == program->groupEnds,
                  "the text of a program is read back the same");
    (void)compatPeriod(*program, {});
    return 0;
}
