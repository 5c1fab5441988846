// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dual_mode/flow/flow.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const auto flow = parseFlow(fuzz::textOf(data, size));
    if (!flow)
        return 0;
    const std::string text = flowText(*flow);
    const auto again = parseFlow(text);
    fuzz::require(again && flowText(*again) == text, "the text of a flow is read back the same");
    return 0;
}
