// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sweeps as text: axes, their values, and the combination behind an index.
#include "core/compile/sweep.h"

#include "core/base/parse_number.h"
#include "core/plan/family_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace pim {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"dimension", "target", "option", "decision"};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(separator);
        parts.push_back(trimmed(text.substr(0, at)));
        if (at == std::string_view::npos)
            return parts;
        text.remove_prefix(at + 1);
    }
}

/// "32..2048" doubles; anything else is one value as it stands. Empty: a range that is none.
std::vector<std::string> valuesOf(std::string_view text) {
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        return text.empty() ? std::vector<std::string>{} : std::vector{std::string(text)};
    const auto low = parsePositive<std::int64_t>(text.substr(0, dots)),
               high = parsePositive<std::int64_t>(text.substr(dots + 2));
    std::vector<std::string> values;
    if (low && high)
        for (std::int64_t value = *low; value <= *high; value *= 2) {
            values.push_back(std::to_string(value));
            if (value > *high / 2)
                break;
        }
    return values;
}

std::vector<std::string> listOf(std::string_view text) {
    std::vector<std::string> all;
    for (const std::string_view item : split(text, ',')) {
        const auto values = valuesOf(item);
        if (values.empty())
            return {};
        for (const std::string& value : values)
            if (std::find(all.begin(), all.end(), value) == all.end()) // "32..128,64" names 64 twice
                all.push_back(value);
    }
    return all;
}

} // namespace

std::string_view name(SweepAxis::Kind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

std::optional<SweepAxis::Kind> sweepAxisKind(std::string_view name) {
    const auto found = std::find(kKinds.begin(), kKinds.end(), name);
    return found == kKinds.end() ? std::nullopt
                                 : std::optional(static_cast<SweepAxis::Kind>(found - kKinds.begin()));
}

Result<std::vector<SweepAxis>> parseSweep(std::string_view text) {
    std::vector<SweepAxis> axes;
    for (const std::string_view part : split(text, ';')) {
        const std::size_t equals = part.find('=');
        SweepAxis axis;
        if (equals != std::string_view::npos) {
            axis.name = trimmed(part.substr(0, equals));
            axis.values = listOf(part.substr(equals + 1));
        }
        const bool twice = std::any_of(axes.begin(), axes.end(),
                                       [&](const SweepAxis& other) { return other.name == axis.name; });
        if (axis.name.empty() || axis.values.empty() || twice)
            return fail(ErrorCode::Usage,
                        twice ? fmt::format("\"{}\" is named twice", axis.name)
                              : fmt::format("\"{}\" is not understood", part),
                        {},
                        "write seq=32,64,128 or seq=32..2048 (doubling) or target=aim,attacc; several "
                        "separated by ;");
        axes.push_back(std::move(axis));
    }
    return axes;
}

std::string sweepText(const std::vector<SweepAxis>& axes) {
    std::string text;
    for (const SweepAxis& axis : axes)
        text += fmt::format("{}{}={}", text.empty() ? "" : ";", axis.name, fmt::join(axis.values, ","));
    return text;
}

std::int64_t sweepSize(const std::vector<SweepAxis>& axes) {
    constexpr std::int64_t kCountable = std::int64_t(1) << 40;
    std::int64_t points = axes.empty() ? 0 : 1;
    for (const SweepAxis& axis : axes) {
        points *= std::ssize(axis.values);
        if (points > kCountable)
            return 0;
    }
    return points;
}

std::vector<std::string> sweepValues(const std::vector<SweepAxis>& axes, std::int64_t index) {
    std::vector<std::string> values(axes.size());
    for (std::size_t a = axes.size(); a-- > 0;) {
        const std::int64_t count = std::ssize(axes[a].values);
        values[a] = axes[a].values[static_cast<std::size_t>(index % count)];
        index /= count;
    }
    return values;
}

std::vector<std::pair<std::string, std::string>> sweepOptionNames(const BackendList& backends) {
    std::vector<std::pair<std::string, std::string>> names{{"dtype", "f16|bf16|f32|i8|…"},
                                                           {"conv", "gemm|direct"},
                                                           {"overlap-transfer", "on|off"},
                                                           {"group-commands", "on|off"}};
    for (PassOption& option : passOptions())
        names.emplace_back(std::move(option.name), option.info.values);
    for (FamilyOption& option : familyOptions(backends))
        names.emplace_back(std::move(option.name), option.info.values);
    return names;
}

} // namespace pim
