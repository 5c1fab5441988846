// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Sweeps as text: axes, their values, and the combination behind an index.
#include "core/compile/sweep.h"

#include "core/base/expression.h"
#include "core/base/parse_number.h"
#include "core/compile/sweep_networks.h"
#include "core/hardware/unit_table.h"
#include "core/plan/family_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_set>

namespace pim {
namespace {

constexpr std::array<std::string_view, 8> kKinds{"dimension", "target",    "option", "decision",
                                                 "hardware",  "condition", "figure", "model"};
constexpr std::int64_t kMostValues = 100'000; ///< Of one range.

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\n";
    const std::size_t first = text.find_first_not_of(kBlank);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// Separators in parentheses are part of a formula.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    const bool balanced = std::ranges::count(text, '(') == std::ranges::count(text, ')');
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && balanced)
            depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        if (at == text.size() || (text[at] == separator && depth <= 0)) {
            parts.push_back(trimmed(text.substr(start, at - start)));
            start = at + 1;
        }
    }
    return parts;
}

/// Two numbers with the same unit or none, and how one comes from the other.
struct Range {
    double low = 0, high = 0, step = 2;
    std::string unit;
    char kind = '*'; ///< '*' a factor, '+' a summand, '/' so many, all the same factor apart.
};

std::optional<double> numberBefore(std::string_view text, std::string_view& rest) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    rest = text.substr(end);
    return parsePositive<double>(text.substr(0, end));
}

std::optional<Range> rangeOf(std::string_view text) {
    const std::size_t dots = text.find("..");
    Range range;
    std::string_view lowUnit, highUnit, end = text.substr(dots + 2);
    // Behind the last sign, as GB/s has one of its own.
    if (const std::size_t sign = end.find_last_of("*+/");
        sign != std::string_view::npos &&
        end.find_first_not_of("0123456789.", sign + 1) == std::string_view::npos) {
        const auto step = parsePositive<double>(end.substr(sign + 1));
        if (!step)
            return std::nullopt;
        range.step = *step;
        range.kind = end[sign];
        end = end.substr(0, sign);
    }
    const auto low = numberBefore(trimmed(text.substr(0, dots)), lowUnit),
               high = numberBefore(trimmed(end), highUnit);
    const auto isInUnit = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
               c == '%';
    };
    if (!low || !high || *low > *high || (lowUnit != highUnit && !lowUnit.empty()) ||
        !std::ranges::all_of(trimmed(highUnit), isInUnit))
        return std::nullopt;
    const bool advances =
        range.kind == '*' ? range.step > 1 : range.kind == '+' || range.step == std::floor(range.step);
    if (!advances)
        return std::nullopt;
    range.low = *low;
    range.high = *high;
    range.unit = trimmed(highUnit);
    return range;
}

/// "32..2048" doubles; anything else is one value as it stands. Empty: a range that is none, or one of too many values.
std::vector<std::string> valuesOf(std::string_view text) {
    if (text.find("..") == std::string_view::npos)
        return text.empty() ? std::vector<std::string>{} : std::vector{std::string(text)};
    const auto range = rangeOf(text);
    if (!range)
        return {};
    std::vector<std::string> values;
    // Sizes and counts are whole; where both ends are, what lies between them is rounded.
    const bool whole = range->low == std::floor(range->low) && range->high == std::floor(range->high);
    const auto add = [&](double value) {
        std::string made = whole && value < 0x1p62 ? fmt::format("{}{}", std::llround(value), range->unit)
                                                   : fmt::format("{}{}", value, range->unit);
        if (values.empty() || values.back() != made)
            values.push_back(std::move(made));
    };
    if (range->kind == '/') {
        if (range->step > double(kMostValues))
            return {};
        const auto count = static_cast<std::int64_t>(range->step);
        for (std::int64_t i = 0; i < count; ++i)
            add(count == 1 ? range->low
                           : range->low * std::pow(range->high / range->low, double(i) / double(count - 1)));
        return values;
    }
    for (std::int64_t i = 0; i <= kMostValues; ++i) {
        const double value = range->kind == '+' ? range->low + range->step * double(i)
                                                : range->low * std::pow(range->step, double(i));
        if (value > range->high * (1 + 1e-12))
            return values;
        add(value);
    }
    return {};
}

/// "area_mm2 <= 300": a comparison stands before any sign of an axis.
bool isConditionText(std::string_view part) {
    const std::size_t compared = part.find_first_of("<>");
    return compared != std::string_view::npos && compared < part.find('=') &&
           part.substr(0, compared).find(':') == std::string_view::npos;
}

/// Error::Usage where the name can be none in a formula, or the value is no formula.
Result<void> checkFigure(const SweepAxis& axis) {
    const auto isPart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    if (axis.name.empty() || !std::ranges::all_of(axis.name, isPart) ||
        (axis.name.front() >= '0' && axis.name.front() <= '9'))
        return fail(ErrorCode::Usage, fmt::format("\"{}\" cannot be the name of a figure", axis.name), {},
                    "begin with a letter, go on with letters, digits and _: cost:=device.count*group.count");
    PIM_CHECK(namesInCondition(axis.values.front() + " > 0", unitAtStart));
    return {};
}

