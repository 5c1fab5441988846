// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Writes the body of a function, node by node. Names are those of the function; a name that begins with the type of its node comes
/// of itself.
#include "core/graph/file/onnx_model.h"

#include <initializer_list>
#include <span>

namespace pim {

/// Name of a value in the function; empty: left out.
using ValueName = std::string;
using Attributes = std::vector<std::pair<std::string, Attribute>>;

class FunctionWriter {
public:
    /// Its inputs are input(0), input(1), …, those of \p node. Outputs are added by setOutput().
    FunctionWriter(const file::RawNode& node, std::span<const Tensor* const> inputs);

    bool has(std::size_t input) const { return input < m_inputs.size() && m_inputs[input]; }
    ValueName input(std::size_t input) const {
        return has(input) ? "in" + std::to_string(input) : ValueName();
    }
    /// Null if left out or not static.
    const Shape* shape(std::size_t input) const {
        return has(input) && m_inputs[input]->shape ? &*m_inputs[input]->shape : nullptr;
    }
    std::size_t rank(std::size_t input) const { return shape(input) ? shape(input)->size() : 0; }
    DataType dtype(std::size_t input) const {
        return has(input) ? m_inputs[input]->dtype : DataType::Unknown;
    }
    bool wants(std::size_t output) const {
        return output < m_node.outputs.size() && !m_node.outputs[output].empty();
    }
    const file::RawNode& node() const { return m_node; }

    std::int64_t integer(std::string_view attribute, std::int64_t standard) const;
    /// Of heads and the like: 0 where it is left out or none that a network could have.
    std::int64_t count(std::string_view attribute) const;
    double real(std::string_view attribute, double standard) const;
    std::string text(std::string_view attribute, std::string standard) const;

    ValueName op(const std::string& type, std::vector<ValueName> inputs, Attributes attributes = {},
                 const std::string& domain = {});
    /// One with several outputs.
    std::vector<ValueName> ops(const std::string& type, std::vector<ValueName> inputs, std::size_t outputs,
                               Attributes attributes = {}, const std::string& domain = {});
    /// The attributes of the node as they are, but those named.
    Attributes attributesBut(std::initializer_list<std::string_view> names) const;
    ValueName ints(const std::vector<std::int64_t>& values);
    ValueName scalar(double value, DataType type);

    /// [end - begin]: begin, begin + 1, …
    ValueName range(std::int64_t begin, std::int64_t end);

    ValueName reshape(const ValueName& x, const std::vector<std::int64_t>& to) {
        return op("Reshape", {x, ints(to)});
    }
    ValueName transpose(const ValueName& x, std::vector<std::int64_t> order) {
        return op("Transpose", {x}, {{"perm", std::move(order)}});
    }
    ValueName slice(const ValueName& x, std::int64_t begin, std::int64_t end, std::int64_t axis,
                    std::int64_t step = 1) {
        return op("Slice", {x, ints({begin}), ints({end}), ints({axis}), ints({step})});
    }
    ValueName unsqueeze(const ValueName& x, const std::vector<std::int64_t>& axes) {
        return op("Unsqueeze", {x, ints(axes)});
    }
    ValueName concat(std::vector<ValueName> parts, std::int64_t axis) {
        return op("Concat", std::move(parts), {{"axis", axis}});
    }
    ValueName scaled(const ValueName& x, double by, DataType type) {
        return by == 1 ? x : op("Mul", {x, scalar(by, type)});
    }

    void setOutput(std::size_t output, const ValueName& value);
    /// Nothing may be asked for that is not there.
    std::optional<file::RawFunction> take();

private:
    ValueName constant(Shape shape, DataType type, std::vector<std::byte> bytes);

    const file::RawNode& m_node;
    std::span<const Tensor* const> m_inputs;
    file::RawFunction m_function;
};

} // namespace pim
