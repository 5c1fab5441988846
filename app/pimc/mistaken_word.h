// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What is said of a verb or option that there is not: the nearest one.
#include <string>

namespace CLI {
class App;
class Error;
} // namespace CLI

namespace pim::cli {

/// \param above the verb it would stand below, or the program.
std::string noSuchVerb(const CLI::App& above, const std::string& word);
/// \param name without dashes.
std::string noSuchOption(const CLI::App& verb, const std::string& name);
/// The sentence of CLI11, or a better one where a verb is missing because it is misspelt.
std::string problemText(const CLI::App& app, const CLI::Error& error);

} // namespace pim::cli
