// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace pim {
namespace {

constexpr int kDeepest = 64; // parentheses in parentheses: files come from outside

class Evaluator {
public:
    Evaluator(std::string_view text, const ExpressionNames& names, const ExpressionUnits& units)
        : m_text(text), m_names(names), m_units(units) {}

    Result<double> all() {
        PIM_TRY(const double value, sum());
        PIM_CHECK(end());
        return finite(value);
    }

    Result<bool> condition() {
        PIM_TRY(const double left, sum());
        const bool less = take('<');
        if (!less && !take('>'))
            return refuse("<, <=, > or >=");
        const bool orEqual = m_at < m_text.size() && m_text[m_at] == '=';
        m_at += orEqual ? 1 : 0;
        PIM_TRY(const double right, sum());
        PIM_CHECK(end());
        PIM_CHECK(finite(left));
        PIM_CHECK(finite(right));
        return (orEqual && left == right) || (less ? left < right : left > right);
    }

private:
    Result<void> end() {
        skipBlanks();
        if (m_at < m_text.size())
            return refuse("an operator or the end");
        return {};
    }
    Result<double> finite(double value) const {
        if (!std::isfinite(value))
            return fail(ErrorCode::Usage, fmt::format("\"{}\" divides by 0 or is too large", m_text));
        return value;
    }

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
        while (true) {
            if (take('*')) {
                PIM_TRY(const double next, single());
                value *= next;
            } else if (take('/')) {
                PIM_TRY(const double next, single());
                value /= next;
            } else {
                return value;
            }
        }
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
        if ((name == "ceil" || name == "floor") && take('(')) {
            PIM_TRY(const double value, inner([this] { return sum(); }));
            return name == "ceil" ? std::ceil(value) : std::floor(value);
        }
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
        if (!m_units || m_at == m_text.size() || !std::isalpha(static_cast<unsigned char>(m_text[m_at])))
            return value;
        const auto unit = m_units(m_text.substr(m_at));
        if (!unit || (m_at + unit->first < m_text.size() && goesOn(m_text[m_at + unit->first])))
            return refuse("a unit");
        m_at += unit->first;
        return value * unit->second;
    }

    static bool goesOn(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    }

    std::string_view word() {
        const std::size_t start = m_at;
        while (m_at < m_text.size() && goesOn(m_text[m_at]))
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
        return fail(ErrorCode::Usage, fmt::format("\"{}\" cannot be evaluated: {} expected at character {}",
                                                  m_text, expected, m_at + 1));
    }

    std::string_view m_text;
    const ExpressionNames& m_names;
    const ExpressionUnits& m_units;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Result<double> evaluateExpression(std::string_view text, const ExpressionNames& names,
                                  const ExpressionUnits& units) {
    return Evaluator(text, names, units).all();
}

Result<bool> evaluateCondition(std::string_view text, const ExpressionNames& names,
                               const ExpressionUnits& units) {
    return Evaluator(text, names, units).condition();
}

Result<std::vector<std::string>> namesInCondition(std::string_view text, const ExpressionUnits& units) {
    std::vector<std::string> met;
    const auto note = [&](std::string_view name) {
        if (std::ranges::find(met, name) == met.end())
            met.emplace_back(name);
        return 1 + 0.618 * static_cast<double>(met.size()); // so that no difference of two is 0
    };
    if (const auto held = evaluateCondition(text, note, units); !held)
        return tl::unexpected<Error>(held.error());
    return met;
}

} // namespace pim
