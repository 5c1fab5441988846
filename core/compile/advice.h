// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Advice as data: rules in resources/rules/*.json, each a condition over facts, a text and a help page.
/// Users add their own without building anything. Flow: files -> [AdviceRules] + Facts -> Advice. Format:
/// resources/rules/README.md.
#include "core/base/result.h"
#include "core/compile/facts.h"

#include <filesystem>
#include <optional>

namespace pim {

/// A fact of the draft looked at, or, with `other`, of the one it is compared with.
struct FactRef {
    std::string key;
    bool other = false;
};

/// "input_bytes above 1.5 times other.input_bytes"
struct AdviceCondition {
    enum class Relation : std::uint8_t { Above, Below, AtLeast, AtMost };
    FactRef fact;
    Relation relation = Relation::Above;
    double number = 0; ///< Compared with, or, where there is a fact, its factor.
    std::optional<FactRef> against;
};

struct AdviceRule {
    std::string id;                          ///< "few-cores"; a later file replaces rules by it.
    std::vector<AdviceCondition> conditions; ///< All must hold. A fact that is not known holds never.
    std::string text;                        ///< "Only {cores_used} of {cores_total} cores …"
    std::string help;                        ///< Page of resources/help; may be empty.
    std::filesystem::path file;
};

struct AdviceRules {
    std::vector<AdviceRule> rules; ///< In the order of the files and in them.
    Diagnostics problems;          ///< Files that were left out.
};

/// What a rule says about a case at hand.
struct Advice {
    std::string id, text, help;
};

/// Reads one file. Error::InvalidFile with the JSON path, what is wrong and what is allowed.
Result<std::vector<AdviceRule>> adviceFromJson(std::string_view json, std::string_view where);
/// The shipped folder, the folders of $PIM_RULE_PATH (colon-separated), the folder `rules` of the user's
/// configuration and \p extraFolders, *.json in order of their names. A bad file does not hide the good ones.
AdviceRules loadAdvice(const std::vector<std::filesystem::path>& extraFolders = {});

/// What the rules say about \p facts, in their order. \param other facts compared with; null: rules that ask
/// for them are silent.
std::vector<Advice> advise(const std::vector<AdviceRule>& rules, const Facts& facts,
                           const Facts* other = nullptr);

} // namespace pim
