// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/parse.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto kernel = parseKernel(fuzz::textOf(data, size));
    if (!kernel)
        return 0;
    (void)kernel->iterations();
    const std::string text = kernel->text();
    const auto again = parseKernel(text);
    fuzz::require(again && again->text() == text, "the text of a kernel is read back the same");
    return 0;
}
