// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/semantics/einsum.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

constexpr std::string_view kEllipsis = "...";
constexpr std::size_t kMostOpen = 10;

/// Digits for axes of an ellipsis, the last of which is always 9: broadcasting goes by the last axes.
std::string openAxes(std::size_t count) {
    return std::string("0123456789").substr(kMostOpen - count);
}

std::string writtenAxes(std::string term, std::size_t open) {
    if (const auto at = term.find(kEllipsis); at != std::string::npos)
        term.replace(at, kEllipsis.size(), openAxes(open));
    return term;
}

/// Where no result is given: all open axes, then the letters that stand once, in alphabetical order.
std::string impliedResult(const std::vector<std::string>& operands, std::size_t open) {
    std::map<char, int> times;
    for (const std::string& operand : operands)
        for (const char letter : operand)
            ++times[letter];
    std::string result = openAxes(open);
    for (const auto& [letter, count] : times)
        if (count == 1 && (letter < '0' || letter > '9'))
            result += letter;
    return result;
}

} // namespace

Result<EinsumIndices> EinsumIndices::of(std::string equation, const std::vector<Shape>& shapes) {
    const std::string asWritten = equation;
    std::erase(equation, ' ');
    const auto arrow = equation.find("->");
    const std::string left = equation.substr(0, arrow);
    const auto misfit = [&](std::size_t i) {
        return fail(ErrorCode::InvalidModel,
                    fmt::format("its equation \"{}\" does not fit input {} of shape {}", asWritten, i,
                                shapeText(shapes[i])));
    };
    std::vector<std::string> terms;
    for (std::size_t at = 0; at <= left.size();) {
        const std::size_t end = std::min(left.find(',', at), left.size());
        terms.push_back(left.substr(at, end - at));
        at = end + 1;
    }
    if (terms.size() != shapes.size())
        return fail(ErrorCode::InvalidModel, fmt::format("its equation \"{}\" has {} operands, {} are given",
                                                         asWritten, terms.size(), shapes.size()));
    EinsumIndices found;
    std::size_t mostOpen = 0;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool isOpen = terms[i].find(kEllipsis) != std::string::npos;
        const std::size_t letters = terms[i].size() - (isOpen ? kEllipsis.size() : 0);
        if (shapes[i].size() < letters || (!isOpen && shapes[i].size() != letters))
            return misfit(i);
        const std::size_t open = shapes[i].size() - letters;
        if (open > kMostOpen)
            return fail(ErrorCode::Unsupported,
                        fmt::format("its equation \"{}\" leaves {} axes open, at most {} are known",
                                    asWritten, open, kMostOpen));
        mostOpen = std::max(mostOpen, open);
        found.operands.push_back(writtenAxes(terms[i], open));
        for (std::size_t d = 0; d < shapes[i].size(); ++d) {
            auto& known = found.extents.try_emplace(found.operands[i][d], shapes[i][d]).first->second;
            known = known == 1 ? shapes[i][d] : known;
            if (shapes[i][d] != known && shapes[i][d] != 1)
                return misfit(i);
        }
    }
    found.result = arrow == std::string::npos ? impliedResult(found.operands, mostOpen)
                                              : writtenAxes(equation.substr(arrow + 2), mostOpen);
    for (std::size_t i = 0; i < found.result.size(); ++i)
        if (!found.extents.contains(found.result[i]) || found.result.find(found.result[i]) != i)
            return fail(ErrorCode::InvalidModel,
                        fmt::format("its equation \"{}\" has an output index that no input has, or one twice",
                                    asWritten));
    return found;
}

} // namespace pim
