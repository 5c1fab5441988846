// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Types of the values of a Module: scalars, tensors, memrefs, functions, and what a dialect hands around
/// (devices, workgroups, buffers). Static extents only.
#include "core/graph/graph.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pim::ir {

/// As MLIR spells them; integers are signless.
enum class Scalar : std::uint8_t { Index, I1, I8, I16, I32, I64, F16, BF16, F32, F64 };
std::string_view name(Scalar scalar);
std::optional<Scalar> scalarFromName(std::string_view name);
std::int64_t bytesOf(Scalar scalar);
bool isFloat(Scalar scalar);
/// Unknown for an index; unsigned types of a graph have no scalar (their sign would be lost).
DataType dataTypeOf(Scalar scalar);
std::optional<Scalar> scalarOf(DataType type);

enum class TypeForm : std::uint8_t { None, Scalar, Tensor, MemRef, Function, Dialect };

/// A value; equal types are equal however they were made.
class Type {
public:
    struct Body {
        TypeForm form = TypeForm::None;
        std::optional<Scalar> element;     ///< Absent: a dialect's type without elements, a function, none.
        Shape extents;                     ///< Of a tensor, a memref, or a dialect's type.
        int space = 0;                     ///< Memory of a memref; level of a dialect's type.
        std::string dialectName;           ///< "cnm.buffer"
        Shape on;                          ///< `on 2x32x16`: the workgroup a buffer lies on.
        std::vector<Type> inputs, results; ///< Of a function.
    };

    Type() = default; ///< none
    static Type scalar(Scalar scalar);
    static Type index() { return scalar(Scalar::Index); }
    static Type tensor(Shape extents, Scalar element);
    static Type memref(Shape extents, Scalar element, int space = 0);
    static Type function(std::vector<Type> inputs, std::vector<Type> results);
    /// `!name`, `!name<2x4>`, `!name<4x8xi32 on 2x4, level 1>`.
    static Type dialect(std::string name, Shape extents = {}, std::optional<Scalar> element = {},
                        Shape on = {}, int level = 0);

    TypeForm form() const { return m_body ? m_body->form : TypeForm::None; }
    bool isTensor() const { return form() == TypeForm::Tensor; }
    bool isMemRef() const { return form() == TypeForm::MemRef; }
    bool isScalar() const { return form() == TypeForm::Scalar; }
    bool isScalar(Scalar scalar) const { return isScalar() && m_body->element == scalar; }
    bool isDialect(std::string_view name) const {
        return form() == TypeForm::Dialect && m_body->dialectName == name;
    }
    /// Of a scalar, tensor, memref or a dialect's type that has elements.
    std::optional<Scalar> element() const { return m_body ? m_body->element : std::nullopt; }
    const Body& body() const;
    const Shape& extents() const { return body().extents; }
    std::int64_t rank() const { return static_cast<std::int64_t>(extents().size()); }
    std::int64_t count() const; ///< Elements; 1 for a scalar.
    std::int64_t bytes() const; ///< 0 where there are no elements.
    std::string text() const;   ///< "tensor<4x8xi32>"
    void print(std::string& out) const;

    friend bool operator==(const Type& a, const Type& b);

private:
    std::shared_ptr<const Body> m_body;
};

/// "4x8x": every extent followed by an x.
void printExtents(std::string& out, const Shape& extents);

} // namespace pim::ir
