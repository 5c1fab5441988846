// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/parse_types.h"

#include "core/ir/scalar_bytes.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace pim::ir {

namespace {

/// Beyond it sizes could overflow; no machine of ours holds more.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

bool isNameCharacter(char c) {
    return TextScanner::isLetter(c) || TextScanner::isDigit(c) || c == '.' || c == '$';
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// `4x8x` as far as it goes; extents are followed by an x unless \p bare.
Result<Shape> parseExtents(TextScanner& in, bool bare) {
    Shape extents;
    std::int64_t count = 1;
    skipSpace(in);
    while (TextScanner::isDigit(in.peek())) {
        in.pointTo(in.at());
        std::uint64_t extent = 0;
        if (in.takeDigits(extent) != TextScanner::Digits::Taken || extent == 0 ||
            extent > static_cast<std::uint64_t>(kMostElements / count))
            return in.error(
                fmt::format("extents are from 1 on, with at most {} elements in all", kMostElements));
        extents.push_back(static_cast<std::int64_t>(extent));
        count *= extents.back();
        if (in.peek() == 'x')
            in.advance();
        else if (bare)
            break;
        else
            return in.unexpected("'x' and a type of elements");
    }
    return extents;
}

Result<Scalar> parseScalar(TextScanner& in) {
    skipSpace(in);
    in.pointTo(in.at());
    const std::string_view word = takeName(in);
    if (const auto scalar = scalarFromName(word))
        return *scalar;
    return in.error(fmt::format("'{}' is no type of elements", word),
                    "there are index, i1, i8, i16, i32, i64, f16, bf16, f32, f64");
}

Result<Type> parseShaped(TextScanner& in, bool tensor) {
    PIM_CHECK(expectToken(in, "<"));
    PIM_TRY(Shape extents, parseExtents(in, false));
    PIM_TRY(const Scalar element, parseScalar(in));
    std::int64_t space = 0;
    if (!tensor && takeToken(in, ",")) {
        PIM_TRY(space, parseInteger(in));
        if (space < 0 || space > 15)
            return in.error(fmt::format("memory space {} is not within 0 to 15", space));
    }
    PIM_CHECK(expectToken(in, ">"));
    return tensor ? Type::tensor(std::move(extents), element)
                  : Type::memref(std::move(extents), element, static_cast<int>(space));
}

Result<Type> parseDialectType(TextScanner& in) {
    std::string dialectName(takeName(in));
    if (dialectName.find('.') == std::string::npos)
        return in.unexpected("a type as in !cnm.buffer");
    if (!takeToken(in, "<"))
        return Type::dialect(std::move(dialectName));
    PIM_TRY(Shape extents, parseExtents(in, true));
    std::optional<Scalar> element;
    if (TextScanner::isLetter(in.peek())) {
        PIM_TRY(element, parseScalar(in));
    }
    Shape on;
    if (takeToken(in, "on ")) {
        PIM_TRY(on, parseExtents(in, true));
    }
    std::int64_t level = 0;
    if (takeToken(in, ",")) {
        PIM_CHECK(expectToken(in, "level"));
        PIM_TRY(level, parseInteger(in));
        if (level < 0 || level > 15)
            return in.error(fmt::format("level {} is not within 0 to 15", level));
    }
    PIM_CHECK(expectToken(in, ">"));
    return Type::dialect(std::move(dialectName), std::move(extents), element, std::move(on),
                         static_cast<int>(level));
}

// ---- affine maps ----

class AffineParser {
public:
    AffineParser(TextScanner& in, int dims) : m_in(in), m_dims(dims) {}

    Result<AffineExpr> sum(int depth) {
        PIM_TRY(AffineExpr left, product(depth));
        while (takeToken(m_in, "+")) {
            PIM_CHECK(countOperator());
            PIM_TRY(AffineExpr right, product(depth));
            left = AffineExpr::binary(AffineKind::Add, std::move(left), std::move(right));
        }
        return left;
    }

private:
    /// A chain of them is a tree as deep, and trees are walked and freed by recursion.
    Result<void> countOperator() {
        if (++m_operators > kMostOperators)
            return m_in.error(fmt::format("more than {} operators in one map", kMostOperators));
        return {};
    }

    Result<AffineExpr> product(int depth) {
        PIM_TRY(AffineExpr left, atom(depth));
        for (;;) {
            AffineKind kind = AffineKind::Mul;
            if (takeToken(m_in, "mod"))
                kind = AffineKind::Mod;
            else if (takeToken(m_in, "floordiv"))
                kind = AffineKind::FloorDiv;
            else if (takeToken(m_in, "ceildiv"))
                kind = AffineKind::CeilDiv;
            else if (!takeToken(m_in, "*"))
                return left;
            PIM_CHECK(countOperator());
            PIM_TRY(AffineExpr right, atom(depth));
            if (right.kind() != AffineKind::Constant || (kind != AffineKind::Mul && right.value() < 1))
                return m_in.error("factors are constants, divisors positive ones",
                                  "write the constant behind the operator");
            left = AffineExpr::binary(kind, std::move(left), std::move(right));
        }
    }

    Result<AffineExpr> atom(int depth) {
        if (depth > 50)
            return m_in.error("more than 50 parentheses inside one another");
        if (takeToken(m_in, "(")) {
            PIM_TRY(AffineExpr inner, sum(depth + 1));
            PIM_CHECK(expectToken(m_in, ")"));
            return inner;
        }
        skipSpace(m_in);
        if (m_in.peek() == 'd' && TextScanner::isDigit(m_in.peek(1))) {
            m_in.pointTo(m_in.at());
            m_in.advance();
            std::uint64_t dim = 0;
            if (m_in.takeDigits(dim) != TextScanner::Digits::Taken ||
                dim >= static_cast<std::uint64_t>(m_dims))
                return m_in.error(fmt::format("the map has the dimensions d0 to d{}", m_dims - 1));
            return AffineExpr::dim(static_cast<int>(dim));
        }
        PIM_TRY(const std::int64_t value, parseInteger(m_in));
        return AffineExpr::constant(value);
    }

    static constexpr int kMostOperators = 1000;
    TextScanner& m_in;
    int m_dims;
    int m_operators = 0;
};

// ---- numbers ----

/// The characters of a number, a sign and 0x included.
std::string takeNumber(TextScanner& in) {
    skipSpace(in);
    in.pointTo(in.at());
    const std::size_t begin = in.at();
    if (in.peek() == '-')
        in.advance();
    while (isNameCharacter(in.peek()) ||
           ((in.peek() == '+' || in.peek() == '-') && (in.text()[in.at() - 1] | 0x20) == 'e'))
        in.advance();
    return std::string(in.text().substr(begin, in.at() - begin));
}

std::optional<std::vector<std::byte>> elementBytes(const std::string& digits, Scalar type) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(bytesOf(type)));
    if (type == Scalar::I1 && (digits == "true" || digits == "false")) {
        storeInt(bytes.data(), type, digits == "true");
        return bytes;
    }
    const char *begin = digits.data(), *end = begin + digits.size();
    if (digits.starts_with("0x")) {
        std::uint64_t bits = 0;
        if (std::from_chars(begin + 2, end, bits, 16).ptr != end || digits.size() - 2 > 2 * bytes.size())
            return std::nullopt;
        std::memcpy(bytes.data(), &bits, bytes.size());
        return bytes;
    }
    if (isFloat(type)) {
        double value = 0;
        const auto [at, error] = std::from_chars(begin, end, value);
        if (at != end || error == std::errc::invalid_argument)
            return std::nullopt;
        storeReal(bytes.data(), type, value);
        return bytes;
    }
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(begin, end, value);
    if (at != end || error != std::errc() || wrapped(value, type) != value)
        return std::nullopt;
    storeInt(bytes.data(), type, value);
    return bytes;
}

