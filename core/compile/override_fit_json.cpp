// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/override_fit.h"

#include "core/base/json_number.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim {
namespace {

using SortedJson = nlohmann::json; // sorts its keys: equal decisions are equal texts

constexpr int kMaxFitDepth = 8;
constexpr std::string_view kMarks = "/marks/"; ///< JSON pointer of what is ours in a patch.

SortedJson markJson(const OpMark& mark) {
    return {{"type", mark.type},   {"shapes", mark.shapes}, {"position", mark.position}, {"nth", mark.nth},
            {"alike", mark.alike}, {"inputs", mark.inputs}, {"output", mark.output}};
}

SortedJson marksJson(const OpMarks& marks) {
    SortedJson json = SortedJson::object();
    for (const auto& [op, mark] : marks)
        json[op] = markJson(mark);
    return json;
}

std::string dumped(const SortedJson& json) {
    return json.dump(2, ' ', false, SortedJson::error_handler_t::replace) + "\n";
}

tl::unexpected<Error> wrong(std::string_view where, const std::string& pointer, std::string message) {
    return fail(ErrorCode::IllegalOverride, std::move(message), fmt::format("{}: {}", where, pointer));
}

Result<OpMark> readMark(const SortedJson& json, std::string_view where, const std::string& pointer) {
    OpMark mark;
    if (!json.is_object())
        return wrong(where, pointer,
                     fmt::format("found {}, expected an object that tells how the op is found again",
                                 json.type_name()));
    try {
        mark.type = json.at("type").get<std::string>();
        mark.shapes = json.at("shapes").get<std::string>();
        mark.position = wholeNumber<std::int64_t>(json.at("position"));
        mark.nth = wholeNumber<std::int64_t>(json.at("nth"));
        mark.alike = wholeNumber<std::int64_t>(json.at("alike"));
        mark.inputs = json.at("inputs").get<std::vector<std::string>>();
        mark.output = json.at("output").get<std::string>();
    } catch (const std::exception&) {
        return wrong(where, pointer,
                     "expected the texts type, shapes and output, the whole numbers position, nth and alike, "
                     "and the list inputs");
    }
    if (mark.position < 0 || mark.nth < 0 || mark.nth >= mark.alike)
        return wrong(where, pointer,
                     fmt::format("position {}, nth {} of {} alike: must be 0 or more, and nth below alike",
                                 mark.position, mark.nth, mark.alike));
    return mark;
}

std::string unescaped(std::string_view token) {
    std::string text;
    for (std::size_t i = 0; i < token.size(); ++i)
        if (token[i] == '~' && i + 1 < token.size())
            text += token[++i] == '1' ? '/' : '~';
        else
            text += token[i];
    return text;
}

std::string escapedPointer(std::string_view token) {
    std::string text;
    for (const char c : token)
        text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

/// Applies the steps about marks and leaves the others.
Result<SortedJson> takeMarkSteps(const SortedJson& patch, OpMarks& marks, std::string_view where) {
    SortedJson others = SortedJson::array();
    for (const SortedJson& step : patch) {
        const std::string path = step.is_object() && step.contains("path") && step["path"].is_string()
                                     ? step["path"].get<std::string>()
                                     : "";
        if (!path.starts_with(kMarks)) {
            others.push_back(step);
            continue;
        }
        const std::string op = unescaped(std::string_view(path).substr(kMarks.size()));
        if (step.contains("op") && step["op"] == "remove") {
            marks.erase(op);
            continue;
        }
        PIM_TRY(marks[op], readMark(step.contains("value") ? step["value"] : SortedJson(), where, path));
    }
    return others;
}

} // namespace

std::string decisionsJson(const MarkedOverrides& decisions) {
    SortedJson json = SortedJson::parse(decisions.overrides.json());
    json["marks"] = marksJson(decisions.marks);
    return dumped(json);
}

Result<MarkedOverrides> decisionsFromJson(std::string_view text, const MarkedOverrides& base,
                                          std::string_view where) {
    bool isTooDeep = false;
    SortedJson json = SortedJson::parse(
        text,
        [&](int depth, SortedJson::parse_event_t, const SortedJson&) {
            isTooDeep = isTooDeep || depth > kMaxFitDepth;
            return !isTooDeep;
        },
        false);
    MarkedOverrides result{{}, base.marks};
    if (isTooDeep || json.is_discarded() || !(json.is_object() || json.is_array())) {
        PIM_TRY(result.overrides,
                Overrides::fromJson(text, base.overrides, where)); // which says what is wrong
        return result;
    }
    if (json.is_array()) {
        PIM_TRY(json, takeMarkSteps(SortedJson(json), result.marks, where));
    } else if (json.contains("marks")) {
        result.marks.clear();
        if (!json["marks"].is_object())
            return wrong(where, "/marks",
                         fmt::format("found {}, expected an object of op: mark", json["marks"].type_name()));
        for (const auto& [op, mark] : json["marks"].items()) {
            PIM_TRY(result.marks[op], readMark(mark, where, std::string(kMarks) + escapedPointer(op)));
        }
        json.erase("marks");
    } else {
        result.marks.clear();
    }
    PIM_TRY(result.overrides, Overrides::fromJson(dumped(json), base.overrides, where));
    return result;
}

std::string decisionsPatch(const MarkedOverrides& before, const MarkedOverrides& after) {
    SortedJson patch = SortedJson::parse(Overrides::patch(before.overrides, after.overrides));
    for (const auto& [op, mark] : before.marks)
        if (!after.marks.contains(op))
            patch.push_back({{"op", "remove"}, {"path", std::string(kMarks) + escapedPointer(op)}});
    for (const auto& [op, mark] : after.marks) {
        const auto old = before.marks.find(op);
        if (old == before.marks.end() || old->second != mark)
            patch.push_back({{"op", old == before.marks.end() ? "add" : "replace"},
                             {"path", std::string(kMarks) + escapedPointer(op)},
                             {"value", markJson(mark)}});
    }
    return dumped(patch);
}

} // namespace pim
