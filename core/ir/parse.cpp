// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/parse.h"

#include "core/ir/parse_types.h"
#include "core/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace pim::ir {

namespace {

constexpr std::size_t kMostOperands = 1'000'000;

class Parser {
public:
    Parser(std::string_view text, std::string_view name) : m_in(text, name), m_name(name) {}
    Result<ParsedModule> parse();

private:
    struct Names { ///< "%acc:2 = ": the name and how many values it stands for.
        std::string_view name;
        std::size_t token = 0;
        std::uint32_t count = 0;
    };
    struct Uses { ///< Values by name, before their types are known.
        std::vector<ValueId> values;
        std::vector<std::size_t> tokens;
    };

    void readLevel();
    Result<void> operation(int depth);
    Result<Names> results();
    Result<Uses> operands();
    Result<ValueId> use();
    Result<void> region(OperationId op, std::uint32_t r, int depth);
    Result<void> regions(OperationId op, std::uint32_t count, int depth);
    Result<Attributes> attributes();
    Result<std::vector<Type>> trailingTypes(const Uses& uses);
    Result<void> location();
    Result<void> define(std::string_view name, std::size_t token, ValueId value);
    Result<void> skipRegions(std::uint32_t& count);
    Result<void> verifyAll();

    TextScanner m_in;
    std::string m_name;
    Module m_module;
    Builder m_builder{m_module};
    std::vector<std::size_t> m_tokens;                 ///< Where each op stands.
    std::unordered_map<std::string, ValueId> m_values; ///< "acc", "acc#1"
    std::vector<std::string> m_defined;                ///< In order, to forget those of a region.
};

void Parser::readLevel() {
    constexpr std::string_view kMark = "// level ";
    if (m_in.text().starts_with(kMark)) {
        m_in.advance(kMark.size());
        std::string level(takeName(m_in));
        while (m_in.peek() == '+') { // several dialects of one level: "cnm+cim"
            m_in.advance();
            level += "+" + std::string(takeName(m_in));
        }
        m_module = Module(std::move(level));
    }
}

Result<void> Parser::define(std::string_view name, std::size_t token, ValueId value) {
    if (!m_values.try_emplace(std::string(name), value).second)
        return m_in.errorAt(token, fmt::format("%{} is set a second time", name));
    m_defined.emplace_back(name);
    return {};
}

Result<Parser::Names> Parser::results() {
    Names names;
    skipSpace(m_in);
    if (m_in.peek() != '%')
        return names;
    names.token = m_in.at();
    m_in.advance();
    names.name = takeName(m_in);
    names.count = 1;
    if (names.name.empty())
        return m_in.error("expected a name behind %");
    if (takeToken(m_in, ":")) {
        PIM_TRY(const std::int64_t count, parseInteger(m_in));
        if (count < 1 || count > 1000)
            return m_in.error(fmt::format("{} results are not within 1 to 1000", count));
        names.count = static_cast<std::uint32_t>(count);
    }
    PIM_CHECK(expectToken(m_in, "="));
    return names;
}

Result<ValueId> Parser::use() {
    PIM_CHECK(expectToken(m_in, "%"));
    const std::size_t begin = m_in.at();
    takeName(m_in);
    if (m_in.peek() == '#') {
        m_in.advance();
        takeName(m_in);
    }
    const std::string name(m_in.text().substr(begin, m_in.at() - begin));
    auto found = m_values.find(name);
    if (found == m_values.end() && name.ends_with("#0"))
        found = m_values.find(name.substr(0, name.size() - 2));
    if (found == m_values.end())
        return m_in.errorAt(begin - 1, fmt::format("%{} is not set before it is used", name),
                            "values are set once, above their uses and not inside another region");
    return found->second;
}

Result<Parser::Uses> Parser::operands() {
    PIM_CHECK(expectToken(m_in, "("));
    Uses uses;
    if (takeToken(m_in, ")"))
        return uses;
    do {
        skipSpace(m_in);
        uses.tokens.push_back(m_in.at());
        PIM_TRY(const ValueId value, use());
        uses.values.push_back(value);
        if (uses.values.size() > kMostOperands)
            return m_in.error("more than a million operands");
    } while (takeToken(m_in, ","));
    PIM_CHECK(expectToken(m_in, ")"));
    return uses;
}

Result<Attributes> Parser::attributes() {
    Attributes attributes;
    skipSpace(m_in);
    if (!takeToken(m_in, "{") || takeToken(m_in, "}"))
        return attributes;
    do {
        skipSpace(m_in);
        const std::size_t token = m_in.at();
        std::string name(takeName(m_in));
        if (name.empty())
            return m_in.error("expected the name of an attribute");
        Attribute value = unit();
        if (takeToken(m_in, "=")) {
            PIM_TRY(value, parseAttribute(m_in));
        }
        const auto place = std::ranges::lower_bound(attributes, name, {}, &NamedAttribute::name);
        if (place != attributes.end() && place->name == name)
            return m_in.errorAt(token, "this attribute stands here twice");
        attributes.insert(place, {std::move(name), std::move(value)});
    } while (takeToken(m_in, ","));
    PIM_CHECK(expectToken(m_in, "}"));
    return attributes;
}

Result<std::vector<Type>> Parser::trailingTypes(const Uses& uses) {
    PIM_CHECK(expectToken(m_in, ":"));
    PIM_TRY(const std::vector<Type> inputs, parseTypeList(m_in));
    if (inputs.size() != uses.values.size())
        return m_in.error(fmt::format("{} types for {} operands", inputs.size(), uses.values.size()));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i] != m_module.type(uses.values[i]))
            return m_in.errorAt(uses.tokens[i],
                                fmt::format("this operand is {}, but {} is said here",
                                            m_module.type(uses.values[i]).text(), inputs[i].text()));
    PIM_CHECK(expectToken(m_in, "->"));
    skipSpace(m_in);
    if (m_in.peek() == '(')
        return parseTypeList(m_in);
    PIM_TRY(Type one, parseType(m_in));
    return std::vector<Type>{std::move(one)};
}