Result<Attribute> parseNumber(TextScanner& in) {
    const std::string digits = takeNumber(in);
    const std::size_t token = in.token();
    const bool real = digits.find('.') != std::string::npos;
    Scalar type = real ? Scalar::F64 : Scalar::I64;
    if (takeToken(in, ":")) {
        PIM_TRY(type, parseScalar(in));
    }
    const auto bytes = elementBytes(digits, type);
    if (!bytes)
        return in.errorAt(token, fmt::format("'{}' is no number of type {}", digits, name(type)));
    if (isFloat(type))
        return Attribute{FloatAttribute{loadReal(bytes->data(), type), type}};
    return Attribute{IntegerAttribute{loadInt(bytes->data(), type), type}};
}

Result<std::vector<std::byte>> parseHexBytes(TextScanner& in) {
    PIM_TRY(const std::string text, parseQuoted(in));
    std::vector<std::byte> bytes;
    bool good = text.starts_with("0x") && text.size() % 2 == 0;
    for (std::size_t i = 2; good && i < text.size(); i += 2) {
        const int high = hexDigit(text[i]), low = hexDigit(text[i + 1]);
        good = high >= 0 && low >= 0;
        bytes.push_back(static_cast<std::byte>(high * 16 + low));
    }
    if (!good)
        return in.error("expected pairs of hexadecimal digits behind 0x");
    return bytes;
}

