// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/family_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// "dual-mode", "dual_mode" or a former name -> the backend that offers options; null: none.
const Backend* familyNamed(const BackendList& backends, std::string_view word) {
    for (const FormerFamilyName& name : formerFamilyNames())
        if (name.former == word)
            word = name.now;
    for (const auto& backend : backends.all())
        if (backend->options() && (backend->id() == word || familyWord(backend->id()) == word))
            return backend.get();
    return nullptr;
}

bool offers(const Backend& backend, std::string_view key) {
    const auto infos = backend.options() ? backend.options()->infos() : std::vector<OptionInfo>();
    return std::ranges::find(infos, key, &OptionInfo::key) != infos.end();
}

/// The family whose option is meant by a key alone.
const Backend* familyOffering(const BackendList& backends, std::string_view key, std::string_view preferred) {
    const Backend* found = nullptr;
    for (const auto& backend : backends.all())
        if (offers(*backend, key) && (!found || backend->id() == preferred))
            found = backend.get();
    return found;
}

} // namespace

std::vector<FamilyOption> familyOptions(const BackendList& backends) {
    std::vector<FamilyOption> all;
    for (const auto& backend : backends.all())
        if (const OptionTable* const table = backend->options())
            for (const OptionInfo& info : table->infos())
                all.push_back(
                    {backend.get(), info, fmt::format("{}.{}", familyWord(backend->id()), info.key)});
    return all;
}

std::string familyWord(std::string_view backend) {
    std::string word(backend);
    std::ranges::replace(word, '_', '-');
    return word;
}

Result<void> setFamilyOption(const BackendList& backends, CompileOptions& options, std::string_view name,
                             std::string_view value, std::string_view preferred) {
    const std::size_t dot = name.find('.');
    const std::string_view key = dot == std::string_view::npos ? name : name.substr(dot + 1);
    const Backend* const family = dot == std::string_view::npos ? familyOffering(backends, name, preferred)
                                                                : familyNamed(backends, name.substr(0, dot));
    if (!family) {
        std::string known;
        for (const FamilyOption& option : familyOptions(backends))
            known += fmt::format("{}{}", known.empty() ? "" : ", ", option.name);
        return fail(ErrorCode::Usage, fmt::format("there is no option \"{}\"", name), {},
                    "there are: " + known);
    }
    const auto at = options.family.find(family->id());
    OptionTexts texts = at == options.family.end() ? OptionTexts() : at->second;
    PIM_CHECK(family->options()->set(texts, key, value));
    if (texts.empty())
        options.family.erase(std::string(family->id()));
    else
        options.family.insert_or_assign(std::string(family->id()), std::move(texts));
    return {};
}

Result<void> checkFamilyOptions(const BackendList& backends, const CompileOptions& options) {
    for (const auto& [name, texts] : options.family) {
        const Backend* const family = familyNamed(backends, name);
        if (!family)
            return fail(ErrorCode::Usage,
                        fmt::format("no kind of hardware here takes options by the name \"{}\"", name), {},
                        "they may be from another version of PIM Studio");
        PIM_CHECK(family->options()->check(texts));
    }
    return {};
}

} // namespace pim
