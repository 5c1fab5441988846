// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/option_words.h"

#include "core/base/parse_number.h"
#include "core/plan/family_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr int kMostVerified = 100'000;

/// Is it the first of the two words?
Result<bool> firstOf(std::string_view first, std::string_view second, const std::string& text,
                     const std::string& where) {
    if (text != first && text != second)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is neither {} nor {}", text, first, second), where);
    return text == first;
}

void leaveOut(CodePasses& passes, const std::string& id) {
    const auto at = std::ranges::lower_bound(passes.leftOut, id);
    if (at == passes.leftOut.end() || *at != id)
        passes.leftOut.insert(at, id);
}

} // namespace

Result<void> setCompileOption(const BackendList& backends, CompileOptions& options, const std::string& option,
                              const std::string& value, std::string_view target) {
    if (option == "dtype") {
        const auto type = dataTypeFromName(value);
        if (!type)
            return fail(ErrorCode::Usage, fmt::format("no such type \"{}\"", value), option,
                        "f16, bf16, f32, i8 and others");
        options.computeType = *type;
    } else if (option == "conv") {
        PIM_TRY(options.convAsGemm, firstOf("gemm", "direct", value, option));
    } else if (option == "mapping") {
        PIM_TRY(const bool searched, firstOf("searched", "fixed", value, option));
        options.mapping = searched ? MappingChoice::Searched : MappingChoice::Fixed;
    } else if (option == "overlap-transfer") {
        PIM_TRY(options.overlapHostTransfer, firstOf("on", "off", value, option));
    } else if (option == "group-commands") {
        PIM_TRY(options.groupCommands, firstOf("on", "off", value, option));
    } else if (option == "verify") {
        const auto drafts = parseNumber<int>(value);
        if (!drafts || *drafts < 0 || *drafts > kMostVerified)
            return fail(ErrorCode::Usage,
                        fmt::format("\"{}\" is no number from 0 to {}", value, kMostVerified), option);
        options.verifyDrafts = *drafts;
    } else if (option == "seed") {
        const auto seed = parseNumber<std::uint64_t>(value);
        if (!seed)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is no whole number from 0 on", value), option);
        options.seed = *seed;
    } else if (option == "no-code-pass") {
        leaveOut(options.passes, value);
    } else {
        return setFamilyOption(backends, options, option, value, target);
    }
    return {};
}

} // namespace pim