/// An op of the level above is written "cinm#12". Splits it, or is empty.
std::string_view parentLevel(std::string_view name, std::int64_t& number) {
    const std::size_t mark = name.rfind('#');
    if (mark == std::string_view::npos || mark == 0 || name.size() - mark < 2 || name.size() - mark > 9)
        return {};
    const std::string_view level = name.substr(0, mark), digits = name.substr(mark + 1);
    if (!std::ranges::all_of(level, [](char c) { return c == '+' || TextScanner::isLetter(c); }) ||
        !std::ranges::all_of(digits, TextScanner::isDigit))
        return {};
    number = std::stoll(std::string(digits));
    return level;
}

Result<void> Parser::location() {
    Location location;
    if (!takeToken(m_in, "loc"))
        return m_builder.setLocation({}), Result<void>();
    PIM_CHECK(expectToken(m_in, "("));
    if (!takeToken(m_in, "unknown")) {
        const bool fused = takeToken(m_in, "fused");
        if (fused)
            PIM_CHECK(expectToken(m_in, "["));
        do {
            PIM_TRY(std::string name, parseQuoted(m_in));
            std::int64_t number = 0;
            const std::string_view level = parentLevel(name, number);
            if (level.empty()) {
                location.graphOps.push_back(std::move(name));
                continue;
            }
            if (!location.level.empty() && location.level != level)
                return m_in.error(
                    fmt::format("comes from ops of two levels, {} and {}", location.level, level));
            location.level = level;
            location.parents.emplace_back(number);
        } while (fused && takeToken(m_in, ","));
        if (fused)
            PIM_CHECK(expectToken(m_in, "]"));
    }
    PIM_CHECK(expectToken(m_in, ")"));
    m_builder.setLocation(std::move(location));
    return {};
}

/// Moves behind the regions at the cursor: attributes and types stand there, and an op is made before its regions.
Result<void> Parser::skipRegions(std::uint32_t& count) {
    const std::size_t token = m_in.at();
    int parentheses = 0, braces = 0;
    do {
        skipSpace(m_in);
        if (m_in.isDone())
            return m_in.errorAt(token, "this region does not end");
        const char c = m_in.peek();
        if (c == '"') {
            PIM_CHECK(parseQuoted(m_in));
            continue;
        }
        parentheses += c == '(' ? 1 : c == ')' ? -1 : 0;
        braces += c == '{' ? 1 : c == '}' ? -1 : 0;
        count += c == '{' && braces == 1 ? 1 : 0;
        m_in.advance();
    } while (parentheses > 0);
    return {};
}

Result<void> Parser::region(OperationId op, std::uint32_t r, int depth) {
    PIM_CHECK(expectToken(m_in, "{"));
    const std::size_t visible = m_defined.size();
    std::vector<std::pair<std::string_view, std::size_t>> names;
    std::vector<Type> types;
    if (takeToken(m_in, "^")) {
        takeName(m_in);
        PIM_CHECK(expectToken(m_in, "("));
        do {
            PIM_CHECK(expectToken(m_in, "%"));
            names.emplace_back(takeName(m_in), m_in.token());
            PIM_CHECK(expectToken(m_in, ":"));
            PIM_TRY(Type type, parseType(m_in));
            types.push_back(std::move(type));
        } while (takeToken(m_in, ","));
        PIM_CHECK(expectToken(m_in, ")"));
        PIM_CHECK(expectToken(m_in, ":"));
    }
    const ValueId first = m_builder.enter(op, r, types);
    for (std::size_t a = 0; a < names.size(); ++a)
        PIM_CHECK(
            define(names[a].first, names[a].second, ValueId(first.value + static_cast<std::int64_t>(a))));
    while (!takeToken(m_in, "}")) {
        if (m_in.peek() == '^')
            return m_in.error("a second block: regions have one");
        PIM_CHECK(operation(depth + 1));
    }
    m_builder.leave();
    for (; m_defined.size() > visible; m_defined.pop_back())
        m_values.erase(m_defined.back());
    return {};
}

