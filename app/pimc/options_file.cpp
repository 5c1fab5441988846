// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/options_file.h"

#include "app/pimc/mistaken_word.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace pim::cli {
namespace {

/// As CLI11 looks for it.
const CLI::Option* optionOf(const CLI::App& verb, const std::string& name) {
    for (const std::string& spelling : {"--" + name, "-" + name, name})
        if (const CLI::Option* const option = verb.get_option_no_throw(spelling);
            option && (spelling != "-" + name || name.size() == 1))
            return option;
    return nullptr;
}

} // namespace

std::string OptionsFile::placeOfLine(int number) const {
    return fmt::format("{}, line {}: ", m_app.get_config_ptr()->as<std::string>(), number);
}

const CLI::App& OptionsFile::verbOf(const std::string& section, int number) const {
    const CLI::App* verb = &m_app;
    if (CLI::detail::to_lower(section) == "default")
        return *verb;
    for (const std::string& name : CLI::detail::split(section, '.')) {
        const auto named =
            verb->get_subcommands([&](const CLI::App* each) { return each->check_name(name); });
        if (named.empty())
            throw CLI::ConfigError(placeOfLine(number) + noSuchVerb(*verb, name));
        verb = named.front();
    }
    return *verb;
}

void OptionsFile::checkOption(const CLI::App& verb, const std::string& text, int number) const {
    const std::size_t equals = text.find('=');
    std::string name = CLI::detail::trim_copy(text.substr(0, std::min(equals, text.find('#'))));
    CLI::detail::remove_quotes(name);
    const std::size_t dot = name.rfind('.');
    if (dot != std::string::npos)
        return checkOption(verbOf(name.substr(0, dot), number), text.substr(text.find(name) + dot + 1),
                           number);
    const CLI::Option* const option = optionOf(verb, name);
    if (!option)
        throw CLI::ConfigError(placeOfLine(number) + noSuchOption(verb, name));
    if (equals == std::string::npos && option->get_expected_min() > 0)
        throw CLI::ConfigError(
            fmt::format("{}\"{}\" takes a value; write {} = VALUE", placeOfLine(number), name, name));
    m_lines.push_back({"--" + name, number});
}

void OptionsFile::check(const std::string& text) const {
    std::istringstream lines(text);
    const CLI::App* verb = &m_app;
    bool isInList = false;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        CLI::detail::trim(line);
        if (isInList) {
            isInList = !line.ends_with(']');
            continue;
        }
        constexpr std::size_t kLeast = 3; // CLI11 skips what is shorter
        if (line.size() < kLeast || line.front() == ';' || line.front() == '#')
            continue;
        if (line.front() == '[' && line.back() == ']') {
            std::string section = line.substr(1, line.size() - 2);
            if (section.size() > 1 && section.front() == '[' && section.back() == ']')
                section = section.substr(1, section.size() - 2);
            verb = &verbOf(section, number);
            continue;
        }
        checkOption(*verb, line, number);
        const std::size_t equals = line.find('=');
        const std::string value =
            equals == std::string::npos ? std::string() : CLI::detail::trim_copy(line.substr(equals + 1));
        isInList = value.starts_with('[') && !value.ends_with(']');
    }
}

std::vector<CLI::ConfigItem> OptionsFile::from_config(std::istream& input) const {
    std::string text(std::istreambuf_iterator<char>(input), {});
    constexpr std::string_view kMark = "\xef\xbb\xbf"; // byte order mark that editors of Windows write
    if (text.starts_with(kMark))
        text.erase(0, kMark.size());
    check(text);
    std::istringstream rest(text);
    return CLI::ConfigTOML::from_config(rest);
}

std::string OptionsFile::placeOf(const std::string& problem, const std::vector<std::string>& words) const {
    for (const Line& line : m_lines) {
        const auto isIt = [&](const std::string& word) {
            return word.starts_with(line.option) &&
                   (word.size() == line.option.size() || word[line.option.size()] == '=' ||
                    word[line.option.size()] == ':');
        };
        if (isIt(problem) && std::ranges::none_of(words, isIt))
            return placeOfLine(line.number);
    }
    return {};
}

} // namespace pim::cli
