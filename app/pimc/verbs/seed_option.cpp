// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/seed_option.h"

#include "core/base/parse_number.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <limits>

namespace pim::cli {
namespace {

/// What XGBoost and the columns of a project can hold.
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

} // namespace

CLI::Option* addSeed(CLI::App& verb, const std::string& flag, std::uint64_t& seed,
                     const std::string& meaning) {
    // CLI11 takes -1 for the greatest number there is, and so what is greater than that.
    return verb.add_option(flag, seed, meaning)
        ->check([](const std::string& text) {
            const auto number = parseNumber<std::int64_t>(text);
            return number && *number >= 0
                       ? std::string()
                       : fmt::format("\"{}\" is no seed; write a whole number from 0 to {}", text, kMost);
        })
        ->capture_default_str()
        ->type_name("N");
}

} // namespace pim::cli
