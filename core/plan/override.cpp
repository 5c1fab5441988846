// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/override.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pim {
namespace {

using Json = nlohmann::json; // sorts its keys: equal sets are equal texts

constexpr int kMaxDepth = 8; // {"ops": {op: {field: {rest: value}}}} needs 4

using Values = std::map<std::pair<std::string, std::string>, std::string>;

std::string escaped(std::string_view token) {
    std::string text;
    for (const char c : token)
        text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

/// A field "residency/W" is the member "W" of an object "residency"; the rest may hold further slashes.
void put(Json& fields, const std::string& field, const std::string& value) {
    const auto slash = field.find('/');
    if (slash == std::string::npos)
        fields[field] = value;
    else
        fields[field.substr(0, slash)][field.substr(slash + 1)] = value;
}

Json toJson(const std::vector<Override>& decisions) {
    Json json{{"ops", Json::object()}, {"network", Json::object()}};
    for (const Override& decision : decisions)
        put(decision.op.empty() ? json["network"] : json["ops"][decision.op], decision.field, decision.value);
    return json;
}

/// Reads the object form; every failure names the JSON pointer.
class Reader {
public:
    explicit Reader(std::string_view where) : m_where(where) {}

    Result<Overrides> read(const Json& json) {
        if (!json.is_object())
            return wrong("", fmt::format("found {}, expected an object with \"ops\" and \"network\"",
                                         json.type_name()));
        for (const auto& [key, value] : json.items()) {
            const std::string at = "/" + escaped(key);
            if (key != "ops" && key != "network")
                return wrong(at, "unknown key; expected \"ops\" or \"network\"");
            if (!value.is_object())
                return wrong(at, fmt::format("found {}, expected an object", value.type_name()));
            if (key == "network") {
                PIM_CHECK(fields(value, "", at));
                continue;
            }
            for (const auto& [op, decisions] : value.items()) {
                const std::string atOp = at + "/" + escaped(op);
                if (op.empty())
                    return wrong(atOp,
                                 "an op has a name; decisions for the whole network go under \"network\"");
                if (!decisions.is_object())
                    return wrong(atOp, fmt::format("found {}, expected an object of field: value",
                                                   decisions.type_name()));
                PIM_CHECK(fields(decisions, op, atOp));
            }
        }
        return m_result;
    }

private:
    tl::unexpected<Error> wrong(const std::string& pointer, std::string message) const {
        return fail(ErrorCode::IllegalOverride, std::move(message),
                    fmt::format("{}: {}", m_where, pointer.empty() ? "/" : pointer));
    }

    /// A whole number as it is written: "replicas": 12.
    Result<std::string> textOf(const Json& value, const std::string& at) const {
        if (value.is_string())
            return value.get<std::string>();
        if (value.is_number_integer())
            return value.dump();
        return wrong(at, fmt::format("found {}, expected text or a whole number", value.type_name()));
    }

    Result<void> fields(const Json& object, const std::string& op, const std::string& at) {
        for (const auto& [field, value] : object.items()) {
            const std::string atField = at + "/" + escaped(field);
            if (field.empty() || field.find('/') != std::string::npos)
                return wrong(atField, "a field is a word such as \"placement\" or \"draft\"");
            if (!value.is_object()) {
                PIM_TRY(std::string text, textOf(value, atField));
                m_result.set({op, field, std::move(text)});
                continue;
            }
            for (const auto& [rest, inner] : value.items()) {
                const std::string atRest = atField + "/" + escaped(rest);
                if (rest.empty())
                    return wrong(atRest, "a field has a name");
                PIM_TRY(std::string text, textOf(inner, atRest));
                m_result.set({op, field + "/" + rest, std::move(text)});
            }
        }
        return {};
    }

    std::string m_where;
    Overrides m_result;
};

/// From the document itself down: what is made on the way is then a member of an object, where "/a/4000000000/b" made at once would
/// be an array of that many elements.
std::vector<Json::json_pointer> parentsOf(Json::json_pointer pointer) {
    std::vector<Json::json_pointer> parents;
    while (!pointer.empty()) {
        pointer.pop_back();
        parents.push_back(pointer);
    }
    std::ranges::reverse(parents);
    return parents;
}

/// Applies RFC 6902 step by step, so that a failure names the step. More lenient than the standard in one point: "add"
/// makes the objects on the way to its target, because nobody wants to add "/ops/Conv_1" first.
Result<Json> applyPatch(Json document, const Json& patch, std::string_view where) {
    for (std::size_t i = 0; i < patch.size(); ++i) {
        const Json& step = patch[i];
        const std::string at = fmt::format("{}: /{}", where, i);
        const auto wrong = [&](std::string message) {
            return fail(ErrorCode::IllegalOverride, std::move(message), at);
        };
        if (!step.is_object() || !step.contains("op") || !step["op"].is_string() || !step.contains("path") ||
            !step["path"].is_string())
            return wrong("a step of a JSON Patch is an object with the texts \"op\" and \"path\"");
        const auto operation = step["op"].get<std::string>(), path = step["path"].get<std::string>();
        if (operation != "add" && operation != "replace" && operation != "remove")
            return wrong(fmt::format("unknown operation \"{}\"; allowed: add, replace, remove", operation));
        if (operation != "remove" && !step.contains("value"))
            return wrong(fmt::format("\"{}\" needs a \"value\"", operation));
        if (const auto depth = std::ranges::count(path, '/'); depth > kMaxDepth)
            return wrong(fmt::format("the path has {} parts, may have at most {}: /ops/OP/FIELD/REST", depth,
                                     kMaxDepth));
        try {
            const Json::json_pointer pointer(path);
            if (operation == "add")
                for (const Json::json_pointer& parent : parentsOf(pointer)) {
                    if (!document.contains(parent))
                        document[parent] = Json::object();
                    else if (!document[parent].is_object())
                        return wrong(fmt::format("\"{}\" is no object, so nothing can be added under it",
                                                 parent.to_string()));
                }
            document = document.patch(Json::array({step}));
        } catch (const Json::exception&) {
            return wrong(fmt::format("there is nothing at \"{}\" to {}", path, operation));
        }
    }
    return document;
}

} // namespace

std::optional<std::string> Overrides::set(const Override& decision) {
    auto [at, isNew] = m_values.try_emplace({decision.op, decision.field}, decision.value);
    if (isNew)
        return std::nullopt;
    return std::exchange(at->second, decision.value);
}

std::optional<std::string> Overrides::clear(const std::string& op, const std::string& field) {
    const auto at = m_values.find({op, field});
    if (at == m_values.end())
        return std::nullopt;
    auto before = std::move(at->second);
    m_values.erase(at);
    return before;
}

const std::string* Overrides::find(const std::string& op, const std::string& field) const {
    const auto at = m_values.find({op, field});
    return at == m_values.end() ? nullptr : &at->second;
}

std::vector<Override> Overrides::all() const {
    std::vector<Override> decisions;
    decisions.reserve(m_values.size());
    for (const auto& [key, value] : m_values)
        decisions.push_back({key.first, key.second, value});
    return decisions;
}

std::string Overrides::json() const {
    return toJson(all()).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Overrides> Overrides::fromJson(std::string_view text, const Overrides& base, std::string_view where) {
    bool tooDeep = false;
    Json json;
    try {
        json = Json::parse(text, [&tooDeep](int depth, Json::parse_event_t, const Json&) {
            tooDeep = tooDeep || depth > kMaxDepth;
            return !tooDeep;
        });
    } catch (const Json::parse_error& error) {
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(error.byte, text.size()));
        return fail(ErrorCode::IllegalOverride, "not JSON: " + std::string(error.what()),
                    fmt::format("{}:{}", where, 1 + std::count(text.begin(), end, '\n')));
    } catch (const Json::exception& error) { // a number beyond all that can be written
        return fail(ErrorCode::IllegalOverride, "not JSON: " + std::string(error.what()), std::string(where));
    }
    if (tooDeep)
        return fail(ErrorCode::IllegalOverride, fmt::format("nested deeper than {} levels", kMaxDepth),
                    std::string(where));
    if (json.is_array()) {
        PIM_TRY(json, applyPatch(toJson(base.all()), Json(json), where));
        return Reader(where).read(json);
    }
    return Reader(where).read(json);
}

std::string Overrides::patch(const Overrides& before, const Overrides& after) {
    return Json::diff(toJson(before.all()), toJson(after.all()))
               .dump(2, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

} // namespace pim
