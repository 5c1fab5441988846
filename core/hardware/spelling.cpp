// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/spelling.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

int commonPrefix(std::string_view a, std::string_view b) {
    return static_cast<int>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

/// Fewer edits first; then the longer common start: "MB" is rather "MiB" than "B".
std::pair<int, int> rank(std::string_view word, std::string_view candidate) {
    return {editDistance(word, candidate), -commonPrefix(word, candidate)};
}

} // namespace

int editDistance(std::string_view a, std::string_view b) {
    a = a.substr(0, 64);
    b = b.substr(0, 64);
    std::vector<int> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        int diagonal = row[0];
        row[0] = static_cast<int>(i) + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const int change = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::vector<std::string> byNearestSpelling(std::string_view word, std::vector<std::string> candidates) {
    std::ranges::stable_sort(candidates, {},
                             [word](const std::string& candidate) { return rank(word, candidate); });
    return candidates;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
    const auto best = std::ranges::min_element(
        candidates, {}, [word](const std::string& candidate) { return rank(word, candidate); });
    if (best == candidates.end())
        return {};
    const int shorter = static_cast<int>(std::min(word.size(), best->size()));
    const bool startsAlike = shorter >= 3 && commonPrefix(word, *best) == shorter;
    if (!startsAlike && editDistance(word, *best) > std::max(1, shorter / 2))
        return {};
    return "did you mean \"" + *best + "\"?";
}

} // namespace pim
