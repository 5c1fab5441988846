// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/sweep_setting.h"

#include "core/base/parse_number.h"
#include "core/compile/option_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

Result<std::int64_t> sizeFrom(const std::string& text, const std::string& where) {
    const auto value = parsePositive<std::int64_t>(text);
    if (!value)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no number from 1 on", text), where,
                    "give whole numbers");
    return *value;
}

Result<void> setOption(const BackendList& backends, CompileOptions& options, const std::string& option,
                       const std::string& value, std::string_view target) {
    if (option != "simulate" && option != "quick")
        return setCompileOption(backends, options, option, value, target);
    if (value != "on" && value != "off")
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is neither on nor off", value), option);
    return {};
}

bool isPassOption(std::string_view axis) {
    return std::ranges::any_of(passOptions(), [&](const PassOption& option) { return option.name == axis; });
}

std::optional<std::pair<std::string, OpId>> decisionOf(const Graph& graph, const std::string& axis) {
    for (std::size_t at = axis.find(':'); at != std::string::npos; at = axis.find(':', at + 1))
        if (const OpId op = graph.findOp(axis.substr(at + 1)); op.valid() && at > 0)
            return std::pair{axis.substr(0, at), op};
    return std::nullopt;
}

std::string_view backendOf(const PlanRequest& request) {
    return request.target ? std::string_view(request.target->backend) : std::string_view();
}

} // namespace pim
