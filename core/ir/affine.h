// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Affine maps as MLIR prints them: `affine_map<(d0, d1) -> (d0 * 4 + d1 mod 2, d0 floordiv 8)>`. They say
/// which elements of a tensor go to which processing unit.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pim::ir {

enum class AffineKind : std::uint8_t { Constant, Dim, Add, Mul, Mod, FloorDiv, CeilDiv };

/// A tree that is shared, never changed. Divisors and moduli are positive constants.
class AffineExpr {
public:
    AffineExpr() = default; ///< 0
    static AffineExpr constant(std::int64_t value);
    static AffineExpr dim(int index);
    static AffineExpr binary(AffineKind kind, AffineExpr left, AffineExpr right);

    AffineKind kind() const { return m_node ? m_node->kind : AffineKind::Constant; }
    std::int64_t value() const {
        return m_node ? m_node->value : 0;
    } ///< Constant, or number of the dimension.
    const AffineExpr& left() const { return m_node->children[0]; }
    const AffineExpr& right() const { return m_node->children[1]; }
    std::int64_t at(std::span<const std::int64_t> dims) const;
    int highestDim() const; ///< -1 where none occurs.
    void print(std::string& out, int binding = 0) const;
    friend bool operator==(const AffineExpr& a, const AffineExpr& b);

private:
    struct Node {
        AffineKind kind = AffineKind::Constant;
        std::int64_t value = 0;
        std::vector<AffineExpr> children;
    };
    std::shared_ptr<const Node> m_node;
};

/// Simplify where an operand is neutral, so that printed maps stay short.
AffineExpr operator+(const AffineExpr& a, const AffineExpr& b);
AffineExpr operator*(const AffineExpr& a, std::int64_t factor);
AffineExpr mod(const AffineExpr& a, std::int64_t divisor);
AffineExpr floorDiv(const AffineExpr& a, std::int64_t divisor);

struct AffineMap {
    int dims = 0;
    std::vector<AffineExpr> results;

    /// One index for each result. \p at has \ref dims entries.
    std::vector<std::int64_t> operator()(std::span<const std::int64_t> at) const;
    void print(std::string& out) const;
    std::string text() const;
    friend bool operator==(const AffineMap&, const AffineMap&) = default;
};

} // namespace pim::ir
