// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Options of a part of the compiler as text: one table says what there is, and gives help, KEY=VALUE on the
/// command line and what projects keep.
#include "core/base/result.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

struct OptionInfo {
    std::string_view key;    ///< "duplication"
    std::string_view values; ///< "copies|any"
    std::string_view meaning;
};

/// One option: how its value becomes text and text its value. set() gives false for a value not understood.
template <class Options>
struct OptionEntry {
    OptionInfo info;
    std::string (*text)(const Options&);
    bool (*set)(Options&, std::string_view);
};

template <class Options>
std::vector<OptionInfo> infosOf(const std::vector<OptionEntry<Options>>& table) {
    std::vector<OptionInfo> infos;
    for (const OptionEntry<Options>& entry : table)
        infos.push_back(entry.info);
    return infos;
}

/// Error::Usage names the key or value not understood and what is allowed.
template <class Options>
Result<void> setOption(const std::vector<OptionEntry<Options>>& table, Options& options, std::string_view key,
                       std::string_view value) {
    std::string known;
    for (const OptionEntry<Options>& entry : table) {
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

/// Every option that is not at its default, key to value; setOption() reads them back.
template <class Options>
std::map<std::string, std::string> textsOf(const std::vector<OptionEntry<Options>>& table,
                                           const Options& options) {
    const Options defaults;
    std::map<std::string, std::string> texts;
    for (const OptionEntry<Options>& entry : table)
        if (std::string text = entry.text(options); text != entry.text(defaults))
            texts.emplace(entry.info.key, std::move(text));
    return texts;
}

} // namespace pim
