// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Runs a function of a module on numbers, at any level: the same inputs have to give the same results from the
/// graph down to the device calls. A reference; devices are imitated by what their ops mean.
#include "core/graph/semantics/values.h"
#include "core/ir/module.h"

namespace pim::ir {

/// Elements in memory, seen through strides. Tensors are never written to once they are seen by somebody else;
/// memrefs share their memory with their views.
struct Array {
    Scalar element = Scalar::I32;
    Shape extents;
    Shape strides; ///< In elements.
    std::int64_t offset = 0;
    std::shared_ptr<std::vector<std::byte>> bytes;

    static Array make(Scalar element, const Shape& extents); ///< Zeros.
    std::int64_t count() const;
    bool isContiguous() const;
    std::int64_t
    at(std::span<const std::int64_t> indices) const; ///< Position of an element in \ref bytes, in elements.
    const std::byte* bytesAt(std::int64_t position) const {
        return bytes->data() + position * bytesOf(element);
    }
    std::byte* bytesAt(std::int64_t position) { return bytes->data() + position * bytesOf(element); }
    /// Row-major elements in memory of their own.
    Array compact() const;
};

/// What an op of a dialect hands around: a device, a workgroup, a future.
struct RuntimeObject {
    virtual ~RuntimeObject() = default;
};

/// What a value is while the program runs. \ref i holds indices and integers (sign-extended), \ref f reals.
struct Cell {
    std::int64_t i = 0;
    double f = 0;
    Array array;
    std::shared_ptr<RuntimeObject> object;
};

/// Calls \p visit with the position of every element of \p array in row-major order.
void forEachPosition(const Array& array, const std::function<void(std::int64_t)>& visit);
/// Elements as numbers in row-major order.
std::vector<double> realsOf(const Array& array);
std::vector<std::int64_t> intsOf(const Array& array);
Array arrayOf(std::span<const std::int64_t> values, Scalar element, Shape extents);
Array arrayOf(std::span<const double> values, Scalar element, Shape extents);
/// From and to values of a graph. Error::Unsupported for types that have no scalar here.
Result<Array> arrayOf(const Value& value);
Value valueOf(const Array& array);

class Interpreter;

struct InterpreterOptions {
    /// Ops executed before the run is given up: a text somebody typed may loop for ages.
    std::int64_t mostSteps = 2'000'000'000;
    /// What runs ops that stay on the host (host.run): attributes name the op of the network.
    std::function<Result<std::vector<Value>>(const Module&, const Operation&, std::span<const Value>)> host;
    /// A machine that runs some ops: asked first for each; false: it leaves the op to the interpreter.
    std::function<Result<bool>(Interpreter&, const Operation&)> machine;
};

class Interpreter {
public:
    /// \p module outlives it and is verified.
    explicit Interpreter(const Module& module, InterpreterOptions options = {});

    /// \param arguments as the function wants them. Errors: NotFound, Usage for arguments of another type;
    /// InvalidFile with the op for what goes wrong inside (an index beyond a memory, a division by zero).
    Result<std::vector<Array>> call(std::string_view function, std::vector<Array> arguments);

    // ---- for the ops ----

    const Module& module() const { return m_module; }
    const InterpreterOptions& options() const { return m_options; }
    Cell& cell(ValueId id) { return m_cells[id.index()]; }
    Cell& operand(const Operation& op, std::size_t n) { return cell(m_module.operand(op, n)); }
    Array& array(const Operation& op, std::size_t n) { return operand(op, n).array; }
    std::int64_t index(const Operation& op, std::size_t n) { return operand(op, n).i; }
    /// Indices in the operands [first, first + count).
    std::vector<std::int64_t> indices(const Operation& op, std::size_t first, std::size_t count);
    /// The array of an operand; taken away if this is the last use, so that it can be changed in place.
    Array take(const Operation& op, std::size_t n);
    void set(const Operation& op, Array value, std::uint32_t n = 0);
    void set(const Operation& op, std::int64_t value) { cell(op.firstResult).i = value; }
    void set(const Operation& op, std::shared_ptr<RuntimeObject> object) {
        cell(op.firstResult).object = std::move(object);
    }
    template <class T>
    T& object(const Operation& op, std::size_t n) {
        return static_cast<T&>(*operand(op, n).object);
    }
    /// Runs the ops of a region whose arguments are set; returns the op that ended it.
    Result<const Operation*> run(const Region& region);

private:
    Result<void> runOne(const Operation& op);
    const Module& m_module;
    InterpreterOptions m_options;
    std::vector<Cell> m_cells;
    std::vector<std::uint8_t> m_usedOnce; ///< A value with one use, in the region where it is set.
    std::int64_t m_steps = 0;
};

} // namespace pim::ir
