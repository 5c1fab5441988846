// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/run_filter.h"

#include "core/base/parse_number.h"

#include "core/project/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pim {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

bool contains(const std::string& text, const std::string& lowerPart) {
    return lower(text).find(lowerPart) != std::string::npos;
}

/// Words of a line; quotes keep blanks and colons in one word.
struct Word {
    std::string text;
    std::size_t colon = std::string::npos; ///< The first one outside quotes.
};
std::vector<Word> wordsOf(std::string_view line) {
    std::vector<Word> words;
    bool quoted = false, open = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == ' ' || c == '\t' || c == '\n')) {
            open = false;
            continue;
        }
        if (!open)
            words.emplace_back();
        open = true;
        if (c == ':' && !quoted && words.back().colon == std::string::npos)
            words.back().colon = words.back().text.size();
        if (c != '"')
            words.back().text += c;
    }
    return words;
}

bool isDate(const std::string& text) {
    constexpr std::string_view kForm = "dddd-dd-dd";
    if (text.size() != kForm.size())
        return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (kForm[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != kForm[i])
            return false;
    return true;
}

} // namespace

Result<double> parseTime(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    while (unit.starts_with(' '))
        unit.remove_prefix(1);
    static constexpr std::pair<std::string_view, double> kUnits[] = {
        {"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    const auto* const known = std::find_if(std::begin(kUnits), std::end(kUnits),
                                           [&](const auto& each) { return each.first == unit; });
    if (error != std::errc() || value < 0 || known == std::end(kUnits))
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is not a time", text), {},
                    "write a number with ns, us, ms or s: 1.5ms");
    return value * known->second;
}

Result<RunFilter::Term> RunFilter::term(std::string_view key, const std::string& value) {
    using Kind = Term::Kind;
    static constexpr std::pair<std::string_view, std::string RunInfo::*> kTexts[] = {
        {"model", &RunInfo::modelName}, {"target", &RunInfo::targetId}, {"host", &RunInfo::host},
        {"variant", &RunInfo::variant}, {"label", &RunInfo::label},     {"version", &RunInfo::toolVersion}};
    Term term;
    for (const auto& [name, field] : kTexts)
        if (key == name) {
            term.kind = Kind::Text;
            term.field = field;
            term.text = lower(value);
            return term;
        }
    if (key == "since" || key == "until") {
        if (!isDate(value))
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is not a date", value), std::string(key),
                        "write year-month-day: 2026-05-31");
        term.kind = key == "since" ? Kind::Since : Kind::Until;
        term.text = value;
        return term;
    }
    if (key == "faster" || key == "slower") {
        PIM_TRY(term.number, parseTime(value));
        term.kind = key == "faster" ? Kind::Faster : Kind::Slower;
        return term;
    }
    if (key == "run") {
        const auto run = parseNumber<double>(value);
        if (!run)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is not the number of a run", value), "run",
                        "write run:12");
        term.kind = Kind::Run;
        term.number = *run;
        return term;
    }
    if (key == "is" && (value == "simulated" || value == "predicted")) {
        term.kind = Kind::Origin;
        term.origin = value == "simulated" ? Origin::Simulated : Origin::Predicted;
        return term;
    }
    if (key == "is" && value == "best") {
        term.kind = Kind::Best;
        return term;
    }
    if (key == "is")
        return fail(ErrorCode::Usage, fmt::format("runs are not told apart by \"{}\"", value), "is",
                    "there are simulated, predicted and best");
    return fail(ErrorCode::Usage, fmt::format("there is no term \"{}:\"", key), {},
                "there are model, target, host, variant, label, version, since, until, faster, slower, run "
                "and is; put a word with a colon in quotes");
}

Result<RunFilter> RunFilter::parse(std::string_view text) {
    RunFilter filter;
    for (const Word& word : wordsOf(text)) {
        if (word.colon != std::string::npos) {
            PIM_TRY(Term parsed,
                    term(lower(word.text.substr(0, word.colon)), word.text.substr(word.colon + 1)));
            filter.m_terms.push_back(std::move(parsed));
        } else if (!word.text.empty()) {
            filter.m_terms.push_back({Term::Kind::Word, nullptr, lower(word.text)});
        }
    }
    return filter;
}

bool RunFilter::passes(const RunInfo& run, bool isBest) const {
    using Kind = Term::Kind;
    const std::string day = run.startedUtc.substr(0, 10); // of ISO 8601, so texts are in the order of dates
    return std::all_of(m_terms.begin(), m_terms.end(), [&](const Term& term) {
        switch (term.kind) {
        case Kind::Word:
            for (const std::string* text :
                 {&run.label, &run.note, &run.variant, &run.modelName, &run.modelPath, &run.targetId,
                  &run.host, &run.bindings, &run.startedUtc})
                if (contains(*text, term.text))
                    return true;
            return false;
        case Kind::Text:
            return contains(run.*term.field, term.text);
        case Kind::Since:
            return day >= term.text;
        case Kind::Until:
            return day <= term.text;
        case Kind::Faster:
            return run.totalNs < term.number;
        case Kind::Slower:
            return run.totalNs > term.number;
        case Kind::Run:
            return static_cast<double>(run.id) == term.number;
        case Kind::Origin:
            return run.origin == term.origin;
        case Kind::Best:
            return isBest;
        }
        return false;
    });
}

std::vector<RunInfo> RunFilter::apply(std::vector<RunInfo> runs) const {
    const auto best = bestRuns(runs);
    std::erase_if(runs, [&](const RunInfo& run) {
        return !passes(run, std::binary_search(best.begin(), best.end(), run.id));
    });
    return runs;
}

} // namespace pim
