// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dram/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pim {
namespace {

constexpr int kDeepest = 64; // parentheses in parentheses: files come from outside

class Evaluator {
public:
    Evaluator(std::string_view text, const ExpressionNames& names) : m_text(text), m_names(names) {}

    Result<double> all() {
        PIM_TRY(const double value, sum());
        skipBlanks();
        if (m_at < m_text.size())
            return refuse("an operator or the end");
        return value;
    }

private:
    Result<double> sum() {
        PIM_TRY(double value, product());
        while (true) {
            if (take('+')) {
                PIM_TRY(const double next, product());
                value += next;
            } else if (take('-')) {
                PIM_TRY(const double next, product());
                value -= next;
            } else {
                return value;
            }
        }
    }

    Result<double> product() {
        PIM_TRY(double value, single());
        while (take('*')) {
            PIM_TRY(const double next, single());
            value *= next;
        }
        return value;
    }

    Result<double> single() {
        if (take('-')) {
            if (take('-'))
                return refuse("one sign");
            PIM_TRY(const double value, single());
            return -value;
        }
        if (take('('))
            return inner([this] { return sum(); });
        skipBlanks();
        const char next = m_at < m_text.size() ? m_text[m_at] : '\0';
        if (std::isdigit(static_cast<unsigned char>(next)))
            return number();
        if (!std::isalpha(static_cast<unsigned char>(next)))
            return refuse("a number, a name or \"(\"");
        const std::string_view name = word();
        if ((name == "max" || name == "min") && take('('))
            return inner([&] { return extreme(name == "max"); });
        if (const std::optional<double> value = m_names(name))
            return *value;
        return fail(ErrorCode::NotFound, fmt::format("\"{}\" names the unknown \"{}\"", m_text, name));
    }

    /// What stands between parentheses, the first of which has been read.
    template <class Content>
    Result<double> inner(const Content& content) {
        if (++m_depth > kDeepest)
            return refuse("fewer parentheses");
        PIM_TRY(const double value, content());
        if (!take(')'))
            return refuse("\")\"");
        --m_depth;
        return value;
    }

    Result<double> extreme(bool greatest) {
        PIM_TRY(double value, sum());
        while (take(',')) {
            PIM_TRY(const double next, sum());
            value = greatest ? std::max(value, next) : std::min(value, next);
        }
        return value;
    }

    Result<double> number() {
        double value = 0;
        const auto [end, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (error != std::errc())
            return refuse("a number");
        m_at = std::size_t(end - m_text.data());
        return value;
    }

    std::string_view word() {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) ||
                                        m_text[m_at] == '.' || m_text[m_at] == '_'))
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

    void skipBlanks() {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    bool take(char wanted) {
        skipBlanks();
        if (m_at == m_text.size() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }
    tl::unexpected<Error> refuse(std::string_view expected) const {
        return fail(ErrorCode::InvalidFile,
                    fmt::format("\"{}\" cannot be evaluated: {} expected at character {}", m_text, expected,
                                m_at + 1));
    }

    std::string_view m_text;
    const ExpressionNames& m_names;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Result<double> evaluateExpression(std::string_view text, const ExpressionNames& names) {
    return Evaluator(text, names).all();
}

} // namespace pim
