// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/json_check.h"

#include "core/base/mapped_file.h"
#include "core/base/utf8.h"
#include "core/hardware/spelling.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>

namespace pim {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxFileBytes = 4 << 20; // the shipped files have about 20 KiB
constexpr int kMaxDepth = 32;                  // a target needs 7
constexpr std::size_t kMaxViolations = 200;

struct TooDeep {};

std::string cut(std::string text) {
    return columnsOf(text) <= 60 ? text : std::string(withinColumns(text, 57)).append("...");
}

/// A value as a person would recognise it in the file; ASCII only, so it can be cut anywhere.
std::string seen(const json& value) {
    switch (value.type()) {
    case json::value_t::object:
        return "an object";
    case json::value_t::array:
        return fmt::format("an array of {}", value.size());
    case json::value_t::string:
        return cut(json(value.get_ref<const std::string&>().substr(0, 200))
                       .dump(-1, ' ', true, json::error_handler_t::replace));
    default:
        return cut(value.dump());
    }
}

std::string inQuotes(std::string_view text) {
    return seen(json(std::string(text.substr(0, 200))));
}

bool hasType(const json& value, std::string_view type) {
    if (type == "object")
        return value.is_object();
    if (type == "array")
        return value.is_array();
    if (type == "string")
        return value.is_string();
    if (type == "boolean")
        return value.is_boolean();
    if (type == "number")
        return value.is_number();
    PIM_ASSERT(type == "integer", "the schema names a type we check");
    return value.is_number_integer() ||
           (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
}

bool isId(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

bool isDottedName(std::string_view text) {
    return text.find('.') != std::string_view::npos && text.front() != '.' && text.back() != '.' &&
           text.find("..") == std::string_view::npos && std::ranges::all_of(text, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_';
           });
}

/// Of a value in a document; text only where something is said of it.
struct Path {
    const Path* above = nullptr;
    const std::string* member = nullptr;
    std::optional<std::size_t> item;

    std::string text() const {
        if (!above)
            return "$";
        if (member)
            return fmt::format("{}.{}", above->text(), cut(*member));
        return item ? fmt::format("{}[{}]", above->text(), *item) : above->text() + " (the key)";
    }
};

class Validator {
public:
    Validator(const json& definitions, std::string_view where) : m_definitions(definitions), m_where(where) {}

    void check(const json& value, const json& rule, const Path& path) {
        if (full())
            return;
        if (const auto type = rule.find("type"); type != rule.end() && !checkType(value, *type, path))
            return; // whatever else is said about it would only repeat this
        if (const auto ref = rule.find("$ref"); ref != rule.end())
            check(value, resolve(ref->get_ref<const std::string&>()), path);
        checkChoice(value, rule, path);
        if (value.is_object())
            checkObject(value, rule, path);
        else if (value.is_array())
            checkArray(value, rule, path);
        else if (value.is_string())
            checkString(value.get_ref<const std::string&>(), rule, path);
        else if (value.is_number())
            checkNumber(value, rule, path);
    }

    Diagnostics take() { return std::move(m_found); }

private:
    bool full() const { return m_found.size() >= kMaxViolations; }

    void report(const Path& path, std::string message, std::string hint = {}) {
        if (!full())
            m_found.push_back({Severity::Error, fmt::format("{}:{}", m_where, path.text()),
                               std::move(message), std::move(hint)});
    }

    const json& resolve(const std::string& ref) const {
        constexpr std::string_view kPrefix = "#/$defs/";
        PIM_ASSERT(ref.starts_with(kPrefix), "the schema refers to its own $defs only");
        return m_definitions.at(ref.substr(kPrefix.size()));
    }

    bool checkType(const json& value, const json& type, const Path& path) {
        const std::vector<std::string> types =
            type.is_array() ? type.get<std::vector<std::string>>() : std::vector{type.get<std::string>()};
        if (std::ranges::any_of(types, [&](const std::string& t) { return hasType(value, t); }))
            return true;
        report(path, fmt::format("is {}, must be {}", seen(value), fmt::join(types, " or ")));
        return false;
    }

    void checkChoice(const json& value, const json& rule, const Path& path) {
        if (const auto constant = rule.find("const"); constant != rule.end() && value != *constant)
            report(path, fmt::format("is {}, must be {}", seen(value), seen(*constant)));
        const auto choices = rule.find("enum");
        if (choices == rule.end() || std::ranges::find(*choices, value) != choices->end())
            return;
        const auto words = choices->get<std::vector<std::string>>();
        report(path, fmt::format("is {}, must be one of {}", seen(value), fmt::join(words, ", ")),
               value.is_string() ? didYouMean(value.get_ref<const std::string&>(), words) : std::string());
    }

    void checkObject(const json& value, const json& rule, const Path& path) {
        if (const auto required = rule.find("required"); required != rule.end())
            for (const json& key : *required)
                if (!value.contains(key.get_ref<const std::string&>()))
                    report(path, fmt::format("{} is missing", seen(key)));
        if (const auto minimum = rule.find("minProperties");
            minimum != rule.end() && value.size() < minimum->get<std::size_t>())
            report(path,
                   fmt::format("has {} entries, must have at least {}", value.size(), minimum->get<int>()));

        const auto properties = rule.find("properties");
        const auto names = rule.find("propertyNames");
        const auto others = rule.find("additionalProperties");
        for (const auto& [key, member] : value.items()) {
            if (full())
                return;
            const Path memberPath{&path, &key};
            if (names != rule.end())
                check(json(key), *names, {&memberPath});
            if (properties != rule.end() && properties->contains(key))
                check(member, properties->at(key), memberPath);
            else if (others != rule.end() && others->is_object())
                check(member, *others, memberPath);
            else if (others != rule.end() && !others->get<bool>())
                reportUnknown(key, *properties, path);
        }
    }

    void reportUnknown(const std::string& key, const json& properties, const Path& path) {
        std::vector<std::string> known;
        for (const auto& property : properties.items())
            known.push_back(property.key());
        report(path,
               fmt::format("has the unknown key {}, allowed are {}", inQuotes(key), fmt::join(known, ", ")),
               didYouMean(key, known));
    }

    void checkArray(const json& value, const json& rule, const Path& path) {
        std::size_t checked = value.size();
        if (const auto minimum = rule.find("minItems");
            minimum != rule.end() && value.size() < minimum->get<std::size_t>())
            report(path,
                   fmt::format("has {} items, must have at least {}", value.size(), minimum->get<int>()));
        if (const auto maximum = rule.find("maxItems");
            maximum != rule.end() && value.size() > maximum->get<std::size_t>()) {
            checked = maximum->get<std::size_t>();
            report(path, fmt::format("has {} items, may have at most {}", value.size(), checked));
        }
        if (const auto items = rule.find("items"); items != rule.end())
            for (std::size_t i = 0; i < checked && !full(); ++i)
                check(value[i], *items, {&path, nullptr, i});
        if (rule.value("uniqueItems", false)) {
            std::set<json> once;
            for (std::size_t i = 0; i < checked && !full(); ++i)
                if (!once.insert(value[i]).second)
                    report({&path, nullptr, i}, fmt::format("{} stands twice in the list", seen(value[i])));
        }
    }

    void checkString(const std::string& text, const json& rule, const Path& path) {
        const std::size_t length = codePoints(text);
        if (length < rule.value("minLength", std::size_t{0}))
            report(path, fmt::format("is {}, must have at least {} characters", inQuotes(text),
                                     rule["minLength"].get<int>()));
        if (length > rule.value("maxLength", std::string::npos)) {
            report(path, fmt::format("has {} characters, may have at most {}", length,
                                     rule["maxLength"].get<int>()));
            return;
        }
        const std::string format = rule.value("format", "");
        if (format == "id" && !text.empty() && !isId(text))
            report(path, fmt::format("is {}, must be made of a-z, 0-9, - and _", inQuotes(text)));
        if (format == "dotted-name" && !isDottedName(text.empty() ? "?" : text))
            report(path, fmt::format(
                             "is {}, must be words of letters and digits joined by dots, such as timing.tCK",
                             inQuotes(text)));
    }

    void checkNumber(const json& value, const json& rule, const Path& path) {
        const double number = value.get<double>();
        if (const auto limit = rule.find("minimum"); limit != rule.end() && number < limit->get<double>())
            report(path, fmt::format("is {}, must be at least {}", seen(value), seen(*limit)));
        if (const auto limit = rule.find("exclusiveMinimum");
            limit != rule.end() && number <= limit->get<double>())
            report(path, fmt::format("is {}, must be more than {}", seen(value), seen(*limit)));
        if (const auto limit = rule.find("maximum"); limit != rule.end() && number > limit->get<double>())
            report(path, fmt::format("is {}, may be at most {}", seen(value), seen(*limit)));
    }

    const json& m_definitions;
    std::string m_where;
    Diagnostics m_found;
};

/// nlohmann says "[json.exception.parse_error.101] parse error at line 1, column 5: …".
std::string readable(std::string_view what) {
    const auto bracket = what.find("] ");
    std::string text(bracket == std::string_view::npos ? what : what.substr(bracket + 2));
    text = text.substr(0, 300);
    // A syntax error quotes what it read, which may be bytes of no text at all.
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
            c = '?';
    return text;
}

} // namespace

struct JsonSchema::Parsed {
    json whole;
};

JsonSchema::JsonSchema(std::unique_ptr<const Parsed> schema) : m_schema(std::move(schema)) {}
JsonSchema::~JsonSchema() = default;

Result<std::shared_ptr<const JsonSchema>> JsonSchema::read(const std::filesystem::path& file) {
    static std::mutex mutex;
    static std::map<std::filesystem::path, std::shared_ptr<const JsonSchema>> known;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const JsonSchema>& schema = known[file];
    if (schema)
        return schema;
    const auto bytes = MappedFile::open(file);
    if (!bytes)
        return fail(ErrorCode::Io, "cannot read the schema that files are checked with", file.string(),
                    "reinstall, or set PIM_RESOURCE_DIR to the resources folder");
    const auto* const begin = reinterpret_cast<const char*>((*bytes)->bytes().data());
    json parsed = json::parse(begin, begin + (*bytes)->bytes().size(), nullptr, false);
    if (parsed.is_discarded() || !parsed.is_object() || !parsed.contains("$defs"))
        return fail(ErrorCode::Io, "is no schema: it is damaged", file.string(),
                    "reinstall, or set PIM_RESOURCE_DIR to the resources folder");
    schema.reset(new JsonSchema(std::make_unique<const Parsed>(Parsed{std::move(parsed)})));
    return schema;
}

Diagnostics JsonSchema::check(std::string_view text, std::string_view definition,
                              std::string_view where) const {
    Diagnostics found;
    const auto formError = [&](std::string message, std::string hint = {}) {
        found.push_back({Severity::Error, std::string(where), std::move(message), std::move(hint)});
        return found;
    };
    if (text.size() > kMaxFileBytes)
        return formError(fmt::format("has {} bytes, may have at most {}", text.size(), kMaxFileBytes));

    // JSON allows a key twice and the last one wins; here that is always a mistake nobody would see.
    struct OpenObject {
        std::set<std::string> keys;
        std::string current;
    };
    std::vector<OpenObject> open;
    const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
        if (depth > kMaxDepth)
            throw TooDeep{};
        if (event == json::parse_event_t::object_start) {
            open.emplace_back();
        } else if (event == json::parse_event_t::object_end) {
            open.pop_back();
        } else if (event == json::parse_event_t::key) {
            auto& object = open.back();
            object.current = parsed.get<std::string>();
            if (!object.keys.insert(object.current).second && found.size() < kMaxViolations) {
                std::string path = "$";
                for (std::size_t i = 0; i + 1 < open.size(); ++i)
                    path += fmt::format(".{}", cut(open[i].current));
                found.push_back(
                    {Severity::Error,
                     fmt::format("{}:{}", where, path),
                     fmt::format("the key {} stands twice in one object", inQuotes(object.current)),
                     {}});
            }
        }
        return true;
    };
    json document;
    try {
        document = json::parse(text, watch);
    } catch (const TooDeep&) {
        return formError(fmt::format("is nested deeper than {} levels", kMaxDepth));
    } catch (const json::exception& error) {
        return formError(fmt::format("is not JSON: {}", readable(error.what())));
    }
    try {
        const json& definitions = m_schema->whole.at("$defs");
        Validator validator(definitions, where);
        validator.check(document, definitions.at(std::string(definition)), {});
        Diagnostics violations = validator.take();
        found.insert(found.end(), std::make_move_iterator(violations.begin()),
                     std::make_move_iterator(violations.end()));
    } catch (const json::exception& error) {
        return formError(
            fmt::format("cannot be checked because the schema itself is damaged: {}", readable(error.what())),
            "reinstall, or set PIM_RESOURCE_DIR to the resources folder");
    }
    return found;
}

Error violationsError(const Diagnostics& diagnostics, std::string_view what, std::string_view where) {
    const auto errors = std::ranges::count(diagnostics, Severity::Error, &Diagnostic::severity);
    const auto first = std::ranges::find(diagnostics, Severity::Error, &Diagnostic::severity);
    std::string message = fmt::format("{} {}", first->object, first->message);
    if (errors > 1)
        message += fmt::format(" (and {} more violations)", errors - 1);
    return {ErrorCode::InvalidTarget, fmt::format("not a valid {}: {}", what, message), std::string(where),
            first->hint};
}

} // namespace pim