Result<Attribute> parseDense(TextScanner& in) {
    PIM_CHECK(expectToken(in, "<"));
    skipSpace(in);
    const std::size_t token = in.at();
    std::string digits;
    std::vector<std::byte> all;
    const bool hex = in.peek() == '"';
    if (hex) {
        PIM_TRY(all, parseHexBytes(in));
    } else {
        digits = takeNumber(in);
    }
    PIM_CHECK(expectToken(in, ">"));
    PIM_CHECK(expectToken(in, ":"));
    PIM_TRY(const Type type, parseType(in));
    if (!type.isTensor())
        return in.error(fmt::format("dense elements are of a tensor, not of {}", type.text()));
    if (hex) {
        if (static_cast<std::int64_t>(all.size()) != type.bytes())
            return in.errorAt(
                token, fmt::format("{} bytes for {}, which has {}", all.size(), type.text(), type.bytes()));
        return Attribute{DenseAttribute{type, std::move(all)}};
    }
    auto one = elementBytes(digits, *type.element());
    if (!one)
        return in.errorAt(token, fmt::format("'{}' is no element of {}", digits, type.text()));
    return Attribute{DenseAttribute{type, std::move(*one)}};
}

Result<Attribute> parseInts(TextScanner& in) {
    PIM_CHECK(expectToken(in, "<"));
    IntsAttribute ints;
    PIM_TRY(ints.type, parseScalar(in));
    if (takeToken(in, ":")) {
        do {
            PIM_TRY(const std::int64_t value, parseInteger(in));
            if (isFloat(ints.type) || wrapped(value, ints.type) != value)
                return in.error(fmt::format("{} is no number of type {}", value, name(ints.type)));
            ints.values.push_back(value);
        } while (takeToken(in, ","));
    }
    PIM_CHECK(expectToken(in, ">"));
    return Attribute{std::move(ints)};
}

Result<Attribute> parseList(TextScanner& in, int depth) {
    if (depth > 50)
        return in.error("more than 50 lists inside one another");
    std::vector<Attribute> list;
    if (!takeToken(in, "]")) {
        do {
            PIM_TRY(Attribute item, parseAttribute(in, depth + 1));
            list.push_back(std::move(item));
        } while (takeToken(in, ","));
        PIM_CHECK(expectToken(in, "]"));
    }
    return Attribute{std::move(list)};
}

} // namespace

void skipSpace(TextScanner& in) {
    for (;;) {
        const char c = in.peek();
        if (c == '/' && in.peek(1) == '/')
            in.moveTo(in.lineEnd());
        else if ((c == ' ' || c == '\n' || c == '\t' || c == '\r') && !in.isDone())
            in.advance();
        else
            break;
    }
    in.pointTo(in.at());
}

bool takeToken(TextScanner& in, std::string_view token) {
    skipSpace(in);
    if (!in.text().substr(in.at()).starts_with(token))
        return false;
    in.advance(token.size());
    return true;
}

Result<void> expectToken(TextScanner& in, std::string_view token) {
    if (takeToken(in, token))
        return {};
    const std::string_view rest = in.restOfLine();
    return in.error(
        fmt::format("found {}, expected '{}'",
                    rest.empty() ? "the end of the line" : fmt::format("'{}'", rest.substr(0, 12)), token));
}

std::string_view takeName(TextScanner& in) {
    const std::size_t begin = in.at();
    while (!in.isDone() && isNameCharacter(in.peek()))
        in.advance();
    return in.text().substr(begin, in.at() - begin);
}

Result<std::int64_t> parseInteger(TextScanner& in) {
    const std::string digits = takeNumber(in);
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || at != digits.data() + digits.size())
        return in.error(fmt::format("'{}' is no whole number within 64 bits", digits));
    return value;
}

