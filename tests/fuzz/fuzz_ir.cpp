// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/parse.h"
#include "core/ir/print.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const auto read = ir::parse(text);
    if (!read) {
        (void)ir::excerpt(text, read.error());
        return 0;
    }
    const std::string printed = ir::print(read->module).text;
    const auto again = ir::parse(printed);
    fuzz::require(again && ir::print(again->module).text == printed,
                  "the text of a module is read back the same");
    return 0;
}
