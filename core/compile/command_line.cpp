// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/command_line.h"

#include "core/drafts/draft_choice.h"
#include "core/plan/family_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pim {
namespace {

class Line {
public:
    void add(std::string_view word) { m_words.push_back(shellWord(word)); }
    void add(std::string_view option, std::string_view value) {
        m_words.emplace_back(option);
        add(value);
    }
    std::string text() const { return fmt::format("{}", fmt::join(m_words, " ")); }

private:
    std::vector<std::string> m_words;
};

void addFamilyOptions(Line& line, const CompileOptions& options) {
    for (const auto& [family, texts] : options.family)
        for (const auto& [key, value] : texts)
            line.add("--" + familyWord(family), key + "=" + value);
}

void addOptions(Line& line, const CompileOptions& options, bool searchesDrafts) {
    const CompileOptions usual;
    if (options.computeType != usual.computeType)
        line.add("--dtype", name(options.computeType));
    if (options.convAsGemm != usual.convAsGemm)
        line.add("--conv", options.convAsGemm ? "gemm" : "direct");
    if (options.overlapHostTransfer)
        line.add("--overlap-transfer");
    if (!options.groupCommands)
        line.add("--no-group-commands");
    if (options.mapping != usual.mapping)
        line.add("--mapping", name(options.mapping));
    for (const std::string& pass : options.passes.leftOut)
        line.add("--no-code-pass", pass);
    addFamilyOptions(line, options);
    if (searchesDrafts && options.verifyDrafts != kVerifiedDrafts) // what the command does unasked
        line.add("--verify", std::to_string(options.verifyDrafts));
    if (options.seed != usual.seed)
        line.add("--seed", std::to_string(options.seed));
}

} // namespace

std::string shellWord(std::string_view text) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos)
        return std::string(text);
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string ModelLine::text() const {
    Line line;
    line.add("pimc");
    line.add(verb);
    line.add(model);
    if (!target.empty())
        line.add("--target", target);
    if (!host.empty())
        line.add("--host", host);
    std::string chosen;
    for (const auto& [symbol, value] : bindings)
        chosen += fmt::format("{}{}={}", chosen.empty() ? "" : ",", symbol, value);
    if (!chosen.empty())
        line.add("--bind", chosen);
    for (const std::string& pass : disabledPasses)
        line.add("--no-pass", pass);
    for (const auto& [pass, texts] : passOptions)
        for (const auto& [key, value] : texts)
            line.add("--pass", fmt::format("{}:{}={}", pass, key, value));
    addOptions(line, options, searchesDrafts);
    return line.text();
}

} // namespace pim
