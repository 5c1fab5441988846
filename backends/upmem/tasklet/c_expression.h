// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Values of a TaskletCode as expressions of C with as few parentheses and casts as their meaning allows. Used by c_code.cpp alone.
#include "backends/upmem/tasklet/code.h"

#include <map>
#include <set>
#include <string_view>

namespace pim::upmem {

/// Names that C and the vendor's headers leave free, each given once among those that are visible.
class CNames {
public:
    CNames();
    /// The name itself if it may be; else one like it.
    std::string give(std::string_view wanted);
    void enter() { m_scopes.emplace_back(); }
    void leave() { m_scopes.pop_back(); }

private:
    bool isTaken(const std::string& name) const;
    std::vector<std::set<std::string, std::less<>>> m_scopes;
};

std::string cNumber(std::int64_t number); ///< "INT32_MIN"

/// How tightly an operator of C binds, and how it is written.
enum class CBinding : std::uint8_t { Choice, Or, Xor, And, Compare, Shift, Sum, Product, Unary, Primary };

/// An expression and what C takes its value for.
struct CText {
    std::string text;
    CBinding binding = CBinding::Primary;
    bool isSigned = true;
    int bits = 32;
    bool neverNegative = false; ///< So that its sign does not matter.
    int usedBits = 32;          ///< Of a value of small elements.
    bool isRounded = false;     ///< A product one of whose factors is a quotient.
    ValueKind kind = ValueKind::Constant;
};

struct CExpressionNames {
    std::vector<std::string> sizes, buffers, arrays; ///< By position.
    std::map<int, std::string> variables;
    std::map<std::int64_t, std::string> copies; ///< By id of the unrolled statement.
    std::string me;
    std::set<std::string> helpers; ///< Of min and max that were used: "min_u32".
};

class CExpressions {
public:
    CExpressions(const TaskletCode& code, std::span<const std::int64_t> sizes, CExpressionNames& names)
        : m_code(code), m_sizes(sizes), m_names(names) {}

    CText expression(int node) const;
    std::string text(int node) const { return expression(node).text; }
    std::string condition(const Condition& condition) const;
    /// As an operand of + after something.
    std::string summand(int node) const { return inside(expression(node), CBinding::Sum); }
    bool same(int a, int b) const; ///< As expressions.

private:
    CText binary(const ValueNode& n, int node) const;
    CText extreme(const ValueNode& n, bool isStatic) const;
    CText load(const ValueNode& n) const;
    std::string place(const CText& text) const;
    static std::string inside(const CText& text, CBinding binding, bool isRight = false,
                              ValueKind kind = ValueKind::Add);
    static CText as(CText text, bool isSigned, int bits);
    bool isSignedNode(int node) const { return isSigned(m_code.node(node).type); }

    const TaskletCode& m_code;
    std::span<const std::int64_t> m_sizes;
    CExpressionNames& m_names;
};

/// int32_t for what is kept in a register of 32 bits, whatever the size of its elements.
std::string_view cRegisterName(Element type);

/// A line of C as several where it is too wide, broken between arguments and summands.
std::vector<std::string> wrappedC(const std::string& line);

} // namespace pim::upmem
