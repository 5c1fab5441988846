// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Links that reopen what a figure came from: `pim:///home/me/p.pimproj#run/12/op/fc1/draft/TEXT`. What
/// stands between the slashes of the fragment is percent-encoded [RFC 3986], so names of ops may hold
/// anything.
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace pim {

struct RunLink {
    std::filesystem::path project; ///< Relative: seen from where the link is opened.
    std::int64_t run = 0;          ///< Of the project; 0: the project as a whole.
    std::string op;                ///< Op::name; empty: the run as a whole.
    std::string draft;             ///< TilingSpace::draftText of a draft of the op; empty: none.
    friend bool operator==(const RunLink&, const RunLink&) = default;
};

/// "pim://" before an absolute path, "pim:" before a relative one, which has no host part to be mistaken for.
std::string formatLink(const RunLink& link);
/// Takes "pim://" before a relative path too. Error::Usage says what is wrong with it; nothing is opened or
/// looked up here.
Result<RunLink> parseLink(std::string_view text);
/// Starts with "pim:", in whatever case.
bool isLink(std::string_view text);

} // namespace pim