Result<void> Parser::regions(OperationId op, std::uint32_t count, int depth) {
    PIM_CHECK(expectToken(m_in, "("));
    for (std::uint32_t r = 0; r < count; ++r) {
        if (r > 0)
            PIM_CHECK(expectToken(m_in, ","));
        PIM_CHECK(region(op, r, depth));
    }
    return expectToken(m_in, ")");
}

Result<const OpDef*> knownOp(TextScanner& in, const std::string& name) {
    if (const OpDef* def = findOp(name))
        return def;
    const std::string dialectName = name.substr(0, name.find('.'));
    for (const Dialect* dialect : dialects())
        if (dialect->name == dialectName) {
            std::string known;
            for (const OpDef& op : dialect->ops)
                known += (known.empty() ? "" : ", ") + std::string(op.name.substr(dialectName.size() + 1));
            return in.error(fmt::format("'{}' is no op of {}", name, dialectName), "there are " + known);
        }
    std::string known;
    for (const Dialect* dialect : dialects())
        known += (known.empty() ? "" : ", ") + std::string(dialect->name);
    return in.error(fmt::format("'{}' is of no dialect that is known here", name), "there are " + known);
}

Result<void> Parser::operation(int depth) {
    if (depth > 64)
        return m_in.error("more than 64 regions inside one another");
    PIM_TRY(const Names names, results());
    skipSpace(m_in);
    const std::size_t token = m_in.at();
    if (m_in.peek() != '"')
        return m_in.error("expected the name of an op in quotes", "ops are written in MLIR's generic form");
    PIM_TRY(const std::string opName, parseQuoted(m_in));
    m_in.pointTo(token);
    PIM_TRY(const OpDef* def, knownOp(m_in, opName));
    PIM_TRY(const Uses uses, operands());
    skipSpace(m_in);
    const std::size_t regionsAt = m_in.at();
    std::uint32_t regionCount = 0;
    if (m_in.peek() == '(')
        PIM_CHECK(skipRegions(regionCount));
    PIM_TRY(Attributes attributes, this->attributes());
    PIM_TRY(const std::vector<Type> types, trailingTypes(uses));
    if (names.count != types.size() && names.count != 0)
        return m_in.errorAt(names.token,
                            fmt::format("names {} results, the op has {}", names.count, types.size()));
    PIM_CHECK(location());
    const std::size_t end = m_in.at();
    const OperationId op = m_builder.create(*def, uses.values, types, std::move(attributes), regionCount);
    m_tokens.push_back(token);
    if (regionCount > 0) {
        m_in.moveTo(regionsAt);
        PIM_CHECK(regions(op, regionCount, depth));
        m_in.moveTo(end);
    }
    for (std::uint32_t r = 0; r < names.count; ++r)
        PIM_CHECK(define(names.count == 1 ? std::string(names.name) : fmt::format("{}#{}", names.name, r),
                         names.token, m_builder.result(op, r)));
    return {};
}

Result<void> Parser::verifyAll() {
    for (std::size_t i = 0; i < m_module.size(); ++i) {
        auto verified = verify(m_module, OperationId(static_cast<std::int64_t>(i)));
        if (!verified)
            return m_in.errorAt(m_tokens[i],
                                verified.error().where + " " + std::move(verified.error().message),
                                std::move(verified.error().hint));
    }
    return {};
}

Result<ParsedModule> Parser::parse() {
    readLevel();
    for (skipSpace(m_in); !m_in.isDone(); skipSpace(m_in))
        PIM_CHECK(operation(0));
    if (m_module.size() == 0)
        return m_in.error("there is no op");
    PIM_CHECK(verifyAll());
    ParsedModule parsed{std::move(m_module), {}};
    int line = 1;
    std::size_t at = 0;
    // Ops of regions stand behind the start of their owner: the tokens ascend.
    for (const std::size_t token : m_tokens) {
        line += static_cast<int>(std::ranges::count(m_in.text().substr(at, token - at), '\n'));
        parsed.lines.push_back(line);
        at = token;
    }
    return parsed;
}

} // namespace

Result<ParsedModule> parse(std::string_view text, std::string_view fileName) {
    return Parser(text, fileName).parse();
}

std::string excerpt(std::string_view text, const Error& error) {
    const std::size_t second = error.where.rfind(':'), first = error.where.rfind(':', second - 1);
    const auto numberAt = [&](std::size_t at) {
        return at == std::string::npos ? 0 : std::max(0, std::atoi(error.where.c_str() + at + 1));
    };
    const int line = numberAt(first), column = numberAt(second);
    std::size_t begin = 0;
    for (int l = 1; l < line && begin != std::string_view::npos; ++l)
        begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    if (line < 1 || column < 1 || begin >= text.size())
        return {};
    // The place within a short piece of a long line.
    constexpr std::size_t kBefore = 60, kLength = 100;
    std::string_view shown = text.substr(begin, text.find('\n', begin) - begin);
    auto caret = static_cast<std::size_t>(column) - 1;
    if (caret > kBefore) {
        shown.remove_prefix(std::min(shown.size(), caret - kBefore));
        caret = kBefore;
    }
    return fmt::format("    {}\n    {}^\n", shown.substr(0, kLength), std::string(caret, ' '));
}

} // namespace pim::ir