/// A path may have dots in a row. Error::Usage for one that is named twice.
Result<std::vector<std::string>> modelsOf(std::string_view text) {
    std::vector<std::string> all;
    for (const std::string_view item : split(text, ',')) {
        PIM_CHECK(modelValue(item));
        if (std::ranges::find(all, item) != all.end())
            return fail(ErrorCode::Usage, "is named twice", std::string(item), "name each model once");
        all.emplace_back(item);
    }
    return all;
}

std::vector<std::string> listOf(std::string_view text) {
    std::vector<std::string> all;
    std::unordered_set<std::string> seen; // "32..128,64" names 64 twice
    for (const std::string_view item : split(text, ',')) {
        auto values = valuesOf(item);
        if (values.empty())
            return {};
        for (std::string& value : values)
            if (seen.insert(value).second)
                all.push_back(std::move(value));
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

bool hasAxis(const std::vector<SweepAxis>& axes, std::string_view name) {
    return std::ranges::find(axes, name, &SweepAxis::name) != axes.end();
}

Result<std::vector<SweepAxis>> parseSweep(std::string_view text) {
    std::vector<SweepAxis> axes;
    for (const std::string_view part : split(text, ';')) {
        SweepAxis axis;
        if (const std::size_t given = part.find(":="); given != std::string_view::npos) {
            axis = {std::string(trimmed(part.substr(0, given))), {}, SweepAxis::Kind::Figure};
            axis.values.emplace_back(trimmed(part.substr(given + 2)));
            PIM_CHECK(checkFigure(axis));
        } else if (isConditionText(part)) {
            PIM_CHECK(namesInCondition(part, unitAtStart));
            axis = {std::string(part), {"on"}, SweepAxis::Kind::Condition};
        } else if (const std::size_t equals = part.find('='); equals != std::string_view::npos) {
            axis.name = trimmed(part.substr(0, equals));
            if (axis.name == kModelAxis) {
                PIM_TRY(axis.values, modelsOf(part.substr(equals + 1)));
            } else {
                axis.values = listOf(part.substr(equals + 1));
            }
        }
        const bool twice = std::any_of(axes.begin(), axes.end(),
                                       [&](const SweepAxis& other) { return other.name == axis.name; });
        // "cost: =8" is no axis: written out, it would be a figure.
        if (axis.name.empty() || axis.name.ends_with(':') || axis.values.empty() || twice)
            return fail(ErrorCode::Usage,
                        twice ? fmt::format("\"{}\" is named twice", axis.name)
                              : fmt::format("\"{}\" is not understood", part),
                        {},
                        "write seq=32,64,128 or seq=32..2048 (doubling) or target=aim,attacc or "
                        "area_mm2<=300 or cost:=device.count*group.count; several separated by ;");
        axes.push_back(std::move(axis));
    }
    std::ranges::stable_sort(axes, {}, [](const SweepAxis& axis) {
        return axis.varies() ? 0 : axis.isCondition() ? 2 : 1;
    });
    if (!axes.front().varies())
        return fail(ErrorCode::Usage, "there is nothing that varies", axes.front().name,
                    "add what varies: group.count=8..64");
    return axes;
}

std::string sweepText(const std::vector<SweepAxis>& axes) {
    std::string text;
    for (const SweepAxis& axis : axes)
        text +=
            fmt::format("{}{}{}{}", text.empty() ? "" : ";", axis.name,
                        axis.isCondition()                     ? ""
                        : axis.kind == SweepAxis::Kind::Figure ? ":="
                                                               : "=",
                        axis.isCondition() ? std::string() : fmt::format("{}", fmt::join(axis.values, ",")));
    return text;
}

std::int64_t sweepSize(const std::vector<SweepAxis>& axes) {
    constexpr std::int64_t kCountable = std::int64_t(1) << 60;
    std::int64_t points = axes.empty() ? 0 : 1;
    for (const SweepAxis& axis : axes) {
        const std::int64_t values = std::ssize(axis.values);
        if (values == 0 || points > kCountable / values)
            return 0;
        points *= values;
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
    std::vector<std::pair<std::string, std::string>> names{
        {"dtype", "f16|bf16|f32|i8|…"}, {"conv", "gemm|direct"}, {"overlap-transfer", "on|off"},
        {"group-commands", "on|off"},   {"simulate", "off|on"},  {"quick", "off|on"}};
    for (PassOption& option : passOptions())
        names.emplace_back(std::move(option.name), option.info.values);
    for (FamilyOption& option : familyOptions(backends))
        names.emplace_back(std::move(option.name), option.info.values);
    return names;
}

} // namespace pim
