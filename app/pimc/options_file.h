// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The file of `pimc --config`: reads it, and says of what is wrong in it in which line.
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace pim::cli {

class OptionsFile final : public CLI::ConfigTOML {
public:
    /// \param app outlives it; has all verbs before a file is read.
    explicit OptionsFile(const CLI::App& app) : m_app(app) {}

    /// Throws CLI::ConfigError for a verb or option that there is not, and for an option without the value it takes.
    std::vector<CLI::ConfigItem> from_config(std::istream& input) const override;
    /// "c.ini, line 3: " if what is wrong with an option is about one of the file; empty: it is not. \param words of the command line.
    std::string placeOf(const std::string& problem, const std::vector<std::string>& words) const;

private:
    struct Line {
        std::string option; ///< "--target"
        int number;
    };
    std::string placeOfLine(int number) const;
    const CLI::App& verbOf(const std::string& section, int number) const;
    void checkOption(const CLI::App& verb, const std::string& text, int number) const;
    void check(const std::string& text) const;

    const CLI::App& m_app;
    mutable std::vector<Line> m_lines; // CLI11 reads through a const function
};

} // namespace pim::cli
