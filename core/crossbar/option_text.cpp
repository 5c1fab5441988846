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

using Entry = OptionEntry<CrossbarOptions>;

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
        {{"referee", "profiler|pimcomp-compat", "whose time decides between the programs a search finds"},
         [](const CrossbarOptions& o) {
             return std::string(o.referee == CrossbarReferee::Profiler ? "profiler" : "pimcomp-compat");
         },
         [](CrossbarOptions& o, std::string_view v) {
             o.referee = v == "profiler" ? CrossbarReferee::Profiler : CrossbarReferee::PimcompCompat;
             return v == "profiler" || v == "pimcomp-compat";
         }},
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

const std::vector<OptionInfo>& crossbarOptionInfos() {
    static const std::vector<OptionInfo> kInfos = infosOf(entries());
    return kInfos;
}

Result<void> setCrossbarOption(CrossbarOptions& options, std::string_view key, std::string_view value) {
    return setOption(entries(), options, key, value);
}

std::map<std::string, std::string> crossbarOptionTexts(const CrossbarOptions& options) {
    return textsOf(entries(), options);
}

} // namespace pim