Result<std::string> parseQuoted(TextScanner& in) {
    PIM_CHECK(expectToken(in, "\""));
    const std::size_t token = in.token();
    std::string text;
    while (!in.isLineDone() && in.peek() != '"') {
        const char c = in.peek();
        in.advance();
        if (c != '\\') {
            text += c;
            continue;
        }
        const int high = hexDigit(in.peek()), low = hexDigit(in.peek(1));
        if (in.peek() == '"' || in.peek() == '\\') {
            text += in.peek();
            in.advance();
        } else if (high >= 0 && low >= 0) {
            text += static_cast<char>(high * 16 + low);
            in.advance(2);
        } else {
            return in.errorAt(in.at() - 1, "expected two hexadecimal digits, \" or \\ behind a backslash");
        }
    }
    if (in.peek() != '"')
        return in.errorAt(token, "this text does not end on its line");
    in.advance();
    return text;
}

Result<Type> parseType(TextScanner& in) {
    skipSpace(in);
    if (in.peek() == '(') {
        PIM_TRY(std::vector<Type> inputs, parseTypeList(in));
        PIM_CHECK(expectToken(in, "->"));
        skipSpace(in);
        std::vector<Type> results(1);
        if (in.peek() == '(') {
            PIM_TRY(results, parseTypeList(in));
        } else {
            PIM_TRY(results[0], parseType(in));
        }
        return Type::function(std::move(inputs), std::move(results));
    }
    if (takeToken(in, "!"))
        return parseDialectType(in);
    const std::size_t begin = in.at();
    const std::string_view word = takeName(in);
    if (word == "tensor" || word == "memref")
        return parseShaped(in, word == "tensor");
    if (word == "none")
        return Type();
    in.moveTo(begin);
    PIM_TRY(const Scalar scalar, parseScalar(in));
    return Type::scalar(scalar);
}

Result<std::vector<Type>> parseTypeList(TextScanner& in) {
    PIM_CHECK(expectToken(in, "("));
    std::vector<Type> types;
    if (takeToken(in, ")"))
        return types;
    do {
        skipSpace(in);
        if (in.peek() == '(')
            return in.error("a function is no type of a value");
        PIM_TRY(Type type, parseType(in));
        types.push_back(std::move(type));
    } while (takeToken(in, ","));
    PIM_CHECK(expectToken(in, ")"));
    return types;
}

Result<AffineMap> parseAffineMap(TextScanner& in) {
    PIM_CHECK(expectToken(in, "<"));
    PIM_CHECK(expectToken(in, "("));
    AffineMap map;
    if (!takeToken(in, ")")) {
        do
            PIM_CHECK(expectToken(in, fmt::format("d{}", map.dims++)));
        while (takeToken(in, ","));
        PIM_CHECK(expectToken(in, ")"));
    }
    PIM_CHECK(expectToken(in, "->"));
    PIM_CHECK(expectToken(in, "("));
    AffineParser parser(in, map.dims);
    if (!takeToken(in, ")")) {
        do {
            PIM_TRY(AffineExpr result, parser.sum(0));
            map.results.push_back(std::move(result));
        } while (takeToken(in, ","));
        PIM_CHECK(expectToken(in, ")"));
    }
    PIM_CHECK(expectToken(in, ">"));
    return map;
}

Result<Attribute> parseAttribute(TextScanner& in, int depth) {
    skipSpace(in);
    const char c = in.peek();
    if (c == '"') {
        PIM_TRY(std::string quoted, parseQuoted(in));
        return text(std::move(quoted));
    }
    if (c == '-' || TextScanner::isDigit(c))
        return parseNumber(in);
    if (takeToken(in, "["))
        return parseList(in, depth);
    if (takeToken(in, "@")) {
        const std::string_view symbol = takeName(in);
        if (symbol.empty())
            return in.error("expected a name behind @");
        return Attribute{SymbolAttribute{std::string(symbol)}};
    }
    const std::size_t begin = in.at();
    const std::string_view word = takeName(in);
    if (word == "true" || word == "false")
        return integer(word == "true", Scalar::I1);
    if (word == "unit")
        return unit();
    if (word == "array")
        return parseInts(in);
    if (word == "dense")
        return parseDense(in);
    if (word == "affine_map") {
        PIM_TRY(AffineMap affine, parseAffineMap(in));
        return Attribute{std::move(affine)};
    }
    in.moveTo(begin);
    PIM_TRY(Type type, parseType(in));
    return Attribute{std::move(type)};
}

} // namespace pim::ir
