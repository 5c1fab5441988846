// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// `--seed` of the verbs that use chance: the same numbers are allowed in all of them.
#include <cstdint>
#include <string>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace pim::cli {

CLI::Option* addSeed(CLI::App& verb, const std::string& flag, std::uint64_t& seed,
                     const std::string& meaning);

} // namespace pim::cli
