// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paths.h"
#include "core/hardware/catalog.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    Diagnostics problems;
    // As in a project or a bundle.
    (void)targetFromJson(text);
    const auto target =
        readTarget(fuzz::fileOf("target.json", text), {resourceDir() / "targets" / "hosts"}, problems);
    if (!target)
        return 0;
    const auto again = targetFromJson(targetJson(*target));
    fuzz::require(again && (*again)->hash == target->hash, "a target is read back the same");
    return 0;
}
