// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/mistaken_word.h"

#include "core/hardware/spelling.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace pim::cli {
namespace {

/// "pimc predictor train"
std::string commandOf(const CLI::App& verb) {
    return verb.get_parent() ? commandOf(*verb.get_parent()) + " " + verb.get_name() : verb.get_name();
}

std::string orHelp(const std::string& meant, const CLI::App& verb) {
    return meant.empty() ? fmt::format("`{} --help` lists all", commandOf(verb)) : meant;
}

} // namespace

std::string noSuchVerb(const CLI::App& above, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* const verb : above.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(verb->get_name());
    return fmt::format("`{}` has no verb \"{}\"; {}", commandOf(above), word,
                       orHelp(didYouMean(word, names), above));
}

std::string noSuchOption(const CLI::App& verb, const std::string& name) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : verb.get_options())
        for (const std::string& each : option->get_lnames())
            names.push_back(each);
    return fmt::format("`{}` has no option \"{}\"; {}", commandOf(verb), name,
                       orHelp(didYouMean(name, names), verb));
}

std::string problemText(const CLI::App& app, const CLI::Error& error) {
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError))
        return error.what();
    const CLI::App* verb = &app;
    while (!verb->get_subcommands().empty())
        verb = verb->get_subcommands().front();
    const std::vector<std::string> words = app.remaining(true);
    const auto word =
        std::ranges::find_if(words, [](const std::string& each) { return !each.starts_with('-'); });
    return verb->get_require_subcommand_min() > 0 && word != words.end() ? noSuchVerb(*verb, *word)
                                                                         : error.what();
}

} // namespace pim::cli
