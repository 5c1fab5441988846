// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/spelling.h"

#include <algorithm>
#include <numeric>

namespace pim {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

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
    std::stable_sort(candidates.begin(), candidates.end(), [word](const std::string& a, const std::string& b) {
        return editDistance(word, a) < editDistance(word, b);
    });
    return candidates;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
    const auto best = std::min_element(
        candidates.begin(), candidates.end(),
        [word](const std::string& a, const std::string& b) { return editDistance(word, a) < editDistance(word, b); });
    if (best == candidates.end() ||
        editDistance(word, *best) > std::max(1, static_cast<int>(std::min(word.size(), best->size())) / 2))
        return {};
    return "did you mean \"" + *best + "\"?";
}

} // namespace pim
