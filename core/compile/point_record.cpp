// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/point_record.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace pim {
namespace {

std::optional<double> numberFrom(std::string_view text) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    return text == "9e999"    ? kInfinite
           : text == "-9e999" ? -kInfinite
           : text == "null"   ? std::nan("")
                              : parseNumber<double>(text);
}

/// Also where both are no number.
bool areSame(double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
}

} // namespace

void appendNumber(std::string& array, double value) {
    std::array<char, 32> digits{};
    if (array.size() > 1)
        array += ',';
    if (std::isinf(value))
        array += value > 0 ? "9e999" : "-9e999";
    else if (std::isnan(value))
        array += "null";
    else
        array.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

PointRecord recordOf(const SweepPoint& point) {
    PointNames names;
    std::string numbers = "[";
    for (const Baseline& baseline : point.baselines) {
        names.baselines.emplace_back(baseline.id, baseline.name);
        appendNumber(numbers, baseline.totalNs);
    }
    for (const auto& [figure, value] : point.figures) {
        names.figures.push_back(figure);
        appendNumber(numbers, value);
    }
    return {point.index,
            point.totalNs,
            point.hostOnlyNs,
            point.macs,
            point.compileMs,
            point.problem,
            std::make_shared<const PointNames>(std::move(names)),
            numbers + "]"};
}

bool readRecord(const PointRecord& record, SweepPoint& point) {
    point = {};
    point.index = record.index;
    point.totalNs = record.totalNs;
    point.hostOnlyNs = record.hostOnlyNs;
    point.macs = record.macs;
    point.compileMs = record.compileMs;
    point.problem = record.problem;
    std::string_view text = record.numbers;
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return false;
    text = text.substr(1, text.size() - 2);
    bool isRead = true;
    const auto next = [&] {
        const std::size_t end = std::min(text.find(','), text.size());
        const auto number = numberFrom(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        isRead &= number.has_value();
        return number.value_or(0);
    };
    point.baselines.reserve(record.names->baselines.size());
    for (const auto& [id, name] : record.names->baselines)
        point.baselines.push_back({id, name, next()});
    point.figures.reserve(record.names->figures.size());
    for (const std::string& figure : record.names->figures)
        point.figures.emplace_back(figure, next());
    return isRead && text.empty();
}

bool haveSameResult(const PointRecord& one, const PointRecord& other) {
    if (!one.problem.empty() || !other.problem.empty())
        return one.problem == other.problem;
    return areSame(one.totalNs, other.totalNs) && areSame(one.hostOnlyNs, other.hostOnlyNs) &&
           areSame(one.macs, other.macs) && one.numbers == other.numbers &&
           (one.names == other.names || *one.names == *other.names);
}

std::string resultText(const PointRecord& record) {
    return record.problem.empty() ? fmt::format("{} ns, {} ns on the host, {} MACs, {}", record.totalNs,
                                                record.hostOnlyNs, record.macs, record.numbers)
                                  : record.problem;
}

} // namespace pim
