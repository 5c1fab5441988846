// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// "Did you mean …": candidates by edit distance.
#include <string>
#include <string_view>
#include <vector>

namespace pim {

/// Number of letters to insert, delete or change; case does not count. Words are cut at 64 letters.
int editDistance(std::string_view a, std::string_view b);
/// \p candidates, nearest spelling first; equal distances keep their order.
std::vector<std::string> byNearestSpelling(std::string_view word, std::vector<std::string> candidates);
/// `did you mean "GB/s"?` if one candidate is close enough to be meant, else empty.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

} // namespace pim
