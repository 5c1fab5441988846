// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/advice.h"

#include "core/base/file_text.h"
#include "core/base/paths.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace pim {
namespace {

constexpr std::string_view kOther = "other.";
constexpr std::pair<std::string_view, AdviceCondition::Relation> kRelations[] = {
    {"above", AdviceCondition::Relation::Above},
    {"below", AdviceCondition::Relation::Below},
    {"at_least", AdviceCondition::Relation::AtLeast},
    {"at_most", AdviceCondition::Relation::AtMost},
};

/// Where in which file; all errors of this reader are made here.
struct At {
    std::string_view file;
    std::string path;
    At operator/(std::string_view key) const { return {file, fmt::format("{}/{}", path, key)}; }
    At operator/(std::size_t index) const { return {file, fmt::format("{}/{}", path, index)}; }
    auto wrong(std::string message, std::string hint = {}) const {
        return fail(ErrorCode::InvalidFile, std::move(message),
                    fmt::format("{}: {}", file, path.empty() ? "/" : path), std::move(hint));
    }
};

std::string quoted(const nlohmann::json& value) {
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<void> checkKeys(const nlohmann::json& object, std::initializer_list<std::string_view> allowed,
                       const At& at) {
    if (!object.is_object())
        return at.wrong(fmt::format("is {}, expected an object", quoted(object).substr(0, 60)));
    for (const auto& [key, value] : object.items())
        if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
            return (at / key).wrong("is not a key that rules have",
                                    fmt::format("Allowed here: {}", fmt::join(allowed, ", ")));
    return {};
}

Result<std::string> textOf(const nlohmann::json& object, const char* key, const At& at) {
    if (!object.contains(key) || !object[key].is_string() ||
        object[key].get_ref<const std::string&>().empty())
        return (at / key).wrong(object.contains(key)
                                    ? fmt::format("is {}, expected a text", quoted(object[key]).substr(0, 60))
                                    : "is missing");
    return object[key].get<std::string>();
}

Result<FactRef> factRef(std::string_view name, const At& at) {
    FactRef ref;
    ref.other = name.starts_with(kOther);
    ref.key = name.substr(ref.other ? kOther.size() : 0);
    if (findFact(ref.key))
        return ref;
    std::string known;
    for (const FactInfo& info : factInfos())
        known += (known.empty() ? "" : ", ") + info.key;
    return at.wrong(fmt::format("there is no fact \"{}\"", ref.key),
                    fmt::format("Facts: {}; with \"other.\" before it: of the other draft", known));
}

Result<AdviceCondition> conditionOf(const nlohmann::json& object, const At& at) {
    PIM_CHECK(checkKeys(object, {"fact", "above", "below", "at_least", "at_most", "times"}, at));
    AdviceCondition condition;
    PIM_TRY(const std::string fact, textOf(object, "fact", at));
    PIM_TRY(condition.fact, factRef(fact, at / "fact"));
    int relations = 0;
    for (const auto& [key, relation] : kRelations) {
        if (!object.contains(key))
            continue;
        ++relations;
        condition.relation = relation;
        const nlohmann::json& value = object[std::string(key)];
        if (value.is_number()) {
            condition.number = value.get<double>();
        } else if (value.is_string()) {
            PIM_TRY(condition.against, factRef(value.get_ref<const std::string&>(), at / key));
            condition.number = 1;
        } else {
            return (at / key).wrong(
                fmt::format("is {}, expected a number or a fact", quoted(value).substr(0, 60)));
        }
    }
    if (relations != 1)
        return at.wrong(fmt::format("has {} relations, expected one", relations),
                        "Give one of above, below, at_least, at_most");
    if (object.contains("times")) {
        if (!condition.against || !object["times"].is_number())
            return (at / "times")
                .wrong("is a factor of a fact",
                       R"(Write for example "above": "other.input_bytes", "times": 1.5)");
        condition.number = object["times"].get<double>();
    }
    return condition;
}

/// Calls \p onText for what stands between placeholders and \p onFact for each of them. False: a brace has no
/// partner.
bool walkTemplate(std::string_view text, const auto& onText, const auto& onFact) {
    while (!text.empty()) {
        const std::size_t open = text.find_first_of("{}");
        onText(text.substr(0, open));
        if (open == std::string_view::npos)
            return true;
        const std::size_t close = text.find('}', open);
        if (text[open] == '}' || close == std::string_view::npos)
            return false;
        onFact(text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
    return true;
}

Result<void> checkTemplate(const std::string& text, const At& at) {
    std::optional<Error> error;
    const bool closed = walkTemplate(
        text, [](std::string_view) {},
        [&](std::string_view fact) {
            if (const auto known = factRef(fact, at); !known && !error)
                error = known.error();
        });
    if (!closed)
        return at.wrong("has a brace without its partner", "Facts stand in braces: {cores_used}");
    return error ? Result<void>(tl::unexpected<Error>(*error)) : Result<void>();
}

Result<AdviceRule> ruleOf(const nlohmann::json& object, const At& at) {
    PIM_CHECK(checkKeys(object, {"id", "when", "text", "help"}, at));
    AdviceRule rule;
    PIM_TRY(rule.id, textOf(object, "id", at));
    PIM_TRY(rule.text, textOf(object, "text", at));
    PIM_CHECK(checkTemplate(rule.text, at / "text"));
    if (object.contains("help")) {
        PIM_TRY(rule.help, textOf(object, "help", at));
    }
    if (!object.contains("when") || !object["when"].is_array() || object["when"].empty())
        return (at / "when").wrong("must be a list of conditions, at least one");
    for (std::size_t i = 0; i < object["when"].size(); ++i) {
        PIM_TRY(AdviceCondition condition, conditionOf(object["when"][i], at / "when" / i));
        rule.conditions.push_back(std::move(condition));
    }
    return rule;
}

std::optional<double> valueOf(const FactRef& ref, const Facts& facts, const Facts* other) {
    const Facts* from = ref.other ? other : &facts;
    if (!from)
        return std::nullopt;
    const auto at = from->find(ref.key);
    return at == from->end() ? std::nullopt : std::optional(at->second);
}

bool holds(const AdviceCondition& condition, const Facts& facts, const Facts* other) {
    const auto value = valueOf(condition.fact, facts, other);
    double limit = condition.number;
    if (condition.against) {
        const auto against = valueOf(*condition.against, facts, other);
        if (!against)
            return false;
        limit *= *against;
    }
    if (!value)
        return false;
    switch (condition.relation) {
    case AdviceCondition::Relation::Above:
        return *value > limit;
    case AdviceCondition::Relation::Below:
        return *value < limit;
    case AdviceCondition::Relation::AtLeast:
        return *value >= limit;
    case AdviceCondition::Relation::AtMost:
        return *value <= limit;
    }
    return false;
}

/// The text with its facts; absent if one of them is not known.
std::optional<std::string> filled(const std::string& pattern, const Facts& facts, const Facts* other) {
    std::string text;
    bool complete = true;
    walkTemplate(
        pattern, [&](std::string_view plain) { text += plain; },
        [&](std::string_view name) {
            const auto ref = factRef(name, {});
            const auto value = ref ? valueOf(*ref, facts, other) : std::nullopt;
            complete = complete && value;
            if (value)
                text += factText(findFact(ref->key)->unit, *value);
        });
    return complete ? std::optional(text) : std::nullopt;
}

std::vector<std::filesystem::path> ruleFiles(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored; // a folder that is not there holds no rules
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::vector<std::filesystem::path> ruleFolders(const std::vector<std::filesystem::path>& extra) {
    std::vector<std::filesystem::path> folders{resourceDir() / "rules"};
    if (const char* listed = std::getenv("PIM_RULE_PATH")) {
        std::istringstream stream(listed);
        for (std::string folder; std::getline(stream, folder, ':');)
            if (!folder.empty())
                folders.emplace_back(folder);
    }
    if (const auto config = configDir(); !config.empty())
        folders.push_back(config / "rules");
    folders.insert(folders.end(), extra.begin(), extra.end());
    return folders;
}

Result<std::vector<AdviceRule>> readFile(const std::filesystem::path& file) {
    PIM_TRY(const std::string text, fileText(file));
    PIM_TRY(auto rules, adviceFromJson(text, file.string()));
    for (AdviceRule& rule : rules)
        rule.file = file;
    return rules;
}

} // namespace

Result<std::vector<AdviceRule>> adviceFromJson(std::string_view text, std::string_view where) {
    const At at{where, ""};
    const nlohmann::json root = nlohmann::json::parse(text, nullptr, false);
    if (root.is_discarded())
        return at.wrong("is not JSON");
    PIM_CHECK(checkKeys(root, {"format", "version", "rules"}, at));
    if (root.value("format", nlohmann::json()) != "pim-rules" || root.value("version", nlohmann::json()) != 1)
        return at.wrong("is no file of rules", R"(Begin it with "format": "pim-rules", "version": 1)");
    if (!root.contains("rules") || !root["rules"].is_array())
        return (at / "rules").wrong("must be a list of rules");
    std::vector<AdviceRule> rules;
    for (std::size_t i = 0; i < root["rules"].size(); ++i) {
        PIM_TRY(AdviceRule rule, ruleOf(root["rules"][i], at / "rules" / i));
        if (std::any_of(rules.begin(), rules.end(),
                        [&](const AdviceRule& known) { return known.id == rule.id; }))
            return (at / "rules" / i / "id").wrong(fmt::format("\"{}\" is there twice", rule.id));
        rules.push_back(std::move(rule));
    }
    return rules;
}

AdviceRules loadAdvice(const std::vector<std::filesystem::path>& extraFolders) {
    AdviceRules all;
    for (const auto& folder : ruleFolders(extraFolders))
        for (const auto& file : ruleFiles(folder)) {
            auto rules = readFile(file);
            if (!rules) {
                all.problems.push_back(
                    {Severity::Warning, rules.error().where, rules.error().message, rules.error().hint});
                continue;
            }
            for (AdviceRule& rule : *rules) {
                const auto known = std::find_if(all.rules.begin(), all.rules.end(),
                                                [&](const AdviceRule& r) { return r.id == rule.id; });
                if (known == all.rules.end())
                    all.rules.push_back(std::move(rule));
                else
                    *known = std::move(rule);
            }
        }
    return all;
}

std::vector<Advice> advise(const std::vector<AdviceRule>& rules, const Facts& facts, const Facts* other) {
    std::vector<Advice> advice;
    for (const AdviceRule& rule : rules)
        if (std::all_of(rule.conditions.begin(), rule.conditions.end(),
                        [&](const AdviceCondition& c) { return holds(c, facts, other); }))
            if (auto text = filled(rule.text, facts, other))
                advice.push_back({rule.id, std::move(*text), rule.help});
    return advice;
}

} // namespace pim
