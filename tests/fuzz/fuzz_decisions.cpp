// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The first byte says what the rest is: decisions, compile options, or the placement of parts of a manifest.
#include "core/compile/override_fit.h"
#include "core/plan/options.h"
#include "core/report/manifest.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

namespace {

void decisions(std::string_view text) {
    MarkedOverrides base;
    base.overrides.set({"Conv_1", "placement", "pim"});
    base.overrides.set({"Conv_1", "residency/W", "streamed"});
    base.overrides.set({"", "batch", "2"});
    base.marks["Conv_1"] = {"Conv", "[1] -> [1]", 0, 0, 1, {"x", "W"}, "y"};
    const auto read = decisionsFromJson(text, base);
    if (!read)
        return;
    const std::string written = decisionsJson(*read);
    const auto again = decisionsFromJson(written, {});
    fuzz::require(again && decisionsJson(*again) == written, "decisions are read back the same");
    const auto patched = decisionsFromJson(decisionsPatch(base, *read), base);
    fuzz::require(patched && decisionsJson(*patched) == written,
                  "a patch leads from one set of decisions to the other");
}

void options(std::string_view text) {
    const auto read = optionsFromJson(text, "options");
    if (!read)
        return;
    const std::string written = optionsJson(*read);
    const auto again = optionsFromJson(written, "options");
    fuzz::require(again && optionsJson(*again) == written, "options are read back the same");
}

void manifest(std::string_view text) {
    const auto read = parseManifest(text, "manifest.json");
    if (!read)
        return;
    const std::string written = manifestText(*read);
    const auto again = parseManifest(written, "manifest.json");
    fuzz::require(again && manifestText(*again) == written, "a manifest is read back the same");
}

} // namespace

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text = fuzz::textOf(data + 1, size - 1);
    switch (data[0]) {
    case 'o':
        options(text);
        break;
    case 'm':
        manifest(text);
        break;
    default:
        decisions(text);
    }
    return 0;
}
