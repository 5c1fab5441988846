// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/option_text.h"

#include <fmt/format.h>

#include <charconv>

namespace pim {
namespace {

template <class Number>
bool setPositive(std::string_view text, Number most, Number& value) {
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size() || !(number > 0 && number <= most))
        return false;
    value = number;
    return true;
}

/// One option: how its value becomes text and text its value.
struct Entry {
    CrossbarOptionInfo info;
    std::string (*text)(const CrossbarOptions&);
    bool (*set)(CrossbarOptions&, std::string_view);
};

const std::vector<Entry>& entries() {
    static const std::vector<Entry> kEntries{
        {{"mode", "ht|ll", "most samples a second, or a sample as soon as possible"},
         [](const CrossbarOptions& o) {
             return std::string(o.mode == CrossbarMode::HighThroughput ? "ht" : "ll");
         },
         [](CrossbarOptions& o, std::string_view v) {
             o.mode = v == "ll" ? CrossbarMode::LowLatency : CrossbarMode::HighThroughput;
             return v == "ht" || v == "ll";
         }},
        {{"strategy", "NAME", "who replicates layers and places array groups"},
         [](const CrossbarOptions& o) { return o.strategy; },
         [](CrossbarOptions& o, std::string_view v) {
             o.strategy = v;
             return !v.empty();
         }},
        {{"seconds", "N", "a search ends after this at the latest; at most 86400"},
         [](const CrossbarOptions& o) { return fmt::format("{}", o.seconds); },
         [](CrossbarOptions& o, std::string_view v) { return setPositive(v, 86400.0, o.seconds); }},
        {{"population", "N", "chromosomes of the genetic algorithm; at most 100000"},
         [](const CrossbarOptions& o) { return std::to_string(o.population); },
         [](CrossbarOptions& o, std::string_view v) { return setPositive(v, 100'000, o.population); }},
        {{"iterations", "N", "generations of the genetic algorithm; at most 1000000"},
         [](const CrossbarOptions& o) { return std::to_string(o.iterations); },
         [](CrossbarOptions& o, std::string_view v) { return setPositive(v, 1'000'000, o.iterations); }},
    };
    return kEntries;
}

} // namespace

const std::vector<CrossbarOptionInfo>& crossbarOptionInfos() {
    static const std::vector<CrossbarOptionInfo> kInfos = [] {
        std::vector<CrossbarOptionInfo> infos;
        for (const Entry& entry : entries())
            infos.push_back(entry.info);
        return infos;
    }();
    return kInfos;
}

Result<void> setCrossbarOption(CrossbarOptions& options, std::string_view key, std::string_view value) {
    std::string known;
    for (const Entry& entry : entries()) {
        if (entry.info.key == key) {
            if (entry.set(options, value))
                return {};
            return fail(ErrorCode::Usage, fmt::format("\"{}\" is no value of the option \"{}\"; allowed: {}",
                                                      value, key, entry.info.values));
        }
        known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.info.key);
    }
    return fail(ErrorCode::Usage, fmt::format("there is no option \"{}\"; there are: {}", key, known));
}

std::map<std::string, std::string> crossbarOptionTexts(const CrossbarOptions& options) {
    const CrossbarOptions defaults;
    std::map<std::string, std::string> texts;
    for (const Entry& entry : entries())
        if (std::string text = entry.text(options); text != entry.text(defaults))
            texts.emplace(entry.info.key, std::move(text));
    return texts;
}

} // namespace pim
