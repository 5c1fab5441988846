// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Options of a family of hardware as text: one table says what there is, and gives help, KEY=VALUE on the command line,
/// axes of sweeps and what projects keep.
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
    bool standsAlone = false;        ///< Chosen so often that command lines take it by itself: `--mode ll`.
    std::string_view formerKey = {}; ///< Still understood, no longer offered.
    std::string_view quick =
        {}; ///< For a first look at many machines, where the default is a long search; empty: the default.
};

/// One option: how its value becomes text and text its value. set() gives false for a value not understood.
template <class Options>
struct OptionEntry {
    OptionInfo info;
    std::string (*text)(const Options&);
    bool (*set)(Options&, std::string_view);
};

/// Options by key, those at their default left out: what compile options, projects and bundles keep of a family.
using OptionTexts = std::map<std::string, std::string, std::less<>>;

/// The options of one family of hardware for those who only know text: help, command lines, sweeps, projects.
class OptionTable {
public:
    virtual ~OptionTable() = default;
    virtual std::vector<OptionInfo> infos() const = 0; ///< In the order in which help lists them.
    /// Sets one option in \p texts, in its canonical text; a value that is the default takes it out. Error::Usage names the
    /// key or value not understood and what is allowed.
    virtual Result<void> set(OptionTexts& texts, std::string_view key, std::string_view value) const = 0;
    /// The value an option has under \p texts, which check() accepts: its default where it is left out. Empty for an unknown key.
    virtual std::string value(const OptionTexts& texts, std::string_view key) const = 0;
    /// Error::Usage for the first key or value in \p texts that is not understood.
    virtual Result<void> check(const OptionTexts& texts) const = 0;
};

/// The same for the family itself, which knows its options as a struct.
template <class Options>
class TypedOptionTable final : public OptionTable {
public:
    explicit TypedOptionTable(std::vector<OptionEntry<Options>> entries) : m_entries(std::move(entries)) {}

    std::vector<OptionInfo> infos() const override {
        std::vector<OptionInfo> infos;
        for (const OptionEntry<Options>& entry : m_entries)
            infos.push_back(entry.info);
        return infos;
    }
    Result<void> set(OptionTexts& texts, std::string_view key, std::string_view value) const override {
        PIM_TRY(Options options, read(texts));
        PIM_CHECK(set(options, key, value));
        texts = write(options);
        return {};
    }
    std::string value(const OptionTexts& texts, std::string_view key) const override {
        const Result<Options> options = read(texts);
        for (const OptionEntry<Options>& entry : m_entries)
            if (options && entry.info.key == key)
                return entry.text(*options);
        return {};
    }
    Result<void> check(const OptionTexts& texts) const override {
        PIM_TRY([[maybe_unused]] const Options options, read(texts));
        return {};
    }

    Result<void> set(Options& options, std::string_view key, std::string_view value) const {
        std::string known;
        for (const OptionEntry<Options>& entry : m_entries) {
            if (entry.info.key == key || (!entry.info.formerKey.empty() && entry.info.formerKey == key)) {
                if (entry.set(options, value))
                    return {};
                return fail(ErrorCode::Usage,
                            fmt::format("\"{}\" is not a value of the option \"{}\"; allowed: {}", value, key,
                                        entry.info.values));
            }
            known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.info.key);
        }
        return fail(ErrorCode::Usage, fmt::format("there is no option \"{}\"; there are: {}", key, known));
    }
    /// Options left out of \p texts have their default. Error::Usage as for set().
    Result<Options> read(const OptionTexts& texts) const {
        Options options;
        for (const auto& [key, value] : texts)
            PIM_CHECK(set(options, key, value));
        return options;
    }
    /// Every option that is not at its default; read() gives them back.
    OptionTexts write(const Options& options) const {
        const Options defaults;
        OptionTexts texts;
        for (const OptionEntry<Options>& entry : m_entries)
            if (std::string text = entry.text(options); text != entry.text(defaults))
                texts.emplace(entry.info.key, std::move(text));
        return texts;
    }

private:
    std::vector<OptionEntry<Options>> m_entries;
};

} // namespace pim
