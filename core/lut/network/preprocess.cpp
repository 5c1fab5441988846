// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/preprocess.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pim::lut {

/// sum := product {(+|-) product}, product := value {(*|/) value}, value := x | number | -value | [type] ( sum )
class PreprocessParser {
public:
    explicit PreprocessParser(std::string_view text) : m_text(text) {}

    Result<Preprocess> read() {
        PIM_CHECK(sum(0));
        skip();
        if (m_at != m_text.size())
            return unexpected("an operator");
        return std::move(m_made);
    }

private:
    static constexpr int kDeepest = 32; ///< Values on the stack while it runs.

    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    char take(std::string_view any) {
        skip();
        if (m_at == m_text.size() || any.find(m_text[m_at]) == std::string_view::npos)
            return 0;
        return m_text[m_at++];
    }
    void add(char kind, double number = 0) { m_made.m_steps.push_back({kind, number}); }
    tl::unexpected<Error> unexpected(std::string_view wanted) const {
        return fail(ErrorCode::InvalidFile,
                    fmt::format("preprocess \"{}\": expected {} at character {}", m_text, wanted, m_at + 1),
                    {}, "write it as \"float32(x) / 255\", \"int64(x)\" or \"x\"");
    }
    Result<void> sum(int depth) { return chain(depth, "+-", &PreprocessParser::product); }
    Result<void> product(int depth) { return chain(depth, "*/", &PreprocessParser::value); }
    Result<void> chain(int depth, std::string_view operators, Result<void> (PreprocessParser::*part)(int)) {
        PIM_CHECK((this->*part)(depth));
        while (const char found = take(operators)) {
            PIM_CHECK((this->*part)(depth + 1));
            add(found);
        }
        return {};
    }
    Result<void> value(int depth) {
        if (depth > kDeepest - 4)
            return unexpected("a shorter expression");
        if (take("-")) {
            add('n', 0);
            PIM_CHECK(value(depth + 1));
            add('-');
            return {};
        }
        if (take("("))
            return closed(depth);
        skip();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) != 0 ||
                                        m_text[m_at] == '.' || m_text[m_at] == '_'))
            ++m_at;
        const std::string_view word = m_text.substr(begin, m_at - begin);
        if (word == "x") {
            add('x');
            return {};
        }
        if (const auto number = parseNumber<double>(word)) {
            add('n', *number);
            return {};
        }
        const bool whole = word.starts_with("int") || word.starts_with("uint") || word == "long";
        if (!whole && !word.starts_with("float") && word != "double") {
            m_at = begin;
            return unexpected("x, a number or a conversion");
        }
        if (!take("("))
            return unexpected("'('");
        PIM_CHECK(closed(depth));
        if (whole)
            add('i');
        return {};
    }
    Result<void> closed(int depth) {
        PIM_CHECK(sum(depth + 1));
        if (!take(")"))
            return unexpected("')'");
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    Preprocess m_made;
};

Result<Preprocess> Preprocess::parse(std::string_view text) {
    return PreprocessParser(text).read();
}

double Preprocess::operator()(double x, bool single) const {
    if (m_steps.empty())
        return x;
    const auto held = [single](double value) {
        return single ? static_cast<double>(static_cast<float>(value)) : value;
    };
    std::array<double, 64> stack{};
    std::size_t top = 0;
    for (const Step& step : m_steps) {
        if (step.kind == 'x' || step.kind == 'n') {
            stack[top++] = held(step.kind == 'x' ? x : step.number);
            continue;
        }
        if (step.kind == 'i') {
            stack[top - 1] = std::trunc(stack[top - 1]);
            continue;
        }
        const double right = stack[--top];
        double& left = stack[top - 1];
        left = held(step.kind == '+'   ? left + right
                    : step.kind == '-' ? left - right
                    : step.kind == '*' ? left * right
                                       : left / right);
    }
    return stack[0];
}

} // namespace pim::lut
